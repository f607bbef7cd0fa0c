"""Forced letters, in the order of KS-ODD-11: what the face shows is changed by the rules that apply, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables.attack import CAVALRY_FAILS, LINE_BEATEN, MASS_FAILS, WORSE
from pbem.systems.kriegsspiel.world.outcomes_attack import LetterChange


class Beaten(NamedTuple):
    """What is so of the beaten, for their letter."""

    cavalry_on_column: str = ""
    """`KS-CAV-01` or `KS-CAV-02`: cavalry that failed against a column or a mass."""
    not_defending: bool = False
    """It could not yet defend itself."""
    line: bool = False
    """Infantry in line, beaten by infantry."""
    mass: bool = False
    """A mass that failed against a line."""
    only_repulsed: str = ""
    """The rule by which it is R alone: KS-SEC-03, KS-SEC-10, KS-STR-08."""
    beaten_before: bool = False
    """A cavalry first line beaten before, or a body not yet recovered from a defeat."""
    by_cavalry: bool = False
    """Infantry beaten by cavalry."""


@rule("KS-ODD-11", "KS-ODD-07", "KS-ODD-08", "KS-ODD-09", "KS-CAV-04")
def forced(letter: str, beaten: Beaten) -> tuple[str, tuple[LetterChange, ...]]:
    """The letter that stands, and every change on the way to it.

    >>> forced("R", Beaten(line=True, only_repulsed="KS-SEC-10"))[0]
    'R'
    """
    changes: list[LetterChange] = []
    for rule_id, to in _steps(letter, beaten):
        if to != letter:
            changes.append(LetterChange(rule_id, letter, to))
            letter = to
    return letter, tuple(changes)


def _steps(letter: str, beaten: Beaten) -> Iterable[tuple[str, str]]:
    if beaten.cavalry_on_column:
        letter = CAVALRY_FAILS[letter]
        yield beaten.cavalry_on_column, letter
    if beaten.not_defending:
        letter = WORSE[letter]
        yield "KS-ODD-07", letter
    if beaten.line:
        letter = LINE_BEATEN[letter]
        yield "KS-ODD-08", letter
    if beaten.mass:
        letter = MASS_FAILS[letter]
        yield "KS-ODD-09", letter
    if beaten.only_repulsed and not beaten.beaten_before:
        letter = "R"
        yield beaten.only_repulsed, letter
    if beaten.by_cavalry:
        yield "KS-CAV-04", "T"


@rule("KS-ODD-07", "KS-RET-02", "KS-RET-04")
def worse(letter: str) -> str:
    """A state one lower: R to D, D to T."""
    return WORSE[letter]
