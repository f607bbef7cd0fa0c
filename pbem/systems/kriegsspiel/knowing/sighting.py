"""Who sees whom, and how much of him: units, patrols, posts and commanders look about (KS-SIT-01 to KS-SIT-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import prod
from typing import Literal, NamedTuple, assert_never

from msgspec.structs import replace

from pbem.ground.bearing import off
from pbem.ground.plane import Point, bearing, distance, dot, near, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.eyes import Sights, sights_of
from pbem.systems.kriegsspiel.field.field import fightable, is_formed, terrain_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.tables.march import SEARCHED
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_beaten, is_lost, is_on_map, is_retiring, is_staff
from pbem.systems.kriegsspiel.world.dispatches import Glimpse, Person, Tiding
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.looks import look_of
from pbem.systems.kriegsspiel.world.outcomes import LostFromSight, Sighted
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import ENEMY, Side, Unit

LEVELS = ("presence", "arm", "strength", "subtype", "number")
"""What is known of a body, the less first (KS-SIT-02)."""

Size = Literal["formed", "patrol", "single"]
SIZES: tuple[Size, ...] = ("formed", "patrol", "single")
SMALL: Mapping[str, Size] = {"post": "single", "vedette": "single", "staff": "single"}

BRIDGE_TOP = 3
"""Paces above the ground of what is looked at of a crossing."""

FLAMES = (of_knowledge.NOISES["burning_village"], 20)
"""From how many paces a burning place is seen, and how high above it (KS-SIT-05)."""


class Eye(NamedTuple):
    """An observer."""

    name: str
    side: Side
    at: Point
    up: int
    full: tuple[int, int] | None
    """The facing and half arc within which it sees the full distance; None: all round."""
    factor: tuple[int, int]
    """What multiplies all distances, as a fraction."""
    cap: int
    searches: bool
    looks: int | None = None


class Aim(NamedTuple):
    """A body that may be seen."""

    unit: Unit
    size: Size
    top: int
    inside: bool
    """In a wood or among houses."""
    edge: bool
    """In the outer paces of them."""


def size_of(unit: Unit) -> Size:
    """How a body counts for being seen."""
    if unit.size in SMALL:
        return SMALL[unit.size]
    if is_formed(unit):
        return "formed"
    return "patrol"


@rule("KS-SIT-02", "KS-NIG-01")
def weather_of(war: War, *, lit: bool = False, moving: bool = False) -> tuple[tuple[int, int], int]:
    """What multiplies all distances, and what caps them (0: nothing); *lit*: of what burns, by night as by day.

    *moving*: for one who is on the move.
    """
    clock = war.clock
    words = (clock.weather,) if lit else (clock.weather, clock.light)
    return _weather((*words, "on_the_move") if moving else words, 0 if lit else clock.visibility)


@cache
def _weather(words: tuple[str, ...], visibility: int) -> tuple[tuple[int, int], int]:
    factor, caps = Fraction(1), [visibility] if visibility else []
    for word in words:
        if word in of_knowledge.SIGHT_FACTORS:
            factor *= Fraction(*of_knowledge.SIGHT_FACTORS[word])
        if word in of_knowledge.SIGHT_CAPS:
            caps.append(of_knowledge.SIGHT_CAPS[word])
    return (factor.numerator, factor.denominator), min(caps, default=0)


@rule("KS-SIT-03", "KS-SIT-04", "KS-SIT-06")
def observers(war: War) -> Iterator[Eye]:
    """Everybody who looks about, in the order of their names."""
    for name in sorted(war.persons):
        if (eye := eye_of(war, war.persons[name])) is not None:
            yield eye
    for key in sorted(war.units):
        if (eye := unit_eye(war, war.units[key])) is not None:
            yield eye


@rule("KS-SIT-02", "KS-SIT-04", "KS-SIT-06")
def unit_eye(war: War, unit: Unit, *, lit: bool = False) -> Eye | None:
    """A unit as an observer; None: it is not on the map, or is no more."""
    if not is_on_map(unit) or is_lost(unit):
        return None
    factor, cap = weather_of(war, lit=lit, moving=unit.place.moved > of_knowledge.SIGHT_MOVING)
    small = unit.size not in ("battalion", "half_battalion", "squadron", "battery", "half_battery", "train")
    own_cap = of_knowledge.SIGHT_CAPS["in_melee"] if unit.trial.contact >= 0 and not lit else 0
    caps = [one for one in (cap, own_cap) if one]
    arc = None if small else (unit.place.facing, of_knowledge.VIEW_ARCS["unit_front"] * 50)
    searches = unit.duty.purpose == "patrol" and unit.duty.stage != "home"
    return Eye(
        unit.key,
        unit.side,
        unit.place.at,
        of_knowledge.EYES["unit"],
        arc,
        factor,
        min(caps, default=0),
        searches=searches,
    )


@rule("KS-SIT-02", "KS-MSG-07")
def rider_eye(war: War, side: Side, at: Point, *, moving: bool) -> Eye:
    """A messenger as an observer."""
    factor, cap = weather_of(war, moving=moving)
    return Eye("", side, at, of_knowledge.EYES["person_mounted"], None, factor, cap, searches=False)


def eye_of(war: War, person: Person, *, lit: bool = False) -> Eye | None:
    """A commander as an observer; None: he is not on the map."""
    if person.stand != "map" or person.state == "captured":
        return None
    factor, cap = weather_of(war, lit=lit, moving=person.moved > of_knowledge.SIGHT_MOVING)
    looks = person.looks if person.looked == war.clock.move else None
    return Eye(
        person.id,
        person.side,
        person.at,
        of_knowledge.EYES["person_mounted"],
        None,
        factor,
        cap,
        searches=False,
        looks=looks,
    )


@rule("KS-SIT-02", "KS-SIT-03", "KS-SIT-04")
def reach(eye: Eye, target: Point, size: Size, what: str, *, edge: bool) -> Fraction:
    """How far an observer can tell so much of a body of that size, in paces."""
    return _reaches(eye.factor, eye.cap, size, _factors(eye, target, edge=edge))[what]


def _factors(eye: Eye, target: Point, *, edge: bool) -> tuple[str, ...]:
    """What lengthens or shortens a look beside the weather and one's own movement."""
    found = ("inside_edge",) if edge else ()
    if eye.at == target or (eye.full is None and eye.looks is None):
        return found
    way = bearing(eye.at, target)
    if eye.full is not None and off(eye.full[0], way) > eye.full[1]:
        found = (*found, "behind")
    if eye.looks is not None and off(eye.looks, way) <= of_knowledge.VIEW_ARCS["look"] * 50:
        found = (*found, "telescope")
    return found


