"""What a fact may set, by name: attributes of an HQ, and of the game's state."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.tables.headquarters import Headquarters
from pbem.systems.empire_1870.world.options import Options
from pbem.systems.empire_1870.world.orders import Mobilize, MobilizeHq
from pbem.systems.empire_1870.world.parts import Ended, Entry, Fortress, Mark, Phase, Rank, Seal, Standing


class HqPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of an HQ that a fact sets, under the names of `Hq`."""

    name: str | UnsetType = UNSET
    rank: Rank | UnsetType = UNSET
    ab: int | UnsetType = UNSET
    db: int | UnsetType = UNSET
    ma: int | UnsetType = UNSET
    cautious: bool | UnsetType = UNSET
    cavalry: bool | UnsetType = UNSET
    face: Literal["front", "replacement"] | UnsetType = UNSET
    hex: Hex | UnsetType | None = UNSET
    state: Literal["map", "pool", "wounded", "out"] | UnsetType = UNSET
    return_turn: int | UnsetType = UNSET
    spent: bool | UnsetType = UNSET
    casualties: int | UnsetType = UNSET

    def sets(self) -> dict[str, object]:
        """What it sets, by name."""
        found: dict[str, object] = to_builtins(self)
        return found


def faced(piece: Headquarters, face: Literal["front", "replacement"]) -> HqPatch:
    """What an HQ is with this face up."""
    shown = piece.front if face == "front" else piece.back
    successor = piece.successor if face == "replacement" else ""
    return HqPatch(
        face=face,
        name=f"{piece.name.partition(',')[0]}, {successor}" if successor else piece.name,
        ab=shown.ratings.ab,
        db=shown.ratings.db,
        ma=shown.ratings.ma,
        cautious=shown.cautious,
    )


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game's state that a fact sets, under the names of `War`.

    Those that are tables by side or by hex replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    pulse: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    activation_no: int | UnsetType = UNSET
    activations_of_pulse: int | UnsetType = UNSET
    passed: Role | UnsetType | None = UNSET
    passed_by_entry: bool | UnsetType = UNSET
    turn_of: Role | UnsetType | None = UNSET
    fortresses: dict[Hex, Fortress] | UnsetType = UNSET
    control: dict[Hex, Role] | UnsetType = UNSET
    resource_points: dict[Role, int] | UnsetType = UNSET
    vp: int | UnsetType = UNSET
    rail_sp_used: int | UnsetType = UNSET
    programme: dict[Role, tuple[Entry, ...]] | UnsetType = UNSET
    standing: dict[Role, Standing] | UnsetType = UNSET
    done: tuple[str, ...] | UnsetType = UNSET
    administration: dict[Role, tuple[Mobilize | MobilizeHq, ...]] | UnsetType = UNSET
    exited: tuple[str, ...] | UnsetType = UNSET
    placed: dict[Role, Seal] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    course: Mark | UnsetType = UNSET


MERGED = ("fortresses", "control", "resource_points", "programme", "standing", "administration", "placed")
"""Attributes of a patch that are tables, of which it replaces entries."""
