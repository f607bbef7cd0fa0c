"""SP: the groups in a hex that are alike, the stack that they make, and what is put to it and taken from it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Literal, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import astuple, replace

Status = Literal["good", "disrupted", "demoralized"]
STATUSES: tuple[Status, ...] = ("good", "disrupted", "demoralized")
"""The best first."""


class Group(Struct, frozen=True, omit_defaults=True, order=True):
    """SP of one side in one hex that are alike in everything."""

    status: Status = "good"
    count: int = 0
    spent: bool = False
    entrained: bool = False
    inside: bool = False
    """Shut in a fortress with enemy SP in the same hex (WE-SIE-01)."""


Stack = tuple[Group, ...]
"""All SP of one side in one hex; groups alike but for their count are one (`together`)."""


def together(*stacks: Iterable[Group]) -> Stack:
    """Several as one stack, in its one form: alike groups added up, empty ones gone, best status first."""
    counts: dict[tuple[Status, bool, bool, bool], int] = {}
    for one in chain.from_iterable(stacks):
        key = (one.status, one.spent, one.entrained, one.inside)
        counts[key] = counts.get(key, 0) + one.count
    order = sorted(counts, key=lambda key: (STATUSES.index(key[0]), *key[1:]))
    return tuple(Group(key[0], counts[key], *key[1:]) for key in order if counts[key] > 0)


def without(stack: Stack, taken: Stack) -> Stack:
    """What is left of a stack when *taken*, which is of it, has gone."""
    return together(stack, (replace(one, count=-one.count) for one in taken))


class Marks(TypedDict, total=False):
    """What SP bear besides their number."""

    status: Status
    spent: bool
    entrained: bool
    inside: bool


def every(stack: Iterable[Group], **now: Unpack[Marks]) -> Stack:
    """A stack with every SP of it alike in something: `every(stack, spent=True)`."""
    return together(replace(one, **now) for one in stack)


def freed(stack: Stack) -> Stack:
    """SP out in the open again: on no train, behind no wall."""
    return every(stack, inside=False, entrained=False)


def count(stack: Iterable[Group]) -> int:
    """How many SP."""
    return sum(one.count for one in stack)


def of_status(stack: Iterable[Group], *statuses: Status) -> Stack:
    """The SP of a stack that are of one of these statuses."""
    return tuple(one for one in stack if one.status in statuses)


def best(stack: Stack, number: int) -> Stack:
    """So many SP of a stack, or all of it, if it has no more: the best first."""
    taken = []
    for one in stack:
        some = min(number, one.count)
        if some > 0:
            taken.append(replace(one, count=some))
            number -= some
    return together(taken)


class Strength(Struct, frozen=True):
    """A stack in figures."""

    sp: int
    good: int
    disrupted: int
    demoralized: int
    spent: int
    entrained: int
    inside: int

    @classmethod
    def of(cls, stack: Stack) -> Strength:
        """Count *stack*."""
        status = {name: count(of_status(stack, name)) for name in STATUSES}
        return cls(
            sp=sum(status.values()),
            **status,
            spent=sum(one.count for one in stack if one.spent),
            entrained=sum(one.count for one in stack if one.entrained),
            inside=sum(one.count for one in stack if one.inside),
        )

    @classmethod
    def sum(cls, strengths: Iterable[Strength]) -> Strength:
        """Several as one."""
        return cls(*map(sum, zip((0,) * len(cls.__struct_fields__), *map(astuple, strengths), strict=True)))
