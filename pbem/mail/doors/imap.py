"""Letters that lie in a mailbox of a mail server (IMAP, RFC 9051): looked at without a mark, kept, then moved away.

    search  →  fetch (peek)  →  keep: stored and committed  →  UID MOVE to the folder of those that were taken in

A letter is known by account, folder, UIDVALIDITY and UID together, never by its number in the folder.  Whoever dies
between two steps finds the letter where it lay: one that was kept and not moved is known by its place, and only moved.
"""

from __future__ import annotations

import imaplib
import math
import re
import selectors
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Final, Literal

import msgspec
from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxUnencrypted
from imap_tools.errors import MailboxFolderSelectError, MailboxLoginError
from imap_tools.utils import encode_folder

from pbem.kernel.errors import PbemError
from pbem.mail.doors.credentials import Secret
from pbem.mail.doors.inbox import MAX_INPUT
from pbem.mail.doors.kit import PATIENCE, Round
from pbem.mail.wire.addresses import read_date

RESCAN: Final = 10 * 60.0
"""Seconds after which the folder is looked through though the server told of nothing new."""

RENEWED: Final = 28 * 60.0
"""Seconds for which one IDLE may last (RFC 2177 wants less than 29 minutes)."""

_ASKING: Final = 60.0  # seconds between two looks at a server that cannot tell
_SLICE: Final = 0.5  # seconds after which it is seen that we are to stop
_IN_A_ROW: Final = 3  # letters that could not be kept: then nothing can
_SIZES: Final = 500  # letters whose sizes are asked for at once
_UID: Final = re.compile(rb"\bUID (\d{1,10})\b")
_SIZE: Final = re.compile(rb"\bRFC822\.SIZE (\d{1,12})\b")
_DATE: Final = re.compile(rb'\bINTERNALDATE "([^"]{1,40})"')
_RECORD: Final = re.compile(rb"\d+ \(")


class NoMailbox(PbemError):
    """The mailbox cannot be read now; the text says why."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A mailbox, and how to come in."""

    host: str
    port: int = 993
    security: Literal["none", "starttls", "tls"] = "tls"
    """Without encryption, encrypted after the greeting, or from the first byte; the certificate is always checked."""

    user: str
    secret: Secret
    """A password, or a token where *xoauth2*; asked for at each login."""

    xoauth2: bool = False
    folder: str = "INBOX"
    processed: str = "Processed"
    """Where letters are moved that were taken in; made if it is not there.  Empty: they stay where they lie."""

    timeout: float = 60.0
    """Seconds for one answer of the server."""

    certificates: ssl.SSLContext | None = None
    """Whom to trust; the system's authorities if None."""

    @property
    def name(self) -> str:
        """What tells this account from all others."""
        return f"{self.user}@{self.host}:{self.port}".lower()


class Place(msgspec.Struct, frozen=True):
    """Where a letter lies; no other ever lies there."""

    account: str
    folder: str
    validity: int
    uid: int

    @property
    def key(self) -> str:
        """The place as text, without the kind of the source."""
        return f"{self.account}/{self.folder}/{self.validity}/{self.uid}"


class Found(msgspec.Struct, frozen=True):
    """A letter as it lies on the server."""

    raw: bytes
    """All of it, or its first `MAX_INPUT` bytes, which is more than is ever read."""

    place: Place
    arrived: datetime | None
    """When the server took it in, by the server's clock, in UTC."""


Keep = Callable[[Found], None]
"""Stores a letter and commits; what it raises leaves the letter where it lies."""

Known = Callable[[Place], bool]
"""Whether a letter of that place was kept before."""


def fetch(account: Account, keep: Keep, known: Known = lambda place: False) -> Round:
    """Take in what lies in the folder now.

    :raises NoMailbox: if the server cannot be reached, lets us not in, or hangs up; what was kept stays kept.
    :raises NoSecret: if there is no password or token.
    """
    with _opened(account) as box:
        return _look_through(box, account, keep, known)


def reach(account: Account) -> int:
    """Come in and look into the folder; gives how many letters lie there, and changes nothing.

    :raises NoMailbox: if the server cannot be reached, or lets us not in.
    :raises NoSecret: if there is no password or token.
    """
    with _opened(account) as box:
        box.folder.set(account.folder, readonly=True)
        return len(box.uids("UNDELETED", charset=None))


