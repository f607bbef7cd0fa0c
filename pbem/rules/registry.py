"""Which rules systems are installed: our own, and those of other packages (entry point group `pbem.systems`).

A system is imported only when it is asked for.
"""

from __future__ import annotations

import hashlib
import pkgutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from pbem.kernel.errors import BadScenario, BrokenSystem, UnknownSystem
from pbem.rules.contract import AnySystem, System
from pbem.rules.ledger import Ledger, load_ledger

GROUP = "pbem.systems"
"""The entry point group; an entry is `st-privat = "package:SYSTEM"`."""

BUILT_IN = {
    "crossroads": "pbem.systems.crossroads:SYSTEM",
    "empire-1870": "pbem.systems.empire_1870:SYSTEM",
    "half-league": "pbem.systems.half_league:SYSTEM",
    "kriegsspiel": "pbem.systems.kriegsspiel:SYSTEM",
    "st-privat": "pbem.systems.st_privat:SYSTEM",
}
"""The systems that ship with the office, as entry points are written."""

SHARED = ("pbem.kernel", "pbem.ground", "pbem.orders", "pbem.rules")
"""What every system plays with, and what therefore belongs to its rules as much as its own package."""

JUDGES = ("rules/cases", "rules/checks", "rules/coverage", "rules/expectations", "rules/matching")
"""What judges a system and never plays: no campaign changes with it."""


CONTINUES = "continues.toml"
"""The file of a package that names the contents of earlier rules which these continue; no part of the rules."""

SUITE = "suite"
"""The package in that of a system which tells the contract suite of it, with its cases."""

ASIDE = ("campaigns/", f"{SUITE}/")
"""What lies in the package of a system and decides no game: a campaign keeps its scenario as it was when it began."""

COMPILED = (".pyc", ".pyo", ".pyd", ".so")
"""What is made from the sources, and says nothing that they do not."""


def _places() -> dict[str, str]:
    return _found(tuple(sys.path))


@lru_cache(maxsize=8)
def _found(path: tuple[str, ...]) -> dict[str, str]:
    """Where each system lives that is found on *path*: looking takes long, and is asked for at every turn."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)} | BUILT_IN


def _place(name: str) -> tuple[str, str]:
    place = BUILT_IN.get(name) or _places().get(name)
    if place is None:
        raise UnknownSystem(name, names())
    module, _, attribute = place.partition(":")
    return module, attribute or "SYSTEM"


def names() -> tuple[str, ...]:
    """The systems installed, in the order of the alphabet."""
    return tuple(sorted(_places()))


def see(name: str) -> None:
    """See that the system *name* is installed, without loading it.

    :raises UnknownSystem: naming those that are installed.
    """
    _place(name)


def load(name: str) -> AnySystem:
    """The system *name*.

    :raises UnknownSystem: naming those that are installed.
    :raises BrokenSystem: if it is of another package that cannot be loaded, or is not what it is installed as.
    """
    module, attribute = _place(name)
    if name in BUILT_IN:
        system: AnySystem = getattr(import_module(module), attribute)
        return system
    place = f"{module}:{attribute}"
    try:
        found: object = getattr(import_module(module), attribute)
    except Exception as error:  # whatever breaks in a package of somebody else is its own
        raise BrokenSystem(name, place, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, System):
        raise BrokenSystem(name, place, f"that is a {type(found).__name__}, and no System")
    if found.name != name:
        raise BrokenSystem(name, place, f'it calls itself "{found.name}"')
    return found


def see_whole(name: str) -> None:
    """See that the system *name* can be loaded, and has its package and its ledger; of those that ship that is known.

    :raises UnknownSystem: naming those that are installed.
    :raises BrokenSystem: if it cannot.
    """
    if name in BUILT_IN:
        return
    load(name)
    try:
        ledger_of(name)
    except BadScenario as error:
        raise BrokenSystem(name, ":".join(_place(name)), str(error).rstrip(".")) from None


def whole() -> Iterator[str]:
    """The systems installed that are not broken: what is listed where one bad package must not hide all others."""
    for name in names():
        with suppress(BrokenSystem):
            see_whole(name)
            yield name


def broken() -> Iterator[BrokenSystem]:
    """What is wrong with each of the systems installed that is broken."""
    for name in names():
        try:
            see_whole(name)
        except BrokenSystem as error:
            yield error


def package_of(name: str) -> str:
    """The package that the system *name* lives in.

    :raises UnknownSystem: naming those that are installed.
    """
    return _place(name)[0]


def folder_of(package: str) -> Path:
    """Where the sources of *package* lie.

    :raises BrokenSystem: if it is no package: a system wants a folder, in which its `ledger.toml` lies too.
    """
    try:
        spec = find_spec(package)
    except ImportError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise BrokenSystem(package, package, "there is no package of that name")
    return Path(spec.submodule_search_locations[0])


def ledger_of(name: str) -> Ledger:
    """The ledger of the system *name*.

    :raises UnknownSystem: naming those that are installed.
    :raises BadScenario: naming the entry, if its `ledger.toml` cannot be read.
    """
    return load_ledger(folder_of(package_of(name)) / "ledger.toml")


def modules_of(package: str) -> Iterator[ModuleType]:
    """The package and all modules in it, imported."""
    top = import_module(package)
    yield top
    for found in pkgutil.walk_packages(top.__path__, f"{package}."):
        yield import_module(found.name)


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    folder = folder_of(package)
    for path in folder.rglob("*"):
        within = path.relative_to(folder).as_posix()
        name = f"{folder.name}/{within}"
        beside = name.startswith(JUDGES) or within.startswith(ASIDE) or path.name == CONTINUES
        if path.is_file() and path.suffix not in COMPILED and not beside:
            yield name, path.read_bytes()


def content_hash(system: AnySystem) -> str:
    """SHA-256, in hexadecimal, over all sources and data that decide a game of *system*.

    These are the files of its package and of `SHARED` (without `JUDGES`); each counts with its name and
    length, in the order of the names.  The same files give the same hash wherever they are installed.

    :raises UnknownSystem: if the system is not installed.
    """
    return content_of(system.name)


def content_of(name: str) -> str:
    """The `content_hash` of the system *name*, which need not be loaded for it.

    :raises UnknownSystem: if it is not installed.
    """
    digest = hashlib.sha256()
    for package in (*SHARED, package_of(name)):
        for file, content in sorted(_sources(package)):
            digest.update(f"{file}\n{len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def continued(system: AnySystem) -> frozenset[str]:
    """The `content_hash` of every earlier rules of *system* that those installed continue.

    Rules whose files were moved, or written anew, without another decision in any game: a campaign that is pinned
    to one of these plays on without an upgrade.  They stand in the package's `continues.toml`, `[[rules]]` with
    `content` and `what`; there may be none.

    :raises UnknownSystem: if the system is not installed.
    """
    path = folder_of(package_of(system.name)).joinpath(CONTINUES)
    if not path.exists():
        return frozenset()
    return frozenset(str(entry["content"]) for entry in tomllib.loads(path.read_text("utf-8"))["rules"])
