"""What may be ordered, as read.  Each order carries the line it was written on and that line's text.

A line for several units is several orders.  Places and lengths are grains, bearings hundredths of a degree; an enemy
is named as the writer knows him, by id or as `contact 3`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.orders.sheet import Order

Benefit = Literal["move", "pull", "fire", "fire_save", "morale", "melee", "melee_save"]
Formed = Literal[
    "skirmish", "line", "double_line", "column", "road_column", "square", "dismounted", "limbered", "unlimbered"
]


# ------------------------------------------------------------------ the sequence


class SetInitiative(Order, frozen=True, kw_only=True, tag="initiative"):
    """What the side does with the initiative if it wins the roll."""

    word: Literal["take", "give"]


class SetFlank(Order, frozen=True, kw_only=True, tag="flank"):
    """The flank that begins if the side has the initiative; of the charge phase if *charge*."""

    half: Literal["west", "east"]
    charge: bool = False


# ------------------------------------------------------------------ one activity a unit


class UnitOrder(Order, frozen=True, kw_only=True):
    """An order to one unit."""

    unit: str


class Move(UnitOrder, frozen=True, kw_only=True, tag="move"):
    """Go forward by legs.

    *far* is the most that is ordered, of the whole way; None: as far as the dice reach.  *facing*: a last turn of 45
    degrees at most.  *place*: the name under which the last point was written.
    """

    points: tuple[Point, ...] = ()
    bearing: int | None = None
    """Of `move S 8`: straight that way; there are no points then."""
    far: int | None = None
    facing: int | None = None
    place: str = ""


class FollowRoad(UnitOrder, frozen=True, kw_only=True, tag="follow"):
    """Go along the road that the unit is on, the way it faces."""

    far: int | None = None


class Wheel(UnitOrder, frozen=True, kw_only=True, tag="wheel"):
    """Turn *by* so much, to the right if above 0, then go *far* straight on."""

    by: int
    far: int = 0


class Face(UnitOrder, frozen=True, kw_only=True, tag="face"):
    """Turn to a bearing."""

    bearing: int


class About(UnitOrder, frozen=True, kw_only=True, tag="about"):
    """Turn about, then go *far* straight on."""

    far: int = 0


class Retire(UnitOrder, frozen=True, kw_only=True, tag="retire"):
    """Go backwards, the facing kept."""

    far: int


class Shift(UnitOrder, frozen=True, kw_only=True, tag="shift"):
    """Go sideways, the facing kept."""

    hand: Literal["left", "right"]
    far: int


class Prolong(UnitOrder, frozen=True, kw_only=True, tag="prolong"):
    """Move unlimbered guns by hand, the facing kept."""

    bearing: int
    far: int


class Form(UnitOrder, frozen=True, kw_only=True, tag="form"):
    """Change formation; *facing* None: kept."""

    formation: Formed
    facing: int | None = None


class Charge(UnitOrder, frozen=True, kw_only=True, tag="charge"):
    """Place a charge marker."""

    target: str
    nearest: bool = False


class Hold(UnitOrder, frozen=True, kw_only=True, tag="hold"):
    """Stand still."""


class Pull(UnitOrder, frozen=True, kw_only=True, tag="pull"):
    """Remove a chit; with a point a second one, or *then* act."""

    double: bool = False
    then: Move | FollowRoad | Wheel | Face | About | Retire | Shift | Prolong | Form | Charge | None = None


Activity = (
    Move | FollowRoad | Wheel | Face | About | Retire | Shift | Prolong | Form | Charge | Pull | Hold
)  # fmt: skip


class Deploy(UnitOrder, frozen=True, kw_only=True, tag="deploy"):
    """Take another place before the first turn (option `free_setup`)."""

    at: Point
    facing: int
    formation: Formed | None = None


class Reinforce(UnitOrder, frozen=True, kw_only=True, tag="reinforce"):
    """Make a reinforcement move; *unit* may be a leader."""

    to: Point
    far: int | None = None


# ------------------------------------------------------------------ additions


class Spend(UnitOrder, frozen=True, kw_only=True, tag="spend"):
    """Spend a command point on a benefit."""

    benefit: Benefit


class FirePart(Struct, frozen=True, omit_defaults=True):
    """A target, and how many stands fire at it; 0: all that can."""

    target: str
    stands: int = 0


class Fire(UnitOrder, frozen=True, kw_only=True, tag="fire"):
    """Fire at one target or at several."""

    parts: tuple[FirePart, ...]


class Bombard(UnitOrder, frozen=True, kw_only=True, tag="bombard"):
    """Fire at a target beyond long range."""

    target: str


class HoldFire(UnitOrder, frozen=True, kw_only=True, tag="hold_fire"):
    """Do not fire this turn."""


class Advance(UnitOrder, frozen=True, kw_only=True, tag="advance"):
    """Whether the unit goes onto the loser's position this turn."""

    yes: bool


# ------------------------------------------------------------------ leaders


class LeaderOrder(Order, frozen=True, kw_only=True):
    """An order to one leader."""

    leader: str


class Ride(LeaderOrder, frozen=True, kw_only=True, tag="ride"):
    """Ride to a place."""

    to: Point


class Attach(LeaderOrder, frozen=True, kw_only=True, tag="attach"):
    """Ride to a unit and attach to it."""

    unit: str


class Detach(LeaderOrder, frozen=True, kw_only=True, tag="detach"):
    """Leave the unit."""


class Favour(LeaderOrder, frozen=True, kw_only=True, tag="brigadier"):
    """The free benefit of a brigadier; *unit* empty: to all that can have it."""

    benefit: Benefit
    unit: str = ""


class ArmyPull(LeaderOrder, frozen=True, kw_only=True, tag="army_pull"):
    """The army commander removes chits: in *phase* (empty: in any), when there are *chits* (0: at once)."""

    phase: str = ""
    chits: int = 0


# ------------------------------------------------------------------ standing policies


class Policy(Struct, frozen=True, omit_defaults=True):
    """What is done without being asked.

    *kind* `cp`: *benefit* is bought when *when* comes (`when-hits` of *number* or more).  `advance`: *when* is `yes`
    or `no`.  `pull` and `army-pull`: when there are *number* chits or more, or `never`.
    *who*: a unit, a brigade, `all`; of `army-pull` the army commander.
    """

    kind: Literal["cp", "advance", "pull", "army-pull"]
    who: str
    benefit: Benefit | Literal[""] = ""
    when: Literal["always", "if-attacked", "if-charged", "when-hits", "never", "yes", "no", "chits"] = "always"
    number: int = 0


class SetPolicy(Order, frozen=True, kw_only=True, tag="policy"):
    """Put a policy into force."""

    policy: Policy


AnyUnitOrder = Activity | Deploy | Reinforce | Spend | Fire | Bombard | HoldFire | Advance
AnyLeaderOrder = Ride | Attach | Detach | Favour | ArmyPull
AnyOrder = SetInitiative | SetFlank | AnyUnitOrder | AnyLeaderOrder | SetPolicy

ORDERS: tuple[type[AnyOrder], ...] = AnyOrder.__args__
