"""What all sentences of a report are made of: headings, the line itself, and what the page gathers from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap
from pbem.rules.telling import footnote
from pbem.rules.view import Note, Table, Told
from pbem.systems.half_league.play.pauses import FIRST
from pbem.systems.half_league.scene.words import ADJECTIVE
from pbem.systems.half_league.tables.printed import SEGMENTS
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.pieces import ENEMY
from pbem.systems.half_league.world.state import Battle

HEADINGS: Mapping[str, str] = {
    "setup": "Set-up",
    "initiative": "Initiative",
    "move": "Moves",
    "fire_artillery": "Artillery fire, all at once",
    "fire_small": "Small arms, all at once",
    "charge": "Charges",
    "melee": "Melee",
    "reinforce": "Reinforcement moves",
    "end": "End of the turn",
    "over": "End of the battle",
}
FLANKED = ("move", "charge", "reinforce")
"""Phases that run by flanks."""
OTHER_HALF = {"west": "east", "east": "west", "": ""}

Box = Literal["", "moves", "fire", "melee", "points", "rolled"]
COLUMNS: Mapping[Box, tuple[str, ...]] = {
    "moves": ("Unit", "What it did", "Dice", "Inches", "Now at", "Ended by"),
    "fire": ("Fired by", "Stands", "Range", "Row and target", "Dice", "Needed", "Hits"),
    "melee": ("Unit", "Dice", "On each die", "Counts", "Sum"),
    "points": ("Unit", "Benefit", "From", "Left"),
    "rolled": ("Unit", "Dice", "Points"),
}
"""The tables that the page builds from rows of several lines."""
FIGURES: Mapping[Box, tuple[int, ...]] = {
    "moves": (3,),
    "fire": (1, 2, 6),
    "melee": (4,),
    "points": (3,),
    "rolled": (2,),
}
"""Their columns of numbers."""


class Save(Struct, frozen=True):
    """A possible hit and what became of it."""

    unit: str
    natural: int
    """0: there was no save."""
    need: int
    """0: it is not known."""
    saved: bool
    modifiers: str = ""
    called: str = ""
    """The unit with its name."""


class Chits(Struct, frozen=True):
    """Chits that a unit took, and for what; *limit* 0: it is not known how it stands."""

    unit: str
    count: int
    reason: str
    now: int
    limit: int


class Line(Told, frozen=True, kw_only=True, omit_defaults=True):
    """A line as its fact tells it, with what the page needs to put lines together.

    A line with *rows* stands in a table of its paragraph; its text is for where there is none.
    """

    about: tuple[str, ...] = ()
    """Pieces: lines of one phase that have one in common are one paragraph."""
    box: Box = ""
    rows: tuple[tuple[str, ...], ...] = ()
    shot: tuple[int, int] | None = None
    """Of fire: how many dice, and how many possible hits."""
    save: Save | None = None
    stand: tuple[str, int, str] | None = None
    """Who lost a stand, how many are left, and what they are called."""
    chits: Chits | None = None
    gist: str = ""
    """What the summary says of it."""
    gists: tuple[tuple[int, str], ...] = ()
    """Of a whole paragraph: what the summary may say of it, each with its weight."""
    lost: tuple[Point, int] | None = None
    """Figures that were lost at a place."""
    short: str = ""
    """Why a move fell short though nothing stood in its way: said with the line that ordered it."""


class More(TypedDict, total=False):
    """What else a line may have, as `Line` names it."""

    lead: str
    tables: tuple[Table, ...]
    weight: int
    headline: str
    gist: str
    follows: bool
    about: tuple[str, ...]
    box: Box
    rows: tuple[tuple[str, ...], ...]
    shot: tuple[int, int] | None
    save: Save | None
    stand: tuple[str, int, str] | None
    chits: Chits | None
    lost: tuple[Point, int] | None
    short: str


def told(
    fact: Fact, mind: Battle, text: str, *, note: str = "", notes: Sequence[Note] | None = None, **more: Unpack[More]
) -> list[Line]:
    """What *fact* comes to in a report: one line, about the piece that it befalls, if it does not say about whom.

    Its small print has the fact's dice and rules, if *notes* do not.
    """
    more.setdefault("about", tuple(getattr(fact, name) for name in SUBJECTS if hasattr(fact, name))[:1])
    small = footnote(fact, note) if notes is None else tuple(notes)
    more["gist"] = cap(more.get("gist", ""))
    return [Line(moment=told_at(fact, mind), phase=heading(fact, mind), text=cap(text), notes=small, **more)]


SUBJECTS = ("unit", "target", "battery")
"""The piece that a fact befalls, by the field in which it stands."""


def told_at(fact: Fact, mind: Battle) -> Moment:
    """The exchange in which *fact* came to pass."""
    if not fact.turn:
        return Moment(0, 1)
    second = mind.options.exchanges_per_turn == 2 and fact.phase not in FIRST
    return Moment(fact.turn, 2 if second else 1)


def heading(fact: Fact, mind: Battle) -> str:
    """Under what a fact is told: `Moves, 2: Russian, in the west, from the edge inwards`."""
    plain = HEADINGS.get(fact.phase, "The battle")
    segment = SEGMENTS.get(fact.segment)
    if fact.phase not in FLANKED or segment is None or mind.initiative is None:
        return plain
    side: Role = mind.initiative if segment.side == "initiative" else ENEMY[mind.initiative]
    flank = mind.charge_flank if fact.phase == "charge" else mind.flank
    half = flank if segment.half == "chosen" else OTHER_HALF[flank]
    return f"{plain}, {fact.segment}: {ADJECTIVE[side]}, in the {half}, {segment.way}s"
