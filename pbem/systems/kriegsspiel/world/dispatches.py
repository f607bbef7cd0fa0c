"""Persons on the map, papers on the road, and what is seen and told: as the umpire holds it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.orders import AnyAct, Line
from pbem.systems.kriegsspiel.world.troops import BodyState, Side, Stand

TRUCE = "the enemy"
"""Who sends a paper that comes under a flag of truce."""


class Ride(Struct, frozen=True, omit_defaults=True):
    """A way on horseback: of a commander, a messenger, a staff officer.  Rates by KS-MSG-03."""

    way: tuple[Point, ...]
    set_out: int
    """The first move of the ride."""
    delay: int = 0
    """Moves lost on it."""
    to: str = ""
    """The place it goes to, in words."""
    foot: bool = False
    """A man on foot, at the rates of an infantry patrol (KS-MSG-02)."""
    ridden: int = 0
    """Paces of the ride that lay behind him where this way begins: he has gone round somebody, or asked (KS-MSG-03)."""


class Person(Struct, frozen=True, omit_defaults=True):
    """A commander on the map (KS-CMD-01)."""

    id: str
    side: Side
    name: str
    rank: str
    at: Point
    role: str = ""
    """The role that plays him; empty: a staff commander run by the rules (KS-CMD-06)."""
    superior: str = ""
    facing: int = 0
    state: Literal["active", "captured", "down"] = "active"
    stand: Literal["off", "map"] = "map"
    ride: Ride | None = None
    rides_with: str = ""
    """The id of the unit with which he rides."""
    writes_until: int = 0
    """The last move in which he still writes."""
    papers: int = 0
    """How many papers of his own he has begun, for their numbers."""
    riders: int = 6
    staff: int = 2
    looks: int | None = None
    """The bearing that he watches through the telescope; None: none."""
    looked: int = -100
    """The move that he halted for it."""
    moved: int = 0
    on_arrival: tuple[AnyAct, ...] = ()
    entries: int = 0
    """How many enemy bodies he has numbered (`e1`, `e2`, …)."""
    given: tuple[str, ...] = ()
    """Units of which he has word that he is to command them, and which have none themselves yet."""
    down_until: int = 0
    had: tuple[str, ...] = ()
    """Of one who has been taken: the ids of the units that were under him."""
    papers_since: int = -1
    """Of one as whom a player goes on: since when the papers of that player's page have come into his own hand."""
    muted: tuple[str, ...] = ()
    offers_end: bool = False


class Chief(Struct, frozen=True):
    """Where a man was known to be to whom somebody reports."""

    person: str
    at: Point
    move: int
    """The move in which he was there."""


class Tiding(Struct, frozen=True, omit_defaults=True):
    """A thing seen, as a paper or a tongue carries it, and as a page holds it."""

    ref: str
    """What the reporter calls it, so that two papers of one observer tie together."""
    side: Side | Literal["unknown"]
    seen: int
    """The move in which it was seen."""
    at: Point
    source: str
    """`own eyes`, the id of a unit or person, `spy`, `inhabitants`, `umpire`."""
    size: Literal["formed", "patrol", "single"] = "formed"
    arm: str = ""
    kind: str = ""
    number: str = ""
    """`3rd Uhlans, 2nd squadron`: at the shortest distances alone."""
    blocks: int = 0
    """Half battalions, squadrons or half batteries, as seen; 0: not known."""
    exact: bool = False
    """Counted; else estimated."""
    formation: str = ""
    heading: int | None = None
    """The bearing on which it moved; None: it stood, or it could not be told."""
    moving: bool = False
    error: int = 0
    """By how much the place may be wrong, in paces."""
    reliability: Literal["certain", "probable", "doubtful"] = "certain"
    gone: bool = False
    """It has been lost from sight."""
    doing: str = ""
    """`falls back`, `charges`, `fires`: what it was seen to do."""


