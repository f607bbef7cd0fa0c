"""What stands above and below orders and is none: greetings, sentences, closings, names.  They are no refused lines.

Above the first and below the last line that is anything like an order, prose is prose; the receipt lists it.  A line is
like an order if the system reads it, if it begins with a verb or with what is nearly one, if it names what may be a
unit or a place, or if it stands among orders as they do.  Such a line is left where it is, and the receipt says what
is wrong with it: no order that was mistyped shall pass for prose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import IntEnum
from functools import cache

from pbem.kernel.marks import END, mark_of
from pbem.mail.wire.languages import LANGUAGES
from pbem.orders.commands import WORDS
from pbem.orders.grammar import bare
from pbem.orders.names import folded
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.orders.words import Reads

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
_CHAT = """
    i i'm i'll i've me my mine you your yours we our us he she they their is are was were am been being has had
    does did will would can could should may might this these those here there it its please sorry hope dear
    ich mein meine meiner meinen meinem mir mich sie ihr ihre ihren wir unser unsere ist sind war hier anbei bitte
    je j'ai mes mon ma vous votre vos nous voici est sont ci-joint
    io miei mie mio ecco sono allego yo mis mi aquí están adjunto ik mijn hier zijn bijgaand meus minhas aqui
    jeg mine her jag mina här minun tässä moje oto mé zde мои вот
"""
"""Words of those who write to somebody: no order has one."""
_JOINING = "to at when if then after on none for not words start end text say give all in out with"
"""Verbs of orders that begin sentences as well."""
_WORD = re.compile(r"[^\W\d_][\w'-]*\.?")
_CODE = re.compile(
    r"(?<![\w/.@-])(?:[^\W\d_]{1,4}-?\d{1,4}|\d{1,3}/[^\W\d_]\w*|\d{1,3},\d{1,3}|\d{1,2}[A-Z]{2,3})(?![\w@])"
)
"""What may be a unit, a place or a strength: `p1`, `UK-33`, `1/F`, `52,50`, `2SP`."""
_HEADING = re.compile(r"\b(?:orders?|befehle?|ordres?|ordini|ordenes|bevelen)\b[^:]*:$")
"""`Orders for turn 5A:` is no order, whatever a system makes of it."""
_LINK = re.compile(r"\S@\S|://|\bwww\.", re.IGNORECASE)
_ADDRESSED = 3
"""Words that may follow a formula on its line, or stand on a line of their own below it."""
_SHORT = 6
"""A line of more words that names nothing is a sentence, wherever it stands."""
_ASKED = 8
"""So long may a line be in which an order is asked for."""
_SENTENCE = 4
"""So is one of so many words that ends as sentences do."""
_NEARLY = 2
"""A line of more words that begins with what is nearly a verb may as well begin with a name."""
_NO_BLANKS_AFTER = "\u2fff"
"""Letters above it are of scripts that write on without a blank."""


_CHATTING = frozenset(map(folded, _CHAT.split()))
BEGINNING = frozenset(_JOINING.split())
"""They are no verbs by which a line is known for an order, in whatever language."""
_ASKING = re.compile(r"\b(?:please|kindly|bitte)\s+([^\W\d_]+)")
"""Who asks for something with such a word orders it."""


class Like(IntEnum):
    """How like an order a line is."""

    NOT = 0
    """A formula, the writer's own name, a sentence."""
    PLACE = 1
    """Nothing in it says so; among orders it may be one."""
    NAMES = 2
    """It names what may be a unit or a place, or begins as a verb nearly does."""
    VERB = 3
    """It begins with a verb, or the system reads it."""


