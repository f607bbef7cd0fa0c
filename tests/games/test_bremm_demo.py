"""The demonstration of the crossroads: what is in its letters, that it is a game, and its log of old.

`bremm-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
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

pytestmark = pytest.mark.xdist_group("bremm-demo")

KEPT = Path(__file__).with_name("bremm-demo")
NAME = "bremm-demo"
BODY = 100_000

SCENARIO, MANIFEST, LETTERS = demo.find_demo("crossroads")


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


@pytest.mark.parametrize("name", ["2a-german", "3a-french"])
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
