"""The gate of every step: whom a body would meet anywhere on it, and where it then stops (KS-TUR-04).

Marches, charges, retreats and pursuits go through it tick by tick; so do the few paces that a fight moves bodies by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, between, distance, dot, gap, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import comes_within, is_formed, outline, round_about, terrain_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.attack import CONTACT
from pbem.systems.kriegsspiel.world.forms import depth_of, front_of
from pbem.systems.kriegsspiel.world.troops import Place, Unit

STRIDE = 25
"""Paces at which a step is looked at: no body is so thin that it lies between two of them."""


class Met(NamedTuple):
    """The enemy whom a step would meet, and how far the body comes."""

    far: int
    key: str


There = Callable[[int], Unit]
"""The body as it stands so far on."""


@rule("KS-TUR-04", "KS-RET-05")
def first_met(unit: Unit, there: There, start: int, end: int, stride: int, enemies: Iterable[Unit]) -> Met | None:
    """The first enemy within contact of a body that goes from *start* to *end*, and where it comes into contact.

    *stride*: of how many of the units of *there* the steps are that are looked at.  Who goes away from an enemy that
    stands close by is not held by him.
    """
    reach = CONTACT + (end - start) * STRIDE // stride + max(front_of(unit), depth_of(unit))
    small = not is_formed(unit)
    near_by = round_about(outline(unit).box, reach, enemies)
    others = [enemy for enemy in near_by if not (small and not is_formed(enemy))]
    before = start
    for mark in (*range(start + stride, end, stride), end) if others else ():
        body = there(mark)
        shape = outline(body)
        found = [
            (gap(shape, theirs).far, enemy.key, enemy)
            for enemy in others
            if comes_within(shape, theirs := outline(enemy), CONTACT) and not leaves(unit, body, enemy)
        ]
        if found:
            _, key, enemy = min(found, key=lambda one: one[:2])
            return Met(_edge(there, before, mark, enemy), key)
        before = mark
    return None


@rule("KS-TUR-04", "KS-FRM-05")
def meets(unit: Unit, body: Unit, enemies: Iterable[Unit]) -> bool:
    """Whether a body that takes another form or place comes within contact of an enemy by that."""
    shape, small = outline(body), not is_formed(unit)
    return any(
        comes_within(shape, outline(enemy), CONTACT) and not (small and not is_formed(enemy))
        and not leaves(unit, body, enemy) and not comes_within(outline(unit), outline(enemy), CONTACT)
        for enemy in enemies
    )  # fmt: skip


@rule("KS-TUR-04", "KS-FRM-05")
def swung(unit: Unit, place: Place, enemies: Iterable[Unit]) -> Place:
    """The place of a body that turns or forms on the spot; as it stands, where it would swing into an enemy by that."""
    return unit.place if meets(unit, replace(unit, place=place), enemies) else place


@rule("KS-RET-05", "KS-TUR-04")
def leaves(unit: Unit, body: Unit, enemy: Unit) -> bool:
    """Whether a body gets away from an enemy by a step: its outline does; of one in flight, its head."""
    theirs = outline(enemy)
    if gap(outline(body), theirs).far > gap(outline(unit), theirs).far:
        return True
    return unit.trial.flight > 0 and gap(dot(body.place.at), theirs).far > gap(dot(unit.place.at), theirs).far


def _edge(there: There, low: int, high: int, enemy: Unit) -> int:
    """The first place between the two at which the body is in contact."""
    theirs = outline(enemy)
    if comes_within(outline(there(low)), theirs, CONTACT):
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if comes_within(outline(there(middle)), theirs, CONTACT):
            high = middle
        else:
            low = middle
    return high


@rule("KS-TUR-04", "KS-ATK-11", "KS-ATK-07")
def pushed(unit: Unit, way: int, far: int, enemies: Iterable[Unit]) -> Place:
    """The place of a body that goes straight on for up to *far* paces on a bearing, and stops short of an enemy."""

    def there(paces: int) -> Unit:
        return replace(unit, place=replace(unit.place, at=shifted(unit.place.at, way, paces), trail=()))

    if far <= 0:
        return unit.place
    met = first_met(unit, there, 0, far, STRIDE, enemies)
    return there(far if met is None else max(met.far - 1, 0)).place


# ------------------------------------------------------------------ the edge of the map


def bounded(play: Play, start: Point, end: Point) -> Point:
    """How far one comes straight toward a place without leaving the map."""
    terrain = terrain_of(play.scene)
    low, high = 0, distance(start, end)
    if terrain.on_board(end) or not high:
        return end
    whole = high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if terrain.on_board(between(start, end, middle, whole)) else (low, middle - 1)
    return between(start, end, low, whole)


@rule("KS-TUR-04", "KS-MOV-20")
def kept_on(terrain: Terrain, head: Callable[[int], Point], start: int, end: int) -> int:
    """How far on the way from *start* to *end* a body comes before its head would leave the map: no order leads off it.

    Who stands off the map may come onto it.
    """
    low, high = start, end
    if terrain.on_board(head(end)) or not terrain.on_board(head(start)):
        return end
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if terrain.on_board(head(middle)) else (low, middle - 1)
    return low
