"""Fields of a letter's header: those of one that came in, as they stand, and those that one of ours leaves with."""

from __future__ import annotations

from email.parser import BytesHeaderParser
from typing import Final, Literal
from urllib.parse import quote

from pbem.mail.wire.limits import MAX_HEADER, MAX_HEADER_BLOCK, header_block, newlines
from pbem.mail.wire.reply_address import Meaning, Purpose, make_address

NO_SENDER: Final = ""
"""The envelope's sender of a letter that must never come back: an answer to one that came in."""

STOP: Final = "stop"
"""The subject of a letter that asks for no more letters."""


def fields(raw: bytes) -> list[tuple[str, str]]:
    """The fields of a letter in their order: name in lower case, and value on one line.

    A value that is too long is empty; of a header that is too large, only the beginning is read.

    >>> fields(b"From: a@x.example\\r\\nSubject: one\\r\\n two\\r\\n\\r\\nhold")
    [('from', 'a@x.example'), ('subject', 'one two')]
    """
    block = header_block(newlines(raw[: 2 * MAX_HEADER_BLOCK]))[:MAX_HEADER_BLOCK]
    letter = BytesHeaderParser().parsebytes(block + b"\n\n")
    every = ((name.lower(), str(value)) for name, value in letter.raw_items())
    return [(name, " ".join(value.split()) if len(value) <= MAX_HEADER else "") for name, value in every]


def envelope_sender(
    kind: Literal["answer", "letter"], campaign: str, mail: str, key: bytes, host: str, *, mailbox: str = ""
) -> str:
    """Where a letter comes back to if it cannot be delivered: an answer nowhere, any other to an address of its own.

    *mail* is its id in the outbox.
    """
    if kind == "answer":
        return NO_SENDER
    return make_address(Meaning(Purpose.BOUNCE, campaign, mail), key, host, mailbox=mailbox)


def unsubscribe(
    campaign: str, player: str, epoch: int, key: bytes, host: str, *, mailbox: str = "", page: str = ""
) -> tuple[str, ...]:
    """What `Draft.unsubscribe` takes: links that stop the letters to a player, not his game.

    *page* is an `https:` address that does so at one click (RFC 8058), if the office has one.
    """
    address = make_address(Meaning(Purpose.STOP, campaign, player, epoch), key, host, mailbox=mailbox)
    letter = f"mailto:{quote(address, safe='@')}?subject={STOP}"
    return (page, letter) if page else (letter,)
