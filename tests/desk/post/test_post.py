"""Letters as they leave: their tree, their thread, their calendar entry, and what their header says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import cast

import pytest
from icalendar import Calendar

from pbem.desk.office.office import HOUR
from pbem.desk.players import changes, enrol
from pbem.desk.turns import exchange
from pbem.kernel.names import Role
from pbem.storage.outbox import Mail
from tests.kit.table import Table

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read(ford: Table, mail: Mail) -> EmailMessage:
    return message_from_bytes(ford.bytes_of(mail), policy=default)


def to(ford: Table, role: str) -> list[EmailMessage]:
    """All letters to a role."""
    who = ford.dossier.campaign.players[Role(role)]
    return [read(ford, mail) for mail in ford.mails if mail.player == who]


def tree(part: EmailMessage) -> object:
    if not part.is_multipart():
        return part.get_content_type()
    return (part.get_content_subtype(), *(tree(cast("EmailMessage", one)) for one in part.iter_parts()))


def event(letter: EmailMessage) -> dict[str, object]:
    """What the calendar entry of a letter says."""
    [file] = [part for part in letter.walk() if part.get_content_type() == "text/calendar"]
    assert file.get_filename() == "deadline.ics"
    calendar = Calendar.from_ical(cast("bytes", file.get_payload(decode=True)))
    assert calendar["METHOD"] == file.get_param("method")
    [entry] = calendar.walk("VEVENT")
    return {
        "method": str(calendar["METHOD"]),
        "uid": str(entry["UID"]),
        "sequence": int(str(entry["SEQUENCE"])),
        "at": entry.decoded("DTSTART"),
        "summary": str(entry["SUMMARY"]),
    }


def thread(letter: EmailMessage) -> list[str]:
    return str(letter["References"]).split()


def test_a_report_has_the_whole_of_itself_in_each_of_its_parts(ford: Table) -> None:
    ford.turn()
    report = to(ford, "guard")[-1]

    assert tree(report) == (
        "mixed",
        ("alternative", "text/plain", ("related", "text/html", "image/png")),
        "text/html",
        "text/calendar",
    )
    [picture] = [part for part in report.walk() if part.get_content_type() == "image/png"]
    page = report.get_body(("html",))
    assert page
    assert f"cid:{str(picture['Content-ID']).strip('<>')}" in str(page.get_content())
    text = report.get_body(("plain",))
    assert text
    assert "1A" in str(text.get_content())
    assert max(map(len, report.as_bytes().splitlines())) <= 998
    assert report["Auto-Submitted"] == "auto-generated"
    assert report["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert report["X-Pbem-Loop"] == "office.example"
    assert str(report["List-Id"]).endswith("<ford.office.example>")
    assert report["Precedence"] is None
    assert str(report["Reply-To"]).startswith("office+ford.")


def test_an_answer_says_that_it_is_one(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    receipt = to(ford, "smuggler")[-1]

    assert receipt["Auto-Submitted"] == "auto-replied"
    assert receipt["In-Reply-To"] == "<1@player.example>"
    assert tree(receipt) == ("alternative", "text/plain", "text/html")


def test_the_letters_of_a_turn_hang_in_one_thread_and_those_of_the_next_in_another(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    exchange.extend(ford.office, "ford", ford.dossier.exchange().deadline + HOUR, "A holiday.")
    briefing, receipt, moved = to(ford, "smuggler")
    ford.turn()
    *_, report = to(ford, "smuggler")

    root = thread(briefing)[0]
    assert thread(receipt) == [root, "<1@player.example>"]
    assert thread(moved) == [root]
    assert root not in thread(report)
    assert {root}.isdisjoint(one for letter in to(ford, "guard") for one in thread(letter))


def test_an_answer_hangs_where_the_letter_hangs_that_it_answers(ford: Table) -> None:
    briefing = to(ford, "smuggler")[0]
    ford.turn()
    ids = [f"<{number}@mail-program.of-a-long-name-that-is-not-to-be-folded.example>" for number in range(30)]
    references = "\n ".join([*thread(briefing), str(briefing["Message-ID"]), *ids])
    ford.write("smuggler", "move s1 to 3", head=f"In-Reply-To: {ids[-1]}\nReferences: {references}")
    receipt = to(ford, "smuggler")[-1]

    found = thread(receipt)
    assert found[0] == thread(briefing)[0]
    assert found[1:] == [*ids[-19:], "<1@player.example>"]
    assert b"=?" not in receipt.as_bytes().partition(b"Subject")[0].partition(b"References")[2]


def test_every_letter_that_tells_a_deadline_has_it_for_the_calendar(ford: Table) -> None:
    first = event(to(ford, "smuggler")[-1])
    assert first == {
        "method": "PUBLISH",
        "uid": "ford.1A.smuggler@office.example",
        "sequence": 0,
        "at": _EPOCH + timedelta(microseconds=ford.dossier.exchange().deadline),
        "summary": "[ford] 1A due",
    }
    ford.clock.forward(1)
    due = ford.dossier.exchange().deadline + 5 * HOUR
    exchange.extend(ford.office, "ford", due, "A holiday.")
    moved = event(to(ford, "smuggler")[-1])

    assert (moved["uid"], moved["at"]) == (first["uid"], _EPOCH + timedelta(microseconds=due))
    assert cast("int", moved["sequence"]) > 0
    changes.resend_briefing(ford.office, "ford", "smuggler")
    assert event(to(ford, "smuggler")[-1]) == moved


def test_the_next_exchange_has_an_entry_of_its_own(ford: Table) -> None:
    ford.turn()

    assert event(to(ford, "guard")[-1])["uid"] == "ford.1B.guard@office.example"


def test_who_owes_nothing_finds_no_alarm_in_his_calendar(ford: Table) -> None:
    def files(role: str) -> list[str]:
        return [part.get_content_type() for letter in to(ford, role) for part in letter.walk()]

    exchange.extend(ford.office, "ford", ford.dossier.exchange().deadline + HOUR, "A holiday.")
    assert "text/calendar" not in files("guard")
    before = files("smuggler").count("text/calendar")
    ford.turn()
    assert files("smuggler").count("text/calendar") == before
    assert files("guard").count("text/calendar") == 1


def test_when_a_game_is_broken_off_its_deadline_is_taken_back(ford: Table) -> None:
    enrol.end(ford.office, "ford", "Both have resigned.")
    entry = event(to(ford, "smuggler")[-1])

    assert (entry["method"], entry["uid"]) == ("CANCEL", "ford.1A.smuggler@office.example")


@pytest.mark.parametrize("role", ["smuggler", "guard"])
def test_no_header_says_anything_of_the_log(ford: Table, role: str) -> None:
    ford.turn()
    for letter in to(ford, role):
        assert str(letter["Message-ID"]).partition("@")[0].strip("<").isalnum()
        assert all(one.partition("@")[0].strip("<").isalnum() for one in thread(letter))
