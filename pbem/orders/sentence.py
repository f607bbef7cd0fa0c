"""One line of orders, being read: its words, where each stood, and the order that it comes to.

A system reads its own kinds of words in a class of its own on `Sentence`, and says in a row what each field of an
order is read by (`order_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Self, TypedDict, TypeVar

from pbem.kernel.numbers import whole
from pbem.orders.grammar import Node, Word, bare, parts_in, words_in
from pbem.orders.refusal import BadWord, Wrong, mended
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest


class Head(TypedDict):
    """What every order carries: the number of its line, and the line with its blanks drawn together."""

    line: int
    text: str


class Sentence:
    """The words of one line.  *spots* keeps where each part of the order stood, for what is said of it later."""

    def __init__(self, line: Line, tree: Node[Word]) -> None:
        self.line, self.tree = line, tree
        self.spots: dict[str, Word] = {}

    @property
    def head(self) -> Head:
        """Line and text of the order."""
        return {"line": self.line.number, "text": " ".join(bare(self.line.text).split())}

    def of(self, node: Node[Word]) -> Self:
        """A part of the line, to be read as the line is; where its words stood is kept with those of the line."""
        inner = copy(self)
        inner.tree = node
        return inner

    # ------------------------------------------------------------ words

    def words(self, *kinds: str) -> list[Word]:
        """The words of these kinds that stand in the order itself."""
        return [one for one in words_in(self.tree) if one.type in kinds]

    def word(self, *kinds: str) -> Word | None:
        """The first of them, if there is one."""
        return next(iter(self.words(*kinds)), None)

    def the(self, *kinds: str) -> Word:
        """The one word of these kinds, where the grammar asks for it."""
        return self.words(*kinds)[0]

    def says(self, kind: str) -> bool:
        """Whether a word of this kind stands in the order itself."""
        return self.word(kind) is not None

    def part(self, *names: str) -> Node[Word] | None:
        """The first part of these names."""
        return next(iter(parts_in(self.tree, *names)), None)

    # ------------------------------------------------------------ what a word cannot be

    def number(self, word: Word, least: int, most: int, why: str, rule: str = "") -> int:
        """A whole number in its bounds.

        :raises BadWord: saying *why*, if it is none.
        """
        found = whole(str(word))
        if found is None or not least <= found <= most:
            raise BadWord(Wrong(why, rule), word)
        return found

    def unknown(self, words: list[Word], why: str, names: Iterable[str], rule: str) -> BadWord:
        """That there is nothing of the name that these words are; a name like it is offered, in the line mended."""
        first, last = words[0], words[-1]
        said = bare(self.line.text)[first.start_pos : last.end_pos]
        whole_name = Word.new_borrow_pos(first.type, said, first)
        whole_name.end_column = last.end_column
        meant = closest(said, list(names)) or ""
        more = f"; did you mean {meant}?" if meant else ""
        return BadWord(Wrong(f"{why}{more}", rule, mended(self.line, whole_name, meant)), whole_name)


Read = TypeVar("Read", bound=Sentence)
Made = TypeVar("Made")


def made_of(kind: Callable[..., Made], *fixed: object, **fields: Callable[[Read], object]) -> Callable[[Read], Made]:
    """How a line, or a part of it, becomes a thing of this *kind*: what is *fixed*, and each field by what reads it."""
    return lambda told: kind(*fixed, **{name: read(told) for name, read in fields.items()})


def order_of(kind: Callable[..., Made], **fields: Callable[[Read], object]) -> Callable[[Read], Made]:
    """How a line becomes an order of this *kind*: its line and text, and each of its *fields* by what reads it."""
    return lambda told: kind(**told.head, **{name: read(told) for name, read in fields.items()})
