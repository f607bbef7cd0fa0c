"""Attacks on places that are held: sector, troops needed, the die of the table, losses (KS-STR, KS-BRG-11)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import off, opposite, rounded
from pbem.ground.plane import (
    Point,
    Shape,
    bearing,
    between,
    crosses,
    distance,
    dot,
    faces,
    holds,
    near,
    nearest,
    shifted,
    within,
)
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import crossing_of, line_of
from pbem.systems.kriegsspiel.fire.cover import BEHIND
from pbem.systems.kriegsspiel.melee.fighters import Bout, worth
from pbem.systems.kriegsspiel.melee.odds import by_numbers
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Chart, Stronghold
from pbem.systems.kriegsspiel.tables import works as of_works
from pbem.systems.kriegsspiel.tables.dice import DIE_BY_INDEX
from pbem.systems.kriegsspiel.tables.march import TIRED
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.troops import Side, Unit

Kind = Literal["outskirts", "field_work", "defile"]

COMES_FROM = 100
"""Paces back along the way of an attack from which it is judged over what it came."""

ALONG = 20
"""Paces from an outline within which a wall is its own."""


class Need(NamedTuple):
    """Half battalions that are adequate."""

    defender: int
    attacker: int


class Strengths(NamedTuple):
    """How both sides fill what is adequate, and the points of it."""

    fill_d: Fraction
    fill_a: Fraction
    points: int
    """Of the attackers."""


# ------------------------------------------------------------------ which place


def held_place(play: Play, bout: Bout) -> Stronghold | None:
    """The place that is attacked from without: held by one of the defenders, none of the first attackers inside."""
    chart = play.scene.chart
    first = play.unit(bout.attackers[0])
    for key in bout.defenders:
        unit = play.unit(key)
        found = stronghold_named(chart, unit.place.holds)
        if found is None or (unit.arm == "cavalry" and not unit.place.dismounted):
            continue
        area = chart.area_of.get(found.feature)
        if area is not None and holds(area.shape, first.place.at):
            continue
        if area is None and not comes_over(chart, found, first, unit):
            continue
        return found
    return None


@rule("KS-STR-02", "KS-BRG-11", "KS-STR-10")
def comes_over(chart: Chart, place: Stronghold, attacker: Unit, defender: Unit) -> bool:
    """Whether an attack comes over the work, wall or crossing that its defender holds, and not round it."""
    line = chart.lines.get(place.feature) or line_of(place.feature)
    crossing = crossing_of(chart, place.feature)
    at = defender.place.at
    start = shifted(attacker.place.at, opposite(attacker.place.facing), COMES_FROM)
    if line is not None and line.line[0] == line.line[-1]:
        return crosses(line.shape, start, at)
    if start == at or off(defender.place.facing, bearing(at, start)) > 9000:
        return False
    if line is not None:
        return crosses(line.shape, start, shifted(at, bearing(start, at), BEHIND))
    if crossing is not None and crossing.water:
        beyond = shifted(at, bearing(start, at), crossing.length)
        return crosses(chart.waters[crossing.water].shape, start, beyond)
    return True


def stronghold_named(chart: Chart, name: str) -> Stronghold | None:
    """A stronghold by its own id, or by that of its area, line or crossing."""
    if not name:
        return None
    found = chart.strongholds.get(name)
    if found is None:
        found = next((one for one in chart.strongholds.values() if one.feature == name), None)
    dug = line_of(name) if found is None else None
    if dug is not None:
        return Stronghold(name, dug.name, name, dug.strength, distance(*dug.line))
    return found


@rule("KS-STR-01")
def kind_of(chart: Chart, place: Stronghold) -> Kind:
    """What kind of place it is."""
    if not place.front:
        return "defile"
    line = chart.lines.get(place.feature) or line_of(place.feature)
    return "field_work" if line is not None and line.kind == "earthwork" else "outskirts"


@rule("KS-STR-01")
def sector(chart: Chart, place: Stronghold, start: Point) -> int:
    """Paces of the attacked side: outline that looks toward the attack within 60 degrees, near where it strikes."""
    shape = _outline(chart, place)
    if not place.front or shape is None:
        return 0
    aim = nearest(shape, start)
    long = 0
    looks = faces(shape) if shape.closed else [(a, b, None) for a, b in shape.sides]
    for a, b, outward in looks:
        if outward is not None and start != aim and off(outward, bearing(aim, start)) > of_works.SECTOR["angle"] * 100:
            continue
        long += _near_part(a, b, aim)
    return max(min(long, place.front), min(of_works.SECTOR["least"], place.front))


def _outline(chart: Chart, place: Stronghold) -> Shape | None:
    """The area or line that is held; of a crossing none."""
    area, line = chart.area_of.get(place.feature), chart.lines.get(place.feature) or line_of(place.feature)
    return area.shape if area is not None else line.shape if line is not None else None


def _near_part(a: Point, b: Point, aim: Point) -> int:
    """The paces of a stretch that lie within reach, one by one: a few too many would ask for a half battalion more."""
    long = distance(a, b)
    return sum(within(between(a, b, 2 * i + 1, 2 * long), aim, of_works.SECTOR["reach"]) for i in range(long))


# ------------------------------------------------------------------ troops


@rule("KS-STR-01", "KS-BRG-11")
def needed(kind: Kind, long: int, defending: Fraction = Fraction(1)) -> Need:
    """Half battalions that are adequate on either side, rounded up.

    >>> needed("outskirts", 400), needed("field_work", 300)
    (Need(defender=2, attacker=2), Need(defender=2, attacker=3))
    """
    if kind == "defile":
        one = of_works.DEFILE_NEEDED["half_battalions"]
        return Need(one, max(one, -(-defending.numerator // defending.denominator)))
    row = of_works.TROOPS_NEEDED[kind]
    return Need(-(-2 * long // row.defender[1]), -(-2 * long // row.attacker))


@rule("KS-STR-05", "KS-ODD-02")
def too_few(need: Need, defending: Fraction, attacking: Fraction) -> Strengths:
    """The points of too few troops; where both are too few the ratio of their fillings.

    >>> too_few(Need(2, 3), Fraction(1), Fraction(3)).points, too_few(Need(2, 3), Fraction(1), Fraction(2)).points
    (1, 2)
    """
    fill_d, fill_a = Fraction(defending, need.defender), Fraction(attacking, need.attacker)
    short_d = 1 - fill_d >= Fraction(*of_works.TOO_FEW["defender"][0])
    part, each = of_works.TOO_FEW["attacker"]
    if short_d and fill_a < 1:
        return Strengths(fill_d, fill_a, by_numbers(fill_a, fill_d))
    points = of_works.TOO_FEW["defender"][1] if short_d else 0
    if fill_a < 1:
        points += each * int(Fraction(1 - fill_a, Fraction(*part)))
    return Strengths(fill_d, fill_a, points)


# ------------------------------------------------------------------ the table


@rule("KS-BRE-06")
def breached(play: Play, place: Stronghold, start: Point) -> bool:
    """Whether the side attacked from somewhere has a breach, be it in its own wall or in one along its outline."""
    shape = _outline(play.scene.chart, place)
    if shape is None:
        return False
    aim = nearest(shape, start)
    return any(
        within(at, aim, of_works.SECTOR["reach"]) and near(dot(at), shape, ALONG)
        for feature in play.war.features.values()
        for at in feature.breach_at
    )


@rule("KS-STR-03", "KS-STR-04")
def attack_number(before: Sequence[tuple[int, str]], side: str, move: int) -> int:
    """The number of an attack on a place: a pause between lets it rise, five quiet moves let it begin again.

    >>> attack_number(((10, "red"),), "red", 11), attack_number(((10, "red"),), "red", 12)
    (1, 2)
    """
    number, last = 0, None
    for at in (*(one for one, who in before if who == side), move):
        if last is None or at - last - 1 >= of_works.ATTACKS_FORGOTTEN:
            number = 1
        elif at - last - 1 >= of_works.PAUSE:
            number += 1
        last = at
    return number


@rule("KS-STR-03")
def start_index(troops: str, number: int, place_class: str, held: int) -> int:
    """The cell of the table as an index; above 0 it favours the attackers.

    >>> start_index("fresh", 1, "light", 5), start_index("fresh", 4, "light", 5)
    (-1, 2)
    """
    rows = of_works.STRONGHOLD[troops]
    cell = rows[min(number, max(rows))][place_class, 2 if held >= 2 else 1]
    index = DIE_BY_INDEX.index(cell.die)
    return index if cell.favours == "attacker" else -index


@rule("KS-STR-03", "KS-MOV-21")
def tired(unit: Unit, move: int) -> bool:
    """Whether a body is tired: four moves of fighting of the last 15, or a defeat of the last 20 without rest."""
    moves, of = TIRED["fighting"]
    fought = sum(1 for at in unit.trial.fired if at > move - of)
    return fought >= moves or (unit.trial.beaten > move - TIRED["beaten"][1] and unit.trial.rested < 10)


@rule("KS-STR-03")
def are_fresh(units: Sequence[Unit], move: int) -> bool:
    """Whether the half of the attackers or more have not attacked here in ten moves, and are not tired."""
    fresh = [
        unit
        for unit in units
        if not tired(unit, move) and not any(at > move - of_works.FRESH_MOVES for at in unit.trial.attacked_here)
    ]
    return 2 * sum((worth(unit).whole for unit in fresh), Fraction(0)) >= sum(
        (worth(unit).whole for unit in units), Fraction(0)
    )


# ------------------------------------------------------------------ losses


@rule("KS-STR-09")
def zugs_that_fire(units: Sequence[Unit]) -> int:
    """Zugs of the defenders that count: those out, and at least two to the half battalion."""
    return sum(max(len(unit.strength.chain.zugs), of_works.LEAST_ZUGS * unit.strength.blocks) for unit in units)


@rule("KS-STR-09", "KS-NIG-01")
def attackers_loss(number: int, zugs: int, *, night: bool) -> int:
    """Points of the attackers: the second number for each two zugs.

    >>> attackers_loss(20, 4, night=False)
    40
    """
    return rounded(number * zugs, 4 if night else 2)


def spread(points: int, count: int) -> list[int]:
    """Points on several bodies alike, the odd ones on the first."""
    each, odd = divmod(points, count)
    return [each + (1 if i < odd else 0) for i in range(count)]


def recorded(feature: Feature | None, place: str, move: int, side: Side) -> Feature:
    """An attack more on a place."""
    before = feature or Feature(place)
    return replace(before, attacks=(*before.attacks, (move, side)))
