"""A game is over: what is about turns to come is not taken, and nothing is said as if there were any."""

from __future__ import annotations

import pytest

from pbem.desk.players import enrol
from pbem.desk.reading.asked import asked
from pbem.desk.reading.live import live
from pbem.desk.sheets.check import in_campaign
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from tests.kit.table import Table

SMUGGLER = Role("smuggler")


@pytest.fixture
def over(ford: Table) -> Table:
    """The ford, ended by its GM while orders were open."""
    enrol.end(ford.office, "ford", "Enough")
    return ford


@pytest.mark.parametrize(
    "text",
    [
        "move s1 to 3",
        "turn 9\nmove s1 to 3",
        "preview",
        "preview\nmove s1 to 3",
        "wait on",
        "ready",
        "withdraw",
        "vacation 24 dec to 2 jan",
        "substitute cid@player.example",
        "proxy cid@player.example",
        "propose draw",
    ],
)
def test_what_is_about_turns_to_come_is_refused_with_the_reason(over: Table, text: str) -> None:
    before = len(over.kinds)
    assert over.write("smuggler", text).state == "refused"
    assert set(over.kinds[before:]) <= {"message_received", "orders_refused"}
    assert "he game is over" in over.words_to("smuggler")
    assert "more time" not in over.words_to("smuggler")
    assert not any(mail.subject.endswith("stand in for smuggler?") for mail in over.mails)


def test_status_says_so_and_that_nothing_is_due(over: Table) -> None:
    over.write("smuggler", "digest 20:00")
    over.write("smuggler", "status")
    said = over.words_to("smuggler")
    assert "How things stand: the game is over letters and notices: gathered" in said
    assert not any(word in said for word in ("due", "you owe", "deadline", "your wait"))


def test_a_page_and_a_program_are_told_so(over: Table) -> None:
    assert (
        live(over.office, "ford", SMUGGLER, "move s1 to 3").against == "all of it would be refused: the game is over."
    )
    assert live(over.office, "ford", SMUGGLER, "turn 9\nmove s1 to 3").against
    assert (asked(over.office, "ford", SMUGGLER).closed, asked(over.office, "ford", SMUGGLER).runs) == (
        "the game is over",
        "",
    )
    with pytest.raises(Refused, match="all of it would be refused: the game is over"):
        in_campaign(over.office, "ford", "smuggler", b"move s1 to 3")


def test_what_is_no_matter_of_turns_is_done(over: Table) -> None:
    for text in ("publish name yes", "format json", "umpire: Thanks.", "letter to guard: Well played.", "report"):
        assert over.write("smuggler", text).state == "applied"


def test_a_sheet_is_read_as_too_late_when_its_hour_has_passed(ford: Table) -> None:
    assert not live(ford.office, "ford", SMUGGLER, "move s1 to 3").against
    ford.clock.forward(24 * 30)
    against = live(ford.office, "ford", SMUGGLER, "move s1 to 3").against
    assert against.startswith("all of it would be refused: it came at ")
    assert ford.write("smuggler", "move s1 to 3").reason.startswith("refused: it came at ")
