"""An office: a folder with its settings, its database, its key and its files; and the clock and the chance in it.

    with open_office(folder) as office:
        with office.write() as connection: …

This is the only place where the time is read and where anything is drawn at random.
"""

from __future__ import annotations

import os
import secrets
import time
from base64 import b32encode
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.desk.settings import FILE, Settings, read_settings
from pbem.kernel.dice import SEED_BYTES
from pbem.kernel.errors import Refused
from pbem.resources import resources
from pbem.storage import backup, database
from pbem.storage.database import Connection, Engine

SECOND = 1_000_000
HOUR = 3600 * SECOND

_KEY_BYTES = 32

Clock = Callable[[], int]
"""Gives microseconds UTC."""

Chance = Callable[[int], bytes]
"""Gives so many bytes that nobody can guess."""


Lookup = Callable[[str], bytes | None]
"""Gives the TXT record of a name in the DNS (`pbem.mail.authentication.Lookup`)."""


def clock() -> int:
    """The time, in microseconds UTC."""
    return time.time_ns() // 1000


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
    """What was read of the log and folded so far: a cache, for a log only grows."""
    lookup: Lookup | None = None
    """Asks for the keys of signatures; None: as the settings say."""
    ending: ExitStack = field(default_factory=ExitStack)
    """What is to be closed with the office."""

    def write(self) -> AbstractContextManager[Connection]:
        """A transaction: all that is written in it stands, or nothing does."""
        return database.transaction(self.engine)

    def read(self) -> AbstractContextManager[Connection]:
        """A look at the office as it is at its first question."""
        return database.reading(self.engine)

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
    def gm(self) -> str:
        """The address of the GM."""
        return self.settings.gm or self.settings.address


@contextmanager
def open_office(
    folder: Path,
    *,
    now: Clock = clock,
    chance: Chance = secrets.token_bytes,
    mails: bool = True,
    lookup: Lookup | None = None,
) -> Iterator[Office]:
    """Open the office in *folder*.

    :raises Refused: if its settings cannot be read.
    :raises StorageError: if its database cannot be used.
    """
    settings = read_settings(folder)
    engine = database.open_office(database_url(folder, settings))
    with ExitStack() as ending:
        ending.callback(engine.dispose)
        yield Office(folder, settings, engine, now, chance, mails, lookup=lookup, ending=ending)


def make_office(folder: Path, settings: str, *, chance: Chance = secrets.token_bytes) -> None:
    """Make an office in *folder*, which may be there: *settings* is the text of its `pbem.toml`.

    :raises Refused: if there is one already, or the settings are wrong.
    :raises StorageError: if its database cannot be made.
    """
    path = folder / FILE
    if path.exists():
        raise Refused(f"there is an office in {folder} already.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(settings, "utf-8")
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
    try:
        read = read_settings(folder)
        _make_key(folder / read.key, chance)
        _bring_up_to_date(database_url(folder, read))
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def upgrade_office(folder: Path) -> tuple[str | None, str]:
    """Bring the database of the office in *folder* up to date; gives its version before and after.

    :raises StorageError: if the disk does not let it.
    """
    engine = database.open_office(database_url(folder, read_settings(folder)), create=True)
    try:
        before = database.version(engine)
        return before, _bring_up_to_date(engine)
    finally:
        engine.dispose()


def _bring_up_to_date(database: str | Engine) -> str:
    # Loaded here, for Alembic takes longer to load than all else that most commands need.
    from pbem.storage import migrate

    return migrate.upgrade(database, resources("migrations"))


def back_up(office: Office, target: Path) -> None:
    """Copy the whole office into the new file *target*.

    :raises StorageError: if there is such a file, or the disk does not let it.
    """
    backup.backup(office.engine, target)


def bring_back(folder: Path, source: Path) -> str:
    """Make the database of the office in *folder* from the backup *source*; gives where it lies.

    :raises StorageError: if there is a database already, or *source* is no whole backup.
    """
    url = database_url(folder, read_settings(folder))
    backup.restore(source, url)
    return url.removeprefix("sqlite:///")


def database_url(folder: Path, settings: Settings) -> str:
    """The url of the office's database, a relative file taken from its folder."""
    head = "sqlite:///"
    url = settings.database
    if not url.startswith(head) or url.startswith(f"{head}/"):
        return url
    return f"{head}{folder.absolute() / url.removeprefix(head)}"


def office_key(office: Office) -> bytes:
    """The key of the office, as it lies in its file.

    :raises Refused: if that is missing, damaged, or open to others.
    """
    path = office.folder / office.settings.key
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


def signing_key(office: Office) -> bytes:
    """The key that the office signs with, read once.

    :raises Refused: if it cannot be read.
    """
    key: bytes = office.kept.get("key") or office.kept.setdefault("key", office_key(office))
    return key


def _make_key(path: Path, chance: Chance) -> None:
    if path.exists():
        return
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(chance(_KEY_BYTES).hex() + "\n")
