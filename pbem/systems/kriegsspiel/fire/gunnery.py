"""Artillery fire: range classes, numbers, parts of a battery, increases (KS-ART-01 to KS-ART-05, KS-ART-07)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.ground.bearing import off
from pbem.ground.plane import Point, bearing, distance, dot, gap, line, near, shifted
from pbem.ground.plane import band as band_of
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import Field, is_formed, outline
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.fire.ammunition import Charge
from pbem.systems.kriegsspiel.fire.cover import cover_part, defends, sheltered
from pbem.systems.kriegsspiel.fire.effect import Effect, effect
from pbem.systems.kriegsspiel.fire.lanes import Part, Watch, aim_at, shape_of
from pbem.systems.kriegsspiel.fire.shots import Kind, Shot
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.world.bodies import is_afloat
from pbem.systems.kriegsspiel.world.forms import depth_of, is_column, zugs_of
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import Unit

Section = Literal["battery", "cannon", "howitzers"]
"""All guns at one target, the cannon apart, the howitzers apart (KS-ART-03)."""

BATTERY = 8
CANNON = 6
LAID_ON = 50
"""Paces from the ends of a crossing within which guns that were laid along it by day hit by night."""

BEHIND_COLUMN = 50
"""Paces behind a column within which the next body belongs to it."""


# ------------------------------------------------------------------ range and numbers


@rule("KS-ART-01", "KS-NIG-01")
def range_class(kind: str, far: int, *, night: bool = False) -> int | None:
    """The range class of a distance, its upper bound included; None: out of range."""
    if night and far > of_fire.NIGHT_ARTILLERY:
        return None
    found = band_of(far, of_fire.RANGE_CLASSES[kind])
    return found + 1 if found is not None else None


@rule("KS-ART-02")
def battery_numbers(kind: str, which: int, quality: of_fire.Quality, options: Options) -> tuple[Fraction, ...]:
    """A battery's number for each face: by the option `p5` the 12-pounder has its quarter more in canister alone."""
    row = of_fire.GUNFIRE_AS.get(kind, kind)
    if kind == "foot_12" and options.twelve_pdr == "p5":
        more = Fraction(*of_fire.TWELVE_POUNDER) if which in of_fire.CANISTER_CLASSES else Fraction(1)
        return tuple(Fraction(number) * more for number in of_fire.GUNFIRE["foot_6"][which][quality])
    return tuple(map(Fraction, of_fire.GUNFIRE[row][which][quality]))


@rule("KS-ART-02", "KS-ART-03")
def howitzer_numbers(kind: str, which: int, quality: of_fire.Quality) -> tuple[Fraction, ...]:
    """What the two howitzers of a mixed battery score by themselves."""
    row, guns = of_fire.HOWITZERS_OF[kind]
    return tuple(Fraction(2 * number, guns) for number in of_fire.GUNFIRE[row][which][quality])


@rule("KS-ART-02", "KS-ART-03")
def section_numbers(
    unit: Unit, section: Section, which: int, quality: of_fire.Quality, options: Options
) -> tuple[tuple[Fraction, ...], Fraction, str]:
    """The number for each face, the part of it that the guns left are, and the row of the table."""
    cannon, howitzers = sum(unit.strength.cannon), sum(unit.strength.howitzers)
    if unit.kind == "howitzer_7" or not cannon:
        row, guns = ("howitzer_7", BATTERY) if unit.kind == "howitzer_7" else of_fire.HOWITZERS_OF[unit.kind]
        return tuple(map(Fraction, of_fire.GUNFIRE[row][which][quality])), Fraction(howitzers, guns), row
    whole = battery_numbers(unit.kind, which, quality, options)
    if section == "battery":
        return whole, Fraction(cannon + howitzers, BATTERY), unit.kind
    apart = howitzer_numbers(unit.kind, which, quality)
    if section == "howitzers":
        return apart, Fraction(howitzers, 2), of_fire.HOWITZERS_OF[unit.kind][0]
    return tuple(one - other for one, other in zip(whole, apart, strict=True)), Fraction(cannon, CANNON), unit.kind


@rule("KS-ART-01", "KS-ART-05", "KS-COV-02")
def kind_of_shot(unit: Unit, section: Section, which: int, *, ball: bool = False) -> Kind:
    """Canister, ball, or the grenades of howitzers that fire apart."""
    if which in of_fire.CANISTER_CLASSES and not ball:
        return "canister"
    if section == "howitzers" or not sum(unit.strength.cannon):
        return "grenade" if which not in of_fire.CANISTER_CLASSES else "ball"
    return "ball"


