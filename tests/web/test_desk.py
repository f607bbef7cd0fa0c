"""A whole campaign on the web alone: enrolled, begun, played, ruled on, ended, and shown to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.intake.receive import receive
from pbem.desk.office.office import clock, make_office
from pbem.desk.proof.verify import verify
from pbem.desk.turns.exchange import turn
from pbem.kernel.errors import Refused
from pbem.web.works import Job, Works
from tests.kit.room import Room, open_room, seal_of, send
from tests.web.conftest import GAME
from tests.web.conftest import GM as UMPIRE

GM = "umpire@club.example"
SETTINGS = f'address = "office@club.example"\ngm = "{GM}"\nname = "The club"\nzone = "Europe/Berlin"\n'
PLAYERS = {"french": "anna@player.example", "prussian": "bert@player.example"}
NAME = "autumn"
HOME = f"/desk/games/{NAME}"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Room]:
    """An office in which nothing is played yet."""
    make_office(tmp_path / "office", SETTINGS)
    with open_room(tmp_path / "office", at=clock(), mails=True) as room:
        yield room


class Desk:
    """A GM at his desk, who does all by its forms."""

    def __init__(self, room: Room) -> None:
        self.room, self.browser, self.count = room, room.visitor(GM), 0

    def does(self, deed: str, *, on: str = HOME, back: str = "", **fields: str) -> str:
        """Do a deed by its form; gives what the page says of it."""
        self.count += 1
        page = self.browser.get(on).text
        seq = re.search(r'name="seq" value="(\d+)"', page)
        data = {"seal": seal_of(page), "once": str(self.count), "seq": seq[1] if seq else "0", "back": back or on}
        action = f"{HOME}/do/{deed}" if on.startswith(HOME) else f"/desk/do/{deed}"
        answer = self.browser.post(action, data={**data, **fields})
        assert answer.status_code == 303, re.sub(r"<[^<>]*>", "", answer.text)
        said = re.search(r'role="status"><p>(.*?)</p>', self.browser.get(answer.headers["location"]).text, re.DOTALL)
        assert said is not None
        return said[1]

    def dossier(self) -> Dossier:
        with self.room.office.read() as connection:
            return load(self.room.office, connection, NAME)


def begun(desk: Desk) -> None:
    """Open a campaign, enrol both, and begin."""
    said = desk.does("new", on="/desk/campaigns", name=NAME, scenario="st-privat/graveyard", title="", options="")
    assert "autumn is open" in said
    for role, address in PLAYERS.items():
        assert f"plays {role}" in desk.does("add", role=role, name=role.title(), address=address, zone="")
    assert "It has begun" in desk.does("start")


def sends(player: httpx.Client, role: str, sheet: str) -> None:
    answer = send(player, f"/games/{NAME}/{role}/orders", sheet=sheet, do="send", once=sheet[:20])
    assert "/receipts/" in answer.headers["location"], answer.headers


def test_from_enrolment_to_the_chronicle(club: Room) -> None:
    desk = Desk(club)
    begun(desk)
    players = {role: club.visitor(address) for role, address in PLAYERS.items()}
    for _ in range(2):
        for one in turn(club.office, NAME).roles:
            if one.must:
                asked = club.program(PLAYERS[one.role]).get(f"/api/v1/games/{NAME}/{one.role}").json()
                sends(players[one.role], one.role, asked["template"].replace("# ", ""))
        dry = send(desk.browser, f"{HOME}/dry", page=HOME, early="on")
        assert "Would be sent" in dry.text, re.sub(r"<[^<>]*>", "", dry.text)
        assert "Resolved" in desk.does("run", early="on", defaults="on")
        assert "seen by nobody yet" in desk.browser.get(HOME).text
        assert "Released" in desk.does("release")

    assert "The players are told" in desk.does("extend", hours="24", until="", reason="The umpire travels.")
    more = {"turn": "9A", "hours": "24", "reason": "A day more."}
    stale = send(desk.browser, f"{HOME}/do/extend", page=HOME, once="stale", **more)
    assert "and not at 9A" in stale.text
    assert "It is paused" in desk.does("pause", reason="A holiday.")
    assert "It goes on" in desk.does("resume", reason="")
    terms = {"term": "early", "value": "no", "phase": "", "reason": ""}
    assert "early is no" in desk.does("set", on=f"{HOME}/players", **terms)
    assert "A letter to french" in desk.does("write", role="french", subject="", text="Well begun.")
    assert "Noted for prussian" in desk.does("note", role="prussian", text="Your messenger lived.")
    assert "Well begun" in players["french"].get(f"/games/{NAME}/french/letters").text
    other = {"role": "french", "name": "Cissey", "address": "c@player.example", "zone": "", "reason": "Away."}
    assert "plays french now" in desk.does("replace", on=f"{HOME}/players", **other)
    assert players["french"].get(f"/games/{NAME}/french").status_code == 404
    assert "Annulled" in desk.does("annul", turn="", reopen="on", reason="Misread.")
    assert "It is over" in desk.does("end", reason="Both agree.", sure=NAME)
    assert "are there for everybody" in desk.does("publish", role="")

    stranger = club.stranger()
    index = stranger.get("/public/")
    assert index.status_code == 200
    for path in sorted(set(re.findall(r'href="([\w./-]+\.(?:html|xml))"', index.text))):
        answer = stranger.get(f"/public/{path}")
        assert answer.status_code == 200, path
        if path.endswith("html"):
            policy = answer.headers["content-security-policy"]
            scripts = policy.partition("script-src")[2].partition(";")[0]
            assert scripts
            assert "unsafe" not in scripts
    assert verify(club.office, NAME).sound


def test_a_ruling_is_shown_before_it_is_made_and_is_made_as_it_was_shown(room: Room) -> None:
    gm, page = room.visitor(UMPIRE), f"/desk/games/{GAME}/rule"
    words = {"text": "set p5 men 2", "known": "", "reason": "Counted wrongly."}
    shown = send(gm, page, **words, do="show")
    upon = re.search(r'name="upon" value="(\d+)"', shown.text)
    assert "What it would change" in shown.text
    assert upon is not None

    def end() -> int:
        with room.office.read() as connection:
            return load(room.office, connection, GAME).seq

    before = end()
    late = send(gm, page, **words, do="make", upon=str(int(upon[1]) - 1))
    assert (late.status_code, end()) == (409, before)
    assert send(gm, page, **words, do="make", upon=upon[1]).status_code == 303
    assert end() > before


def test_a_letter_that_is_held_is_taken_or_put_away(club: Room) -> None:
    desk = Desk(club)
    begun(desk)
    for number in (1, 2):
        raw = (
            "From: Anna <anna@player.example>\r\nTo: office@club.example\r\nSubject: autumn S1\r\n"
            f"Message-ID: <{number}@elsewhere.example>\r\nDate: Mon, 10 Aug 2026 16:30:00 +0000\r\n\r\nhold all\r\n"
        )
        receive(club.office, raw.encode(), way="pipe")
    assert "Letter 1" in desk.browser.get("/desk").text
    assert "Letter 1" in desk.does("accept", on="/desk/post", letter="1")
    assert "is put away" in desk.does("discard", on="/desk/post/letters/2", letter="2", reason="He did not write it.")
    assert "Letter 2" not in desk.browser.get("/desk").text


LACKING = (
    ("extend", {"hours": "24"}),
    ("extend", {"hours": "x", "reason": "y"}),
    ("end", {"reason": "z", "sure": "no"}),
)


def test_what_a_form_lacks_is_said_and_nothing_is_done(club: Room) -> None:
    desk = Desk(club)
    begun(desk)
    before = desk.dossier().seq
    for deed, fields in (
        ("extend", {"hours": "24"}),
        ("extend", {"hours": "x", "reason": "y"}),
        ("end", {"reason": "z", "sure": "no"}),
    ):
        page = desk.browser.get(HOME).text
        data = {"seal": seal_of(page), "once": deed + str(fields), "seq": str(before), **fields}
        answer = desk.browser.post(f"{HOME}/do/{deed}", data=data)
        assert answer.status_code == 409
        assert "Nothing was" in answer.text

    assert desk.dossier().seq == before


def test_a_deed_whose_process_was_lost_is_not_said_to_be_done_and_can_be_sent_again(
    club: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(club)
    begun(desk)
    fields = {"once": "the same", "hours": "24", "until": "", "reason": "He travels."}
    due = desk.dossier().exchange().deadline
    with monkeypatch.context() as broken:
        broken.setattr(Works, "do", lost)
        answer = send(desk.browser, f"{HOME}/do/extend", page=HOME, **fields)
    assert (answer.status_code, desk.dossier().exchange().deadline) == (409, due)

    assert send(desk.browser, f"{HOME}/do/extend", page=HOME, **fields).status_code == 303
    assert desk.dossier().exchange().deadline > due


async def lost(works: Works, job: Job, *arguments: object) -> object:
    """As when the process dies in which the work is done."""
    raise Refused("the process that does such work was lost: try it again.")
