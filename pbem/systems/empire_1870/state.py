"""What the theatre of war is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: of the enemy it holds
the stacks and HQs that are known now, *occupied* says where more stands unseen, *ghosts* what was seen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over
from pbem.systems.empire_1870.options import Options
from pbem.systems.empire_1870.orders import (
    Act,
    Div,
    Mobilize,
    MobilizeHq,
    Pass,
    React,
    Recover,
    Reenter,
    SiegeOrder,
    StandingMobilize,
)

if TYPE_CHECKING:
    from pbem.systems.empire_1870.fact import Fact

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


class HqPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of an HQ that a fact sets, under the names of `Hq`."""

    name: str | UnsetType = UNSET
    rank: Rank | UnsetType = UNSET
    ab: int | UnsetType = UNSET
    db: int | UnsetType = UNSET
    ma: int | UnsetType = UNSET
    cautious: bool | UnsetType = UNSET
    cavalry: bool | UnsetType = UNSET
    face: Literal["front", "replacement"] | UnsetType = UNSET
    hex: Hex | UnsetType | None = UNSET
    state: Literal["map", "pool", "wounded", "out"] | UnsetType = UNSET
    return_turn: int | UnsetType = UNSET
    spent: bool | UnsetType = UNSET
    casualties: int | UnsetType = UNSET

    def sets(self) -> dict[str, object]:
        """What it sets, by name."""
        found: dict[str, object] = to_builtins(self)
        return found


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


class Ghost(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was last known of the enemy in a hex, and when."""

    turn: int
    pulse: int
    stack: Stack = ()
    hqs: tuple[str, ...] = ()


class Mark(Struct, frozen=True):
    """The course of the game after one turn, for the plots."""

    turn: int
    vp: int


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen in a pulse, for the map."""

    turn: int
    pulse: int
    kind: Literal["march", "rail", "retreat", "advance", "battle", "fire", "siege"]
    side: Role
    hexes: tuple[Hex, ...]
    count: int = 0


class War(Struct, frozen=True, kw_only=True):
    """The theatre of war: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    turn: int = 0
    pulse: int = 0
    """0 before the Action Phase of a turn."""
    phase: Phase = "setup_french"
    activation_no: int = 0
    """Top-level activations of this turn, of both sides."""
    activations_of_pulse: int = 0
    passed: Role | None = None
    """Who has passed last, if nobody has activated since."""
    passed_by_entry: bool = False
    """That this pass came from a `PASS` entry; its owner's and the rules' alone."""
    turn_of: Role | None = None
    """`initiative_mode` alternate: who goes next without a roll."""
    stacks: dict[Role, dict[Hex, Stack]] = {}
    off_map: dict[Role, int] = {}
    """SP that have left the map, as the facts told it, less those that came onto it."""
    hqs: dict[str, Hq] = {}
    fortresses: dict[Hex, Fortress] = {}
    control: dict[Hex, Role] = {}
    """Who controls a hex; neutral land is not there."""
    resource_points: dict[Role, int] = {}
    vp: int = 11
    rail_sp_used: int = 0
    """French SP that entrained or rode this turn (WE-RAI-02)."""
    programme: dict[Role, tuple[Entry, ...]] = {}
    """What is still to be run; in a mind only the own one."""
    standing: dict[Role, Standing] = {}
    done: tuple[str, ...] = ()
    """HQs whose activation has ended this turn (`DONE`); in a mind only the own ones."""
    administration: dict[Role, tuple[Mobilize | MobilizeHq, ...]] = {}
    exited: tuple[str, ...] = ()
    """Corps that left the map by the south-east (WE-VIC-05)."""
    placed: dict[Role, Seal] = {}
    """The set-ups of the sides that stand on the map; in a mind the other's without salt and placements."""
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Mark, ...] = ()
    occupied: tuple[Hex, ...] = ()
    """In a mind: hexes that hold enemy pieces, as far as known."""
    ghosts: dict[Hex, Ghost] = {}
    traces: tuple[Trace, ...] = ()

    @property
    def pieces(self) -> dict[str, object]:
        """Every piece by a name: HQs by id, stacks as `french 2306`."""
        found: dict[str, object] = dict(self.hqs)
        for side, stacks in self.stacks.items():
            found |= {f"{side} {at}": Strength.of(stack) for at, stack in stacks.items()}
        return found


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


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game's state that a fact sets, under the names of `War`.

    Those that are tables by side or by hex replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    pulse: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    activation_no: int | UnsetType = UNSET
    activations_of_pulse: int | UnsetType = UNSET
    passed: Role | UnsetType | None = UNSET
    passed_by_entry: bool | UnsetType = UNSET
    turn_of: Role | UnsetType | None = UNSET
    fortresses: dict[Hex, Fortress] | UnsetType = UNSET
    control: dict[Hex, Role] | UnsetType = UNSET
    resource_points: dict[Role, int] | UnsetType = UNSET
    vp: int | UnsetType = UNSET
    rail_sp_used: int | UnsetType = UNSET
    programme: dict[Role, tuple[Entry, ...]] | UnsetType = UNSET
    standing: dict[Role, Standing] | UnsetType = UNSET
    done: tuple[str, ...] | UnsetType = UNSET
    administration: dict[Role, tuple[Mobilize | MobilizeHq, ...]] | UnsetType = UNSET
    exited: tuple[str, ...] | UnsetType = UNSET
    placed: dict[Role, Seal] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    course: Mark | UnsetType = UNSET


