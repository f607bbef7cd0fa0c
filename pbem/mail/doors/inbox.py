"""Where letters come from: a file, standard input, a Maildir, an mbox.

A source gives each letter byte for byte, with a key that names where it lay, and is told when the bytes are safe; only
then does it put the letter away.  Whoever stops halfway finds it again the next time.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from pbem.kernel.errors import PbemError

MAX_INPUT: Final = 64 * 1024 * 1024
"""Bytes of one letter that are kept at all; what is read of a letter is far less."""

PROCESSED: Final = ".Processed"
"""The folder of a Maildir where letters lie that were taken in."""

_DAY: Final = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH: Final = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_FROM: Final = (
    rb"^From [^\r\n]{0,320}?\b"
    + _DAY
    + rb",? +(?:"
    + _MONTH
    + rb" +\d{1,2}|\d{1,2} +"
    + _MONTH
    + rb")\b[^\r\n]{0,40}?\b\d{1,2}:\d\d[^\r\n]{0,40}\r?$"
)
_ENVELOPE: Final = re.compile(rb"(?m)" + _FROM)
_LENGTH: Final = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?$")
_HEADER_END: Final = re.compile(rb"(?m)(\r?\n\r?\n)|" + _FROM)
"""Where a header ends, or another letter begins before it did: so no byte is looked at for two letters."""


class NoSource(PbemError):
    """There is nothing to read at a place; the text says what was looked for."""


class Arrival(msgspec.Struct, frozen=True):
    """A letter as it lies in a source."""

    raw: bytes
    key: str
    """Kind of the source, and the place in it: the same letter has the same key at each look."""

    done: Callable[[], None]
    """To be called when the bytes are safe."""

    arrived: int | None = None
    """When it was laid there, in microseconds UTC, where that can be seen."""


def from_file(path: Path) -> Iterator[Arrival]:
    """One letter in a file, which stays where it is.

    :raises NoSource: if there is no such file, or it is too big.
    """
    try:
        with path.open("rb") as file:
            yield Arrival(_read(file, str(path)), f"file:{path.name}", _nothing)
    except OSError as error:
        raise NoSource(f"{path}: {_reason(error)}.") from None


def from_stream(stream: BinaryIO) -> Iterator[Arrival]:
    """One letter from an open stream, such as standard input.

    :raises NoSource: if it is too big.
    """
    yield Arrival(_read(stream, "standard input"), "stdin", _nothing)


def from_maildir(folder: Path) -> Iterator[Arrival]:
    """The letters of a Maildir, `new` before `cur`, oldest name first; done moves one to its folder `.Processed`.

    A letter that somebody else takes away meanwhile is passed over.

    :raises NoSource: if *folder* is no Maildir.
    """
    if not (folder / "new").is_dir() or not (folder / "cur").is_dir():
        raise NoSource(f"{folder} is no Maildir: it has no folders new and cur.")
    for box in ("new", "cur"):
        for path in sorted((folder / box).iterdir()):
            if path.name.startswith(".") or not path.is_file():
                continue
            try:
                with path.open("rb") as file:
                    raw = _read(file, str(path))
                    arrived = os.fstat(file.fileno()).st_mtime_ns // 1000
            except FileNotFoundError:
                continue
            unique = path.name.partition(":")[0]
            yield Arrival(raw, f"maildir:{unique}", partial(_put_away, folder, path, unique), arrived)


def from_mbox(path: Path) -> Iterator[Arrival]:
    """The letters of an mbox file, which stays as it is.

    A line that starts with "From " begins a letter only where a date stands behind it and an empty line above, so that
    an order "From Metz to Sedan" stays an order.  A `Content-Length` is believed where a letter begins behind it.

    :raises NoSource: if there is no such file, or it does not begin as an mbox does.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise NoSource(f"{path}: {_reason(error)}.") from None
    with file:
        if file.seek(0, os.SEEK_END) == 0:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if not _ENVELOPE.match(data):
                raise NoSource(f'{path} is no mbox: its first line is not "From", an address and a date.')
            for start, end in _letters(data):
                yield Arrival(data[start:end], f"mbox:{path.name}:{start}", _nothing)


def _letters(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Where each letter of an mbox starts, behind its envelope line, and ends."""
    envelope = _ENVELOPE.match(data)
    while envelope:
        start = min(envelope.end() + 1, len(data))
        end = _declared_end(data, start)
        following = _ENVELOPE.match(data, _skip_newlines(data, end)) if end else _next_envelope(data, start)
        if not end:
            end = following.start() if following else len(data)
        yield start, end
        envelope = following


def _next_envelope(data: mmap.mmap, start: int) -> re.Match[bytes] | None:
    """The next envelope line that has an empty line above it."""
    for found in _ENVELOPE.finditer(data, start):
        above = data[max(start, found.start() - 4) : found.start()].replace(b"\r", b"")
        if found.start() == start or above.endswith(b"\n\n"):
            return found
    return None


def _declared_end(data: mmap.mmap, start: int) -> int:
    """Where the letter ends by its Content-Length, or 0 if it gives none that fits."""
    header_end = _HEADER_END.search(data, start)
    if not header_end or header_end[1] is None:
        return 0
    length = _LENGTH.search(data, start, header_end.end())
    end = header_end.end() + int(length[1]) if length else 0
    if not end or end > len(data):
        return 0
    after = _skip_newlines(data, end)
    return end if after == len(data) or _ENVELOPE.match(data, after) else 0


def _skip_newlines(data: mmap.mmap, at: int) -> int:
    while at < len(data) and data[at] in b"\r\n":
        at += 1
    return at


def _put_away(folder: Path, path: Path, unique: str) -> None:
    processed = folder / PROCESSED
    for box in ("tmp", "new", "cur"):
        (processed / box).mkdir(parents=True, exist_ok=True)
    (processed / "maildirfolder").touch()
    for place in (path, *sorted((folder / "cur").glob(f"{unique}:*"))):
        try:
            place.rename(processed / "cur" / f"{unique}:2,S")
        except FileNotFoundError:
            continue  # a mail program has set a flag, and with it another name
        return


def _read(file: BinaryIO, name: str) -> bytes:
    raw = file.read(MAX_INPUT + 1)
    if len(raw) > MAX_INPUT:
        raise NoSource(f"{name} is too big for a letter: more than {MAX_INPUT // (1024 * 1024)} MB.")
    return raw


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _nothing() -> None:
    """A source that keeps its letters has nothing to do."""
