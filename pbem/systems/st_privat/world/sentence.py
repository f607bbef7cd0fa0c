"""One line of orders, being read: the pieces, squares and directions that its words name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.ground.square import Board, Square, parse_square
from pbem.orders.grammar import Node, Word, parts_in, words_in
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sentence import Sentence
from pbem.orders.sheet import Line
from pbem.systems.st_privat.world.pieces import FACINGS, Facing, Formation, Place


def facing_of(text: str) -> Facing:
    """The direction that a word says."""
    return next(way for way in FACINGS if way == text)


def shape_of(text: str) -> Formation:
    """The formation that a word says."""
    return "column" if text == "column" else "line"


class Said(Sentence):
    """The words of one line.  Its options are the parts that begin with a word of their own: `face n`, `in`."""

    def __init__(self, board: Board, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.board = board
        self._options = {str(one.data): one for one in parts_in(tree)}

    # ------------------------------------------------------------ options

    def option(self, name: str) -> Node[Word] | None:
        """An option of that name; the last, if it stands twice."""
        return self._options.get(name)

    def has(self, name: str) -> bool:
        """Whether an option of that name stands in the order."""
        return self.option(name) is not None

    def of_option(self, name: str) -> str:
        """The first word of an option; empty, if it has none or does not stand there."""
        node = self.option(name)
        found = words_in(node) if node is not None else []
        if not found:
            return ""
        self.spots[name] = found[0]
        return found[0].lower()

    def squares_of(self, name: str) -> tuple[Square, ...]:
        """The squares of an option, one after another."""
        node = self.option(name)
        return () if node is None else self.row(words_in(node, "SQUARE"), name)

    # ------------------------------------------------------------ squares

    def at(self, word: Word, spot: str = "square") -> Square:
        """A square of the board.

        :raises BadWord: if it has none of that name.
        """
        self.spots[spot] = word
        found = parse_square(word)
        if found is None or found not in self.board:
            last = f"{chr(ord('A') + self.board.files - 1)}-{self.board.rows}"
            raise BadWord(Wrong(f"the board has no square {word.upper()}; it goes from A-1 to {last}"), word)
        return found

    def row(self, found: Iterable[Word], spot: str) -> tuple[Square, ...]:
        """Squares one after another; their spots are numbered from 0."""
        return tuple(self.at(word, f"{spot}.{index}") for index, word in enumerate(found))

    def square(self) -> Square:
        """The square of the order itself."""
        return self.at(self.the("SQUARE"))

    def listed(self) -> tuple[str, ...]:
        """A list of squares and words, in the order written."""
        words = [one for one in words_in(self.tree) if one.type != "ALL"]
        return tuple(
            self.at(one, f"list.{index}") if one.type == "SQUARE" else one.lower() for index, one in enumerate(words)
        )

    def place(self) -> Place:
        """`in` the building, or outside."""
        return "inside" if self.says("IN") or self.has("inside") else "outside"

    def place_if_said(self) -> Place | None:
        """`in`, `out`, or not said."""
        return "inside" if self.has("inside") else "outside" if self.has("outside") else None

    # ------------------------------------------------------------ ways and shapes

    def way(self) -> Facing | None:
        """The direction that stands in the order itself."""
        found = self.word("N", "E", "S", "W")
        return None if found is None else facing_of(found.lower())

    def shape(self) -> Formation:
        """The formation that stands in the order itself."""
        return shape_of(self.the("LINE", "COLUMN").lower())

    # ------------------------------------------------------------ pieces

    def id(self) -> str:
        """The piece of the order itself."""
        word = self.the("ID")
        self.spots["units"] = self.spots["units.0"] = word
        return word.lower()

    def units(self) -> tuple[str, ...]:
        """Selectors as the state keeps them: `p1`, `@J-10`, `@J-10 in`, `all`."""
        node = self.option("units")
        if node is None:
            if everybody := self.word("ALL"):
                self.spots["units"] = everybody
            return ("all",)
        found = []
        for index, unit in enumerate(parts_in(node)):
            first, *more = words_in(unit)
            self.spots.setdefault("units", first)
            self.spots[f"units.{index}"] = first
            name = first.lower()
            if first.type == "SQUARE":
                name = f"@{self.at(first, f'units.{index}')}{' in' if more else ''}"
            found.append(name)
        return tuple(dict.fromkeys(found))


# ------------------------------------------------------------------ what reads an option


def having(name: str) -> Callable[[Said], bool]:
    """Whether an option stands in the order."""
    return lambda said: said.has(name)


def word(name: str) -> Callable[[Said], str]:
    """The word of an option; empty without it."""
    return lambda said: said.of_option(name)


def facing(name: str) -> Callable[[Said], Facing | None]:
    """The direction of an option."""
    return lambda said: facing_of(found) if (found := said.of_option(name)) else None


def shape(name: str) -> Callable[[Said], Formation | None]:
    """The formation of an option."""
    return lambda said: shape_of(found) if (found := said.of_option(name)) else None


def square(name: str) -> Callable[[Said], Square | None]:
    """The square of an option."""

    def read(said: Said) -> Square | None:
        node = said.option(name)
        return None if node is None else said.at(words_in(node, "SQUARE")[0], name)

    return read


def number(most: int) -> Callable[[Said], int]:
    """The number of the order itself, from 1."""

    def read(said: Said) -> int:
        found = said.spots["number"] = said.the("NUMBER")
        return said.number(found, 1, most, f"the number is from 1 to {most}")

    return read
