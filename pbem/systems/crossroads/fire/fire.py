"""Fire: who can be hit, with how many dice and on which faces, and a volley (GC-FIR)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pbem.ground.plane import Point
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.able import may_fire, why_no_fire, withdrawn
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.field.sight import aim
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.tables import combat
from pbem.systems.crossroads.tables.morale import STATUS_DICE
from pbem.systems.crossroads.tables.units import GREEN_FIRE
from pbem.systems.crossroads.world.fact import Modifier
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.outcomes_combat import FireResolved
from pbem.systems.crossroads.world.patches import Patch
from pbem.systems.crossroads.world.state import Unit

Kind = Literal["fire", "defensive", "after_melee"]


class Shot(NamedTuple):
    """A volley that can be thrown: at what range, in which column of the chart, on which faces."""

    range: int
    """Tenths of an inch, to the nearest."""
    beyond_half: bool
    situation: str
    shifted: bool
    need: int
    rules: tuple[str, ...]


class Dice(NamedTuple):
    """The dice of a volley: the level's, what changes them, and what is left."""

    base: int
    changes: tuple[Modifier, ...]
    thrown: int


# ------------------------------------------------------------------ dice


@rule("GC-FIR-01")
def fire_row(unit: Unit) -> str | None:
    """The row of the firing charts; None: it does not fire."""
    return combat.FIRE_ROW[unit.nation].get(unit.type)


