"""The demonstration of 1870: what is in its letters, that it is a game, and its log of old.

`france-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
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
from tests.games.kept import Letters, LogOfOld

pytestmark = pytest.mark.xdist_group("france-demo")

KEPT = Path(__file__).with_name("france-demo")
NAME = "france-demo"
TURNS = "1–3"

SCENARIO, MANIFEST, LETTERS = demo.find_demo("empire-1870")


class TestTheLogOfOld(LogOfOld):
    pass


class TestLetters(Letters):
    pass


# ------------------------------------------------------------------ what is in it


def test_it_holds_what_the_game_is_made_of(played: Dossier) -> None:
    told = [one.event for one in played.log if isinstance(one.event, Outcome)]
    kinds = Counter(kind_of(fact).partition(".")[2] for fact in told)
    combats = {getattr(fact, "how", "") for fact in told if kind_of(fact).endswith(".combat_joined")}

    assert kinds.keys() >= {
        "setup_placed",
        "mobilized",
        "rail_moved",
        "forced_march_resolved",
        "chassepot_fire",
        "combat_resolved",
        "artillery_committed",
        "rally_resolved",
        "siege_assault",
        "control_changed",
        "entry_skipped",
        "order_played",
    }, sorted(kinds)
    assert combats >= {"planned", "march"}
    assert kinds["chassepot_fire"] > 5
    assert kinds["combat_resolved"] > 5
    assert played.exchange().moment.turn == 4


def test_it_holds_a_refused_line_a_letter_that_came_twice_a_late_one_and_a_stranger(
    shown: tuple[list[Happened], Path],
) -> None:
    came = [(one.what, one.received) for one in shown[0] if one.received]
    reasons = {received.reason: (name, received.state) for name, received in came if received.state != "applied"}
    lines = [line for _, received in came if received.receipt for line in received.receipt.lines]

    assert [name for name, _ in came] == [name for step in MANIFEST.step for name in step.letters]
    assert reasons.pop("the same letter came before") == ("08-2a-french.eml", "ignored")
    assert reasons.pop("nobody here writes from russell@elsewhere.example") == ("11-stranger.eml", "refused")
    [(late, (name, state))] = reasons.items()
    assert (late, name, state) == ("refused: 2A is over, and 2B is open", "10-2a-french-late.eml", "refused")
    assert {line.word for line in lines} >= {"accepted", "not allowed", "not understood", "office word"}


def test_its_letters_are_as_mail_programs_write_them() -> None:
    letters = {path.name: message_from_bytes(path.read_bytes()) for path in LETTERS.glob("*.eml")}

    assert {letter.get_content_type() for letter in letters.values()} == {
        "text/plain",
        "text/html",
        "multipart/alternative",
        "multipart/mixed",
    }
    assert sum("#france-demo" in letter["Subject"] for letter in letters.values()) == 2
    assert sum("\nadd\n" in path.read_text("utf-8") for path in LETTERS.glob("*.eml")) == 2


def test_a_receipt_restates_the_programme(shown: tuple[list[Happened], Path]) -> None:
    [receipt] = [one.received.receipt for one in shown[0] if one.received and one.what == "07-1b-german.eml"]
    assert receipt is not None
    said = [words for _, words in receipt.forecast]

    assert "    GD with 8 SP: forced march of 1 MP more to 2604, 2605, 2505, Zweibruecken 2405. 6 of 5 + 1 MP." in said
    assert any(words.startswith("RP: ") for words in said)
    assert any(words.startswith("Not known: ") for words in said)
