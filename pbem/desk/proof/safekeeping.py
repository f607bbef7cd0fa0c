"""The office is copied into a backup, and brought back from one, with its key and its settings."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

from msgspec import Struct

from pbem.desk.office.office import (
    KEY_HEX,
    Chance,
    Clock,
    Office,
    clock,
    database_url,
    fingerprint,
    heads_of,
    key_in,
    key_of_environment,
    office_key,
    open_office,
    take_key,
    upgrade_office,
)
from pbem.desk.office.settings import FILE, Settings, read_settings
from pbem.desk.players.renewal import Campaigns, announce_all, renew_all
from pbem.kernel.errors import Refused, StorageError
from pbem.resources import resources
from pbem.storage import backup, database, heads, marks, seals
from pbem.storage.databases.choice import chosen

_BEFORE = ".before"
"""What is added to the name of a file in whose place one comes from a backup."""


class Copied(Struct, frozen=True):
    """An office that lies in a backup."""

    with_key: bool
    fingerprint: str
    """Of the key that belongs to it."""
    beside: tuple[Path, ...]
    """The files that belong to it and are not in the backup."""
    given: bool = False
    """Whether its key comes from the environment."""


class Back(Struct, frozen=True, kw_only=True):
    """An office that was brought back."""

    database: str
    """Where it is kept, in words."""
    files: tuple[Path, ...]
    """Those that came with it."""
    before: tuple[Path, ...]
    """Where those lie now in whose place they came."""
    lost: tuple[tuple[str, int, int], ...]
    """Campaigns of which more was known here: where the log ends now, and where it ended."""
    key: str
    """What is wrong with its key, and what to do; empty if nothing is."""
    dice: Campaigns
    """Whose dice are new; if nothing is wrong with the key, the players are owed letters that say so."""


def back_up(office: Office, target: Path, *, with_key: bool = False) -> Copied:
    """Copy the whole office into the new file *target*; *with_key*, settings and keys with it.

    A key that the environment gives lies in the copy as if it came from its file.

    :raises Refused: if a file that belongs to it cannot be read.
    :raises StorageError: if there is such a file, or the disk does not let it.
    """
    with office.read() as connection:
        known = marks.get(connection, marks.KEY) or ""
    beside, given = _beside(office.folder, office.settings), key_of_environment()
    files = None
    if with_key:
        files = {name: _read(path) for name, path in beside.items() if path.exists()}
        if given is not None:
            files[_KEY] = f"{office_key(office).hex()}\n".encode()
        heads_file = heads.path_of(office.engine.path)
        if heads_file.exists():
            files[_HEADS] = _read(heads_file)
    backup.backup(office.engine, target, resources("migrations"), files)
    there = tuple(path for path in beside.values() if path.exists())
    return Copied(with_key, known, () if with_key else there, given=given is not None)


def bring_back(folder: Path, source: Path, *, now: Clock = clock, chance: Chance = token_bytes) -> Back:
    """Make the office in *folder* from the backup *source*, if nothing happened in it yet or it has no database.

    Settings and keys that are in the backup take the place of those in the folder, which stay beside them.  What is
    open in it has new dice before it is there at all: those in the backup may have been thrown since.

    :raises Refused: if a file cannot be written.
    :raises StorageError: if there is a database in use already, or *source* is no whole backup.
    """
    with backup.opened(source) as (copy, files):
        parts = {FILE: files[FILE]} if FILE in files else {}
        settings = _settings_of(folder, parts)
        url = database_url(folder, settings)
        path = chosen(url).place(url, folder)
        with TemporaryDirectory(prefix=".pbem-", dir=path.absolute().parent) as place:
            anew = Path(place) / backup.DATABASE
            backup.restore(copy, f"sqlite:///{anew}", folder, resources("migrations"))
            ended, dice = _with_new_dice(folder, settings, anew, now, chance)
            backup.restore(anew, url, folder, resources("migrations"))
        at, knows = _knows_key(url, folder)
        places = {name: place for name, place in _beside(folder, settings).items() if name in files}
        before = [old for name, place in places.items() if (old := _put(place, files[name]))]
        heads_file = heads.path_of(path)
        if _HEADS in files and not heads_file.exists():
            _put(heads_file, files[_HEADS])
    fault = "" if knows or _KEY in files else _UNKNOWN.format(key=folder / settings.key)
    upgrade_office(folder)
    lost = _begin_anew(url, folder, source.name, ended)
    fault = fault or key_fault(folder, settings)
    if not fault and dice.renewed:
        with open_office(folder, now=now, chance=chance) as office:
            announce_all(office, dice.renewed)
    return Back(
        database=at,
        files=tuple(places.values()),
        before=tuple(before),
        lost=lost,
        key=fault,
        dice=dice,
    )


def _with_new_dice(
    folder: Path, settings: Settings, path: Path, now: Clock, chance: Chance
) -> tuple[dict[str, heads.Head], Campaigns]:
    """Draw new seeds for all that is open in the database at *path*; gives also where its logs ended before."""
    engine = database.open_office(f"sqlite:///{path}", create=True)
    try:
        # Loaded here, for Alembic takes longer to load than all else that most commands need.
        from pbem.storage import migrate

        migrate.upgrade(engine, resources("migrations"))
        ended = heads_of(engine)
        return ended, renew_all(Office(folder, settings, engine, now, chance), "restored")
    finally:
        engine.dispose()


_UNKNOWN = (
    "the backup is too old to say which key is its own, and {key} is taken for it.  If it is not, put the right one "
    "there, then: pbem db accept-key"
)


def _knows_key(url: str, folder: Path) -> tuple[str, bool]:
    """What the database at *url* is called, and whether it says which key belongs to it."""
    engine = database.open_office(url, folder, create=True)
    try:
        with database.reading(engine) as connection:
            return engine.at, marks.get(connection, marks.KEY) is not None
    finally:
        engine.dispose()


def key_fault(folder: Path, settings: Settings) -> str:
    """What is wrong with the key of the office in *folder*, and what to do; empty if nothing is."""
    engine = database.open_office(database_url(folder, settings), folder)
    try:
        with database.reading(engine) as connection:
            known = marks.get(connection, marks.KEY)
    finally:
        engine.dispose()
    return differs(folder, settings, known)


def differs(folder: Path, settings: Settings, known: str | None) -> str:
    """How the key of the office in *folder* is not the one that is *known* by its fingerprint; empty if it is."""
    try:
        found = fingerprint(key_in(folder, settings))
    except Refused as refused:
        return f"{refused}"
    if known is None or found == known:
        return ""
    return (
        f"{key_place(folder, settings)} is not the key of this office (it is {found}, and {known} made the addresses "
        "that the players have): bring that back from a backup.  If it is lost: pbem db accept-key, then pbem player "
        "rekey CAMPAIGN for each."
    )


def key_place(folder: Path, settings: Settings) -> str:
    """Where the key of the office in *folder* comes from, in words."""
    path = folder / settings.key
    return f"{path}" if path.exists() or not os.environ.get(KEY_HEX) else f"what {KEY_HEX} gives"


def accept_key(office: Office) -> str:
    """Take the key that the office has now for that of the office from now on; gives its fingerprint.

    :raises Refused: if there is none.
    """
    key = office_key(office)
    with office.write(whole=True) as connection:
        return take_key(connection, key)


def accept(office: Office, why: str) -> int:
    """Take every row as it now stands for what the office wrote, and the logs as they end; gives how many were not so.

    :raises StorageError: if that cannot be written beside the database.
    """
    with office.write(whole=True) as connection:
        broken = seals.broken(connection)
        seals.seal(connection)
    heads.begin(heads.path_of(office.engine.path), heads_of(office.engine), f"accepted: {why}")
    return len(broken)


_HEADS, _KEY = "office.heads", "office.key"
"""Names in a backup."""


def _beside(folder: Path, settings: Settings) -> dict[str, Path]:
    """The files that belong to an office beside its database, by their names in a backup."""
    named = {FILE: FILE, _KEY: settings.key, "dkim.key": settings.dkim.key, "token": settings.imap.token_file}
    return {name: folder / file for name, file in named.items() if file}


def _settings_of(folder: Path, parts: dict[str, bytes]) -> Settings:
    """The settings by which the office is brought back: those of the backup, or those that are there."""
    if FILE not in parts:
        return read_settings(folder)
    name = f"{FILE}.restored"
    place = folder / name
    _put(place, parts[FILE])
    try:
        return read_settings(folder, name)
    finally:
        place.unlink(missing_ok=True)


def _begin_anew(url: str, folder: Path, name: str, ended: dict[str, heads.Head]) -> tuple[tuple[str, int, int], ...]:
    """Draw a line in the file of the heads; gives what it knew and the logs, as they *ended*, have no longer."""
    engine = database.open_office(url, folder)
    file = heads.path_of(engine.path)
    known = heads.read(file)
    try:
        now = heads_of(engine)
    finally:
        engine.dispose()
    heads.begin(file, now, f"brought back from {name}")
    knew = {campaign: max(those)[0] for campaign, those in known.heads.items() if those} if known else {}
    return tuple(
        (campaign, ended.get(campaign, (0, ""))[0], seq)
        for campaign, seq in sorted(knew.items())
        if seq > ended.get(campaign, (0, ""))[0]
    )


def _put(path: Path, data: bytes) -> Path | None:
    """Write a file for its owner alone; gives where that lies now which was there and is another."""
    before = None
    try:
        if path.exists() and path.read_bytes() != data:
            before = path.with_name(f"{path.name}{_BEFORE}")
            path.replace(before)
        part = path.with_name(f"{path.name}.part")
        part.touch(mode=0o600)
        part.chmod(0o600)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
    return before


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from None
