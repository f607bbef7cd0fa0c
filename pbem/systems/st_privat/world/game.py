"""What is said of the game as a whole: its phase, towns and points, damage, standing reactions, seals and end."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.square import Square
from pbem.systems.st_privat.world.pieces import Formation

Phase = Literal[
    "setup_french",
    "setup_prussian",
    "move_first",
    "move_second",
    "rifle",
    "artillery",
    "melee",
    "end",
    "over",
]


Structure = Literal["wall", "building", "bridge"]


class Damage(Struct, frozen=True):
    """Of a wall, building, bridge: points taken, and whether it is destroyed."""

    damage: int = 0
    destroyed: bool = False


class TownState(Struct, frozen=True):
    """Who holds a town, and whether its points stand in the Prussian score."""

    holder: Literal["french", "prussian", "none"] = "french"
    points_awarded: bool = False


class Zone(Struct, frozen=True):
    """Where the siege gun may be placed."""

    files: str
    """`G-L`"""
    row: int


class Policy(Struct, frozen=True):
    """A standing reaction for some units: its words, as the order has them, and the line it was written as."""

    units: tuple[str, ...]
    """Selectors: ids, `@J-10`, `@J-10 in`, or `all`."""
    words: tuple[str, ...]
    form: Formation | None = None
    face: Literal["away", "enemy"] | None = None
    via: tuple[Square, ...] = ()
    text: str = ""


class Reactions(Struct, frozen=True, omit_defaults=True):
    """The standing reactions of a side, the newest first: the first that fits a unit is the one in force."""

    initiative: Literal["first", "second"] | None = None
    retreat: tuple[Policy, ...] = ()
    advance: tuple[Policy, ...] = ()
    losses: tuple[Policy, ...] = ()
    targets: tuple[Policy, ...] = ()
    """`targets` and `hold fire` (words `none`)."""
    initiative_text: str = ""


class Score(Struct, frozen=True):
    """Victory points."""

    french: int = 0
    prussian: int = 0


class Sealed(Struct, frozen=True):
    """A set-up under seal: SHA-256 of salt and placements, and the salt (known to its owner until the end)."""

    seal: str
    salt: str = ""
    placements: str = ""


class Ended(Struct, frozen=True):
    """How the game ended."""

    reason: Literal["turn_15", "no_town_turn_9"]
    winner: Literal["french", "prussian", "draw"]


class Standing(Struct, frozen=True):
    """The turn's figures after one turn, for the plots."""

    turn: int
    vp: Score
    figures: Score | None
    """Figures left of each side, as far as known; None where a side is not to know what the other has lost."""
