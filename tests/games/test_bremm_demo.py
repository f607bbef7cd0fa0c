"""The demonstration of the crossroads: what is in its letters, that it is a game, and its log of old.

`bremm-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk import demo
from pbem.desk.demo import Happened
from pbem.desk.dossiers import Dossier
from pbem.kernel.event import Outcome, kind_of
from tests.games.kept import Letters, LogOfOld, Reports

pytestmark = pytest.mark.xdist_group("bremm-demo")

KEPT = Path(__file__).with_name("bremm-demo")
NAME = "bremm-demo"
TURNS = "1–3"
REPORTS = ("2a-german", "3a-french")

SCENARIO, MANIFEST, LETTERS = demo.find_demo("crossroads")


class TestTheLogOfOld(LogOfOld):
    pass


class TestReports(Reports):
    pass


class TestLetters(Letters):
    pass


# ------------------------------------------------------------------ what is in it


def test_it_holds_what_the_game_is_made_of(played: Dossier) -> None:
    told = [one.event for one in played.log if isinstance(one.event, Outcome)]
    kinds = Counter(kind_of(fact).partition(".")[2] for fact in told)

    assert kinds.keys() >= {
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
    }, sorted(kinds)
    assert kinds["melee_round"] >= 3
    assert kinds["fire_resolved"] > 15
    assert played.exchange().moment.turn == 4


def test_it_holds_refused_lines_that_are_put_right_a_late_letter_and_a_stranger(
    shown: tuple[list[Happened], Path],
) -> None:
    came = [(one.what, one.received) for one in shown[0] if one.received]
    reasons = {received.reason: (name, received.state) for name, received in came if received.state != "applied"}
    lines = [line for _, received in came if received.receipt for line in received.receipt.lines]

    assert [name for name, _ in came] == [name for step in MANIFEST.step for name in step.letters]
    assert reasons == {
        "refused: 2A is over, and 3A is open": ("07-2-french-late.eml", "refused"),
        "nobody here writes from forbes@elsewhere.example": ("08-stranger.eml", "refused"),
    }
    assert {line.word for line in lines} >= {"accepted", "not allowed", "office word"}
    put_right = next(received for name, received in came if name == "04-1-german-more.eml")
    assert put_right.receipt is not None
    assert [line.word for line in put_right.receipt.lines if "PR-A1 fire contact 4" in line.text] == ["accepted"]


def test_its_letters_are_as_mail_programs_write_them() -> None:
    letters = {path.name: message_from_bytes(path.read_bytes()) for path in LETTERS.glob("*.eml")}

    assert {letter.get_content_type() for letter in letters.values()} == {
        "text/plain",
        "text/html",
        "multipart/alternative",
        "multipart/mixed",
    }
    assert sum("\nadd\n" in path.read_text("utf-8") for path in LETTERS.glob("*.eml")) == 3
    assert (
        sum(
            "\n> " in path.read_text("utf-8") or "gmail_quote" in path.read_text("utf-8")
            for path in LETTERS.glob("*.eml")
        )
        >= 4
    )
