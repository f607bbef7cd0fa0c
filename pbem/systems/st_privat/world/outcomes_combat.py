"""What may come to pass in fire and melee.  Names are the ledger's."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.systems.st_privat.world.fact import Ammunition, ChargeReason, Die, Fact, FireReason, Modifier
from pbem.systems.st_privat.world.game import Structure
from pbem.systems.st_privat.world.pieces import Cause, Facing, Place

# ------------------------------------------------------------------ fire


class FireDeclared(Fact, frozen=True, kw_only=True, tag="st-privat.fire_declared"):
    """Who fires at what; *source* (order, else, policy) is the owner's alone."""

    side: Role
    shooters: tuple[str, ...]
    target: Square
    place: Place
    ammunition: Ammunition
    source: Literal["order", "else", "policy", ""] = ""


class FireDiverted(Fact, frozen=True, kw_only=True, tag="st-privat.fire_diverted"):
    """An ordered target could not be fired at; another was."""

    shooter: str
    target: Square
    to: Square
    reason: FireReason


class FireImpossible(Fact, frozen=True, kw_only=True, tag="st-privat.fire_impossible"):
    """A shooter did not fire."""

    shooter: str
    target: Square | None
    reason: FireReason


class RifleFireResolved(Fact, frozen=True, kw_only=True, tag="st-privat.rifle_fire_resolved"):
    """One combined fire of rifles at one square and place."""

    side: Role
    target_square: Square
    place: Place
    fire: tuple[Die, ...]
    hits: int
    kills: int
    """As if all were infantry: public."""


class ArtilleryFireResolved(Fact, frozen=True, kw_only=True, tag="st-privat.artillery_fire_resolved"):
    """One gun's fire."""

    side: Role
    gun: str
    """Empty, with the ammunition, for those whom it hits from out of sight."""
    ammunition: Ammunition | Literal[""]
    aim_square: Square
    range: int
    deviation_dice: tuple[int, ...] = ()
    sector: str = ""
    """`centre`, `far`, `far left` …"""
    hit_square: Square | None = None
    """None: off the board."""
    place: Place = "outside"
    aim: Literal["troops", "structure", "equipment"] = "troops"
    hit_max: int = 0
    modifiers: tuple[Modifier, ...] = ()
    natural: int = 0
    modified: int = 0
    hit: bool = False
    points_to_structure: int = 0
    points_to_unit: int = 0
    kills: int = 0
    """As if all were infantry: public."""


class ManOrHorseRolled(Fact, frozen=True, kw_only=True, tag="st-privat.man_or_horse_rolled"):
    """Whom a hit on a section takes (SP-ART-07)."""

    section: str
    die: int
    result: Literal["man", "horse"]


class LossesApplied(Fact, frozen=True, kw_only=True, tag="st-privat.losses_applied"):
    """Figures that a stand lost."""

    unit: str
    side: Role
    unit_kind: str
    square: Square
    figures_lost: int
    figures_left: int
    cause: Literal["rifle", "artillery", "melee"]


class StructureDamaged(Fact, frozen=True, kw_only=True, tag="st-privat.structure_damaged"):
    """A wall, building or bridge took points."""

    type: Structure
    at: str
    """Square or edge."""
    points: int
    total: int
    value: int


class StructureDestroyed(Fact, frozen=True, kw_only=True, tag="st-privat.structure_destroyed"):
    """A wall, building or bridge is no more (SP-DMG-04)."""

    type: Structure
    at: str
    total: int
    value: int


class EquipmentDamaged(Fact, frozen=True, kw_only=True, tag="st-privat.equipment_damaged"):
    """A gun or limber took points."""

    id: str
    points: int
    total: int
    value: int


class EquipmentDestroyed(Fact, frozen=True, kw_only=True, tag="st-privat.equipment_destroyed"):
    """A gun or limber is no more; its removal is a fact of its own."""

    id: str
    total: int
    value: int


