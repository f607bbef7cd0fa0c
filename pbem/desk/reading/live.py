"""A sheet that is being written, read as it would be on arrival: line by line, and what it comes to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.desk.office.office import Office
from pbem.desk.sheets import check, receipts
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.reports.drawing.frame import frame_of
from pbem.reports.pages.receipt import REFUSALS, Judged, Word, tally
from pbem.reports.text.speech import Row, phrase, phrase_later, phrase_of
from pbem.rules.contract import AnySystem

WORDS = (
    phrase_later("not understood"),
    phrase_later("not allowed"),
    phrase_later("not clear"),
    phrase_later("office word"),
    phrase_later("ignored"),
)
"""What lines are called besides what receipts call them, for the catalogues."""


class Line(Struct, frozen=True):
    """What is said of one line."""

    number: int
    text: str
    word: Word
    said: str
    """How it reads: why it is refused or in doubt, else what it comes to."""
    rule: str = ""
    column: int = 0
    """Where in the line, from 1; 0: all of it."""
    width: int = 0
    instead: str = ""
    example: str = ""


class Way(Struct, frozen=True):
    """What a line comes to, on the map: in pixels of its drawing."""

    line: int
    kind: str
    side: str
    points: tuple[tuple[float, float], ...]
    units: tuple[str, ...]
    doubt: bool


class Live(Struct, frozen=True, kw_only=True):
    """A sheet, read."""

    lines: tuple[Line, ...] = ()
    ways: tuple[Way, ...] = ()
    idle: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    """What the sheet as a whole comes to."""
    tally: str = ""
    would: str = ""
    """How many of its lines would be played, in a sentence."""
    refused: int = 0
    doubtful: int = 0
    against: str = ""
    """Why nothing of it would be taken."""
    later: bool = False
    """Only its words were judged: it is for a moment that is not open yet."""


def live(office: Office, campaign: str, role: Role, text: str, *, turn: str = "") -> Live:
    """Read *text* as a sheet of *role*, by what it knows.

    *turn*: of what it was asked where it is written; empty: of what is open.

    :raises Refused: if there is no such campaign or role.
    """
    try:
        tried = check.tried(office, campaign, role, text.encode())
    except Refused as error:
        return Live(against=str(error))
    at, numbers = tried.at, tried.numbers
    if turn and turn.casefold() != str(at.moment).casefold():
        text = phrase_later("this was written for {turn}, and {now} is open by now: load the page anew")
        return Live(against=phrase(text, turn=turn, now=at.moment))
    judged = check.lines_of(tried.judged, tried.sheet, tried.lines)
    orders = () if tried.later else tried.judged.orders
    comes: dict[int, list[str]] = {}
    for number, words in receipts.forecast(at, orders):
        comes.setdefault(numbers.get(number, 0), []).append(words.strip())
    refused = {one.number for one in judged if one.word in REFUSALS}
    doubtful = {one.number for one in judged if one.word == "in doubt"} - refused
    taken = len({one.number for one in judged if one.number and one.word in ("accepted", "in doubt")} - refused)
    return Live(
        lines=tuple(_line(one, comes.get(one.number, [])) for one in judged if one.number),
        ways=_ways(at, orders, numbers, doubtful),
        idle=receipts.idle(at, orders) if not tried.later else (),
        whole=(*(one.why for one in judged if not one.number), *comes.get(0, ())),
        tally=tally(judged),
        would=_would(taken, len({one.number for one in judged if one.number}), sorted(refused), later=tried.later),
        refused=len(refused),
        doubtful=len(doubtful),
        later=tried.later,
    )


def _line(one: Judged, comes: list[str]) -> Line:
    said = one.why if one.word not in ("accepted", "office word") else " ".join(comes)
    return Line(
        number=one.number,
        text=one.text,
        word=one.word,
        said=said,
        rule=one.rule or "",
        column=one.column,
        width=one.width,
        instead=one.instead,
        example=one.example,
    )


def _ways(
    at: receipts.Standpoint, orders: Sequence[Any], numbers: Mapping[int, int], doubtful: Collection[int]
) -> tuple[Way, ...]:
    """What orders come to, on the map."""
    system: AnySystem = at.system
    if system.plans is None or not orders:
        return ()
    frame = frame_of(at.view.picture)
    found = []
    for number, track in system.plans(at.scene, at.mind, at.role, orders):
        line = numbers.get(number, 0)
        points = tuple((round(x, 1), round(y, 1)) for x, y in frame.line(track.points))
        found.append(Way(line, track.kind, track.side, points, track.of, line in doubtful))
    return tuple(found)


def _would(taken: int, all_: int, refused: list[int], *, later: bool) -> str:
    """What would become of the sheet if it were sent now."""
    if not all_:
        return phrase("There is no order in it yet.")
    if later:
        return phrase("It is kept until its turn opens, and read again then.")
    if not refused:
        return phrase_of("The line would be taken.", "All {count} lines would be taken.", all_)
    if not taken:
        return phrase("No line of it would be taken.")
    which = phrase_of("line {numbers}", "lines {numbers}", len(refused), numbers=Row(refused))
    return phrase("{taken} of {all} lines would be taken; not {which}.", taken=taken, all=all_, which=which)