def without(
    lines: Sequence[Line], reads: Reads, verbs: Collection[str], names: Collection[str], *, alone: bool = True
) -> tuple[Line, ...]:
    """*lines*, which may be orders, without the prose at their ends.

    *reads* says whether the system takes a line for an order; *verbs* are the words that orders begin with, and
    *names* those of the writer and his role.  Where no line is like an order, all are prose; but if there is nothing
    else in the letter (*alone*) only courtesies are, so that the writer is told what is wrong with the others.
    """
    judge = _Judge(reads, verbs, names)
    found = [judge.like(line) for line in lines]
    verbs_at = [at for at, one in enumerate(found) if one is Like.VERB]
    sure = verbs_at[-1] if verbs_at else next((at for at, one in enumerate(found) if one is Like.NAMES), len(lines))
    closing = next((at for at in range(sure + 1, len(lines)) if judge.closes(lines[at])), len(lines))
    for at in range(closing + 1, len(lines)):
        # Below a closing stand names, streets and telephones.
        if found[at] is not Like.VERB:
            found[at] = Like.NOT
    like = [at for at, one in enumerate(found) if one >= Like.NAMES]
    if not like:
        return tuple(line for line, one in zip(lines, found, strict=True) if alone and one is not Like.NOT)
    first, last = like[0], like[-1]
    while first and found[first - 1] is Like.PLACE and lines[first - 1].number == lines[first].number - 1:
        first -= 1
    while last + 1 < len(lines) and found[last + 1] is Like.PLACE and lines[last + 1].number == lines[last].number + 1:
        last += 1
    return tuple(lines[first : last + 1])


class _Judge:
    """Says of lines how like orders they are, by what one writer in one game may mean."""

    def __init__(self, reads: Reads, verbs: Collection[str], names: Collection[str]) -> None:
        self._reads = reads
        self._verbs = {verb.casefold().split()[0] for verb in verbs}
        self._words = (self._verbs | set(WORDS)) - {"umpire"}  # whom one may greet
        self._own = {part.strip(".") for name in names for part in _WORD.findall(folded(name))}

    def like(self, line: Line) -> Like:
        """How like an order a line is."""
        said, parts, begun = _read(line)
        if _HEADING.search(said) or not any(map(str.isalnum, said)):
            return Like.NOT
        if mark_of(line.text) == END or self._reads(line):
            return Like.VERB
        if not parts:
            return Like.NAMES if _CODE.search(said) else Like.PLACE
        if self._own.issuperset(parts) or _LINK.search(said):
            return Like.NOT
        codes = bool(_CODE.search(bare(line.text)))
        after = parts[len(_WORD.findall(begun)) :]
        if begun and not after:
            return Like.NOT
        strange = set(after) - self._own
        chats = not _CHATTING.isdisjoint(parts)
        few = len(after) <= _ADDRESSED
        sentence = len(parts) > _SHORT or (len(parts) >= _SENTENCE and said.endswith((".", "!", "?", ":", "…")))
        if after[0] in self._verbs - BEGINNING or (begun and few and not self._verbs.isdisjoint(strange)):
            return Like.VERB
        if len(after) <= _NEARLY and not self._words.isdisjoint(strange - BEGINNING):
            return Like.VERB
        if (asked := _ASKING.search(said)) and asked[1] in self._verbs and len(parts) <= _ASKED:
            return Like.VERB
        if not (begun or chats or sentence or self._verbs.isdisjoint(strange - BEGINNING)):
            return Like.NAMES
        near = self._words if len(parts) <= _NEARLY else self._verbs
        if not begun and (codes or not (chats or sentence)) and closest(parts[0], near) is not None:
            return Like.VERB if codes else Like.NAMES
        if codes:
            return Like.NAMES
        return Like.NOT if begun or chats or sentence else Like.PLACE

    def closes(self, line: Line) -> bool:
        """Whether a line is a formula with few words behind it, or a drawn one: below orders it closes the letter."""
        said, parts, begun = _read(line)
        if not any(map(str.isalnum, said)):
            return True
        return bool(begun) and len(parts) - len(_WORD.findall(begun)) <= _ADDRESSED and not self._reads(line)


def _read(line: Line) -> tuple[str, list[str], str]:
    """What a line says, its words, and the formula that it begins with."""
    said = " ".join(folded(bare(line.text)).lstrip(" ,.!:;-").split())
    parts = [part.strip(".") for part in _WORD.findall(said)]
    return said, parts, max((one for one in _by_letter().get(said[:1], ()) if _begins(said, one)), key=len, default="")


@cache
def _by_letter() -> dict[str, tuple[str, ...]]:
    """The formulas by what they begin with."""
    firsts = dict.fromkeys(formula[:1] for formula in _FORMULAS)
    return {first: tuple(formula for formula in _FORMULAS if formula[:1] == first) for first in firsts}


def _begins(said: str, formula: str) -> bool:
    """Whether *said* is *formula*, or begins with it and a mark or blank, which not every script puts there."""
    if not said.startswith(formula):
        return False
    return formula[-1] > _NO_BLANKS_AFTER or not said[len(formula) : len(formula) + 1].isalnum()
