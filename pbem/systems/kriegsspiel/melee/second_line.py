"""The second line: what counts as one, who of the enemy meets the first, and how the beaten fare with it (KS-SEC)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.ground.bearing import off
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import along_and_aside, is_formed
from pbem.systems.kriegsspiel.melee.fighters import worth
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables import attack as of_attack
from pbem.systems.kriegsspiel.world.bodies import may_defend
from pbem.systems.kriegsspiel.world.forms import front_of
from pbem.systems.kriegsspiel.world.troops import Unit

ALIGNED = 3000
"""Hundredths of a degree by which the fronts of one line may differ."""

LOOSE = 200
"""Paces by which squadrons that came on as one line may be before one another when they fight."""

Where = Literal["near", "second", "far", "none"]


@rule("KS-SEC-01", "KS-SEC-07", "KS-SEC-08")
def behind(arm: str, paces: int) -> Where:
    """What a line so many paces behind the first is to it.

    >>> [behind("infantry", far) for far in (149, 150, 400, 401)]
    ['near', 'second', 'second', 'far']
    """
    least, most = of_attack.SECOND_LINE["cavalry" if arm == "cavalry" else "infantry"]
    if paces <= 0:
        return "none"
    return "near" if paces < least else "second" if paces <= most else "far"


class Lines(NamedTuple):
    """What stands behind a first line."""

    second: tuple[Unit, ...] = ()
    near: tuple[Unit, ...] = ()
    """Too near to help."""


@rule("KS-SEC-01")
def overlaps(first: Unit, other: Unit) -> bool:
    """Whether half of the shorter front lies behind the longer."""
    _, aside = along_and_aside(first, other)
    one, two = front_of(first), front_of(other)
    common = min(one // 2, aside + two // 2) - max(-one // 2, aside - two // 2)
    return Fraction(common) >= min(one, two) * Fraction(*of_attack.SECOND_OVERLAP)


@rule("KS-SEC-01")
def lies_behind(unit: Unit, first: Sequence[Unit], other: Unit) -> bool:
    """Whether half of the shorter front lies behind the longer: of one of those who fight, or of all in line with it.

    Who stands behind the interval of two is behind their line.
    """
    if overlaps(unit, other):
        return True
    ends = [
        (aside - front_of(mate) // 2, aside + front_of(mate) // 2)
        for mate in first
        if off(mate.place.facing, unit.place.facing) <= ALIGNED
        for along, aside in (along_and_aside(unit, mate),)
        if abs(along) <= 2 * of_attack.BESIDE
    ]
    left, right = min(one for one, _ in ends), max(one for _, one in ends)
    _, aside = along_and_aside(unit, other)
    front = front_of(other)
    common = min(right, aside + front // 2) - max(left, aside - front // 2)
    return Fraction(common) >= min(right - left, front) * Fraction(*of_attack.SECOND_OVERLAP)


@rule("KS-SEC-01", "KS-SEC-07", "KS-SEC-08", "KS-SEC-11")
def lines_behind(play: Play, first: Sequence[Unit]) -> Lines:
    """The second line of those who fight, and what stands too near behind them; a third line counts for nothing."""
    second: dict[str, Unit] = {}
    near: dict[str, Unit] = {}
    fighting = {unit.key for unit in first}
    for unit in first:
        if unit.arm not in ("infantry", "cavalry"):
            continue
        for other in play.field.units(unit.side, formed=True):
            if other.key in fighting or other.arm != unit.arm or not free_to_help(play, other):
                continue
            where = stands_to(unit, first, other)
            if where == "second":
                second[other.key] = other
            elif where == "near":
                near[other.key] = other
    return Lines(tuple(second[key] for key in sorted(second)), tuple(near[key] for key in sorted(near)))


@rule("KS-SEC-01", "KS-SEC-07", "KS-SEC-08")
def stands_to(unit: Unit, first: Sequence[Unit], other: Unit) -> Where:
    """What a body of one arm is to one of the *first* line."""
    if off(other.place.facing, unit.place.facing) > 6000 or not lies_behind(unit, first, other):
        return "none"
    return _paces_behind(unit, other)


def _paces_behind(unit: Unit, other: Unit) -> Where:
    along, _ = along_and_aside(unit, other)
    return behind(unit.arm, -along)


@rule("KS-SEC-01")
def free_to_help(play: Play, unit: Unit) -> bool:
    """Whether a body is able to defend itself, and not itself engaged."""
    trial = unit.trial
    return is_formed(unit) and trial.contact < 0 and not trial.flight and may_defend(unit, play.move)


# ------------------------------------------------------------------ cavalry


@rule("KS-SEC-02", "KS-SEC-05", "KS-SEC-06")
def reaches_front(first: Sequence[Unit], unit: Unit) -> bool:
    """Whether a squadron meets the front of a first line: within 100 paces beyond its ends."""
    for one in first:
        _, aside = along_and_aside(one, unit)
        if abs(aside) <= front_of(one) // 2 + of_attack.REACH_FRONT:
            return True
    return False


@rule("KS-SEC-06")
def single_line(play: Play, first: Sequence[Unit]) -> list[Unit]:
    """Those of the cavalry who fight, and who else stands in one line with them, whether it meets anybody or not."""
    found = list(first)
    others = _other_cavalry(play, first)
    for one in found:  # which grows while it is gone through
        beside = [other for other in others if _level(one, other) and _close(one, other)]
        others = [other for other in others if other not in beside]
        found += beside
    return found


@rule("KS-SEC-02")
def takes_second(play: Play, unit: Unit, first: Sequence[Unit]) -> bool:
    """Whether the line that has come upon the flank of the *first* with *unit* is long enough for the second as well.

    That is a matter of length: who of the second line has turned about to meet it, has it on the flank all the same.
    """
    second = [
        other
        for other in _other_cavalry(play, first)
        if any(lies_behind(one, first, other) and _paces_behind(one, other) == "second" for one in first)
    ]
    line = [unit, *(mate for mate in _other_cavalry(play, [unit]) if _level(unit, mate, turned=6000, before=LOOSE))]
    return any(
        along >= 0 and abs(aside) <= front_of(mate) // 2
        for mate in line
        for other in second
        for along, aside in (along_and_aside(mate, other),)
    )


def _other_cavalry(play: Play, those: Sequence[Unit]) -> list[Unit]:
    keys = {one.key for one in those}
    formed = play.field.units(those[0].side, formed=True)
    return [unit for unit in formed if unit.arm == "cavalry" and unit.key not in keys]


def _level(one: Unit, other: Unit, *, turned: int = ALIGNED, before: int = 2 * of_attack.BESIDE) -> bool:
    along, _ = along_and_aside(one, other)
    return off(one.place.facing, other.place.facing) <= turned and abs(along) <= before


def _close(one: Unit, other: Unit) -> bool:
    _, aside = along_and_aside(one, other)
    return abs(aside) <= (front_of(one) + front_of(other)) // 2 + of_attack.REACH_FRONT


@rule("KS-SEC-05", "KS-SEC-06")
def meeting(squadrons: int, front: int, long: int) -> Fraction:
    """Of so many squadrons in one line *long* paces, those that meet a first line of *front* paces.

    >>> meeting(8, 400, 800)
    Fraction(6, 1)
    """
    return min(Fraction(squadrons), Fraction(squadrons * (front + 2 * of_attack.REACH_FRONT), long))


@rule("KS-SEC-06")
def counts_of_second(own: Fraction, second: Fraction, enemy: Fraction) -> Fraction:
    """What a second line of squadrons adds: half of it against a single line of about equal number.

    >>> counts_of_second(Fraction(4), Fraction(4), Fraction(8))
    Fraction(2, 1)
    """
    both = own + second
    larger, smaller = max(both, enemy), min(both, enemy)
    if not smaller or Fraction(larger - smaller, smaller) > Fraction(*of_attack.ABOUT_EQUAL):
        return Fraction(0)
    return second * Fraction(*of_attack.SECOND_COUNTS)


def total(units: Sequence[Unit]) -> Fraction:
    """What bodies count together."""
    return sum((worth(unit).whole for unit in units), Fraction(0))
