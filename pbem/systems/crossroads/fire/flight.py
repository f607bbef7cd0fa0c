"""Taking cover, falling back and fleeing (GC-MOR-05, GC-MOR-06, GC-MOR-07, GC-CHG-06)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, HALF, opposite, turned
from pbem.ground.plane import Point, bearing, near, shifted
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import INCH, TOLERANCE, Field, degrees
from pbem.systems.crossroads.fire.losses import surrender
from pbem.systems.crossroads.march.gate import Gate
from pbem.systems.crossroads.march.riders import going, gone
from pbem.systems.crossroads.march.walking import Walk, march_row
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.scene import GRAIN, grains, tenths
from pbem.systems.crossroads.tables.morale import COVER_WITHIN, ESCAPE_ARC, STOPS_SHORT
from pbem.systems.crossroads.tables.move import CHARGE_GAP
from pbem.systems.crossroads.tables.units import MARKERS
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.patches import Patch, Status, placed
from pbem.systems.crossroads.world.state import Unit

_TURN_ASIDE = 15
"""Degrees between the ways that one tries who flees."""
STOPS = {"enemy": "GC-MOV-05", "closed": "GC-MOV-05", "edge": "GC-MOV-05", "obstacle": "GC-MOV-03"}
"""The rules by which a way ends."""


@rule("GC-LVL-04", "GC-MOR-08")
def set_status(play: Play, name: str, status: Status, *rules: str) -> None:
    """Give a unit another status, and the marker that belongs to it."""
    unit = play.unit(name)
    if unit.status != status:
        head, marker = about(unit, *rules, "GC-LVL-04", "GC-MOR-08"), MARKERS.get(status, "")
        changes = {name: Patch(status=status)}
        play.add(c.StatusChanged(**head, start=unit.status, to=status, marker=marker, changes=changes))


# ------------------------------------------------------------------ cover


def nearest_enemy(play: Play, unit: Unit) -> Unit | None:
    """The nearest enemy in sight of the unit's side."""
    field = play.field
    seen = [play.battle.units[name] for name in play.battle.watch[unit.side].seen if name in play.battle.units]
    found = [(field.gap(unit, one), one.id, one) for one in seen if one.stands]
    return min(found)[2] if found else None


@rule("GC-MOR-05")
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
        changes = {name: Patch(prone=True)}
        play.add(o.UnitProne(**about(unit, "GC-MOR-05", "GC-FIR-09"), by_order=False, changes=changes))


