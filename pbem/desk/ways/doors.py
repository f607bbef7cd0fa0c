"""The doors by which letters come by themselves: a mailbox that is followed, and LMTP or SMTP on this machine.

    with open_doors(office, told=log) as doors:
        while not stopping:
            for received in arrivals.sweep(office): …        # one at a time, by whoever opened the doors
            doors.came.wait(30); doors.came.clear()

Each door has a thread that keeps letters and does nothing else: no thread but the caller's reads one.  `WAYS` says
which doors there may be, the settings which there are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace as changed

from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office
from pbem.desk.office.settings import place_of
from pbem.desk.ways import arrivals
from pbem.desk.ways.piped import WAKING
from pbem.kernel.errors import PbemError
from pbem.mail.doors import waking
from pbem.mail.doors.credentials import NoSecret, Secret, from_command, from_file, given
from pbem.mail.doors.kit import Round

if TYPE_CHECKING:
    from pbem.mail.doors.imap import Account, Found

Way = str
"""The name of a way in, which stands with each letter that came by it."""

SWEEP = 60.0
"""Seconds after which the office looks for letters to read though no door has said that one came."""

_SLICES = 120  # of that time: after each it is seen whether to stop
_LEAVE = 15.0  # seconds for a thread that waits for a mail server to see that it is to stop

Told = Callable[[str], None]
"""Hears, from whatever thread, what is wrong with a door; must not raise."""


@dataclass(frozen=True)
class Doors:
    """The doors of an office, open."""

    ways: tuple[Way, ...]
    ports: dict[Way, int] = field(default_factory=dict)
    """Of those on this machine."""
    came: threading.Event = field(default_factory=threading.Event)
    """Set whenever a letter was kept or set aside."""


@dataclass(frozen=True, kw_only=True)
class WayIn:
    """One way in: whatever the office asks of it."""

    entry: str
    """What is to be given in `pbem.toml`, so that there is such a door."""

    said: Callable[[Office], str]
    """What the settings say there; empty: there is none."""

    open: Callable[[Office, Doors, Told], AbstractContextManager[int | None]]
    """Lets letters in until the block ends, and sets `came` for each; gives the port of a door on this machine."""

    fetch: Callable[[Office], Round] | None = None
    """Keeps what lies there now; None: nothing lies, letters are brought."""

    called: str
    """By what name `doctor` speaks of it."""

    seen: Callable[[Office, float], str]
    """How it is, as `doctor` says it; a server has so many seconds for an answer.

    :raises PbemError: if nothing can come in.
    """


# ------------------------------------------------------------------------------------------------- a mailbox


def _account(office: Office) -> Account:
    """The mailbox of the settings.

    :raises Refused: if its authorities cannot be read.
    """
    # Each door is loaded when it is opened.
    from pbem.desk.office.trusted import trusted
    from pbem.mail.doors.imap import Account

    said = office.settings.imap
    return Account(
        host=said.host,
        port=said.port or (993 if said.security == "tls" else 143),
        security=said.security,
        user=said.user or office.settings.address,
        secret=_secret_of(office),
        xoauth2=bool(said.token_file or said.token_command),
        folder=said.folder,
        processed=said.processed,
        certificates=trusted(office.folder / said.authorities, "[imap] authorities") if said.authorities else None,
    )


def _secret_of(office: Office) -> Secret:
    """Where the token or the password is, asked at each login."""
    said = office.settings.imap
    if said.token_file:
        return from_file(office.folder / said.token_file)
    if said.token_command:
        return from_command(said.token_command)

    def password() -> str:
        if there := os.environ.get(said.password_variable, ""):
            return given(there)()
        if said.password_command:
            return from_command(said.password_command)()
        raise NoSecret(f"no password for the mailbox: set {said.password_variable}, or [imap] password_command.")

    return password


@contextmanager
def _following(office: Office, doors: Doors, told: Told) -> Iterator[None]:
    """Follow the mailbox in a thread of its own."""
    from pbem.mail.doors import imap

    stop = threading.Event()

    def keep(found: Found) -> None:
        arrivals.keep_found(office, found)
        doors.came.set()

    def heard(what: Round | PbemError) -> None:
        for words in what.left if isinstance(what, Round) else (str(what),):
            told(words)

    given_ = (_account(office), keep, stop, heard, partial(arrivals.is_known, office))
    thread = threading.Thread(target=imap.follow, args=given_, name="imap door", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_LEAVE)


def _fetched(office: Office) -> Round:
    """Keep what lies in the mailbox now, and move it away there.

    :raises Refused: if the settings of the mailbox cannot be used.
    :raises NoMailbox: if it cannot be reached.
    :raises NoSecret: if there is no password or token.
    """
    from pbem.mail.doors import imap

    return imap.fetch(_account(office), partial(arrivals.keep_found, office), partial(arrivals.is_known, office))


def _reached(office: Office, patience: float) -> str:
    from pbem.mail.doors import imap

    account = changed(_account(office), timeout=patience)
    return f"{account.name}, {imap.reach(account)} in {account.folder}"


# ------------------------------------------------------------------------------------------- on this machine


def _brought(protocol: Literal["lmtp", "smtp"], said: Callable[[Office], str]) -> WayIn:
    """The way of letters that a mail server brings to the place that the settings say."""

    @contextmanager
    def serving(office: Office, doors: Doors, told: Told) -> Iterator[int]:
        from pbem.mail.doors.serve import Door, taking_in

        place = place_of(said(office))
        assert place is not None, "the settings were read"
        networks = office.settings.listen.mail_servers
        door = Door(protocol=protocol, host=place[0], port=place[1], networks=networks, name=office.settings.host)

        def keep(raw: bytes) -> None:
            try:
                arrivals.keep(office, raw, way=protocol)
            finally:
                doors.came.set()

        with taking_in(door, keep, emergency=office.folder / arrivals.EMERGENCY, told=told) as port:
            yield port

    return WayIn(
        entry="[listen] lmtp or smtp",
        said=said,
        open=serving,
        called=protocol,
        seen=lambda office, patience: f"pbem mail serve or pbem run takes letters in at {said(office)}",
    )


# ------------------------------------------------------------------------------------------------- all of them

WAYS: dict[Way, WayIn] = {
    "imap": WayIn(
        entry="[imap] host",
        said=lambda office: office.settings.imap.host,
        open=_following,
        fetch=_fetched,
        called="mailbox",
        seen=_reached,
    ),
    "lmtp": _brought("lmtp", lambda office: office.settings.listen.lmtp),
    "smtp": _brought("smtp", lambda office: office.settings.listen.smtp),
}
"""Every way by which letters come by themselves."""

FETCHED = tuple(way for way, record in WAYS.items() if record.fetch)
"""Of these: where letters lie until they are fetched."""

BROUGHT = tuple(way for way in WAYS if way not in FETCHED)
"""Of these: to which a mail server brings letters."""


def ways_of(office: Office, ways: Collection[Way] = WAYS) -> tuple[Way, ...]:
    """Those of *ways* that the settings name; of a copy that was cut from a backup none."""
    if office.cut:
        return ()
    return tuple(way for way, record in WAYS.items() if way in ways and record.said(office))


@contextmanager
def open_doors(office: Office, *, ways: Collection[Way] = WAYS, told: Told = lambda what: None) -> Iterator[Doors]:
    """Open those of *ways* that the settings name, until the block ends; letters that are being kept are kept first.

    A mailbox that cannot be reached is no error: it is tried again, and *told*.

    :raises BadDoor: if a door is not of this machine, or somebody else stands in it.
    :raises Refused: if the settings of a mailbox cannot be used.
    """
    doors = Doors(ways_of(office, ways))
    with ExitStack() as stack:
        stack.enter_context(waking.awake(office.folder / WAKING, doors.came.set))
        for way in doors.ways:
            port = stack.enter_context(WAYS[way].open(office, doors, told))
            if port is not None:
                doors.ports[way] = port
        yield doors


def fetch(office: Office) -> Iterator[Round]:
    """Keep what lies now wherever the settings say that letters are fetched; one place after the other.

    :raises PbemError: at the end, if one could not be looked through; the others were.
    """
    faults: list[PbemError] = []
    for look in (WAYS[way].fetch for way in ways_of(office)):
        if look is None:
            continue
        try:
            looked = look(office)
        except PbemError as error:
            faults.append(error)
        else:
            yield looked
    if faults:
        raise faults[0] if len(faults) == 1 else PbemError(" ".join(map(str, faults)))


def read_on(office: Office, doors: Doors, stop: threading.Event, did: Callable[[Received], None], told: Told) -> None:
    """Read letters as they come, one at a time, until *stop* is set, which a handler of a signal may do."""
    while True:
        doors.came.clear()
        try:
            for received in arrivals.sweep(office):
                did(received)
                if stop.is_set():
                    return
        except PbemError as error:
            told(f"letters could not be read: {error}")
        for _ in range(_SLICES):
            if stop.is_set():
                return
            if doors.came.wait(SWEEP / _SLICES):
                break
