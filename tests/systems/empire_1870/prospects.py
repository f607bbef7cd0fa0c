"""What an attack may be expected to do to the marker: every throw of both sides, weighed."""

from __future__ import annotations

from functools import cache
from itertools import product

from pbem.kernel.names import Role
from pbem.systems.empire_1870.field.ratios import ratio
from pbem.systems.empire_1870.melee.totals import crm
from pbem.systems.empire_1870.tables.charts import CASUALTIES_PER_VP, FEWEST_ELIMINATED, MAJOR_BATTLE_SP
from pbem.systems.empire_1870.world.parts import ENEMY, GERMAN

PAINS = 0.06
"""What one LP is reckoned at, in VP, beyond the SP that are eliminated at once."""


@cache
def _throws() -> tuple[tuple[int, int], ...]:
    """How often, of 1296 times, two dice less two others make each difference."""
    found: dict[int, int] = {}
    for one, two, three, four in product(range(1, 7), repeat=4):
        found[one + two - three - four] = found.get(one + two - three - four, 0) + 1
    return tuple(sorted(found.items()))


@cache
def expected(
    attacker: Role, own: int, other: int, column: str, bonus: int, sp: int, enemies: int, prize: float
) -> float:
    """VP, in the attacker's favour, that an attack is worth.

    *own* and *other* are the modified totals, *sp* and *enemies* the SP behind them, *bonus* what the HQs of the
    attacker add more than the defender's, *prize* what the hex is worth to him who gets it.
    """
    drm = crm(ratio(max(1, own), max(1, other)), column)
    edge = drm[0] - drm[1] + bonus
    defender = ENEMY[attacker]
    per = {attacker: CASUALTIES_PER_VP[attacker], defender: CASUALTIES_PER_VP[defender]}
    major = 1.0 if sp + enemies >= MAJOR_BATTLE_SP else 0.0
    total = 0.0
    for difference, times in _throws():
        spread = difference + edge
        won = spread > 0 or (spread == 0 and attacker == GERMAN)
        size = abs(spread)
        loser, there = (defender, enemies) if won else (attacker, sp)
        gone = min(there, max(size // 2, FEWEST_ELIMINATED))
        worth = gone // per[loser] + major + PAINS * min(size - gone, there - gone) - PAINS * (size // 2)
        worth += prize if won else 0.0
        total += times * (worth if won else -worth)
    return total / 1296
