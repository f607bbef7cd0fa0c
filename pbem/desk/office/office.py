"""An office: a folder with its settings, its database, its key and its files; and the clock and the chance in it.

    with open_office(folder) as office:
        with office.write() as connection: …

This is the only place where the time is read and where anything is drawn at random.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import threading
import time
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pbem.desk.office import signature, switching
from pbem.desk.office.gm import Gm
from pbem.desk.office.server_clock import ServerClock
from pbem.desk.office.settings import FILE, Settings, read_settings
from pbem.kernel.dice import SEED_BYTES
from pbem.kernel.errors import Moved, Refused
from pbem.resources import resources
from pbem.storage import database, heads, marks
from pbem.storage.codec import Codec
from pbem.storage.database import Connection, Engine
from pbem.storage.log import SqlLog

GM = "gm"
"""How the log calls whoever runs games, where it is not said who."""

SECOND = 1_000_000
HOUR = 3600 * SECOND

KEY_HEX = "PBEM_KEY_HEX"
"""The variable of the environment that may hold the office's key, in hexadecimal."""

_KEY_BYTES = 32
_HEX = re.compile(f"[0-9a-fA-F]{{{2 * _KEY_BYTES}}}")
_AFTER = "pbem after"
_GMS = "gms"

Clock = Callable[[], int]
"""Gives microseconds UTC."""

Chance = Callable[[int], bytes]
"""Gives so many bytes that nobody can guess."""


Lookup = Callable[[str], bytes | None]
"""Gives the TXT record of a name in the DNS (`pbem.mail.authentication.Lookup`)."""


def clock() -> int:
    """The time, in microseconds UTC."""
    return time.time_ns() // 1000


ShelfName = Literal["campaigns", "worlds", "scenes"]

SHELVES: Mapping[ShelfName, int] = {"campaigns": 5_000, "worlds": 250, "scenes": 100}
"""Of how many something is kept in the process: of campaigns what their logs tell, some 10 kB each; the worlds that
were folded of them, some 100 kB; what campaigns share that begin alike."""


