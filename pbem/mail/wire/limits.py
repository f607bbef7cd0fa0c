"""What a letter may weigh, checked on its bytes before anything parses them.

The figures keep the work that one letter can cause small and linear in its size: the parser of the standard library
is quadratic in long `Content-Type` fields and in nesting, so both are bounded here, by counting.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.kernel.errors import PbemError

MAX_LETTER: Final = 1024 * 1024
"""Bytes of a whole letter, attachments and all."""

MAX_HEADER_BLOCK: Final = 64 * 1024
"""Bytes before the first empty line."""

MAX_HEADER: Final = 8 * 1024
"""Characters of one header that is decoded."""

MAX_PARTS: Final = 100
MAX_NESTING: Final = 20
MAX_RAW_LINES: Final = 20_000
"""Lines of a whole letter, and of its text with all that it quotes."""

MAX_TEXT: Final = 256 * 1024
"""Characters of the text that is read: what was typed, and all that it quotes."""

MAX_LINES: Final = 2_000
"""Lines that the player himself wrote."""

MAX_HTML: Final = 512 * 1024
"""Characters of the page, where a letter is HTML alone."""

MAX_TAG: Final = 4_000
"""Characters of one HTML tag; longer ones hold pictures, never text."""

MAX_HTML_NESTING: Final = 2_000

MAX_OPTIONS: Final = 2_000
"""Choices of a form, for which the parser's work is quadratic."""


def names(words: str) -> frozenset[str]:
    """A set of names written one after the other."""
    return frozenset(words.split())


_JUNK_SHARE: Final = 20  # one byte in so many may be a control character
_MIME_LINE: Final = re.compile(rb"(?im)^(?:(content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*)|--([^\n]*))")
_BOUNDARY: Final = re.compile(rb"(?i)boundary(?:\*\d*\*?)?[ \t]*=[ \t]*(?:\"([^\"\n]*)\"|([^\s;\"]+))")
_CONTROL: Final = bytes(b for b in range(32) if b not in b"\t\n\r\x0b\x0c\x1b")
_VOID_OR_UNCLOSED: Final = names(
    "area base br col embed hr img input link meta param source track wbr "
    "p li td th tr thead tbody tfoot dt dd option optgroup colgroup"
)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]*+)([^<>]*+)>")
_OPTION: Final = re.compile(r"<opt(?:ion|group)", re.IGNORECASE)
_LONG_TAG: Final = re.compile(rf"<[a-zA-Z][^<>]{{{MAX_TAG},}}>?")


class UnreadableLetter(PbemError):
    """A letter that cannot be read at all; *reason* says why, in words for the person who sent it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def kilobytes(size: int) -> str:
    """A number of bytes for the reader, rounded up.

    >>> kilobytes(1025)
    '2 kB'
    """
    return f"{-(-size // 1024):,} kB"


def newlines(raw: bytes) -> bytes:
    """The letter with every line ended by a line feed alone."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def header_block(raw: bytes) -> bytes:
    """What stands before the first empty line of *raw*, whose lines end with a line feed."""
    return b"" if raw.startswith(b"\n") else raw.partition(b"\n\n")[0]


def weigh(raw: bytes, *, most: int = MAX_LETTER, most_lines: int = MAX_RAW_LINES) -> None:
    """Refuse a letter that is too big, too deep or no letter at all; *raw* is as `newlines` makes it.

    It may have *most* bytes and *most_lines* lines.

    :raises UnreadableLetter: with the measure that was exceeded.
    """
    if not raw.strip():
        raise UnreadableLetter("The letter is empty.")
    if len(raw) > most:
        raise UnreadableLetter(
            f"The letter is too big: {kilobytes(len(raw))}, and at most {kilobytes(most)} are read. "
            "Send the orders as plain text, without attachments."
        )
    head = len(header_block(raw))
    if head > MAX_HEADER_BLOCK:
        raise UnreadableLetter(
            f"The header of the letter is too large: {kilobytes(head)}, "
            f"and at most {kilobytes(MAX_HEADER_BLOCK)} are read."
        )
    if len(raw) - len(raw.translate(None, _CONTROL)) > len(raw) // _JUNK_SHARE:
        raise UnreadableLetter("This is no letter but binary data. Send the orders as plain text.")
    lines = raw.count(b"\n")
    if lines > most_lines:
        raise UnreadableLetter(f"The letter has {lines:,} lines, and at most {most_lines:,} are read.")
    _count_parts(raw)


def _count_parts(raw: bytes) -> None:
    """Count parts and nesting as a MIME parser would find them, without building anything."""
    parts = 0
    open_now: list[bytes | None] = []  # the boundaries in force, outermost first; None for a letter within
    for found in _MIME_LINE.finditer(raw):
        field, delimiter = found.groups()
        if field is None:
            name = delimiter.rstrip()
            if name in open_now:
                del open_now[open_now.index(name) + 1 :]
                parts += 1
            elif name.endswith(b"--") and name[:-2] in open_now:
                del open_now[open_now.index(name[:-2]) :]
        else:
            if len(field) > MAX_HEADER:
                raise UnreadableLetter(f"A part of the letter has a header of {kilobytes(len(field))}.")
            if boundary := _BOUNDARY.search(field):
                open_now.append(boundary[1] or boundary[2])
            elif field.partition(b":")[2].lstrip().lower().startswith(b"message/"):
                open_now.append(None)
            if len(open_now) > MAX_NESTING:
                raise UnreadableLetter(f"The parts of the letter are nested more than {MAX_NESTING} deep.")
    if parts > MAX_PARTS:
        raise UnreadableLetter(f"The letter has {parts:,} parts, and at most {MAX_PARTS} are read.")


def lighten(html: str) -> str:
    """The page without over-long tags.

    :raises UnreadableLetter: if its tags are nested too deep, or it is a form of very many choices.
    """
    if sum(1 for _ in _OPTION.finditer(html)) > MAX_OPTIONS:
        raise UnreadableLetter(
            f"The HTML of the letter has more than {MAX_OPTIONS:,} choices of a form. Send the orders as plain text."
        )
    html = _LONG_TAG.sub(" ", html)
    depth = 0
    for tag in _TAG.finditer(html):
        closing, name, rest = tag.groups()
        if rest.endswith("/") or name.lower() in _VOID_OR_UNCLOSED:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        if depth > MAX_HTML_NESTING:
            raise UnreadableLetter(
                f"The HTML of the letter is nested more than {MAX_HTML_NESTING:,} deep. Send the orders as plain text."
            )
    return html