@cache
def _reaches(weather: tuple[int, int], cap: int, size: Size, factors: tuple[str, ...]) -> Mapping[str, Fraction]:
    """How far each of `LEVELS` is told."""
    share = prod((Fraction(*of_knowledge.SIGHT_FACTORS[name]) for name in factors), start=Fraction(*weather))
    far = {what: of_knowledge.SIGHTING[what][size] * share for what in LEVELS}
    return {what: min(paces, Fraction(cap)) for what, paces in far.items()} if cap else far


@cache
def _paces(weather: tuple[int, int], cap: int, size: Size, factors: tuple[str, ...]) -> Mapping[str, int]:
    """The same in whole paces."""
    return {what: int(far) for what, far in _reaches(weather, cap, size, factors).items()}


@rule("KS-SIT-02", "KS-SIT-03", "KS-SIT-04", "KS-NIG-01")
def sees(terrain: Terrain, eye: Eye | None, at: Point, far: int, top: int) -> bool:
    """Whether an observer sees what is at a place, *top* paces high, and to be seen from *far* paces by clear day."""
    if eye is None:
        return False
    away = distance(eye.at, at)
    factors = (Fraction(*of_knowledge.SIGHT_FACTORS[name]) for name in _factors(eye, at, edge=False))
    share = prod(factors, start=Fraction(*eye.factor))
    if away > far * share or (eye.cap and away > eye.cap):
        return False
    return sights_of(terrain).clear(eye.at, eye.up, at, top)


