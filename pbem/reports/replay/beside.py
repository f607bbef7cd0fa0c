"""What the office lays beside a reel for its page: seeds and promises, sheets and receipts, letters, who played."""

from __future__ import annotations

from msgspec import Struct


class Pair(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Two seeds that were promised, as far as they are revealed, and the words that enter them."""

    moment: str
    open: str
    """The promises."""
    closed: str
    open_seed: str = ""
    """In hexadecimal; empty: not revealed."""
    closed_seed: str = ""
    worded: bool = False
    """Its dice are made of the players' words too."""
    words: dict[str, str] = {}
    """Of all roles; empty where they are not known."""


class Judged(Struct, frozen=True, omit_defaults=True):
    """What a receipt said of a line."""

    line: int
    judgement: str
    why: str = ""
    rule: str = ""


class Sheet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sheet as it came, and its receipt."""

    role: str
    moment: str
    receipt: int
    at: str
    """As `2026-08-05 18:03`, UTC."""
    what: str
    """What became of it: `accepted`, `kept for later`, `refused`, `withdrawn`."""
    text: str = ""
    told: tuple[Judged, ...] = ()
    why: str = ""
    stands: bool = False
    """It is what was played."""


class Letter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A letter between players; an empty sender: it was not signed."""

    sender: str
    to: str
    others: tuple[str, ...] = ()
    """Who had it too."""
    moment: str
    at: str
    text: str


class Note(Struct, frozen=True):
    """A note of a player to himself."""

    role: str
    moment: str
    at: str
    text: str


class Issued(Struct, frozen=True):
    """A report as it was sent: its SHA-256 is what a reader can hold against his own."""

    role: str
    moment: str
    version: int
    page: str


class Beside(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All of it.  Nothing is in it that the eyes of the reel may not see."""

    pairs: tuple[Pair, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    letters: tuple[Letter, ...] = ()
    diary: tuple[Note, ...] = ()
    """Of a game that is over, by leave of who wrote it."""
    unlettered: bool = False
    """There were letters, and not all of those who wrote and had them have given leave."""
    people: dict[str, str] = {}
    """Who played which role, of those that have given leave."""
    reports: tuple[Issued, ...] = ()
    running: bool = False
    """The game is not over."""
    alone: bool = False
    """For the GM alone: it shows what no player of a game that runs may know."""
    head: str = ""
    """The hash of the last event of the log."""
