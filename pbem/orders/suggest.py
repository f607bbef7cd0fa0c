"""The word that was perhaps meant.  It is said, never obeyed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LIKENESS = 65
"""How alike two words must be to be named, of 100.  One slip in a word of four letters is 75."""

LONGEST = 40
"""A word of more letters than this is like none."""

SHORT = 3
"""In a word of so few letters any other letter makes another word: `now` is no slip for `no`."""

LETTERS_A_SLIP = 3
"""So many letters a word has for each slip in it: `once` is no slip for `none`."""


@dataclass(slots=True)
class _Patience:
    """How many more mistakes are looked into."""

    left: int


_PATIENCE: ContextVar[_Patience | None] = ContextVar("patience", default=None)


@contextmanager
def patience(mistakes: int) -> Iterator[None]:
    """Within it only so many mistakes are looked into: of the others it is said that they are none, and no more.

    A sheet of two thousand lines that are no orders costs as much as one of a few.  Outside of it all are.
    """
    token = _PATIENCE.set(_Patience(mistakes))
    try:
        yield
    finally:
        _PATIENCE.reset(token)


def look_into() -> bool:
    """Whether one more mistake is looked into; it then counts."""
    now = _PATIENCE.get()
    if now is None:
        return True
    now.left -= 1
    return now.left >= 0


def closest(word: str, known: Iterable[str]) -> str | None:
    """The one of *known* that is most like *word*, if any is like it; of equals the first in the alphabet.

    *known* holds only what the reader may know: a suggestion tells that a name exists.

    >>> closest("mvoe", ["move", "hold"]), closest("hal", ["halt"])
    ('move', 'halt')
    >>> closest("xyz", ["move", "hold"]), closest("now", ["no"]), closest("hallo", ["gallop"])
    (None, None, None)
    """
    return next(iter(like(word, known)), None)


def like(word: str, known: Iterable[str]) -> list[str]:
    """Those of *known* that may have been meant by *word*, the likest first."""
    now = _PATIENCE.get()
    if len(word) > LONGEST or (now is not None and now.left < 0):
        return []
    # Loaded at the first mistake: most sheets have none.
    from rapidfuzz import fuzz, process

    typed = word.casefold()
    found = process.extract(
        typed, sorted(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=LIKENESS, limit=None
    )
    return [one for one, _, _ in found if _plausible(typed, one.casefold())]


def _plausible(typed: str, meant: str) -> bool:
    if len(typed) >= SHORT and meant.startswith(typed):
        return True
    if len(typed) <= SHORT and (typed + meant).isalpha():
        return sorted(typed) == sorted(meant)
    from rapidfuzz.distance import OSA

    return OSA.distance(typed, meant) <= max(1, len(typed) // LETTERS_A_SLIP)
