"""What a fact sets: of a piece, of the game as a whole, of what is built."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from pbem.ground.square import Edge, Square
from pbem.kernel.names import Role
from pbem.systems.st_privat.world import game
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import Cause, Facing, Formation, Place


class Patch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a piece that a fact sets, under the names of `Piece`."""

    side: Role | UnsetType = UNSET
    square: Square | UnsetType | None = UNSET
    place: Place | UnsetType = UNSET
    facing: Facing | UnsetType | None = UNSET
    formation: Formation | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    men: int | UnsetType = UNSET
    horses: int | UnsetType = UNSET
    figures: int | UnsetType = UNSET
    damage: int | UnsetType = UNSET
    deployed: bool | UnsetType = UNSET
    on_table: bool | UnsetType = UNSET
    emplaced: Square | UnsetType | None = UNSET
    command: bool | UnsetType = UNSET
    c_in_c: bool | UnsetType = UNSET
    crew_id: str | UnsetType = UNSET
    limber_id: str | UnsetType = UNSET
    team_id: str | UnsetType = UNSET
    gun_id: str | UnsetType = UNSET
    detached: bool | UnsetType = UNSET
    bank: Literal["north", "south"] | UnsetType | None = UNSET
    ford_wait: int | UnsetType | None = UNSET
    ford_owed: bool | UnsetType = UNSET
    moved_this_turn: bool | UnsetType = UNSET
    unlimbered_this_turn: bool | UnsetType = UNSET
    turned_this_turn: bool | UnsetType = UNSET
    demolishes: str | UnsetType = UNSET
    attacked_this_turn: bool | UnsetType = UNSET
    retreated_this_turn: bool | UnsetType = UNSET
    card_moved: bool | UnsetType = UNSET
    raised_by: Role | UnsetType = UNSET
    removed: Cause | UnsetType | None = UNSET

    def sets(self) -> dict[str, object]:
        """What it sets, by name."""
        found: dict[str, object] = to_builtins(self)
        return found


def merged(*patches: Patch) -> Patch:
    """One patch of several, the later ones winning."""
    whole = Patch()
    for patch in patches:
        whole = replace(whole, **patch.sets())
    return whole


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game's state that a fact sets, under the names of `Battle`.

    *town_state*, *reactions* and *sealed* replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    phase: game.Phase | UnsetType = UNSET
    first_mover: Role | UnsetType = UNSET
    second_mover: Role | UnsetType = UNSET
    vp: game.Score | UnsetType = UNSET
    town_state: dict[str, game.TownState] | UnsetType = UNSET
    squares_fired_rifle: tuple[Square, ...] | UnsetType = UNSET
    squares_fired_artillery: tuple[Square, ...] | UnsetType = UNSET
    squares_attacked: tuple[Square, ...] | UnsetType = UNSET
    siege_zone: game.Zone | UnsetType | None = UNSET
    reactions: dict[Role, game.Reactions] | UnsetType = UNSET
    sealed: dict[Role, game.Sealed] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: game.Ended | UnsetType | None = UNSET
    course: game.Standing | UnsetType = UNSET


class StructurePatch(Struct, frozen=True, omit_defaults=True):
    """Damage of structures that a fact sets."""

    buildings: dict[Square, game.Damage] = {}
    walls: dict[Edge, game.Damage] = {}
    bridges: dict[Square, game.Damage] = {}


def damaged(kind: game.Structure, at: str, now: game.Damage) -> StructurePatch:
    """The patch that leaves a wall, building or bridge damaged so; *at* is its square or edge."""
    return replace(StructurePatch(), **{f"{kind}s": {at: now}})
