"""Taking cover, falling back and fleeing (GC-MOR-05, GC-MOR-06, GC-MOR-07, GC-CHG-06)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, HALF, opposite, turned
from pbem.ground.body import on_board
from pbem.ground.plane import Point, Shape, bearing, holds, near, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.combat_outcomes import (
    StatusChanged,
    UnitDestroyed,
    UnitLeftField,
    UnitRouted,
    UnitWithdrew,
)
from pbem.systems.crossroads.field import INCH, TOLERANCE, Field, footprint
from pbem.systems.crossroads.losses import gone, surrender
from pbem.systems.crossroads.officers_follow import followed
from pbem.systems.crossroads.outcomes import UnitMoved, UnitProne
from pbem.systems.crossroads.play import Play
from pbem.systems.crossroads.scene import GRAIN, tenths
from pbem.systems.crossroads.state import Patch, Status, Unit
from pbem.systems.crossroads.tables_morale import COVER_WITHIN, ESCAPE_ARC, STOPS_SHORT
from pbem.systems.crossroads.tables_move import CHARGE_GAP, CLOSED
from pbem.systems.crossroads.tables_units import MARKERS
from pbem.systems.crossroads.walking import Walk, march_row

_TURN_ASIDE = 15
"""Degrees between the ways that one tries who flees."""


@rule("GC-LVL-04", "GC-MOR-08")
def set_status(play: Play, name: str, status: Status, *rules: str) -> None:
    """Give a unit another status, and the marker that belongs to it."""
    unit = play.unit(name)
    if unit.status != status:
        play.add(
            StatusChanged(
                rules=cited(*rules, "GC-LVL-04", "GC-MOR-08"), side=unit.side, unit=name, start=unit.status, to=status,
                marker=MARKERS.get(status, ""), changes={name: Patch(status=status)},
            )
        )  # fmt: skip


# ------------------------------------------------------------------ cover


def nearest_enemy(play: Play, unit: Unit) -> Unit | None:
    """The nearest enemy in sight of the unit's side."""
    field = play.field
    seen = [play.battle.units[name] for name in play.battle.watch[unit.side].seen if name in play.battle.units]
    found = [(field.gap(unit, one), one.id, one) for one in seen if one.stands]
    return min(found)[2] if found else None


def is_covered(field: Field, unit: Unit, enemy: Unit | None) -> bool:
    """Whether a unit has cover: of the ground it is on, or behind a line, against an enemy."""
    if enemy is None:
        return any(one.cover != "none" for one in field.areas(unit))
    return field.cover_from(unit, enemy) != "none"


@rule("GC-MOR-05")
def go_to_ground(play: Play, name: str) -> None:
    """A shaken unit makes for cover close by, else lies down if it is infantry."""
    unit = play.unit(name)
    enemy = nearest_enemy(play, unit)
    if is_covered(play.field, unit, enemy):
        return
    walk = _to_cover(play, unit, enemy) if play.policies(unit.side).shaken == "cover" else None
    if walk is not None:
        play.add(moved(play, unit, walk, "GC-MOR-05"))
    elif unit.type == "infantry" and not unit.prone:
        play.add(
            UnitProne(
                rules=cited("GC-MOR-05", "GC-FIR-09"), side=unit.side, unit=name, by_order=False,
                changes={name: Patch(prone=True)},
            )
        )  # fmt: skip


