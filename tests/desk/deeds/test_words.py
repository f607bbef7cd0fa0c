"""How a letter to the office of somebody who runs games is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.deeds.by_letter import DOES, FORESEES
from pbem.desk.deeds.words import MOST, WORDS, Read, read, says_gm
from pbem.orders.sheet import Line


def said(text: str) -> Read:
    return read([Line(number, line) for number, line in enumerate(text.split("\n"), start=1)])


def only(text: str) -> dict[str, str]:
    """The word of a letter of one, and what it takes of what is not empty."""
    found = said(text)
    [asked] = found.words
    assert (found.wrong, found.rest) == ((), ())
    return {"word": asked.word, **{key: value for key, value in asked.values.items() if value}}


@pytest.mark.parametrize("name", WORDS)
def test_the_example_of_each_word_is_that_word(name: str) -> None:
    assert only(WORDS[name].example)["word"] == name


@pytest.mark.parametrize("name", WORDS)
def test_the_guide_has_each_word(name: str) -> None:
    guide = (Path(__file__).parents[3] / "docs/gm.md").read_text()
    table = guide.partition("## GM by letter")[2].partition("\n## ")[0]
    assert f"`{WORDS[name].example.splitlines()[0].split(':')[0]}" in table or f"`{name}`" in table


def test_each_word_is_done_by_something_and_what_is_asked_back_is_shown() -> None:
    assert DOES.keys() == WORDS.keys() - {"accept"}
    assert FORESEES.keys() == {name for name, word in WORDS.items() if word.asks_back}


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("Run 3b", {"word": "run", "turn": "3b"}),
        ("run.", {"word": "run"}),
        ("run now", {"word": "run", "early": "now"}),
        ("run 3B now with defaults", {"word": "run", "turn": "3B", "early": "now", "defaults": "with defaults"}),
        ("extend 24h: Anna is ill.", {"word": "extend", "hours": "24", "reason": "Anna is ill."}),
        ("extend 3B by 2 days Anna is ill.", {"word": "extend", "turn": "3B", "days": "2", "reason": "Anna is ill."}),
        ("extend until 2026-12-24 20:00, for Christmas", {"until": "2026-12-24 20:00", "reason": "for Christmas"}),
        ("hold off", {"word": "hold", "switch": "off"}),
        ("report French 3B", {"role": "French", "turn": "3B"}),
        ("accept 12 as anna", {"letter": "12", "whose": "anna"}),
        (
            "enrol french anna@example.org <mailto:anna@example.org> Anna van Dam in Europe/Paris",
            {"role": "french", "address": "anna@example.org", "name": "Anna van Dam", "zone": "Europe/Paris"},
        ),
        ("replace french by bert@example.org Bert: Anna has no time.", {"name": "Bert", "reason": "Anna has no time."}),
        ("note to french: Look at #3.\nThe bridge stands.", {"text": "Look at #3.\nThe bridge stands."}),
        ("letter to all:\nDear both,\nit goes on.\nend letter", {"text": "Dear both,\nit goes on."}),
        ("note french: Well.\n\nrun for it\nend note", {"text": "Well.\n\nrun for it"}),
        ("ruling: Counted wrongly.\nset p7 men 2\nset hours 3", {"directives": "set p7 men 2\nset hours 3"}),
    ],
)
def test_a_word_takes_what_stands_with_it(text: str, takes: dict[str, str]) -> None:
    found = only(text)
    assert {key: found.get(key) for key in takes} == takes


def test_a_text_goes_on_to_a_blank_line_or_to_another_word() -> None:
    found = said("answer Q1: yes, they\ncould.\nrun 3B\nnote french: So\nit is.\n\nThank you")

    assert [(one.word, one.values.get("text")) for one in found.words] == [
        ("answer", "yes, they\ncould."),
        ("run", None),
        ("note", "So\nit is."),
    ]
    assert [line.text for line in found.rest] == ["Thank you"]


def test_a_game_is_that_of_the_words_below_it() -> None:
    found = said("status\ngame Alma\nrun\npause: ill\ngame: bremm\nrun")
    assert [(one.word, one.game) for one in found.words] == [
        ("status", ""),
        ("run", "alma"),
        ("pause", "alma"),
        ("run", "bremm"),
    ]


@pytest.mark.parametrize("text", ["relase 3B", "extend 3B", "ruling", "answer Q1 yes", "discard 12"])
def test_what_begins_as_a_word_or_nearly_and_is_none_is_shown_how_it_reads(text: str) -> None:
    [wrong] = said(text).wrong
    assert wrong.why.startswith("it reads: ")


def test_what_is_no_word_is_told_apart() -> None:
    found = said("gm\nHello there,\nstatus\nYours, Anna")
    assert ([one.word for one in found.words], [line.text for line in found.rest]) == (
        ["status"],
        ["Hello there,", "Yours, Anna"],
    )


def test_more_words_than_a_letter_may_have_are_wrong() -> None:
    assert len(said("status\n" * (MOST + 2)).wrong) == 2


@pytest.mark.parametrize(("text", "gm"), [("\n GM \nrun", True), ("run\ngm", False), ("gm: run", False), ("", False)])
def test_a_first_line_says_that_a_letter_is_a_gms(text: str, gm: bool) -> None:
    assert says_gm([Line(number, line) for number, line in enumerate(text.split("\n"))]) is gm
