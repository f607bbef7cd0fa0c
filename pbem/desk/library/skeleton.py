"""A rules system of somebody's own, begun: a small game in a package of its own, that plays and keeps the contract.

What is written lies in `templates/system`, and is itself such a package, called `bare-bones`: whatever bears that name,
in any of its forms, bears the new one instead.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from string import ascii_uppercase

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.mail.reading.naming import for_machines
from pbem.resources import resources
from pbem.rules import registry

NAME, PACKAGE, TITLE, HEAD = "bare-bones", "bare_bones", "Bare bones", "BB"
"""What the skeleton is called: as a system, as a package, on a page, and in the ids of its rules."""

_FORM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class Begun(Struct, frozen=True):
    """What was written."""

    folder: Path
    package: str
    title: str
    head: str
    """The letters that its rules begin with."""
    files: tuple[Path, ...]


def begin(name: str, where: Path) -> Begun:
    """Write a system *name* into a new folder of that name in *where*.

    :raises Refused: if it cannot be called so, something has that name, or the folder is there already.
    """
    package = _package(name)
    folder = where / name
    if folder.exists() or folder.is_symlink():
        raise Refused(f"{folder} is there already, and nothing is written over it.  Take another name, or --to FOLDER.")
    title, head = name.replace("-", " ").capitalize(), _head(name)
    called = {NAME: name, PACKAGE: package, TITLE: title, f"{HEAD}-": f"{head}-"}

    def renamed(text: str) -> str:
        return re.sub("|".join(map(re.escape, called)), lambda found: called[found[0]], text)

    source = resources("templates") / "system"
    try:
        folder.mkdir(parents=True)
        written = []
        for path in sorted(_files(source)):
            new = folder / renamed(path.relative_to(source).as_posix())
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(renamed(path.read_text("utf-8")), "utf-8")
            written.append(new)
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    return Begun(folder, package, title, head, tuple(written))


def _files(source: Path) -> Iterator[Path]:
    """What is written: whatever a tool has left beside it is not."""
    for path in source.rglob("*"):
        parts = path.relative_to(source).parts
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in parts):
            yield path


def _package(name: str) -> str:
    """The package of a system *name*.

    :raises Refused: if it cannot be called so, or something has that name.
    """
    if not _FORM.fullmatch(name):
        raise Refused(
            f'a system cannot be called "{name[:40]}": small letters and digits, with hyphens between words, like '
            "three-crowns."
        )
    for_machines(name, "system")
    if name in registry.names():
        raise Refused(f"there is a rules system {name} already.  Installed: {', '.join(registry.names())}.")
    package = name.replace("-", "_")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or _is_there(package):
        raise Refused(f"Python itself, or a package that is installed, calls something {package}: take another name.")
    return package


def _is_there(package: str) -> bool:
    """Whether a module of that name can be imported; a folder without code is none."""
    spec = find_spec(package)
    return spec is not None and spec.origin is not None


def _head(name: str) -> str:
    """Two letters for the ids of its rules that no other system has: of its words, or else any."""
    taken = {rule.partition("-")[0] for one in registry.whole() for rule in registry.ledger_of(one).rules}
    letters = re.sub(r"[^A-Z]", "", name.upper())
    words = [word[0] for word in name.upper().split("-") if word[0].isalpha()]
    own = [*("".join(pair) for pair in (words[:2], letters[:2]) if len(pair) == 2)]
    own += [first + other for first in letters for other in letters[1:]]
    rest = ("".join(pair) for pair in product(ascii_uppercase, repeat=2))
    return next(one for one in (*own, *rest) if one not in taken)
