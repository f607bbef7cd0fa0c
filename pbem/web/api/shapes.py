"""What programs are given, and what they send.  Times are UTC, as `2026-11-20T22:10:03Z`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Me(Struct, frozen=True):
    """Whose token it is, and what it may do."""

    player: str
    name: str
    zone: str
    scope: str
    """`read`, or `order`, which is both."""


class Game(Struct, frozen=True, kw_only=True):
    """A role that the player fills."""

    campaign: str
    title: str
    role: str
    addressed: str
    state: str
    """`due`, `free`, `sent`, `in part`, `waiting`, `paused`, `enrolling` or `over`."""
    turn: str
    """The exchange that is open; empty: none."""
    owed: str
    """What may be sent, in a phrase."""
    due: str
    """Until when; empty: there is no hour."""
    otherwise: str
    """What is taken for silence."""
    receipt: int
    """Of the sheet that stands; 0: none does."""
    report: str
    """The newest report that came; empty: none yet."""
    headline: str
    over: str
    """How it has ended; empty: it has not."""


class Asked(Struct, frozen=True, kw_only=True):
    """What a role is asked now, and what it has said."""

    campaign: str
    role: str
    turn: str
    name: str
    due: str
    stands: str
    """The sheet that stands."""
    template: str
    """What to begin from."""
    runs: str
    closed: str
    """Why nothing can be sent any more; empty while it can."""
    waits: bool
    forms: dict[str, str]
    """An example of each order, by its verb."""


class Sheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Orders, to be read or sent."""

    sheet: str
    """Its lines; of 1 MB at most."""
    turn: Annotated[str, Meta(max_length=20)] = ""
    """Of which it is, as the role was asked; when that is over, nothing of it is taken.  Empty: of what is open."""
    once: Annotated[str, Meta(max_length=60)] = ""
    """A name of the program's own for this sending: what comes again under it is taken once."""


class Line(Struct, frozen=True, kw_only=True):
    """One line of a sheet, and what is said of it."""

    number: int
    text: str
    word: str
    said: str
    rule: str
    column: int
    """Counted from 1; 0: the whole line."""
    width: int
    instead: str
    example: str


class Way(Struct, frozen=True):
    """How an order would go on the map of the role's newest page, in its units."""

    line: int
    kind: str
    side: str
    points: tuple[tuple[float, float], ...]
    units: tuple[str, ...]
    doubt: bool


class Read(Struct, frozen=True, kw_only=True):
    """A sheet, read as it would be if it were sent now.  Nothing is sent."""

    lines: tuple[Line, ...]
    ways: tuple[Way, ...]
    idle: tuple[str, ...]
    whole: tuple[str, ...]
    would: str
    refused: int
    doubtful: int
    against: str
    """Why nothing of it would be taken; empty: it would."""


class Sent(Struct, frozen=True, kw_only=True):
    """What became of what was sent."""

    letter: int
    """Its number in the office, by which the umpire finds it."""
    state: str
    reason: str
    again: bool
    """It had come before, under the same name, and was taken then."""
    receipt: int
    """The number of its receipt; 0: it has none."""
    lines: tuple[Line, ...]


class Turn(Struct, frozen=True, kw_only=True):
    """A report that came."""

    turn: str
    version: int
    sent: str
    title: str


class Letter(Struct, frozen=True, kw_only=True):
    """A letter that was written."""

    at: str
    way: Literal["to", "from"]
    who: str
    """Empty: somebody who does not say his name."""
    text: str


class NewLetter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A letter to be carried."""

    text: Annotated[str, Meta(min_length=1, max_length=20_000)]
    to: Annotated[str, Meta(max_length=80)] = "umpire"
    unsigned: bool = False
    once: Annotated[str, Meta(max_length=60)] = ""


class News(Struct, frozen=True, kw_only=True):
    """Something that came of late."""

    at: str
    campaign: str
    role: str
    what: Literal["report", "letter"]
    turn: str
    text: str


class Fault(Struct, frozen=True):
    """Why something was not done."""

    error: str
