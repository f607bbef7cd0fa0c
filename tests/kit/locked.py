"""While the database is locked for others nothing is done that takes time, or can fail, besides writing."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import dkim
import jinja2
import pytest
import resvg_py

from pbem.desk.intake import taking, writers
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.post import writing
from pbem.desk.sheets import sheets
from pbem.mail.leaving import compose
from pbem.mail.reading import bounce, content, letter, worker
from pbem.mail.trust import authentication
from pbem.rules import registry
from pbem.storage import blobs, database

SLOW: Sequence[tuple[object, str]] = (
    (jinja2.Template, "render"),
    (resvg_py, "svg_to_bytes"),
    (compose, "compose"),
    (writing, "compose"),
    (pages, "render"),
    (sheets, "judge"),
    (sheets, "part"),
    (taking, "deal_with"),
    (writers, "look"),
    (writers, "authenticate"),
    (authentication, "look_up"),
    (dkim, "verify"),
    (bounce, "read_bounce"),
    (content, "content_digest"),
    (letter, "read_head"),
    (letter, "read_letter"),
    (worker.Reader, "read"),
    (registry, "load"),
    (blobs, "packed"),
)
"""What parses, judges, composes, renders, asks the DNS, loads a game, or packs bytes."""


class _FirstImports(MetaPathFinder):
    """Finds nothing, and does not let anything be imported for the first time under the lock."""

    def __init__(self, locked: Callable[[], bool]) -> None:
        self._locked = locked

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Refuse while the database is locked."""
        if self._locked():
            raise AssertionError(f"{name} is imported for the first time while the database is locked")
        return None


@contextmanager
def only_writing(patch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Whatever of `SLOW` is done in a transaction that writes raises; gives how often one was held."""
    here = threading.local()
    held: list[float] = []
    plain = database.transaction

    @contextmanager
    def transaction(*given: Any, **named: Any) -> Iterator[Any]:
        with plain(*given, **named) as connection:
            here.locked = True
            held.append(1)
            try:
                yield connection
            finally:
                here.locked = False

    def locked() -> bool:
        return bool(getattr(here, "locked", False))

    def guarded(name: str, call: Any) -> Any:
        def raising(*args: Any, **named: Any) -> Any:
            if locked():
                raise AssertionError(f"{name} is done while the database is locked")
            return call(*args, **named)

        return raising

    for owner, name in SLOW:
        patch.setattr(owner, name, guarded(name, getattr(owner, name)))
    patch.setattr(database, "transaction", transaction)
    finder = _FirstImports(locked)
    sys.meta_path.insert(0, finder)
    try:
        yield held
    finally:
        sys.meta_path.remove(finder)


def in_write(office: Office) -> None:
    """Render in a transaction: the guard must not let it."""
    with office.write():
        jinja2.Template("x").render()