class Shelf:
    """What is kept in the process of whatever was asked for last, *most* of them: a cache, for a log only grows."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, name: str) -> MutableMapping[str, Any]:
        """What is kept of *name*; that of the one that was not asked for the longest is let go."""
        with self._lock:
            found = self._all.setdefault(name, {})
            self._all.move_to_end(name)
            if len(self._all) > self._most:
                self._all.popitem(last=False)
        return found

    def __iter__(self) -> Iterator[str]:
        """Of what something is kept; that which was asked for last at the end."""
        with self._lock:
            return iter(list(self._all))


@dataclass(frozen=True, slots=True)
class Office:
    """One installation, open."""

    folder: Path
    settings: Settings
    engine: Engine
    now: Clock
    chance: Chance
    mails: bool = True
    """Whether what it owes may ever leave; that of a demo, of a fork or of a dry run never does."""
    kept: MutableMapping[str, Any] = field(default_factory=dict)
    """What was read once and is not read again: a cache."""
    lookup: Lookup | None = None
    """Asks for the keys of signatures; None: as the settings say."""
    by: str = GM
    """For whom the log takes whoever does what the GM does: `gm`, or one of several, as `gm/Anna`."""
    cut: int = 0
    """Of a copy that was cut from a backup: up to when its logs go, in microseconds UTC.  It never mails."""
    ending: ExitStack = field(default_factory=ExitStack)
    """What is to be closed with the office."""

    @contextmanager
    def write(self, *, whole: bool = False) -> Iterator[Connection]:
        """A transaction: all that is written in it stands, or nothing does; *whole*, of the office and no campaign.

        What it asked for by `after` is done when it is committed.
        """
        with database.transaction(self.engine, whole=whole) as connection:
            connection.info.pop(_AFTER, None)
            yield connection
            then: Callable[[Office], object] | None = connection.info.pop(_AFTER, None)
        if then is not None:
            then(self)

    def as_gm(self, name: str, *, mark: str = "") -> Office:
        """The same office, in which the log has it that the GM *name* does what is done; empty: whoever it is.

        *mark*: which word of which of his letters does it.
        """
        who = f"{GM}/{name}" if name and name != GM else GM
        return replace(self, by=f"{who}#{mark}" if mark else who)

    @staticmethod
    def after(connection: Connection, do: Callable[[Office], object]) -> None:
        """Have *do* done when the transaction of *connection* is committed, and outside of it; it must not raise."""
        connection.info[_AFTER] = do

    def read(self) -> AbstractContextManager[Connection]:
        """A look at the office as it is at its first question."""
        return database.reading(self.engine)

    def kept_of(self, shelf: ShelfName, name: str) -> MutableMapping[str, Any]:
        """What is kept of *name* on a *shelf* (`Shelf.of`)."""
        found: Shelf = self.kept.get(shelf) or self.kept.setdefault(shelf, Shelf(SHELVES[shelf]))
        return found.of(name)

    def fresh_id(self) -> str:
        """A name of sixteen small letters and digits that says nothing and comes only once."""
        return b32encode(self.chance(10)).decode("ascii").lower()

    def fresh_seeds(self) -> tuple[bytes, bytes]:
        """Two new seeds, the open one and the closed one."""
        return self.chance(SEED_BYTES), self.chance(SEED_BYTES)

    @property
    def templates(self) -> Path | None:
        """The folder of the office's own templates, if it has one."""
        own = self.folder / "templates"
        return own if own.is_dir() else None

    @property
    def gms(self) -> tuple[Gm, ...]:
        """Whoever runs games by now: who was taken from the settings has no more to say, however long we are open."""
        try:
            written = (self.folder / FILE).stat().st_mtime_ns
        except OSError:
            return self.settings.gms
        read, found = self.kept.get(_GMS, (0, self.settings.gms))
        if read != written:
            with suppress(Refused):  # what cannot be read takes nobody in, and nobody out
                found = read_settings(self.folder).gms
            self.kept[_GMS] = (written, found)
        known: tuple[Gm, ...] = found
        return known

    @property
    def gm(self) -> str:
        """The address of the GM who is told what is no game's."""
        return self.gms[0].address


@contextmanager
def open_office(
    folder: Path,
    *,
    now: Clock | None = None,
    chance: Chance = secrets.token_bytes,
    mails: bool = True,
    lookup: Lookup | None = None,
    unguarded: bool = False,
) -> Iterator[Office]:
    """Open the office in *folder*; with *unguarded*, also one whose triggers are not in place, to be looked at.

    It goes by the clock *now*; else by that which its database has for all who keep it together, or the machine's.

    :raises Refused: if its settings cannot be read.
    :raises StorageError: if its database cannot be used.
    """
    settings, engine = _opened(folder, unguarded=unguarded)
    with ExitStack() as ending:
        ending.callback(engine.dispose)
        with database.reading(engine) as connection:
            cut = int(marks.get(connection, marks.CUT) or 0)
        goes_by = now or (ServerClock(engine) if engine.database.shared else clock)
        yield Office(
            folder, settings, engine, goes_by, chance, mails and not cut, lookup=lookup, cut=cut, ending=ending
        )


def _opened(folder: Path, *, create: bool = False, unguarded: bool = False) -> tuple[Settings, Engine]:
    """The settings of the office in *folder* and its database; a move whose last step was not made is finished."""
    settings = read_settings(folder)
    try:
        url = database_url(folder, settings)
        return settings, database.open_office(url, folder, create=create, unguarded=unguarded)
    except Moved as moved:
        found = switching.finish(folder, moved.where)
        if found is None:
            raise
    return found, database.open_office(database_url(folder, found), folder, create=create, unguarded=unguarded)


