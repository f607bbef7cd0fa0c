"""Lines as people write them, loose, hasty and from a phone, are read as they were meant, or mended so.

Each file of `written` has for one system rows of such lines: what was written, and the orders that it says in the form
of the rulebook.  What is `mended` is refused, and what the receipt offers for it, sent back, does what was meant.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lark import Token, Tree
from msgspec import Struct

from pbem.kernel.names import Role
from pbem.orders.lexing import Failure, Machine
from pbem.orders.sheet import Complaint, lines_of
from pbem.rules import registry
from tests.systems.play import Game, campaigns
from tests.systems.secret import plug

FOLDER = Path(__file__).parent / "written"
LINES = 60
"""So many lines each system has at the least."""


SHARED = 6
"""So many paragraphs of the chapter are the same in all rulebooks."""

WORDS = ("line", "text")
"""What of an order says how it was written."""


class Written(NamedTuple):
    """One row: who wrote it, what, and what it says."""

    system: str
    scenario: str
    role: Role
    text: str
    means: str
    taken: bool


def rows() -> Iterator[Written]:
    for path in sorted(FOLDER.glob("*.toml")):
        said = tomllib.loads(path.read_text())
        for kind in ("taken", "mended"):
            for table in said[kind]:
                for text, *means in table["lines"]:
                    yield Written(
                        path.stem, said["scenario"], Role(table["role"]), text, "\n".join(means), kind == "taken"
                    )


ROWS = list(rows())


@cache
def game(system: str, scenario: str) -> Game:
    return Game(registry.load(system), scenario)


def read(row: Written, text: str) -> tuple[list[Any], list[Complaint]]:
    """The orders of a text, by its words alone, without its lines and words; and what was refused."""
    table = game(row.system, row.scenario)
    reading = table.system.read(table.scene, lines_of(text), table.world.minds[row.role], row.role, None)
    return [bared(order) for order in reading.items], [one for one in reading.complaints if one.judgement.refuses]


def bared(order: Any) -> Any:
    """An order, without the words and the lines that it stood in."""
    if isinstance(order, tuple | list):
        return [bared(one) for one in order]
    if isinstance(order, Struct):
        names = [one for one in order.__struct_fields__ if one not in WORDS]
        return [type(order).__name__, *((name, bared(getattr(order, name))) for name in names)]
    return order


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.system}: {row.text}" for row in ROWS])
def test_a_line_is_read_as_it_was_meant(row: Written) -> None:
    wanted, wrong = read(row, row.means)
    assert wanted, wrong
    assert not wrong
    orders, refused = read(row, row.text)
    if row.taken:
        assert not refused
        assert orders == wanted
        return
    (said,) = refused
    before = row.text.splitlines()
    mended = "\n".join([*before[: said.line - 1], said.instead, *before[said.line :]])
    assert read(row, mended) == (wanted, [])


@pytest.mark.parametrize("system", sorted({row.system for row in ROWS}))
def test_the_lines_cover_every_order_of_a_system(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = [row for row in ROWS if row.system == system]
    found: set[str] = set()
    run = Machine.run

    def watched(machine: Machine, text: str) -> Tree[Token] | Failure:
        tree = run(machine, text)
        found.update(names(tree))
        return tree

    monkeypatch.setattr(Machine, "run", watched)
    for example in plug(system).GRAMMAR.examples.values():
        read(mine[0], example)
    wanted = frozenset(found)
    found.clear()
    for row in mine:
        read(row, row.means)

    assert wanted
    assert len(mine) >= LINES
    assert wanted - found == set()


def names(tree: Tree[Token] | Failure | None) -> set[str]:
    """What an order is, and all its parts."""
    return {str(one.data) for one in tree.iter_subtrees()} if isinstance(tree, Tree) else set()


def test_the_rulebooks_say_in_the_same_words_how_a_line_may_be_written() -> None:
    books = {row.system: (campaigns(row.system) / "rulebook.md").read_text() for row in ROWS}
    chapters = {
        system: book.partition("### How a line may be written\n")[2].partition("\n#")[0].splitlines()
        for system, book in books.items()
    }
    shared = set[str].intersection(*map(set, chapters.values())) - {""}

    assert all(chapters.values())
    assert len(shared) == SHARED
