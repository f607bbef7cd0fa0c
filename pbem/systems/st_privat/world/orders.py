"""What may be ordered, as read.  Each order carries the line it was written on and that line's text.

A selector is written as the player wrote it: a piece's id, `@J-10` (own stands outside in that square) or
`@J-10 in`.  In set-up and movement orders the reader has already turned selectors into ids; in fire and melee
orders and in reactions they are looked up when the phase is run.
"""

from __future__ import annotations

from typing import Literal, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.orders.sheet import Order
from pbem.systems.st_privat.world.pieces import Facing, Formation, Place

Named = TypeVar("Named", bound=Order)


class OfUnits(Order, frozen=True, kw_only=True):
    """For those whom selectors mean."""

    units: tuple[str, ...]


class OfPiece(Order, frozen=True, kw_only=True):
    """For one piece."""

    id: str


class OfGun(Order, frozen=True, kw_only=True):
    """For one gun, which stands for its section."""

    gun: str


# ------------------------------------------------------------------ set-up


class PlaceUnits(OfUnits, frozen=True, kw_only=True, tag="place"):
    """Put pieces on the board; a gun's id stands for its section when *section* was read."""

    square: Square
    place: Place = "outside"
    facing: Facing | None = None
    formation: Formation | None = None


class PutSection(OfGun, frozen=True, kw_only=True, tag="section"):
    """A gun starts limbered with a limber and team, or deployed."""

    limber: int = 0
    """0: deployed."""


class PutDummy(OfPiece, frozen=True, kw_only=True, tag="dummy"):
    """A dummy lies face down in a town."""

    square: Square
    place: Place = "outside"
    facing: Facing | None = None


class Show(OfUnits, frozen=True, kw_only=True, tag="show"):
    """Pieces start face up."""


class SiegeAt(Order, frozen=True, kw_only=True, tag="siege_at"):
    """The siege gun and its crew stand, unknown to the enemy, in this square."""

    square: Square
    facing: Facing | None = None


class Command(OfUnits, frozen=True, kw_only=True, tag="command"):
    """Name the command stands."""


class Cinc(OfPiece, frozen=True, kw_only=True, tag="cinc"):
    """Name the general who is commander in chief."""


# ------------------------------------------------------------------ movement


class TurnAt(Struct, frozen=True):
    """A turn on entering a square."""

    facing: Facing
    square: Square


class Move(OfUnits, frozen=True, kw_only=True, tag="move"):
    """March along *via*, or (*to*) by the cheapest path to a square."""

    via: tuple[Square, ...] = ()
    to: Square | None = None
    turn: Facing | None = None
    """Before the first square."""
    turns: tuple[TurnAt, ...] = ()
    form: Formation | None = None
    form_at_end: Formation | None = None
    face: Facing | None = None
    """Final turn in the last square."""
    place: Place = "outside"
    limber: bool = False
    unlimber: Facing | None = None
    exit: bool = False


class Turn(OfUnits, frozen=True, kw_only=True, tag="turn"):
    """Turn in place."""

    facing: Facing


class Form(OfUnits, frozen=True, kw_only=True, tag="form"):
    """Regroup the own infantry of a square, in *order* from the first slot."""

    square: Square
    place: Place = "outside"
    formation: Formation
    order: tuple[str, ...] = ()
    facing: Facing | None = None


class Enter(OfUnits, frozen=True, kw_only=True, tag="enter"):
    """Go into the building of the square."""


class Leave(OfUnits, frozen=True, kw_only=True, tag="leave"):
    """Come out of the building of the square."""


class Limber(OfGun, frozen=True, kw_only=True, tag="limber"):
    """Hitch a gun to its limber."""


class Unlimber(OfGun, frozen=True, kw_only=True, tag="unlimber"):
    """Take a gun off its limber."""

    facing: Facing


class Prolong(OfGun, frozen=True, kw_only=True, tag="prolong"):
    """Push a gun one square."""

    square: Square
    facing: Facing | None = None


class Detach(OfGun, frozen=True, kw_only=True, tag="detach"):
    """A crew leaves its gun."""

    place: Place = "outside"


class Man(OfGun, frozen=True, kw_only=True, tag="man"):
    """A crew takes to a gun of its side in its square."""


