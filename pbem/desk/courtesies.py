"""Greetings above orders, and closings and names below them: they are no orders, and no refused lines either.

Only what is nothing else is taken for one.  A line that the system reads, that holds a figure or the verb of an order,
or that begins with what is nearly one, is left where it is, and the receipt says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from pbem.mail.languages import LANGUAGES
from pbem.orders.grammar import bare
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.orders.words import WORDS

_GREETINGS = """
    hi|hello|hey|dear|good morning|good day|good evening|cheers|thanks|many thanks|thank you|thx|bye|good luck|take care
    hallo|servus|moin|liebe|lieber|guten morgen|guten tag|guten abend|danke|vielen dank|tschüss|tschüß|ciao|viel glück
    schönen gruß|gruss|grüsse|viele grüsse|liebe grüsse|beste grüsse|schöne grüsse
    salut|bonjour|bonsoir|cher|chère|merci|merci beaucoup|au revoir|à bientôt|bonne chance|bonne journée
    ciao a tutti|buongiorno|buonasera|grazie|hola|gracias|hasta luego|hoi|groetjes|dank|olá|obrigado|obrigada
    hej|hei|moi|tack|takk|tak|kiitos|cześć|dzięki|ahoj|díky|привет|спасибо
"""
_FORMULAS = frozenset(
    word.strip()
    for words in (*(language.closing for language in LANGUAGES), *_GREETINGS.strip().splitlines())
    for word in words.split("|")
)
_WORD = re.compile(r"[^\W\d_][\w'-]*\.?")
_ADDRESSED = 3
"""Words that may follow a formula on its line, or stand on a line of their own below it."""
_LINES = 3
"""Lines at either end that may be courtesies."""

Reads = Callable[[Line], bool]


def without(lines: Sequence[Line], reads: Reads, verbs: Collection[str], names: Collection[str]) -> tuple[Line, ...]:
    """*lines*, which are those of orders, without the courtesies at their ends.

    *reads* says whether the system takes a line for an order; *verbs* are the words that orders begin with, and
    *names* those of the writer and his role.
    """
    words = {verb.casefold().split()[0] for verb in (*verbs, *WORDS)} - {"umpire"}  # whom one may greet
    own = {part.casefold().strip(".") for name in names for part in _WORD.findall(name)}

    def kind(line: Line) -> str:
        """`formula`, `own` name, any `name`, or nothing of these."""
        said = " ".join(bare(line.text).casefold().strip(" ,.!:;-–—").split())
        parts = [part.strip(".") for part in _WORD.findall(said)]
        if not said or any(sign.isdigit() for sign in said) or reads(line):
            return ""
        begun = max((formula for formula in _FORMULAS if _begins(said, formula)), key=len, default="")
        after = parts[len(_WORD.findall(begun)) :] if begun else parts
        if len(after) > _ADDRESSED or not words.isdisjoint(set(after) - own):
            return ""
        if begun:
            return "formula"
        if parts and own.issuperset(parts):
            return "own"
        return "name" if parts and closest(parts[0], words) is None else ""

    above = 0
    while above < min(_LINES, len(lines)) and kind(lines[above]) == "formula":
        above += 1
    for first in range(max(above, len(lines) - _LINES), len(lines)):
        begins, *rest = map(kind, lines[first:])
        if begins in ("formula", "own") and all(rest):
            return tuple(lines[above:first])
    return tuple(lines[above:])


def _begins(said: str, formula: str) -> bool:
    """Whether *said* is *formula*, or begins with it and a mark or blank after it."""
    return said.startswith(formula) and not said[len(formula) : len(formula) + 1].isalnum()
