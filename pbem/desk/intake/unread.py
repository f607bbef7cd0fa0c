"""What of a letter was not read, for whoever wrote it: every line of his own that no answer of ours echoes.

Lines are shown in short, and of many the number is said.  What he only sent back is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.mail.reading.letter import IgnoredLine
from pbem.mail.reading.quotes import Kind
from pbem.mail.wire.reply_address import redact
from pbem.orders.account import Accounted, LineFate, of_fate
from pbem.orders.prose import counted, listed
from pbem.orders.sheet import Line
from pbem.orders.words import MOST as MOST_COMMANDS
from pbem.reports.text.speech import phrase_later

SHOWN = 12
"""So many lines of a kind are shown; of more their number is said."""

WIDE = 100
"""So many signs of a line are shown."""

LABELS = {
    LineFate.PROSE: phrase_later("Not read as orders"),
    LineFate.OUTSIDE: phrase_later("Outside begin and end, and not read"),
    LineFate.OVER: f"Not done: more than {MOST_COMMANDS} words to the office, or too long",
}
"""The lines that are shown, by what stands above them."""

_SENT_BACK = {Kind.SIGNATURE: LineFate.SIGNATURE}
_COUNTED = {
    LineFate.QUOTED: ("quoted line", "quoted lines"),
    LineFate.SIGNATURE: ("line of a signature", "lines of a signature"),
    LineFate.COMMENT: ("comment", "comments"),
}

Unread = tuple[tuple[str, str], ...]
"""Texts, each under its label."""


def aside(ignored: Sequence[IgnoredLine]) -> tuple[Accounted, ...]:
    """The account of the lines of a letter that its reader took for none of the writer's own."""
    return tuple(
        Accounted(Line(one.number, one.text), _SENT_BACK.get(Kind(one.why), LineFate.QUOTED)) for one in ignored
    )


def unread(account: Sequence[Accounted], files: Sequence[str] = ()) -> Unread:
    """What there is to say of the lines of a letter that were not read, and of its *files*, each in a phrase."""
    shown = [(label, _shown(of_fate(account, fate))) for fate, label in LABELS.items()]
    return tuple(
        (label, text)
        for label, text in (*shown, (phrase_later("Files"), "\n".join(files)), ("Not read", _counts(account)))
        if text
    )


def _shown(lines: Sequence[Line]) -> str:
    said = [_short(line.text) for line in lines[:SHOWN]]
    if len(lines) > SHOWN:
        said.append(f"… and {counted(len(lines) - SHOWN, 'more line')}")
    return "\n".join(said)


def _short(text: str) -> str:
    said = " ".join(redact(text).split())
    return said if len(said) <= WIDE else f"{said[: WIDE - 1].rstrip()}…"


def _counts(account: Sequence[Accounted]) -> str:
    """`four quoted lines and one comment; said again, or overtaken by a later line: "report" (49 times)`."""
    return "; ".join((*_left_out(account), *_again(account)))


def _left_out(account: Sequence[Accounted]) -> Iterator[str]:
    fates = Counter(one.fate for one in account if one.line.text.strip())
    found = [counted(fates[fate], *words) for fate, words in _COUNTED.items() if fates[fate]]
    if found:
        yield listed(found)


def _again(account: Sequence[Accounted]) -> Iterator[str]:
    said = Counter(_short(line.text).casefold() for line in of_fate(account, LineFate.AGAIN))
    found = [f'"{text}"{f" ({times} times)" * (times > 1)}' for text, times in said.most_common(SHOWN)]
    if len(said) > SHOWN:
        found.append(counted(len(said) - SHOWN, "other line"))
    if found:
        yield f"said again, or overtaken by a later line: {listed(found)}"
