"""Two senders at one outbox, one of them killed: no mail is lost, and at most one leaves twice for each that dies."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesHeaderParser
from pathlib import Path
from random import Random
from typing import NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.desk.books.owed import Contents
from pbem.desk.office.office import Office, clock, make_office, open_office
from pbem.desk.post import delivery
from pbem.desk.post.post import Addressee, to_player
from pbem.desk.post.writing import message_id, owe
from pbem.kernel.names import CampaignId, PlayerId
from pbem.storage import outbox, players
from tests.soak.games import Fault

VICTIM = "victim.example"
"""What the sender that is killed calls itself."""

LETTER = "The corps holds the road to Metz, and asks for cartridges.\r\n" * 340
"""20 kB."""

LONGEST = 120


class Tally(NamedTuple):
    """What came of it."""

    mails: int
    killed: int
    doubled: int
    rate: float
    """Mails a second, of both."""

    def __str__(self) -> str:
        return f"{self.mails} mails, {self.killed} kills, {self.doubled} left twice, {self.rate:.0f} mails/s"


class Counting:
    """A mail server that counts what it is given; it kills the victim while that hands over a letter, or soon after."""

    def __init__(self, senders: int, random: Random) -> None:
        self.got: Counter[str] = Counter()
        self.senders, self.names = senders, set[str]()
        self.both = asyncio.Event()
        self.victim: subprocess.Popen[bytes] | None = None
        self.random, self.left = random, random.randint(1, 20)
        self.first = self.last = 0.0

    async def handle_DATA(  # noqa: N802 – aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.names.add(name := str(session.host_name))
        if len(self.names) >= self.senders:
            self.both.set()
        await self.both.wait()
        self.first = self.first or time.monotonic()
        assert isinstance(envelope.content, bytes)
        self.got[BytesHeaderParser().parsebytes(envelope.content)["Message-ID"]] += 1
        self.last = time.monotonic()
        if name == VICTIM and self.victim is not None:
            self.left -= 1
            if self.left == 0:
                delay = self.random.choice((0.0, self.random.random() * 0.02))
                asyncio.get_running_loop().call_later(delay, self.victim.kill)
                if not delay:
                    await asyncio.sleep(0.01)
        return "250 taken"


@contextmanager
def counting(senders: int, random: Random) -> Iterator[tuple[Counting, int]]:
    """The server, up, and its port."""
    handler = Counting(senders, random)
    controller = _FreePort(handler, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield handler, controller.port
    finally:
        controller.stop()


class _FreePort(Controller):
    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call] # aiosmtpd publishes no types for it


def killed(folder: Path, mails: int, random: Random) -> Tally:
    """Let two senders hand over so many mails, and kill one of them.

    :raises Fault: if a mail was lost, or more than one left twice, or if nothing was killed.
    """
    with counting(2, random) as (server, port):
        owed = owing(folder, mails, port)
        server.victim = start(folder, PBEM_ADDRESS=f"office@{VICTIM}")
        other = start(folder)
        codes = [process.wait(LONGEST) for process in (server.victim, other)]
        with open_office(folder, now=lambda: clock() + 2 * delivery.LEASE) as office:
            delivery.send_due(office)
            see(office, owed, server.got)
    if codes != [-9, 0]:
        raise Fault(f"the senders ended with {codes}")
    doubled = sum(count - 1 for count in server.got.values())
    if doubled > 1:
        raise Fault(f"{doubled} mails left twice")
    return Tally(mails, 1, doubled, mails / (server.last - server.first))


def undisturbed(folder: Path, mails: int) -> Tally:
    """Let one sender hand over so many mails.

    :raises Fault: if one did not leave once.
    """
    with counting(1, Random(0)) as (server, port):
        owed = owing(folder, mails, port)
        if code := start(folder).wait(LONGEST):
            raise Fault(f"the sender ended with {code}")
        with open_office(folder) as office:
            see(office, owed, server.got)
    if set(server.got.values()) != {1}:
        raise Fault("a mail left twice")
    return Tally(mails, 0, 0, mails / (server.last - server.first))


def owing(folder: Path, mails: int, port: int) -> set[str]:
    """An office that owes so many mails, to be sent by *port*; gives their ids."""
    make_office(folder, f'address = "office@office.example"\n\n[smtp]\nhost = "127.0.0.1"\nport = {port}\n')
    ids = set()
    with open_office(folder) as office, office.write() as connection:
        at = office.now()
        for number in range(10):
            players.add(
                connection,
                PlayerId(f"p{number}"),
                name="P",
                address=f"p{number}@player.example",
                zone="UTC",
                at=at,
            )
        for number in range(mails):
            contents = Contents(subject=f"Report {number}", text=LETTER)
            player = players.get(connection, PlayerId(f"p{number % 10}"))
            autumn = CampaignId("autumn")
            for owed in to_player(
                Addressee(player, campaign=autumn), contents, kind="report", cause=f"report/{number}", at=at
            ):
                owe(connection, owed)
            ids.add(message_id(office, autumn, f"report/{number}"))
    return ids


def start(folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start a sender."""
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "--office", str(folder), "mail", "send"]
    return subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)


def see(office: Office, owed: set[str], got: Counter[str]) -> None:
    """See that every mail has left, and is known to have.

    :raises Fault: if not.
    """
    with office.read() as connection:
        unsent = [mail.message_id for mail in outbox.listing(connection) if mail.state != "sent"]
    lost = sorted(owed - set(got))
    if lost or unsent:
        raise Fault(f"lost: {lost}; not known as sent: {unsent}")
