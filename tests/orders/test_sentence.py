"""A line being read: its words, its parts, and what is said of a word that the game does not have."""

from __future__ import annotations

import pytest
from msgspec import Struct

from pbem.orders.grammar import Grammar, Node, Word
from pbem.orders.refusal import BadWord
from pbem.orders.sentence import Sentence, made_of, order_of
from pbem.orders.sheet import Complaint, Line

GRAMMAR = Grammar(
    r"""
    order: "march" NUMBER place+ -> march
    place: NAME+
    NUMBER: /\d+/
    NAME: /[a-z]+/
    """,
    examples={"march": "march 3 home"},
    words={"NUMBER": "a number", "NAME": "a name"},
)


class March(Struct):
    """The order of these tests."""

    line: int
    text: str
    far: int


def told(text: str) -> Sentence:
    line = Line(4, text)
    tree = GRAMMAR.parse(line)
    assert not isinstance(tree, Complaint)
    return Sentence(line, tree)


def part(sentence: Sentence, name: str) -> Node[Word]:
    found = sentence.part(name)
    assert found is not None
    return found


def test_an_order_has_its_line_its_text_and_what_its_fields_are_read_by() -> None:
    read = order_of(March, far=lambda told: int(told.the("NUMBER")))

    assert read(told("march   3  home")) == March(4, "march 3 home", 3)


def test_a_thing_is_made_of_what_is_fixed_and_of_what_its_fields_are_read_by() -> None:
    read = made_of(March, 4, "as it was", far=lambda told: int(told.the("NUMBER")))

    assert read(told("march 3 home")) == March(4, "as it was", 3)


def test_a_part_is_read_as_the_line_is_and_its_words_are_kept_with_those_of_the_line() -> None:
    sentence = told("march 3 home")
    inner = sentence.of(part(sentence, "place"))
    inner.spots["place"] = inner.the("NAME")

    assert (sentence.says("NAME"), inner.says("NAME")) == (False, True)
    assert sentence.spots["place"] == "home"


@pytest.mark.parametrize(("text", "found"), [("march 1 home", 1), ("march 9 home", 9)])
def test_a_number_in_its_bounds_is_taken(text: str, found: int) -> None:
    sentence = told(text)

    assert sentence.number(sentence.the("NUMBER"), 1, 9, "1 to 9") == found


@pytest.mark.parametrize("text", ["march 0 home", "march 10 home", "march 999999999999999999999 home"])
def test_a_number_beyond_them_is_refused_where_it_stands(text: str) -> None:
    sentence = told(text)

    with pytest.raises(BadWord, match="1 to 9") as refused:
        sentence.number(sentence.the("NUMBER"), 1, 9, "1 to 9", "X-1")
    assert (refused.value.token, refused.value.wrong.rule) == (sentence.the("NUMBER"), "X-1")


def test_of_a_name_that_there_is_not_the_whole_is_meant_and_the_line_is_mended_with_one_like_it() -> None:
    sentence = told("march 3 saint privta")
    words = sentence.of(part(sentence, "place")).words("NAME")

    refused = sentence.unknown(words, "there is no such place", ["Saint Privat", "Amanvillers"], "X-2")

    assert refused.wrong.why == "there is no such place; did you mean Saint Privat?"
    assert refused.wrong.instead == "march 3 Saint Privat"
    assert refused.token == "saint privta"
