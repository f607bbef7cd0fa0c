"""A campaign that stands still, by commands alone."""

from __future__ import annotations

from tests.kit.terminal import Terminal


def test_a_campaign_is_paused_and_goes_on_and_every_list_says_so(begun: Terminal) -> None:
    assert "ford is paused" in begun.does("campaign", "pause", "ford", "--reason", "I am ill")
    assert "paused" in begun.does("campaign", "list")
    assert "I am ill." in begun.does("campaign", "show", "ford")
    assert "Next: pbem campaign resume ford" in begun.does("turn", "show", "ford")
    assert (begun.shows("turn", "show", "ford")["paused"], begun.shows("campaign", "show", "ford")["status"]) == (
        "I am ill.",
        "paused",
    )
    assert "First: pbem campaign resume ford" in begun.refused("turn", "run", "ford", "--early")
    assert "First: pbem campaign resume ford" in begun.refused("campaign", "pause", "ford", "--reason", "again")

    assert "ford goes on: 1A" in begun.does("campaign", "resume", "ford", "--reason", "I am well")
    assert begun.shows("turn", "show", "ford")["paused"] is None
    assert "is not paused" in begun.refused("campaign", "resume", "ford")
    subjects = [mail["subject"] for mail in begun.shows("mail", "outbox", "list")]
    assert [sum(said in one for one in subjects) for said in ("is paused", "goes on")] == [2, 2]


def test_what_is_in_the_way_of_an_early_run_is_shown(begun: Terminal) -> None:
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3\nmvoe s2 to 4"))
    assert "smuggler sent lines that were refused, and has not said ready" in begun.does("turn", "show", "ford")
    begun.does("mail", "receive", given=begun.letter("smuggler", "ready"))
    assert "by the receipts it is run" in begun.does("turn", "show", "ford")
