"""Who sees whom: past units, woods and towns, and over the crests of hills (GC-MOV-07)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import is_

from pbem.ground.plane import Box, Point, apart, crosses, distance, hull, inside, nearest, reaches, through, widened
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import INCH, TOLERANCE, Field
from pbem.systems.crossroads.scene.scene import GRAIN, Scene, grains
from pbem.systems.crossroads.tables.move import CREST_WITHIN, WOODS_EDGE, WOODS_SIGHT
from pbem.systems.crossroads.tables.units import ATTACHED_WITHIN
from pbem.systems.crossroads.world.state import Battle, Officer, Unit

SCREENS = ("woods", "town")
_MOST_REMEMBERED = 100_000


@rule("GC-MOV-07")
def on_crest(scene: Scene, at: Point) -> bool:
    """Whether the front centre of a unit, or an officer, stands on a crest."""
    key = ("crest", at)
    found: bool | None = scene.memo.get(key)
    if found is None:
        far = CREST_WITHIN * INCH + TOLERANCE
        found = scene.memo[key] = any(reaches(at, hill.crest, far) for hill in scene.hills)
    return found


@rule("GC-MOV-07")
def over_ground(scene: Scene, start: Point, end: Point, *, crested: bool) -> bool:
    """Whether woods, towns and crests leave a line of sight free; *crested*: one of its ends stands on a crest."""
    key = ("sight", start, end, crested)
    found: bool | None = scene.memo.get(key)
    if found is None:
        if len(scene.memo) > _MOST_REMEMBERED:
            scene.memo.clear()
        found = (crested or not any(crosses(hill.crest, start, end) for hill in scene.hills)) and _past_woods(
            scene, start, end
        )
        scene.memo[key] = found
    return found


@rule("GC-MOV-07")
def _past_woods(scene: Scene, start: Point, end: Point) -> bool:
    """Into or out of woods and towns one sees an inch deep, and within three inches everywhere."""
    far = distance(start, end)
    if far <= WOODS_SIGHT * INCH + TOLERANCE:
        return True
    for one in scene.areas:
        if one.kind not in SCREENS:
            continue
        for first, last in inside(one.shape, start, end):
            long = (last - first) * far
            if long <= TOLERANCE:
                continue
            if (first > 0 and last < 1) or long > WOODS_EDGE * INCH + TOLERANCE:
                return False
    return True


@rule("GC-MOV-07")
def past_units(field: Field, start: Point, end: Point, side: Role, ends: Iterable[str], height: int) -> bool:
    """Whether no unit stands in a line of sight of *side*.

    One lower than either end (*height* is the higher) does not, nor a friend who is prone, nor the units at the *ends*.
    """
    skipped, line = tuple(ends), hull((*start, *start), (*end, *end))
    for one, shape in field.footprints:
        if apart(shape.box, line) or one.id in skipped or (one.prone and one.side == side):
            continue
        if field.level(one) >= height and through(shape, start, end) > 2 * TOLERANCE:
            return False
    return True


@rule("GC-MOV-07")
def aim(field: Field, viewer: Unit, target: Unit, *, arc: bool = True) -> Point | None:
    """The point of the target's footprint that *viewer* sees: the nearest, else another corner; None: not seen.

    With *arc* the nearest point must lie in the front arc: so it is for fire and charges.
    """
    body = field.body(viewer)
    first = field.nearest_point(viewer, target)
    if arc and not field.in_front(viewer, first):
        return None
    return seen_point(field, body.at, viewer.side, (viewer.id, target.id), target, first)


def seen_point(
    field: Field, eye: Point, side: Role, ends: tuple[str, ...], target: Unit, first: Point | None = None
) -> Point | None:
    """The first point of the target's footprint to which the line from *eye* is free: *first*, then its corners."""
    crested = on_crest(field.scene, eye) or on_crest(field.scene, field.body(target).at)
    height = max(field.level_at(eye), field.level(target))
    for point in dict.fromkeys((first or nearest(field.shape(target), eye), *field.shape(target).points)):
        if over_ground(field.scene, eye, point, crested=crested) and past_units(field, eye, point, side, ends, height):
            return point
    return None


