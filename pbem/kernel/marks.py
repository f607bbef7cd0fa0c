"""The lines `begin` and `end`, between which a sheet of orders may stand."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "begin"
END: Final = "end"

_WORDS: Final = {BEGIN: BEGIN, END: END, "anfang": BEGIN, "beginn": BEGIN, "ende": END}
"""The words that are one, in each language."""

_ROUND: Final = " \t\u00a0:.,;!*_`'\"=~<>[]()-\u2010\u2011\u2012\u2013\u2014"
_LONGEST: Final = 40


def said(text: str) -> str:
    """The words of a line in small letters, without what is drawn round them and without its comment.

    >>> said("*END*."), said("--- Begin ---"), said("end of the world")
    ('end', 'begin', 'end of the world')
    """
    return " ".join(text.partition("#")[0].casefold().strip(_ROUND).split())


def mark_of(text: str) -> str:
    """`BEGIN` or `END`, if a line is that and nothing else; else nothing.

    >>> mark_of("BEGIN:"), mark_of("Ende."), mark_of("end letter"), mark_of("begin bombardment")
    ('begin', 'end', '', '')
    """
    return _WORDS.get(said(text), "") if len(text) <= _LONGEST else ""