@rule("GC-FIR-01", "GC-FIR-03")
def fire_dice(unit: Unit, options: Options, *, half: bool = False, green: bool | None = None) -> Dice:
    """The dice of a unit's volley; *half*: half fire; *green*: whether it fires as one that an officer moved."""
    row = fire_row(unit)
    base = combat.FIRING_DICE[row][min(unit.level, 3)] if row else 0
    count, changes = base, []

    def change(name: str, value: int, rule_id: str) -> None:
        changes.append(Modifier(name, value, cited(rule_id)[0]))

    if unit.formation == "column":
        change("column", combat.FIRE_COLUMN_DICE, "GC-FIR-03")
    if unit.status in STATUS_DICE:
        change(unit.status, STATUS_DICE[unit.status], "GC-MOR-05")
    count += sum(one.value for one in changes)
    halves = {
        "withdrawn": withdrawn(unit),
        "half": half,
        "green": (unit.green if green is None else green) and GREEN_FIRE[options.green_fire] < 1,
    }
    names = {"withdrawn": "GC-MOR-06", "half": "GC-ACT-01", "green": "GC-ACT-03"}
    for name in (name for name, holds in halves.items() if holds):
        less = -(-count * combat.FIRE_HALVES[name] // 1) if count > 0 else count
        change(name, int(less) - count, names[name])
        count = int(less)
    return Dice(base, tuple(changes), max(count, 0) if count >= combat.FEWEST_FIRING else 0)


# ------------------------------------------------------------------ the chart


@rule("GC-FIR-02", "GC-FIR-04")
def column_of(target: Unit, *, covered: bool, beyond_half: bool) -> str:
    """The column of the firing chart for a target, before what skirmish order makes of it."""
    if covered:
        return "cover_far" if beyond_half else "cover"
    if beyond_half:
        return "far"
    if target.prone or target.formation == "deployed":
        return "skirmish"
    return "column" if target.formation in ("column", "limbered") else "line"


@rule("GC-FIR-02", "GC-FIR-04")
def needed(row: str, column: str, *, skirmish: bool, options: Options) -> int:
    """The lowest face that hits; *skirmish*: the next harder number of the row, or the next column."""
    chart = combat.FIRING[row]
    need: int = getattr(chart, column)
    if not skirmish:
        return need
    if options.skirmish_shift == "next_column":
        place = combat.SITUATIONS.index(column)
        after: int = getattr(chart, combat.SITUATIONS[min(place + 1, len(combat.SITUATIONS) - 1)])
        return after
    return min((number for number in chart[:-1] if number > need), default=need)


@rule("GC-FIR-02", "GC-FIR-08", "GC-MOV-07")
def shot(field: Field, firer: Unit, target: Unit) -> Shot | str:
    """The volley that *firer* can throw at *target*, or the reason why it cannot."""
    row = fire_row(firer)
    if row is None or not may_fire(firer):
        return why_no_fire(firer)
    reach = combat.FIRING[row].range * 10
    if not field.within(firer, target, reach):
        return "out_of_range"
    if not field.in_front(firer, field.nearest_point(firer, target)):
        return "not_in_arc"
    point = aim(field, firer, target)
    if point is None:
        return "not_in_sight"
    return _shot(field, firer, target, row, point)


def _shot(field: Field, firer: Unit, target: Unit, row: str, point: Point) -> Shot:
    beyond = not field.within(firer, target, int(combat.FIRING[row].range * 10 * combat.HALF_RANGE))
    covered = field.in_woods(target) or field.cover(target, field.body(firer).at, point) != "none"
    column = column_of(target, covered=covered, beyond_half=beyond)
    skirmish = target.formation == "skirmish" and not (target.prone and column == "skirmish")
    need = needed(row, column, skirmish=skirmish, options=field.battle.options)
    rules = ("GC-FIR-02", *(("GC-FIR-04",) if skirmish or target.prone else ()))
    return Shot(field.inches(firer, target), beyond, column, skirmish, need, rules)


@rule("GC-ACT-05", "GC-FIR-02")
def targets(play: Play, firer: Unit) -> list[str]:
    """The enemies in sight of its side that a unit can fire at, the nearest first."""
    field = play.field
    seen = play.battle.watch[firer.side].seen
    found = [
        (field.gap(firer, target), target.id)
        for target in (field.battle.units[name] for name in seen if name in field.battle.units)
        if target.stands and isinstance(shot(field, firer, target), Shot)
    ]
    return [name for _, name in sorted(found)]


# ------------------------------------------------------------------ a volley


@rule("GC-FIR-01", "GC-FIR-02", "GC-FIR-05", "GC-FIR-06")
def volley(play: Play, name: str, at: str, kind: Kind, *, half: bool = False, green: bool | None = None) -> int | str:
    """Throw a volley of *name* at *at*: its hits, or the reason why there is none.

    Losses and checks are for who asked for it: a charge takes several volleys before it tests.
    """
    firer, target = play.unit(name), play.unit(at)
    found = shot(play.field, firer, target)
    if isinstance(found, str):
        return found
    dice = fire_dice(firer, play.battle.options, half=half, green=green)
    if not dice.thrown:
        return "no_dice"
    thrown: list[Throw] = []
    red = 0
    if firer.type == "mg":
        thrown.append(play.throw("jam", name, "GC-FIR-06", sides=combat.JAM_DIE))
        red = thrown[0].faces[0]
    jammed = red >= combat.JAM_FACE
    naturals: tuple[int, ...] = ()
    if not jammed or play.battle.options.jam_volley_counts:
        thrown.append(play.throw("fire", name, "GC-FIR-02", sides=combat.HIT_DIE, count=dice.thrown))
        naturals = thrown[-1].faces
    hits = sum(face >= found.need for face in naturals)
    changed = {one.rule_id for one in dice.changes}
    play.add(
        FireResolved(
            rules=cited(
                "GC-FIR-01", *found.rules, *(("GC-FIR-03",) if changed else ()), *sorted(changed),
                *(("GC-FIR-06",) if firer.type == "mg" else ()), *(("GC-CHG-02",) if kind == "defensive" else ()),
                *(("GC-MEL-05",) if kind == "after_melee" else ()), "GC-FIR-08", *(("GC-FIR-05",) if hits else ()),
            ),
            dice=tuple(thrown), side=firer.side, firer=name, target=at, volley=kind, range=found.range,
            beyond_half=found.beyond_half, situation=found.situation, shifted=found.shifted, base_dice=dice.base,
            dice_changes=dice.changes, count=dice.thrown, naturals=naturals, need=found.need, hits=hits, red_die=red,
            jammed=jammed, half=half, changes={name: Patch(jammed=True)} if jammed else {},
        ),
        meets=(name, at),
    )  # fmt: skip
    return hits
