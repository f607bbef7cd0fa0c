"""One-time codes: whoever answers with the code that went to a player's registered address reads that player's mail.

The office keeps no code, only what `hash_code` makes of it, which is worth nothing without the office's key.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Protocol, TypeVar

CHANCE: Final = 10
"""Bytes of chance in a code."""

LIFE: Final = 72 * 60 * 60 * 1_000_000
"""How long a code is good, in microseconds."""

_CODE: Final = re.compile(r"(?i)(?<![a-z0-9-])[a-z2-7]{4}(?:-[a-z2-7]{4}){3}(?![a-z0-9-])")
_FOUND: Final = 5
_LINE: Final = re.compile(r"\s*(?:confirm\b[\s:]*)?[<\"']?[a-z2-7]{4}(?:-[a-z2-7]{4}){3}[>\"'.]{0,3}\s*", re.IGNORECASE)


class HasText(Protocol):
    """A line of a letter, of whichever kind."""

    @property
    def text(self) -> str:
        """What stands on it."""


ALine = TypeVar("ALine", bound=HasText)


class Answer(StrEnum):
    """What a code is worth."""

    GOOD = "good"
    WRONG = "wrong"
    LATE = "late"


def make_code(chance: bytes) -> str:
    """A code of `CHANCE` fresh random bytes, in small letters and digits.

    >>> make_code(bytes(range(10)))
    'aaaq-eaye-auda-ocaj'

    :raises ValueError: if there are fewer bytes, or more.
    """
    if len(chance) != CHANCE:
        raise ValueError(f"a code takes {CHANCE} bytes of chance, not {len(chance)}")
    text = b32encode(chance).decode("ascii").lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def find_codes(text: str) -> tuple[str, ...]:
    """The codes that stand in a subject or a line, as they were made, each once; a few at most.

    >>> find_codes("Re: [gpw] confirm AAAQ-EAYE-AUDA-OCAJ")
    ('aaaq-eaye-auda-ocaj',)
    """
    return tuple(dict.fromkeys(found.lower() for found in _CODE.findall(text)))[:_FOUND]


def confirm_lines(
    lines: Iterable[ALine],
) -> tuple[tuple[str, ...], tuple[ALine, ...], tuple[ALine, ...]]:
    """Part the own lines of a letter: the codes that it gives back, all its other lines, and the lines with the codes.

    A code counts on a line of its own, with or without the word `confirm`.  Of the lines none is lost; codes are given
    as `find_codes` gives them, each once and a few at most, however many lines there are with one.
    """
    rest: list[ALine] = []
    given: list[ALine] = []
    for line in lines:
        (given if _LINE.fullmatch(line.text) else rest).append(line)
    return find_codes("\n".join(line.text for line in given)), tuple(rest), tuple(given)


def hash_code(code: str, about: str, key: bytes) -> str:
    """What is kept of a code; *about* names the one thing that it confirms, such as the digest of a letter."""
    said = b"\0".join(one.encode() for one in ("pbem code", about, code.lower()))
    return hmac.digest(key, said, "sha256").hex()


def check_code(code: str, hashed: str, about: str, key: bytes, *, made_at: int, now: int) -> Answer:
    """What *code* is worth now for the thing that *hashed* was made about; times in microseconds.

    That it is good only once is for the caller, who forgets *hashed* when it was.
    """
    if not hmac.compare_digest(hash_code(code, about, key).encode("ascii"), hashed.encode("ascii", "replace")):
        return Answer.WRONG
    return Answer.GOOD if made_at <= now < made_at + LIFE else Answer.LATE
