"""How the game goes: its phases, what the sides want of their sequence, what is seen to happen, and how it ends."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.kernel.names import Role

Half = Literal["west", "east"]
Phase = Literal[
    "setup", "initiative", "move", "fire_artillery", "fire_small", "charge", "melee", "reinforce", "end", "over"
]


class Command(Struct, frozen=True, omit_defaults=True):
    """What a side's senior player wants of the sequence, until he says otherwise."""

    initiative: Literal["take", "give"] = "take"
    flank: Half | Literal[""] = ""
    """Empty: the half with more own units (HL-TRN-02)."""
    charge_flank: Half | Literal[""] = ""


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen this turn, for the map."""

    turn: int
    phase: str
    kind: Literal["move", "charge", "withdraw", "rout", "fire", "melee"]
    side: Role
    unit: str
    points: tuple[Point, ...]
    count: int = 0
    """Hits of a fire, figures lost at a place."""


class Mark(Struct, frozen=True):
    """The course of the game after one turn, for the plots."""

    turn: int
    fallen: dict[Role, int]
    """Figures lost by each side; in a mind the own ones, and those of the enemy that were seen to fall."""
    points: dict[Role, int]
    """What both would count if the game ended now; empty in a mind: they tell of places and losses out of sight."""


class Item(Struct, frozen=True):
    """One thing that counts for victory."""

    side: Role
    what: str
    """`Great Redoubt`, `destroyed`, `routing`, `battery`, `brigadier`, `army commander`, `left by the road`."""
    count: int
    points: int


class Ended(Struct, frozen=True):
    """How the game ended."""

    winner: Literal["allied", "russian", "draw"]
    how: Literal["victory", "honours", "draw", "ruling"]
    """`honours`: a drawn field, of which the winner has the honours."""
    allied: int = 0
    russian: int = 0
    items: tuple[Item, ...] = ()
