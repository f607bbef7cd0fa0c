"""Positions and orders that nobody thought of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pbem_diplomacy.board import Place, next_to, province_of
from pbem_diplomacy.judge import HOLD, Deed, Unit
from pbem_diplomacy.map import BOARD

from pbem.kernel.names import Role

SIDES = [Role(name) for name in ("austria", "england", "france", "germany", "italy", "russia", "turkey")]


def position(random: Random, count: int) -> dict[str, Unit]:
    """Units anywhere that they may be."""
    units: dict[str, Unit] = {}
    places: list[tuple[str, Place]] = [*(("A", at) for at in BOARD.army), *(("F", at) for at in BOARD.fleet)]
    for kind, at in random.sample(places, count):
        if province_of(at) not in units and (kind == "A" or next_to(BOARD, "F", at)):
            units[province_of(at)] = Unit(random.choice(SIDES), "A" if kind == "A" else "F", at)
    return units


def orders(random: Random, units: dict[str, Unit]) -> dict[str, Deed]:
    """Orders that get into each other's way."""
    moves: dict[str, Deed] = {}
    coasts = [key for key, one in BOARD.provinces.items() if one.kind == "coast"]
    for at, unit in units.items():
        ends = next_to(BOARD, unit.kind, unit.at)
        far = unit.kind == "A" and BOARD.provinces[at].kind == "coast" and random.random() < 0.3
        to = random.choice(coasts) if far else random.choice(ends)
        moves[at] = Deed("move", to=to, via=far and random.random() < 0.5) if random.random() < 0.6 else HOLD
    given = dict(moves)
    for at, unit in units.items():
        if moves[at].kind == "move":
            continue
        others = [one for one in units if one != at]
        near = [one for one in others if {one, province_of(moves[one].to)} & {*BOARD.near[at]}]
        other = random.choice(near or others)
        carried = units[other].kind == "A" and unit.kind == "F" and random.random() < 0.5
        if carried and moves[other].kind == "move":
            given[at] = Deed("convoy", of=other, to=moves[other].to)
        else:
            given[at] = Deed("support", of=other, to=moves[other].to if moves[other].kind == "move" else "")
    return given


def positions(count: int, seed: int = 1) -> Iterator[tuple[dict[str, Unit], dict[str, Deed]]]:
    """Many of them, sparse and crowded."""
    random = Random(seed)
    for _ in range(count):
        units = position(random, random.randint(4, 40))
        yield units, orders(random, units)
