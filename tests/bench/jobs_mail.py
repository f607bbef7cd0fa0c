"""Mail in and out: letters kept and dealt with, and mails handed over, beside the least that does the same."""

from __future__ import annotations

import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from itertools import count, cycle, islice
from pathlib import Path
from random import Random

from pbem.desk.office.office import open_office
from pbem.desk.post import delivery
from pbem.desk.ways.arrivals import keep, sweep
from pbem.storage import blobs, outbox
from tests.bench.jobs_desk import CAMPAIGN, EARLY, FULL, LINES, advanced, without_pictures
from tests.bench.measure import Job, Pair
from tests.bench.offices import ROLES, hall, letter, played
from tests.soak.senders import counting, owing

LETTERS = 20
"""Letters that one call takes in."""
MAILS = 50
"""Mails of 20 kB that one call hands over."""
ROUNDS = 9
_TABLE = "CREATE TABLE letter (id INTEGER PRIMARY KEY, raw BLOB NOT NULL, answer BLOB)"


class RawOffice:
    """Letters and answers in a table without guards, by the driver alone: WAL, and synchronous=FULL."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", _TABLE):
            self.connection.execute(statement)

    def keep(self, raw: bytes) -> int:
        """Write a letter, and commit."""
        return self.connection.execute("INSERT INTO letter (raw) VALUES (?)", (raw,)).lastrowid or 0

    def answer(self, number: int, raw: bytes) -> None:
        """Parse a letter by the standard library, and answer with its own lines."""
        read = message_from_bytes(raw, policy=default)
        lines = read.get_content().splitlines()
        reply = EmailMessage()
        reply["Subject"], reply["To"], reply["In-Reply-To"] = read["Subject"], read["From"], read["Message-ID"]
        reply.set_content("\n".join(f"{place}  {line}" for place, line in enumerate(lines, start=1)))
        self.connection.execute("UPDATE letter SET answer = ? WHERE id = ?", (reply.as_bytes(), number))


def sheets() -> Iterator[bytes]:
    """Letters of orders without end, every one another than that before it."""
    orders = played()[1][EARLY].sheets
    for mark in count():
        role = ROLES[mark % 2]
        text = "\n".join(islice(cycle(orders[role].splitlines()), mark, mark + LINES))
        yield letter(CAMPAIGN, role, text, f"{mark}")


@contextmanager
def kept(folder: Path) -> Iterator[Pair]:
    """Letters kept, as a mail server that waits for its answer sees it."""
    written, raw = sheets(), RawOffice(folder / "raw.sqlite")
    with hall(folder) as office:
        yield Pair(
            lambda: [keep(office, one, way="lmtp") for one in islice(written, LETTERS)],
            lambda: [raw.keep(one) for one in islice(written, LETTERS)],
            LETTERS,
        )


@contextmanager
def answered(folder: Path) -> Iterator[Pair]:
    """Letters kept, read by the rules of the game, entered into the log, and answered with a receipt."""
    written, raw = sheets(), RawOffice(folder / "raw.sqlite")
    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, EARLY)

        def ours() -> None:
            for one in islice(written, LETTERS):
                keep(office, one, way="lmtp")
            assert [one.receipt is not None for one in sweep(office)] == [True] * LETTERS

        def base() -> None:
            come = [(raw.keep(one), one) for one in islice(written, LETTERS)]
            for number, one in come:
                raw.answer(number, one)

        yield Pair(ours, base, LETTERS)


@contextmanager
def sent(folder: Path) -> Iterator[Pair]:
    """Mails claimed, handed over, and each written down as sent."""
    raw = RawOffice(folder / "raw.sqlite")
    with counting(1, Random(0)) as (_, port):
        owing(folder / "office", MAILS * ROUNDS, port)
        with open_office(folder / "office") as office:
            with office.read() as connection:
                mails = [blobs.fetch(connection, one.digest) for one in outbox.listing(connection)[:MAILS]]

            def ours() -> None:
                done = 0

                def progress(count: int) -> None:
                    nonlocal done
                    done = count

                found = delivery.send_due(office, progress=progress, stop=lambda: done >= MAILS)
                assert len(found.sent) == MAILS, found

            def base() -> None:
                with smtplib.SMTP("127.0.0.1", port) as line:
                    for mail in mails:
                        line.sendmail("office@office.example", ["p1@player.example"], mail)
                        raw.keep(b"sent")

            yield Pair(ours, base, MAILS)


@contextmanager
def body_size(folder: Path) -> Iterator[Pair]:
    """How big the page in the body of a report is, of a game in which much has happened."""

    def largest() -> float:
        with office.read() as connection:
            reports = [one for one in outbox.listing(connection) if one.kind == "report"]
            raws = [blobs.fetch(connection, one.digest) for one in reports]
        return max(map(_page, raws)) / 1000

    with hall(folder) as office, without_pictures():
        advanced(office, CAMPAIGN, FULL)
        yield Pair(largest, 100)


def _page(raw: bytes) -> int:
    page = message_from_bytes(raw, policy=default).get_body(("html",))
    assert page is not None
    return len(page.get_content().encode())


JOBS = (
    Job(
        name="keep",
        what="a letter kept: bytes and row, committed before it is answered with 250",
        base="raw sqlite3 insert and commit",
        target=4,
        prepare=kept,
        rounds=ROUNDS,
        rate="letters",
    ),
    Job(
        name="answer",
        what=f"a letter of {LINES} orders kept, judged, entered, its receipt owed",
        base="the letter parsed by the standard library and answered with its own lines, two raw commits",
        target=6,
        prepare=answered,
        rounds=ROUNDS,
        rate="letters",
    ),
    Job(
        name="send",
        what="a mail of 20 kB claimed, handed over, written down as sent",
        base="smtplib over one line, and a raw commit for each",
        target=4,
        prepare=sent,
        rounds=ROUNDS,
        rate="mails",
    ),
    Job(
        name="body-size",
        what="the page in the body of a report, the largest of a game's",
        base="limit",
        target=1,
        prepare=body_size,
        rounds=1,
        unit="kB",
    ),
)
