"""The demonstration of the Great Redoubt: what is in its letters, that it is a game, and its log of old.

`alma-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import demo
from pbem.kernel.office import OrdersAccepted
from tests.games.kept import Course, Letters, LogOfOld, Reports

NAME = "alma-demo"
KEPT = Path(__file__).with_name(NAME)
REPORTS = ("2a-russian", "3a-allied", "3a-allied-guards", "3a-russian-right")
SCENARIO, MANIFEST, LETTERS = demo.find_demo("half-league")

pytestmark = pytest.mark.xdist_group(NAME)


class TestCourse(Course):
    kinds = {
        "initiative_rolled",
        "unit_moved",
        "leader_attached",
        "charge_marked",
        "chit_removed",
        "chit_added",
        "command_point_spent",
        "fire_resolved",
        "sixes_counted",
        "save_rolled",
        "stand_lost",
        "leader_killed",
        "charge_morale",
        "defender_morale",
        "charge_moved",
        "melee_resolved",
        "unit_withdrew",
        "unit_routed",
        "unit_left_field",
        "unit_advanced",
        "order_failed",
        "order_played",
        "standing_set",
        "sighting",
    }
    more_than = {"fire_resolved": 30}
    stops_at = 4


class TestTheLogOfOld(LogOfOld):
    turns = "1–3"


class TestReports(Reports):
    pass


class TestLetters(Letters):
    """Refused lines are put right, a letter comes late, and a stranger writes."""

    not_applied = {
        "10-2a-guards-late.eml": ("refused", "refused: 2A is over, and 3A is open"),
        "11-stranger.eml": ("refused", "nobody here writes from russell@elsewhere.example"),
    }
    words = {"accepted", "not allowed", "office word"}
    put_right = {"05-1a-right-more.eml": "RU-5 wheel left"}
    types = {"text/plain", "text/html", "multipart/alternative"}
    encodings = {"base64", "quoted-printable"}
    adding = 2
    quoting = 4


def test_four_players_write_and_two_of_them_to_each_other(played: Dossier) -> None:
    sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]

    assert {sheet.role for sheet in sheets} == {"allied", "allied.guards", "russian", "russian.right"}
    assert sum("letter to allied:" in path.read_text("utf-8") for path in LETTERS.glob("*.eml")) == 2
