"""What the contract suite is told of this game: what is likely to be ordered, and what must always hold.

    pytest --pyargs pbem.suite --system diplomacy

Nothing in this folder is part of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.suite.play import Game
from pbem.suite.secret import Secret
from pbem_diplomacy.board import Place, next_to, province_of
from pbem_diplomacy.judge import Unit
from pbem_diplomacy.map import BOARD
from pbem_diplomacy.rules import retreats, sites
from pbem_diplomacy.state import Europe, driven_out, own, standing

SECRETS: tuple[Secret, ...] = ()
"""All is open but orders before they are judged, which is the office's."""


def likely(game: Game, role: Role) -> Sequence[str]:
    """Orders of each exchange: every move, supports of neighbours, convoys, retreats, builds and removals."""
    mind: Europe = game.world.minds[role]
    match mind.phase:
        case "moves":
            return [line for unit in own(mind, role).values() for line in _orders(mind, unit)]
        case "retreats":
            goals = [
                f"{unit.kind} {unit.at} R {place}"
                for name, unit in driven_out(mind, role).items()
                for place in retreats(BOARD, mind, name)
            ]
            return [*goals, *(f"{unit.kind} {unit.at} D" for unit in driven_out(mind, role).values())]
        case "builds":
            homes = sites(BOARD, mind, role)
            coasts = [place for place in BOARD.fleet if province_of(place) in homes]
            return [
                *(f"build A {key}" for key in homes),
                *(f"build F {place}" for place in coasts),
                "waive",
                *(f"remove {unit.kind} {unit.at}" for unit in own(mind, role).values()),
            ]


def _orders(mind: Europe, unit: Unit) -> Iterator[str]:
    """What a unit may be ordered."""
    there, here = standing(mind), f"{unit.kind} {unit.at}"
    ends = next_to(BOARD, unit.kind, unit.at)
    yield f"{here} H"
    yield from (f"{here} - {place}" for place in ends)
    for other in there.values():
        if other != unit and province_of(other.at) in map(province_of, ends):
            yield f"{here} S {other.kind} {other.at}"
        yield from (f"{here} S {other.kind} {other.at} - {place}" for place in _shared(unit, other, ends))
    if unit.kind == "F" and BOARD.provinces[province_of(unit.at)].kind == "sea":
        armies = [one for one in there.values() if one.kind == "A" and unit.at in BOARD.shores[one.at]]
        coasts = [key for key in BOARD.near[unit.at] if BOARD.provinces[key].kind == "coast"]
        yield from (f"{here} C A {army.at} - {key}" for army in armies for key in coasts if key != army.at)
    if unit.kind == "A":
        seas = [sea for sea in BOARD.shores[unit.at] if sea in there and there[sea].kind == "F"]
        goals = {key for sea in seas for key in BOARD.near[sea] if BOARD.provinces[key].kind == "coast"}
        yield from (f"{here} - {key} via convoy" for key in sorted(goals - {unit.at}))


def _shared(unit: Unit, other: Unit, ends: Sequence[Place]) -> Iterator[Place]:
    """Where both of two units could go."""
    if other != unit:
        mine = {*map(province_of, ends)}
        yield from (place for place in next_to(BOARD, other.kind, other.at) if province_of(place) in mine)


def breaches(scene: Any, before: World[Europe, Europe], fact: Any, after: World[Europe, Europe]) -> Iterator[str]:
    """What must always hold when an exchange is over: two units stand nowhere, and none where it cannot."""
    europe = after.truth
    for name, unit in europe.units.items():
        if unit.at not in (BOARD.army if unit.kind == "A" else BOARD.fleet):
            yield f"DP-MAP-01: {name} is in {unit.at}"
    if fact.__class__.__name__ == "PhaseBegan":
        if len(standing(europe)) != len(europe.units) - len(europe.dislodged):
            yield "DP-MOV-02: two units stand in one province"
        if fact.begins == "moves" and fact.season == "spring":
            for side, held in europe.vp.items():
                if len(own(europe, side)) > held:
                    yield f"DP-BLD-01: {side} has more units than centres"
