"""What may come to pass at the ford."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from pbem.kernel.event import Outcome
from pbem.kernel.names import Role

Reason = Literal["crossed", "caught", "last_turn"]


class PiecePlaced(Outcome, frozen=True, kw_only=True, tag="toy.piece_placed"):
    """A piece stands in the valley; *men* is None where they are not seen."""

    piece: str
    side: Role
    square: int
    men: int | None


class CartLoaded(Outcome, frozen=True, kw_only=True, tag="toy.cart_loaded"):
    """The laden cart."""

    piece: str


class CartMoved(Outcome, frozen=True, kw_only=True, tag="toy.cart_moved"):
    """A cart went from one place to another."""

    piece: str
    line: int
    start: int
    end: int


class MoveFailed(Outcome, frozen=True, kw_only=True, tag="toy.move_failed"):
    """An order to move could not be carried out."""

    piece: str
    line: int
    reason: Literal["capacity_full", "unit_lost"]


class WatchSet(Outcome, frozen=True, kw_only=True, tag="toy.watch_set"):
    """From now on a patrol watches a place."""

    piece: str
    line: int
    square: int


class MovesNoted(Outcome, frozen=True, kw_only=True, tag="toy.moves_noted"):
    """What was ordered of the carts, for each its line and its place; they are moved one after the other."""

    moves: dict[str, tuple[int, int]]


class CartHeard(Outcome, frozen=True, kw_only=True, tag="toy.cart_heard"):
    """A patrol heard a cart come to the place that it watches."""

    piece: str
    patrol: str
    square: int


class StepPlayed(Outcome, frozen=True, kw_only=True, tag="toy.step_played"):
    """The cart of a step was moved, or stayed."""

    step: int


class HaltCalled(Outcome, frozen=True, kw_only=True, tag="toy.halt_called"):
    """The guard is asked."""

    step: int


class HaltOver(Outcome, frozen=True, kw_only=True, tag="toy.halt_over"):
    """Play went on from a halt; *asked* is False if there was no time to ask."""

    asked: bool


class PatrolFired(Outcome, frozen=True, kw_only=True, tag="toy.patrol_fired"):
    """A patrol fired at a place; *line* is 0 if nobody ordered it."""

    piece: str
    line: int
    square: int
    hit: bool


class LossRecorded(Outcome, frozen=True, kw_only=True, tag="toy.loss_recorded"):
    """Men of a cart fell."""

    piece: str
    men: int


class CartRemoved(Outcome, frozen=True, kw_only=True, tag="toy.cart_removed"):
    """A cart was turned up and taken away."""

    piece: str
    cause: str
    laden: bool
    points: int


class PhaseBegan(Outcome, frozen=True, kw_only=True, tag="toy.phase_began"):
    """Play went on to a phase."""

    turn: int
    begins: Literal["move", "fire", "end"]


class Ruled(Outcome, frozen=True, kw_only=True, tag="toy.ruled"):
    """The umpire set an attribute of a piece."""

    piece: str
    men: int | UnsetType = UNSET
    laden: bool | UnsetType = UNSET
    square: int | UnsetType = UNSET


class GameEnded(Outcome, frozen=True, kw_only=True, tag="toy.game_ended"):
    """The game is over."""

    winner: Role
    reason: Reason


Fact = (
    PiecePlaced
    | CartLoaded
    | CartMoved
    | MoveFailed
    | WatchSet
    | MovesNoted
    | CartHeard
    | StepPlayed
    | HaltCalled
    | HaltOver
    | PatrolFired
    | LossRecorded
    | CartRemoved
    | PhaseBegan
    | Ruled
    | GameEnded
)

FACTS: tuple[type[Fact], ...] = Fact.__args__