def follow(
    account: Account,
    keep: Keep,
    stop: threading.Event,
    told: Callable[[Round | PbemError], None],
    known: Known = lambda place: False,
    *,
    rescan: float = RESCAN,
    patience: tuple[float, ...] = PATIENCE,
) -> None:
    """Take in letters as they come, until *stop* is set; goes on after whatever the server or the network does.

    *told* hears what each look came to, and each failure; it must not raise.
    """
    failures = 0
    while not stop.is_set():
        try:
            with _opened(account) as box:
                while not stop.is_set():
                    told(_look_through(box, account, keep, known))
                    failures = 0
                    _wait(box, stop, rescan)
        except PbemError as error:
            told(error)
            stop.wait(patience[min(failures, len(patience) - 1)])
            failures += 1


# ------------------------------------------------------------------------------------------------------- coming in


@contextmanager
def _opened(account: Account) -> Iterator[BaseMailBox]:
    box: BaseMailBox | None = None
    try:
        box = _logged_in(account)
        yield box
        with suppress(imaplib.IMAP4.error, ImapToolsError, OSError):
            box.logout()
    except MailboxLoginError as error:
        raise NoMailbox(f"{account.host} does not let {account.user} in: {_said(error)}") from None
    except MailboxFolderSelectError as error:
        raise NoMailbox(f"{account.host} has no folder {account.folder} to read: {_said(error)}") from None
    except (imaplib.IMAP4.error, ImapToolsError, OSError, EOFError) as error:
        raise NoMailbox(f"{account.host}: {_said(error)}") from None
    finally:
        if box is not None:
            _hang_up(box.client)


def _logged_in(account: Account) -> BaseMailBox:
    secret = account.secret()
    box = _connected(account)
    try:
        if account.xoauth2:
            box.xoauth2(account.user, secret, initial_folder=None)
        elif f"{account.user}{secret}".isascii():
            box.login(account.user, secret, initial_folder=None)
        else:
            box.login_utf8(account.user, secret, initial_folder=None)
    except imaplib.IMAP4.abort:
        _hang_up(box.client)
        raise
    except imaplib.IMAP4.error as error:
        _hang_up(box.client)
        raise MailboxLoginError(("NO", [str(error).encode()]), "OK") from None
    except BaseException:
        _hang_up(box.client)
        raise
    return box


def _connected(account: Account) -> BaseMailBox:
    trusted = account.certificates or ssl.create_default_context()
    if account.security == "tls":
        return MailBox(account.host, account.port, timeout=account.timeout, ssl_context=trusted)
    box = MailBoxUnencrypted(account.host, account.port, timeout=account.timeout)
    if account.security == "starttls":
        try:
            box.client.starttls(trusted)
        except BaseException:
            _hang_up(box.client)
            raise
    return box


def _hang_up(client: imaplib.IMAP4) -> None:
    with suppress(OSError, imaplib.IMAP4.error):
        client.shutdown()


def _said(error: Exception) -> str:
    """What the server or the system said, on one line."""
    if isinstance(error, ImapToolsError):
        result = getattr(error, "command_result", None)
        if result:
            words = b" ".join(one for one in result[1] if isinstance(one, bytes))
            return _line(words.decode("utf-8", "replace"))
    if isinstance(error, OSError) and error.strerror:
        return _line(error.strerror)
    return _line(str(error)) or type(error).__name__


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


# -------------------------------------------------------------------------------------------------- looking through


def _look_through(box: BaseMailBox, account: Account, keep: Keep, known: Known) -> Round:
    box.folder.set(account.folder)
    validity = _validity(box, account)
    uids = sorted(map(int, box.uids("UNDELETED", charset=None)))
    sizes = _sizes(box, uids)
    away = _mover(box, account.processed)
    kept = again = in_a_row = 0
    left: list[str] = []
    for uid in uids:
        place = Place(account.name, account.folder, validity, uid)
        if known(place):
            again += away(uid)
            continue
        found = _fetch(box, place, sizes.get(uid, 0))
        if found is None:
            left.append(f"letter {uid} of {account.folder}: the server does not give it")
            continue
        try:
            keep(found)
        except (PbemError, OSError) as error:
            left.append(f"letter {uid} of {account.folder} was not kept: {error}")
            in_a_row += 1
            if in_a_row == _IN_A_ROW:
                break
            continue
        in_a_row = 0
        kept += 1
        away(uid)
    return Round(kept, again, tuple(left))


def _validity(box: BaseMailBox, account: Account) -> int:
    _, data = box.client.response("UIDVALIDITY")
    value = data[-1] if data else None
    if not isinstance(value, bytes) or not value.isdigit():
        raise NoMailbox(
            f"{account.host} gives its letters no lasting numbers (UIDVALIDITY): they cannot be told apart."
        )
    return int(value)


