"""A game that stands still: nothing is run, nobody is late, letters are answered, and then every hour is later."""

from __future__ import annotations

from datetime import date
from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.players.enrol import end, set_terms
from pbem.desk.proof.verify import verify
from pbem.desk.turns import absences, adjudicate, exchange, pausing, publish
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignPaused, CampaignResumed, DeadlineMoved
from tests.desk.turns.test_halts import ANSWERS, FIRST, REPORTS, asked, begin, through
from tests.kit.table import START, Table
from tests.kit.watching import MINUTE, look, stay

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
DEADLINE = START + 72 * HOUR
DAY = 24 * HOUR
WHY = "The umpire is ill"


def calendars(table: Table, cause: str) -> list[str]:
    """What the calendar entries of the letters of that cause say, in their order."""
    found = []
    for mail in table.mails:
        if mail.cause.startswith(cause):
            letter = message_from_bytes(table.bytes_of(mail), policy=default)
            found += [part.get_content() for part in letter.walk() if part.get_content_type() == "text/calendar"]
    return found


def test_nothing_is_run_and_nobody_is_late_or_reminded_while_it_is_paused(ford: Table) -> None:
    set_terms(ford.office, "ford", {"nmr": "standing", "release": "auto"})
    pausing.pause(ford.office, "ford", WHY)
    mails = len(ford.mails)

    assert stay(ford, DEADLINE + 90 * HOUR) == []
    assert ford.dossier.exchange().state == "open"
    assert len(ford.mails) == mails
    assert ford.dossier.campaign.status == "paused"


def test_everybody_is_told_why_it_is_paused_and_calendars_take_the_hour_back(ford: Table) -> None:
    pausing.pause(ford.office, "ford", WHY)

    for role in ("smuggler", "guard"):
        assert "The game is paused" in ford.words_to(role)
        assert "The umpire is ill." in ford.words_to(role)
    [taken_back] = calendars(ford, "paused/")
    assert "STATUS:CANCELLED" in taken_back


def test_letters_are_taken_and_answered_though_the_deadline_passes_meanwhile(ford: Table) -> None:
    pausing.pause(ford.office, "ford", WHY)
    ford.clock.at = DEADLINE + 30 * HOUR

    assert ford.write("smuggler", "move s1 to 3").state == "applied"
    assert "The game is paused: nothing is run until the umpire lets it go on" in ford.words_to("smuggler")
    assert "Due " not in ford.words_to("smuggler")
    ford.write("smuggler", "status")
    assert "paused since Fri 20 Nov 2026, 22:00 UTC: The umpire is ill." in ford.words_to("smuggler")
    assert ford.write("smuggler", "withdraw").state == "applied"
    assert ford.write("smuggler", "add\nmove s2 to 4").state == "applied"


def test_afterwards_the_deadline_is_later_by_the_time_of_the_pause_and_all_are_told(ford: Table) -> None:
    ford.clock.forward(20)
    pausing.pause(ford.office, "ford", WHY)
    ford.clock.forward(100)
    pausing.resume(ford.office, "ford", "He is well again")

    assert ford.dossier.exchange().deadline == DEADLINE + 100 * HOUR
    for role, label in (("smuggler", "Due"), ("guard", "It closes")):
        assert "The game goes on" in ford.words_to(role)
        assert "He is well again." in ford.words_to(role)
        assert f"{label} Saturday 28 November 2026, 02:00 UTC" in ford.words_to(role)
    [again] = calendars(ford, "resumed/")
    assert "DTSTART:20261128T020000Z" in again
    said = [one.event for one in ford.dossier.log if isinstance(one.event, CampaignPaused | CampaignResumed)]
    assert [one.reason for one in said] == ["The umpire is ill.", "He is well again."]
    assert verify(ford.office, "ford").sound
    assert ford.write("guard", "watch g1 3").state == "applied"
    assert len(stay(ford, DEADLINE + 100 * HOUR)) == 1  # the reminder four hours before


def test_a_deadline_that_is_later_keeps_to_the_hours_of_the_terms_and_behind_absences(ford: Table) -> None:
    set_terms(ford.office, "ford", {"at": "20:00"})
    absences.book_for(ford.office, "ford", "smuggler", date(2026, 11, 28), date(2026, 11, 30))
    pausing.pause(ford.office, "ford", WHY)
    ford.clock.forward(5 * 24)
    pausing.resume(ford.office, "ford")

    assert ford.dossier.exchange().wall == "2026-12-02T20:00"
    moved = [one.event.why for one in ford.dossier.log if isinstance(one.event, DeadlineMoved)]
    assert moved == ["pause", "absence"]


