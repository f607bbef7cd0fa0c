"""What may be ordered, as read.  Each order carries the line it was written on and that line's text.

Lengths are tenths of an inch, places points in tenths, directions and facings whole degrees clockwise from north.
An enemy is written as its player knows it: an id, `contact 3`, or `nearest`; it is looked up when the card comes up.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.orders.sheet import Order

Formation = Literal["line", "column", "skirmish", "deployed", "limbered"]
Timing = Literal["first", "with", "after", ""]
NEAREST = "nearest"


# ------------------------------------------------------------------ what a unit does on its card


class Action(Struct, frozen=True, kw_only=True, tag_field="do", omit_defaults=True):
    """The common part of all actions."""


class Fire(Action, frozen=True, kw_only=True, tag="fire"):
    """Fire at an enemy."""

    enemy: str = NEAREST


class Move(Action, frozen=True, kw_only=True, tag="move"):
    """Go *inches* in a direction, or to a place; *half*: with half of the move (GC-ACT-01)."""

    half: bool = False
    direction: int | None = None
    inches: int = 0
    to: Point | None = None
    via: Point | None = None
    place: str = ""
    """The name of the place, if it was named."""
    facing: int | None = None
    """How the unit faces in the end; None: as it comes."""


class Wheel(Action, frozen=True, kw_only=True, tag="wheel"):
    """Wheel about the inner wing (GC-MOV-04)."""

    hand: Literal["left", "right"]
    degrees: int


class Face(Action, frozen=True, kw_only=True, tag="face"):
    """Turn about the middle of the front."""

    facing: int


class FormUp(Action, frozen=True, kw_only=True, tag="form"):
    """Change the formation (GC-MOV-06)."""

    formation: Formation


class Charge(Action, frozen=True, kw_only=True, tag="charge"):
    """Charge an enemy (GC-CHG-01)."""

    enemy: str = NEAREST


class GoProne(Action, frozen=True, kw_only=True, tag="prone"):
    """Lie down (GC-FIR-09)."""


class Rise(Action, frozen=True, kw_only=True, tag="rise"):
    """Get up."""


class Rally(Action, frozen=True, kw_only=True, tag="rally"):
    """Rally, which is done anyhow (GC-RAL-01)."""


class Clear(Action, frozen=True, kw_only=True, tag="clear"):
    """Clear the jam of an MG (GC-FIR-06)."""


class Cross(Action, frozen=True, kw_only=True, tag="cross"):
    """Cavalry and guns cross the linear obstacle before them (GC-MOV-03)."""


class Nothing(Action, frozen=True, kw_only=True, tag="none"):
    """Stand."""


AnyAction = Fire | Move | Wheel | Face | FormUp | Charge | GoProne | Rise | Rally | Clear | Cross | Nothing


class Condition(Struct, frozen=True, omit_defaults=True):
    """What must hold for an alternative to be taken (GC-ACT-04)."""

    test: Literal["within", "in range", "target", "not seen", "loss"]
    number: int = 0
    """Of `within`, tenths of an inch; of `loss`, figures."""
    status: Literal["shaken", "withdrawn", "routed", ""] = ""
    of: str = ""
    """The enemy meant; empty: the action's, else the nearest in sight."""


class Alternative(Struct, frozen=True, omit_defaults=True):
    """One alternative of a line: an action, what follows it on the same card, and its condition."""

    action: AnyAction
    then: AnyAction | None = None
    condition: Condition | None = None
    text: str = ""
    """This part of the line, as written."""


# ------------------------------------------------------------------ lines


class UnitOrder(Order, frozen=True, kw_only=True, tag="unit"):
    """What a unit does when its card comes up: the first alternative that can be done (GC-ACT-04)."""

    unit: str
    alternatives: tuple[Alternative, ...]


class JokerOrder(Order, frozen=True, kw_only=True, tag="joker"):
    """What a unit does on the Joker, or, with *star*, on the Joker* (GC-CRD-02)."""

    unit: str
    alternatives: tuple[Alternative, ...]
    star: bool = False


class AttachOfficer(Order, frozen=True, kw_only=True, tag="attach"):
    """An officer rides to a unit and stays with it (GC-ACT-02)."""

    officer: str
    unit: str
    timing: Timing = ""
    of: str = ""
    """The unit whose card `with` and `after` wait for."""


class MoveOfficer(Order, frozen=True, kw_only=True, tag="officer"):
    """An officer rides to a place (GC-ACT-02)."""

    officer: str
    to: Point
    place: str = ""
    timing: Timing = ""
    of: str = ""


class Lead(Order, frozen=True, kw_only=True, tag="lead"):
    """A Prussian officer moves up to three units on one card (GC-ACT-03)."""

    officer: str
    units: tuple[str, ...]
    action: AnyAction


class Policy(Order, frozen=True, kw_only=True, tag="policy"):
    """A standing reaction; holds till it is changed."""

    what: Literal["shaken", "defensive_fire", "advance", "after_melee", "joker_order"]
    word: str = ""
    """cover, prone; yes, no; fire, hold."""
    units: tuple[str, ...] = ()


CardOrder = UnitOrder | JokerOrder
Ride = AttachOfficer | MoveOfficer
AnyOrder = CardOrder | Ride | Lead | Policy
ORDERS: tuple[type[Order], ...] = AnyOrder.__args__
