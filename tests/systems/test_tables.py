"""The tables of the languages of orders that lie ready: each is what Lark makes, and so are the trees made by it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Token
from msgspec import json

from pbem.orders.grammar import Grammar, bare
from pbem.orders.table import TABLES, lark_of, made, table_of
from pbem.rules import registry
from tests.systems.test_languages import GRAMMARS

CASES = Path(__file__).parents[1] / "cases"
of_each = pytest.mark.parametrize("system", sorted(GRAMMARS))


@of_each
def test_it_is_the_table_of_the_grammar_as_it_stands(system: str, golden: Callable[[Path, bytes], None]) -> None:
    golden(TABLES / f"{system}.json", json.encode(made(GRAMMARS[system].text)) + b"\n")


def test_every_system_has_one_and_nothing_else_does() -> None:
    assert {path.stem for path in TABLES.iterdir()} == set(GRAMMARS) == set(registry.BUILT_IN)


@of_each
def test_of_another_grammar_it_is_not_taken(system: str) -> None:
    other = f"{GRAMMARS[system].text}\n// changed since\n"

    assert table_of(other, system) == made(other)
    assert table_of(other, system).grammar != table_of(GRAMMARS[system].text, system).grammar


def test_one_that_cannot_be_read_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = GRAMMARS["crossroads"].text
    (tmp_path / "crossroads.json").write_text("half a tab")
    monkeypatch.setattr("pbem.orders.table.TABLES", tmp_path)

    assert table_of(grammar, "crossroads") == made(grammar)


@of_each
def test_the_trees_are_those_of_lark(system: str) -> None:
    grammar = GRAMMARS[system]
    lark = lark_of(grammar.text)
    seen = 0
    for text in sorted(set(lines_of(system, grammar))):
        tokens: list[Token] = []
        if grammar._machine.cut(text, tokens):
            seen += 1
            lark_reads = lark.parse_interactive("")
            for one in tokens:
                lark_reads.feed_token(one)
            assert grammar.tree(text) == lark_reads.feed_eof(), text  # type: ignore[no-untyped-call] # it says nothing of it
    assert seen > 60


def lines_of(system: str, grammar: Grammar) -> Iterator[str]:
    """The examples of a language, and whatever line stands in the cases of its rules."""
    yield from grammar.examples.values()
    for path in sorted((CASES / system).glob("*.toml")):
        yield from map(bare, _said(tomllib.loads(path.read_text("utf-8"))))


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, dict):
        for one in value.values():
            yield from _said(one)
    elif isinstance(value, list):
        for one in value:
            yield from _said(one)
