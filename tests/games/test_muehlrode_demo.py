"""The demonstration of the crossings of the Lohe: six players, two runs with halts asked of some alone.

`muehlrode-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import demo
from pbem.kernel.office import HaltAsked, OrdersAccepted
from tests.games.kept import Letters, LogOfOld, Reports

NAME = "muehlrode-demo"
KEPT = Path(__file__).with_name(NAME)
REPORTS = ("1a-dorn", "1a-brandt", "2a-rehden", "2a-auer")
SCENARIO, MANIFEST, LETTERS = demo.find_demo("kriegsspiel", "muehlrode")

pytestmark = pytest.mark.xdist_group(NAME)


class TestTheLogOfOld(LogOfOld):
    turns = "1, 2"


class TestReports(Reports):
    pass


class TestLetters(Letters):
    """Lines are refused, and a letter comes late."""

    not_applied = {"12-1-brandt-late.eml": ("refused", "refused: 1A is over, and 2A is open")}
    words = {"accepted", "not understood", "not allowed"}
    types = {"text/plain", "text/html", "multipart/alternative"}
    encodings = {"base64", "quoted-printable"}
    adding = 0
    quoting = 4


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