MERGED = ("fortresses", "control", "resource_points", "programme", "standing", "administration", "placed")
"""Attributes of a patch that are tables, of which it replaces entries."""


def _rested(stack: Stack) -> Stack:
    return merged([replace(one, spent=False) for one in stack]) if any(one.spent for one in stack) else stack


def _patched(war: War, game: GamePatch) -> War:
    changes = laid_over(war, game, tables=MERGED, rows=("course",))
    if changes.get("turn", war.turn) != war.turn:
        # A new turn finds everybody rested, known or unknown to a side alike (WE-SEQ-01).
        stacks = {side: {at: _rested(stack) for at, stack in table.items()} for side, table in war.stacks.items()}
        hqs = {name: replace(hq, spent=False) if hq.spent else hq for name, hq in war.hqs.items()}
        fresh: dict[str, object] = {
            "pulse": 0,
            "activation_no": 0,
            "activations_of_pulse": 0,
            "passed": None,
            "passed_by_entry": False,
        }
        fresh |= {"turn_of": None, "rail_sp_used": 0, "done": (), "stacks": stacks, "hqs": hqs}
        changes = fresh | changes
    return replace(war, **changes)


def remaining(war: War, side: Role) -> tuple[Entry, ...]:
    """What of a side's programme is still to be run: with the Action Phase of its turn it is over (WE-SEQ-03)."""
    return war.programme.get(side, ()) if war.phase == "action" else ()


def evolve(war: War, fact: Fact) -> War:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    if fact.only_seen and war.viewer is None:
        return war
    changes: dict[str, object] = {}
    if fact.stacks:
        stacks = dict(war.stacks)
        for side, table in fact.stacks.items():
            now = {**stacks.get(side, {}), **table}
            stacks[side] = {at: stack for at, stack in now.items() if stack}
        changes["stacks"] = stacks
    if fact.toll:
        sides = {**dict.fromkeys(fact.toll, 0), **war.off_map}
        changes["off_map"] = {side: left + fact.toll.get(side, 0) for side, left in sides.items()}
    if fact.hqs:
        hqs = dict(war.hqs)
        for name, patch in fact.hqs.items():
            if name in hqs:
                hqs[name] = replace(hqs[name], **patch.sets())
        changes["hqs"] = hqs
    if fact.new_hqs:
        hqs = dict(changes.get("hqs", war.hqs))  # type: ignore[call-overload] # it is a dict of HQs
        changes["hqs"] = hqs | {hq.id: hq for hq in fact.new_hqs}
    if changes:
        war = replace(war, **changes)
    return war if fact.game is None else _patched(war, fact.game)
