"""Roles given by lot: the order of the candidates falls by dice that were promised, and each takes what is free.

    each candidate, by his number, throws one die of `SIDES` sides     S0.1/lot/3
    the highest is first; of equals, who came first
    each in that order gets the first free role of his wishes; who has none takes the first free role of the campaign
    for whom nothing is left waits, in that order

The dice are made as those of an exchange (`kernel.dice`): of the office's two seeds, promised when the sign-up was
opened, and of a word of each candidate's, by his number in the place of a role.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role

LOT = Moment(0, 0, 1)
"""Where the lot stands in the log, and in the names of its throws."""

SIDES = 1_000_000

Wishes = Sequence[Role]
"""Roles, the best first; none: any."""


def thrown(dice: Dice, numbers: Collection[int]) -> tuple[Throw, ...]:
    """The throws of the candidates of these *numbers*."""
    return tuple(dice.throw("lot", str(number), sides=SIDES) for number in sorted(numbers))


def order_of(throws: Collection[Throw]) -> tuple[int, ...]:
    """The candidates by what they threw."""
    faces = {int(throw.name.rpartition("/")[2]): throw.faces[0] for throw in throws}
    return tuple(sorted(faces, key=lambda number: (-faces[number], number)))


def given_out(
    roles: Sequence[Role], wishes: Mapping[int, Wishes], order: Sequence[int]
) -> tuple[dict[Role, int], tuple[int, ...]]:
    """Who gets which role, and who waits.

    >>> given_out([Role("red"), Role("blue")], {1: [Role("red")], 2: [], 3: [Role("red")]}, [2, 3, 1])
    ({'red': 2}, (3, 1))
    """
    given: dict[Role, int] = {}
    waiting = []
    for number in order:
        best = next((role for role in wishes[number] or roles if role in roles and role not in given), None)
        if best is None:
            waiting.append(number)
        else:
            given[best] = number
    return given, tuple(waiting)


def can_fill(roles: Sequence[Role], wishes: Mapping[int, Wishes]) -> bool:
    """Whether all roles can be filled by candidates who wish for them.

    >>> can_fill([Role("red"), Role("blue")], {1: [Role("red")], 2: [Role("red")]})
    False
    """
    holds: dict[Role, int] = {}

    def seat(number: int, seen: set[Role]) -> bool:
        for role in wishes[number] or roles:
            if role in roles and role not in seen:
                seen.add(role)
                if role not in holds or seat(holds[role], seen):
                    holds[role] = number
                    return True
        return False

    return sum(seat(number, set()) for number in sorted(wishes)) == len(roles)
