"""The account of a text: what each of its lines was taken for.  No line of it is missing, and none stands twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct

from pbem.orders.grammar import bare
from pbem.orders.sheet import Line


class LineFate(Enum):
    """What a line of a text was taken for."""

    ORDER = "given to the rules as an order"
    OFFICE = "a word to the office, or the text that belongs to one"
    AGAIN = "a word to the office that another line says as well, or a later one overtakes"
    OVER = "a word to the office beyond the bound of what one text may ask"
    HEAD = "the head of the sheet"
    MARK = "begin or end"
    COMMENT = "a comment"
    BLANK = "blank"
    PROSE = "not an order"
    OUTSIDE = "outside begin and end"
    QUOTED = "quoted"
    SIGNATURE = "below the letter: a signature, or what a mail program put there"


class Accounted(Struct, frozen=True):
    """A line and what it was taken for."""

    line: Line
    fate: LineFate


def unsaid(line: Line) -> LineFate:
    """What a line is that nobody has taken for anything."""
    if not line.text.strip():
        return LineFate.BLANK
    return LineFate.PROSE if bare(line.text).strip(" ,.") else LineFate.COMMENT


def changed(account: Iterable[Accounted], lines: Iterable[Line], fate: LineFate) -> tuple[Accounted, ...]:
    """The account with another fate for some *lines* of it."""
    numbers = {line.number for line in lines}
    return tuple(Accounted(one.line, fate) if one.line.number in numbers else one for one in account)


def of_fate(account: Sequence[Accounted], *fates: LineFate) -> tuple[Line, ...]:
    """The lines of an account that were taken for one of *fates*."""
    return tuple(one.line for one in account if one.fate in fates)
