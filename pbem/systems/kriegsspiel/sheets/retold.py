"""Lines as a staff writes them in haste, written out as the language has them (KS-ORD-11).

`3/F: halt`, `Order to 3/F to march …`, `to 3/F, J2/a: halt`, `to all: …`, a line that begins with `then`: each says for
whom it is, and is written out as a paper for him.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbem.orders.grammar import Node, Word
from pbem.orders.kindness import Dialect
from pbem.orders.retelling import Groups, may_look_elsewhere, retold
from pbem.orders.sheet import Line
from pbem.orders.tongues import heard
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.sheets.dialect import DIALECT
from pbem.systems.kriegsspiel.sheets.language import GRAMMAR
from pbem.systems.kriegsspiel.sheets.lexicon import MARKS, Marked
from pbem.systems.kriegsspiel.sheets.marking import mark

_THEN = re.compile(r"(?:and\s+)?then\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^[^:]*:[^:]*\b(?:it|you|they|i)\b", re.IGNORECASE)
"""Of an order, not of a text: whom or what it means, the line says elsewhere."""
_LOOSE = re.compile(
    r"\w/\w|;|^\s*(?:[-*\u2022]\s|\d{1,2}[.)]\s|(?:and\s+)?then\b|i\b|i'|please\b|orders?\b|tell\b|instruct\b|"
    r"have\b|let\b|wake\b|all\b|everybody\b|everyone\b|(?:hold|halt)[\s.]*$|to\b|voice\b|shout\b|call\b|staff\b|"
    r"look\b|ride\b|stay\b)",
    re.IGNORECASE,
)
"""What a line has in it, or begins with, that is looked into."""


REMEMBERED = 64
"""So many forms of lines are remembered while a sheet is read: what is tried is taken, and read once more."""


class Said(NamedTuple):
    """A line with its names marked, and its tree, if it is an order."""

    line: Line
    marked: Marked
    tree: Node[Word] | None


@lru_cache(maxsize=16)
def _dialect_of(names: tuple[str, ...]) -> Dialect:
    longest = sorted(names, key=lambda name: -len(name))
    return DIALECT.named("|".join(re.escape(name).replace("_", r"[\s_-]") for name in longest))


class Reteller:
    """Writes out the lines of one sheet."""

    def __init__(self, bench: Bench, lines: Sequence[Line]) -> None:
        self.bench, self.lexicon, self._lines = bench, bench.lexicon, lines
        self._known: dict[str, tuple[Marked, Node[Word] | None]] = {}

    @cached_property
    def _dialect(self) -> Dialect:
        """The dialect, with the names of this side."""
        shown = self.lexicon.shown
        return _dialect_of((*shown["unit"], *shown["person"]))

    @rule("KS-ORD-11")
    def told(self, line: Line, *, block: bool, to: str) -> Iterator[Said]:
        """The orders that a line says; itself, if it is one or nothing can be made of it.

        *block*: it stands in a paper of several lines; *to*: whom the line above was for.
        """
        said = self._said(line)
        if _takes(said, block=block):
            yield said
            return
        if found := self._translated(said, block=block):
            heard(line.number, found.line.text)
            yield found
            return
        if not (said.marked.names or _LOOSE.search(GRAMMAR.glossed(said.marked.original))):
            yield said
            return
        text = said.marked.original
        if to and not block and (_THEN.match(text.strip()) or _THEN.match(GRAMMAR.glossed(text.strip()))):
            text = f"to {to}: {text.strip()}"
        takes = lambda one: _takes(self._said(Line(line.number, one)), block=block)  # noqa: E731 - asked in two places
        units, groups = tuple(self.lexicon.shown["unit"]), {} if block else self.groups
        told = retold(text, takes, self._dialect, units, groups)
        for tongue in GRAMMAR.tongues_of(text, surely=False) if not told and may_look_elsewhere() else ():
            dialect = tongue.dialect.named(self._dialect.names)
            told = told or tongue.retold(text, takes, dialect, units, groups)
            for one in told:
                heard(line.number, one)
        for one in told:
            yield self._said(Line(line.number, one, line.text))
        if not told:
            yield said

    def _translated(self, said: Said, *, block: bool) -> Said | None:
        """The order that a line says in another language; None: it says none."""
        for order in GRAMMAR.translated(said.marked.text):
            found = self._said(Line(said.line.number, said.marked.unmarked(order), said.line.text))
            if _takes(found, block=block):
                return found
        return None

    def _said(self, line: Line) -> Said:
        found = self._known.get(line.text)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            marked = mark(self.lexicon, line.text)
            found = self._known[line.text] = marked, GRAMMAR.tree(marked.text)
        return Said(line, *found)

    @cached_property
    def groups(self) -> Groups:
        """Whom `all` is for: those of his own who are named on no line of the sheet; a whole regiment as one."""
        found = [name for line in self._lines for name in mark(self.lexicon, line.text).names if name.kind == "unit"]
        named = {unit for name in found for unit in self.bench.members(self.lexicon.units[name.key])}
        return {"all": self.bench.gathered([unit for unit in self.bench.own() if unit not in named])}


def _takes(said: Said, *, block: bool) -> bool:
    """Whether a line is an order at its place, and for somebody whom the writer knows."""
    tree = said.tree
    if tree is None or (tree.data == "block_line" and not block) or _PRONOUN.search(said.marked.text):
        return False
    return tree.data not in ("to", "voice") or _addressed(tree)


def _addressed(tree: Node[Word]) -> bool:
    """Whether a paper or a shout is for a unit or a commander that has a name."""
    who = next(one for one in tree.scan_values(lambda _: True))
    return str(who)[:1] in (MARKS["unit"], MARKS["person"])