def _sizes(box: BaseMailBox, uids: list[int]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for at in range(0, len(uids), _SIZES):
        chosen = ",".join(map(str, uids[at : at + _SIZES]))
        for record, _ in _records(_command(box, "FETCH", chosen, "(UID RFC822.SIZE)")):
            if (uid := _UID.search(record)) and (size := _SIZE.search(record)):
                sizes[int(uid[1])] = int(size[1])
    return sizes


def _fetch(box: BaseMailBox, place: Place, size: int) -> Found | None:
    part = "BODY.PEEK[]" if size <= MAX_INPUT else f"BODY.PEEK[]<0.{MAX_INPUT}>"
    for record, literal in _records(_command(box, "FETCH", str(place.uid), f"(UID INTERNALDATE {part})")):
        uid = _UID.search(record)
        if uid and int(uid[1]) == place.uid and literal is not None:
            date = _DATE.search(record)
            arrived = read_date(date[1].decode("ascii", "replace").replace("-", " ", 2)) if date else None
            return Found(literal, place, arrived)
    return None


def _command(box: BaseMailBox, *words: str) -> list[object]:
    """What the server answers to a command with UIDs."""
    kind, data = box.client.uid(*words)
    if kind != "OK":
        raise imaplib.IMAP4.error(f"UID {words[0]}: {_said_no(data)}")
    return list(data)


def _said_no(data: list[object]) -> str:
    return " ".join(one.decode("utf-8", "replace") for one in data if isinstance(one, bytes)) or "refused"


def _records(data: list[object]) -> Iterator[tuple[bytes, bytes | None]]:
    """What the server says of each letter: all but the literal, and the literal if there is one.

    Servers put the fields in any order, and what they have to say of other letters between them.
    """
    words, literal = b"", None
    for item in data:
        text, found = item if isinstance(item, tuple) else (item, None)
        if not isinstance(text, bytes):
            continue
        if _RECORD.match(text) and words:
            yield words, literal
            words, literal = b"", None
        words += text
        literal = found if isinstance(found, bytes) else literal
    if words:
        yield words, literal


# --------------------------------------------------------------------------------------------------------- moving


def _mover(box: BaseMailBox, folder: str) -> Callable[[int], bool]:
    """How a letter is put away; says whether it was.

    What the server can do is asked after the login: some tell strangers less.  EXPUNGE alone would also destroy letters
    that somebody else has marked.
    """
    if not folder:
        return lambda uid: False
    _, data = box.client.capability()
    can = set(b" ".join(one for one in data if isinstance(one, bytes)).upper().split())
    if not box.folder.exists(folder):
        box.folder.create(folder)
        with suppress(ImapToolsError):
            box.folder.subscribe(folder, value=True)
    quoted = encode_folder(folder).decode("ascii")

    def move(uid: int) -> bool:
        if b"MOVE" in can:
            _command(box, "MOVE", str(uid), quoted)
            return True
        _command(box, "COPY", str(uid), quoted)
        _command(box, "STORE", str(uid), "+FLAGS.SILENT", r"(\Deleted \Seen)")
        if b"UIDPLUS" in can:
            _command(box, "EXPUNGE", str(uid))
        return True

    return move


# -------------------------------------------------------------------------------------------------------- waiting


def _wait(box: BaseMailBox, stop: threading.Event, rescan: float) -> None:
    """Until something comes, or it is time to look anyway."""
    _, data = box.client.capability()
    if b"IDLE" not in b" ".join(one for one in data if isinstance(one, bytes)).upper().split():
        stop.wait(min(rescan, _ASKING))
        return
    box.idle.start()  # type: ignore[no-untyped-call] # imap-tools publishes no types for it
    for _ in range(math.ceil(min(rescan, RENEWED) / _SLICE)):
        if stop.is_set() or _heard(box.client) or _readable(box.client):
            break
    box.idle.stop()  # type: ignore[no-untyped-call] # nor for this


def _heard(client: imaplib.IMAP4) -> bool:
    """Whether the server has said something that was received along with its last answer."""
    patience = client.sock.gettimeout()
    client.sock.settimeout(0)
    try:
        return bool(client.readline())
    except (OSError, ValueError):
        return False
    finally:
        client.sock.settimeout(patience)


def _readable(client: imaplib.IMAP4) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(client.sock, selectors.EVENT_READ)
        return bool(selector.select(_SLICE))
