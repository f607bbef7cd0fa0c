"""Friends on the way: who bars it, and how far one comes up to them (KS-TUR-04, KS-MOV-17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from pbem.ground.bearing import off
from pbem.ground.body import Body
from pbem.ground.plane import Point, Shape, dot, gap, hull, near
from pbem.ground.way import heading
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import along_and_aside, is_formed, outline, round_about
from pbem.systems.kriegsspiel.march.gate import STRIDE, There
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS
from pbem.systems.kriegsspiel.tables.march import COLUMN_GAP
from pbem.systems.kriegsspiel.world.bodies import is_post, is_retiring
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.forms import all_skirmish, depth_of, front_of, is_column
from pbem.systems.kriegsspiel.world.troops import Unit

INTERVAL = 25
"""Paces of an interval in a line, or between bodies, through which a column goes."""


# ------------------------------------------------------------------ bodies that are no two columns


@rule("KS-TUR-04", "KS-RET-06")
def goes_through(one: Unit, other: Unit) -> bool:
    """Whether two friends go through each other: skirmishers, a column through intervals, who goes back before him."""
    if any(_goes_back(unit) for unit in (one, other)):
        return True
    if not all(is_formed(unit) and not is_post(unit) and not _loose(unit) for unit in (one, other)):
        return True
    if is_column(one) and is_column(other):
        # Columns that meet have their own rule (KS-MOV-17).
        return True
    if "brigade_mass" in (one.place.formation, other.place.formation):
        return False
    # Lines have intervals between their halves, columns of attack between each other (KS-FRM-02, KS-FRM-10).
    return any(is_column(unit) and front_of(unit) <= INTERVAL for unit in (one, other))


@rule("KS-RET-06", "KS-ATK-02")
def _goes_back(unit: Unit) -> bool:
    """Whether a body goes back before the enemy, beaten, under fire or by order: those behind it let it through."""
    told = bool(unit.duty.queue) and unit.duty.queue[0].verb == "retire"
    back = told or is_retiring(unit) or unit.trial.answer.startswith("retire")
    return unit.trial.flight > 0 or back


@rule("KS-TUR-04")
def _loose(unit: Unit) -> bool:
    return all_skirmish(unit) or unit.place.formation in ("skirmish_order", "mounted_skirmish")


@rule("KS-TUR-04")
def held_back(unit: Unit, there: There, start: int, end: int, stride: int, friends: Iterable[Unit]) -> int:
    """How far on the way from *start* to *end* a body comes before it would go through a friend ahead of it.

    *stride*: of how many of the units of *there* the steps are that are looked at.
    """
    reach = (end - start) * STRIDE // stride + front_of(unit) + depth_of(unit)
    now = _narrowed(unit)
    ahead = [
        shape
        for other in round_about(outline(unit).box, reach, friends)
        if other.key != unit.key
        and along_and_aside(other, unit)[0] < 0
        and not goes_through(unit, other)
        and not near(now, (shape := outline(other)), 0)
    ]
    before = start
    for mark in (*range(start + stride, end, stride), end) if ahead else ():
        step = _narrowed(there(mark), STRIDE)
        if any(near(step, shape, 0) for shape in ahead):
            return before
        before = mark
    return end


def _narrowed(unit: Unit, swept: int = 0) -> Shape:
    """The outline of a body without an interval at each end, and with the ground right behind it that it came over."""
    front = 1 if is_column(unit) else max(front_of(unit) - 2 * INTERVAL, 1)
    depth = 1 if is_column(unit) else max(depth_of(unit), 1)
    return Body(unit.place.at, unit.place.facing, front, depth + swept).shape


# ------------------------------------------------------------------ columns on their ways


def near_ways(heads: Sequence[Point], friends: Iterable[Unit]) -> list[Unit]:
    """The columns that lie so near to a step of a column that they may bar it.

    *heads*: where its head is, and comes; between two of them it is no farther than a stride from one.
    """
    ground = reduce(hull, [(*at, *at) for at in heads])
    return [one for one in round_about(ground, COLUMN_GAP + STRIDE, friends) if is_column(one)]


@rule("KS-TUR-04", "KS-MOV-17")
def column_ahead(unit: Unit, at: Point, friends: Iterable[Unit], persons: Mapping[str, Person]) -> Unit | None:
    """The friend who bars the way of a column whose head comes to *at*; None: nobody."""
    head = dot(at)
    for other in friends:
        shape = outline(other)
        if not near(head, shape, COLUMN_GAP - 1) or other.key == unit.key or not is_column(other):
            continue
        if gap(head, shape).far >= gap(dot(unit.place.at), shape).far:
            continue
        way = heading(unit.march.way, unit.march.done // TWELFTHS)
        if off(way, other.place.facing) > 12000 and _goes_first(unit, other, persons):
            continue
        return other
    return None


@rule("KS-MOV-17")
def up_to(head: Point, friend: Unit, done: int, target: int) -> int:
    """How far it may go until 25 paces are left to the friend before it; *head*: where it is at *target*."""
    short = COLUMN_GAP - gap(dot(head), outline(friend)).far
    return max(done, target - short * TWELFTHS)


@rule("KS-MOV-17")
def _goes_first(unit: Unit, other: Unit, persons: Mapping[str, Person]) -> bool:
    """Of two columns that meet head on: the one of the higher commander goes on, else the one first by its key."""

    def level(one: Unit) -> tuple[int, str]:
        depth, name = 0, one.commander
        while name in persons and persons[name].superior:
            depth, name = depth + 1, persons[name].superior
        return depth, one.key

    return level(unit) < level(other) or not other.march.way
