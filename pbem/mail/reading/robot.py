"""Letters that no person wrote, and what becomes of each kind (RFC 3834)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from pbem.mail.reading.bounce import header_rule
from pbem.mail.reading.sender import LOOP_HEADER, looks_automatic
from pbem.mail.wire.addresses import normalise, read_addresses
from pbem.mail.wire.headers import fields


class Writer(StrEnum):
    """Who, or what, wrote a letter."""

    PERSON = "person"
    OURSELVES = "ourselves"
    """It is one of our own letters, come round."""

    OFFICE = "another office"
    """Two offices must never write to each other."""

    POST = "the post"
    """A letter could not be delivered, or was late: `pbem.mail.bounce` reads which."""

    READING = "a receipt for reading"
    ABSENCE = "an absence"
    """The mail program of somebody who is away answered."""

    LIST = "a list"
    MACHINE = "a machine"


class Conduct(msgspec.Struct, frozen=True):
    """What is done with a letter."""

    read: bool
    """Whether orders are looked for in it."""

    answer: bool
    """Whether it may be answered, as far as `pbem.mail.caps` lets it."""

    tell: bool
    """Whether the GM is told, once a day at most."""


CONDUCT: Final[Mapping[Writer, Conduct]] = {
    Writer.PERSON: Conduct(read=True, answer=True, tell=False),
    Writer.OURSELVES: Conduct(read=False, answer=False, tell=True),
    Writer.OFFICE: Conduct(read=False, answer=False, tell=True),
    Writer.POST: Conduct(read=False, answer=False, tell=False),
    Writer.READING: Conduct(read=False, answer=False, tell=False),
    Writer.ABSENCE: Conduct(read=False, answer=False, tell=True),
    Writer.LIST: Conduct(read=False, answer=False, tell=False),
    Writer.MACHINE: Conduct(read=False, answer=False, tell=False),
}
"""Only a person is read and answered; of what the post brings back, the bounce score tells the GM."""


class Robot(msgspec.Struct, frozen=True):
    """Who wrote a letter, and what shows it; "" of a person."""

    writer: Writer
    why: str


def who_wrote(raw: bytes, *, office: str, own: Collection[str] = ()) -> Robot:
    """Tell a person from all that is none, by the header alone.

    *office* names this installation in the loop header; *own* are its addresses, from which nobody else writes.
    """
    header = fields(raw)
    values = dict(reversed(header))
    loops = [value.lower() for name, value in header if name == LOOP_HEADER.lower()]
    if office.lower() in loops:
        return Robot(Writer.OURSELVES, LOOP_HEADER)
    if sender := _own_sender(values.get("from", ""), own):
        return Robot(Writer.OURSELVES, f"From: {sender}")
    if why := header_rule(header):
        return Robot(Writer.POST, why)
    if loops:
        return Robot(Writer.OFFICE, LOOP_HEADER)
    # It is said to people: a header may hold bytes that are no text.
    why = looks_automatic(header).encode("utf-8", "replace").decode()
    kind = values.get("content-type", "").lower()
    if kind.startswith("multipart/report") and "disposition-notification" in kind:
        return Robot(Writer.READING, "a receipt for reading")
    if any(why.lower().startswith(one) for one in _ABSENCE):
        return Robot(Writer.ABSENCE, why)
    if values.get("list-id") or values.get("precedence", "").lower().startswith("list"):
        return Robot(Writer.LIST, why)
    return Robot(Writer.MACHINE if why else Writer.PERSON, why)


_ABSENCE: Final = (
    "auto-submitted: auto-replied",
    "precedence: auto_reply",
    "x-autoreply",
    "x-autorespon",
    "x-mail-autoreply",
)


def _own_sender(value: str, own: Iterable[str]) -> str:
    ours = {normalise(one) for one in own}
    return next((one.address for one in read_addresses(value) if one.address in ours), "")