class MoveCard(OfPiece, frozen=True, kw_only=True, tag="card"):
    """Move a card one square within its town, face down."""

    square: Square
    place: Place = "outside"
    facing: Facing | None = None


class Exit(OfUnits, frozen=True, kw_only=True, tag="exit"):
    """March off the board for Metz."""


class Demolish(OfUnits, frozen=True, kw_only=True, tag="demolish"):
    """Pull something down: an edge, a building's or bridge's square, or a piece of equipment."""

    what: Literal["wall", "building", "bridge", "equipment"]
    at: str


class SiegeReveal(Order, frozen=True, kw_only=True, tag="siege_reveal"):
    """Bring the siege gun on."""


class Hold(OfUnits, frozen=True, kw_only=True, tag="hold"):
    """Stay."""


# ------------------------------------------------------------------ fire and melee


class Fire(OfUnits, frozen=True, kw_only=True, tag="fire"):
    """Rifles fire at a square, or at another if that cannot be."""

    square: Square
    place: Place | None = None
    otherwise: Square | None = None


class Shoot(OfGun, frozen=True, kw_only=True, tag="shoot"):
    """A gun fires."""

    ammunition: Literal["shot", "shell", "mg", "siege"]
    square: Square
    place: Place | None = None
    aim: Literal["troops", "structure", "equipment"] = "troops"
    equipment: str = ""
    turn: Facing | None = None
    danger: bool = False


class Charge(OfUnits, frozen=True, kw_only=True, tag="charge"):
    """Attack a square."""

    square: Square
    general: str = ""
    if_odds: str = ""
    after: Square | None = None


# ------------------------------------------------------------------ reactions


class Initiative(Order, frozen=True, kw_only=True, tag="initiative"):
    """What to choose on winning the initiative."""

    choice: Literal["first", "second"]


class Retreat(OfUnits, frozen=True, kw_only=True, tag="retreat"):
    """Where to fall back: squares, directions or `off`, in order of preference."""

    toward: tuple[str, ...]
    form: Formation | None = None
    face: Literal["away", "enemy"] | None = None


class Advance(OfUnits, frozen=True, kw_only=True, tag="advance"):
    """How far to go forward after a won melee."""

    squares: int
    via: tuple[Square, ...] = ()


class Losses(OfUnits, frozen=True, kw_only=True, tag="losses"):
    """Who takes losses first."""


class Targets(OfUnits, frozen=True, kw_only=True, tag="targets"):
    """What to fire at without an order; `none` holds fire."""

    words: tuple[str, ...]


class HoldFire(OfUnits, frozen=True, kw_only=True, tag="hold_fire"):
    """No fire in this exchange; as a standing reaction, until other targets are named."""


class Reveal(OfUnits, frozen=True, kw_only=True, tag="reveal"):
    """Turn own cards up."""


class Reset(Order, frozen=True, kw_only=True, tag="reset"):
    """Drop all standing reactions."""


class ShowOrders(Order, frozen=True, kw_only=True, tag="show_orders"):
    """Ask for the list in force; no effect on the game."""


SetUp = PlaceUnits | PutSection | PutDummy | Show | SiegeAt | Command | Cinc
Marching = Move | Exit | Prolong | MoveCard
"""Orders that take pieces to another square, or off the board."""
InPlace = Turn | Form | Enter | Leave | Limber | Unlimber | Detach | Man | Demolish
"""Orders that leave pieces in their square."""
Movement = Marching | InPlace | Hold
Combat = Fire | Shoot | Charge
Reaction = Initiative | Retreat | Advance | Losses | Targets | HoldFire | Reveal | Reset | ShowOrders

AnyOrder = SetUp | Movement | SiegeReveal | Combat | Reaction
ORDERS: tuple[type[AnyOrder], ...] = get_args(AnyOrder)


def units_of(order: Order) -> tuple[str, ...]:
    """The selectors, the piece or the gun that an order is for."""
    if isinstance(order, OfUnits):
        return order.units
    if isinstance(order, OfPiece):
        return (order.id,)
    return (order.gun,) if isinstance(order, OfGun) else ()


def with_units(order: Named, units: tuple[str, ...]) -> Named:
    """An order for other pieces; one for a single piece stays as it is."""
    return replace(order, units=units) if isinstance(order, OfUnits) else order
