"""Every option and data value of the game, under the ledger's names, with its default (HL-OPT-01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.office import Option
from pbem.rules.options import read_options


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options in force.  What each means stands in the ledger; lengths are tenths of an inch."""

    # mail
    exchanges_per_turn: Literal[1, 2] = 1
    dice_source: Literal["engine", "gm"] = "engine"
    """`gm`: the GM rules each die that falls on his table; who says nothing lets the engine throw."""
    # sequence
    activation_interleave: bool = False
    turn_limit: int = 14
    # knowledge
    sight_limit: int = 800
    identify_range: int = 200
    chits_visible: Literal["identify_range", "always"] = "identify_range"
    command_points_open: bool = False
    # movement
    terrain_rule: Literal["lowest_dice"] = "lowest_dice"
    even_roll_for: Literal["prolong", "artillery", "all"] = "prolong"
    enemy_gap: int = 10
    reinforce_scope: Literal["seen", "all"] = "seen"
    # fire and sight
    sixes_scope: Literal["target", "unit"] = "target"
    """`unit`: the sixes of each firing unit are counted apart."""
    wall_adjacent: int = 10
    # morale and command
    pull_and_move: Literal["choice", "second_chit", "free_action"] = "choice"
    chits_on_flight: bool = False
    army_pulls_per_turn: int = 1
    # close combat
    melee_point_defender_only_if_declined: bool = True
    tie_rounds: int = 3
    # scenario
    free_setup: bool = False
    bourliouk_burning: bool = True
    reserve_release: bool = True


_LIMITS: Mapping[str, tuple[int, int]] = {
    "turn_limit": (1, 60),
    "sight_limit": (10, 9999),
    "identify_range": (0, 9999),
    "enemy_gap": (0, 100),
    "wall_adjacent": (0, 100),
    "army_pulls_per_turn": (1, 9),
    "tie_rounds": (1, 9),
}
"""The least and the greatest value of the options that are numbers."""


def parse_options(base: Mapping[str, object], options: Mapping[str, Option]) -> Options:
    """The scenario's options with the campaign's over them.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    return read_options(Options, base, options, _LIMITS)
