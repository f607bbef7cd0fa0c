"""The processes that keep one office together: each says that it is on duty, and what it goes by.

    with on_duty(office, "web"): …

They must go by the same: by another key the addresses that players have are void, by other rules a turn comes out
otherwise.  Who has another key is refused; all else `pbem doctor` says of each other.
"""

from __future__ import annotations

import hashlib
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

import pbem
from pbem.desk.office.office import HOUR, Office, fingerprint, office_key
from pbem.desk.proof.safekeeping import differs
from pbem.kernel.errors import Refused, StorageError
from pbem.rules import registry
from pbem.storage import marks
from pbem.storage.house import nodes as written
from pbem.storage.house.nodes import Node

Does = Literal["run", "web", "worker"]

EVERY = 60.0
"""Seconds after which a process says again that it is on duty."""

SILENT = HOUR // 20
"""How long one that is not seen still counts as on duty."""

_FORGOTTEN = 24 * HOUR


@contextmanager
def on_duty(office: Office, does: Does) -> Iterator[Node]:
    """Be on duty until the block ends, and say so every minute; gives what this process is known by.

    :raises Refused: if it has not the key of the office.
    """
    see_key(office)
    node = replace(this(office, does), id=office.fresh_id())
    over = threading.Event()
    _say(office, node)

    def again() -> None:
        while not over.wait(EVERY):
            _say(office, replace(node, **_lying(office)))

    thread = threading.Thread(target=again, name="node", daemon=True)
    thread.start()
    try:
        yield node
    finally:
        over.set()
        thread.join()
        with suppress(StorageError), office.write() as connection:
            written.gone(connection, node.id)


def see_key(office: Office) -> None:
    """See that this process has the key that made the addresses which the players have.

    :raises Refused: if not.
    """
    with office.read() as connection:
        known = marks.get(connection, marks.KEY)
    if fault := differs(office.folder, office.settings, known):
        raise Refused(fault)


def this(office: Office, does: Does) -> Node:
    """What this process goes by.

    :raises Refused: if the key cannot be read.
    """
    now = office.now()
    return Node(
        id="",
        host=socket.gethostname(),
        pid=os.getpid(),
        does=does,
        since=now,
        seen_at=now,
        version=pbem.__version__,
        key=fingerprint(office_key(office)),
        systems="\n".join(f"{name} {_content(name)}" for name in registry.names()),
        **_lying(office),
    )


def others(office: Office) -> list[Node]:
    """Who is on duty, but for this process."""
    here = (socket.gethostname(), os.getpid())
    return [node for node in seen(office) if (node.host, node.pid) != here]


def seen(office: Office) -> list[Node]:
    """Who is on duty."""
    with office.read() as connection:
        return written.seen(connection, since=office.now() - SILENT)


def unlike(one: Node, here: Node) -> list[str]:
    """In what a process goes by something else than this one *here*, each in a phrase."""
    return [
        *([f"it is pbem {one.version}, and here is {here.version}"] if one.version != here.version else ()),
        *([f"its key is {one.key}, and here is {here.key}"] if one.key != here.key else ()),
        *(["its templates are not those that lie here"] if one.templates != here.templates else ()),
        *(["its scenarios are not those that lie here"] if one.scenarios != here.scenarios else ()),
        *_unlike_rules(_rules(one), _rules(here)),
    ]


def _unlike_rules(there: dict[str, str], here: dict[str, str]) -> Iterator[str]:
    for name in sorted(there.keys() | here.keys()):
        if name not in here:
            yield f"it has {name}, which is not installed here"
        elif name not in there:
            yield f"{name} is not installed there"
        elif there[name] != here[name]:
            yield f"its rules of {name} are others"


def _rules(node: Node) -> dict[str, str]:
    return dict(line.split(" ", 1) for line in node.systems.splitlines())


def _say(office: Office, node: Node) -> None:
    # What cannot be said now is said a minute later: nobody's work hangs on it.
    with suppress(StorageError), office.write() as connection:
        now = office.now()
        written.here(connection, replace(node, seen_at=now))
        written.forget(connection, before=now - _FORGOTTEN)


def _lying(office: Office) -> dict[str, str]:
    """What lies in the folder of the office and can change while it is on duty."""
    return {name: _digest(office.folder / place) for name, place in _LYING.items()}


_LYING = {"templates": "templates", "scenarios": "campaigns"}
"""By what they are called, the folders of the office's own."""


def _digest(folder: Path) -> str:
    """What tells the files of *folder* from others; empty if there are none."""
    digest, some = hashlib.sha256(), False
    for path in sorted(folder.rglob("*")):
        with suppress(OSError):
            content = path.read_bytes() if path.is_file() else None
            if content is not None:
                digest.update(f"{path.relative_to(folder).as_posix()}\n{len(content)}\n".encode())
                digest.update(content)
                some = True
    return digest.hexdigest()[:16] if some else ""


def _content(name: str) -> str:
    try:
        return registry.content_of(name)[:16]
    except Exception:
        # A package of somebody else that cannot be loaded: its games are refused, and here it is told from others.
        return "unreadable"
