"""Write an office of an older shape as SQL: ``python -m tests.storage.released.make 0001 > 0001.sql``.

The files beside this one were written when their version was the newest, and are never written anew: an office
like them is on somebody's disk.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from msgspec import Raw

from pbem.kernel.dice import promise
from pbem.kernel.event import Event, Throw
from pbem.kernel.names import FULL, Moment, PlayerId, Role, ThrowName
from pbem.kernel.office import (
    CampaignOpened,
    CampaignStarted,
    ExchangeAnnulled,
    ExchangeOpened,
    ExchangeReleased,
    ExchangeResolved,
    MessageReceived,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    PlayerEnrolled,
    PlayerReplaced,
    ReportIssued,
    RulesPinned,
    Told,
)
from pbem.storage import blobs, letters, migrate, outbox, players, secrets
from pbem.storage.codec import Codec
from pbem.storage.database import open_office, transaction
from pbem.storage.databases.connection import Connection
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, MIGRATIONS, NOW, Moved, Rallied

FRENCH, PRUSSIAN = Role("french"), Role("prussian")
ANNE, BERND, CLARA = PlayerId("p-anne"), PlayerId("p-bernd"), PlayerId("p-clara")
SET_UP, FIRST = Moment(0), Moment(1)
LETTER = b"From: anne@example.org\r\n\r\nmove p1 to J-10\r\n"


def office(connection: Connection) -> None:
    """Three players, a letter that was applied, a mail that waits, and a log in which a run was annulled."""
    for number, (player, name) in enumerate([(ANNE, "Anne"), (BERND, "Bernd"), (CLARA, "Clara")]):
        address = f"{name}@Example.org"
        players.add(connection, player, name=name, address=address, zone="Europe/Berlin", at=NOW + number)
    digest = blobs.keep(connection, LETTER, at=NOW)
    page = blobs.keep(connection, b"<h1>1A</h1>", at=NOW)
    muster = secrets.keep(connection, AUTUMN, "muster", open_seed=bytes(32), closed_seed=b"\x01" * 32, at=NOW)
    first = secrets.keep(connection, AUTUMN, "1A", open_seed=b"\x02" * 32, closed_seed=b"\x03" * 32, at=NOW)
    sheet = OrdersAccepted(
        role=FRENCH,
        moment=FIRST,
        receipt=1,
        text="move p1 to J-10\ncharge",
        orders=(Raw(b'{"do":"move","piece":"p1"}'),),
        told=(Told(2, "not understood", "no such word", "SP-ORD-01"),),
        digest="0" * 64,
        message=digest,
    )
    throw = Throw(ThrowName("1A/melee/J-10"), "closed", 6, (4, 2))
    run: list[Event] = [
        Moved(phase="movement", piece="p1", path=("J-9", "J-10"), cost=2, dice=(throw,), known={FRENCH: FULL}),
        ExchangeResolved(moment=FIRST, version="1.0", content="c", facts=1, state="s", views={FRENCH: "v"}),
    ]
    log: list[Event] = [
        CampaignOpened(
            campaign=AUTUMN,
            system="test",
            scenario="field",
            title="Herbst in der Lausitz, Kürassiere",
            roles=(FRENCH, PRUSSIAN),
            scene="5" * 64,
            options={"fog": True, "dice": "closed", "hours": 3},
        ),
        RulesPinned(system="test", version="1.0", content="c"),
        PlayerEnrolled(role=FRENCH, player=ANNE),
        PlayerEnrolled(role=PRUSSIAN, player=BERND),
        CampaignStarted(promises=muster),
        Rallied(back={"p1": 3, "p2": 0}),
        ExchangeOpened(moment=FIRST, name="A", due=(NOW + 100,), promises=first),
        MessageReceived(digest=digest, source="letter", player=ANNE),
        sheet,
        OrdersRefused(role=PRUSSIAN, moment=None, receipt=1, text="?", reason="not understood", digest="1" * 64),
        OrdersKept(role=PRUSSIAN, moment=Moment(2), receipt=2, text="later", digest="2" * 64),
        *run,
        PlayerReplaced(role=PRUSSIAN, former=BERND, player=CLARA, reason="ill"),
        ExchangeAnnulled(moment=FIRST, since=12, reason="a wrong map"),
        *run,
        ExchangeReleased(moment=FIRST, open_seed=(b"\x02" * 32).hex()),
        ReportIssued(role=FRENCH, moment=FIRST, upto=17, view="v", page=page),
    ]
    recorded = [(SET_UP if number < 6 else FIRST, event) for number, event in enumerate(log)]
    end = SqlLog(connection, Codec(FACTS)).append(AUTUMN, recorded, expecting=0, at=NOW, actor="office")
    letter, _ = letters.receive(
        connection,
        letters.NewLetter(
            digest=digest,
            source="imap",
            origin="INBOX/1/7",
            at=NOW,
            message_id="<1@example.org>",
        ),
    )
    letters.settle(connection, letter.id, "applied", campaign=AUTUMN, seq=9, player=ANNE)
    outbox.queue(
        connection,
        outbox.NewMail(
            id="m-1",
            campaign=AUTUMN,
            player=ANNE,
            kind="report",
            cause="report/1A/french/1",
            message_id="<autumn.1A.m-1@example.org>",
            subject="[Autumn] 1A report",
            digest=page,
            at=NOW,
        ),
    )
    assert end == len(log)
    assert promise(bytes(32)) == muster.open


def main(version: str) -> None:
    """Print an office of *version* as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "office.db"
        engine = open_office(f"sqlite:///{path}", create=True)
        migrate.upgrade(engine, MIGRATIONS, version)
        with transaction(engine) as connection:
            office(connection)
        engine.dispose()
        with closing(sqlite3.connect(path)) as made:
            sys.stdout.writelines(f"{line}\n" for line in made.iterdump())


if __name__ == "__main__":
    main(sys.argv[1])
