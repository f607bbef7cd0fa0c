"""The numbers of a scenario: its schedule, and where the sides set up."""

from __future__ import annotations

from msgspec import Struct

from pbem.ground.square import Square
from pbem.kernel.names import Role


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The schedule and the set-up areas (SP-SCN-09, SP-VIC, SP-SET)."""

    last_turn: int
    early_end_after: int
    last_scoring_turn: int
    last_recapture_turn: int
    exit_from: int
    exit_square: Square
    french_start_points: int
    first_mover: Role
    french_rows: tuple[int, int]
    prussian_rows: tuple[int, int]
    minimum_garrison: int
