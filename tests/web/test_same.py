"""A letter and a page with the same lines: the same events but for their source, and the same receipt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.books.dossiers import load
from pbem.desk.books.shown import plain
from pbem.desk.intake.receive import receive
from pbem.desk.office.office import Office, open_office
from pbem.desk.post import delivery
from pbem.kernel.event import kind_of
from tests.kit.demos import copy_of
from tests.kit.room import Room, left_at, open_room, send
from tests.web.conftest import FRENCH, GAME

SHEETS = {
    "orders that are taken": "hold f1-24\nretreat all toward n\nhold fc1-4\n",
    "some that are not": "hold fc1-4\nmoove f1 to 3\nmove f99 to H-9\n",
    "none that is": "what shall I do?\n",
    "with a wait": "wait on\nhold fc1-4\n",
    "taken back": "withdraw\n",
    "a letter to the umpire": "umpire:\nMay they do that?\nend letter\n",
    "away": "vacation 2026-08-20 to 2026-08-22\n",
}
LETTER = (
    "From: Marcel Canrobert <canrobert@player.example>\r\nTo: office@demo.example\r\nSubject: {game} 4A\r\n"
    "Message-ID: <same@player.example>\r\nDate: Mon, 10 Aug 2026 16:30:00 +0000\r\n"
    "Content-Type: text/plain; charset=utf-8\r\n\r\n{text}"
)


def written(office: Office, since: int) -> list[tuple[str, dict[str, Any]]]:
    """The events since then: their kind, and what they say but for whence it came."""
    with office.read() as connection:
        dossier = load(office, connection, GAME)
    found = []
    for one in dossier.log:
        if one.seq > since:
            said = plain(one.event)
            found.append((kind_of(one.event), {name: said[name] for name in said if name not in WHENCE}))
    return found


WHENCE = ("source", "digest", "message", "word", "grade")
"""What differs by the door: the way, and what hangs on the bytes of the letter itself."""


def receipt(office: Office) -> str:
    """The newest receipt, as text."""
    mails = [one for one in delivery.listing(office) if one.cause.startswith("receipt/")]
    text = delivery.shown(office, mails[-1].id).text
    return text


@pytest.mark.parametrize("name", SHEETS)
def test_the_page_does_what_the_letter_does(left: Path, tmp_path: Path, name: str) -> None:
    at = left_at(left) + 3_600_000_000
    by_mail, by_page = (copy_of(left, tmp_path / way) for way in ("mail", "page"))
    with open_office(by_mail, now=lambda: at, mails=False) as office:
        since = _end(office)
        receive(office, LETTER.format(game=GAME, text=SHEETS[name].replace("\n", "\r\n")).encode(), way="pipe")
        mailed = written(office, since)
    with open_room(by_page, at=at) as room:
        answer = send(room.visitor(FRENCH), f"/games/{GAME}/french/orders", sheet=SHEETS[name], do="send", once="x")
        assert answer.status_code == 303
        paged = written(room.office, since)

    assert [kind for kind, _ in mailed] == [kind for kind, _ in paged]
    assert mailed == paged


def test_the_receipt_of_the_page_is_that_of_the_mail(room: Room) -> None:
    browser = room.visitor(FRENCH)
    answer = send(browser, f"/games/{GAME}/french/orders", sheet=SHEETS["some that are not"], do="send", once="x")
    page = re.sub(r"<[^<>]*>", "", browser.get(answer.headers["location"]).text)

    for line in ("moove f1 to 3", "move f99 to H-9"):
        assert line in page
        assert line in receipt(room.office)


def test_what_the_page_reads_is_what_the_receipt_says(room: Room) -> None:
    browser, home = room.visitor(FRENCH), f"/games/{GAME}/french"
    sheet = SHEETS["some that are not"]
    read = send(browser, f"{home}/read", page=f"{home}/orders", sheet=sheet).json()
    sent = room.program(FRENCH).post(f"/api/v1{home}/orders", json={"sheet": sheet}).json()

    assert [(one["number"], one["word"]) for one in read["lines"]] == [
        (one["number"], one["word"]) for one in sent["lines"] if one["number"]
    ]


def _end(office: Office) -> int:
    with office.read() as connection:
        return load(office, connection, GAME).seq
