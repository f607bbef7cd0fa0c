"""Of what the theatre of war is made: sides, stacks, HQs and fortresses, programmes and standing orders."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.world.orders import Act, Div, Pass, React, Recover, Reenter, SiegeOrder, StandingMobilize

FRENCH, GERMAN = Role("french"), Role("german")
SIDES = (FRENCH, GERMAN)
ENEMY = {FRENCH: GERMAN, GERMAN: FRENCH}

Status = Literal["good", "disrupted", "demoralized"]
STATUSES: tuple[Status, ...] = ("good", "disrupted", "demoralized")
Rank = Literal["army", "corps", "division"]
RANKS_ORDER: dict[Rank, int] = {"division": 1, "corps": 2, "army": 3}
"""Which rank is above which."""
Phase = Literal[
    "setup_french", "setup_german", "administration", "action", "siege", "recovery", "end", "over"
]  # fmt: skip


class Group(Struct, frozen=True, omit_defaults=True, order=True):
    """SP of one side in one hex that are alike in everything."""

    status: Status = "good"
    count: int = 0
    spent: bool = False
    entrained: bool = False
    inside: bool = False
    """Shut in a fortress with enemy SP in the same hex (WE-SIE-01)."""


Stack = tuple[Group, ...]
"""All SP of one side in one hex; groups alike but for their count are one (`merged`)."""


def merged(groups: tuple[Group, ...] | list[Group]) -> Stack:
    """A stack in its one form: alike groups added up, empty ones gone, best status first."""
    counts: dict[tuple[Status, bool, bool, bool], int] = {}
    for one in groups:
        key = (one.status, one.spent, one.entrained, one.inside)
        counts[key] = counts.get(key, 0) + one.count
    order = sorted(counts, key=lambda key: (STATUSES.index(key[0]), *key[1:]))
    return tuple(Group(key[0], counts[key], *key[1:]) for key in order if counts[key] > 0)


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
    nationality: str = ""
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


class Strength(Struct, frozen=True):
    """A stack in figures."""

    sp: int
    good: int
    disrupted: int
    demoralized: int
    spent: int
    entrained: int
    inside: int

    @classmethod
    def of(cls, stack: Stack) -> Strength:
        """Count *stack*."""
        status = {name: sum(one.count for one in stack if one.status == name) for name in STATUSES}
        return cls(
            sp=sum(status.values()),
            **status,
            spent=sum(one.count for one in stack if one.spent),
            entrained=sum(one.count for one in stack if one.entrained),
            inside=sum(one.count for one in stack if one.inside),
        )


class Fortress(Struct, frozen=True, omit_defaults=True):
    """What has become of a fortress."""

    destroyed: bool = False
    besieged: bool = False


class Entry(Struct, frozen=True, omit_defaults=True):
    """One entry of a programme, until it has been run or dropped."""

    number: int
    """As the turn's programme counts them, from 1; stays the same while others go."""
    order: Act | Div | Pass
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
