"""Which of the texts that came with a letter is the sheet: what stands in it, or a file beside it.

    an order in the letter itself    →  the letter; files with orders are named
    none there, and one in a file    →  the file, with the words to the office in the letter
    none anywhere                    →  what may have been meant as one, first in the letter, then in a file

Of several files with orders one is read: the first.  Two sheets in a letter would be one too many, and which of them
was the newer, nobody could say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from pbem.mail.reading.letter import TextFile
from pbem.orders.prose import cap
from pbem.orders.sheet import Line
from pbem.orders.words import Reads, Sheet, as_prose, together


class File(Struct, frozen=True):
    """A file that came with a letter: its lines, or why it was not read."""

    name: str
    lines: tuple[Line, ...] = ()
    kind: str = ""
    """What it is that is no text to be read, in a phrase."""
    instead: str = ""
    """What to send instead."""


class Chosen(Struct, frozen=True):
    """The sheet that a letter brings, and what there is to say of the files that came with it."""

    sheet: Sheet
    lines: tuple[Line, ...]
    """Of the letter, and of the file that is the sheet below them."""
    warnings: tuple[str, ...] = ()
    """Sentences that its writer must not miss."""
    noted: tuple[str, ...] = ()
    """What is told of the others, each in a phrase."""


class Parts(Protocol):
    """Parts a text; *alone*: nothing else came with it."""

    def __call__(self, lines: Sequence[Line], *, alone: bool) -> Sheet: ...


def files_of(attached: Sequence[TextFile]) -> tuple[File, ...]:
    """The files of a letter, as its reader found them."""
    return tuple(
        File(one.name, tuple(Line(line.number, line.text) for line in one.lines), one.kind, one.instead)
        for one in attached
    )


def choose(part: Parts, reads: Reads, lines: tuple[Line, ...], files: Sequence[File]) -> Chosen:
    """The sheet of a letter with *lines* of its own and *files*."""
    own = part(lines, alone=not files)
    if not files:
        return Chosen(own, lines)
    below = max((line.number for line in lines), default=0)
    moved = [tuple(Line(below + line.number, line.text) for line in file.lines) for file in files]
    sheets = [part(text, alone=False) for text in moved]
    sure = [any(map(reads, sheet.orders)) for sheet in (own, *sheets)]
    like = [bool(sheet.orders) for sheet in (own, *sheets)]
    empty = not any(line.text.strip() for line in lines)
    asks = [empty and bool(sheet.commands) for sheet in (own, *sheets)]
    found = next((at for signs in (sure, like, asks) for at, holds in enumerate(signs) if holds), 0)
    warnings, noted = _said(files, sheets, found - 1)
    if found:
        read = together(as_prose(own, ()), sheets[found - 1])
        return Chosen(read, (*lines, *moved[found - 1]), warnings, noted)
    return Chosen(own if own.orders else part(lines, alone=True), lines, warnings, noted)


def _said(files: Sequence[File], sheets: Sequence[Sheet], read: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the writer must not miss of his files, and what else there is to say; *read*: the one that was, or -1."""
    warnings: list[str] = []
    noted: list[str] = []
    without = read < 0 and not any(sheet.orders for sheet in sheets)
    for at, (file, sheet) in enumerate(zip(files, sheets, strict=True)):
        if at == read:
            warnings.append(f'Your orders were read from the file "{file.name}".')
        elif file.kind:
            noted.append(f'"{file.name}" is {file.kind}: not read')
            if without and file.instead:
                warnings.append(f'The file "{file.name}" is {file.kind}, and was not read. {cap(file.instead)}.')
        elif sheet.orders:
            why = "the letter itself has orders" if read < 0 else "of several files with orders the first is read"
            warnings.append(f'The file "{file.name}" has orders too, and was not read: {why}. Send one of them alone.')
        else:
            noted.append(f'"{file.name}" has no order in it')
    return tuple(warnings), tuple(noted)
