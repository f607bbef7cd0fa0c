"""The demonstration of the Great Redoubt: what is in its letters, that it is a game, and its log of old.

`alma-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
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
from pbem.kernel.office import OrdersAccepted
from tests.games.kept import Letters, LogOfOld, Reports

pytestmark = pytest.mark.xdist_group("alma-demo")

KEPT = Path(__file__).with_name("alma-demo")
NAME = "alma-demo"
TURNS = "1–3"
REPORTS = ("2a-russian", "3a-allied", "3a-allied-guards", "3a-russian-right")

SCENARIO, MANIFEST, LETTERS = demo.find_demo("half-league")


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
        "unit_destroyed",
        "unit_advanced",
        "order_failed",
        "order_played",
        "standing_set",
        "sighting",
    }, sorted(kinds)
    assert kinds["fire_resolved"] > 30
    assert played.exchange().moment.turn == 4


def test_it_holds_refused_lines_that_are_put_right_a_late_letter_and_a_stranger(
    shown: tuple[list[Happened], Path],
) -> None:
    came = [(one.what, one.received) for one in shown[0] if one.received]
    reasons = {received.reason: (name, received.state) for name, received in came if received.state != "applied"}
    lines = [line for _, received in came if received.receipt for line in received.receipt.lines]

    assert [name for name, _ in came] == [name for step in MANIFEST.step for name in step.letters]
    assert reasons == {
        "refused: 2A is over, and 3A is open": ("10-2a-guards-late.eml", "refused"),
        "nobody here writes from russell@elsewhere.example": ("11-stranger.eml", "refused"),
    }
    assert {line.word for line in lines} >= {"accepted", "not allowed", "office word"}
    put_right = next(received for name, received in came if name == "05-1a-right-more.eml")
    assert put_right.receipt is not None
    assert [line.word for line in put_right.receipt.lines if "RU-5 wheel left" in line.text] == ["accepted"]


def test_four_players_write_and_two_of_them_to_each_other(played: Dossier) -> None:
    sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]

    assert {sheet.role for sheet in sheets} == {"allied", "allied.guards", "russian", "russian.right"}
    assert sum("letter to allied:" in path.read_text("utf-8") for path in LETTERS.glob("*.eml")) == 2


def test_its_letters_are_as_mail_programs_write_them() -> None:
    letters = {path.name: message_from_bytes(path.read_bytes()) for path in LETTERS.glob("*.eml")}

    assert {letter.get_content_type() for letter in letters.values()} == {
        "text/plain",
        "text/html",
        "multipart/alternative",
    }
    assert {letter["Content-Transfer-Encoding"] for letter in letters.values()} >= {"base64", "quoted-printable"}
    texts = [path.read_text("utf-8") for path in LETTERS.glob("*.eml")]
    assert sum("\nadd\n" in text for text in texts) == 2
    assert sum("\n> " in text or "gmail_quote" in text for text in texts) >= 4
