"""Who runs games, by commands; and who of them it was."""

from __future__ import annotations

from pathlib import Path

from pbem.desk.books.dossiers import load
from pbem.desk.office.office import open_office
from pbem.kernel.office import CampaignPaused, CampaignResumed
from tests.kit.terminal import Terminal


def test_one_is_added_listed_and_removed(begun: Terminal) -> None:
    assert "Anna runs games from anna@gm.example: all, in all games." in begun.does(
        "gm", "add", "Anna", "--address", "anna@gm.example"
    )
    begun.does("gm", "add", "Bert", "--address", "bert@gm.example", "--rights", "ford=run", "--rights", "*=read")

    assert [(one["name"], one["rights"]) for one in begun.shows("gm", "list")] == [
        ("umpire", "all"),
        ("Anna", "all"),
        ("Bert", {"ford": "run", "*": "read"}),
    ]
    assert "run in ford, read in all others" in begun.does("gm", "list")
    assert "Anna runs games no more" in begun.does("gm", "remove", "anna@gm.example")
    assert [one["name"] for one in begun.shows("gm", "list")] == ["umpire", "Bert"]


def test_a_right_that_there_is_not_is_refused(begun: Terminal) -> None:
    assert '"rule" is no right' in begun.refused(
        "gm", "add", "Anna", "--address", "anna@gm.example", "--rights", "rule"
    )
    assert [one["name"] for one in begun.shows("gm", "list")] == ["gm"]


def test_the_log_says_who_of_them_did_it(begun: Terminal) -> None:
    begun.does("gm", "add", "Anna", "--address", "anna@gm.example")
    begun.does("--by", "anna", "campaign", "pause", "ford", "--reason", "Christmas.")
    begun.does("campaign", "resume", "ford")

    with open_office(Path.cwd()) as office, office.read() as connection:
        told = load(office, connection, "ford").own
    by = {type(one.event): one.actor for one in told}
    assert (by[CampaignPaused], by[CampaignResumed]) == ("gm/Anna", "gm")


def test_who_is_none_of_them_does_nothing(begun: Terminal) -> None:
    said = begun.refused("--by", "karl", "campaign", "pause", "ford", "--reason", "Christmas.")
    assert 'nobody who runs games is called "karl".  There are: gm.' in said


def test_a_game_that_is_named_must_be_there(begun: Terminal) -> None:
    said = begun.refused("gm", "add", "Bert", "--address", "bert@example.org", "--rights", "nowhere=run")
    assert "nowhere" in said
    begun.does("gm", "add", "Bert", "--address", "bert@example.org", "--rights", "ford=run")
