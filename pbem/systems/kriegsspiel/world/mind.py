"""What one commander knows: from his own eyes and ears, and from the papers that reached him.

A page is made from a mind and from nothing else (KS-SIT-10).  Every number in it counts his own things: his papers,
his entries (`e1`, `e2`, …) in the order in which he learned of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.kriegsspiel.world.dispatches import Charge, OwnState, Tiding
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import Line
from pbem.systems.kriegsspiel.world.troops import Side


class Entry(Struct, frozen=True, omit_defaults=True):
    """An enemy body on his page."""

    id: str
    """`e3`."""
    tiding: Tiding
    received: int
    first: int
    """The move in which he first learned of it."""
    in_sight: bool = False
    """He sees it now with his own eyes."""
    reports: int = 1
    joined: tuple[str, ...] = ()
    """Entries that he has joined to it."""
    dropped: bool = False
    lost: int = -1
    """The last move in which it was seen by whoever told that it is out of sight; -1: nobody has."""


class Known(Struct, frozen=True, omit_defaults=True):
    """One of his side's units as he knows it, and since when."""

    state: OwnState
    received: int
    in_sight: bool = False
    events: tuple[str, ...] = ()
    """What its officer told with it, by the names of `tables.knowledge.REPORTS`."""


LISTED = "order of battle"
"""The source of what a commander knows of his side before he has seen or heard anything of it."""


class Comrade(Struct, frozen=True, omit_defaults=True):
    """A person of his side as he knows him."""

    id: str
    at: Point
    seen: int
    source: str = ""
    captured: bool = False


class Received(Struct, frozen=True, omit_defaults=True):
    """A paper that reached him, word for word."""

    kind: str
    sender: str
    written: int
    received: int
    place: Point
    at: Point
    """Where it was put into his hand."""
    bearer: str
    text: str = ""
    lines: tuple[Line, ...] = ()
    urgent: bool = False
    tidings: tuple[Tiding, ...] = ()
    events: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    """The entries of his page that came of it."""


class Sent(Struct, frozen=True, omit_defaults=True):
    """A paper of his own, as far as he knows what became of it."""

    no: int
    to: str
    kind: str
    begun: int
    lines: tuple[Line, ...] = ()
    text: str = ""
    written: int = 0
    leaves: int = 0
    waiting: bool = False
    """No rider is free."""
    cancelled: bool = False
    receipt_wanted: bool = True
    received: int | None = None
    """When the addressee had it, as his receipt says."""
    receipt_in: int | None = None
    back: int | None = None
    """When its rider brought it back undelivered."""
    likely: int | None = None
    """In which move it will likely be there, by what the sender knew."""
    urgent: bool = False
    charge: Charge | None = None
    """The change of command that it makes."""


class Heard(Struct, frozen=True, omit_defaults=True):
    """Cannon, musketry, an explosion, a signal, a fire seen."""

    kind: str
    move: int
    bearing: int
    """To 30 degrees (KS-SIT-05)."""
    shots: int = 0
    at: Point | None = None
    """Of a fire that is seen: where."""


class Mind(Struct, frozen=True):
    """All that a role knows."""

    role: Role
    side: Side
    options: Options = Options()
    person: str = ""
    """The id of the person whom it plays now."""
    phase: str = "setup"
    move: int = 0
    """His clock."""
    turn: int = 0
    run_from: int = 1
    at: Point = Point(0, 0)
    facing: int = 0
    on_map: bool = True
    mode: str = "mounted"
    state: str = "active"
    riding_to: str = ""
    way: tuple[Point, ...] = ()
    """Of his own ride, as he means it."""
    rides_with: str = ""
    command: tuple[str, ...] = ()
    """Ids of the units that are his, in the order of the order of battle."""
    superior: str = ""
    below: tuple[str, ...] = ()
    """Persons below him."""
    players: tuple[str, ...] = ()
    """Persons of his side who are played by others."""
    near: tuple[str, ...] = ()
    """Comrades within talking distance."""
    own: dict[str, Known] = {}
    comrades: dict[str, Comrade] = {}
    entries: dict[str, Entry] = {}
    received: tuple[Received, ...] = ()
    sent: tuple[Sent, ...] = ()
    heard: tuple[Heard, ...] = ()
    crossings: dict[str, tuple[str, int]] = {}
    """States of crossings that are not as the map has them, and when he learned of them."""
    orders: dict[str, tuple[tuple[int, tuple[Line, ...]], ...]] = {}
    """What he has ordered each unit: when it should have it, and the lines, in the order sent."""
    riders: int = 0
    staff: int = 0
    muted: tuple[str, ...] = ()
    wakes: tuple[Line, ...] = ()
    weather: str = "clear"
    ground: str = "dry"
    light: str = "day"
    called: tuple[str, ...] = ()
    """The codes of the interrupts for which he is asked now, or that are named in his report."""
    ended: str = ""
    winner: str | None = None
    placed: dict[str, str] = {}
    """Set-up: where his units will begin, in words, as his dispositions stand."""
    entry_of: dict[str, tuple[int, str]] = {}
    """For units that are still to come: the move and the entry."""
    seen: tuple[Point, ...] = ()

    def is_to_come(self, unit: str) -> bool:
        """Whether a unit of his side is still to enter the field, as far as he knows."""
        known = self.own.get(unit)
        return unit in self.entry_of and (known is None or known.state.stand == "off")

    @property
    def pieces(self) -> Mapping[str, Known | Entry | Comrade]:
        """What he knows by name: units and comrades of his side by id, enemy bodies by entry."""
        return {**self.own, **self.comrades, **self.entries}


