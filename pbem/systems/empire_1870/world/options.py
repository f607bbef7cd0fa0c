"""Every option and data value of the game, under the ledger's names, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.office import Option
from pbem.rules.options import read_options


class Caps(Struct, frozen=True, forbid_unknown_fields=True):
    """The most SP that a side may have on the map through mobilization; 0: no cap (WE-ADM-01)."""

    french: int = 0
    german: int = 0


class PoolSchedule(Struct, frozen=True, forbid_unknown_fields=True):
    """The first turn on which a pool HQ may be mobilized (WE-ADM-03)."""

    A4: int = 1
    CD1: int = 1
    CR12: int = 1
    CR13: int = 1
    FCR: int = 1
    G1: int = 1


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options in force.  What each means stands in the ledger."""

    # mail
    pulses: int = 2
    pulse_length: int = 8
    pause_on_battle: bool = False
    fog: Literal["open", "inspect", "blind"] = "inspect"
    amend_orders: Literal["both", "german_only", "none"] = "both"
    # sequence
    initiative_mode: Literal["roll", "alternate"] = "roll"
    turn_limit: int = 7
    draw_vp: int = 1
    # set-up
    setup: Literal["historic", "free"] = "historic"
    german_sees_setup: bool = True
    i_corps_start: Literal["map", "pool"] = "map"
    third_army_area: Literal["freiburg", "palatinate"] = "freiburg"
    free_vp: int = 10
    french_cavalry_hqs: bool = False
    # resources and mobilization
    turn1_rp: bool = True
    german_town_mobilization: Literal["any", "home"] = "any"
    sp_cap: Caps = Caps(french=160, german=175)
    pool_schedule: PoolSchedule = PoolSchedule()
    # movement
    minimum_move: bool = False
    rail_loc_needs_control: bool = False
    exit_by_march: bool = True
    civilian_resistance: bool = False
    bridges: bool = False
    # fire and combat
    ocf_per_step: Literal["one", "two"] = "one"
    cft_status_adjust: bool = False
    cft_fortress_shift: Literal["firer", "target"] = "firer"
    mitrailleuse: bool = False
    mitrailleuse_chain: bool = True
    river_attack_drm: int = 0
    artillery_cost_basis: Literal["modified", "raw"] = "modified"
    retreat_ezoc_strict: bool = False
    german_army_hq_sudden_death: bool = True
    # sieges and victory
    siege_raw_sp: bool = True
    fortress_cities: Literal["control", "destroyed"] = "control"
    major_battle_basis: Literal["raw", "modified"] = "raw"
    vp_cft_losses: bool = False
    vp_siege_losses: bool = False
    towns: Literal["great", "all"] = "great"


_LIMITS: Mapping[str, tuple[int, int]] = {
    "pulses": (1, 4),
    "pulse_length": (1, 60),
    "turn_limit": (1, 60),
    "draw_vp": (1, 19),
    "free_vp": (1, 19),
    "river_attack_drm": (-6, 6),
}
"""The least and the greatest value of the options that are numbers."""


def parse_options(base: Mapping[str, object], options: Mapping[str, Option]) -> Options:
    """The scenario's options with the campaign's over them.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    return read_options(Options, base, options, _LIMITS)
