"""The demonstration of the Kreuzweg: what is in its letters, that it is a game, and its log of old.

`kreuzweg-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk import demo, truth
from pbem.desk.demo import Happened
from pbem.desk.dossiers import Dossier
from pbem.desk.office import Office
from pbem.desk.verify import verify
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Moment
from pbem.kernel.office import OrdersAccepted
from pbem.mail.letter import read_letter
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.golden import facts, states

pytestmark = pytest.mark.xdist_group("kreuzweg-demo")

KEPT = Path(__file__).with_name("kreuzweg-demo")
NAME = "kreuzweg-demo"
BODY = 100_000

SCENARIO, MANIFEST, LETTERS = demo.find_demo("kriegsspiel", "kreuzweg")


# ------------------------------------------------------------------ its log of old


def test_the_log_of_old_folds_to_the_states_that_it_came_to(old: Dossier) -> None:
    assert states(old) == (KEPT / "states.txt").read_text()


def test_the_log_of_old_is_sound(taken_in: Office) -> None:
    verified = verify(taken_in, NAME)

    assert verified.first is None
    said = {row.name: row.what for row in verified.rows}
    assert re.match(r"turns 1–4, .* outcomes$", said["resolve again"])
    assert said["reports"].endswith(" erased")


def test_the_log_of_old_has_the_head_that_its_file_promises(taken_in: Office, old: Dossier) -> None:
    head = json.loads((KEPT / "log.jsonl").read_bytes().splitlines()[0])

    assert head["events"] == old.seq
    [row] = [row for row in verify(taken_in, NAME, head=head["head"], fold=True).rows if row.name == "head"]
    assert row.what.endswith(f"event {old.seq}")


def test_the_game_that_is_shown_is_still_that_game(old: Dossier, played: Dossier) -> None:
    assert facts(played) == facts(old)


@pytest.mark.parametrize("name", ["2a-asmus", "2a-kessel", "4a-asmus", "4a-kessel"])
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
        "setup_placed",
        "intention_filed",
        "unit_detached",
        "paper_written",
        "paper_departed",
        "paper_delivered",
        "paper_read",
        "receipt_received",
        "paper_received",
        "report_written",
        "officer_reported",
        "order_effective",
        "order_done",
        "unit_moved",
        "formation_changed",
        "skirmishers_out",
        "sighted",
        "lost_from_sight",
        "knowledge_updated",
        "interrupt_raised",
        "turn_ended",
    }, sorted(kinds)
    assert kinds["sighted"] > 30
    assert played.exchange().moment.turn >= 4


def test_it_holds_a_refused_line_a_late_letter_and_a_stranger(shown: tuple[list[Happened], Path]) -> None:
    came = [(one.what, one.received) for one in shown[0] if one.received]
    reasons = {received.reason: (name, received.state) for name, received in came if received.state != "applied"}
    lines = [line for _, received in came if received.receipt for line in received.receipt.lines]

    assert [name for name, _ in came] == [name for step in MANIFEST.step for name in step.letters]
    assert reasons == {
        "refused: 1A is over, and 3A is open": ("08-2-asmus-late.eml", "refused"),
        "nobody here writes from wins@casino.example": ("09-stranger.eml", "refused"),
    }
    assert {line.word for line in lines} >= {"accepted", "not understood", "office word"}


def test_what_the_players_wrote_is_what_stands_in_their_letters(played: Dossier) -> None:
    sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]
    written = {line.text.strip() for path in LETTERS.glob("*.eml") for line in read_letter(path.read_bytes()).lines}

    assert sheets
    assert {line.strip() for sheet in sheets for line in sheet.text.splitlines()} <= written


def test_lines_under_add_come_after_those_that_stand(played: Dossier) -> None:
    sheets = [
        one.event.text
        for one in played.log
        if isinstance(one.event, OrdersAccepted) and (one.event.role, one.event.moment.turn) == ("kessel", 0)
    ]

    assert sheets[1] == f"{sheets[0]}\nto 6F5: react attacked until 300"


def test_every_mail_is_small_enough_and_none_leaves(office: Office) -> None:
    with office.read() as connection:
        mails = outbox.listing(connection)
        letters = [message_from_bytes(fetch(connection, mail.digest)) for mail in mails]

    assert {mail.state for mail in mails} == {"dropped"}
    for letter in letters:
        bodies = [part for part in letter.walk() if part.get_content_maintype() == "text" and not part.get_filename()]
        assert bodies
        assert all(len(part.get_payload(decode=True) or b"") < BODY for part in bodies), letter["Subject"]


# ------------------------------------------------------------------ the umpire's report


def test_the_umpire_has_a_report_of_every_turn_and_of_it_nothing_is_mailed(office: Office) -> None:
    pages = [truth.write(office, NAME, Moment(turn)) for turn in (1, 2, 3, 4)]
    with office.read() as connection:
        mails = [fetch(connection, mail.digest) for mail in outbox.listing(connection)]

    assert all(page.whole for page in pages)
    for page in pages:
        html = page.path.read_text("utf-8")
        assert 'id="truth"' in html
        assert 'id="role-asmus"' in html
        assert 'id="role-kessel"' in html
        assert "<script" not in html
    for mail in mails:
        said = b"\n".join(
            bytes(part.get_payload(decode=True) or b"")
            for part in message_from_bytes(mail).walk()
            if part.get_content_maintype() == "text"
        )
        assert b"what truly stands on it" not in said
        assert b"for the umpire alone" not in said
