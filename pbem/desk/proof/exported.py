"""A campaign in a file, as JSON Lines: what stands on each line, and whether it is as it left its office.

    head · blobs · players · seeds · events · signature

Every column is as it is stored, so that every hash stays what it was.  The signature (`pbem.desk.office.signature`) is
over all lines before it.  Files of format 1 bear none, and are read too: whoever altered one could write it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import IO, Any, Final

import msgspec
from msgspec import Struct

from pbem.desk.office import signature
from pbem.desk.proof.carried import see_line
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.names import CampaignId
from pbem.storage.stored import Person, Row

FORMAT: Final = 2
_UNSIGNED: Final = 1

_LONGEST: Final = 1 << 27
"""Bytes of a line: the largest letter, in base64, several times over."""


class BadFile(Refused):
    """A file that is no campaign as an office writes it; says where not."""


class Head(Struct, frozen=True, tag="campaign", tag_field="line", forbid_unknown_fields=True):
    """The first line: what the file holds."""

    format: int
    campaign: CampaignId
    events: int
    head: str
    """The hash of the last event."""
    office: str = ""
    """What the office that wrote it calls itself."""


class Bytes(Struct, frozen=True, tag="blob", tag_field="line", forbid_unknown_fields=True):
    """A blob; *data* in base64, or nothing if it was erased."""

    sha256: str
    size: int
    created_at: int
    data: str | None


class Somebody(Person, frozen=True, tag="player", tag_field="line", forbid_unknown_fields=True, omit_defaults=True):
    """A player, by his id alone, or with his name and address."""


class Seeds(Struct, frozen=True, tag="seeds", tag_field="line", forbid_unknown_fields=True):
    """The seeds of one moment, in hexadecimal."""

    place: str
    open: str
    closed: str
    made_at: int


class Happened(Row, frozen=True, tag="event", tag_field="line", forbid_unknown_fields=True):
    """An event, every column as it is stored."""


class Signature(Struct, frozen=True, tag="signature", tag_field="line", forbid_unknown_fields=True):
    """The last line: the signature of all before it, and the public part of the key, in hexadecimal."""

    key: str
    signature: str


Line = Head | Bytes | Somebody | Seeds | Happened | Signature

_DECODE = msgspec.json.Decoder(Line)


def encoded(record: Any) -> bytes:
    """A line of a file."""
    return msgspec.json.encode(record) + b"\n"


def signed(lines: Iterable[bytes], key: bytes) -> Iterator[bytes]:
    """*lines*, and after them the signature that the office of this *key* gives them."""
    seen = _Seen()
    for line in lines:
        seen.take(line)
        yield line
    yield encoded(Signature(signature.public_of(key), signature.sign(key, seen.data)))


def lines_of(file: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of the open *file*, of that *name*; of no length that could not be.

    :raises BadFile: at one that is longer.
    """
    number = 0
    while line := file.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            raise wrong(name, number, "the line is longer than any of a campaign")
        yield line


def read(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, Line]]:
    """What stands in the *lines* of the file *name*, each with its number: a whole log, as it was written and signed.

    What a line says of names and numbers was looked at; the log, that each event follows the one before.  Whether the
    file is whole, and its signature holds, is seen at its end: what comes before it must not be believed until then.

    :raises BadFile: naming the line, if it is not so.
    """
    seen, number, head, sign = _Seen(), 0, None, None
    last: tuple[int, str] = (0, "")
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        line = _line(raw, name, number)
        if (head is None) != isinstance(line, Head):
            raise wrong(name, number, "a campaign begins with one line that says what it is, and has no other")
        if sign is not None:
            raise wrong(name, number, "something was added behind the signature")
        match line:
            case Head(format=form):
                if form not in (_UNSIGNED, FORMAT):
                    raise wrong(name, number, f"it is of format {form}, and this pbem reads {FORMAT}")
                head = line
            case Happened():
                assert head
                if line.campaign != head.campaign:
                    raise wrong(name, number, f"the event is of {line.campaign}, not of {head.campaign}")
                try:
                    line.follows(*last)
                except BrokenLog as broken:
                    raise wrong(name, number, str(broken)) from None
                last = (line.seq, line.hash)
            case Signature():
                sign = line
        if sign is None:
            seen.take(raw)
        yield number, line
    if head is None:
        raise BadFile(f"{name}: there is no campaign in it.")
    if last != (head.events, head.head):
        raise wrong(name, number, f"the file ends at event {last[0]}, and {head.events} were promised")
    if sign is None and head.format != _UNSIGNED:
        raise wrong(name, number, "the signature of its office is missing: the end was cut off")
    if sign is not None and not signature.holds(sign.key, sign.signature, seen.data):
        raise wrong(name, number, "it is not as its office signed it: something in it was altered")


def wrong(name: str, number: int, why: str) -> BadFile:
    """What is said of a line of the file *name*, by its *number*."""
    return BadFile(f"{name}:{number}: {why}.")


class _Seen:
    """The lines of a file, as far as they were seen, without the blanks round them: mail may change those."""

    def __init__(self) -> None:
        self._all = sha256()

    def take(self, line: bytes) -> None:
        """One more line."""
        self._all.update(line.strip() + b"\n")

    @property
    def data(self) -> bytes:
        """What is signed."""
        return b"pbem campaign " + self._all.digest()


def _line(raw: bytes, name: str, number: int) -> Line:
    try:
        line: Line = _DECODE.decode(raw)
        see_line(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise wrong(name, number, f"it is no line of a campaign: {error}") from None
    except Refused as refused:
        raise wrong(name, number, str(refused).rstrip(".")) from None
    return line
