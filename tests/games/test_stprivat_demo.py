"""The game that is shown to everybody who tries pbem: what is in it, that it is a game, and its log of old.

`stprivat-demo/log.jsonl` is its log as it was exported when it was last looked at, `states.txt` the digests of what
it came to.  Code may change; that log must be read, replayed and verified to the same.  `make golden` writes both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import demo
from pbem.desk.house.demo import Happened
from pbem.desk.office.office import Office
from pbem.kernel.names import Role
from pbem.kernel.office import ExchangeReleased, OrdersAccepted
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.kept import Course, Letters, LogOfOld, came
from tests.kit.terminal import Terminal
from tests.systems.play import Game

NAME = "stprivat-demo"
KEPT = Path(__file__).with_name(NAME)
README = Path(__file__).parents[2] / "README.md"
SCENARIO, MANIFEST, LETTERS = demo.find_demo("st-privat")

pytestmark = pytest.mark.xdist_group(NAME)


class TestCourse(Course):
    """A charge, a melee, fire, and a card that is turned up."""

    kinds = {
        "charge_declared",
        "melee_resolved",
        "rifle_fire_resolved",
        "artillery_fire_resolved",
        "cards_revealed",
        "unit_removed",
        "score_updated",
    }
    stops_at = 4


class TestTheLogOfOld(LogOfOld):
    turns = "1–3"


class TestLetters(Letters):
    """A line is refused, a letter comes twice and one late, and a stranger writes."""

    not_applied = {
        "06-2a-french.eml": ("ignored", "the same letter came before"),
        "10-2b-french-late.eml": ("refused", "refused: 2B is over, and 3A is open"),
        "11-stranger.eml": ("refused", "nobody here writes from curious@elsewhere.example"),
    }
    words = {"accepted", "not understood", "not allowed", "office word"}
    types = {"text/plain", "text/html"}
    encodings = {"quoted-printable"}
    adding = 1
    quoting = 4


def test_a_word_is_misspelt_and_others_are_not(shown: tuple[list[Happened], Path]) -> None:
    receipts = [received.receipt for _, received in came(shown[0]) if received.receipt]

    assert {"mvoe" in line.text for receipt in receipts for line in receipt.lines} == {True, False}


def test_both_letters_of_the_set_up_place_troops_otherwise_than_silence_would(old: Dossier) -> None:
    sheets: dict[Role, str] = {}
    for recorded in old.log:
        if isinstance(recorded.event, OrdersAccepted):
            sheets.setdefault(recorded.event.role, recorded.event.text)
    silent, written = Game(old.system, "graveyard"), Game(old.system, "graveyard")
    for role in ("french", "prussian"):
        silent.play({})
        written.play({Role(role): sheets[Role(role)]})

    for role in ("french", "prussian"):
        places = [
            {id: (piece.square, piece.place, piece.facing) for id, piece in game.world.truth.pieces.items()
             if piece.side == role}
            for game in (silent, written)
        ]  # fmt: skip
        assert sum(places[0][id] != places[1][id] for id in places[0]) > 1, role


def test_every_report_is_kept_as_a_page_and_owed_and_none_leaves(
    shown: tuple[list[Happened], Path], office: Office, played: Dossier
) -> None:
    released = sum(isinstance(one.event, ExchangeReleased) for one in played.log)
    pages = [path for one in shown[0] for path in one.reports]
    with office.read() as connection:
        mails = outbox.listing(connection)

    assert len(pages) == 2 * released
    assert all(path.is_file() for path in pages)
    assert {mail.state for mail in mails} == {"dropped"}
    assert sum(mail.cause.startswith("report/") for mail in mails) == 2 * (released + 1)
    assert shown[0][-1].what.startswith(f"{NAME} is sound")


def test_another_order_in_a_letter_makes_other_reports(
    shown: tuple[list[Happened], Path], tmp_path: Path, edited: Callable[[str, str, str], Path]
) -> None:
    letters = edited("03-1a-prussian.eml", "move pg1 to I-16", "move pg1 to K-16")
    short = replace(MANIFEST, step=MANIFEST.step[:3])

    told = list(demo.play(tmp_path / "office", SCENARIO, short, letters))

    reports = tmp_path / "office" / "reports" / NAME
    before = shown[1] / "reports" / NAME
    assert told[-1].what.startswith(f"{NAME} is sound")
    assert (reports / "s2-prussian.html").read_bytes() == (before / "s2-prussian.html").read_bytes()
    assert (reports / "1a-prussian.html").read_bytes() != (before / "1a-prussian.html").read_bytes()
    assert (reports / "1a-prussian.svg").read_bytes() != (before / "1a-prussian.svg").read_bytes()


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """The letters of the demonstration, in one of which something else is written."""

    def edit(name: str, old: str, new: str) -> Path:
        folder = tmp_path / "letters"
        folder.mkdir()
        for path in LETTERS.glob("*.eml"):
            text = path.read_bytes()
            if path.name == name:
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            (folder / path.name).write_bytes(text)
        return folder

    return edit


def test_a_briefing_brings_the_rulebook(office: Office) -> None:
    with office.read() as connection:
        briefings = [mail for mail in outbox.listing(connection) if mail.kind == "briefing"]
        letters = [fetch(connection, mail.digest) for mail in briefings]

    assert len(letters) == 2
    assert all(
        b"The rules are in the file rulebook.html" in raw and b'filename="rulebook.html"' in raw for raw in letters
    )


ANSWERS = {
    "why": ("p19", "SP-MEL"),
    "knew": ("ps1", "since 1A.1"),
    "diff": ("Told in the first alone", "Told in the second alone", "What stands otherwise"),
    "orders": ("receipt 9", "3B#1: done.", "3B#2: done.", "not allowed"),
    "stats": ("Lost by the end of the turn", "Luck", "Hours before"),
}
"""What stands in the answers that the first page promises to who was not there."""

QUESTIONS = re.findall(
    r"^    pbem (history \w+ stprivat-demo.*?)(?: {3,}.*)?$", README.read_text("utf-8"), re.MULTILINE
)


def test_the_first_page_answers_five_questions() -> None:
    assert [question.split()[1] for question in QUESTIONS] == list(ANSWERS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: str(question).split()[1])
def test_who_was_not_there_is_answered_in_one_step(shown: tuple[list[Happened], Path], question: str) -> None:
    words = question.split()
    said = Terminal().does("--office", str(shown[1]), *words)

    assert [answer for answer in ANSWERS[words[1]] if answer not in said] == []
