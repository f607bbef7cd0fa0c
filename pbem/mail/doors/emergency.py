"""A Maildir for letters that the database cannot take now: nothing is lost, and they are taken in later."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec

from pbem.kernel.errors import PbemError

_OWNER = 0o600
"""Nobody else reads what lies here, whatever the user's umask is."""


class NotKept(PbemError):
    """A letter could not be put away safely anywhere; the text says why."""


class Aside(msgspec.Struct, frozen=True):
    """A letter that was set aside."""

    raw: bytes
    name: str
    """Of its file: the SHA-256 of its bytes."""

    at: int
    """When it was set aside, in microseconds UTC."""

    done: Callable[[], None]
    """To be called when the bytes are safe elsewhere: the file is deleted."""


def lying(folder: Path) -> Iterator[Aside]:
    """The letters that were set aside in *folder*, which need not be there; the first first.

    :raises NotKept: if one cannot be read.
    """
    try:
        found = sorted((path.stat().st_mtime_ns // 1000, path) for path in (folder / "new").glob("*"))
        for at, path in found:
            raw = path.read_bytes()
            yield Aside(raw, path.name, at, partial(path.unlink, missing_ok=True))
    except FileNotFoundError:
        return  # another process has taken them in meanwhile
    except OSError as error:
        raise NotKept(f"{folder}: {(error.strerror or str(error)).lower()}.") from None


def set_aside(folder: Path, raw: bytes) -> Path:
    """Write a letter into the Maildir *folder*, which is made if need be; when it returns, the disk has the letter.

    The same bytes are the same file.

    :raises NotKept: if the disk does not take it.
    """
    name = sha256(raw).hexdigest()
    target, draft = folder / "new" / name, folder / "tmp" / f"{name}.{os.getpid()}"
    try:
        for box in ("tmp", "new", "cur"):
            (folder / box).mkdir(parents=True, exist_ok=True, mode=_OWNER | 0o100)
        folder.chmod(_OWNER | 0o100)
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, _OWNER), "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
        for place in (target.parent, folder, folder.parent):
            _sync(place)
    except OSError as error:
        raise NotKept(f"{folder}: {(error.strerror or str(error)).lower()}.") from None
    return target


def _sync(folder: Path) -> None:
    """What stands in a folder outlives a power cut only when the folder itself is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
