"""Addresses and other words of a header, read one by one in time linear in their length."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from quopri import decodestring
from typing import Final

import msgspec

from pbem.mail.wire.charsets import clean_line, decode

_WORD: Final = re.compile(r"=\?([^?\s]{1,75})\?([bBqQ])\?([^?]*)\?=")
_ADDRESS: Final = re.compile(r"[^\s\x00-\x1f\x7f@<>()\[\]\\,;:\"]{1,64}@[^\s\x00-\x1f\x7f@<>()\[\]\\,;:\"]{1,255}")
MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,900}>")
"""An id as it can be quoted in the header of an answer: anything else that stands in its place is none."""


class Address(msgspec.Struct, frozen=True):
    """Who a letter is from or to."""

    address: str
    """`name@host`, in lower case."""

    name: str = ""
    """What is written beside it, decoded; anybody can write anything there."""


def normalise(address: str) -> str:
    """The address in the one form that is stored and compared: no blanks, lower case, host in ASCII; "" if it is none.

    >>> normalise(" Moltke@Example.ORG ")
    'moltke@example.org'
    >>> normalise("GM@exämple.org"), normalise("nobody")
    ('gm@xn--exmple-cua.org', '')
    """
    address = address.strip()
    if not _ADDRESS.fullmatch(address):
        return ""
    local, _, host = address.rpartition("@")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    found = f"{local}@{host}".lower()
    return found if _ADDRESS.fullmatch(found) else ""  # some signs become blanks on their way to ASCII


def decode_words(value: str) -> str:
    """A header as people read it: folded lines joined, encoded words (RFC 2047) decoded, raw 8-bit text guessed.

    >>> decode_words("Re: =?utf-8?q?Gr=C3=BC?= =?utf-8?b?w58=?= [GPW]")
    'Re: Grüß [GPW]'
    """
    return clean_line(" ".join(decoded(value).split()))


def decoded(value: str) -> str:
    """The same with all that its encoded words hold, line breaks too."""
    value = unfold(value)
    out: list[str] = []
    pending, charset, at = b"", "", 0
    for word in _WORD.finditer(value):
        between = value[at : word.start()]
        name = word[1].partition("*")[0].lower()
        if between.strip() or not pending or name != charset:
            out.append(decode(pending, charset)[0])
            pending = b""
            if between.strip() or at == 0:
                out.append(between)
        pending += _decode_word(word[2], word[3])
        charset, at = name, word.end()
    out += [decode(pending, charset)[0], value[at:]]
    return "".join(out)


def _decode_word(encoding: str, text: str) -> bytes:
    data = text.encode("ascii", "replace")
    if encoding in "qQ":
        return decodestring(data, header=True)
    try:
        return b64decode(data + b"=" * (-len(data) % 4))
    except (binascii.Error, ValueError):
        return data


def unfold(value: str) -> str:
    """One line; bytes that the parser could not read as ASCII are read as UTF-8 or Windows-1252."""
    if not value.isascii():
        value = decode(value.encode("utf-8", "surrogateescape"), "")[0]
    return value.replace("\r", "").replace("\n", " ")


def read_addresses(value: str) -> list[Address]:
    """The addresses of a header such as `To`, in order; what is no address is left out.

    Takes names in quotes, comments in brackets, groups, and semicolons for commas.

    >>> read_addresses('"Moltke, H." <HvM@x.org>, (GM) gm@x.org; Staff: a@x.org;')
    [Address(address='hvm@x.org', name='Moltke, H.'), Address(address='gm@x.org', name='GM'), \
Address(address='a@x.org', name='')]
    """
    found: list[Address] = []
    for words, angle, comment in _mailboxes(unfold(value)):
        address = normalise(angle if angle is not None else "".join(words.split()))
        if address:
            name = words if angle is not None else ""
            found.append(Address(address, decode_words(name.strip() or comment.strip())))
    return found


def _mailboxes(value: str) -> list[tuple[str, str | None, str]]:
    """Split at top-level commas: (words outside, address in angle brackets or None, comments)."""
    boxes: list[tuple[str, str | None, str]] = []
    words: list[str] = []
    angle: list[str] | None = None
    comment: list[str] = []
    quoted, in_angle, depth = False, False, 0
    characters = iter(value)
    for c in characters:
        if c == "\\" and (quoted or depth):
            c = next(characters, "")
        elif quoted or depth:
            if quoted and c == '"':
                quoted = False
                continue
            depth += (c == "(") - (c == ")") if depth else 0
            if not quoted and not depth:
                continue
        elif c == '"':
            quoted = True
            continue
        elif c == "(":
            depth = 1
            continue
        elif c == "<":
            angle, in_angle = [], True
            continue
        elif c == ">" and in_angle:
            in_angle = False
            continue
        elif c in ",;" and not in_angle:
            boxes.append(("".join(words), None if angle is None else "".join(angle), "".join(comment)))
            words, angle, comment = [], None, []
            continue
        elif c == ":" and not in_angle:
            words = []
            continue
        (comment if depth else angle if in_angle and angle is not None else words).append(c)
    boxes.append(("".join(words), None if angle is None else "".join(angle), "".join(comment)))
    return boxes


def read_ids(value: str) -> tuple[str, ...]:
    """The message ids of `Message-ID`, `In-Reply-To` or `References`, each with its angle brackets."""
    return tuple(MESSAGE_ID.findall(unfold(value)))


def read_date(value: str) -> datetime | None:
    """The time of a `Date` field in UTC, or None if it is none; without a zone it is taken as UTC.

    >>> read_date("Mon, 02 Apr 2012 18:27:08 +0400")
    datetime.datetime(2012, 4, 2, 14, 27, 8, tzinfo=datetime.timezone.utc)
    """
    try:
        when = parsedate_to_datetime(unfold(value))
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