def _to_cover(play: Play, unit: Unit, enemy: Unit | None) -> Walk | None:
    """The shortest way to cover, not nearer to the enemy; of equal ones the first clockwise from north."""
    field, at = play.field, unit.pos
    assert at is not None, "it stands"
    if unit.formation == "deployed":
        return None
    near_by = [*(one.shape for one in field.scene.areas), *(one.shape for one in field.scene.lines)]
    reach = (COVER_WITHIN + 1) * INCH
    if not any(near(shape, field.shape(unit), reach) for shape in near_by):
        return None
    for half_inches in range(1, 2 * COVER_WITHIN + 1):
        for point in range(16):
            to = tenths(shifted(field.body(unit).at, point * HALF // 8, half_inches * INCH // 2))
            there = replace(unit, pos=to)
            if is_covered(field, there, enemy) and _may_go(field, unit, there, enemy):
                far = half_inches * INCH // (2 * GRAIN)
                return Walk(to, unit.facing, (at, to), far, 0, (), "arrived", COVER_WITHIN * 10)
    return None


def _may_go(field: Field, unit: Unit, there: Unit, enemy: Unit | None) -> bool:
    """Whether a shaken unit may go to a place: not nearer to the enemy, with room, and no ground closed to it."""
    if enemy is not None and field.gap(there, enemy) < field.gap(unit, enemy):
        return False
    shut = _closed(field, unit)
    if any(holds(shape, field.body(there).at) for shape in shut) or not field.room(field.body(there), ignoring=unit.id):
        return False
    return all(field.gap(there, one) >= STOPS_SHORT * INCH for one in field.standing if one.side != unit.side)


def _closed(field: Field, unit: Unit) -> list[Shape]:
    """The ground that a unit cannot enter, but for what it stands on."""
    kinds = CLOSED.get(unit.type, CLOSED.get(f"{unit.type} {unit.formation}", ()))
    at = field.body(unit).at
    return [one.shape for one in field.scene.areas if one.kind in kinds and not holds(one.shape, at)]


def moved(play: Play, unit: Unit, walk: Walk, *rules: str, wheeled: bool = False) -> UnitMoved:
    """The fact of a walk, with the officer who goes along."""
    assert unit.pos is not None, "it stands"
    turned = ["GC-MOV-04"] if wheeled else []
    rule_ids = dict.fromkeys([*rules, "GC-MOV-01", *turned, *(one.rule_id for one in walk.costs)])
    blocked = {"enemy": "GC-MOV-05", "closed": "GC-MOV-05", "edge": "GC-MOV-05", "obstacle": "GC-MOV-03"}
    if walk.stopped_by in blocked:
        rule_ids[blocked[walk.stopped_by]] = None
    after = Patch(pos=walk.to, facing=walk.facing)
    return UnitMoved(
        rules=cited(*rule_ids, "GC-MOV-02", "GC-GEO-01"), side=unit.side, unit=unit.id, start=unit.pos, to=walk.to,
        path=walk.path if len(walk.path) > 1 else (), facing=walk.facing, allowance=walk.allowance, costs=walk.costs,
        walked=walk.walked, left=walk.left, stopped_by=walk.stopped_by, wheeled=wheeled, changes={unit.id: after},
        officers=followed(play, unit, walk.to, walk.facing),
    )  # fmt: skip


# ------------------------------------------------------------------ falling back and fleeing


class Run(NamedTuple):
    """A straight way off; lengths in tenths."""

    to: Point
    inches: int
    stopped_by: str
    edge: bool
    passed: frozenset[str]
    met: str = ""
    """The enemy who stopped it."""


@rule("GC-MOR-06", "GC-MOR-07")
def _run(field: Field, unit: Unit, way: int, inches: int, facing: int, *, gap: int, beyond: bool) -> Run:
    """Go *inches* on the bearing *way*, not minding the ground, through friends.

    It stops *gap* short of an enemy and an inch short of ground that is closed to it; over the edge it is gone.  On a
    friend it cannot stay: it stops before him, or (*beyond*) goes on behind him.
    """
    start = field.body(unit).at
    shapes = _closed(field, unit)
    enemies = [one for one in field.standing if one.side != unit.side]
    friends = [one for one in field.standing if one.side == unit.side and one.id != unit.id]
    best = Run(unit.pos or tenths(start), 0, "", edge=False, passed=frozenset())
    passed: set[str] = set()
    most = inches * 10 if not beyond else inches * 10 + 60
    # Who turns about in contact turns onto the enemy's ground: that is no way into him.
    turned_about = footprint(unit.type, unit.formation, best.to, facing)
    before = {one.id: field.gap_of(turned_about, one) for one in enemies}
    for step in range(1, most + 1):
        at = tenths(shifted(start, way, step * GRAIN))
        body = footprint(unit.type, unit.formation, at, facing)
        if not on_board(body, field.scene.board):
            return best._replace(stopped_by="edge", edge=True, inches=step)
        if any(near(body.shape, shape, INCH) for shape in shapes):
            return best._replace(stopped_by="closed")
        for one in enemies:
            # Farther off than *gap* it need not be known how far.
            far = field.gap_of(body, one) if near(body.shape, field.shape(one), gap) else gap
            if far < gap - TOLERANCE and far < before[one.id]:
                return best._replace(stopped_by="enemy", met=one.id)
            before[one.id] = far
        under = {one.id for one in friends if field.overlaps(body, one)}
        passed |= under
        if not under:
            best = Run(at, step, "", edge=False, passed=frozenset(passed))
            if step >= inches * 10:
                return best
        elif step == inches * 10 and not beyond:
            return best._replace(stopped_by="friend", passed=frozenset(passed))
    return best._replace(stopped_by="friend", passed=frozenset(passed))


def _away(play: Play, unit: Unit, enemy: str, line: int | None) -> tuple[int, int]:
    """The bearing away from the enemy, and the whole degrees of the way to him (GC-GEO-01)."""
    if line is not None:
        return line, _degrees(opposite(line))
    other = play.unit(enemy) if enemy and play.unit(enemy).stands else nearest_enemy(play, unit)
    body = play.field.body(unit)
    if other is None or play.field.body(other).at == body.at:
        return opposite(body.facing), unit.facing
    way = bearing(play.field.body(other).at, body.at)
    return way, _degrees(opposite(way))


def _degrees(way: int) -> int:
    return (2 * way + DEGREE) // (2 * DEGREE) % 360


@rule("GC-MOR-06")
def withdraw(play: Play, name: str, enemy: str = "", line: int | None = None, inches: int | None = None) -> None:
    """A unit falls back at once, its face to the enemy; in contact on the *line* of the charge, a bearing."""
    unit = play.unit(name)
    assert unit.pos is not None, "it stands"
    way, facing = _away(play, unit, enemy, line)
    far = inches or march_row(unit).withdraw
    run = _run(play.field, unit, way, far, facing, gap=STOPS_SHORT * INCH, beyond=False)
    if not run.inches:
        facing = unit.facing
    after = Patch(pos=run.to, facing=facing, prone=False, crossing=None)
    play.add(
        UnitWithdrew(
            rules=cited("GC-MOR-06", "GC-MOV-01"), side=unit.side, unit=name, start=unit.pos, to=run.to, facing=facing,
            inches=run.inches, stopped_by=run.stopped_by, edge=run.edge, changes={name: after},
            officers=followed(play, unit, run.to, facing),
        )
    )  # fmt: skip
    if run.edge:
        leave(play, name)


@rule("GC-MOR-07", "GC-CHG-06")
def flee(play: Play, name: str, enemy: str = "", line: int | None = None) -> set[str]:
    """A unit flees at once, its back to the enemy, in contact on the *line* of the charge, a bearing.

    Gives the friends that it runs through.
    Whose way leads into an enemy, and no way aside is free, surrenders.  Deployed guns are left where they are.
    """
    unit = play.unit(name)
    assert unit.pos is not None, "it stands"
    if unit.formation == "deployed" and play.battle.options.guns_left:
        gone(play, name, "destroyed")
        play.add(
            UnitDestroyed(
                rules=cited("GC-MOR-07"), side=unit.side, unit=name, why="guns_left",
                changes={name: Patch(status="destroyed", was="routed", guns="left")},
            )
        )  # fmt: skip
        return set()
    away, _ = _away(play, unit, enemy, line)
    run, facing, caught = _escape(play.field, unit, away)
    play.add(
        UnitRouted(
            rules=cited("GC-MOR-07", "GC-MOV-01"), side=unit.side, unit=name, start=unit.pos, to=run.to, facing=facing,
            inches=run.inches, stopped_by=run.stopped_by, edge=run.edge,
            changes={name: Patch(pos=run.to, facing=facing, prone=False, crossing=None)},
            officers=followed(play, unit, run.to, facing),
        )
    )  # fmt: skip
    if run.edge:
        leave(play, name)
    elif caught:
        surrender(play, name, run.met, "GC-CHG-06")
    return set(run.passed)


@rule("GC-CHG-06")
def _escape(field: Field, unit: Unit, away: int) -> tuple[Run, int, bool]:
    """The way of a flight: straight, else aside if it would run into an enemy; and whether it is caught."""
    inches = march_row(unit).rout

    def run(way: int, gap: int) -> Run:
        return _run(field, unit, way, inches, _degrees(way), gap=gap, beyond=True)

    straight = run(away, STOPS_SHORT * INCH)
    touching = int(CHARGE_GAP * INCH)
    if straight.stopped_by != "enemy" or run(away, touching).stopped_by != "enemy":
        return straight, _degrees(away), False
    for aside in range(_TURN_ASIDE, ESCAPE_ARC + 1, _TURN_ASIDE):
        for way in (turned(away, aside * DEGREE), turned(away, -aside * DEGREE)):
            other = run(way, STOPS_SHORT * INCH)
            if other.stopped_by != "enemy":
                return other, _degrees(way), False
    return straight, _degrees(away), True


@rule("GC-MOR-06")
def leave(play: Play, name: str, *, exit_: bool = False) -> None:
    """A unit is off the table."""
    unit = play.unit(name)
    gone(play, name, "left_field")
    play.add(
        UnitLeftField(
            rules=cited("GC-WIN-01" if exit_ else "GC-MOR-06"), side=unit.side, unit=name, exit=exit_,
            changes={name: Patch(status="left_field", was=unit.status, exited=exit_)},
        )
    )  # fmt: skip