class DemolitionDone(Fact, frozen=True, kw_only=True, tag="st-privat.demolition_done"):
    """Infantry pulled something down (SP-DMG-03)."""

    side: Role
    units: tuple[str, ...]
    target: str
    points: int


# ------------------------------------------------------------------ melee


class ChargeDeclared(Fact, frozen=True, kw_only=True, tag="st-privat.charge_declared"):
    """A charge goes in."""

    side: Role
    units: tuple[str, ...]
    target: Square
    general: str = ""


class ChargeFailed(Fact, frozen=True, kw_only=True, tag="st-privat.charge_failed"):
    """A charge could not be made, by the stands named."""

    side: Role
    units: tuple[str, ...]
    target: Square
    reason: ChargeReason


class ChargeCalledOff(Fact, frozen=True, kw_only=True, tag="st-privat.charge_called_off"):
    """A charge was not made because its condition was not met; what that was (*odds*, *wanted*) its owner knows."""

    side: Role
    units: tuple[str, ...]
    target: Square
    reason: ChargeReason
    odds: str = ""
    wanted: str = ""


class Value(Struct, frozen=True, omit_defaults=True):
    """What a side counts in a melee, and for which stands."""

    stands: dict[str, int]
    crews: dict[str, int] = {}
    command: int = 0
    general: int = 0
    total: int = 0


class MeleeResolved(Fact, frozen=True, kw_only=True, tag="st-privat.melee_resolved"):
    """One attack: both values, the odds, the die, and what each side suffers (SP-MEL-08, SP-MEL-09)."""

    side: Role
    attacker_squares: tuple[Square, ...]
    defender_square: Square
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack_cv: Value
    defence_cv: Value
    odds: str
    column_shift: int
    shift_reason: str = ""
    column: str
    die: int
    attacker_result: str
    """`+2 *`, `S M`, `X`"""
    defender_result: str
    errata_used: str = ""
    attacker_factors: int = 0
    defender_factors: int = 0


class FellBack(Fact, frozen=True, kw_only=True):
    """Stands gave way along a path."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    squares: int
    facing: Facing | None = None
    source: Literal["reaction", "default", ""] = ""
    card_count: int = 0
    """Face-down cards that went the same way: the enemy learns their number alone."""


class RetreatMade(FellBack, frozen=True, kw_only=True, tag="st-privat.retreat_made"):
    """Stands fell back one square (SP-MOR-02)."""


class RoutMade(FellBack, frozen=True, kw_only=True, tag="st-privat.rout_made"):
    """Stands routed (SP-MOR-03)."""


class AdvanceMade(Fact, frozen=True, kw_only=True, tag="st-privat.advance_made"):
    """A winner's stands went forward (SP-MOR-07)."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    card_count: int = 0
    """Face-down cards that went the same way: the enemy learns their number alone."""


class AdvanceDeclined(Fact, frozen=True, kw_only=True, tag="st-privat.advance_declined"):
    """A winner's stands stood where they were though they might have advanced."""

    side: Role
    units: tuple[str, ...]
    squares: int


class GunAbandoned(Fact, frozen=True, kw_only=True, tag="st-privat.gun_abandoned"):
    """A gun, limber or team was left behind."""

    gun: str
    square: Square
    by: Role


class GunCaptured(Fact, frozen=True, kw_only=True, tag="st-privat.gun_captured"):
    """An unmanned gun, limber or team fell to the enemy (SP-CAP-06)."""

    gun: str
    square: Square
    by: Role
    points: int = 0
    """What the Prussians score for a gun that they keep for use; for one that is removed its removal says it."""


class UnitRemoved(Fact, frozen=True, kw_only=True, tag="st-privat.unit_removed"):
    """A piece left the board for good."""

    unit: str
    side: Role
    unit_kind: str
    square: Square | None
    cause: Cause
    points: int = 0
    to_side: Role | None = None


class UnitExited(Fact, frozen=True, kw_only=True, tag="st-privat.unit_exited"):
    """French pieces marched off for Metz (SP-VIC-05)."""

    units: tuple[str, ...]
    square: Square
    points: int