class OwnState(Struct, frozen=True, omit_defaults=True):
    """What a unit says of itself, as a paper carries it (KS-SIT-09, KS-LOS-07)."""

    unit: str
    seen: int
    at: Point
    source: str
    facing: int = 0
    formation: str = ""
    body: BodyState = "fresh"
    losses: str = "none"
    zugs_out: int = 0
    guns: int = 0
    doing: str = ""
    """The order that it carries out, as written; empty: none."""
    told: int | None = None
    """The move in which it was known to do that, if it was not that of *seen*."""
    stand: Stand = "map"
    trail: tuple[Point, ...] = ()
    limbered: bool = True
    size: str = ""


class Charge(Struct, frozen=True, omit_defaults=True):
    """A change of command, as a paper or a tongue brings it (KS-CMD-10)."""

    to: str
    """The id of the person who commands now."""
    units: tuple[str, ...]
    fallen: str = ""
    """The id of the person whom he follows, taken by the enemy."""
    persons: tuple[str, ...] = ()
    """Who is below him now."""
    superior: str | None = None
    """Who is above him now; None: as before."""


class Paper(Struct, frozen=True, omit_defaults=True):
    """An order, report, letter or receipt on its way (KS-MSG-01)."""

    id: int
    """Never shown."""
    kind: Literal["order", "report", "letter", "receipt"]
    side: Side
    sender: str
    """The id of a person or unit; `higher` or the source of a scenario's message."""
    to: str
    """The id of a person, unit or group, or `higher`."""
    no: int = 0
    """The sender's own number."""
    priority: Literal["normal", "urgent"] = "normal"
    written: int = 0
    """The move in which the writing ends."""
    dated: int = -1
    """Of orders passed on: the move in which they were first written; -1: that of the paper itself."""
    place: Point = Point(0, 0)
    """Where it was written."""
    home: Point | None = None
    """Where its rider is to find his master again; None: where that is."""
    words: int = 0
    lines: tuple[Line, ...] = ()
    text: str = ""
    tidings: tuple[Tiding, ...] = ()
    states: tuple[OwnState, ...] = ()
    events: tuple[str, ...] = ()
    """Of a report: what it is about, by the names of `tables.knowledge.REPORTS`."""
    wants_receipt: bool = False
    by: tuple[Point, ...] = ()
    """Places by which its rider goes, in order."""
    roads: tuple[str, ...] = ()
    """Roads to which he keeps."""
    copy: int = 1
    """1 for the paper, 2 for its second copy."""
    leaves: int = 0
    """Of a second copy: the first move in which its rider may set out."""
    known: bool = False
    """Its addressee has read another copy."""
    state: Literal["writing", "waiting", "riding", "searching", "returning", "delivered", "captured", "lost"] = (
        "writing"
    )
    ride: Ride | None = None
    at: Point = Point(0, 0)
    """Where the bearer is."""
    aim: Point = Point(0, 0)
    """Where the sender believes the addressee to be."""
    search_until: int = 0
    met: tuple[str, ...] = ()
    """Keys of enemy bodies that the bearer has met with on this way, or saw before him when he set out."""
    tried: tuple[str, ...] = ()
    """Keys of those from whom he has escaped, on this way or on the way there (KS-MSG-07)."""
    received: int = -1
    read: int = -1
    """The move in which it is read; it acts in the one after."""
    answers: int = 0
    """Of a receipt: the number of the paper it is for."""
    bearer: str = ""
    """The person or unit whose rider carries it."""
    rank: int = 9
    charge: Charge | None = None
    """The change of command that a report tells of, or that an order makes."""


class Glimpse(Struct, frozen=True, omit_defaults=True):
    """What an observer sees of one enemy body, from the move in which it came in sight."""

    body: str
    """The key of a unit (with `+` for its chain of skirmishers), or the id of a person or paper."""
    ref: str
    """The observer's own name for it."""
    since: int
    last: int
    far: int
    """Paces."""
    level: str
    """The most that is known: `presence`, `arm`, `strength`, `subtype`, `number` (KS-SIT-02)."""
    factor: int = 1
    """Which of the three guesses its strength is seen with; drawn once."""
    error: Point = Point(0, 0)
    """The error of its place, in thousandths of the distance; drawn once."""
    approaching: int = 0
    """Paces by which it has come nearer in the last move."""
