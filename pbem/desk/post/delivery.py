"""What is owed leaves: claimed, handed to the mail server, and written down as sent, to be tried again, or failed.

One mail is claimed at a time, in the transaction that writes down what became of the one before: whoever dies
leaves one mail of which nobody knows whether it has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.office.inside import inside
from pbem.desk.office.office import HOUR, SECOND, Office
from pbem.desk.office.settings import smtp_password
from pbem.desk.post import bounces
from pbem.desk.post.post import ELSEWHERE
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import PlayerId
from pbem.mail.leaving.fate import Fate
from pbem.mail.reading.letter import read_head
from pbem.storage import blobs, claims, outbox, players, setbacks
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail as Mail
from pbem.storage.outbox import State
from pbem.storage.players import Player
from pbem.storage.setbacks import Setback

if TYPE_CHECKING:
    from pbem.mail.leaving.outbox import Delivery, SmtpServer

LEASE = 10 * 60 * SECOND
"""How long one attempt may take before another process may make one."""


class Sent(Struct, frozen=True, kw_only=True):
    """What became of the mails that were due."""

    sent: tuple[Mail, ...] = ()
    later: tuple[Mail, ...] = ()
    failed: tuple[Mail, ...] = ()
    expired: tuple[Mail, ...] = ()
    """Of no use any more: they never leave."""
    held_up: Mapping[str, int] = {}
    """How many wait because enough have left for their domain in this minute."""


class _Claimed(Struct, frozen=True):
    """A mail that is ours for now, and what its envelope says."""

    mail: Mail
    raw: bytes
    sender: str
    to: str


def send_due(
    office: Office, *, progress: Callable[[int], None] = lambda count: None, stop: Callable[[], bool] = lambda: False
) -> Sent:
    """Hand over every mail that is due, until *stop*; *progress* is told how many have been dealt with.

    :raises Refused: if no mail server is set, or this office never mails.
    """
    if not office.mails:
        raise Refused("this office never mails.")
    if not office.settings.smtp.host:
        raise Refused(
            f"no mail server is set: give [smtp] host in {office.folder / 'pbem.toml'}; "
            "or write the letters as files: pbem mail send --dry-run FOLDER"
        )
    # Loaded where a letter leaves, and nowhere else.
    import asyncio

    return asyncio.run(_Sender(office, progress, stop).send_all(server_of(office)))


@contextmanager
def alive(office: Office, by: str) -> Iterator[None]:
    """Until the block ends, let others know that *by* lives, who has leases."""
    with claims.claimed(office.engine, claims.SENDER, claims.number_of(by)):
        yield


def let_go_of_the_dead(office: Office) -> None:
    """Let others send at once what somebody had begun to send who is dead: his lease need not run out."""
    now = office.now()
    with office.read() as looking:
        holders = outbox.holders(looking, at=now)
    for by in holders:
        with claims.claimed(office.engine, claims.SENDER, claims.number_of(by)) as dead:
            if dead:
                with office.write() as writing:
                    outbox.let_go(writing, by, at=now)


def server_of(office: Office) -> SmtpServer:
    """The mail server of the office, with its password.

    :raises Refused: if the command that gives the password fails.
    """
    from pbem.mail.leaving.outbox import SmtpServer

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
            path = inside(folder, f"{mail.id}.eml")
            path.write_bytes(raw)
            written.append(path)
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    return written


def jitter(office: Office) -> int:
    """What is added to a wait, in microseconds, so that not all come again at once."""
    return int.from_bytes(office.chance(4)) % (HOUR // 6)


class _Sender:
    """Whoever hands over what is due, over one connection."""

    def __init__(self, office: Office, progress: Callable[[int], None], stop: Callable[[], bool]) -> None:
        self._office, self._progress, self._stop, self._by = office, progress, stop, office.fresh_id()
        self._ended: dict[State, list[Mail]] = {"sent": [], "queued": [], "failed": [], "dropped": []}
        self._may_owe = False

    async def send_all(self, server: SmtpServer) -> Sent:
        from pbem.mail.leaving.outbox import connection

        async with connection(server) as line:
            with alive(self._office, self._by):
                with self._office.write() as writing:
                    self._end_expired(writing)
                    claimed = self._claim(writing)
                # What became of one mail may owe another, which is written when that is in the books.
                while claimed := claimed or self._next():
                    delivery = await line.send(claimed.raw, claimed.sender, [claimed.to])
                    with self._office.write() as writing:
                        self._settle(writing, claimed.mail, delivery)
                        claimed = None if self._stop() else self._claim(writing)
        with self._office.read() as looking:
            held_up = outbox.held_up(looking, at=self._office.now(), limits=self._limits, gm=self._office.gm)
        ended = {state: tuple(mails) for state, mails in self._ended.items()}
        return Sent(
            sent=ended["sent"],
            later=ended["queued"],
            failed=ended["failed"],
            expired=ended["dropped"],
            held_up=held_up,
        )

    def _next(self) -> _Claimed | None:
        if self._stop() or not self._may_owe:
            return None
        self._may_owe = False
        with self._office.write() as writing:
            return self._claim(writing)

    @property
    def _limits(self) -> Mapping[str, int]:
        return self._office.settings.smtp.limits

    def _end_expired(self, writing: Connection) -> None:
        for mail in outbox.expire(writing, at=self._office.now()):
            if mail.state == "failed":
                bounces.tell_lost(self._office, writing, mail, mail.answer)
            self._note(mail)

    def _claim(self, writing: Connection) -> _Claimed | None:
        """The next mail that is due."""
        office = self._office
        now = office.now()
        while found := outbox.claim(
            writing, at=now, until=now + LEASE, by=self._by, limit=1, limits=self._limits, gm=office.gm
        ):
            [mail] = found
            try:
                raw = blobs.fetch(writing, mail.digest)
                return _Claimed(mail, raw, bounces.way_back(office, mail), _reader(office, writing, mail, raw))
            except PbemError as error:
                self._lose(writing, mail, str(error))
        return None

    def _settle(self, writing: Connection, mail: Mail, delivery: Delivery) -> None:
        now = self._office.now()
        match delivery.fate:
            case Fate.SENT:
                outbox.sent(writing, mail.id, answer=delivery.words, at=now)
                self._note(replace(mail, state="sent", answer=delivery.words, sent_at=now))
            case Fate.RETRY:
                by, late = self._by, jitter(self._office)
                after = outbox.retry(writing, mail.id, by=by, answer=delivery.words, at=now, jitter=late)
                if after.state == "failed":
                    bounces.tell_lost(self._office, writing, mail, delivery.words)
                self._note(after)
            case Fate.FAILED:
                if any(answer.code for answer in delivery.answers) and not mail.cause.startswith(ELSEWHERE):
                    bounces.refused_at_once(self._office, writing, mail, delivery.words, at=now)
                self._lose(writing, mail, delivery.words)

    def _lose(self, writing: Connection, mail: Mail, why: str) -> None:
        after = outbox.fail(writing, mail.id, by=self._by, answer=why)
        if after.state == "failed":
            bounces.tell_lost(self._office, writing, mail, why)
        self._note(after)

    def _note(self, mail: Mail) -> None:
        self._ended.setdefault(mail.state, []).append(mail)
        self._may_owe |= mail.state != "sent"
        self._progress(sum(map(len, self._ended.values())))


def listing(office: Office) -> list[Mail]:
    """All that the office owes or owed, in the order in which it came about."""
    with office.read() as looking:
        return outbox.listing(looking)


class To(Struct, frozen=True):
    """Whom a mail goes to: what he is called, and his address; that is empty once it was erased."""

    name: str
    address: str


def recipients(office: Office, mails: Iterable[Mail]) -> dict[str, To]:
    """Whom each of *mails* goes to, by its id."""
    with office.read() as looking:
        people = {one.id: one for one in players.listing(looking)}
        return {one.id: _recipient(office, looking, one, people) for one in mails}


def _recipient(office: Office, connection: Connection, mail: Mail, people: Mapping[PlayerId, Player]) -> To:
    if mail.player:
        who = people[mail.player]
        return To(who.name or ("erased" if who.erased_at else who.id), who.address or "")
    elsewhere = mail.cause.startswith(ELSEWHERE) or len(office.gms) > 1
    elsewhere = elsewhere and blobs.state(connection, mail.digest) == "kept"
    address = _reader(office, connection, mail, blobs.fetch(connection, mail.digest) if elsewhere else b"")
    return To("you" if address == office.gm else address or "erased", address)


class Shown(Struct, frozen=True, kw_only=True):
    """One mail, as the GM looks at it."""

    mail: Mail
    to: str
    """The address that it goes to; empty if that was erased."""
    raw: bytes | None
    """None: they were erased."""
    text: str
    """Its plain text."""
    setback: Setback | None
    """If it came back."""


def shown(office: Office, id: str) -> Shown:
    """A mail, its bytes, and what is known of its coming back.

    :raises Refused: if there is none.
    """
    with office.read() as looking:
        mail = outbox.get(looking, id)
        kept = blobs.state(looking, mail.digest) == "kept"
        raw = blobs.fetch(looking, mail.digest) if kept else None
        to = _reader(office, looking, mail, raw or b"")
        setback = setbacks.get(looking, id)
    return Shown(mail=mail, to=to, raw=raw, text=_text(raw) if raw else "", setback=setback)


def _reader(office: Office, connection: Connection, mail: Mail, raw: bytes) -> str:
    """The address that *mail* goes to; empty if it was erased."""
    if mail.player:
        return players.get(connection, mail.player).address or ""
    if mail.cause.startswith(ELSEWHERE) or (raw and len(office.gms) > 1):
        return next(iter(read_head(raw).recipients), "")
    return office.gm


def _text(raw: bytes) -> str:
    body = message_from_bytes(raw, policy=default).get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body else ""


def due(office: Office) -> int:
    """How many mails are due now."""
    now = office.now()
    return sum(mail.state == "queued" and mail.due_at <= now for mail in listing(office))


def again(office: Office, id: str) -> Mail:
    """Send a mail that failed or was dropped after all, or one that waits at once.

    :raises Refused: if there is none, or it has left already or is being sent, or its hour has passed, or its bytes
        were erased.
    """
    with office.write() as writing:
        blobs.fetch(writing, outbox.get(writing, id).digest)
        outbox.again(writing, id, at=office.now())
        setbacks.forget_mail(writing, id)
        return outbox.get(writing, id)


def drop(office: Office, id: str) -> Mail:
    """Never send it.

    :raises Refused: if there is none, or it has left already.
    """
    with office.write() as writing:
        outbox.drop(writing, id, why="dropped by the GM")
        return outbox.get(writing, id)
