"""The demonstration of the Great Redoubt: what is in its letters, that it is a game, and its log of old.

`alma-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
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

pytestmark = pytest.mark.xdist_group("alma-demo")

KEPT = Path(__file__).with_name("alma-demo")
NAME = "alma-demo"
BODY = 100_000

SCENARIO, MANIFEST, LETTERS = demo.find_demo("half-league")


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


@pytest.mark.parametrize("name", ["2a-russian", "3a-allied", "3a-allied-guards", "3a-russian-right"])
def test_a_report_reads_as_when_it_was_last_looked_at(
    name: str, shown: tuple[list[Happened], Path], pytestconfig: pytest.Config
) -> None:
    text = (shown[1] / "reports" / NAME / f"{name}.txt").read_text("utf-8")
    # What comes after are the fingerprints of seeds and log: they change with every line of the rules.
    text = text[: text.index("\nDUE NEXT\n")]
    if pytestconfig.getoption("update_golden"):
        (KEPT / f"{name}.txt").write_text(text, "utf-8")
    assert text == (KEPT / f"{name}.txt").read_text("utf-8")


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
