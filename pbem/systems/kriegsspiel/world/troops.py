"""Troops: what a unit is, and the five parts of it that change.

Where it stands (`Place`), what is left of it (`Strength`), where it is going (`March`), what it has been told (`Duty`)
and what it has gone through (`Trial`).  Places are points in paces, x to the east and y to the north; bearings
hundredths of a degree; times moves since the opening (move 0), strengths twelfths of a man (`tw`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.orders import Line, Order

Side = Literal["red", "blue"]
RED: Side = "red"
BLUE: Side = "blue"
SIDES: tuple[Side, Side] = (RED, BLUE)
ENEMY: dict[Side, Side] = {RED: BLUE, BLUE: RED}

Arm = Literal["infantry", "cavalry", "artillery", "pioneers", "train"]
BodyState = Literal[
    "fresh", "repulsed", "defeated", "totally_defeated", "retiring", "captured", "remnant", "destroyed"
]  # fmt: skip
Stand = Literal["off", "map", "afloat", "gone"]
"""Not yet entered; on the map; in boats or swimming; destroyed, captured or marched off."""


def key_of(side: Side, unit: str) -> str:
    """The key of a unit in the truth: ids are unique within a side only.

    >>> key_of("red", "1/F")
    'red:1/F'
    """
    return f"{side}:{unit}"


class Place(Struct, frozen=True, omit_defaults=True):
    """Where a body stands and in what form."""

    at: Point
    """The middle of its front edge; the head of a column."""
    facing: int
    formation: str
    stand: Stand = "map"
    trail: tuple[Point, ...] = ()
    """Of a column that has marched: the way behind its head, nearest first, as long as it is deep (KS-MOV-19)."""
    holds: str = ""
    """The stronghold, area, line or crossing that it occupies."""
    held_since: int = 0
    limbered: bool = True
    refused: bool = False
    """A half battery faces each way (KS-BAT-02)."""
    ropes: bool = False
    """Guns hauled by ropes in this move."""
    dismounted: bool = False
    concealed: bool = False
    """It lies hidden (KS-CMD-14)."""
    moved: int = 0
    """Paces covered in the last move played."""
    halted_since: int = 0
    """The move since whose beginning it has stood still."""
    changed: int = -100
    """The last move in which it changed formation."""
    marched: int = 0
    """Moves it has marched in this column (KS-FRM-02: the length of a column in sections)."""


class Chain(Struct, frozen=True, omit_defaults=True):
    """Skirmishers that are out (KS-FRM-08, KS-FRM-09)."""

    zugs: tuple[int, ...] = ()
    """The twelfths of men of each zug that is out."""
    points: int = 0
    """Points that the zugs in the chain have lost, one zug after another."""
    ahead: int = 100
    """Paces ahead of the line; 0: in the intervals."""
    moved: int = 0
    """Paces covered in the last move."""
    recalled: bool = False
    half: bool = False
    """A whole half battalion as skirmishers."""
    ran: tuple[int, ...] = ()
    """The moves in which they ran out or in (KS-MOV-05)."""
    front: int = 0
    """The front that the line keeps, where it is not that of the table: a half battalion out, two pieces exchanged."""


class Strength(Struct, frozen=True):
    """What is left of a unit.  Men of zugs that are out are in the chain, not in *tw*."""

    tw: int = 0
    full_tw: int = 0
    blocks: int = 1
    """Half battalions of infantry; 1 for all others; 0: no block is left."""
    points: int = 0
    """Points lost since the last block was taken off (KS-LOS-03); of a battery those carried (KS-ART-08)."""
    chain: Chain = Chain()
    ranks: int = 3
    cannon: tuple[int, int] = (0, 0)
    """Of the right and the left half battery."""
    howitzers: tuple[int, int] = (0, 0)
    canister: int = 0
    """Rounds of canister left for the cannon, limbers and wagons."""
    shot: int = 0
    bombard_left: int = 50
    rounds: int = 60
    """Moves of musketry left, by the option `infantry_ammunition`."""
    wagons: int = 0
    """Blocks of munition wagons behind it."""
    wagons_at: Point | None = None
    """Where they were sent; None: they follow."""
    wagons_due: int = 0
    """The move in which they are there."""
    apart: tuple[int, int] | None = None
    """Canister and shot that are with wagons out of reach; None: the wagons feed the limbers (KS-AMM-02)."""
    pontoons: int = 0
    powder: int = 0
    """Bridges for which it has powder."""
    riders: int = 2
    """Messengers with the unit."""

    @property
    def guns(self) -> int:
        """Pieces that it has left."""
        return sum(self.cannon) + sum(self.howitzers)

    @property
    def men_tw(self) -> int:
        """All its men, with those of its chain."""
        return self.tw + sum(self.chain.zugs)

    prisoners_tw: int = 0
    detached: int = 0
    """Detachments it has made, for their ids."""


class March(Struct, frozen=True, omit_defaults=True):
    """The way that a unit is on."""

    way: tuple[Point, ...] = ()
    """From where it began to where it means to go; empty: it is not under way."""
    done: int = 0
    """How far along it the head is, in twelfths of a pace."""
    row: str = ""
    """The row of the march table."""
    most: int = 0
    """A cap on its cells; 0: none."""
    wait: int = 0
    """Ticks to wait before it goes on: a hedge, closing up, turning about."""
    passed: int = 0
    """How far along the way tolls have been paid, in twelfths of a pace."""
    fast: tuple[int, ...] = ()
    """The moves in which it used a limited fast rate (KS-MOV-05)."""
    keeps: bool = False
    """It moves with its front as it is: shifts, falls back."""
    road: bool = False
    """Whether the head is on a road."""
    speed: int = 0
    """Paces a move at which it was seen to come on in the last move."""


class Change(Struct, frozen=True, omit_defaults=True):
    """A change of formation or front that is going on."""

    to: str
    at: Point
    facing: int
    begun: int
    ready: int
    """The tick since the opening (move x 12 + tick) at which it is done."""
    limber: bool | None = None
    """To be limbered or not when it is done; None: as before."""


class Trip(Struct, frozen=True, omit_defaults=True):
    """A passage over water that is going on, by boats or swimming, load by load (KS-BOT)."""

    by: str
    """The id of the boats; `swim`: none."""
    start: Point
    to: Point
    loads: int
    """Loads that are needed."""
    load_tw: int = 0
    """Twelfths of men of a full load; 0: guns."""
    over: int = 0
    """Loads that have landed."""
    begun: int = 0
    """The first move of the load that is under way."""
    lands: int = 0
    """The move at whose end it has landed."""
    back: int = 0
    """Moves that the boats take to come back."""
    tw: int = 0
    """Twelfths of men of the unit when this load set out."""
    turns: bool = False
    """No further load goes, and those who are over come back."""


class Trigger(Struct, frozen=True, omit_defaults=True):
    """A conditional line, and what was appended to it (KS-CMD-15)."""

    line: Line
    after: tuple[Order, ...] = ()


class Duty(Struct, frozen=True, omit_defaults=True):
    """What a unit has been told: its standing dispositions (KS-CMD-08)."""

    queue: tuple[Order, ...] = ()
    """The first is being carried out."""
    begun: int = -1
    """The move in which the first was begun; -1: not yet."""
    stage: str = ""
    """How far the first has come, in words of its own."""
    count: int = 0
    """Moves spent in that stage."""
    triggers: tuple[Trigger, ...] = ()
    reactions: dict[str, str] = {}
    """By key, as written: `attacked` -> `retire 3700,2900`."""
    policy: str = "at_will"
    """`at_will`, `hold`, `hold until N`, `on_target`, `canister_only`."""
    fire_on: Order | None = None
    paper: tuple[int, int] = (-1, -1)
    """Of the orders in force: the rank of who wrote them (0 the highest), and the move in which (KS-CMD-04, -07)."""
    idle_since: int = 0
    told_idle: bool = False
    reported: int = -100
    """The move of the last report."""
    word: tuple[str, ...] = ()
    """The persons from whom it has had word since its conditions were set."""
    comrade: tuple[str, Point, int] | None = None
    """The unit of its side that it looks to, where it last saw it, and how that faced."""
    knows: dict[str, str] = {}
    """States of crossings that it has seen or been told of (KS-MOV-18)."""
    group: str = ""
    """The group whose order it carries out with the others."""
    parent: str = ""
    """Of a detachment: the id of the unit it is of."""
    purpose: str = ""
    """Of a detachment: `patrol`, `post`, `order`, `escort`."""
    to: str = ""
    """The person to whom it reports, if not its commander."""
    under: str = ""
    """The person of whom it has word that he is to command it, and who has none himself yet."""
    found: tuple[str, ...] = ()
    """Keys of enemy bodies it has reported."""
    pending: tuple[tuple[str, str], ...] = ()
    """Events that are still to be reported, and how they are told."""

    @property
    def order(self) -> Order | None:
        """What it is carrying out."""
        return self.queue[0] if self.queue else None


class Trial(Struct, frozen=True, omit_defaults=True):
    """What a unit is going through: attack, fire, defeat."""

    state: BodyState = "fresh"
    kept: BodyState = "fresh"
    """Of troops that retire under canister: the state in which it found them."""
    defend_from: int = 0
    """The first move in which it can defend itself again; 0: it can."""
    attack_from: int = 0
    beaten: int = -100
    """The move of its last defeat."""
    letter: str = ""
    flight: int = 0
    """Moves that it still goes back."""
    flight_to: Point | None = None
    attacks: str = ""
    """The key of the body, or the id of the place, that it has declared an attack on."""
    declared: int = -100
    answer: str = ""
    """What it does against the attack declared on it."""
    attacked: int = -100
    """The last move in which it saw that an attack on it was declared."""
    contact: int = -1
    """The tick in which it came into contact in this move; -1: it is not."""
    began: int = 0
    """Paces from the enemy at the beginning of the move of contact."""
    fired: tuple[int, ...] = ()
    """The moves, of the last 15, in which it fired or fought."""
    under_fire: int = -100
    under_guns: int = -100
    """The last move in which artillery fired on it."""
    under_canister: int = -100
    """The last move in which that was canister, of good effect or bad."""
    canister: tuple[int, ...] = ()
    """The moves, of the last 3, in which good canister fell on it."""
    hit_advancing: bool = False
    """Enemy canister has hit it in its advance to this attack (KS-ATK-05)."""
    infantry_loss: tuple[tuple[int, int], ...] = ()
    """(move, tw) lost to infantry fire in the last 3 moves."""
    chain_loss: tuple[tuple[int, int], ...] = ()
    attacked_here: tuple[int, ...] = ()
    """The moves, of the last 10, in which it attacked."""
    won: int = -100
    pursuing: int = 0
    """Moves of pursuit since the fight; 0: none."""
    half_follows: bool = False
    through: int = -100
    """The move in which beaten troops passed through it (KS-RET-06)."""
    refuge: int = -100
    rested: int = 0
    """Moves of rest in a row."""
    surprised: int = -100
    forced: int = -100
    """The last move in which it was forced to move (KS-ODD-05)."""
    trapped: int = 0
    out_until: int = 0
    """Of a battery taken and retaken: out of action until then; -1: for good."""
    taken_by: str = ""
    taken_in: int = -1
    first_beaten: int = 0
    """How often it was beaten as a first line (KS-SEC-03)."""
    made_from: int = 0
    """Paces from its target at which it made for it (KS-FLK-02)."""
    canister_from: tuple[tuple[int, str], ...] = ()
    """(move, battery): canister that fell on it while it advanced to an attack, or in the last 3 moves."""
    owed: int = 0
    """Points that the pursuit will still cost it (KS-RET-03)."""
    surrounded: int = 0
    """1: it is closed in, and has stood; 2: its capture goes on (KS-PRI-01)."""
    back_to: Point | None = None
    """Where a pursuer returns to."""


class Unit(Struct, frozen=True, dict=True):
    """A body of troops."""

    side: Side
    id: str
    name: str
    arm: Arm
    kind: str
    size: str
    place: Place
    strength: Strength
    regiment: str = ""
    commander: str = ""
    """The id of the person who commands it."""
    march: March = March()
    change: Change | None = None
    duty: Duty = Duty()
    trial: Trial = Trial()
    enters: int = 0
    """The move in which it enters the map, if it is off it."""
    entry: str = ""
    behind: str = ""
    """The unit behind whose tail it comes."""
    trip: Trip | None = None
    """Its passage over a water."""

    @cached_property
    def key(self) -> str:
        """Its key in the truth."""
        return key_of(self.side, self.id)


class UnitPatch(Struct, frozen=True, omit_defaults=True):
    """Parts of a unit as they now are."""

    place: Place | UnsetType = UNSET
    strength: Strength | UnsetType = UNSET
    march: March | UnsetType = UNSET
    change: Change | UnsetType | None = UNSET
    duty: Duty | UnsetType = UNSET
    trial: Trial | UnsetType = UNSET
    commander: str | UnsetType = UNSET
    size: str | UnsetType = UNSET
    enters: int | UnsetType = UNSET
    entry: str | UnsetType = UNSET
    behind: str | UnsetType = UNSET
    trip: Trip | UnsetType | None = UNSET


_Whole = TypeVar("_Whole", bound=Struct)


def patched(whole: _Whole, patch: Struct) -> _Whole:
    """A unit, or the clock, with the parts that a patch of its kind carries."""
    return replace(
        whole,
        **{name: value for name in patch.__struct_fields__ if (value := getattr(patch, name)) is not UNSET},
    )
