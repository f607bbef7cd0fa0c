"""What may be ordered, as read.  Each order carries the line it was written on and that line's text.

A selector is written as the player wrote it: a piece's id, `@J-10` (own stands outside in that square) or
`@J-10 in`.  In set-up and movement orders the reader has already turned selectors into ids; in fire and melee
orders and in reactions they are looked up when the phase is run.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from pbem.ground.square import Square
from pbem.orders.sheet import Order
from pbem.systems.st_privat.world.pieces import Facing, Formation, Place

# ------------------------------------------------------------------ set-up


class PlaceUnits(Order, frozen=True, kw_only=True, tag="place"):
    """Put pieces on the board; a gun's id stands for its section when *section* was read."""

    units: tuple[str, ...]
    square: Square
    place: Place = "outside"
    facing: Facing | None = None
    formation: Formation | None = None


class PutSection(Order, frozen=True, kw_only=True, tag="section"):
    """A gun starts limbered with a limber and team, or deployed."""

    gun: str
    limber: int = 0
    """0: deployed."""


class PutDummy(Order, frozen=True, kw_only=True, tag="dummy"):
    """A dummy lies face down in a town."""

    id: str
    square: Square
    place: Place = "outside"
    facing: Facing | None = None


class Show(Order, frozen=True, kw_only=True, tag="show"):
    """Pieces start face up."""

    units: tuple[str, ...]


class SiegeAt(Order, frozen=True, kw_only=True, tag="siege_at"):
    """The siege gun and its crew stand, unknown to the enemy, in this square."""

    square: Square
    facing: Facing | None = None


class Command(Order, frozen=True, kw_only=True, tag="command"):
    """Name the command stands."""

    units: tuple[str, ...]


class Cinc(Order, frozen=True, kw_only=True, tag="cinc"):
    """Name the general who is commander in chief."""

    id: str


# ------------------------------------------------------------------ movement


class TurnAt(Struct, frozen=True):
    """A turn on entering a square."""

    facing: Facing
    square: Square


class Move(Order, frozen=True, kw_only=True, tag="move"):
    """March along *via*, or (*to*) by the cheapest path to a square."""

    units: tuple[str, ...]
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


class Turn(Order, frozen=True, kw_only=True, tag="turn"):
    """Turn in place."""

    units: tuple[str, ...]
    facing: Facing


class Form(Order, frozen=True, kw_only=True, tag="form"):
    """Regroup the own infantry of a square, in *order* from the first slot."""

    units: tuple[str, ...]
    square: Square
    place: Place = "outside"
    formation: Formation
    order: tuple[str, ...] = ()
    facing: Facing | None = None


class Enter(Order, frozen=True, kw_only=True, tag="enter"):
    """Go into the building of the square."""

    units: tuple[str, ...]


class Leave(Order, frozen=True, kw_only=True, tag="leave"):
    """Come out of the building of the square."""

    units: tuple[str, ...]


class Limber(Order, frozen=True, kw_only=True, tag="limber"):
    """Hitch a gun to its limber."""

    gun: str


class Unlimber(Order, frozen=True, kw_only=True, tag="unlimber"):
    """Take a gun off its limber."""

    gun: str
    facing: Facing


class Prolong(Order, frozen=True, kw_only=True, tag="prolong"):
    """Push a gun one square."""

    gun: str
    square: Square
    facing: Facing | None = None


class Detach(Order, frozen=True, kw_only=True, tag="detach"):
    """A crew leaves its gun."""

    gun: str
    place: Place = "outside"


class Man(Order, frozen=True, kw_only=True, tag="man"):
    """A crew takes to a gun of its side in its square."""

    gun: str


class MoveCard(Order, frozen=True, kw_only=True, tag="card"):
    """Move a card one square within its town, face down."""

    id: str
    square: Square
    place: Place = "outside"
    facing: Facing | None = None


class Exit(Order, frozen=True, kw_only=True, tag="exit"):
    """March off the board for Metz."""

    units: tuple[str, ...]


