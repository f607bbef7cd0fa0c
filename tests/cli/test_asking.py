"""`pbem history why` and `knew`: what is asked of a past is answered in one step."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result

from pbem.cli import common
from tests.kit.terminal import Terminal


class There(Terminal):
    """Types all of it with an office at hand."""

    def __init__(self, office: Path) -> None:
        self.office = office

    def types(self, *words: str, given: str | bytes = "") -> Result:
        """Run a command there."""
        return super().types("--office", str(self.office), *words, given=given)


@pytest.fixture(scope="module")
def graveyard(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """The demonstration of St. Privat."""
    folder = tmp_path_factory.mktemp("demo") / "office"
    Terminal().does("demo", str(folder), "--system", "st-privat")
    return There(folder)


def test_why_a_unit_ran_is_told_from_the_order_to_the_die_to_what_followed(graveyard: Terminal) -> None:
    said = graveyard.does("history", "why", "stprivat-demo", "p19@3B/melee")

    for words in (
        "Ordered by prussian, line 12 of the sheet for 3B (receipt 6)",
        "charge @I-10 at I-9 with ph2 if odds 1-3",
        "[3B/melee/I-9, of 6: 6]",
        "p19 routed to I-13, facing north.",
        "SP-MEL-09  Melee result table",
    ):
        assert words in said
    assert all(len(line) <= common.WIDTH for line in said.splitlines())


def test_of_an_exchange_that_was_run_again_each_run_has_its_own_answer(graveyard: Terminal) -> None:
    first = graveyard.does("history", "why", "stprivat-demo", "f6@3B#1")

    for words in (
        "Ordered by prussian, line 12 of the sheet for 3B (receipt 5)",
        "It was done: I-9 was cleared",
        "Ordered by french, line 5 of the sheet for 1B (receipt 2)",
        "retreat all toward d1",
        "[3B/melee/I-9, of 6: 1]",
        "f6 fell back to I-7, facing north.",
    ):
        assert words in first
    assert "It was done: The charge was beaten off" in graveyard.does("history", "why", "stprivat-demo", "f6@3B#2")


def test_why_a_line_was_refused_is_what_its_receipt_said(graveyard: Terminal) -> None:
    said = " ".join(graveyard.does("history", "why", "stprivat-demo", "prussian@1B:2").split())

    assert "fire p13+p14 at I-9" in said
    why = "I-9 is 3 squares from p13 at I-12; the needle gun reaches 2 (SP-RIF-02)"
    assert f"The receipt said: not allowed. {why}" in said
    assert "What happened" not in said


def test_a_line_that_was_not_carried_out_says_so_and_what_was_done_instead(graveyard: Terminal) -> None:
    said = " ".join(graveyard.does("history", "why", "stprivat-demo", "prussian@3B:10").split())

    assert "It was not carried out: pg1 could not see into I-9." in said


def test_of_an_event_and_of_a_beat_it_is_said_as_of_a_unit(graveyard: Terminal) -> None:
    found = graveyard.shows("history", "why", "stprivat-demo", "f6@3B")
    last = found["steps"][-1]

    assert graveyard.shows("history", "why", "stprivat-demo", str(last["seq"]))["steps"][-1]["text"] == last["text"]
    beat = graveyard.shows("history", "why", "stprivat-demo", last["beat"])
    assert last["text"] in [step["text"] for step in beat["steps"]]


def test_a_role_is_told_of_its_own_sheets_and_of_no_number_of_the_log(graveyard: Terminal) -> None:
    found = graveyard.shows("history", "why", "stprivat-demo", "f6@3B#1", "--as", "french")

    assert {order["role"] for order in found["orders"]} == {"french"}
    assert not any("seq" in step for step in (*found["steps"], *found["after"], *found["before"]))
    assert "no numbers of the log" in graveyard.refused("history", "why", "stprivat-demo", "300", "--as", "french")
    refused = graveyard.refused("history", "why", "stprivat-demo", "prussian@3B:12", "--as", "french")
    assert "but of french" in refused


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("ps11@3B", "nothing is known of a unit “ps11”.  Perhaps p11?"),
        ("f9@3B", "nothing befell f9 at 3B.  Nothing is told of it at all."),
        ("f6@2A", "nothing befell f6 at 2A.  It was at"),
        ("3B", "is many things: say of whom"),
        ("99999", "no fact of the game"),
        ("french@3B:77", "the sheet of french for 3B has no line 77: it has 1 to 7"),
        ("umpire@3B:1", "no sheet of “umpire”"),
        ("f6@yesterday", "names no moment of a game"),
    ],
)
def test_what_names_nothing_is_answered_in_a_line_that_says_what_does(
    graveyard: Terminal, asked: str, said: str
) -> None:
    assert said in graveyard.refused("history", "why", "stprivat-demo", asked)


def test_what_the_prussians_knew_of_a_stand_and_since_when(graveyard: Terminal) -> None:
    found = graveyard.shows("history", "knew", "stprivat-demo", "prussian", "f21")

    assert [(one["beat"], one["how"]) for one in found["knew"]["learnt"]] == [
        ("S1.1", "seen"),
        ("2B.15", "seen"),
        ("3B#1.23", "right"),
        ("3B#2.1", "seen"),
        ("3B#2.22", "right"),
    ]
    said = " ".join(graveyard.does("history", "knew", "stprivat-demo", "prussian", "f21").split())
    assert "Anything since S1.1 (Set-up); as it was, first at 3B#1.23 (Turn 3)" in said
    assert "Told: f21 turned up at N-8 to meet a charge." in said


def test_what_the_french_knew_of_that_battery_and_since_when(graveyard: Terminal) -> None:
    assert "What french knew of ps1" in (said := graveyard.does("history", "knew", "stprivat-demo", "french", "ps1"))
    assert "Anything since 1A.1 (Turn 1)" in said


def test_a_place_is_asked_about_as_a_unit_is(graveyard: Terminal) -> None:
    said = " ".join(graveyard.does("history", "knew", "stprivat-demo", "prussian", "n-8").split())

    assert "fd14, a dummy, facing north (seen, and not known for what it is)" in said


def test_a_role_reads_what_it_knew_itself_and_nothing_of_what_was_so(graveyard: Terminal) -> None:
    asked = ("history", "knew", "stprivat-demo", "prussian", "N-8", "--as")
    said = graveyard.does(*asked, "prussian")

    assert "Truly" not in said
    assert "fd14" not in said
    assert "french may not read what prussian knew" in graveyard.refused(*asked, "french")
    hidden = graveyard.refused("history", "knew", "stprivat-demo", "prussian", "fd14", "--as", "prussian")
    assert "no unit and no place that is known" in hidden