def test_what_is_complete_is_run_after_the_time_for_second_thoughts_once_it_goes_on(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    pausing.pause(ford.office, "ford", WHY)
    ford.clock.forward(48)
    pausing.resume(ford.office, "ford")
    assert "may be run from Sun 22 Nov 2026, 22:30 UTC" in ford.words_to("smuggler")
    ford.clock.at += 29 * MINUTE
    assert look(ford) == []
    ford.clock.at += MINUTE
    assert "ford: 1A is resolved: 2 facts" in look(ford)


def test_no_hand_runs_releases_or_moves_what_is_paused(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    pausing.pause(ford.office, "ford", WHY)
    for deed in (
        lambda: adjudicate.run(ford.office, "ford", early=True),
        lambda: exchange.extend(ford.office, "ford", DEADLINE + DAY, "He travels."),
        lambda: pausing.pause(ford.office, "ford", WHY),
    ):
        with pytest.raises(Refused, match="pbem campaign resume ford"):
            deed()
    pausing.resume(ford.office, "ford")
    adjudicate.run(ford.office, "ford", early=True)
    pausing.pause(ford.office, "ford", WHY)
    with pytest.raises(Refused, match="pbem campaign resume ford"):
        publish.release(ford.office, "ford")
    pausing.resume(ford.office, "ford")
    publish.release(ford.office, "ford")


def test_only_what_is_played_can_be_paused_and_only_what_is_paused_resumed(ford: Table) -> None:
    with pytest.raises(Refused, match="takes a reason"):
        pausing.pause(ford.office, "ford", " ")
    with pytest.raises(Refused, match="is not paused"):
        pausing.resume(ford.office, "ford")
    pausing.pause(ford.office, "ford", WHY)
    end(ford.office, "ford", "Nobody comes.")
    assert ford.dossier.campaign.status == "ended"
    with pytest.raises(Refused, match="is not paused"):
        pausing.resume(ford.office, "ford")


def test_who_was_waited_for_already_is_waited_for_as_before(ford: Table) -> None:
    stay(ford, DEADLINE + MINUTE)
    assert ford.dossier.exchange().held
    pausing.pause(ford.office, "ford", WHY)
    ford.clock.forward(48)
    pausing.resume(ford.office, "ford")

    assert (ford.dossier.exchange().held, ford.dossier.exchange().deadline) == (True, DEADLINE)
    assert ford.write("smuggler", "move s1 to 3").state == "applied"


def test_a_pause_outlives_an_annulment(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    pausing.pause(ford.office, "ford", WHY)
    exchange.annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)
    assert ford.dossier.campaign.status == "paused"
    ford.clock.forward(10)
    before = ford.dossier.exchange().deadline
    pausing.resume(ford.office, "ford")
    assert ford.dossier.exchange().deadline == before + 10 * HOUR


def test_in_a_run_by_steps_every_hour_that_had_not_passed_is_later_and_the_same_for_all(table: Table) -> None:
    begin(table)
    through(table, DEADLINE, FIRST)
    assert asked(table) == [("1.1", ANSWERS)]
    table.clock.at = FIRST + HOUR
    pausing.pause(table.office, "ford", WHY)
    table.clock.at = ANSWERS + 9 * HOUR - SECOND
    assert table.write("guard", "turn 1 halt 1\nwatch g1 4").state == "applied"
    assert look(table) == []
    pausing.resume(table.office, "ford")

    later = ANSWERS + 9 * HOUR - FIRST - HOUR
    [one, two] = table.dossier.exchange().steps
    assert (one.interim, one.until, two.until) == (FIRST, ANSWERS + later, REPORTS + later)
    halt = table.dossier.exchange().halt
    assert halt is not None
    assert halt.until == ANSWERS + later
    assert "All reports Thu 26 Nov 2026, 06:00 UTC" in table.words_to("smuggler")
    assert table.write("guard", "turn 1 halt 1\nwatch g1 3").state == "applied"
    through(table, ANSWERS + later, REPORTS + later)
    assert table.dossier.campaign.exchanges[Moment(1, 1)].state == "released"
