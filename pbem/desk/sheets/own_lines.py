"""What the writer of a letter typed, and what stands in it that he did not mean to send."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.desk.books.dossiers import Dossier
from pbem.desk.sheets import sent_back
from pbem.desk.sheets.sheets import reader
from pbem.kernel.names import Role
from pbem.mail.reading.letter import IgnoredLine, Letter
from pbem.mail.wire.reply_address import redact
from pbem.orders.account import Accounted, LineFate, of_fate
from pbem.orders.grammar import written
from pbem.orders.sheet import Line
from pbem.orders.words import Reads, frames
from pbem.reports.text.speech import Row, phrase, phrase_later
from pbem.storage.database import Connection
from pbem.storage.players import Player

_NOT_READ = {
    "quote": phrase_later("a quote"),
    "original message": phrase_later("the letter that you answer"),
    "signature": phrase_later("your signature"),
    "outside": phrase_later("what is outside begin and end"),
}
"""Where a line is no order of the writer's though it may look like one, by why the letter's reader ignored it."""

NAMED = 10
"""So many lines are named; of more their number is said."""

QUOTED = 40
"""So many letters of a line are quoted."""


def own_lines(letter: Letter) -> tuple[Line, ...]:
    """The lines that count."""
    return tuple(Line(line.number, line.text) for line in letter.lines)


def unread(
    connection: Connection, dossier: Dossier, role: Role, player: Player, letter: Letter, now: int
) -> tuple[str, ...]:
    """Warnings, if lines that were not read look like orders, and are not what the office itself once wrote."""
    blank = dossier.blank.minds[role]
    reads = reader(dossier.system, dossier.scene, blank, role)

    def looks_like_an_order(one: IgnoredLine) -> bool:
        bare = written([Line(one.number, sent_back.bare_of_marks(one.text))])
        return any(not frames(line) and reads(line) for line in bare)

    among = [one for one in letter.ignored if one.why in _NOT_READ]
    new = sent_back.new_to_us(connection, dossier.id, player, letter, among, now, looks_like_an_order)
    return tuple(
        _warning([one for one in new if one.why == why]) for why in _NOT_READ if why in {one.why for one in new}
    )


def outside(account: Sequence[Accounted], reads: Reads) -> tuple[str, ...]:
    """A warning, if lines outside `begin` and `end` are orders."""
    lines = of_fate(account, LineFate.OUTSIDE)
    like = [IgnoredLine(line.number, line.text, "outside") for line in lines if not frames(line) and reads(line)]
    return (_warning(like),) if like else ()


def _warning(like: list[IgnoredLine]) -> str:
    """Where they stand, and what they say: a receipt numbers the lines of orders, and not those of a letter."""
    place, said = phrase(_NOT_READ[like[0].why]), f"{Row(_quoted(one) for one in like[:NAMED])}"
    if len(like) == 1:
        text = phrase_later(
            "Line {number} of your letter looks like an order but stands in {place}, and was not read: {said}."
        )
        return phrase(text, number=like[0].number, place=place, said=said)
    places = [str(one.number) for one in like[:NAMED]]
    if len(like) > NAMED:
        places.append(phrase("{count} more", count=len(like) - NAMED))
        said += phrase(", and others")
    text = phrase_later(
        "Lines {numbers} of your letter look like orders but stand in {place}, and were not read: {said}."
    )
    return phrase(text, numbers=Row(places), place=place, said=said)


def _quoted(line: IgnoredLine) -> str:
    """What a line says, without what proves who wrote it."""
    text = " ".join(redact(sent_back.bare_of_marks(line.text)).split())
    return f'"{text if len(text) <= QUOTED else text[: QUOTED - 1].rstrip() + "…"}"'
