"""An office on a real disk, with a clock that is set and chance that repeats itself, and the toy to play in it."""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.intake.fates import Received
from pbem.desk.intake.receive import receive, submit
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, SECOND, Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.names import Role
from pbem.kernel.office import Option, Source
from pbem.kernel.terms import Terms, changed
from pbem.mail.reading.worker import Reader
from pbem.storage import outbox
from pbem.storage.blobs import fetch
from pbem.storage.outbox import Mail

START = 1_795_212_000_000_000
"""Fri 20 Nov 2026, 22:00 UTC."""

SETTINGS = """\
address = "office@office.example"
name = "The office"
gm = "gm@office.example"
"""

PLAYERS = {"smuggler": "ann@player.example", "guard": "ben@player.example"}


READER = Reader()
"""One process reads the letters of all offices of these tests."""
atexit.register(READER.close)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at

    def forward(self, hours: float) -> None:
        """Let *hours* pass."""
        self.at += int(hours * HOUR)


class Chance:
    """Bytes that are the same in every test."""

    def __init__(self, luck: str = "luck") -> None:
        self.luck, self.drawn = luck, 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(f"{self.luck}/{self.drawn}".encode()).digest(count)


class Table:
    """An office and a campaign of the ford in it."""

    def __init__(self, office: Office, clock: Clock, chance: Chance | None = None) -> None:
        self.office, self.clock, self.chance = office, clock, chance or Chance()
        self.written = 0
        self.name = "ford"
        """Of the campaign at hand."""

    def open(self, options: dict[str, Option] | None = None, **terms: object) -> Dossier:
        """Open, enrol and start the campaign at hand."""
        scenario = find_scenario(self.office.folder, "toy/ford")
        enrol.new(self.office, self.name, scenario, changed(Terms(trust="address"), terms), options=options)
        for role, address in PLAYERS.items():
            enrol.add_player(self.office, self.name, role, name=role.title(), address=address)
        return enrol.start(self.office, self.name)

    def write(self, role: str, text: str, *, subject: str = "", head: str = "") -> Received:
        """A letter of *role* comes in."""
        return self.receive(self.letter(role, text, subject=subject, head=head))

    def receive(self, raw: bytes) -> Received:
        """A letter comes in, a second after what was before."""
        self.clock.at += SECOND
        return receive(self.office, raw, way="pipe")

    def submit(self, role: str, text: str, *, source: Source = "gm") -> Received:
        """A file is handed in, a second after what was before."""
        self.clock.at += SECOND
        return submit(self.office, self.name, role, text.encode(), source=source)

    def letter(self, role: str, text: str, *, subject: str = "", head: str = "") -> bytes:
        """A letter of *role*, as it comes from the server."""
        self.written += 1
        address = PLAYERS.get(role, role)
        lines = (
            f"From: {role.title()} <{address}>",
            "To: office@office.example",
            f"Subject: {subject or f'Re: [{self.name}] orders'}",
            f"Message-ID: <{self.written}@player.example>",
            *([head] if head else []),
            "",
            text,
        )
        return "\n".join(lines).encode()

    @property
    def dossier(self) -> Dossier:
        """The campaign as it stands."""
        with self.office.read() as connection:
            return load(self.office, connection, self.name)

    @property
    def kinds(self) -> list[str]:
        """The kinds of the events of the log."""
        return [str(one.event.__struct_config__.tag) for one in self.dossier.log]

    @property
    def mails(self) -> list[Mail]:
        """All that is owed."""
        with self.office.read() as connection:
            return outbox.listing(connection)

    def bytes_of(self, mail: Mail) -> bytes:
        """A mail as it would leave."""
        with self.office.read() as connection:
            return fetch(connection, mail.digest)

    def text_of(self, mail: Mail) -> str:
        """All that can be read in a mail: its header, its text, its page, its attachments."""
        letter = message_from_bytes(self.bytes_of(mail), policy=default)
        parts = [str(part.get_content()) for part in letter.walk() if part.get_content_maintype() == "text"]
        return "\n".join((*(f"{name}: {value}" for name, value in letter.items()), *parts))

    def last_to(self, role: str) -> str:
        """All that can be read in the newest mail to *role* (`gm`: to the GM)."""
        who = self.dossier.campaign.players.get(Role(role))
        return self.text_of([mail for mail in self.mails if mail.player == who][-1])

    def words_to(self, role: str) -> str:
        """The plain text of the newest mail to *role*, its lines joined."""
        who = self.dossier.campaign.players.get(Role(role))
        mail = [mail for mail in self.mails if mail.player == who][-1]
        body = message_from_bytes(self.bytes_of(mail), policy=default).get_body(("plain",))
        return " ".join(str(body.get_content()).split()) if body else ""

    def turn(self) -> None:
        """Resolve the open exchange and make it known."""
        adjudicate.run(self.office, self.name, early=True)
        publish.release(self.office, self.name)


@contextmanager
def table(folder: Path, luck: str = "luck") -> Iterator[Table]:
    """A new office in *folder*."""
    chance = Chance(luck)
    make_office(folder, SETTINGS, chance=chance)
    with again(folder, chance.drawn, luck) as made:
        yield made


@contextmanager
def again(folder: Path, drawn: int, luck: str = "luck") -> Iterator[Table]:
    """The office in *folder*, opened again by one whose chance was asked *drawn* times."""
    chance, clock = Chance(luck), Clock()
    chance.drawn = drawn
    with open_office(folder, now=clock, chance=chance) as office:
        office.kept["reader"] = READER
        yield Table(office, clock, chance)
