"""Which SP of a hex an order takes (Orders: `<sp>`)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.systems.empire_1870.play.play import together
from pbem.systems.empire_1870.world.orders import Amount
from pbem.systems.empire_1870.world.parts import STATUSES, Group, Stack, Status


def _take(stack: Stack, status: Status, number: int) -> list[Group]:
    taken = []
    for one in stack:
        if one.status == status and number > 0:
            part = min(number, one.count)
            taken.append(replace(one, count=part))
            number -= part
    return taken


def pick(stack: Stack, amount: Amount, limit: int) -> Stack:
    """SP of a stack: as many of each status as named, else the good first; *limit* at most, and no more than are there.

    >>> [(one.status, one.count) for one in pick((Group("good", 2), Group("disrupted", 3)), Amount(count=4), 9)]
    [('good', 2), ('disrupted', 2)]
    """
    taken: list[Group] = []
    left = limit
    wanted = {"good": amount.good, "disrupted": amount.disrupted, "demoralized": amount.demoralized}
    total = limit if amount.everything else amount.count
    for status in STATUSES:
        number = min(left, wanted[status] if amount.by_status else total)
        got = _take(stack, status, number)
        taken += got
        here = sum(one.count for one in got)
        left -= here
        total -= here
    return together(tuple(taken))


def unspent(stack: Stack) -> Stack:
    """Those that have not been activated this turn."""
    return together(tuple(one for one in stack if not one.spent))
