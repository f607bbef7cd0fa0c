"""Which SP of a hex an order takes (Orders: `<sp>`)."""

from __future__ import annotations

from typing import Unpack

from pbem.systems.empire_1870.field.fitness import may_move
from pbem.systems.empire_1870.world import stacks as sp
from pbem.systems.empire_1870.world.orders import Amount


def pick(stack: sp.Stack, amount: Amount, limit: int) -> sp.Stack:
    """SP of a stack: as many of each status as named, else the good first; *limit* at most, and no more than are there.

    >>> [(one.status, one.count) for one in pick((sp.Group("good", 2), sp.Group("disrupted", 3)), Amount(count=4), 9)]
    [('good', 2), ('disrupted', 2)]
    """
    if not amount.by_status:
        return sp.best(stack, limit if amount.everything else min(limit, amount.count))
    taken: sp.Stack = ()
    for status, number in amount.grades.items():
        taken = sp.together(taken, sp.best(sp.of_status(stack, status), min(number, limit - sp.count(taken))))
    return taken


def unspent(stack: sp.Stack) -> sp.Stack:
    """Those that have not been activated this turn."""
    return tuple(one for one in stack if may_move(one))


def fresh(amount: Amount, status: sp.Status = "good", /, **marks: Unpack[sp.Marks]) -> sp.Stack:
    """SP as an amount names them, of *status* if it names none, with these marks."""
    grades = amount.grades if amount.by_status else {status: amount.count}
    return sp.every((sp.Group(name, number) for name, number in grades.items()), **marks)
