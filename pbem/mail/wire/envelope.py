"""A letter under what its envelope says, as whoever delivers it must write it (RFC 5321, 4.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_UNFIT: Final = re.compile(r"[\x00-\x20\x7f<>]+")
_FROM_LINE: Final = re.compile(rb"From [^\n]*\n")


def delivered(raw: bytes, recipients: Sequence[str], sender: str | None = None) -> bytes:
    """*raw* under `Delivered-To` for each recipient and, if *sender* is known, `Return-Path` ("": nobody's).

    A `From ` line that a mail server wrote above the letter stays the first.

    >>> delivered(b"Subject: orders\\r\\n\\r\\nhold\\r\\n", ["gm@x.org"], "")
    b'Return-Path: <>\\r\\nDelivered-To: gm@x.org\\r\\nSubject: orders\\r\\n\\r\\nhold\\r\\n'
    """
    lines = [f"Delivered-To: {_one(to)}" for to in recipients if _one(to)]
    if sender is not None:
        lines.insert(0, f"Return-Path: <{_one(sender)}>")
    above = "".join(f"{line}\r\n" for line in lines).encode("utf-8", "surrogateescape")
    first = _FROM_LINE.match(raw)
    at = first.end() if first else 0
    return raw[:at] + above + raw[at:]


def _one(address: str) -> str:
    """An address that cannot end its line."""
    return _UNFIT.sub("", address)
