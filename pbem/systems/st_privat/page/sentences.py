"""What all sentences of a report are made of: headings, sides, and the line itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from pbem.kernel.names import Moment, Role
from pbem.orders.prose import counted
from pbem.rules.telling import footnote
from pbem.rules.view import Note, Table, Told
from pbem.systems.st_privat.play.pauses import exchange
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import names, side_name
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import FRENCH
from pbem.systems.st_privat.world.state import Battle

HEADINGS: dict[str, str] = {
    "setup_french": "Set-up",
    "setup_prussian": "Set-up",
    "move_first": "Movement",
    "move_second": "Movement",
    "rifle": "Rifle fire, both sides at once",
    "artillery": "Artillery fire, both sides at once",
    "melee": "Melee",
    "end": "End of the turn",
    "over": "End of the turn",
}


def who(units: Sequence[str], count: int, side: Role, role: Role) -> str:
    """Who did something: by names where they are known, else by number."""
    if units:
        return names(units)
    cards = "card" if side == FRENCH else "unit"
    return f"{counted(count, cards)} of {'yours' if side == role else side_name(side)}"


class Manner(TypedDict, total=False):
    """What a line of a report may have beside its text."""

    lead: str
    note: str
    """Small print before the dice and the rules of the fact."""
    notes: Sequence[Note]
    """In place of *note* and the dice: notes that have the dice themselves."""
    tables: Sequence[Table]
    weight: int
    headline: str
    """Only with a weight."""
    follows: bool
    place: str


def told(fact: Fact, mind: Battle, text: str, **manner: Unpack[Manner]) -> Told:
    """One line of a report out of *fact*: its small print has the fact's dice and rules."""
    notes, weight = manner.get("notes"), manner.get("weight", 0)
    return Told(
        moment=Moment(fact.turn, exchange(mind)),
        phase=HEADINGS[fact.phase],
        text=text,
        lead=manner.get("lead", ""),
        notes=footnote(fact, manner.get("note", "")) if notes is None else (*notes, Note("", rules=fact.rules)),
        tables=tuple(manner.get("tables", ())),
        weight=weight,
        headline=manner.get("headline", "") if weight else "",
        follows=manner.get("follows", False),
        place=manner.get("place", ""),
    )


def nothing(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    """Of some facts there is nothing to tell: others tell what came of them."""
    return []
