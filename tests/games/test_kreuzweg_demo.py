"""The demonstration of the Kreuzweg: what is in its letters, that it is a game, and its log of old.

`kreuzweg-demo/log.jsonl` and `states.txt` are kept as those of `test_stprivat_demo` are.
"""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import demo
from pbem.desk.office.office import Office
from pbem.desk.pages import gms_page
from pbem.kernel.names import Moment
from pbem.kernel.office import OrdersAccepted
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.kept import Course, Letters, LogOfOld, Reports

NAME = "kreuzweg-demo"
KEPT = Path(__file__).with_name(NAME)
REPORTS = ("2a-asmus", "2a-kessel", "4a-asmus", "4a-kessel")
SCENARIO, MANIFEST, LETTERS = demo.find_demo("kriegsspiel", "kreuzweg")

pytestmark = pytest.mark.xdist_group(NAME)


class TestCourse(Course):
    kinds = {
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
    }
    more_than = {"sighted": 30}
    stops_at = 4


class TestTheLogOfOld(LogOfOld):
    turns = "1–4"


class TestReports(Reports):
    pass


class TestLetters(Letters):
    """Lines are refused, a letter comes late, and a stranger writes."""

    not_applied = {
        "08-2-asmus-late.eml": ("refused", "refused: 1A is over, and 3A is open"),
        "09-stranger.eml": ("refused", "nobody here writes from wins@casino.example"),
    }
    words = {"accepted", "not understood", "office word"}
    types = {"text/plain", "text/html"}
    encodings = {"8bit"}
    adding = 1
    quoting = 2


def test_lines_under_add_come_after_those_that_stand(played: Dossier) -> None:
    sheets = [
        one.event.text
        for one in played.log
        if isinstance(one.event, OrdersAccepted) and (one.event.role, one.event.moment.turn) == ("kessel", 0)
    ]

    stands = sheets[0].replace("to 6F5: gallop to the hill\n", "")
    assert stands != sheets[0], "what was refused stands no longer"
    assert sheets[1] == f"{stands}\nto 6F5: react attacked until 300"


# ------------------------------------------------------------------ the umpire's report


def test_the_umpire_has_a_report_of_every_turn_and_of_it_nothing_is_mailed_before_the_end(office: Office) -> None:
    pages = [gms_page.write(office, NAME, Moment(turn)) for turn in (1, 2, 3, 4)]
    with office.read() as connection:
        mails = [(mail, fetch(connection, mail.digest)) for mail in outbox.listing(connection)]

    assert all(page.whole for page in pages)
    for page in pages:
        html = page.path.read_text("utf-8")
        assert 'id="truth"' in html
        assert 'id="role-asmus"' in html
        assert 'id="role-kessel"' in html
        assert "<script" not in html
    for mail, raw in mails:
        parts = [part for part in message_from_bytes(raw).walk() if part.get_content_maintype() == "text"]
        said = b"\n".join(bytes(part.get_payload(decode=True) or b"") for part in parts)
        last = mail.cause.startswith("report/4A/")
        assert [part.get_filename() for part in parts].count(f"opened-{NAME}.html") == last
        assert (b"what truly stands on it" in said) == last
        assert b"for the umpire alone" not in said
