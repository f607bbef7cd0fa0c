"""What may come to pass in fire, combat and sieges.  All of it is revealed to both sides for the pieces involved."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.world.fact import Fact, Modifier
from pbem.systems.empire_1870.world.stacks import Strength

Kind = Literal["march", "planned", "sortie"]


class Share(Struct, frozen=True):
    """SP of one hex that take part."""

    hex: Hex
    sp: Strength


class HexTotal(Struct, frozen=True, kw_only=True):
    """What the SP of one fighting hex count for (WE-CBT-03)."""

    hex: Hex
    raw: int
    status_value: int
    halvings: tuple[Modifier, ...] = ()
    has_loc: bool = True
    cavalry: int = 0
    """Value of cavalry SP, counted apart where there is no LOC."""
    total: int


class Losses(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one side lost, and how it stood before and after, by hex."""

    side: Role
    lp: int = 0
    eliminated: int = 0
    before: tuple[Share, ...] = ()
    after: tuple[Share, ...] = ()


class ChassepotFire(Fact, frozen=True, kw_only=True, tag="empire-1870.chassepot_fire"):
    """French fire at a German force on the march (WE-OCF-01, WE-OCF-02)."""

    target_hex: Hex
    step: tuple[Hex, Hex]
    firers: tuple[Share, ...]
    total_sp: int
    base_column: int
    shifts: tuple[Modifier, ...] = ()
    column: int
    roll: int
    lp: int
    losses: Losses | None = None
    extra_roll_of: int = 0
    """Which roll of this fire called for this one (WE-OPT-03); 0: none."""
    jam: Hex | None = None
    """Where a mitrailleuse jammed (WE-OPT-03)."""
    policy: str = ""


class CavalryRetreated(Fact, frozen=True, kw_only=True, tag="empire-1870.cavalry_retreated"):
    """A cavalry division went, or had to stand, before combat (WE-CBT-02)."""

    hq: str
    hex: Hex
    allowed: bool
    die: int = 0
    """0: none was needed."""
    path: tuple[Hex, ...] = ()


class CombatJoined(Fact, frozen=True, kw_only=True, tag="empire-1870.combat_joined"):
    """A combat began (WE-CBT-01)."""

    combat: str
    """Its name in this turn: `a5/2306#1`; the facts of one combat carry the same."""
    how: Kind
    attacker: Role
    attackers: tuple[Share, ...]
    defenders: Share
    hex: Hex
    terrain_column: str
    attacker_hqs: tuple[str, ...] = ()
    defender_hqs: tuple[str, ...] = ()


class CombatTotals(Fact, frozen=True, kw_only=True, tag="empire-1870.combat_totals"):
    """What both sides count for (WE-CBT-03, WE-CBT-04)."""

    combat: str
    attacker_hexes: tuple[HexTotal, ...]
    defender_hex: HexTotal
    sr: int = 0
    attacker_total: int
    defender_total: int
    ratio: str
    """`3:1`, the attacker's."""
    sp_present: int


class ArtilleryCommitted(Fact, frozen=True, kw_only=True, tag="empire-1870.artillery_committed"):
    """A side paid for its artillery (WE-CBT-07)."""

    combat: str
    cost: int
    rp_left: int = 0
    policy: str = ""


class CombatDice(Fact, frozen=True, kw_only=True, tag="empire-1870.combat_dice"):
    """How the dice of one side fell, with the one thrown again (WE-CBT-08)."""

    combat: str
    faces: tuple[int, int]
    rerolled: int = 0
    """Which of the two (1, 2); 0: none."""
    old: int = 0
    new: int = 0
    policy: str = ""


class CombatResolved(Fact, frozen=True, kw_only=True, tag="empire-1870.combat_resolved"):
    """Who won, and what it cost (WE-CBT-09 to WE-CBT-12)."""

    combat: str
    hex: Hex
    attacker: Role
    ratio: str
    crm: tuple[int, int]
    """Attacker's and defender's."""
    hq_drm: tuple[Modifier, ...] = ()
    attacker_drm: int
    defender_drm: int
    fcs_french: int
    fcs_german: int
    winner: Role
    spread: int
    loser_lp: int
    eliminated: int
    winner_lp: int
    losses: tuple[Losses, ...] = ()


class HqCasualtyCheck(Fact, frozen=True, kw_only=True, tag="empire-1870.hq_casualty_check"):
    """Whether an HQ was hit (WE-HQC-01)."""

    hq: str
    cause: Literal["combat", "chassepot"]
    die: int
    result: Literal["flipped", "wounded", "none"]
    return_in: int = 0
    return_turn: int = 0


class HqDisplaced(Fact, frozen=True, kw_only=True, tag="empire-1870.hq_displaced"):
    """An HQ whose force is gone fled to its own, or off the map (WE-MOV-06)."""

    hq: str
    start: Hex
    to: Hex | None = None
    return_in: int = 0
    return_turn: int = 0


class Retreated(Fact, frozen=True, kw_only=True, tag="empire-1870.retreated"):
    """Beaten SP and HQs went back, or were lost for want of a way (WE-RET-01 to WE-RET-05)."""

    start: Hex
    path: tuple[Hex, ...]
    """The hexes gone through, without the first; empty: eliminated where they stood, or they stay."""
    units: tuple[str, ...] = ()
    sp: Strength
    river_dice: tuple[int, ...] = ()
    losses: Losses | None = None
    eliminated: bool = False
    stayed: int = 0
    """SP that stay inside the fortress (WE-RET-01)."""
    reason: str = ""


class Advanced(Fact, frozen=True, kw_only=True, tag="empire-1870.advanced"):
    """Winners went into the hex (WE-AAC-01, WE-MCB-01)."""

    start: Hex
    to: Hex
    sp: Strength
    units: tuple[str, ...] = ()


class GarrisonShut(Fact, frozen=True, kw_only=True, tag="empire-1870.garrison_shut"):
    """A garrison was shut in its fortress by enemies in the hex, or is free again (WE-SIE-01)."""

    hex: Hex
    sp: Strength
    shut: bool


class SiegeChecked(Fact, frozen=True, kw_only=True, tag="empire-1870.siege_checked"):
    """Whether a fortress is under siege (WE-SIE-02)."""

    hex: Hex
    friendly_sp: int
    sr: int
    garrison: int
    ratio: str
    besieged: bool
    loc_open: bool = False
    """1:1 or better: its hex counts as the besieger's for LOC (WE-SIE-05)."""


class SiegeAssault(Fact, frozen=True, kw_only=True, tag="empire-1870.siege_assault"):
    """A siege assault (WE-SIE-03)."""

    hex: Hex
    ratio: str
    drms: tuple[Modifier, ...] = ()
    die: int
    total: int
    sr: int
    destroyed: bool
    garrison_lost: int = 0
