"""Every option of the game, under the ledger's names, with its default (GC-OPT-01)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.office import Option
from pbem.rules.ledger import rule
from pbem.rules.options import read_options


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options in force.  What each means stands in the ledger."""

    exchanges_per_turn: int = 1
    card_mode: Literal["unit", "side"] = "unit"
    level_zero: Literal["exempt", "as_level_1"] = "exempt"
    natural_one_fails: bool = False
    charge_l1_one: Literal["WD", "R"] = "WD"
    artillery_move: Literal["by_label", "by_nation"] = "by_label"
    green_fire: Literal["half", "full"] = "half"
    jam_volley_counts: bool = False
    charge_check: Literal["once", "per_volley"] = "once"
    level_rule: Literal["quarters"] = "quarters"
    skirmish_shift: Literal["next_number", "next_column"] = "next_number"
    defensive_fire_min: int = 0
    """Volleys that a target fires at least on one that charges it (GC-CHG-02)."""
    french_cover_stacks: bool = False
    deck_control: Literal["roll"] = "roll"
    austrian_side: Literal["german", "french", "own"] = "german"
    guns_left: bool = True
    max_rounds: int = 10
    defender_advance: Literal["allowed", "never"] = "allowed"
    hidden_reserves: bool = False
    sight_limit: int = 48
    identify_range: int = 12
    dice_source: Literal["engine", "gm"] = "engine"


_LIMITS: Mapping[str, tuple[int, int]] = {
    "exchanges_per_turn": (1, 2),
    "defensive_fire_min": (0, 3),
    "max_rounds": (1, 50),
    "sight_limit": (1, 500),
    "identify_range": (0, 500),
}
"""The least and the greatest value of the options that are numbers."""


@rule("GC-OPT-01")
def parse_options(base: Mapping[str, object], options: Mapping[str, Option]) -> Options:
    """The scenario's options with the campaign's over them.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    return read_options(Options, base, options, _LIMITS)
