"""Odds: strengths and their difference, the start index, the points, the die and whom it favours (KS-ODD)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.melee.attacking import has_gone_in, wave_mates
from pbem.systems.kriegsspiel.melee.fighters import worth
from pbem.systems.kriegsspiel.melee.flanks import doubled_by, secure, taken_in
from pbem.systems.kriegsspiel.melee.points import ALL, IN_TABLES, Sides, added, doubled_for_surprise, is_mass, of_fight
from pbem.systems.kriegsspiel.melee.second_line import (
    Lines,
    counts_of_second,
    reaches_front,
    single_line,
    takes_second,
    total,
)
from pbem.systems.kriegsspiel.play.fight_review import DIES
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.tables.attack import FLANK_COUNTS, MOST_INDEX, ODDS_BY_DIFFERENCE, RALLYING_SQUARES
from pbem.systems.kriegsspiel.tables.cavalry import column_die, line_die, mass_die
from pbem.systems.kriegsspiel.tables.dice import DIE_BY_INDEX
from pbem.systems.kriegsspiel.world.forms import all_skirmish
from pbem.systems.kriegsspiel.world.outcomes_attack import Strand
from pbem.systems.kriegsspiel.world.troops import Unit

FOREGONE = 5
BATTALION = 2
CLOSED = ("attack_column", "square", "brigade_mass", "zug_column", "closed_sections")
"""Formations in which infantry meets cavalry as a column or mass."""


class Odds(NamedTuple):
    """How a fight stands before the throw."""

    strands: tuple[Strand, ...]
    difference: Fraction
    start: int
    """Above 0 it favours the attackers."""
    start_rule: str
    points: tuple[tuple[str, int], ...]
    step: int
    die: Die
    favoured: Literal["attackers", "defenders"]
    foregone: bool


# ------------------------------------------------------------------ numbers


@rule("KS-ODD-02")
def difference(one: Fraction, other: Fraction) -> Fraction | None:
    """The difference of two forces as a part of the smaller; None: there is no smaller one."""
    larger, smaller = max(one, other), min(one, other)
    return Fraction(larger - smaller, smaller) if smaller else None


@rule("KS-ODD-02", "KS-CAV-06")
def by_numbers(attackers: Fraction, defenders: Fraction) -> int:
    """The start index by the numbers; 5: foregone.

    >>> by_numbers(Fraction(7), Fraction(6)), by_numbers(Fraction(2), Fraction(4)), by_numbers(Fraction(6), Fraction(2))
    (0, -3, 5)
    """
    if not attackers and not defenders:
        return 0
    found = difference(attackers, defenders)
    step = FOREGONE if found is None else next(
        odds.step for odds in ODDS_BY_DIFFERENCE if odds.up_to is None or found <= Fraction(*odds.up_to)
    )  # fmt: skip
    return step if attackers >= defenders else -step


class Thrown(NamedTuple):
    """What is thrown."""

    step: int
    die: Die
    favoured: Literal["attackers", "defenders"]
    foregone: bool


@rule("KS-ODD-02", "KS-ODD-10")
def with_points(start: int, points: int) -> Thrown:
    """The die when all points have been added at once; points alone lift no higher than Die V.

    >>> with_points(2, -2), with_points(5, -1).die, with_points(5, 0).foregone
    (Thrown(step=0, die='I', favoured='attackers', foregone=False), 'V', True)
    """
    index = start + points
    favoured: Literal["attackers", "defenders"] = "attackers" if index >= 0 else "defenders"
    if abs(start) >= FOREGONE and abs(index) >= FOREGONE and (start > 0) == (index > 0):
        return Thrown(index, "V", favoured, foregone=True)
    index = max(-MOST_INDEX, min(MOST_INDEX, index))
    return Thrown(index, DIES[abs(index)], favoured, foregone=False)


def index_of(die: str) -> int:
    """The index of a die of a table."""
    return DIE_BY_INDEX.index(die)


# ------------------------------------------------------------------ who counts, and how often


@rule("KS-ODD-01", "KS-FLK-01", "KS-FLK-02", "KS-SUR-02", "KS-CAV-05", "KS-SEC-02", "KS-SEC-05")
def strands(play: Play, sides: Sides) -> list[Strand]:
    """What each body counts; doubled at most once."""
    found = []
    covered = _flanks_covered(sides.defenders, sides.behind_defenders)
    two_lines = _flanks_covered(sides.attackers, sides.behind_attackers)
    for unit in sides.attackers:
        target = _target_of(play, unit, sides.defenders)
        rule_id = "KS-SUR-02" if doubled_for_surprise(play, target) else _doubled_by(play, unit, target)
        counted = "1"
        if covered and not rule_id and not reaches_front(sides.defenders, unit):
            counted, rule_id_counted = "0", "KS-SEC-05"
        elif covered and rule_id.startswith("KS-FLK") and not takes_second(play, unit, sides.defenders):
            counted, rule_id, rule_id_counted = "0", "", "KS-SEC-02"
        elif unit.trial.half_follows:
            counted, rule_id_counted = "1/2", "KS-RET-03"
        else:
            rule_id_counted = rule_id or "KS-ODD-01"
        found.append(_strand(unit, counted, rule_id, rule_id_counted))
    for unit in sides.defenders:
        rallying = all_skirmish(unit) and _has_support(play, unit) and _by_cavalry(sides)
        rule_id = "KS-CAV-05" if rallying else ""
        if two_lines and unit.arm == "cavalry" and not reaches_front(sides.attackers, unit):
            found.append(_strand(unit, "0", "", "KS-SEC-05"))
        else:
            found.append(_strand(unit, "1", rule_id, rule_id or "KS-ODD-01"))
    return found


@rule("KS-FLK-02", "KS-CAV-03")
def _doubled_by(play: Play, unit: Unit, target: Unit) -> str:
    """The rule by which an attacker counts double; cavalry does not at a flank that rests on something."""
    found = doubled_by(unit, target)
    aside = found == "KS-FLK-02" and unit.arm == "cavalry" and taken_in(unit, target) == "flank"
    return "" if aside and target.place.formation == "line" and secure(play, target) else found


def _strand(unit: Unit, counted: str, doubling: str, rule_id: str) -> Strand:
    what = worth(unit)
    return Strand(unit.key, str(what.blocks), str(what.share), counted, doubling, rule_id)


def strand_value(strand: Strand) -> Fraction:
    """What a strand comes to."""
    times = 1
    if strand.doubling:
        times = RALLYING_SQUARES if strand.doubling == "KS-CAV-05" else FLANK_COUNTS
    return Fraction(strand.blocks) * Fraction(strand.share) * Fraction(strand.counted) * times


def _target_of(play: Play, unit: Unit, defenders: Sequence[Unit]) -> Unit:
    return min(defenders, key=lambda other: (play.field.gap(unit, other), other.key))


@rule("KS-CAV-01")
def _by_cavalry(sides: Sides) -> bool:
    return all(unit.arm == "cavalry" for unit in sides.attackers)


@rule("KS-SEC-02")
def _flanks_covered(first: Sequence[Unit], behind: Lines) -> bool:
    return bool(behind.second) and all(unit.arm == "cavalry" for unit in first)


@rule("KS-CAV-05")
def _has_support(play: Play, unit: Unit) -> bool:
    """Whether a formed friend stands within 150 paces of skirmishers that are caught."""
    return any(
        friend.key != unit.key and friend.arm == "infantry" and not all_skirmish(friend)
        and play.field.gap(unit, friend) <= 150
        for friend in play.field.units(unit.side, formed=True)
    )  # fmt: skip


@rule("KS-SEC-06")
def _second_counts(play: Play, sides: Sides, own: Fraction, *, attackers: bool) -> Fraction:
    """Half of a second line of cavalry against a single line of about equal number."""
    lines = sides.behind_attackers if attackers else sides.behind_defenders
    others = sides.behind_defenders if attackers else sides.behind_attackers
    first = sides.attackers if attackers else sides.defenders
    enemies = sides.defenders if attackers else sides.attackers
    if not lines.second or others.second or any(unit.arm != "cavalry" for unit in (*first, *enemies)):
        return Fraction(0)
    return counts_of_second(own, total(lines.second), total(single_line(play, enemies)))


# ------------------------------------------------------------------ where a fight starts


@rule("KS-CAV-01", "KS-CAV-02", "KS-CAV-03", "KS-ODD-06")
def table_of(infantry: Sequence[Unit], squadrons: int) -> tuple[str, str] | None:
    """Die and rule by which infantry meets cavalry from the front; None: by numbers."""
    blocks = sum(unit.strength.blocks for unit in infantry)
    if not blocks or any(unit.arm != "infantry" for unit in infantry) or any(map(all_skirmish, infantry)):
        return None
    if all(unit.place.formation in CLOSED for unit in infantry):
        if is_mass(infantry):
            return mass_die(squadrons, Fraction(blocks, 2)), "KS-CAV-02"
        # Several columns that are no mass: so many squadrons to each battalion, as against lines.
        return column_die(2 * squadrons // blocks if blocks > BATTALION else squadrons, blocks), "KS-CAV-01"
    if all(unit.place.formation == "line" for unit in infantry):
        return line_die(squadrons, Fraction(blocks, 2)), "KS-CAV-03"
    return None


@rule("KS-CAV-02", "KS-ATK-10")
def squadrons_ordered(play: Play, sides: Sides) -> int:
    """Squadrons that charge, with those of the same waves that still wait for their turn."""
    first = sides.attackers[0]
    mates = {unit.key for unit in sides.attackers}
    order = first.duty.order
    if order is not None and order.second:
        mates |= {
            unit.key
            for unit in wave_mates(play, first)
            if unit.arm == "cavalry" and (order in unit.duty.queue[:1] or has_gone_in(play, unit))
        }
    return len(mates)


@rule("KS-ODD-10", "KS-ODD-01", "KS-ODD-02")
def reckon(play: Play, sides: Sides, ruled_points: int = 0) -> Odds:
    """Strengths, start, points and the die of a fight that is no attack on a stronghold or on guns alone."""
    lines = strands(play, sides)
    ours = {unit.key for unit in sides.attackers}
    one = sum((strand_value(line) for line in lines if line.unit in ours), Fraction(0))
    other = sum((strand_value(line) for line in lines if line.unit not in ours), Fraction(0))
    one += _second_counts(play, sides, one, attackers=True)
    other += _second_counts(play, sides, other, attackers=False)
    start, start_rule, which = by_numbers(one, other), "KS-ODD-02", tuple(ALL)
    flanked = any(line.doubling for line in lines if line.unit in ours)
    if _by_cavalry(sides) and not flanked:
        found = table_of(sides.defenders, squadrons_ordered(play, sides))
        if found is not None:
            start, start_rule, which = -index_of(found[0]), found[1], IN_TABLES
    points = of_fight(play, sides, which)
    if ruled_points:
        points.append(("ruling", ruled_points))
    thrown = with_points(start, added(points))
    return Odds(
        tuple(lines), difference(one, other) or Fraction(0), start, start_rule, tuple(points), thrown.step, thrown.die,
        thrown.favoured, thrown.foregone,
    )  # fmt: skip
