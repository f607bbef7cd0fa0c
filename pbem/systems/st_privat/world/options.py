"""Every option and data value of the game, under the ledger's names, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.office import Option
from pbem.rules.ledger import rule
from pbem.rules.options import read_options


class PointSplit(Struct, frozen=True, forbid_unknown_fields=True):
    """How the 7 points of a crew, limber and team are shared (SP-PCE-02)."""

    crew_with_limber: int = 4
    limber: int = 1
    team: int = 2
    crew_alone: int = 7


class PerSide(Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each side."""

    french: int = 3
    prussian: int = 3


class Totals(Struct, frozen=True, forbid_unknown_fields=True):
    """Stands inside and outside together in a square with a building (SP-CAP-02)."""

    small: int = 4
    large: int = 5


class Advances(Struct, frozen=True, forbid_unknown_fields=True):
    """Squares that a winner advances without a reaction of his own."""

    attacker: int = 1
    defender: int = 0


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options in force.  What each means stands in the ledger."""

    mail_mode: Literal["one_step", "two_step", "three_step"] = "two_step"
    initiative_timing: Literal["end_of_previous_turn", "start_of_turn"] = "end_of_previous_turn"
    fog_of_war: Literal["table", "los"] = "table"
    cards_zoc: Literal["all", "real", "none"] = "all"
    card_moves: Literal["each_turn", "once"] = "each_turn"
    dummy_blocks_los: bool = True
    dummy_capacity: int = 1
    entry_block_reveals: bool = False
    ford_anywhere: bool = True
    ford_infantry_wait_turns: int = 1
    ford_cost: int = 2
    road_negates_terrain: bool = False
    wall_cover_at_gap: bool = True
    limber_distribution: PerSide = PerSide(2, 3)
    vp_split: PointSplit = PointSplit()
    command_stands: PerSide = PerSide()
    team_min_horses: int = 2
    gun_min_crew: int = 1
    limber_min_crew: int = 1
    diagonal_moves: bool = True
    zoc_shape: Literal["front3", "front_and_flanks"] = "front3"
    line_frontage: int = 2
    split_facing: bool = False
    road_bonus_min_steps: int = 2
    building_entry_cost: int = 1
    building_totals: Totals = Totals()
    garrison_all_round: bool = False
    generals_stop: bool = True
    fire_arc: Literal["half_plane", "quadrant"] = "half_plane"
    hill_sees_all: bool = True
    cover_modifiers_add: bool = False
    kills_by: Literal["natural", "modified"] = "natural"
    one_fire_per_square: Literal["combined", "single_square", "combined_all_weapons"] = "combined"
    spotting_range: int | Literal["unlimited"] = "unlimited"
    deviation_orientation: Literal["away_from_gun", "board_north"] = "away_from_gun"
    fortified_fire_modifier: int = 1
    loss_allocation: Literal["concentrate", "spread"] = "concentrate"
    demolition_reach: Literal["own_square_and_edges", "own_square"] = "own_square_and_edges"
    melee_errata_11_1: Literal["-2H", "+2H"] = "-2H"
    melee_errata_12_6: Literal["printed", "+1M"] = "printed"
    if_odds_on_cards: Literal["called_off", "test_after_reveal"] = "called_off"
    column_shift_max: int = 1
    shift_after_clamp: bool = True
    odds_below_1_4: Literal["use_1_4", "forbidden"] = "use_1_4"
    casualty_value: Literal["own_total", "enemy_total"] = "own_total"
    trooper_one_factor_if: Literal["engaged_side_all_cavalry", "square_all_cavalry", "never"] = (
        "engaged_side_all_cavalry"
    )
    x_bystanders: Literal["rout_3", "retreat_1", "stand"] = "rout_3"
    default_advance: Advances = Advances()
    default_retreat: Literal["away_then_refuge", "refuge"] = "away_then_refuge"
    rout_overflow: int = 2
    tie: Literal["draw", "french", "prussian"] = "draw"
    capture_needs_presence: bool = True
    recapture_needs_french_stand: bool = True
    captured_guns_usable: bool = False
    exit_before_t10: Literal["forbidden", "allowed"] = "forbidden"

    @property
    @rule("SP-OPT-01")
    def by_sight(self) -> bool:
        """Whether a side knows of open enemies only what it sees (`fog_of_war` los)."""
        return self.fog_of_war == "los"


def parse_options(base: Mapping[str, object], options: Mapping[str, Option]) -> Options:
    """The scenario's options with the campaign's over them.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    return read_options(Options, base, options)
