"""Greetings above orders, and closings and names below them: they are no orders, and no refused lines either.

Only what is nothing else is taken for one.  A line that the system reads, that holds a figure or the verb of an order,
or that begins with what is nearly one, is left where it is, and the receipt says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from pbem.mail.languages import LANGUAGES
from pbem.orders.grammar import bare
from pbem.orders.names import folded
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.orders.words import WORDS

_THANKS = """
    cheers|thanks|many thanks|thank you|thx|bye|good luck|take care
    danke|vielen dank|besten dank|tschüß|ciao|viel glück|schönen gruß
    merci|merci beaucoup|au revoir|à bientôt|bonne chance|bonne journée
    grazie|gracias|hasta luego|groetjes|dank|obrigado|obrigada|tack|takk|tak|kiitos|dzięki|díky|спасибо
"""


_FORMULAS = frozenset(
    folded(word.strip())
    for language in (*((one.greeting, one.closing) for one in LANGUAGES), _THANKS.splitlines())
    for words in language
    for word in words.split("|")
    if word.strip()
)
_WORD = re.compile(r"[^\W\d_][\w'-]*\.?")
_ADDRESSED = 3
"""Words that may follow a formula on its line, or stand on a line of their own below it."""
_LINES = 3
"""Lines at either end that may be courtesies."""
_NO_BLANKS_AFTER = "\u2fff"
"""Letters above it are of scripts that write on without a blank."""

Reads = Callable[[Line], bool]


def without(lines: Sequence[Line], reads: Reads, verbs: Collection[str], names: Collection[str]) -> tuple[Line, ...]:
    """*lines*, which are those of orders, without the courtesies at their ends.

    *reads* says whether the system takes a line for an order; *verbs* are the words that orders begin with, and
    *names* those of the writer and his role.
    """
    words = {verb.casefold().split()[0] for verb in (*verbs, *WORDS)} - {"umpire"}  # whom one may greet
    own = {part.strip(".") for name in names for part in _WORD.findall(folded(name))}

    def kind(line: Line) -> str:
        """`formula`, `own` name, any `name`, or nothing of these."""
        said = " ".join(folded(bare(line.text)).lstrip(" ,.!:;-").split())
        parts = [part.strip(".") for part in _WORD.findall(said)]
        if not parts or any(sign.isdigit() for sign in said) or reads(line):
            return ""
        begun = max((formula for formula in _FORMULAS if _begins(said, formula)), key=len, default="")
        after = parts[len(_WORD.findall(begun)) :] if begun else parts
        if len(after) > _ADDRESSED or not words.isdisjoint(set(after) - own):
            return ""
        if begun:
            return "formula"
        if own.issuperset(parts):
            return "own"
        return "name" if closest(parts[0], words) is None else ""

    above = 0
    while above < min(_LINES, len(lines)) and kind(lines[above]) == "formula":
        above += 1
    for first in range(max(above, len(lines) - _LINES), len(lines)):
        begins, *rest = map(kind, lines[first:])
        if begins in ("formula", "own") and all(rest):
            return tuple(lines[above:first])
    return tuple(lines[above:])


def _begins(said: str, formula: str) -> bool:
    """Whether *said* is *formula*, or begins with it and a mark or blank, which not every script puts there."""
    if not said.startswith(formula):
        return False
    return formula[-1] > _NO_BLANKS_AFTER or not said[len(formula) : len(formula) + 1].isalnum()
