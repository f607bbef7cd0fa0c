"""A letter that comes by a pipe while the office is on duty beside: its bytes are laid down, and the office is woken.

Nothing more is loaded for it than that takes.  How a letter fares that nobody is on duty for is told in `arrivals`.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from pbem.mail.doors import waking
from pbem.mail.doors.emergency import NotKept, set_aside
from pbem.mail.doors.inbox import from_stream
from pbem.mail.wire.envelope import delivered

INCOMING = "incoming"
"""The folder of the office for letters that are laid down for whoever is on duty: a Maildir."""

WAKING = "awake"
"""The named pipe in the folder of the office, by which he is woken."""


def taken_off(stream: BinaryIO, recipient: str = "") -> bytes:
    """The one letter on *stream*; *recipient*: whom the envelope named, if the letter does not say.

    :raises NoSource: if it is too big.
    """
    [arrival] = from_stream(stream)
    return delivered(arrival.raw, [recipient]) if recipient else arrival.raw


def is_on_duty(folder: Path) -> bool:
    """Whether the office in *folder* is on duty."""
    with waking.asleep(folder / WAKING) as office:
        return office is not None


def laid_down(folder: Path, raw: bytes) -> bool:
    """Whether the office in *folder* is on duty, and has the letter *raw* now: it is on the disk, and it was woken."""
    with waking.asleep(folder / WAKING) as office:
        if office is None:
            return False
        try:
            set_aside(folder / INCOMING, raw)
        except NotKept:
            return False  # as without one: the database may lie on another disk
        office.wake()
        return True
