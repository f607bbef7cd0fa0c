"""Of what the theatre of war is made: sides, HQs and fortresses, programmes and standing orders."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.world.orders import React, Recover, Reenter, Root, SiegeOrder, StandingMobilize

FRENCH, GERMAN = Role("french"), Role("german")
SIDES = (FRENCH, GERMAN)
ENEMY = {FRENCH: GERMAN, GERMAN: FRENCH}

Rank = Literal["army", "corps", "division"]
RANKS_ORDER: dict[Rank, int] = {"division": 1, "corps": 2, "army": 3}
"""Which rank is above which."""
Phase = Literal[
    "setup_french", "setup_german", "administration", "action", "siege", "recovery", "end", "over"
]  # fmt: skip


class Hq(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A named headquarters, with the ratings of the face that it shows (WE-HQ-01)."""

    id: str
    side: Role
    rank: Rank
    name: str
    ab: int = 0
    db: int = 0
    ma: int = 3
    cautious: bool = False
    cavalry: bool = False
    face: Literal["front", "replacement"] = "front"
    hex: Hex | None = None
    state: Literal["map", "pool", "wounded", "out"] = "pool"
    """`out`: exited, or gone for good."""
    return_turn: int = 0
    """Of a wounded HQ: the turn on which it comes back; known to its owner alone."""
    spent: bool = False
    casualties: int = 0

    @property
    def napoleon(self) -> bool:
        """Whether this is the Emperor (WE-HQC-02)."""
        return self.id == "NAP"


class Fortress(Struct, frozen=True, omit_defaults=True):
    """What has become of a fortress."""

    destroyed: bool = False
    besieged: bool = False


class Entry(Struct, frozen=True, omit_defaults=True):
    """One entry of a programme, until it has been run or dropped."""

    number: int
    """As the turn's programme counts them, from 1; stays the same while others go."""
    order: Root
    waiting: bool = False
    sheet: int = 1
    """The pulse for which the sheet was sent that it stands in."""


class Standing(Struct, frozen=True, omit_defaults=True):
    """The standing orders of a side, the newest of each kind and scope."""

    reactions: tuple[React, ...] = ()
    """The newest first; the most specific that fits is in force."""
    sieges: tuple[SiegeOrder, ...] = ()
    recover: Recover | None = None
    mobilize: StandingMobilize | None = None
    reenter: tuple[Reenter, ...] = ()


class Seal(Struct, frozen=True):
    """A set-up under seal: SHA-256 of salt, a newline and the placements; both are shown when the game is over."""

    seal: str
    salt: str = ""
    placements: tuple[str, ...] = ()


class Ended(Struct, frozen=True):
    """How the game ended."""

    winner: Literal["french", "german", "draw"]
    kind: Literal["major", "minor", "draw"]
    condition: str
    """`vp`, `napoleon`, `german_army_hq`, `control`, `exit`, `time`, `ruling`"""


class Mark(Struct, frozen=True):
    """The course of the game after one turn, for the plots."""

    turn: int
    vp: int
