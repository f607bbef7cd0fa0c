"""What an order may name: reactions with their defaults, sizes of patrols, numbers and lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.rules.ledger import charts

Pair = tuple[int, int]


class Reaction(NamedTuple):
    """A standing reaction: what may be written, and what holds if nothing is."""

    values: tuple[str, ...]
    default: str
    otherwise: str = ""
    """What holds instead if the default cannot be done, or its condition fails."""


REACTIONS: Mapping[str, Reaction] = {
    "attacked infantry by infantry": Reaction(("stand", "countercharge", "retire PLACE"), "stand"),
    "attacked_by_cavalry": Reaction(("square", "stand", "retire PLACE"), "square", "stand"),
    "attacked cavalry by cavalry": Reaction(("countercharge", "stand", "retire PLACE"), "countercharge", "retire"),
    "attacked cavalry by infantry": Reaction(("retire PLACE", "countercharge", "stand"), "retire"),
    "attacked battery": Reaction(("stay", "withdraw PLACE", "until N"), "until 300", "withdraw"),
    "skirmishers_attacked": Reaction(("fall_back", "stand"), "fall_back"),
    "fired_on": Reaction(("stand", "shift cover", "retire N"), "stand"),
    "superior_force": Reaction(("retire at RATIO",), "none"),
    "losses": Reaction(("retire at P%",), "none"),
    "victory infantry": Reaction(("halt", "pursue N", "pursue without halt", "return"), "halt"),
    "victory cavalry": Reaction(("halt", "pursue N", "pursue without halt", "return"), "pursue 2"),
    "defeat": Reaction(("retreat to PLACE",), "none"),
    "enemy_seen": Reaction(("report", "report_and_halt", "report_and_attack", "ignore"), "report"),
    "fire_policy": Reaction(("at_will", "hold until N", "canister_only"), "at_will"),
    "lost_contact": Reaction(("stay", "rejoin"), "stay"),
    "messenger_missing": Reaction(("repeat", "ignore"), "ignore"),
    "prisoners": Reaction(("escort", "leave"), "escort"),
}
"""The reactions, by key and by the troops they are for (KS-CMD-08)."""

OUTNUMBERED: Pair = (5, 3)
"""Beyond this ratio cavalry retires from cavalry (KS-CMD-08)."""

CAVALRY_RETIRES = 600
"""Paces that cavalry retires from infantry (KS-CMD-08)."""

UNDER_CANISTER = 6
"""Moves under canister after which troops without orders retire out of range (KS-CMD-08)."""

FIRES_AT: Mapping[str, int] = {"infantry": 300, "artillery": 3}
"""`at_will`: paces of infantry, range class of guns; random shot only on order (KS-CMD-08, KS-ART-06)."""

PATROL_SIZES = (1, 2, 10, 21, 25)
"""Men or riders of a patrol or post; else the unit itself (KS-ORD-01)."""

LIMITS: Mapping[str, int] = {
    "shift": 400,
    "prolonge": 300,
    "prolonge_downhill": 10,
    "infantry_fire": 400,
    "bombard": 2000,
    "dig_moves": 360,
    "detachments": 12,
    "posts": 8,
    "signal": 4,
    "dismount_enemy": 300,
    "occupy_halts": 300,
    "follow": 1000,
    "at_place": 50,
    "target_near": 500,
}
"""Paces, degrees and numbers that an order is held to (KS-ORD-01, KS-ORD-02)."""

TABLE_RULES = charts(
    {
        "REACTIONS": "KS-CMD-08",
        "OUTNUMBERED": "KS-CMD-08",
        "CAVALRY_RETIRES": "KS-CMD-08",
        "UNDER_CANISTER": "KS-CMD-08",
        "FIRES_AT": "KS-CMD-08 KS-ART-06",
        "PATROL_SIZES": "KS-ORD-01",
        "LIMITS": "KS-ORD-01 KS-ORD-02",
    }
)
"""Which rules each table plays."""