@rule("KS-SIT-02")
def sees_troops(terrain: Terrain, eye: Eye | None, unit: Unit) -> bool:
    """Whether an observer sees a body of its own side."""
    top = of_knowledge.TOPS.get(unit.arm, of_knowledge.TOPS["infantry"])
    return sees(terrain, eye, unit.place.at, of_knowledge.SIGHTING["presence"][size_of(unit)], top)


class Scan:
    """One look about of everybody."""

    def __init__(self, play: Play, war: War) -> None:
        self.play, self.war = play, war
        self.terrain: Terrain = terrain_of(play.scene)
        self.sights: Sights = sights_of(self.terrain)
        self.targets: dict[Side, list[Aim]] = {"red": [], "blue": []}
        for key in sorted(war.units):
            unit = war.units[key]
            if fightable(unit):
                top = of_knowledge.TOPS.get(unit.arm, of_knowledge.TOPS["infantry"])
                inside, edge = self._cover(unit.place.at)
                self.targets[unit.side].append(Aim(unit, size_of(unit), top, inside=inside, edge=edge))

    def _cover(self, at: Point) -> tuple[bool, bool]:
        area = self.terrain.area(at)
        if area is None or not (area.built or area.kind.startswith("wood")):
            return False, False
        return True, near(dot(at), area.shape.edge, of_knowledge.EDGE)

    def seen(self, eye: Eye) -> Iterator[tuple[Unit, int, str]]:
        """The enemy bodies that an observer sees: how far each is, and the most that can be told of it."""
        x, y = eye.at
        most = {size: self._most(eye, size) ** 2 for size in SIZES}
        for aim in self.targets[ENEMY[eye.side]]:
            at = aim.unit.place.at
            dx, dy = at.x - x, at.y - y
            if dx * dx + dy * dy <= most[aim.size] and (level := self._level(eye, aim)):
                yield aim.unit, distance(eye.at, at), level

    @rule("KS-SIT-02", "KS-SIT-03")
    def sees(self, eye: Eye, unit: Unit) -> bool:
        """Whether an observer sees an enemy body."""
        aim = next((one for one in self.targets[unit.side] if one.unit.key == unit.key), None)
        return aim is not None and bool(self._level(eye, aim))

    def _level(self, eye: Eye, aim: Aim) -> str:
        """The most that an observer can tell of a body; empty: he does not see it.

        As long as both are what they were it is what it was.
        """
        looks = self.play.looks
        known = looks.get((eye.name, aim.unit.key))
        if known is not None and known[1] is aim.unit and known[0] == eye:
            return known[2]
        level = self._level_now(eye, aim)
        looks[eye.name, aim.unit.key] = eye, aim.unit, level
        return level

    def _level_now(self, eye: Eye, aim: Aim) -> str:
        at = aim.unit.place.at
        far = distance(eye.at, at)
        limits = _paces(eye.factor, eye.cap, aim.size, _factors(eye, at, edge=aim.edge))
        if far > limits["presence"] or self._behind_line(aim.unit, far):
            return ""
        found_by_search = eye.searches and aim.inside and far <= SEARCHED
        if not found_by_search and not self.sights.clear(eye.at, eye.up, at, aim.top):
            return ""
        return next((what for what in reversed(LEVELS) if far <= limits[what]), LEVELS[0])

    def _most(self, eye: Eye, size: Size) -> int:
        """Paces beyond which an observer sees nothing of a body, wherever it looks."""
        # A distance is told to the nearest pace.
        told = _paces(eye.factor, eye.cap, size, ("telescope",))["presence"] + 1
        return min(told, of_knowledge.SIGHTING["presence"][size] * 5 // 4)

    @rule("KS-SIT-03", "KS-CMD-14")
    def _behind_line(self, unit: Unit, far: int) -> bool:
        """Infantry that sits behind a hedge, wall or dike is hidden beyond 300 paces; so is what lies hidden."""
        if unit.place.concealed:
            return far > of_knowledge.HIDDEN_BEHIND_LINES // 3
        if unit.arm not in ("infantry", "pioneers") or not unit.place.holds or far <= of_knowledge.HIDDEN_BEHIND_LINES:
            return False
        chart = self.terrain.chart
        held = chart.strongholds.get(unit.place.holds)
        feature = held.feature if held is not None else unit.place.holds
        line = chart.lines.get(feature)
        return line is not None and line.kind in ("hedge", "wall", "dike")


def look_about(play: Play, war: War) -> None:
    """Sight in the middle of a move: what comes into sight is noted, what goes out of it is not yet."""
    _look(play, war, ending=False)


def observe(play: Play) -> None:
    """Sight at the end of a move (KS-SIT-04)."""
    _look(play, play.war, ending=True)


@rule("KS-SIT-01", "KS-SIT-02", "KS-SIT-04")
def _look(play: Play, war: War, *, ending: bool) -> None:
    scan = Scan(play, war)
    changes: dict[str, tuple[Glimpse, ...]] = {}
    facts: list[Fact] = []
    for eye in observers(war):
        before = {one.body: one for one in play.war.glimpses.get(eye.name, ())}
        after: dict[str, Glimpse] = {}
        for unit, far, level in scan.seen(eye):
            old = before.get(unit.key)
            glimpse = _glimpse(play, eye, unit, far, level, old)
            after[unit.key] = glimpse
            if old is None or old.last < play.move - 1 or LEVELS.index(level) > LEVELS.index(old.level):
                facts.append(_sighted(eye, unit, glimpse))
        for body, old in before.items():
            if body in after:
                continue
            if old.last >= play.move - of_knowledge.FORGOTTEN_AFTER:
                after[body] = old
            if ending and old.last == play.move - 1:
                facts.append(LostFromSight(observer=eye.name, body=body, rules=cited("KS-SIT-02"), changes=Changes()))
        found = tuple(after[body] for body in sorted(after))
        if found != play.war.glimpses.get(eye.name, ()):
            changes[eye.name] = found
    play.add(*facts)
    if changes:
        play.keep("sight", Changes(look=look_of(play.war.glimpses, changes, play.move)))


@rule("KS-SIT-02", "KS-TUR-05")
def _glimpse(play: Play, eye: Eye, unit: Unit, far: int, level: str, old: Glimpse | None) -> Glimpse:
    """What an observer holds of a body: guesses are drawn once, when it comes in sight."""
    if old is not None and old.last >= play.move - of_knowledge.FORGOTTEN_AFTER:
        new = old.last < play.move
        return replace(
            old,
            last=play.move,
            far=far,
            level=level if new or LEVELS.index(level) > LEVELS.index(old.level) else old.level,
            approaching=(0 if new else old.approaching) + old.far - far,
        )
    digits = play.dice.salt(f"m{play.move}.{play.tick}/sighting/{eye.name}/{unit.key}")
    factor = int(digits[:8], 16) % len(of_knowledge.STRENGTH_GUESSES)
    around, long = (
        int(digits[8:16], 16) % 36000,
        int(digits[16:24], 16) % (1000 * of_knowledge.POSITION_ERROR[0] // of_knowledge.POSITION_ERROR[1] + 1),
    )
    error = Point(0, 0)
    if long:
        error = shifted(Point(0, 0), around, long)
    return Glimpse(unit.key, f"{eye.name}/{play.move}.{digits[24:28]}", play.move, play.move, far, level, factor, error)


def _sighted(eye: Eye, unit: Unit, glimpse: Glimpse) -> Fact:
    tiding = tiding_of(unit, glimpse, eye.at, eye.name)
    return Sighted(
        observer=eye.name,
        body=unit.key,
        level=glimpse.level,
        distance=glimpse.far,
        arm=tiding.arm,
        strength_est=tiding.blocks,
        pos_est=tiding.at,
        rules=cited("KS-SIT-01", "KS-SIT-02"),
        changes=Changes(),
    )


@rule("KS-SIT-02", "KS-GM-03", "KS-SIT-10")
def tiding_of(unit: Unit, glimpse: Glimpse, eye: Point, source: str, of: str = "") -> Tiding:
    """A body as an observer would tell of it: no id, no exact men, no orders; the place with its error.

    *of*: the key of the observer, if it is a unit, which knows when it is attacked itself.  An officer of a staff has
    no regiment to be known by: he is one of the cavalry.
    """
    known = LEVELS[: LEVELS.index(glimpse.level) + 1]
    far = glimpse.far
    at = unit.place.at
    wrong = Point(at.x + glimpse.error.x * far // 1000, at.y + glimpse.error.y * far // 1000)
    exact = "strength" in known
    blocks = blocks_of(unit)
    if not exact:
        number, by = of_knowledge.STRENGTH_GUESSES[glimpse.factor]
        blocks = max(1, (2 * blocks * number + by) // (2 * by))
    return Tiding(
        ref=glimpse.ref,
        side=unit.side if "arm" in known else "unknown",
        seen=glimpse.last,
        at=at if exact else wrong,
        source=source,
        size=size_of(unit),
        arm=told_arm(unit) if "arm" in known else "",
        kind=unit.kind if "subtype" in known and not is_staff(unit) else "",
        number=unit.name if "number" in known and not is_staff(unit) else "",
        blocks=blocks if size_of(unit) == "formed" else 0,
        exact=exact,
        formation=unit.place.formation if exact else "",
        heading=unit.place.facing if "arm" in known and unit.place.moved else None,
        moving=unit.place.moved > 0,
        error=0 if exact else far * of_knowledge.POSITION_ERROR[0] // of_knowledge.POSITION_ERROR[1],
        doing=told_doing(unit, of) if "arm" in known else "",
    )


@rule("KS-SIT-10")
def as_told(tiding: Tiding, eye: Point) -> tuple[int, Point, str]:
    """In which order bodies that came in sight together are told of: the nearest first, by what is seen of them."""
    return distance(eye, tiding.at), tiding.at, tiding.arm


@rule("KS-GM-03")
def rumoured(blocks: int, arm: str, factor: tuple[int, int]) -> int:
    """What inhabitants make of a strength: multiplied, of infantry rounded to whole battalions; at least one block."""
    number, by = factor
    if arm != "infantry":
        return max(1, (2 * blocks * number + by) // (2 * by))
    battalions = (2 * blocks * number + 2 * by) // (4 * by)
    return max(1, 2 * battalions)


def blocks_of(unit: Unit) -> int:
    """Half battalions, squadrons or half batteries."""
    match unit.arm:
        case "infantry":
            return max(unit.strength.blocks, 1) if is_battalion(unit) else 1
        case "artillery":
            return max(1, (unit.strength.guns + 3) // 4)
        case "cavalry" | "pioneers" | "train":
            return 1
        case other:
            assert_never(other)


def told_arm(unit: Unit) -> str:
    """An arm as one calls it from afar."""
    return {"pioneers": "infantry", "train": "wagons"}.get(unit.arm, unit.arm)


def told_doing(unit: Unit, of: str = "") -> str:
    """What a body is seen to do by the unit *of*: others know an attack from a demonstration when it closes."""
    if unit.place.moved and (is_beaten(unit) or is_retiring(unit)):
        return "falls back"
    if unit.trial.attacks and (unit.trial.contact >= 0 or unit.trial.attacks == of):
        return "attacks"
    if unit.place.moved:
        return "on the move"
    return ""


def sees_now(war: War, observer: str, body: str) -> Glimpse | None:
    """What an observer has seen of a body in this move; None: nothing."""
    found = next((one for one in war.glimpses.get(observer, ()) if one.body == body), None)
    return found if found is not None and found.last >= war.clock.move else None