def make_office(folder: Path, settings: str, *, chance: Chance = secrets.token_bytes, apart: bool = False) -> None:
    """Make an office in *folder*, which may be there: *settings* is the text of its `pbem.toml`.

    Its key is the one that the environment gives, if that gives one and it is not to be kept *apart* from such.

    That file comes last: what was killed half way is no office yet, and is made whole by the next attempt.

    :raises Refused: if there is one already, in the folder or in the database, or the settings are wrong.
    :raises StorageError: if its database cannot be made.
    """
    path, part = folder / FILE, folder / f"{FILE}.part"
    if path.exists():
        raise Refused(
            f"there is an office in {folder} already.  If it has no database: "
            "pbem db restore FILE brings a backup back, pbem db upgrade makes an empty one."
        )
    try:
        _make_folder(folder)
        part.write_text(settings, "utf-8")
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
    try:
        read = read_settings(folder, part.name)
        if apart or key_of_environment() is None:
            _make_key(folder / read.key, chance)
        engine = database.open_office(database_url(folder, read), folder, create=True)
        _bring_up_to_date(folder, read, engine, new=True, apart=apart)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def upgrade_office(folder: Path) -> tuple[str | None, str]:
    """Bring the database of the office in *folder* up to date, and its triggers; gives its version before and after.

    :raises StorageError: if the disk does not let it.
    """
    return _bring_up_to_date(folder, *_opened(folder, create=True))


def _bring_up_to_date(
    folder: Path, settings: Settings, engine: Engine, *, new: bool = False, apart: bool = False
) -> tuple[str | None, str]:
    # Loaded here, for Alembic takes longer to load than all else that most commands need.
    from pbem.storage import migrate

    try:
        before = database.version(engine)
        if new and before and not apart:
            _see_own(folder, settings, engine, before)
        after = _is_whole(engine) or migrate.upgrade(engine, resources("migrations"))
        if not apart:
            _know_key(folder, settings, engine)
        _begin_heads(engine)
    finally:
        engine.dispose()
    return before, after


def _see_own(folder: Path, settings: Settings, engine: Engine, version: str) -> None:
    """See that a database which is there already is that of the office which has our key.

    :raises Refused: if not.
    """
    key, known = fingerprint(key_in(folder, settings)), None
    if version == database.VERSION:
        with database.reading(engine) as connection:
            known = marks.get(connection, marks.KEY)
    if version != database.VERSION or known not in (None, key):
        raise Refused(
            f"there is an office in {engine.at} already, and {key} is not its key.  A new one wants a database of its "
            "own; who keeps that one too has its pbem.toml and its key."
        )


def _is_whole(engine: Engine) -> str | None:
    """The version of a database that is all it should be; None if it is not.

    One on a server alone is asked: there who keeps the office may not be who may alter its tables.
    """
    if not engine.database.shared or database.version(engine) != database.VERSION:
        return None
    with database.reading(engine) as connection:
        return None if connection.database.unguarded(connection) else database.VERSION


def _know_key(folder: Path, settings: Settings, engine: Engine) -> None:
    """Write down what key the office has, if that was never done."""
    with database.transaction(engine) as connection:
        known = marks.get(connection, marks.KEY)
        told = (marks.get(connection, marks.PUBLIC) or "").partition(" ")[0]
        if (known is None or told != known) and has_key(folder, settings):
            key = key_in(folder, settings)
            if known in (None, fingerprint(key)):
                take_key(connection, key)


def _begin_heads(engine: Engine) -> None:
    """Begin the file of the heads, if there is none."""
    path = heads.path_of(engine.path)
    if not path.exists():
        heads.begin(path, heads_of(engine), "where the logs end, from here on")


def heads_of(engine: Engine) -> dict[str, heads.Head]:
    """Where each log of an office ends, by campaign."""
    with database.reading(engine) as connection:
        log = SqlLog(connection, Codec())
        return {campaign: log.head(campaign) for campaign in log.campaigns()}


