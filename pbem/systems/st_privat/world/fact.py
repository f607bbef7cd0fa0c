"""What every fact of the game carries, and who learns how much of it.

A fact carries in *changes*, *structures* and *game* what it makes of the field, and in its own fields how that
came about.  *secret* names pieces of which only their owner learns: whoever gets the fact under the aspect
`public` gets it without them.  For him *shows* brings pieces that he now sees for the first time, *cards* the
face-down cards that he now counts, *forgets* what went out of his sight.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.square import Square
from pbem.kernel.event import Outcome
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.systems.st_privat.world.patches import GamePatch, Patch, StructurePatch
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN, Cards, Piece

PUBLIC = Aspect("public")
"""Without what is secret to its owner."""

BOTH: dict[Role, Aspect] = {FRENCH: FULL, PRUSSIAN: FULL}
"""Known to both sides as it stands."""


def owner_only(side: Role) -> dict[Role, Aspect]:
    """Known to *side* alone."""
    return {side: FULL}


def in_part(side: Role) -> dict[Role, Aspect]:
    """Known to *side* as it stands, to its enemy without what is secret."""
    return {side: FULL, ENEMY[side]: PUBLIC}


Ammunition = Literal["rifle", "shot", "shell", "mg", "siege"]
StopReason = Literal[
    "stopped_by_zoc", "stopped_by_terrain", "diagonal_blocked", "capacity_full", "move_shortened", "enemy_met",
    "entry_blocked", "general_alone", "ford", "gun_found",
]  # fmt: skip
FireReason = Literal[
    "range", "arc", "line_of_sight", "not_spotted", "no_enemy", "moved", "unlimbered", "no_crew", "own_troops",
    "hidden", "hold_fire", "square_fired_on", "nothing_there", "limbered",
]  # fmt: skip
ChargeReason = Literal[
    "not_adjacent", "not_facing", "diagonal", "infantry_at_cavalry", "square_attacked", "retreated", "eliminated",
    "attacked_before", "empty", "no_defender", "odds", "cards", "odds_forbidden", "not_in_two_ranks", "demolishes",
]  # fmt: skip


RevealCause = Literal[
    "fired", "left_town", "driven", "abandoned", "charged", "attacked", "owner", "removed", "crew_lost", "entered",
]  # fmt: skip
DummyCause = Literal["entered", "charged", "attacked", "town_lost", "driven"]


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game."""

    turn: int = 0
    changes: dict[str, Patch] = {}
    structures: StructurePatch | None = None
    game: GamePatch | None = None
    secret: tuple[str, ...] = ()
    veiled: tuple[str, ...] = ()
    """Open pieces among face-down cards: their place in the ranks would tell what the cards are."""
    shows: tuple[Piece, ...] = ()
    cards: dict[str, Cards] = {}
    forgets: tuple[str, ...] = ()


class Modifier(Struct, frozen=True):
    """What was added to a die, and the rule that says so."""

    rule_id: RuleId
    value: int
    name: str = ""


class Die(Struct, frozen=True, omit_defaults=True):
    """One rifle's die."""

    shooter: str
    """The stand; empty, with its square, for those whom it hits from out of sight."""
    square: Square
    range: int
    hit_max: int
    natural: int
    modified: int
    hit: bool
    kills: int = 0
    """As if all were infantry: public."""
    modifiers: tuple[Modifier, ...] = ()
