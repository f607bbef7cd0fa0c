"""What is owed leaves: claimed, handed to the mail server, and written down as sent, to be tried again, or failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from pbem.desk.office import HOUR, SECOND, Office
from pbem.desk.settings import smtp_password
from pbem.kernel.errors import Refused
from pbem.mail.outbox import Delivery, Fate, Line, SmtpServer, connection
from pbem.storage import blobs, outbox, players
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail

LEASE = 10 * 60 * SECOND
"""How long one attempt may take before another process may make one."""

BATCH = 20


class Sent(Struct, frozen=True, kw_only=True):
    """What became of the mails that were due."""

    sent: tuple[Mail, ...] = ()
    later: tuple[Mail, ...] = ()
    failed: tuple[Mail, ...] = ()


def send_due(office: Office, *, progress: Callable[[int], None] = lambda count: None) -> Sent:
    """Hand over every mail that is due; *progress* is told how many have been dealt with.

    :raises Refused: if no mail server is set, or this office never mails.
    """
    if not office.mails:
        raise Refused("this office never mails.")
    if not office.settings.smtp.host:
        raise Refused(
            f"no mail server is set: give [smtp] host in {office.folder / 'pbem.toml'}; "
            "or write the letters as files: pbem mail send --write FOLDER"
        )
    return asyncio.run(_send_due(office, server_of(office), progress))


def server_of(office: Office) -> SmtpServer:
    """The mail server of the office, with its password.

    :raises Refused: if the command that gives the password fails.
    """
    smtp = office.settings.smtp
    return SmtpServer(
        host=smtp.host,
        port=smtp.port,
        security=smtp.security,
        user=smtp.user,
        password=smtp_password(smtp) if smtp.user else "",
        hello=office.settings.host,
    )


def write_due(office: Office, folder: Path) -> list[Path]:
    """Write every mail that waits as a file into *folder*, and leave it waiting; gives the files.

    :raises Refused: if the folder cannot be written.
    """
    with office.read() as looking:
        waiting = [mail for mail in outbox.listing(looking) if mail.state in ("queued", "sending")]
        raws = [blobs.fetch(looking, mail.digest) for mail in waiting]
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for mail, raw in zip(waiting, raws, strict=True):
            path = folder / f"{mail.id}.eml"
            path.write_bytes(raw)
            written.append(path)
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    return written


async def _send_due(office: Office, server: SmtpServer, progress: Callable[[int], None]) -> Sent:
    ended: dict[str, list[Mail]] = {"sent": [], "queued": [], "failed": []}
    by = office.fresh_id()
    async with connection(server) as line:
        while True:
            with office.write() as writing:
                now = office.now()
                claimed = outbox.claim(writing, at=now, until=now + LEASE, by=by, limit=BATCH)
            if not claimed:
                break
            for mail in claimed:
                after = await _send(office, line, mail, by)
                ended.setdefault(after.state, []).append(after)
                progress(sum(map(len, ended.values())))
    return Sent(sent=tuple(ended["sent"]), later=tuple(ended["queued"]), failed=tuple(ended["failed"]))


async def _send(office: Office, line: Line, mail: Mail, by: str) -> Mail:
    with office.read() as looking:
        raw = blobs.fetch(looking, mail.digest)
        to = (players.get(looking, mail.player).address or "") if mail.player else office.gm
    # An answer leaves without a sender, so that it cannot come back and be answered.
    sender = "" if mail.kind == "receipt" else office.settings.address
    delivery = await line.send(raw, sender, [to])
    with office.write() as writing:
        return _settle(office, writing, mail, delivery, by)


def _settle(office: Office, writing: Connection, mail: Mail, delivery: Delivery, by: str) -> Mail:
    now = office.now()
    match delivery.fate:
        case Fate.SENT:
            outbox.sent(writing, mail.id, answer=delivery.words, at=now)
        case Fate.RETRY:
            jitter = int.from_bytes(office.chance(4)) % (HOUR // 6)
            outbox.retry(writing, mail.id, by=by, answer=delivery.words, at=now, jitter=jitter)
        case Fate.FAILED:
            outbox.fail(writing, mail.id, by=by, answer=delivery.words)
    return outbox.get(writing, mail.id)


def listing(office: Office) -> list[Mail]:
    """All that the office owes or owed, in the order in which it came about."""
    with office.read() as looking:
        return outbox.listing(looking)


def due(office: Office) -> int:
    """How many mails are due now."""
    now = office.now()
    return sum(mail.state == "queued" and mail.due_at <= now for mail in listing(office))


def again(office: Office, id: str) -> None:
    """Send a mail that failed or was dropped after all, or one that waits at once.

    :raises Refused: if there is none, or it has left already.
    """
    with office.write() as writing:
        outbox.again(writing, id, at=office.now())


def drop(office: Office, id: str) -> None:
    """Never send it.

    :raises Refused: if there is none, or it has left already.
    """
    with office.write() as writing:
        outbox.drop(writing, id, why="dropped by the GM")
