"""Who runs games is written into `pbem.toml`, which stays as its owner wrote it but for that."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import tomlkit
from msgspec.structs import asdict
from tomlkit.exceptions import ParseError

from pbem.desk.office.gm import Gm, named
from pbem.desk.office.settings import FILE, Settings, read_settings
from pbem.kernel.errors import Refused
from pbem.storage.copies.published import put

_PART = f"{FILE}.part"


def add(folder: Path, gm: Gm) -> Gm:
    """Have *gm* run games too; gives him as he is known from then on.

    :raises Refused: if somebody has his name or his address, or the file cannot be changed.
    """
    settings = read_settings(folder)
    document = _document(folder)
    entries = _entries(document, settings)
    entries.append(_entry(gm))
    document["gm"] = entries
    return _written(folder, document).gms[-1]


def remove(folder: Path, who: str) -> Gm:
    """Let him run games no more who has the name or the address *who*.

    :raises Refused: if nobody has, or if nobody were left who may do all, or the file cannot be changed.
    """
    settings = read_settings(folder)
    gone = named(settings.gms, who)
    if len(settings.gms) == 1:
        raise Refused(f"{gone.name} is the only one: add another first.")
    document = _document(folder)
    entries = _entries(document, settings)
    del entries[settings.gms.index(gone)]
    document["gm"] = entries
    _written(folder, document)
    return gone


def renew(folder: Path, who: str) -> Gm:
    """Make the secret addresses void of him who has the name or the address *who*: the next letters to him bear others.

    :raises Refused: if nobody has, or the file cannot be changed.
    """
    settings = read_settings(folder)
    his = settings.gms.index(named(settings.gms, who))
    document = _document(folder)
    entries = _entries(document, settings)
    entries[his]["epoch"] = settings.gms[his].epoch + 1
    document["gm"] = entries
    return _written(folder, document).gms[his]


def _document(folder: Path) -> tomlkit.TOMLDocument:
    if os.environ.get("PBEM_GM"):
        raise Refused("PBEM_GM of the environment stands above pbem.toml: unset it first.")
    try:
        return tomlkit.parse((folder / FILE).read_text("utf-8"))
    except (OSError, ParseError) as error:
        raise Refused(f"{folder / FILE} cannot be read: {error}.") from None


def _entries(document: tomlkit.TOMLDocument, settings: Settings) -> Any:
    """The entries that are there; whoever was named in a line gets one."""
    found = document.get("gm", "")
    if not isinstance(found, str):
        return found
    document.pop("gm", None)
    entries = tomlkit.aot()
    entries.append(_entry(Gm(address=str(found) or settings.address)))
    return entries


def _entry(gm: Gm) -> tomlkit.items.Table:
    entry = tomlkit.table()
    for name, value in asdict(gm).items():
        if value and (name, value) not in (("rights", "all"), ("epoch", 1)):
            entry[name] = value
    return entry


def _written(folder: Path, document: tomlkit.TOMLDocument) -> Settings:
    """Write the settings, once they are seen to be what they should."""
    text, mode = tomlkit.dumps(document).encode(), (folder / FILE).stat().st_mode & 0o777
    part = folder / _PART
    put(part, text, mode=mode)
    try:
        settings = read_settings(folder, _PART)
    except Refused as refused:
        raise Refused(str(refused).replace(_PART, FILE)) from None
    finally:
        part.unlink(missing_ok=True)
    put(folder / FILE, text, mode=mode)
    return settings