def _to_cover(play: Play, unit: Unit, enemy: Unit | None) -> Walk | None:
    """The shortest way to cover, not nearer to the enemy; of equal ones the first clockwise from north."""
    field, at = play.field, unit.pos
    assert at is not None, "it stands"
    if unit.formation == "deployed" or unit.prone:
        return None
    near_by = [*(one.shape for one in field.scene.areas), *(one.shape for one in field.scene.lines)]
    reach = (COVER_WITHIN + 1) * INCH
    if not any(near(shape, field.shape(unit), reach) for shape in near_by):
        return None
    gate = Gate(field, unit)
    for half_inches in range(1, 2 * COVER_WITHIN + 1):
        for point in range(16):
            end = shifted(field.body(unit).at, point * HALF // 8, half_inches * INCH // 2)
            there = replace(unit, pos=tenths(end))
            if is_covered(field, there, enemy) and _may_go(gate, there, enemy, end):
                far = half_inches * INCH // (2 * GRAIN)
                return Walk(tenths(end), unit.facing, (at, tenths(end)), far, 0, (), "arrived", COVER_WITHIN * 10)
    return None


@rule("GC-MOR-05", "GC-MOV-05")
def _may_go(gate: Gate, there: Unit, enemy: Unit | None, end: Point) -> bool:
    """Whether a shaken unit may go to a place: not nearer to the enemy, with room, and a free way to it."""
    field = gate.field
    if enemy is not None and field.gap(there, enemy) < field.gap(gate.unit, enemy):
        return False
    return gate.free(field.body(there)) and not gate.straight(end).barred


def moved(play: Play, unit: Unit, walk: Walk, *rules: str, wheeled: bool = False, green: bool = False) -> o.UnitMoved:
    """The fact of a walk, with the officer who goes along; *green*: an officer leads it (GC-ACT-03)."""
    assert unit.pos is not None, "it stands"
    how = [*(["GC-ACT-03"] if green else []), "GC-MOV-01", *(["GC-MOV-04"] if wheeled else [])]
    # How near to an enemy a wheel comes is said by the geometry alone.
    stop = "" if wheeled and walk.stopped_by == "enemy" else STOPS.get(walk.stopped_by, "")
    rule_ids = [*rules, *how, *(one.rule_id for one in walk.costs), stop]
    after = placed(walk.to, facing=walk.facing, green=True if green else UNSET)
    return o.UnitMoved(
        **about(unit, *rule_ids, "GC-MOV-02", "GC-GEO-01"), start=unit.pos, to=walk.to, facing=walk.facing,
        path=walk.path if len(walk.path) > 1 else (), allowance=walk.allowance, costs=walk.costs, walked=walk.walked,
        left=walk.left, stopped_by=walk.stopped_by, wheeled=wheeled, **going(play, unit, after),
    )  # fmt: skip


# ------------------------------------------------------------------ falling back and fleeing


class Run(NamedTuple):
    """A straight way off; lengths in tenths."""

    to: Point
    facing: int
    inches: int = 0
    stopped_by: str = ""
    passed: frozenset[str] = frozenset()
    met: str = ""
    """The enemy who stopped it."""

    @property
    def edge(self) -> bool:
        """Whether it led off the table."""
        return self.stopped_by == "edge"


@rule("GC-MOR-06", "GC-MOR-07")
def _run(gate: Gate, way: int, inches: int, facing: int, *, beyond: bool) -> Run:
    """Go *inches* on the bearing *way*, facing (in degrees) as wanted, or, if there is no room to turn, as before.

    It does not mind the ground, but keeps an inch from what is closed to it; it goes through friends, and stops short
    of an enemy; over the edge it is gone.  On a friend it cannot stay: it stops before him, or (*beyond*) goes on
    behind him.
    """
    run = _way_off(gate, way, inches, facing, beyond=beyond)
    if run.inches:
        return run
    as_it_is = _way_off(gate, way, inches, gate.unit.facing, beyond=beyond)
    if not as_it_is.inches:
        return run
    turned_now = gate.body(grains(as_it_is.to), facing)
    return as_it_is._replace(facing=facing) if gate.free(turned_now) else as_it_is


def _way_off(gate: Gate, way: int, inches: int, facing: int, *, beyond: bool) -> Run:
    unit, start = gate.unit, gate.start.at
    # Who turns about in contact turns onto the enemy's ground, and may leave it; that is no way into him.
    before = gate.body(start, facing)
    best = Run(tenths(start), facing if gate.free(before) else unit.facing)
    passed: frozenset[str] = frozenset()
    most = inches * 10 + (60 if beyond else 0)
    gate = gate.along(start, shifted(start, way, most * GRAIN), facing)
    for step in range(1, most + 1):
        body = gate.body(shifted(start, way, step * GRAIN), facing)
        why = gate.bars(before, body)
        if why and step > inches * 10:
            # Beyond its figure it only looks for room behind friends.
            break
        if why:
            met = gate.meets(before, body)[0].id if why == "enemy" else ""
            return best._replace(stopped_by=why, inches=step if why == "edge" else best.inches, met=met)
        before = body
        friends = gate.under(body)
        passed |= friends
        if not friends and gate.free(body):
            best = Run(tenths(body.at), facing, step, "", passed)
            if step >= inches * 10:
                return best
        elif step == inches * 10 and not beyond:
            break
    return best._replace(stopped_by="friend", passed=passed)


def _away(play: Play, unit: Unit, line: int | None) -> tuple[int, int]:
    """The bearing away from the nearest enemy in sight, and the whole degrees of the way to him (GC-GEO-01)."""
    if line is not None:
        return line, degrees(opposite(line))
    other = nearest_enemy(play, unit)
    body = play.field.body(unit)
    if other is None or play.field.body(other).at == body.at:
        return opposite(body.facing), unit.facing
    way = bearing(play.field.body(other).at, body.at)
    return way, degrees(opposite(way))


@rule("GC-MOR-06")
def withdraw(play: Play, name: str, line: int | None = None, inches: int | None = None) -> None:
    """A unit falls back at once, its face to the enemy; in contact on the *line* of the charge, a bearing."""
    unit = play.unit(name)
    way, facing = _away(play, unit, line)
    run = _run(_gate(play.field, unit), way, inches or march_row(unit).withdraw, facing, beyond=False)
    _gone_off(play, unit, run if run.inches else run._replace(facing=unit.facing), c.UnitWithdrew, "GC-MOR-06")


def _gone_off(play: Play, unit: Unit, run: Run, kind: type[c.WentBack], rule_id: str) -> None:
    play.add(
        kind(
            **about(unit, rule_id, "GC-MOV-01"), start=unit.pos, to=run.to, facing=run.facing, inches=run.inches,
            stopped_by=run.stopped_by, edge=run.edge,
            **going(play, unit, placed(run.to, facing=run.facing, prone=False)),
        )
    )  # fmt: skip
    if run.edge:
        leave(play, unit.id)


@rule("GC-MOR-07", "GC-CHG-06")
def flee(play: Play, name: str, line: int | None = None) -> set[str]:
    """A unit flees at once, its back to the enemy, in contact on the *line* of the charge, a bearing.

    Gives the friends that it runs through.
    Whose way leads into an enemy, and no way aside is free, surrenders.  Deployed guns are left where they are.
    """
    unit = play.unit(name)
    if unit.formation == "deployed" and play.battle.options.guns_left:
        gone(play, name, "destroyed")
        left = Patch(status="destroyed", was="routed", guns="left")
        play.add(c.UnitDestroyed(**about(unit, "GC-MOR-07"), why="guns_left", changes={name: left}))
        return set()
    away, _ = _away(play, unit, line)
    run, caught = _escape(play.field, unit, away)
    _gone_off(play, unit, run, c.UnitRouted, "GC-MOR-07")
    if caught and not run.edge:
        surrender(play, name, run.met, "GC-CHG-06")
    return set(run.passed)


@rule("GC-CHG-06")
def _escape(field: Field, unit: Unit, away: int) -> tuple[Run, bool]:
    """The way of a flight: straight, else aside if it would run into an enemy; and whether it is caught.

    So it is with one who cannot get away from an enemy who touches it, and with one whose turn or way ends at one.
    """
    inches, wary = march_row(unit).rout, _gate(field, unit)
    touching = Gate(field, unit, within=int(CHARGE_GAP * INCH) - TOLERANCE, clear=INCH)

    def run(way: int, gate: Gate) -> Run:
        return _run(gate, way, inches, degrees(way), beyond=True)

    def reached(run: Run) -> str:
        return "" if run.edge else touching.touched(touching.body(grains(run.to), run.facing))

    straight = run(away, wary)
    held = reached(straight) or ("" if straight.inches else touching.touched())
    if not held and (straight.stopped_by != "enemy" or run(away, touching).stopped_by != "enemy"):
        return straight, False
    for aside in range(_TURN_ASIDE, ESCAPE_ARC + 1, _TURN_ASIDE):
        for way in (turned(away, aside * DEGREE), turned(away, -aside * DEGREE)):
            other = run(way, wary)
            if other.stopped_by != "enemy" and (other.inches or not held) and not reached(other):
                return other, False
    return straight._replace(met=straight.met or held), True


def _gate(field: Field, unit: Unit) -> Gate:
    """What stops those who go back: enemies, and ground that is closed to them, an inch off."""
    return Gate(field, unit, within=STOPS_SHORT * INCH - TOLERANCE, clear=INCH)


@rule("GC-MOR-06")
def leave(play: Play, name: str, *, exit_: bool = False) -> None:
    """A unit is off the table."""
    unit = play.unit(name)
    gone(play, name, "left_field")
    left = Patch(status="left_field", was=unit.status, exited=exit_)
    head = about(unit, "GC-WIN-01" if exit_ else "GC-MOR-06")
    play.add(c.UnitLeftField(**head, exit=exit_, changes={name: left}))
