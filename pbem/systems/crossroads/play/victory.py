"""Places held, the score at the end, and who has won (GC-WIN-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.rules.contract import Verdict
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.able import routed, steady
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.scene.scene import Held, Scene
from pbem.systems.crossroads.tables.combat import HELD_WITHIN, POINTS, VICTORY_MARGIN
from pbem.systems.crossroads.world.outcomes import PlaceTaken, VictoryCounted, VictoryItem
from pbem.systems.crossroads.world.patches import Ended, GamePatch
from pbem.systems.crossroads.world.state import GUNS, Battle, Unit


@rule("GC-WIN-01")
def holder(scene: Scene, battle: Battle, held: Held) -> Unit | None:
    """The unit that holds a place for a side that alone has one there; None: it stays with who has it."""
    at = scene.by_name[name_key(held.place)].pos
    there = [
        one
        for _, one in sorted(battle.units.items())
        if steady(one)
        and one.pos is not None
        and (one.pos.x - at.x) ** 2 + (one.pos.y - at.y) ** 2 <= (HELD_WITHIN * 10) ** 2
    ]
    return there[0] if there and len({one.side for one in there}) == 1 else None


@rule("GC-WIN-01")
def hold_places(play: Play) -> None:
    """At the end of a turn: who holds the places that count."""
    for held in play.scene.held:
        unit = holder(play.scene, play.battle, held)
        if unit is not None and play.battle.holders.get(held.place) != unit.side:
            play.add(
                PlaceTaken(
                    rules=cited("GC-WIN-01"), side=unit.side, place=held.place, by_side=unit.side, unit=unit.id,
                    game=GamePatch(holders={held.place: unit.side}),
                )
            )  # fmt: skip


def _for_enemy(unit: Unit) -> tuple[str, int]:
    """What a unit is worth to its enemy at the end, and why."""
    if unit.type in GUNS and (unit.guns == "captured" or unit.status == "surrendered"):
        return "captured", POINTS.guns_captured
    if unit.status in ("destroyed", "surrendered"):
        return unit.status, POINTS.lost
    if unit.status == "left_field":
        return ("left the field", POINTS.lost) if unit.was in ("withdrawn", "routed") else ("", 0)
    if routed(unit):
        return "routed", POINTS.routed
    return ("three quarters lost", POINTS.level_3) if unit.stands and unit.level == 3 else ("", 0)


@rule("GC-WIN-01")
def items(scene: Scene, battle: Battle) -> Iterator[VictoryItem]:
    """All that counts, as the field stands."""
    for held in scene.held:
        side = battle.holders.get(held.place)
        if side is not None:
            yield VictoryItem(side, f"{held.place} held", held.points)
    for name, unit in sorted(battle.units.items()):
        why, points = _for_enemy(unit)
        if points:
            yield VictoryItem(battle.enemy(unit.side), f"{name} {why}", points)
        if unit.exited:
            gain = sum(one.points for one in scene.exits if one.side == unit.side)
            if gain:
                yield VictoryItem(unit.side, f"{name} gone by the exit", gain)
    for name, officer in sorted(battle.officers.items()):
        if officer.killed:
            yield VictoryItem(battle.enemy(officer.side), f"{name} killed", POINTS.officer)


@rule("GC-WIN-01")
def count_victory(play: Play) -> None:
    """Count at the end of the last turn."""
    battle = play.battle
    found = tuple(items(play.scene, battle))
    totals = {side: sum(one.points for one in found if one.side == side) for side in battle.sides}
    red, black = battle.sides
    ahead = totals[red] - totals[black]
    winner: Role | None = None if not ahead else red if ahead > 0 else black
    result: Literal["victory", "marginal", "draw"]
    result = "draw" if winner is None else "victory" if abs(ahead) >= VICTORY_MARGIN else "marginal"
    how = {"draw": "a draw", "victory": "victory", "marginal": "marginal victory"}[result]
    score = f"{totals[red]} to {totals[black]} points"
    play.add(
        VictoryCounted(
            rules=cited("GC-WIN-01"), items=found, totals=totals, winner=winner, result=result,
            game=GamePatch(phase="over", vp=totals, ended=Ended(winner, f"{how}, {score}")),
        )
    )  # fmt: skip


def verdict(battle: Battle) -> Verdict | None:
    """Who has won and how."""
    if battle.ended is None:
        return None
    return Verdict(battle.ended.winner, battle.ended.how, cited("GC-WIN-01"))
