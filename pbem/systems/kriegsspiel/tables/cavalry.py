"""Cavalry against infantry in column, mass and line: dice for the infantry (KS-CAV)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables import attack as of_attack


@rule("KS-CAV-01")
def column_die(squadrons: int, half_battalions: int) -> str:
    """For one battalion in attack column, or a half battalion alone, which squadrons count double against.

    >>> column_die(2, 2), column_die(1, 1), column_die(6, 2)
    ('III', 'III', 'II')
    """
    count = squadrons * (of_attack.HALF_BATTALION_COLUMN if half_battalions < 2 else 1)
    return of_attack.CAVALRY_ON_COLUMN[min(max(count, 1), max(of_attack.CAVALRY_ON_COLUMN))]


@rule("KS-CAV-02")
def mass_die(squadrons: int, battalions: Fraction) -> str:
    """For two battalions or more in mass, by squadrons to the battalion.

    >>> mass_die(12, Fraction(6)), mass_die(11, Fraction(6)), mass_die(4, Fraction(6))
    ('III', 'IV', 'V')
    """
    ratio = Fraction(squadrons, battalions)
    return next(die for least, die in of_attack.CAVALRY_ON_MASS if ratio >= Fraction(*least))


@rule("KS-CAV-03")
def line_die(squadrons: int, battalions: Fraction) -> str:
    """For a line whose flanks are not taken, by whole squadrons to the battalion.

    >>> line_die(4, Fraction(1)), line_die(5, Fraction(2)), line_die(1, Fraction(2))
    ('III', 'IV', 'V')
    """
    each = int(Fraction(squadrons, battalions))
    return of_attack.CAVALRY_ON_LINE[min(max(each, 1), max(of_attack.CAVALRY_ON_LINE))]