class Demolish(Order, frozen=True, kw_only=True, tag="demolish"):
    """Pull something down: an edge, a building's or bridge's square, or a piece of equipment."""

    units: tuple[str, ...]
    what: Literal["wall", "building", "bridge", "equipment"]
    at: str


class SiegeReveal(Order, frozen=True, kw_only=True, tag="siege_reveal"):
    """Bring the siege gun on."""


class Hold(Order, frozen=True, kw_only=True, tag="hold"):
    """Stay."""

    units: tuple[str, ...]


# ------------------------------------------------------------------ fire and melee


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """Rifles fire at a square, or at another if that cannot be."""

    units: tuple[str, ...]
    square: Square
    place: Place | None = None
    otherwise: Square | None = None


class Shoot(Order, frozen=True, kw_only=True, tag="shoot"):
    """A gun fires."""

    gun: str
    ammunition: Literal["shot", "shell", "mg", "siege"]
    square: Square
    place: Place | None = None
    aim: Literal["troops", "structure", "equipment"] = "troops"
    equipment: str = ""
    turn: Facing | None = None
    danger: bool = False


class Charge(Order, frozen=True, kw_only=True, tag="charge"):
    """Attack a square."""

    units: tuple[str, ...]
    square: Square
    general: str = ""
    if_odds: str = ""
    after: Square | None = None


# ------------------------------------------------------------------ reactions


class Initiative(Order, frozen=True, kw_only=True, tag="initiative"):
    """What to choose on winning the initiative."""

    choice: Literal["first", "second"]


class Retreat(Order, frozen=True, kw_only=True, tag="retreat"):
    """Where to fall back: squares, directions or `off`, in order of preference."""

    units: tuple[str, ...]
    toward: tuple[str, ...]
    form: Formation | None = None
    face: Literal["away", "enemy"] | None = None


class Advance(Order, frozen=True, kw_only=True, tag="advance"):
    """How far to go forward after a won melee."""

    units: tuple[str, ...]
    squares: int
    via: tuple[Square, ...] = ()


class Losses(Order, frozen=True, kw_only=True, tag="losses"):
    """Who takes losses first."""

    units: tuple[str, ...]


class Targets(Order, frozen=True, kw_only=True, tag="targets"):
    """What to fire at without an order; `none` holds fire."""

    units: tuple[str, ...]
    words: tuple[str, ...]


class HoldFire(Order, frozen=True, kw_only=True, tag="hold_fire"):
    """No fire in this exchange; as a standing reaction, until other targets are named."""

    units: tuple[str, ...]


class Reveal(Order, frozen=True, kw_only=True, tag="reveal"):
    """Turn own cards up."""

    units: tuple[str, ...]


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

SORTS: dict[type[Order], str] = {
    **dict.fromkeys(get_args(SetUp), "setup"),
    **dict.fromkeys(get_args(Movement), "movement"),
    SiegeReveal: "siege",
    **dict.fromkeys((Fire, Shoot), "fire"),
    Charge: "melee",
    **dict.fromkeys(get_args(Reaction), "reactions"),
}
"""Which kind of line an order is; a call names the kinds that count."""

ORDERS: tuple[type[Order], ...] = tuple(SORTS)

OfUnits = (
    PlaceUnits | Show | Command | Move | Turn | Form | Enter | Leave | Exit | Demolish | Hold | Fire | Charge
    | Retreat | Advance | Losses | Targets | HoldFire | Reveal
)  # fmt: skip
"""Orders that name one selector or more."""
OfPiece = PutDummy | Cinc | MoveCard
"""Orders for one piece."""
OfGun = PutSection | Limber | Unlimber | Prolong | Detach | Man | Shoot
"""Orders for one gun, which stands for its section."""


def units_of(order: Order) -> tuple[str, ...]:
    """The selectors, the piece or the gun that an order is for."""
    if isinstance(order, OfUnits):
        return order.units
    if isinstance(order, OfPiece):
        return (order.id,)
    return (order.gun,) if isinstance(order, OfGun) else ()
