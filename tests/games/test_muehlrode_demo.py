"""The demonstration of the crossings of the Lohe: six players, two runs with halts asked of some alone.

`muehlrode-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk import demo
from pbem.desk.demo import Happened
from pbem.desk.dossiers import Dossier
from pbem.kernel.office import HaltAsked, OrdersAccepted
from tests.games.kept import Letters, LogOfOld, Reports

pytestmark = pytest.mark.xdist_group("muehlrode-demo")

KEPT = Path(__file__).with_name("muehlrode-demo")
NAME = "muehlrode-demo"
TURNS = "1, 2"
REPORTS = ("1a-dorn", "1a-brandt", "2a-rehden", "2a-auer")

SCENARIO, MANIFEST, LETTERS = demo.find_demo("kriegsspiel", "muehlrode")


class TestTheLogOfOld(LogOfOld):
    pass


class TestReports(Reports):
    pass


class TestLetters(Letters):
    pass


# ------------------------------------------------------------------ what is in it


def test_six_players_write_from_four_zones(played: Dossier) -> None:
    sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]

    assert {sheet.role for sheet in sheets} == {"rehden", "asmus", "dorn", "brandt", "kessel", "auer"}
    assert len({one.zone for one in MANIFEST.player}) >= 4


def test_halts_are_asked_of_some_alone_and_some_of_those_answer(played: Dossier) -> None:
    asked = [one.event for one in played.log if isinstance(one.event, HaltAsked)]
    answered = {
        (one.event.moment, one.event.role)
        for one in played.log
        if isinstance(one.event, OrdersAccepted) and one.event.moment.halt
    }

    assert len(asked) >= 3
    assert any(len(halt.views) < 6 for halt in asked)
    assert len(answered) >= 4
    assert answered < {(halt.moment, role) for halt in asked for role in halt.views}


def test_it_holds_refused_lines_and_a_late_letter(shown: tuple[list[Happened], Path]) -> None:
    came = [(one.what, one.received) for one in shown[0] if one.received]
    reasons = {received.reason: (name, received.state) for name, received in came if received.state != "applied"}
    lines = [line for _, received in came if received.receipt for line in received.receipt.lines]

    assert [name for name, _ in came] == [name for step in MANIFEST.step for name in step.letters]
    assert reasons == {"refused: 1A is over, and 2A is open": ("12-1-brandt-late.eml", "refused")}
    assert {line.word for line in lines} >= {"accepted", "not understood", "not allowed"}


def test_its_letters_are_as_mail_programs_write_them() -> None:
    letters = {path.name: message_from_bytes(path.read_bytes()) for path in LETTERS.glob("*.eml")}

    assert {letter.get_content_type() for letter in letters.values()} == {
        "text/plain",
        "text/html",
        "multipart/alternative",
    }
    assert {letter["Content-Transfer-Encoding"] for letter in letters.values()} >= {"base64", "quoted-printable"}
