"""What counts in the end, and who has won (HL-WIN)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.plane import within
from pbem.kernel.names import Role, RuleId
from pbem.orders.names import name_key
from pbem.rules.contract import Verdict
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.scene.scene import Aim
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Ended, Item, Mark
from pbem.systems.half_league.world.patches import GamePatch
from pbem.systems.half_league.world.pieces import ALLIED, ENEMY, RUSSIAN, SIDES, Unit
from pbem.systems.half_league.world.state import Battle


@rule("HL-WIN-01")
def holder(field: Field, aim: Aim) -> Role:
    """Whose a place is: his who has a good unit there while the other has none; else it is as it was.

    In a mind: as far as is known.
    """
    at = field.scene.places[name_key(aim.place)].pos
    good = [unit for unit in field.battle.units.values() if unit.in_order and not unit.last_seen]
    there = {unit.side for unit in good if within(unit.front, at, aim.within)}
    other = ENEMY[aim.holder]
    return other if other in there and aim.holder not in there else aim.holder


@rule("HL-WIN-01", "HL-CMB-08", "HL-MOV-13")
def items(field: Field) -> list[Item]:
    """All that counts as things stand."""
    battle, chart = field.battle, field.charts.victory
    found = [Item(holder(field, aim), aim.place, 1, aim.points) for aim in field.scene.aims]
    for side in SIDES:
        enemy = ENEMY[side]
        theirs = [unit for _, unit in sorted(battle.units.items()) if unit.side == enemy]
        lost = sum(unit.status in ("destroyed", "left_field") and not _exited(field, unit) for unit in theirs)
        routing = sum(unit.routing for unit in theirs)
        guns = [guns for _, guns in sorted(battle.guns.items()) if guns.side == enemy]
        taken = sum(one.state in ("spiked", "captured") for one in guns)
        left = sum(one.state == "abandoned" for one in guns)
        leaders = [one for _, one in sorted(battle.leaders.items()) if one.side == enemy]
        brigadiers = sum(one.replaced for one in leaders)
        chiefs = sum(one.fallen for one in leaders)
        exits = battle.exits.get(side, 0) if side == field.scene.exit_side else 0
        counted = (
            ("destroyed", lost, chart.unit_destroyed),
            ("routing", routing, chart.unit_routing),
            ("battery", taken, chart.battery_lost),
            ("battery abandoned", left, chart.battery_abandoned),
            ("brigadier", brigadiers, chart.brigadier_killed),
            ("army commander", chiefs, chart.army_commander_killed),
            ("left by the road", exits, chart.unit_exited),
        )
        found += [Item(side, what, count, count * points) for what, count, points in counted if count]
    return found


@rule("HL-MOV-13", "HL-WIN-01")
def _exited(field: Field, unit: Unit) -> bool:
    """Whether a unit left by its road."""
    if unit.side != field.scene.exit_side or not field.scene.exit_place:
        return False
    at = field.scene.places[name_key(field.scene.exit_place)].pos
    return unit.status == "left_field" and within(unit.front, at, 100)


def totals(found: Sequence[Item]) -> dict[Role, int]:
    """The points of both sides."""
    return {side: sum(item.points for item in found if item.side == side) for side in SIDES}


@rule("HL-WIN-01")
def broken(battle: Battle) -> bool:
    """Whether a side that had units has none left that is neither routing nor gone."""
    return any(
        any(unit.side == side for unit in battle.units.values()) and not any(unit.in_order for unit in battle.of(side))
        for side in SIDES
    )


@rule("HL-WIN-01")
def count(play: Play) -> None:
    """The battle is over: count."""
    found = items(play.field)
    points = totals(found)
    ahead = points[ALLIED] - points[RUSSIAN]
    margin = play.scene.charts.victory.margin
    leader: Role | None = ALLIED if ahead > 0 else RUSSIAN if ahead < 0 else None
    won = abs(ahead) >= margin and leader is not None
    ended = Ended(
        winner="draw" if leader is None else leader,  # type: ignore[arg-type] # one of the sides
        how="victory" if won else "honours" if leader else "draw",
        allied=points[ALLIED],
        russian=points[RUSSIAN],
        items=tuple(found),
    )
    play.add(
        o.VictoryCounted(
            rules=cited("HL-WIN-01"),
            items=tuple(found),
            totals=points,
            result=f"{leader} victory" if won else "drawn field",  # type: ignore[arg-type] # one of its words
            honours=None if won else leader,
            game=GamePatch(ended=ended, phase="over"),
        )
    )


def verdict(battle: Battle) -> Verdict | None:
    """Who has won, and how."""
    ended = battle.ended
    if ended is None:
        return None
    rules = (RuleId("HL-WIN-01"),)
    score = f"{ended.allied} to {ended.russian}"
    if ended.how == "victory":
        return Verdict(ended.winner, f"victory, {score}", rules)
    if ended.how == "honours":
        return Verdict(None, f"a drawn field, {score}, of which the {ended.winner} side has the honours", rules)
    if ended.how == "draw":
        return Verdict(None, f"a drawn field, {score}", rules)
    return Verdict(None if ended.winner == "draw" else ended.winner, "the umpire's ruling", rules)


def mark(play: Play) -> Mark:
    """How the battle stands after a turn."""
    fallen = {side: sum(unit.fallen for unit in play.battle.units.values() if unit.side == side) for side in SIDES}
    return Mark(play.battle.turn, fallen, totals(items(play.field)))
