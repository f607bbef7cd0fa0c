"""Fog over HTTP: two offices that differ in what a side cannot see give it the same bytes, on every route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pbem.desk.gm import ruling
from pbem.desk.intake.handed import Upload
from pbem.desk.intake.receive import hand_in
from pbem.desk.office.office import open_office
from pbem.desk.turns import adjudicate, annotate
from pbem.web.routes import ROUTES
from tests.kit.demos import copy_of
from tests.kit.room import Room, left_at, open_room, seal_of
from tests.web.conftest import FRENCH, GAME

GUESSED = re.compile(rb"[0-9a-f]{24,64}|[a-z2-7]{52}|(?<=name=\"once\" value=\")\w+|127\.0\.0\.1:\d+")
"""What nobody can guess, and the place of the server."""

THEIRS = Upload(GAME, "prussian", "upload", "", himself=True)
OURS = Upload(GAME, "french", "upload", "", himself=True)

MINE = ("french",)
TURNS = ("S0", "S1", "S2", "1A", "1B", "2A", "2B", "3A", "3B", "4A")


def secretly(folder: Path) -> None:
    """What the other side and the umpire do, of which the French may know nothing."""
    at = left_at(folder)
    with open_office(folder, now=lambda: at + 60_000_000, mails=False) as office:
        hand_in(office, THEIRS, b"losses p1 p2\nfire nearest\n")
        hand_in(office, THEIRS, b"wait on\numpire:\nWhere are they?\nend letter\n")
        annotate.note(office, GAME, "prussian", "You hear axes in the wood.")
        shown = ruling.rule(office, GAME, ["set p5 men 2"], "Counted wrongly.", known={"prussian": ""})
        made = ruling.rule(
            office, GAME, ["set p5 men 2"], "Counted wrongly.", known={"prussian": ""}, upon=shown.before, make=True
        )
        assert made.seq
        hand_in(office, THEIRS, b"withdraw\n")
        hand_in(office, THEIRS, b"vote V1 no\n")
        adjudicate.run(office, GAME, dry=True, early=True)


@pytest.fixture(scope="module")
def twins(left: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, Room]]:
    """The same game, and that in which more was done behind the back of the French; at the same hour."""
    folders = [copy_of(left, tmp_path_factory.mktemp(name) / "office") for name in ("one", "other")]
    at = left_at(folders[0]) + 3_600_000_000
    for folder in folders:
        with open_office(folder, now=lambda: at - 3_599_000_000, mails=False) as office:
            hand_in(office, OURS, b"propose draw: we are even\n")
    secretly(folders[1])
    with open_room(folders[0], at=at) as one, open_room(folders[1], at=at) as other:
        yield one, other


def paths() -> list[str]:
    """Every page of the French, at every moment."""
    found = []
    for route in ROUTES:
        if route.method == "GET" and route.who in ("the role", "a player"):
            for moment in TURNS if "{moment}" in route.path else ("",):
                for number in ("1", "2", "9") if "{number}" in route.path else ("",):
                    found.append(route.path.format(campaign=GAME, role="french", moment=moment, number=number))
    return found


def bare(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    """What came, but for the hour and for what nobody can guess, which is masked by its form alone."""
    headers = {
        name: GUESSED.sub(b"?", value.encode()).decode()
        for name, value in answer.headers.items()
        if name not in ("date", "set-cookie", "content-length")
    }
    return answer.status_code, headers, GUESSED.sub(b"?", answer.content)


def test_the_french_see_the_same_in_both(twins: tuple[Room, Room]) -> None:
    browsers = [room.visitor(FRENCH) for room in twins]
    programs = [room.program(FRENCH) for room in twins]
    differ = []
    for path in paths():
        asks = programs if path.startswith("/api/") else browsers
        one, other = (bare(ask.get(path)) for ask in asks)
        if one != other:
            differ.append(path)

    assert differ == []


def test_a_sheet_is_read_the_same_in_both(twins: tuple[Room, Room]) -> None:
    sheet = "move fc5-10 to P-8\nfire f1-6 at I-10\nretreat all toward n\nmove p1 to H-9\n"
    answers = []
    for room in twins:
        browser = room.visitor(FRENCH)
        home = f"/games/{GAME}/french"
        seal = seal_of(browser.get(f"{home}/orders").text)
        read = browser.post(f"{home}/read", data={"seal": seal, "sheet": sheet})
        page = browser.post(f"{home}/orders", data={"seal": seal, "sheet": sheet, "do": "read"})
        told = room.program(FRENCH).post(f"/api/v1/games/{GAME}/french/read", json={"sheet": sheet})
        answers.append([bare(read), bare(page), bare(told)])

    assert answers[0] == answers[1]
    assert "p5" not in str(answers[0][0][2])


def test_the_worlds_do_differ(twins: tuple[Room, Room]) -> None:
    one, other = (room.visitor("friedrich@player.example").get(f"/games/{GAME}/prussian/letters") for room in twins)

    assert "Where are they?" in other.text
    assert "Where are they?" not in one.text