# ------------------------------------------------------------------ increases


class Increase(NamedTuple):
    """What is added, and how much of it falls on the chain."""

    sum: Fraction
    chain: Fraction
    why: tuple[str, ...]


@rule("KS-ART-05", "KS-LOS-04")
def increases(field: Field, battery: Unit, target: Unit, on: Part, bound: int, *, grenade: bool) -> Increase:
    """Columns, lines behind, skirmishers close to their line, a flank: fractions that are added up.

    *bound* is the upper end of the range class that is fired in.
    """
    column = "grenade" if grenade else "cannon"
    found = {
        "columns": on == "line" and deep_column(field, target),
        "lines": on == "line" and _line_behind(field, battery, target, bound),
        "skirmishers": _skirmishers_close(target),
        "flank": in_flank(battery.place.at, target),
    }
    parts = {name: Fraction(*of_fire.INCREASES[name][column]) for name, true in found.items() if true}
    chain = parts.get("skirmishers", Fraction(0)) if on == "line" else Fraction(0)
    return Increase(sum(parts.values(), Fraction(0)), chain, tuple(parts))


@rule("KS-ART-05")
def _skirmishers_close(target: Unit) -> bool:
    chain = target.strength.chain
    return bool(chain.zugs) and bool(target.strength.tw) and chain.ahead <= of_fire.CHAIN_NEAR


@rule("KS-ART-05")
def in_flank(start: Point, target: Unit) -> bool:
    """Whether the line of fire comes more than 60 degrees off the target's front."""
    at = target.place.at
    return start != at and off(target.place.facing, bearing(at, start)) > of_fire.FLANK_FIRE * 100


@rule("KS-ART-05", "KS-FRM-02")
def deep_column(field: Field, target: Unit) -> bool:
    """A column of two battalions or more, of squadrons, of batteries: a body in column with another close behind."""
    if target.place.formation in ("brigade_mass", "squadron_column"):
        return True
    if not in_column(target):
        return False
    back = (target.place.facing + 18000) % 36000
    tail = target.place.trail[-1] if len(target.place.trail) > 1 else shifted(target.place.at, back, depth_of(target))
    return any(
        other.key != target.key
        and other.arm == target.arm
        and in_column(other)
        and gap(dot(tail), outline(other)).far <= BEHIND_COLUMN
        for other in field.units(target.side, formed=True)
    )


@rule("KS-ART-05")
def in_column(unit: Unit) -> bool:
    """Whether a body stands deep: any column of march or manoeuvre, and the columns of attack."""
    return is_column(unit) or unit.place.formation in ("attack_column", "brigade_mass")


@rule("KS-ART-05")
def _line_behind(field: Field, battery: Unit, target: Unit, bound: int) -> bool:
    """Whether another line stands behind the target, in the line of fire and in the same range class."""
    at, end = battery.place.at, target.place.at
    if at == end:
        return False
    ray = line((end, shifted(at, bearing(at, end), bound)))
    nearest_of_it = gap(dot(at), outline(target)).far
    for other in field.units(target.side, formed=True):
        if other.key == target.key:
            continue
        far = gap(dot(at), outline(other)).far
        apart = gap(outline(other), outline(target)).far
        if nearest_of_it < far <= bound and apart > BEHIND_COLUMN and near(ray, outline(other), 0):
            return True
    return False


# ------------------------------------------------------------------ a fire laid


class Choice(NamedTuple):
    """A body that a battery could fire at."""

    rank: int
    far: int
    key: str
    on: Part
    unit: Unit
    which: int
    """The range class."""


