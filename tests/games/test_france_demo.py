"""The demonstration of 1870: what is in its letters, that it is a game, and its log of old.

`france-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk import demo
from pbem.desk.demo import Happened
from pbem.desk.dossiers import Dossier
from pbem.desk.office import Office
from pbem.desk.verify import verify
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.office import OrdersAccepted
from pbem.mail.letter import read_letter
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.golden import facts, states

pytestmark = pytest.mark.xdist_group("france-demo")

KEPT = Path(__file__).with_name("france-demo")
NAME = "france-demo"
BODY = 100_000

SCENARIO, MANIFEST, LETTERS = demo.find_demo("empire-1870")


# ------------------------------------------------------------------ its log of old


def test_the_log_of_old_folds_to_the_states_that_it_came_to(old: Dossier) -> None:
    assert states(old) == (KEPT / "states.txt").read_text()


def test_the_log_of_old_is_sound(taken_in: Office) -> None:
    verified = verify(taken_in, NAME)

    assert verified.first is None
    said = {row.name: row.what for row in verified.rows}
    assert re.match(r"turns 1–3, .* outcomes$", said["resolve again"])
    assert said["reports"].endswith(" erased")


def test_the_log_of_old_has_the_head_that_its_file_promises(taken_in: Office, old: Dossier) -> None:
    head = json.loads((KEPT / "log.jsonl").read_bytes().splitlines()[0])

    assert head["events"] == old.seq
    [row] = [row for row in verify(taken_in, NAME, head=head["head"], fold=True).rows if row.name == "head"]
    assert row.what.endswith(f"event {old.seq}")


def test_the_game_that_is_shown_is_still_that_game(old: Dossier, played: Dossier) -> None:
    assert facts(played) == facts(old)


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


def test_what_the_players_wrote_is_what_stands_in_their_letters(played: Dossier) -> None:
    sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]
    written = {line.text.strip() for path in LETTERS.glob("*.eml") for line in read_letter(path.read_bytes()).lines}

    assert sheets
    assert {line.strip() for sheet in sheets for line in sheet.text.splitlines()} <= written


def test_every_mail_is_small_enough_and_none_leaves(office: Office) -> None:
    with office.read() as connection:
        mails = outbox.listing(connection)
        letters = [message_from_bytes(fetch(connection, mail.digest)) for mail in mails]

    assert {mail.state for mail in mails} == {"dropped"}
    for letter in letters:
        bodies = [part for part in letter.walk() if part.get_content_maintype() == "text" and not part.get_filename()]
        assert bodies
        assert all(len(part.get_payload(decode=True) or b"") < BODY for part in bodies), letter["Subject"]


def test_a_receipt_restates_the_programme(shown: tuple[list[Happened], Path]) -> None:
    [receipt] = [one.received.receipt for one in shown[0] if one.received and one.what == "07-1b-german.eml"]
    assert receipt is not None
    said = [words for _, words in receipt.forecast]

    assert "    GD with 8 SP: forced march of 1 MP more to 2604, 2605, 2505, Zweibruecken 2405. 6 of 5 + 1 MP." in said
    assert any(words.startswith("RP: ") for words in said)
    assert any(words.startswith("Not known: ") for words in said)
