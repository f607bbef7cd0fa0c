"""What one process deals with alone: others leave it meanwhile, and if it dies it is free at once.

    with claimed(engine, RUN, number_of(campaign)) as ours: …

It is held by a lock of the database's own kind, which ends with whoever holds it: no clock says when, and no number of
a process that another may bear by then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.storage.database import in_words
from pbem.storage.databases.connection import Engine

LETTER, RUN, SENDER, WRITER, READER = 2, 3, 4, 5, 6
"""Kinds of what is claimed: a letter is dealt with; a campaign is resolved; somebody who sends is alive; a mail that is
owed is written; all letters are read that wait.  (0 and 1 are the right to write.)"""


@contextmanager
def claimed(engine: Engine, kind: int, number: int) -> Iterator[bool]:
    """Whether the *number* of that *kind* is ours alone until the block ends; not, if another has it.

    Two threads are two holders.

    :raises StorageError: if it cannot be asked.
    """
    with in_words(engine), engine.database.claimed(engine, kind, number) as ours:
        yield ours


def number_of(name: str) -> int:
    """A number for what has a *name*.  Two names may share one: it costs a wait, and never a wrong answer."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) >> 1