@rule("KS-ART-02", "KS-ART-03", "KS-ART-04", "KS-ART-05", "KS-COV-01", "KS-COV-02", "KS-NIG-01", "KS-GM-02")
def laid(
    play: Play,
    watch: Watch,
    unit: Unit,
    section: Section,
    choice: Choice,
    charge: Charge,
    factors: tuple[tuple[str, Fraction], ...] = (),
) -> Shot:
    """The fire of a battery, or of its cannon or howitzers, on a target in a range class."""
    target, on, which = choice.unit, choice.on, choice.which
    terrain = true_terrain(play.scene, play.war)
    at = unit.place.at
    aim = aim_at(at, shape_of(target, on))
    kind = kind_of_shot(unit, section, which, ball=charge.ball)
    found = quality_of(play, unit, at, aim, which, target.key)
    numbers, units, row = section_numbers(unit, section, which, found.quality, play.war.options)
    bound = of_fire.RANGE_CLASSES[unit.kind][which - 1]
    grown = increases(play.field, unit, target, on, bound, grenade=kind == "grenade")
    how = "defending" if defends(terrain, target, on, at) else "sheltered" if sheltered(watch, target, on, at) else ""
    return Shot(
        firer=unit.key,
        part=section,
        target=target.key,
        on=on,
        weapon=row,
        kind=kind,
        distance=choice.far,
        band=which,
        die=die_of(found.quality),
        numbers=numbers,
        units=units,
        factors=factors,
        increase=grown.sum,
        on_chain=grown.chain,
        cover=cover_part(how, kind),
        ammunition=charge.part,
        quality=found.quality,
        reasons=found.reasons + grown.why,
        guns=guns_in(unit, section),
        rules=(
            "KS-ART-01", "KS-ART-02", "KS-ART-04", *(("KS-ART-03",) if units != 1 or section != "battery" else ()),
            *die_rules(found.quality), *(("KS-ART-05",) if grown.sum else ()),
            *({"defending": ("KS-COV-01",), "sheltered": ("KS-COV-02",)}.get(how, ())),
            *(("KS-NIG-01",) if by_night(play.war) else ()), *(("KS-AMM-02",) if charge.part != 1 else ()),
            *(("KS-LOS-04", "KS-FIR-07") if grown.chain else ()),
            *(("KS-GM-02",) if "ruling" in found.reasons else ()),
            *(("KS-BOT-05",) if is_afloat(target) else ()),
        ),
    )  # fmt: skip


def die_rules(quality: of_fire.Quality) -> tuple[str, ...]:
    """The rule of the die that is thrown for that effect."""
    return ("KS-DIE-04",) if quality == "good" else ("KS-DIE-06",)


def die_of(quality: of_fire.Quality) -> Die:
    """Die III for good effect, V for bad."""
    return "III" if quality == "good" else "V"


def guns_in(unit: Unit, section: Section) -> int:
    """The guns of a section."""
    cannon, howitzers = sum(unit.strength.cannon), sum(unit.strength.howitzers)
    return {"battery": cannon + howitzers, "cannon": cannon, "howitzers": howitzers}[section]


@rule("KS-ART-04", "KS-NIG-01", "KS-GM-02")
def quality_of(play: Play, unit: Unit, at: Point, aim: Point, which: int, target: str) -> Effect:
    """Good or bad effect as the umpire has ruled it, else by night bad, else by the ground."""
    ruled = play.ruling("fire_quality", f"{unit.key}>{target}") or play.ruling("fire_quality", unit.key)
    if ruled is not None and ruled.value in ("good", "bad"):
        return Effect("good" if ruled.value == "good" else "bad", ("ruling",))
    if by_night(play.war) and not laid_beforehand(play, unit, aim):
        return Effect("bad", ("night",))
    return effect(true_terrain(play.scene, play.war), at, aim, which)


@rule("KS-NIG-01")
def laid_beforehand(play: Play, unit: Unit, aim: Point) -> bool:
    """Whether guns were laid along a defile before it was night: ordered to fire on a crossing, and not moved since.

    What they then hit as by day is what is at the crossing.
    """
    order = unit.duty.fire_on if unit.duty.policy == "on_target" else None
    spot = order.target.at if order is not None and order.target is not None else None
    crossing = play.scene.chart.crossings.get(spot.feature) if spot is not None else None
    if crossing is None or distance(crossing.at, aim) > crossing.length // 2 + LAID_ON:
        return False
    nightfall = (play.scene.sunset - play.scene.opens) % 1440 // 2
    return unit.place.halted_since <= nightfall and not unit.place.limbered


@rule("KS-ART-05", "KS-ART-06")
def target_rank(battery: Unit, target: Unit, on: Part, far: int, threat: int) -> int:
    """The order in which targets are chosen at will: threats, columns, lines, batteries, skirmishers, the rest."""
    at, end = battery.place.at, target.place.at
    if is_formed(target) and far <= threat and at != end and off(target.place.facing, bearing(end, at)) <= 4500:
        return 0
    if on == "chain" or (zugs_of(target) and not target.strength.tw):
        return 4
    if is_afloat(target):
        return 2
    if not is_formed(target):
        return 5
    if target.arm == "artillery":
        return 3
    return 1 if in_column(target) else 2
