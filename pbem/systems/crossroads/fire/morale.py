"""The morale chart, and what comes of a check: shaken, fallen back, in flight (GC-MOR)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.able import in_order, routed, steady
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.fire.flight import flee, go_to_ground, set_status, withdraw
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.forces import morale_die
from pbem.systems.crossroads.tables import morale
from pbem.systems.crossroads.world.fact import Modifier
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.outcomes_combat import MoraleChecked, RallyRolled
from pbem.systems.crossroads.world.state import Officer, Unit


@rule("GC-LVL-01", "GC-MOR-02")
def column(unit: Unit, options: Options) -> int:
    """The column of the chart: 0 if the unit passes without a throw."""
    level = min(unit.level, 3)
    return 1 if level == 0 and options.level_zero == "as_level_1" else level


@rule("GC-MOR-02")
def bands(row: str, level: int, options: Options) -> morale.Bands | None:
    """The cell of the chart; None: no check there."""
    if row == "Charge" and level == 1:
        return morale.CHARGE_L1[options.charge_l1_one]
    return morale.MORALE[row].get(level)


@rule("GC-MOR-02", "GC-MOR-04")
def outcome(cell: morale.Bands, natural: int, bonus: int, options: Options) -> morale.Result:
    """What a throw comes to: its total, bonus added, read in the bands of a cell."""
    total = natural + bonus
    if options.natural_one_fails and natural == 1:
        total = 1
    if total >= cell.passes:
        return "pass"
    if total in cell.shaken:
        return "S"
    return "WD" if total in cell.withdraw else "R"


@rule("GC-MOR-04", "GC-ACT-02")
def bonuses(field: Field, unit: Unit, row: str, enemy: str) -> tuple[Modifier, ...]:
    """What is added to the die; hard cover counts against *enemy*, who gave rise to the check."""
    found = []
    if field.helped_by(unit) is not None:
        found.append(Modifier("officer", morale.MORALE_MODIFIERS["officer"], cited("GC-ACT-02")[0]))
    other = field.battle.units.get(enemy)
    threatened = row in morale.HARD_COVER_HELPS and other is not None and other.pos is not None
    if threatened and other is not None and field.cover_from(unit, other) == "hard":
        found.append(Modifier("hard_cover", morale.MORALE_MODIFIERS["hard_cover"], cited("GC-MOR-04")[0]))
    if unit.elite:
        found.append(Modifier("elite", morale.MORALE_MODIFIERS["elite"], cited("GC-MOR-04")[0]))
    return tuple(found)


class Rolled(NamedTuple):
    """A throw on the chart."""

    result: morale.Result
    thrown: Throw | None
    bonus: tuple[Modifier, ...]
    level: int
    need: int

    @property
    def dice(self) -> tuple[Throw, ...]:
        """What was thrown."""
        return (self.thrown,) if self.thrown else ()

    @property
    def natural(self) -> int:
        """The face; 0: not thrown."""
        return self.thrown.faces[0] if self.thrown else 0

    @property
    def total(self) -> int:
        """The face and what is added."""
        return self.natural + sum(one.value for one in self.bonus) if self.thrown else 0

    @property
    def cites(self) -> tuple[str, ...]:
        """The rules by which something was added."""
        return (*(one.rule_id for one in self.bonus), "GC-MOR-04") if self.bonus else ()


def _roll(play: Play, unit: Unit, row: str, enemy: str, purpose: str, source: str) -> Rolled | None:
    """Throw on the chart; None: no check at this level, the unit passes."""
    options = play.battle.options
    level = column(unit, options)
    cell = bands(row, level, options) if level else None
    if cell is None:
        return None
    bonus = bonuses(play.field, unit, row, enemy)
    thrown = play.throw(purpose, unit.id, source, sides=morale_die(unit))
    result = outcome(cell, thrown.faces[0], sum(one.value for one in bonus), options)
    return Rolled(result, thrown, bonus, level, cell.passes)


@rule("GC-MOR-02", "GC-MOR-03")
def check(play: Play, name: str, row: str, enemy: str = "", *rules: str) -> morale.Result:
    """Check a unit in a row of the chart; at level 0, or where the row has no cell, it passes and nothing is said."""
    unit = play.unit(name)
    rolled = _roll(play, unit, row, enemy, "morale", "GC-MOR-02")
    if rolled is None:
        return "pass"
    advance = ("GC-MOV-08",) if row == "Advance" else ()
    play.add(
        MoraleChecked(
            **about(unit, *advance, "GC-MOR-02", "GC-MOR-01", "GC-MOR-03", *rolled.cites, *rules), row=row,
            dice=rolled.dice, level=rolled.level, die_sides=morale_die(unit), natural=rolled.natural,
            bonus=rolled.bonus, total=rolled.total, need=rolled.need, result=rolled.result, trigger=enemy,
        )
    )  # fmt: skip
    return rolled.result


@rule("GC-MOR-05", "GC-MOR-06", "GC-MOR-07", "GC-MOR-08")
def suffer(play: Play, name: str, result: morale.Result, *, line: int | None = None) -> None:
    """Carry a result out; a result never betters a status.

    It goes from the nearest enemy in sight; in contact on *line*, a bearing.
    """
    unit = play.unit(name)
    if result == "pass" or not unit.stands:
        return
    if routed(unit) or result == "R":
        rout(play, name, line)
    elif result == "WD":
        set_status(play, name, "withdrawn", "GC-MOR-06")
        withdraw(play, name, line)
    elif in_order(unit):
        set_status(play, name, "shaken", "GC-MOR-05")
        if name not in play.fighting:
            go_to_ground(play, name)


@rule("GC-MOR-03", "GC-MOR-07")
def rout(play: Play, name: str, line: int | None = None) -> None:
    """A unit flees; friends near the beginning or the end of its flight, or on its way, check."""
    near_by = _friends_near(play, name)
    set_status(play, name, "routed", "GC-MOR-07")
    near_by += sorted(flee(play, name, line))
    if play.unit(name).stands:
        near_by += _friends_near(play, name)
    for friend in dict.fromkeys(near_by):
        one = play.unit(friend)
        if one.stands and not routed(one):
            suffer(play, friend, check(play, friend, "FU Routs", name))


def _friends_near(play: Play, name: str) -> list[str]:
    unit, far = play.unit(name), morale.THREAT_WITHIN["FU Routs"] * 10
    near_by = [one for one in play.field.own(unit.side) if one.id != name and play.field.within(one, unit, far)]
    return [one.id for one in sorted(near_by, key=lambda one: (play.field.gap(one, unit), one.id))]


@rule("GC-MOR-03", "GC-FIR-07")
def officer_fell(play: Play, officer: Officer) -> None:
    """Friends near a mounted officer who was killed check."""
    if officer.pos is None:
        return
    far = morale.THREAT_WITHIN["MTD Officer KIA"] * 10
    field = play.field
    near_by = [
        (field.off(officer.pos, one), one.id) for one in field.own(officer.side) if field.reaches(officer.pos, one, far)
    ]
    for _, name in sorted(near_by):
        if play.unit(name).stands:
            suffer(play, name, check(play, name, "MTD Officer KIA", officer.id, "GC-FIR-07"))


@rule("GC-MOR-03")
def threaten(play: Play, name: str) -> None:
    """A unit has ended an action: enemies who have it close by in flank or rear check."""
    unit = play.unit(name)
    if not steady(unit):
        return
    far = morale.THREAT_WITHIN["Flank/Rear Threat"] * 10
    others = play.field.own(play.battle.enemy(unit.side))
    for enemy in sorted(others, key=lambda one: (play.field.gap(unit, one), one.id)):
        unit, one = play.unit(name), play.unit(enemy.id)
        if not (unit.stands and one.stands) or not play.field.within(unit, one, far):
            continue
        if play.field.aspect(one, unit) != "front":
            suffer(play, one.id, check(play, one.id, "Flank/Rear Threat", name))


@rule("GC-RAL-01")
def rally(play: Play, name: str) -> morale.Result:
    """The rally of a unit whose card has come; a pass makes it good, anything worse is carried out."""
    unit = play.unit(name)
    row = morale.RALLY_ROW[unit.status]
    rolled = _roll(play, unit, row, "", "rally", "GC-RAL-01") or Rolled("pass", None, (), unit.level, 0)
    result = rolled.result
    play.add(
        RallyRolled(
            **about(unit, "GC-RAL-01", "GC-MOR-02", "GC-MOR-01", *rolled.cites), from_status=unit.status, row=row,
            dice=rolled.dice, level=rolled.level, die_sides=morale_die(unit), natural=rolled.natural,
            bonus=rolled.bonus, total=rolled.total, need=rolled.need, result=result,
        )
    )  # fmt: skip
    if result == "pass":
        set_status(play, name, "good", "GC-RAL-01")
    else:
        suffer(play, name, result)
    return result
