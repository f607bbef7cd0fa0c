"""Orders in other languages: every word has one that means it, and what is said with those is the same order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token

from pbem.orders.grammar import Grammar
from pbem.orders.sheet import Line
from pbem.orders.tongues import Tongue, hearing

GRAMMARS: Mapping[str, Grammar] = {
    system: import_module(f"pbem.systems.{module}").GRAMMAR
    for system, module in {
        "crossroads": "crossroads.sheets.verbs",
        "empire-1870": "empire_1870.sheets.language",
        "half-league": "half_league.sheets.verbs",
        "kriegsspiel": "kriegsspiel.sheets.language",
        "st-privat": "st_privat.world.language",
    }.items()
}
TONGUES = [(system, tongue) for system, grammar in GRAMMARS.items() for tongue in grammar.tongues]
of_each = pytest.mark.parametrize(
    ("system", "tongue"), TONGUES, ids=[f"{system}, {one.language.code}" for system, one in TONGUES]
)
SAME = frozenset(["in", "joker", "the"])
"""Words that are the same in every language."""
_PLAIN = re.compile(r"[a-z]+(?:[_-][a-z0-9]+)*")


def vocabulary(grammar: Grammar) -> Sequence[str]:
    """Every word of a language: its literals, and what stands in its patterns of plain words."""
    literals = [word for word in grammar.table.literals.values() if word.isalpha()]
    patterns = [re.sub(r"\[[^\]]*\][+*]?", "_", one) for one in grammar.table.patterns.values()]
    rows = [row.split("|") for row in patterns if all(map(_PLAIN.fullmatch, row.split("|")))]
    return sorted({*literals, *(word for row in rows for word in row)})


@of_each
def test_every_word_has_one_that_means_it(system: str, tongue: Tongue) -> None:
    alike = {word.replace("-", "_") for word in tongue.said_for}
    parts = {part for word in tongue.said_for for part in word.split()}
    missing = [
        word
        for word in vocabulary(GRAMMARS[system])
        if word not in SAME and word.replace("-", "_") not in alike and word not in parts
    ]
    assert missing == []


@of_each
def test_every_point_of_the_compass_has_one(system: str, tongue: Tongue) -> None:
    for point in ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw"):
        assert tongue.said_for[point]


def tokens(grammar: Grammar, text: str) -> list[Token]:
    """The words of an order."""
    found: list[Token] = []
    assert grammar._machine.cut(text, found), text
    return found


def values(grammar: Grammar, text: str) -> list[tuple[str, str]]:
    """What an order comes to: its words by kind, whatever way they were written."""
    return [(one.type, re.sub(r"[\s-]", "_", str(one).casefold())) for one in tokens(grammar, text)]


def told(grammar: Grammar, tongue: Tongue, text: str, choose: Any) -> str:
    """An order with its words as the tongue has them."""
    parts, at = list[str](), 0
    for token in tokens(grammar, text):
        start, end = token.start_pos or 0, token.end_pos or 0
        word = str(token).casefold()
        keys = [key for key in (word, word.replace(" ", "_"), word.replace(" ", "-")) if key in tongue.said_for]
        own = token.type in grammar._vague or token.type in ("UNIT", "PERSON", "PLACE")
        said = choose(tongue.said_for[keys[0]]) if keys and not own else text[start:end]
        parts += [text[at:start], said]
        at = end
    return "".join([*parts, text[at:]])


EXAMPLES = [(system, line) for system, grammar in GRAMMARS.items() for line in dict.fromkeys(grammar.examples.values())]


@pytest.mark.parametrize(("system", "line"), EXAMPLES, ids=[f"{system}: {line}" for system, line in EXAMPLES])
def test_every_verb_is_read_in_every_language(system: str, line: str) -> None:
    grammar = GRAMMARS[system]
    for tongue in grammar.tongues:
        said = told(grammar, tongue, line, lambda row: row[0])
        [order] = grammar.translated(said) or [one.text for one, _ in grammar.orders_in(Line(1, said))]
        assert values(grammar, order) == values(grammar, line), said


@given(st.data())
def test_an_order_in_other_words_is_the_same_order(data: st.DataObject) -> None:
    system, line = data.draw(st.sampled_from(EXAMPLES))
    grammar = GRAMMARS[system]
    tongue = data.draw(st.sampled_from(grammar.tongues))
    said = told(grammar, tongue, line, lambda row: data.draw(st.sampled_from([*row])))
    for order in grammar.translated(said):
        assert values(grammar, order) == values(grammar, line), said


@pytest.mark.parametrize(("system", "line"), EXAMPLES, ids=[f"{system}: {line}" for system, line in EXAMPLES])
def test_an_order_of_the_language_itself_is_read_as_it_stands(system: str, line: str) -> None:
    with hearing() as heard:
        [(found, _)] = GRAMMARS[system].orders_in(Line(1, line))
    assert (found, dict(heard)) == (Line(1, line), {})
