"""A letter as it came, read: who wrote it, and which lines he typed himself.

`read_letter` is the way in; `read_head` serves where the text cannot be read and the sender must be told so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from typing import Final

import msgspec

from pbem.mail.reading.body import NO_TEXT, read_body
from pbem.mail.reading.covered import doubled, titled
from pbem.mail.reading.quotes import Kind, mark, unescaped
from pbem.mail.reading.sender import looks_automatic
from pbem.mail.wire import limits
from pbem.mail.wire.addresses import Address, decode_words, read_addresses, read_date, read_ids
from pbem.mail.wire.armour import opened
from pbem.mail.wire.limits import MAX_HEADER, MAX_HEADER_BLOCK, MAX_LINES, UnreadableLetter

_RECIPIENT_FIELDS: Final = ("delivered-to", "x-original-to", "to", "cc")
_READ: Final = frozenset({*_RECIPIENT_FIELDS, "from", "subject", "message-id", "in-reply-to", "date"})
_ALONE: Final = frozenset({"subject", "date", "message-id", "in-reply-to", "references"})
"""Of which none is read where there are two that differ: nobody knows which of them its writer wrote."""

_DATE_LENGTH: Final = 200
_THREAD: Final = 100


class TextLine(msgspec.Struct, frozen=True):
    """A line that the writer typed."""

    number: int
    """Its place in the text of the letter, from 1; quoted lines are counted too."""

    text: str


class IgnoredLine(msgspec.Struct, frozen=True):
    """A line that is not taken for the writer's own."""

    number: int
    text: str
    why: str
    """quote, signature, attribution or original message."""


class TextFile(msgspec.Struct, frozen=True):
    """A file that was attached."""

    name: str
    lines: tuple[TextLine, ...] = ()
    """Of a text, what its writer typed."""

    kind: str = ""
    """What it is that is no text to be read, in a phrase; empty for one that was read."""

    instead: str = ""
    """What to send instead."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What the header of a letter says; every field can be forged."""

    message_id: str
    """With its angle brackets; "" if there is none."""

    sender: Address
    """From; without an address if there is none, or more than one."""

    recipients: tuple[str, ...]
    """Addresses of Delivered-To, To and Cc, each once."""

    subject: str
    date: datetime | None
    in_reply_to: str
    references: tuple[str, ...]
    auto: str
    """Why the letter must not be answered by a machine (RFC 3834); "" if a person seems to have sent it."""

    warnings: tuple[str, ...]


class Letter(Head, frozen=True, kw_only=True):
    """A letter that could be read."""

    lines: tuple[TextLine, ...]
    """What the writer typed, empty lines within it too."""

    ignored: tuple[IgnoredLine, ...]
    from_html: bool
    attachments: tuple[str, ...]
    """Names of all that came with it and is no part of its text."""

    files: tuple[TextFile, ...] = ()
    """What its writer attached."""


def read_letter(raw: bytes) -> Letter:
    """Read a whole letter, as it came from the mail server.

    A letter with a subject and no text has no lines, and a warning.

    :raises UnreadableLetter: if it is too big, damaged or empty; the text is fit for the sender.
    """
    unix = limits.newlines(raw)
    limits.weigh(unix)
    try:
        parsed = message_from_bytes(unix)
        body = read_body(parsed)
    except RecursionError:
        raise UnreadableLetter("The parts of the letter are nested too deep.") from None
    head = _read_head(parsed)
    if not body.lines and not body.files and not head.subject:
        raise UnreadableLetter(NO_TEXT)
    lines = opened(body.lines)
    kinds = mark(lines)
    numbered = list(zip(range(1, len(kinds) + 1), lines, kinds, strict=True))
    own = _own(lines, kinds)
    filled = sum(bool(line.text.strip()) for line in own)
    if filled > MAX_LINES:
        raise UnreadableLetter(f"The letter has {filled:,} lines of its own, and at most {MAX_LINES:,} are read.")
    return Letter(
        message_id=head.message_id,
        sender=head.sender,
        recipients=head.recipients,
        subject=head.subject,
        date=head.date,
        in_reply_to=head.in_reply_to,
        references=head.references,
        auto=head.auto,
        warnings=head.warnings + body.warnings,
        lines=own,
        ignored=tuple(
            IgnoredLine(number, text, str(kind))
            for number, text, kind in numbered
            if kind is not Kind.OWN and text.strip()
        ),
        from_html=body.from_html,
        attachments=body.attachments,
        files=tuple(TextFile(one.name, _own(one.lines, mark(one.lines)), one.kind, one.instead) for one in body.files),
    )


def _own(lines: Sequence[str], kinds: Sequence[Kind]) -> tuple[TextLine, ...]:
    """The lines that were typed, numbered, from the first that says something to the last."""
    pairs = enumerate(zip(lines, kinds, strict=True), start=1)
    own = [TextLine(number, unescaped(text)) for number, (text, kind) in pairs if kind is Kind.OWN]
    filled = [at for at, line in enumerate(own) if line.text.strip()]
    return tuple(own[filled[0] : filled[-1] + 1]) if filled else ()


def read_head(raw: bytes) -> Head:
    """The header of a letter, however the rest of it looks; never raises."""
    block = limits.header_block(limits.newlines(raw[: 2 * MAX_HEADER_BLOCK]))[:MAX_HEADER_BLOCK]
    return _read_head(BytesHeaderParser().parsebytes(block + b"\n\n"))


def _read_head(letter: Message) -> Head:
    every = [(name.lower(), str(value)) for name, value in letter.raw_items()]
    too_long = dict.fromkeys(
        name for name, value in every if len(value) > MAX_HEADER and name in _READ and name != "references"
    )
    fields = [(name, value) for name, value in every if len(value) <= MAX_HEADER]
    differ = {name for name, count in Counter(name for name, _ in set(every)).items() if count > 1}
    twice = [name for name in doubled(every) if name in _ALONE & differ]
    only = {name: value for name, value in fields if name not in twice}
    thread = next((value[-MAX_HEADER:] for name, value in every if name == "references" and name not in twice), "")
    senders = [sender for name, value in fields if name == "from" for sender in read_addresses(value)]
    recipients = (
        recipient.address
        for wanted in _RECIPIENT_FIELDS
        for name, value in fields
        if name == wanted
        for recipient in read_addresses(value)
    )
    warnings = [f"The field {titled(name)} of the letter is too long and was not read." for name in too_long]
    warnings += [
        f"The letter has several fields {titled(name)} that differ, and none of them was read." for name in twice
    ]
    if len(senders) > 1:
        warnings.append("The letter names more than one sender, so none of them is believed.")
    return Head(
        message_id=next(iter(read_ids(only.get("message-id", ""))), ""),
        sender=senders[0] if len(senders) == 1 and "from" not in too_long else Address(""),
        recipients=tuple(dict.fromkeys(recipients)),
        subject=decode_words(only.get("subject", "")),
        date=read_date(only.get("date", "")[:_DATE_LENGTH]),
        in_reply_to=next(iter(read_ids(only.get("in-reply-to", ""))), ""),
        references=read_ids(thread)[-_THREAD:],
        auto=looks_automatic(fields),
        warnings=tuple(warnings),
    )
