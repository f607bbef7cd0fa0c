"""Every option and data value of the game, under the ledger's names, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from pbem.rules.options import read_options


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options in force.  What each means stands in the ledger."""

    # mail and visibility
    turn_moves: int = 15
    step_moves: int = 5
    urgent_min: int = 2
    interrupts: Literal["private", "shared", "urgent_only", "off"] = "private"
    min_turn_moves: int = 3
    clock_masking: bool = False
    auto_skip_quiet: bool = False
    reveal_seed: Literal["end", "turn"] = "end"
    # the umpire and the players
    gm_review: Literal["off", "attacks", "all"] = "off"
    two_stage_setup: bool = False
    max_players_per_side: int = 4
    warn_batteries: int = 2
    orders_in_words: bool = True
    # command and messengers
    voice_range: int = 200
    presence_range: int = 400
    talk_range: int = 1000
    personal_rally: bool = True
    commander_casualties: bool = False
    c_in_c_override: bool = False
    staff_initiative: Literal["support", "none"] = "support"
    riders_per_commander: int = 6
    riders_per_unit: int = 2
    staff_officers: int = 2
    decision_moves: int = 0
    search_moves: int = 2
    captured_papers_readable: bool = True
    signals: bool = True
    # march and form
    march_table: Literal["p34", "p3"] = "p34"
    extra_zug_pieces: Literal["one", "two"] = "one"
    # fire
    columns_fire_full: bool = False
    carbine_fire: bool = False
    twelve_pdr: Literal["table", "p5"] = "table"
    bombard_7lb_range: Literal[2000, 1800] = 2000
    two_batteries_weak_wall: Literal["II", "III"] = "II"
    wood_bridge_as: Literal["weak", "strong"] = "weak"
    breach_lowers_class: bool = True
    skirmish_zug_points: Literal[60, 50] = 60
    side_pins: bool = False
    merge_remnants: bool = True
    ammunition: bool = True
    infantry_ammunition: bool = False
    # attack
    die4_D_inf: Literal[25, 15] = 25  # noqa: N815 - the ledger's name
    recovery: Literal["from_defeat", "cumulative"] = "from_defeat"
    standing_cavalry_penalty: bool = True
    second_line_defence: bool = True
    refuge_point: Literal["refugees", "attackers"] = "refugees"
    stronghold_circle_losses: bool = False
    encirclement_test: Literal["both", "either"] = "both"
    # works
    blow_die: bool = False


_LIMITS: Mapping[str, tuple[int, int]] = {
    "turn_moves": (1, 60),
    "step_moves": (1, 60),
    "urgent_min": (0, 48),
    "min_turn_moves": (1, 60),
    "max_players_per_side": (1, 8),
    "warn_batteries": (1, 12),
    "voice_range": (0, 1000),
    "presence_range": (0, 4000),
    "talk_range": (0, 8000),
    "riders_per_commander": (0, 60),
    "riders_per_unit": (0, 20),
    "staff_officers": (0, 12),
    "decision_moves": (0, 5),
    "search_moves": (0, 20),
}
"""The least and the greatest value of the options that are numbers."""


def parse_options(base: Mapping[str, object], options: Mapping[str, Option]) -> Options:
    """The scenario's options with the campaign's over them.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    read = read_options(Options, base, options, _LIMITS)
    if read.turn_moves % read.step_moves:
        raise Refused(f"the option step_moves must divide turn_moves, which is {read.turn_moves}.")
    return read
