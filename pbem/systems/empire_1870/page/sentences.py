"""What all sentences of a report are made of: headings, the line itself, and what the page gathers from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.names import Moment, Role
from pbem.rules.telling import footnote
from pbem.rules.view import Note, Table, Told
from pbem.systems.empire_1870.play.pauses import moment_of
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.state import War

HEADINGS: Mapping[str, str] = {
    "setup_french": "Set-up",
    "setup_german": "Set-up",
    "administration": "Administrative Phase",
    "action": "Action Phase",
    "siege": "Siege Phase",
    "recovery": "Recovery Phase",
    "end": "End of the turn",
    "over": "End of the game",
}

Column = Literal["attacker", "defender", "french", "german"]
Opening = Literal["", "initiative", "activation", "under", "end"]


class Row(Struct, frozen=True):
    """A row of the box of a battle: what it is, what each side has of it, and the rule.

    Sides are named by their part in the battle or by themselves, as the fact has it; the page sorts them out.
    """

    what: str
    values: Mapping[Column, str]
    rule: str = ""


class Passage(Struct, frozen=True):
    """A step of a march, to be gathered with those before it."""

    who: str
    side: Role
    hexes: tuple[Hex, ...]
    cost: int = 0
    mp: int = 0
    """What the force had before it; 0: not known."""


class Line(Told, frozen=True, kw_only=True, omit_defaults=True):
    """A line as its fact tells it, with what the page needs to put lines together."""

    opens: Opening = ""
    """An activation begins with it, or is told of in it, or an HQ of its chain is (`under`);
    `end`: a pulse or the Action Phase is over."""
    heading: str = ""
    unseen: str = ""
    """What is said of an activation of which nothing else is told."""
    passage: Passage | None = None
    combat: str = ""
    """Of which combat; lines of one make one box."""
    attacker: Role | None = None
    """Of the line that opens a battle."""
    rows: tuple[Row, ...] = ()
    gist: str = ""
    """What the summary says of it."""
    rp: tuple[str, int] | None = None
    """An entry in the RP account of this role: on what, and how many."""
    vp: tuple[str, int, int] | None = None
    """A move of the marker: reason, by how much, to where."""
    lost: tuple[Hex, int] | None = None
    """SP lost in a hex."""
    skipped: tuple[int, int, str, str] | None = None
    """An entry or a line not carried out: number of the entry, line of the sheet, its words, and why."""
    taken: Hex | None = None
    """A hex that has changed hands."""
    alone: str = ""
    """What it says instead where no sentence on the march that it is about stands before it."""


class More(TypedDict, total=False):
    """What else a line may have, as `Line` names it."""

    lead: str
    tables: tuple[Table, ...]
    weight: int
    headline: str
    gist: str
    follows: bool
    opens: Opening
    heading: str
    unseen: str
    passage: Passage | None
    combat: str
    attacker: Role | None
    rows: tuple[Row, ...]
    rp: tuple[str, int] | None
    vp: tuple[str, int, int] | None
    lost: tuple[Hex, int] | None
    skipped: tuple[int, int, str, str] | None
    taken: Hex | None
    alone: str


def told(
    fact: Fact, mind: War, text: str, *, note: str = "", notes: Sequence[Note] | None = None, **more: Unpack[More]
) -> Line:
    """One line of a report out of *fact*: its small print has the fact's dice and rules, if *notes* do not."""
    return Line(
        moment=told_at(fact, mind),
        phase=HEADINGS.get(fact.phase, "Action Phase"),
        text=text,
        notes=footnote(fact, note) if notes is None else tuple(notes),
        **more,
    )


def told_at(fact: Fact, mind: War) -> Moment:
    """The exchange in which *fact* came to pass: of a set-up the one in which play stood."""
    return Moment(fact.turn, max(1, fact.pulse)) if fact.turn else moment_of(mind)