class Learned(Struct, frozen=True, omit_defaults=True):
    """What a fact adds to a mind: tables are merged, all else is set."""

    own: dict[str, Known] = {}
    lost: tuple[str, ...] = ()
    """Units of which he knows that they are no more."""
    comrades: dict[str, Comrade] = {}
    entries: dict[str, Entry] = {}
    received: tuple[Received, ...] = ()
    sent: tuple[Sent, ...] = ()
    """New, or in the place of the one with the same number."""
    heard: tuple[Heard, ...] = ()
    crossings: dict[str, tuple[str, int]] = {}
    orders: dict[str, tuple[tuple[int, tuple[Line, ...]], ...]] = {}
    placed: dict[str, str] = {}
    entry_of: dict[str, tuple[int, str]] = {}
    came: tuple[str, ...] = ()
    """Units that have entered: no more to come."""
    person: str | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    move: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    run_from: int | UnsetType = UNSET
    at: Point | UnsetType = UNSET
    facing: int | UnsetType = UNSET
    on_map: bool | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    riding_to: str | UnsetType = UNSET
    way: tuple[Point, ...] | UnsetType = UNSET
    rides_with: str | UnsetType = UNSET
    command: tuple[str, ...] | UnsetType = UNSET
    superior: str | UnsetType = UNSET
    below: tuple[str, ...] | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET
    near: tuple[str, ...] | UnsetType = UNSET
    riders: int | UnsetType = UNSET
    staff: int | UnsetType = UNSET
    muted: tuple[str, ...] | UnsetType = UNSET
    wakes: tuple[Line, ...] | UnsetType = UNSET
    weather: str | UnsetType = UNSET
    ground: str | UnsetType = UNSET
    light: str | UnsetType = UNSET
    called: tuple[str, ...] | UnsetType = UNSET
    ended: str | UnsetType = UNSET
    winner: str | UnsetType | None = UNSET


_MERGED = ("own", "comrades", "entries", "crossings", "orders", "placed", "entry_of")
_APPENDED = ("received", "heard")
_SPECIAL = ("lost", "came", "sent", *_MERGED, *_APPENDED)
_SET = tuple(name for name in Learned.__struct_fields__ if name not in _SPECIAL)


def taught(mind: Mind, learned: Learned) -> Mind:
    """A mind with what a fact adds to it.  Total."""
    changes: dict[str, object] = {name: value for name in _SET if (value := getattr(learned, name)) is not UNSET}
    for name in _MERGED:
        if added := getattr(learned, name):
            changes[name] = getattr(mind, name) | added
    for name in _APPENDED:
        if added := getattr(learned, name):
            changes[name] = (*getattr(mind, name), *added)
    if learned.lost:
        own: dict[str, Known] = dict(mind.own) | learned.own
        changes["own"] = {unit: known for unit, known in own.items() if unit not in learned.lost}
    if learned.came:
        coming = mind.entry_of | learned.entry_of
        changes["entry_of"] = {unit: when for unit, when in coming.items() if unit not in learned.came}
    if learned.sent:
        sent = list(mind.sent)
        for paper in learned.sent:
            place = bisect_left(sent, paper.no, key=lambda one: one.no)
            known = place < len(sent) and sent[place].no == paper.no
            sent[place : place + known] = [paper]
        changes["sent"] = tuple(sent)
    return replace(mind, **changes) if changes else mind
