"""What the field is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: pieces that it does
not know are not there, and the enemy's face-down cards are counts in *cards*.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Edge, Square
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.game import Damage, Ended, Phase, Reactions, Score, Sealed, Standing, TownState, Zone
from pbem.systems.st_privat.world.numbers import Numbers
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.patches import GamePatch
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Cards, Piece


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen in a turn, for the map and the tables."""

    turn: int
    kind: Literal["move", "retreat", "rifle", "artillery", "melee", "losses", "removed"]
    side: Role
    squares: tuple[Square, ...]
    units: tuple[str, ...] = ()
    figures: int = 0


class Battle(Struct, frozen=True, kw_only=True):
    """The field: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    turn: int = 0
    phase: Phase = "setup_french"
    first_mover: Role = PRUSSIAN
    second_mover: Role = FRENCH
    vp: Score = Score()
    town_state: dict[str, TownState] = {}
    squares_fired_rifle: tuple[Square, ...] = ()
    squares_fired_artillery: tuple[Square, ...] = ()
    squares_attacked: tuple[Square, ...] = ()
    siege_zone: Zone | None = None
    pieces: dict[str, Piece] = {}
    cards: dict[str, Cards] = {}
    """In a mind: the enemy's face-down cards by `J-8 outside`.  Empty in the truth."""
    ghosts: dict[str, tuple[Piece, int]] = {}
    """In a mind under `fog_of_war` los: enemies out of sight, as last seen, and the turn."""
    traces: tuple[Trace, ...] = ()
    """In a mind: what happened in the turn in which something last happened."""
    buildings: dict[Square, Damage] = {}
    walls: dict[Edge, Damage] = {}
    bridges: dict[Square, Damage] = {}
    reactions: dict[Role, Reactions] = {}
    sealed: dict[Role, Sealed] = {}
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Standing, ...] = ()
    numbers: Numbers
    """The scenario's schedule, so that the end can be told without the scenario."""


_PER_TURN: dict[str, object] = {
    "moved_this_turn": False,
    "unlimbered_this_turn": False,
    "turned_this_turn": False,
    "demolishes": "",
    "attacked_this_turn": False,
    "retreated_this_turn": False,
}
"""Attributes of a piece that speak of this turn alone, and what they are when a turn begins."""
_marks, _UNMARKED = attrgetter(*_PER_TURN), tuple(_PER_TURN.values())


def _rested(piece: Piece) -> Piece:
    """A piece as a new turn finds it."""
    return piece if _marks(piece) == _UNMARKED else replace(piece, **_PER_TURN)


MERGED = ("town_state", "reactions", "sealed")


def _patched(battle: Battle, game: GamePatch) -> Battle:
    changes = laid_over(battle, game, tables=MERGED, rows=("course",))
    if changes.get("turn", battle.turn) != battle.turn:
        # A new turn clears what was marked for the old one, of pieces known or unknown to a side alike.
        nothing = dict.fromkeys(("squares_fired_rifle", "squares_fired_artillery", "squares_attacked"), ())
        rested = {name: _rested(piece) for name, piece in battle.pieces.items()}
        changes = {"pieces": rested, **nothing, **changes}
    return replace(battle, **changes)


def evolve(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    known = battle.pieces
    pieces: dict[str, Piece] | None = None
    if fact.changes:
        pieces = dict(known)
        for name, patch in fact.changes.items():
            if name in pieces:
                pieces[name] = replace(pieces[name], **patch.sets())
    changes: dict[str, object] = {}
    if battle.viewer is not None:
        if fact.shows or fact.forgets:
            pieces = dict(known) if pieces is None else pieces
            ghosts = dict(battle.ghosts)
            for piece in fact.shows:
                # Of its own a side knows more than is shown, but for one that it took unseen.
                if piece.side != battle.viewer or piece.id not in pieces:
                    pieces[piece.id] = piece
                    ghosts.pop(piece.id, None)
            for name in fact.forgets:
                if gone := pieces.pop(name, None):
                    ghosts[name] = (gone, battle.turn)
            changes["ghosts"] = ghosts
        if fact.cards and battle.viewer != FRENCH:  # only the French have cards; they know their own
            cards = {**battle.cards, **fact.cards}
            changes["cards"] = {at: here for at, here in sorted(cards.items()) if here.count}
    if pieces is not None:
        changes["pieces"] = pieces
    if fact.structures is not None:
        for name in ("buildings", "walls", "bridges"):
            if changed := getattr(fact.structures, name):
                changes[name] = {**getattr(battle, name), **changed}
    if changes:
        battle = replace(battle, **changes)
    return battle if fact.game is None else _patched(battle, fact.game)
