"""What is seen of every demonstration: its log of old, its reports as they were looked at, its letters and mails.

A module of tests takes these classes under names of its own that begin with `Test`, and says of whom by `NAME`, `KEPT`,
`LETTERS` and `TURNS`, and by `REPORTS` which pages are kept; the fixtures are those of `conftest`.
"""

from __future__ import annotations

import json
import re
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.desk.demo import Happened
from pbem.desk.dossiers import Dossier
from pbem.desk.office import Office
from pbem.desk.verify import verify
from pbem.kernel.office import OrdersAccepted
from pbem.mail.letter import read_letter
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.golden import facts, states

BODY = 100_000
"""Bytes that no part of a mail passes."""


class LogOfOld:
    """The log as it was when the game was last looked at, taken in again."""

    def test_it_folds_to_the_states_that_it_came_to(self, old: Dossier, kept: Path) -> None:
        assert states(old) == (kept / "states.txt").read_text()

    def test_it_is_sound(self, request: pytest.FixtureRequest, taken_in: Office) -> None:
        verified = verify(taken_in, request.module.NAME)

        assert verified.first is None
        said = {row.name: row.what for row in verified.rows}
        assert "sealed" not in said["dice"]
        assert re.match(rf"turns {request.module.TURNS}, .* outcomes$", said["resolve again"])
        assert said["reports"].endswith(" erased")

    def test_it_has_the_head_that_its_file_promises(
        self, request: pytest.FixtureRequest, taken_in: Office, old: Dossier, kept: Path
    ) -> None:
        head = json.loads((kept / "log.jsonl").read_bytes().splitlines()[0])

        assert head["events"] == old.seq
        verified = verify(taken_in, request.module.NAME, head=head["head"], fold=True)
        [row] = [row for row in verified.rows if row.name == "head"]
        assert row.what.endswith(f"event {old.seq}")

    def test_the_game_that_is_shown_is_still_that_game(self, old: Dossier, played: Dossier) -> None:
        assert facts(played) == facts(old)


class Reports:
    """Some of its reports, word for word."""

    def test_a_report_reads_as_when_it_was_last_looked_at(
        self,
        report: str,
        request: pytest.FixtureRequest,
        shown: tuple[list[Happened], Path],
        kept: Path,
        pytestconfig: pytest.Config,
    ) -> None:
        text = (shown[1] / "reports" / request.module.NAME / f"{report}.txt").read_text("utf-8")
        # What comes after are the fingerprints of seeds and log: they change with every line of the rules.
        text = text[: text.index("\nDUE NEXT\n")]
        if pytestconfig.getoption("update_golden"):
            (kept / f"{report}.txt").write_text(text, "utf-8")
        assert text == (kept / f"{report}.txt").read_text("utf-8")


class Letters:
    """What came in and what would have gone out."""

    def test_what_the_players_wrote_is_what_stands_in_their_letters(
        self, request: pytest.FixtureRequest, played: Dossier
    ) -> None:
        sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]
        files = request.module.LETTERS.glob("*.eml")
        written = {line.text.strip() for path in files for line in read_letter(path.read_bytes()).lines}

        assert sheets
        assert {line.strip() for sheet in sheets for line in sheet.text.splitlines()} <= written

    def test_every_mail_is_small_enough_and_none_leaves(self, office: Office) -> None:
        with office.read() as connection:
            mails = outbox.listing(connection)
            letters = [message_from_bytes(fetch(connection, mail.digest)) for mail in mails]

        assert {mail.state for mail in mails} == {"dropped"}
        for letter in letters:
            texts = (part for part in letter.walk() if part.get_content_maintype() == "text")
            bodies = [part for part in texts if not part.get_filename()]
            assert bodies
            assert all(len(part.get_payload(decode=True) or b"") < BODY for part in bodies), letter["Subject"]
