"""What there is, what one outcome makes of it, and what a role is shown of an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.kernel.names import Aspect, Role
from pbem.kernel.office import Option
from pbem.rules.patch import sets
from tests.systems.toy.outcomes import (
    CartHeard,
    CartLoaded,
    CartMoved,
    CartRemoved,
    Fact,
    GameEnded,
    HaltCalled,
    HaltOver,
    LossRecorded,
    MovesNoted,
    PhaseBegan,
    PiecePlaced,
    Ruled,
    StepPlayed,
    WatchSet,
)

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
ROLES = (SMUGGLER, GUARD)
CARD = Aspect("card")
"""A cart from outside."""

Phase = Literal["move", "fire", "end", "over"]


class Scene(Struct, frozen=True, kw_only=True):
    """A scenario: the places of the valley, and where each piece begins."""

    name: str
    title: str
    places: int
    pieces: dict[str, tuple[Role, int]]
    options: dict[str, Option]


class Piece(Struct, frozen=True, kw_only=True):
    """A cart or a patrol; what is None is not known to this mind."""

    side: Role
    square: int
    men: int | None
    laden: bool | None = None


class PiecePatch(Struct, frozen=True):
    """What may be set of a piece."""

    men: int | UnsetType = UNSET
    laden: bool | UnsetType = UNSET
    square: int | UnsetType = UNSET


class Field(Struct, frozen=True, kw_only=True):
    """The truth, or what one role knows of it."""

    turn: int = 1
    phase: Phase = "move"
    pieces: dict[str, Piece] = {}
    watches: dict[str, int] = {}
    vp: dict[Role, int] = {}
    moves: dict[str, tuple[int, int]] = {}
    """What was ordered of the carts, while they are moved one after the other."""
    step: int = 0
    """Carts that have had their turn."""
    halt: int = 0
    """The step at which the guard is asked."""
    heard: tuple[str, ...] = ()
    """What he was told."""
    lost: int = 0
    winner: Role | None = None
    options: dict[str, Option] = {}


def own(field: Field, role: Role) -> dict[str, Piece]:
    """The pieces of *role*, in the order of their names."""
    return {name: field.pieces[name] for name in sorted(field.pieces) if field.pieces[name].side == role}


def evolve(field: Field, fact: Fact) -> Field:
    """The field after *fact*; also a field known in part."""
    match fact:
        case PiecePlaced():
            piece = Piece(side=fact.side, square=fact.square, men=fact.men)
            return replace(field, pieces={**field.pieces, fact.piece: piece})
        case CartLoaded():
            return _change(field, fact.piece, laden=True)
        case CartMoved():
            return _change(field, fact.piece, square=fact.end)
        case WatchSet():
            return replace(field, watches={**field.watches, fact.piece: fact.square})
        case MovesNoted():
            return replace(field, moves=fact.moves)
        case CartHeard():
            return replace(field, heard=(*field.heard, f"{fact.patrol} hears {fact.piece} at {fact.square}"))
        case StepPlayed():
            return replace(field, step=fact.step)
        case HaltCalled():
            return replace(field, halt=fact.step)
        case HaltOver():
            return replace(field, halt=0, heard=())
        case LossRecorded():
            men = field.pieces[fact.piece].men or 0
            return replace(_change(field, fact.piece, men=men - fact.men), lost=field.lost + fact.men)
        case CartRemoved():
            pieces = dict(field.pieces)
            gone = pieces.pop(fact.piece, None)
            lost = field.lost + ((gone.men or 0) if gone else 0)
            vp = {**field.vp, GUARD: field.vp[GUARD] + fact.points}
            return replace(field, pieces=pieces, lost=lost, vp=vp)
        case PhaseBegan():
            return replace(field, turn=fact.turn, phase=fact.begins, moves={}, step=0, halt=0, heard=())
        case Ruled():
            after = PiecePatch(men=fact.men, laden=fact.laden, square=fact.square)
            return _change(field, fact.piece, **sets(after))
        case GameEnded():
            return replace(field, phase="over", winner=fact.winner)
        case _:
            return field


def _change(field: Field, name: str, **changes: object) -> Field:
    if name not in field.pieces:
        return field
    return replace(field, pieces={**field.pieces, name: replace(field.pieces[name], **changes)})


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """A cart from outside: the men on it are not seen."""
    return replace(fact, men=None) if isinstance(fact, PiecePlaced) else None


def counts(field: Field) -> Mapping[str, int]:
    """Men on the field and men lost."""
    return {"men": sum(piece.men or 0 for piece in field.pieces.values()), "lost": field.lost}
