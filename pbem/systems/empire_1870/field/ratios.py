"""The ratio of two totals, the attacker's first (WE-CBT-04)."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.empire_1870.tables.charts import LARGEST_RATIO


@rule("WE-CBT-04")
def ratio(attack: int, defence: int) -> tuple[int, int]:
    """Attacker to defender in whole numbers, six at most.

    >>> ratio(19, 6), ratio(7, 8), ratio(6, 19), ratio(40, 3)
    ((3, 1), (1, 1), (1, 3), (6, 1))
    """
    if attack >= defence:
        return min(LARGEST_RATIO, attack // defence), 1
    return 1, min(LARGEST_RATIO, defence // attack)


def ratio_text(odds: tuple[int, int]) -> str:
    """`3:1`."""
    return f"{odds[0]}:{odds[1]}"


@rule("WE-CBT-07")
def at_least(odds: tuple[int, int], least: tuple[int, int]) -> bool:
    """Whether a ratio is no worse for the attacker than another."""
    return odds[0] * least[1] >= least[0] * odds[1]