class Looks:
    """Who saw whom when it was last asked: kept until something has moved, at an end of the line or between."""

    def __init__(self) -> None:
        self._battle: Battle | None = None
        self._known: dict[str | tuple[Role, Point], dict[str, tuple[bool, Box]]] = {}
        """By what is looked at (a unit, or a spot by a side) and who looks: whether he sees it, and the ground on which
        that rests."""

        self._rests: dict[Role, tuple[object, ...]] = {}

    def unchanged(self, side: Role, *rests: object) -> bool:
        """Whether all that a side's look rests on is the same as at its last."""
        before, self._rests[side] = self._rests.get(side), rests
        return before is not None and all(map(is_, before, rests))

    def at(self, field: Field) -> Looks:
        """What still holds of another moment."""
        before, now = self._battle, field.battle
        self._battle = now
        if before is None or before.options is not now.options:
            self._known.clear()
        elif before.units is not now.units or before.officers is not now.officers:
            moved = list(_moved(before, now))
            boxes = [field.shape(one).box for one in moved if isinstance(one, Unit) and one.stands]
            self._forget({one.id for one in moved}, boxes)
        return self

    def _forget(self, names: Collection[str], boxes: Sequence[Box]) -> None:
        for target, eyes in self._known.items():
            if target in names:
                eyes.clear()
            for name in [
                one for one, (_, ground) in eyes.items() if one in names or not all(apart(ground, box) for box in boxes)
            ]:
                del eyes[name]

    def seen(self, field: Field, side: Role, target: Unit) -> bool:
        """Whether a side sees an enemy unit: from its units and officers, all round, within `sight_limit`."""
        known = self._known.setdefault(target.id, {})
        if any(seen for seen, _ in known.values()):
            return True
        shape, far = field.shape(target), field.battle.options.sight_limit * 10
        for one in sorted(field.own(side), key=lambda one: _apart(one.pos, target.pos)):
            if one.id not in known:
                point = aim(field, one, target, arc=False) if field.within(one, target, far) else None
                if point is not None:
                    # He sees it as long as this one line is free, whatever comes into others.
                    known[one.id] = True, hull((*field.body(one).at, *field.body(one).at), (*point, *point))
                    return True
                known[one.id] = False, hull(field.shape(one).box, shape.box)
        for rider in field.officers(side):
            if rider.id not in known and rider.pos is not None:
                eye = grains(rider.pos)
                sees = field.reaches(rider.pos, target, far) and bool(
                    seen_point(field, eye, side, (_unit_of(field, rider), target.id), target)
                )
                # With whom he is rests on who is near him.
                about = widened((*eye, *eye), ATTACHED_WITHIN * INCH + TOLERANCE)
                known[rider.id] = sees, hull(about, shape.box)
                if sees:
                    return True
        return False

    def spot(self, field: Field, side: Role, at: Point) -> bool:
        """Whether a side sees a place (in tenths) on which nobody is known to stand: `spot_seen`."""
        spot, far = grains(at), field.battle.options.sight_limit * 10
        known = self._known.setdefault((side, at), {})
        if any(seen for seen, _ in known.values()):
            return True
        for one in field.own(side):
            if one.id not in known:
                body = field.body(one)
                sees = field.reaches(at, one, far) and _free(field, body.at, spot, side, (one.id,))
                known[one.id] = sees, hull(body.shape.box, (*spot, *spot))
                if sees:
                    return True
        return False


def _moved(before: Battle, now: Battle) -> Iterator[Unit | Officer]:
    """Who is elsewhere than he was, or otherwise: as he was, and as he is."""
    for pieces, others in ((before.units, now.units), (now.units, before.units)):
        for name, unit in pieces.items():
            other = others.get(name)
            if other is not unit and (other is None or _bearing(unit) != _bearing(other)):
                yield unit
    for riders, then in ((before.officers, now.officers), (now.officers, before.officers)):
        yield from (rider for name, rider in riders.items() if then.get(name) is not rider)


def _bearing(unit: Unit) -> tuple[object, ...]:
    """What of a unit decides whom it sees, and whom it hides."""
    return unit.type, unit.status, unit.formation, unit.prone, unit.pos, unit.facing


def in_sight(field: Field, side: Role, looks: Looks | None = None) -> set[str]:
    """The enemy units that a side sees; *looks*: what was seen before."""
    looks = (looks or Looks()).at(field)
    return {target.id for target in field.own(field.battle.enemy(side)) if looks.seen(field, side, target)}


def _unit_of(field: Field, rider: Officer) -> str:
    unit = field.unit_of(rider)
    return unit.id if unit is not None else ""


def _apart(one: Point | None, other: Point | None) -> int:
    assert one is not None, "it stands"
    assert other is not None, "it stands"
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


@rule("GC-MOV-07")
def spot_seen(field: Field, side: Role, at: Point, there: str = "") -> bool:
    """Whether a unit of a side sees a place (in tenths) within `sight_limit`; *there*: who stands on it, if anybody."""
    far = field.battle.options.sight_limit * 10
    near_by = (one for one in field.own(side) if field.reaches(at, one, far))
    return any(_free(field, field.body(one).at, grains(at), side, (one.id, there)) for one in near_by)


@rule("GC-MOV-07")
def _free(field: Field, eye: Point, spot: Point, side: Role, ends: Iterable[str]) -> bool:
    """Whether the line from an eye of a side to a spot on the ground is free; *ends*: who stands at them."""
    crested = on_crest(field.scene, eye) or on_crest(field.scene, spot)
    height = max(field.level_at(eye), field.level_at(spot))
    return over_ground(field.scene, eye, spot, crested=crested) and past_units(field, eye, spot, side, ends, height)


@rule("GC-MOV-07")
def close_by(field: Field, side: Role, target: Unit, inches: int) -> bool:
    """Whether a unit or officer of a side is within some inches of an enemy."""
    return any(field.within(one, target, inches * 10) for one in field.own(side)) or any(
        rider.pos is not None and field.reaches(rider.pos, target, inches * 10) for rider in field.officers(side)
    )


def officers_in_sight(field: Field, side: Role) -> list[str]:
    """The enemy officers that a side can make out: in sight within `identify_range`."""
    far = field.battle.options.identify_range * 10 * GRAIN + TOLERANCE
    found = []
    for rider in field.officers(field.battle.enemy(side)):
        assert rider.pos is not None, "he stands"
        at, there = grains(rider.pos), _unit_of(field, rider)
        near_by = (one for one in field.own(side) if reaches(at, field.shape(one), far))
        if any(_free(field, field.body(one).at, at, side, (one.id, there)) for one in near_by):
            found.append(rider.id)
    return found
