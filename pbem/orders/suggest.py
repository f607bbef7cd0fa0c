"""The word that was perhaps meant.  It is said, never obeyed."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

LIKENESS = 65
"""How alike two words must be to be named, of 100.  One slip in a word of four letters is 75."""

LONGEST = 40
"""A word of more letters than this is like none."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """The one of *known* that is most like *word*, if any is like it; of equals the first in the alphabet.

    *known* holds only what the reader may know: a suggestion tells that a name exists.

    >>> closest("mvoe", ["move", "hold"])
    'move'
    >>> closest("xyz", ["move", "hold"]) is None
    True
    """
    if len(word) > LONGEST:
        return None
    ordered = sorted(known)
    found = process.extractOne(
        word.casefold(), ordered, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=LIKENESS
    )
    return None if found is None else found[0]
