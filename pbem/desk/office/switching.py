"""The entry of `pbem.toml` that says where the office is kept, and how another comes into its place.

    lay_ready       the settings to come lie beside the file, which is kept under another name
    (the mark)      the database that is left says where the office is kept from then on: from here on that counts
    switch          the settings to come take the name of the file

Who is killed before the mark leaves the office where it was; who is killed after it leaves `switch` to the next command
(`finish`).
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem.desk.office.settings import FILE, Settings, read_settings
from pbem.kernel.errors import Refused
from pbem.storage.copies.published import put, sync
from pbem.storage.databases.choice import shown

BEFORE = f"{FILE}.before"
"""What was the settings file before the office was moved."""
_READY = f"{FILE}.moved"

_ENTRY = re.compile(r"""^(\s*database\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')""", re.MULTILINE)
_TABLE = re.compile(r"^\s*\[", re.MULTILINE)


def see_written(folder: Path, url: str) -> None:
    """See that `pbem.toml` can say that the office is kept at *url*.

    :raises Refused: if it cannot, or what it says does not count.
    """
    _text(folder, url)
    if os.environ.get("PBEM_DATABASE"):
        raise Refused("PBEM_DATABASE of the environment stands above pbem.toml: unset it, write it there, then move.")


def lay_ready(folder: Path, url: str) -> None:
    """Lay the settings beside `pbem.toml` that name *url*, and keep the file as it is under another name.

    :raises StorageError: if they cannot be written.
    """
    mode = (folder / FILE).stat().st_mode & 0o777
    put(folder / BEFORE, _read(folder).encode(), mode=mode)
    put(folder / _READY, _text(folder, url).encode(), mode=mode)


def switch(folder: Path) -> None:
    """Let the settings that lie ready be those of the office; another may have done so."""
    try:
        with suppress(FileNotFoundError):
            (folder / _READY).replace(folder / FILE)
        sync(folder)
    except OSError as error:
        raise Refused(f"{folder / FILE} cannot be written: {error.strerror}.") from None


def finish(folder: Path, where: str) -> Settings | None:
    """Make the last step of a move to *where*, of which a database says that it was made; gives the new settings.

    None: none lie ready for it.
    """
    if not (folder / _READY).exists() or shown(read_settings(folder, _READY).database) != where:
        return None
    switch(folder)
    return read_settings(folder)


def _text(folder: Path, url: str) -> str:
    """What `pbem.toml` says when the office is kept at *url*: as it is, but for that entry.

    :raises Refused: if it is written so that we cannot change that alone.
    """
    before = _read(folder)
    wanted = tomllib.loads(before) | {"database": url}
    for text in _attempts(before, f"{json.dumps(url, ensure_ascii=False)}"):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(text) == wanted:
                return text
    raise Refused(f"{folder / FILE} cannot be changed: write the entry database in one line, above all tables.")


def _attempts(text: str, url: str) -> Iterator[str]:
    """The text with another entry: in the place of that which is there, else below those above the tables."""
    for found in _ENTRY.finditer(text):
        yield f"{text[: found.start(2)]}{url}{text[found.end(2) :]}"
    table = _TABLE.search(text)
    above = text[: table.start()] if table else text
    entries = above.rstrip().splitlines()
    while entries and table and (not entries[-1].strip() or entries[-1].lstrip().startswith("#")):
        entries.pop()  # what is said above a table is said of it
    line = "\n".join([*entries, f"database = {url}"]) + "\n"
    rest = text[len("\n".join(entries)) :].lstrip("\n") if entries else text
    yield f"{line}\n{rest}" if rest else line
    yield f"database = {url}\n{text}"


def _read(folder: Path) -> str:
    try:
        return (folder / FILE).read_text("utf-8")
    except OSError as error:
        raise Refused(f"{folder / FILE} cannot be read: {error.strerror}.") from None