def database_url(folder: Path, settings: Settings) -> str:
    """The url of the office's database, a relative file taken from its folder."""
    head = "sqlite:///"
    url = settings.database
    if not url.startswith(head) or url.startswith(f"{head}/"):
        return url
    return f"{head}{folder.absolute() / url.removeprefix(head)}"


def office_key(office: Office) -> bytes:
    """The key of the office, as it is now.

    :raises Refused: as `key_in`.
    """
    return key_in(office.folder, office.settings)


def key_in(folder: Path, settings: Settings) -> bytes:
    """The key of the office in *folder*: that of the environment, or that in its file.

    :raises Refused: if it is missing, damaged, or open to others, or the two are not one.
    """
    path, told = folder / settings.key, key_of_environment()
    if told is None or path.exists():
        key = key_of(path)
        if told not in (None, key):
            raise Refused(
                f"the environment gives the office another key ({KEY_HEX}, {fingerprint(told)}) than {path} "
                f"({fingerprint(key)}): take away the one that is not its own."
            )
        return key
    return told


def key_of_environment() -> bytes | None:
    """The key that the environment gives, if it gives one.

    :raises Refused: if what it gives is none; it is not shown, for it may be nearly one.
    """
    written = os.environ.get(KEY_HEX, "")
    if not written:
        return None
    if not _HEX.fullmatch(written):
        raise Refused(f"the environment gives no key as {KEY_HEX}: it takes {2 * _KEY_BYTES} digits of 0-9 and a-f.")
    return bytes.fromhex(written)


def has_key(folder: Path, settings: Settings) -> bool:
    """Whether the office in *folder* has a key, of whatever worth."""
    return bool(os.environ.get(KEY_HEX)) or (folder / settings.key).is_file()


def key_of(path: Path) -> bytes:
    """The key in the file at *path*.

    :raises Refused: if that is missing, damaged, or open to others.
    """
    try:
        mode = path.stat().st_mode
        key = bytes.fromhex(path.read_text("ascii"))
    except OSError as error:
        raise Refused(f"the office's key {path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise Refused(f"the office's key {path} is damaged: bring it back from a backup.") from None
    if mode & 0o077:
        raise Refused(f"the office's key {path} can be read by others: chmod 600 {path}")
    if len(key) != _KEY_BYTES:
        raise Refused(f"the office's key {path} is damaged: bring it back from a backup.")
    return key


def fingerprint(key: bytes) -> str:
    """What may be known of a *key* by which it is told from any other."""
    return hashlib.sha256(b"the key of an office: " + key).hexdigest()[:16]


def take_key(connection: Connection, key: bytes) -> str:
    """Write down that *key* is that of the office, with the public part that is made of it; gives its fingerprint."""
    found = fingerprint(key)
    marks.put(connection, marks.KEY, found)
    marks.put(connection, marks.PUBLIC, f"{found} {signature.public_of(key)}")
    return found


def public_key(office: Office, connection: Connection) -> str:
    """The public part of the key that the office signs files with; empty if its key is not there to make it of."""
    known = marks.get(connection, marks.KEY)
    of, _, told = (marks.get(connection, marks.PUBLIC) or "").partition(" ")
    if told and of == known:
        return told
    try:
        key = signing_key(office)
    except Refused:
        return ""
    return signature.public_of(key) if known in (None, fingerprint(key)) else ""


def signing_key(office: Office) -> bytes:
    """The key that the office signs with, read once.

    :raises Refused: if it cannot be read.
    """
    key: bytes = office.kept.get("key") or office.kept.setdefault("key", office_key(office))
    return key


def _make_folder(folder: Path) -> None:
    """Make a folder for its owner alone, whatever the user's umask is; one that is there stays as it is."""
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o700)


def _make_key(path: Path, chance: Chance) -> None:
    if path.exists():
        return
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(chance(_KEY_BYTES).hex() + "\n")
