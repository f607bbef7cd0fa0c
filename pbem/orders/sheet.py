"""A sheet as the player wrote it, and what can be said of its lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.names import RuleId

Item = TypeVar("Item")


class Line(Struct, frozen=True):
    """One line, numbered as typed, from 1.

    *typed*: what was typed, where *text* is an order written out of it.
    """

    number: int
    text: str
    typed: str = ""


class Order(Struct, frozen=True, kw_only=True, tag_field="verb", omit_defaults=True):
    """The common part of the orders of a system: the line on which one stands, of a block the first, and its text."""

    line: int
    text: str


class Judgement(Enum):
    """The three refusals, told apart, and what is less than a refusal."""

    NOT_UNDERSTOOD = "not understood"
    NOT_ALLOWED = "not allowed"
    NOT_CLEAR = "not clear"
    DOUBTFUL = "accepted with doubt"
    NOT_USED = "not used"
    """Kept, but of a kind that does not count in this exchange."""
    SUPERSEDED = "superseded"
    """A later line orders the same thing."""

    @property
    def refuses(self) -> bool:
        """Whether the line is no order because of it."""
        return self in (Judgement.NOT_UNDERSTOOD, Judgement.NOT_ALLOWED, Judgement.NOT_CLEAR)


_OVER = (Judgement.NOT_USED, Judgement.SUPERSEDED)


class Complaint(Struct, frozen=True):
    """What is wrong with a line, where, and what would do.

    *line* 0 is the sheet as a whole; *column* counts characters from 1, 0 is the whole line; *width* is the
    length of what is meant.  *instead*: the line as it may have been meant, and would be taken; *example*: an order of
    its form, which is another.
    """

    line: int
    column: int
    judgement: Judgement
    why: str
    rule: RuleId | None = None
    instead: str = ""
    width: int = 1
    example: str = ""


class Reading(Struct, Generic[Item], frozen=True):
    """A sheet as read: the items in the order written, each carrying its line, and the complaints."""

    items: tuple[Item, ...]
    complaints: tuple[Complaint, ...] = ()


def in_part(complaints: Iterable[Complaint], standing: Collection[int]) -> list[Complaint]:
    """Complaints, of which none refuses a line of which something stands.

    *standing*: the numbers of lines that were for several units or said several things, and of which some stand.
    """
    return [
        replace(
            one,
            judgement=Judgement.DOUBTFUL,
            why=f"{one.judgement.value}: {one.why}{'.'[one.why.endswith('?') :]}  The rest of the line stands",
            instead="",
            example="",
        )
        if one.line in standing and (one.judgement.refuses or one.judgement in _OVER)
        else one
        for one in complaints
    ]


def read_whole(items: Iterable[Item], complaints: Iterable[Complaint]) -> Reading[Item]:
    """A sheet as read, with its complaints in the order of what they are about."""
    return Reading(tuple(items), tuple(sorted(complaints, key=lambda one: (one.line, one.column))))


def offered(order: str, why: str = "", *, column: int) -> str:
    """An order line for a template: behind a mark, so that it orders nothing; from *column* on what is said of it.

    >>> offered("move p1 to ...", "J-9, line", column=24)
    '# move p1 to ...        # J-9, line'
    """
    written = f"# {order}"
    return f"{written:<{column - 1}} # {why}" if why else written


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of *text*, numbered from 1.

    >>> lines_of("move p1 to Q-9\\n\\nhold p2")[2]
    Line(number=3, text='hold p2', typed='')
    """
    return tuple(Line(number, line) for number, line in enumerate(text.splitlines(), start=1))
