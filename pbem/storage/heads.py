"""Where each log ends, written into a file beside the database: what was cut off a log is known to be missing.

    office.heads:
    stprivat-autumn 39 3e1c7a9052d4…        the campaign, its last event, the hash of that

After every transaction that made a log grow a line is appended, by any process, in one piece.  It is written when the
transaction stands: a crash between the two leaves a line out, and the next head vouches for all before it.  What the
file says must be in the log; what it does not say may be.

A database that is brought back from a backup ends earlier: `begin` draws a line in the file, from which on the
heads count that the log has then, and of the earlier ones those that it still has.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from pbem.kernel.errors import StorageError
from pbem.storage.databases.connection import Connection

Head = tuple[int, str]
"""The seq of an event, and its hash."""

BEGUN = "# begun"
"""How the line begins from which the heads count anew."""

_NOTED = "pbem_heads"


class Heads(Struct, frozen=True):
    """What the file tells."""

    heads: Mapping[str, tuple[Head, ...]]
    """By campaign: what its log must hold, the last of them last."""
    begun: tuple[str, ...] = ()
    """Why it was begun, and begun again, each in a phrase."""
    unread: int = 0
    """Lines that a power cut left in pieces."""


def path_of(database: str | Path) -> Path:
    """The file beside the *database*."""
    return Path(database).with_suffix(".heads")


def note(connection: Connection, campaign: str, seq: int, hash: str) -> None:
    """Remember that the log of *campaign* ends so, if what *connection* writes is committed."""
    connection.info.setdefault(_NOTED, {})[campaign] = (seq, hash)


def is_noted(connection: Connection, campaign: str) -> bool:
    """Whether *connection* wrote of *campaign*, and that is not committed yet."""
    return campaign in connection.info.get(_NOTED, {})


def noted(connection: Connection) -> dict[str, Head]:
    """What was remembered since this was asked last."""
    found: dict[str, Head] = connection.info.pop(_NOTED, {})
    return found


def append(path: Path, heads: Mapping[str, Head]) -> None:
    """Append *heads* to the file at *path*, which is made if need be, for its owner alone.

    :raises OSError: if it cannot be written.
    """
    _write(path, [_line(campaign, head) for campaign, head in heads.items()])


def begin(path: Path, heads: Mapping[str, Head], why: str) -> None:
    """Draw a line: from here on *heads* count, and of those above what the log still has.

    :raises StorageError: if the file cannot be written.
    """
    try:
        _write(
            path, [f"{BEGUN}: {' '.join(why.split())}", *(_line(campaign, head) for campaign, head in heads.items())]
        )
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from None


def read(path: Path) -> Heads | None:
    """What the file at *path* tells; None if there is none.

    :raises StorageError: if it cannot be read.
    """
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from None
    heads: dict[str, list[Head]] = {}
    before: dict[str, list[Head]] | None = None
    begun: list[str] = []
    unread = 0
    for line in text.splitlines():
        if line.startswith(BEGUN):
            begun.append(line.removeprefix(BEGUN).lstrip(": "))
            before, heads = heads, {}
            continue
        words = line.split(" ")
        if len(words) != 3 or not words[1].isdecimal() or len(words[2]) != 64:
            unread += bool(line)
            continue
        campaign, head = words[0], (int(words[1]), words[2])
        if campaign not in heads:
            earlier = (before or {}).get(campaign, [])
            heads[campaign] = [one for one in earlier if one[0] < head[0]] if before else []
        heads[campaign].append(head)
    return Heads({campaign: tuple(those) for campaign, those in heads.items()}, tuple(begun), unread)


def _line(campaign: str, head: Head) -> str:
    return f"{campaign} {head[0]} {head[1]}"


def _write(path: Path, lines: list[str]) -> None:
    if not lines:
        return
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, "".join(f"{line}\n" for line in lines).encode())
    finally:
        os.close(handle)
