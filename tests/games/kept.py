"""What is seen of every demonstration: its course, its log of old, its reports as they were looked at, its letters.

A module of tests takes these classes under names of its own that begin with `Test`, and there says what should be
found.  Which demonstration it is, the module says by `NAME`, `KEPT`, `SCENARIO`, `MANIFEST` and `LETTERS`, and by
`REPORTS` which pages are kept; the fixtures are those of `conftest`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from email import message_from_bytes
from pathlib import Path
from typing import ClassVar

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house.demo import Happened
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office
from pbem.desk.proof.proof import Verified
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.office import OrdersAccepted, SeedsRenewed
from pbem.mail.reading.letter import read_letter
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from tests.games.golden import facts, promised, states

BODY = 100_000
"""Bytes that no part of a mail passes."""


def came(happened: Sequence[Happened]) -> list[tuple[str, Received]]:
    """The letters that came, each by its file, and what became of it."""
    return [(one.what, one.received) for one in happened if one.received]


class Course:
    """What came to pass in it."""

    kinds: ClassVar[Set[str]]
    """Of facts, some of each."""
    more_than: ClassVar[Mapping[str, int]] = {}
    """So many, of facts that are to be seen again and again."""
    stops_at: ClassVar[int]
    """The turn that is open at its end."""

    def test_it_holds_what_the_game_is_made_of(self, played: Dossier) -> None:
        told = [one.event for one in played.log if isinstance(one.event, Outcome)]
        found = Counter(kind_of(fact).partition(".")[2] for fact in told)

        assert found.keys() >= self.kinds, sorted(found)
        assert {kind: found[kind] for kind, count in self.more_than.items() if found[kind] <= count} == {}
        assert played.exchange().moment.turn == self.stops_at


class LogOfOld:
    """The log as it was when the game was last looked at, taken in again."""

    turns: ClassVar[str]
    """Those that are resolved again."""

    def test_it_folds_to_the_states_that_it_came_to(self, old: Dossier, kept: Path) -> None:
        assert states(old) == (kept / "states.txt").read_text()

    def test_it_is_sound(self, verified: Verified) -> None:
        assert verified.first is None
        said = {row.name: row.what for row in verified.rows}
        assert "sealed" not in said["dice"]
        assert re.match(rf"turns {self.turns}, .* outcomes$", said["resolve again"])
        assert said["reports"].endswith(" erased")

    def test_it_has_the_head_that_its_file_promises(self, verified: Verified, old: Dossier, kept: Path) -> None:
        head = promised(kept)

        # Whoever takes a log in promises new seeds for what is open, and says so behind its end.
        assert {type(one.event) for one in old.log[head["events"] :]} <= {SeedsRenewed}
        [row] = [row for row in verified.rows if row.name == "head"]
        assert row.what.endswith(f"event {head['events']}")

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
        text = re.split(r"\n(?:DUE NEXT|THE END)\n", text)[0]
        if pytestconfig.getoption("update_golden"):
            (kept / f"{report}.txt").write_text(text, "utf-8")
        assert text == (kept / f"{report}.txt").read_text("utf-8")


class Letters:
    """What came in and what would have gone out."""

    not_applied: ClassVar[Mapping[str, tuple[str, str]]]
    """By letter, its state, and why."""
    words: ClassVar[Set[str]]
    """What receipts say of lines."""
    put_right: ClassVar[Mapping[str, str]] = {}
    """By letter, a line in it that had been refused before."""
    types: ClassVar[Set[str]]
    encodings: ClassVar[Set[str]]
    adding: ClassVar[int]
    """Letters that add to the sheet that stands."""
    quoting: ClassVar[int]
    """Letters that quote another, at least."""

    def test_every_letter_comes_and_comes_to_what_it_should(
        self, request: pytest.FixtureRequest, shown: tuple[list[Happened], Path]
    ) -> None:
        letters = came(shown[0])
        not_applied = {name: (one.state, one.reason) for name, one in letters if one.state != "applied"}
        lines = [(name, line) for name, received in letters if received.receipt for line in received.receipt.lines]

        assert [name for name, _ in letters] == [name for step in request.module.MANIFEST.step for name in step.letters]
        assert not_applied == self.not_applied
        assert {line.word for _, line in lines} >= self.words
        for letter, text in self.put_right.items():
            assert [line.word for name, line in lines if name == letter and text in line.text] == ["accepted"]

    def test_they_are_as_mail_programs_write_them(self, request: pytest.FixtureRequest) -> None:
        files = list(request.module.LETTERS.glob("*.eml"))
        letters = [message_from_bytes(path.read_bytes()) for path in files]
        texts = [path.read_text("utf-8") for path in files]

        assert {letter.get_content_type() for letter in letters} == self.types
        assert {letter["Content-Transfer-Encoding"] for letter in letters} >= self.encodings
        assert sum("\nadd\n" in text for text in texts) == self.adding
        assert sum("\n> " in text or "gmail_quote" in text for text in texts) >= self.quoting

    def test_what_the_players_wrote_is_what_stands_in_their_letters(
        self, request: pytest.FixtureRequest, played: Dossier
    ) -> None:
        sheets = [one.event for one in played.log if isinstance(one.event, OrdersAccepted)]
        files = request.module.LETTERS.glob("*.eml")
        letters = [read_letter(path.read_bytes()) for path in files]
        in_files = [line for one in letters for file in one.files for line in file.lines]
        typed = [*in_files, *(line for one in letters for line in one.lines)]
        written = {line.text.strip() for line in typed}

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
