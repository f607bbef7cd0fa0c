"""What one run of an exchange told and another did not, sentence by sentence, as given eyes have both.

It is made of what was told and of nothing else: who compares what a role has of two runs learns no more than it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from pbem.kernel.names import Role
from pbem.rules.reel import Beat
from pbem.rules.view import Told


class Said(Struct, frozen=True):
    """Of one beat what the other run does not say."""

    beat: Beat
    told: tuple[Told, ...] = ()
    lines: dict[Role, tuple[Told, ...]] = {}
    """Of what became of lines of sheets."""


class Rerun(Struct, frozen=True):
    """Two runs beside each other: of each the beats in which it tells what the other does not."""

    gone: tuple[Said, ...]
    """What the first told and the second does not."""
    new: tuple[Said, ...]
    """What the second tells and the first did not."""


def lacking(some: Sequence[Told], others: Sequence[Told]) -> tuple[int, ...]:
    """Which sentences of *some*, by their number from 0, are not among *others*.

    What is said twice must be there twice.  The small print does not count: other dice that come to the same tell
    nothing new.
    """
    return _lacking([_sentence(one) for one in some], [_sentence(one) for one in others])


def compared(first: Sequence[Beat], second: Sequence[Beat], eyes: str) -> Rerun:
    """What those *eyes* were told in the beats of a *first* run and not in those of a *second*, and the reverse."""
    return Rerun(_not_in(first, second, eyes), _not_in(second, first, eyes))


def _not_in(beats: Sequence[Beat], others: Sequence[Beat], eyes: str) -> tuple[Said, ...]:
    said = _said(beats, eyes)
    keys, other_keys = ([(role, _sentence(told)) for _, role, told in one] for one in (said, _said(others, eyes)))
    left = [said[at] for at in _lacking(keys, other_keys)]
    found = []
    for number, some in groupby(left, key=itemgetter(0)):
        by_role: dict[Role | None, tuple[Told, ...]] = {}
        for _, role, told in some:
            by_role[role] = (*by_role.get(role, ()), told)
        lines = {role: mine for role, mine in by_role.items() if role is not None}
        found.append(Said(beats[number], by_role.get(None, ()), lines))
    return tuple(found)


def _said(beats: Sequence[Beat], eyes: str) -> list[tuple[int, Role | None, Told]]:
    """All sentences of *beats*, each with the number of its beat, and the role of whose sheet it tells, if of one's."""
    seen = [(number, beat.seen[eyes]) for number, beat in enumerate(beats) if eyes in beat.seen]
    return [
        one
        for number, here in seen
        for one in (
            *((number, None, told) for told in here.told),
            *((number, role, told) for role, some in here.lines.items() for told in some),
        )
    ]


def _lacking(some: Sequence[Hashable], others: Sequence[Hashable]) -> tuple[int, ...]:
    left, found = Counter(others), []
    for number, one in enumerate(some):
        if left[one]:
            left[one] -= 1
        else:
            found.append(number)
    return tuple(found)


def _sentence(told: Told) -> Hashable:
    return told.moment, told.phase, told.lead, told.text, told.quote, told.line, told.result
