"""A Maildir for letters that the database cannot take now: nothing is lost, and `inbox.from_maildir` reads it later."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from pbem.kernel.errors import PbemError


class NotKept(PbemError):
    """A letter could not be put away safely anywhere; the text says why."""


def set_aside(folder: Path, raw: bytes) -> Path:
    """Write a letter into the Maildir *folder*, which is made if need be; when it returns, the disk has the letter.

    The same bytes are the same file.

    :raises NotKept: if the disk does not take it.
    """
    name = sha256(raw).hexdigest()
    target, draft = folder / "new" / name, folder / "tmp" / f"{name}.{os.getpid()}"
    try:
        for box in ("tmp", "new", "cur"):
            (folder / box).mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
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
