"""Letters spoiled at random, and what must be true of whatever is read of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from email import message_from_bytes
from random import Random
from typing import Final

from pbem.mail.reading.body import read_body
from pbem.mail.reading.letter import IgnoredLine, Letter, TextLine
from pbem.mail.reading.quotes import unescaped
from pbem.mail.wire.addresses import normalise
from pbem.mail.wire.armour import opened
from pbem.mail.wire.limits import MAX_LINES, MAX_RAW_LINES, MAX_TEXT, newlines

PIECES: Final = (
    b"\n", b"\r", b"\r\n\r\n", b"\x00", b"\xff\xfe", b"> ", b">From ", b"-- \n", b"BEGIN\n", b"END\n", b"--\n",
    b"On 1 Jun 2026 10:00 a@x.example wrote:\n", b"-----Original Message-----\n", b"From: a@x.example\n",
    b"Content-Type: text/html; charset=", b"Content-Type: multipart/mixed; boundary=b\n\n--b\n", b"utf-16", b"base64",
    b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: quoted-printable\n", b"charset*0*=utf-8''x%",
    b"format=flowed; delsp=yes", b"<blockquote>", b"<div style='display:none'>", b"<!--", b"&#x110000;",
    b"=?utf-8?q?=C3?=", b"-----BEGIN PGP SIGNED MESSAGE-----\n", b"-----BEGIN PGP SIGNATURE-----\n",
    "\u202e\u200b＞".encode(),
)  # fmt: skip
_UNSEEN: Final = frozenset("\n\r\x00\u200b\u202e\ufeff")
_PATH: Final = re.compile(r"[\x00-\x1f\\]|\.\./|/\.\.|^/|/.*/")
_NAME: Final = 200


def mangled(letters: Sequence[bytes], random: Random) -> bytes:
    """One of *letters* with a few bytes, lines or pieces changed, cut out, doubled or put in from another."""
    found = bytearray(random.choice(letters))
    for _ in range(random.randint(1, 12)):
        at = random.randrange(len(found) + 1)
        random.choice(_WAYS)(found, at, letters, random)
    return bytes(found)


def _put_bytes(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    found[at:at] = random.randbytes(random.randint(1, 6))


def _put_piece(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    found[at:at] = random.choice(PIECES)


def _cut(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    del found[at : at + random.randint(1, 200)]


def _double(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    found[at:at] = found[at : at + random.randint(1, 200)]


def _cut_line(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    start, end = found.rfind(b"\n", 0, at) + 1, found.find(b"\n", at) + 1
    del found[start : end or len(found)]


def _splice(found: bytearray, at: int, letters: Sequence[bytes], random: Random) -> None:
    other = random.choice(letters)
    start = random.randrange(len(other) + 1)
    found[at:at] = other[start : start + random.randint(1, 2_000)]


_WAYS: Final[tuple[Callable[[bytearray, int, Sequence[bytes], Random], None], ...]] = (
    _put_bytes,
    _put_piece,
    _put_piece,
    _cut,
    _double,
    _cut_line,
    _splice,
)


def untrue(raw: bytes, letter: Letter) -> list[str]:
    """What ought to be true of a letter that was read from *raw*, and is not."""
    own, ignored = letter.lines, letter.ignored
    every: list[TextLine | IgnoredLine] = [*own, *ignored]
    numbers = [line.number for line in own]
    text = opened(read_body(message_from_bytes(newlines(raw))).lines)
    claims = {
        "no more lines than are allowed": sum(bool(line.text.strip()) for line in own) <= MAX_LINES,
        "no more text than is allowed": sum(len(line.text) for line in own) <= MAX_TEXT,
        "no number is too high": all(0 < line.number <= MAX_RAW_LINES for line in every),
        "the lines stand in their order": numbers == sorted(set(numbers)),
        "no line is both read and ignored": not {*numbers} & {line.number for line in ignored},
        "each line stands in the letter": all(unescaped(text[line.number - 1]) == line.text for line in own),
        "what is left out is empty": sum(bool(line.strip()) for line in text)
        == sum(bool(line.text.strip()) for line in every),
        "each ignored line says why": all(line.why for line in ignored),
        "no line holds what nobody sees": not any(_UNSEEN & set(line.text) for line in own),
        "no name holds a path": not any(_PATH.search(name) or len(name) > _NAME for name in letter.attachments),
        "what the writer is told is one line": not any("\n" in warning for warning in letter.warnings),
        "the header has no second line": not {"\n", "\r"} & set(letter.subject + letter.sender.name + letter.auto),
        "the sender is an address": letter.sender.address == normalise(letter.sender.address),
        "the recipients are addresses": all(normalise(one) == one for one in letter.recipients),
    }
    return [claim for claim, holds in claims.items() if not holds]
