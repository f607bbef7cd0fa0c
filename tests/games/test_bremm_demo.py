"""The demonstration of the crossroads: what is in its letters, that it is a game, and its log of old.

`bremm-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.house import demo
from tests.games.kept import Course, Letters, LogOfOld, Reports

NAME = "bremm-demo"
KEPT = Path(__file__).with_name(NAME)
REPORTS = ("2a-german", "3a-french")
SCENARIO, MANIFEST, LETTERS = demo.find_demo("crossroads")

pytestmark = pytest.mark.xdist_group(NAME)


class TestCourse(Course):
    kinds = {
        "deck_built",
        "card_turned",
        "unit_arrived",
        "group_moved",
        "unit_moved",
        "formation_changed",
        "fire_resolved",
        "jam_cleared",
        "figures_lost",
        "officer_tested",
        "morale_checked",
        "rally_rolled",
        "unit_withdrew",
        "unit_routed",
        "charge_started",
        "charge_ended",
        "melee_round",
        "melee_ended",
        "unit_destroyed",
        "unit_left_field",
        "advanced_into_space",
        "place_taken",
        "order_failed",
        "order_played",
        "sighting",
    }
    more_than = {"melee_round": 2, "fire_resolved": 15}
    stops_at = 4


class TestTheLogOfOld(LogOfOld):
    turns = "1–3"


class TestReports(Reports):
    pass


class TestLetters(Letters):
    """Refused lines are put right, a letter comes late, and a stranger writes."""

    not_applied = {
        "07-2-french-late.eml": ("refused", "refused: 2A is over, and 3A is open"),
        "08-stranger.eml": ("refused", "nobody here writes from forbes@elsewhere.example"),
    }
    words = {"accepted", "not allowed", "office word"}
    put_right = {"04-1-german-more.eml": "PR-A1 fire contact 3"}
    types = {"text/plain", "text/html", "multipart/alternative", "multipart/mixed"}
    encodings = {"quoted-printable"}
    adding = 3
    quoting = 4
