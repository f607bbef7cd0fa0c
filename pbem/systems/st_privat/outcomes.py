"""What may come to pass.  Names are the ledger's; each fact is whole, and says who learns how much of it.

A fact carries in *changes*, *structures* and *game* what it makes of the field, and in its own fields how that
came about.  *secret* names pieces of which only their owner learns: whoever gets the fact under the aspect
`public` gets it without them.  For him *shows* brings pieces that he now sees for the first time, *cards* the
face-down cards that he now counts, *forgets* what went out of his sight.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.event import Outcome
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.rules.view import Result
from pbem.systems.st_privat.state import (
    ENEMY,
    FRENCH,
    PRUSSIAN,
    Cards,
    Cause,
    Facing,
    Formation,
    GamePatch,
    Patch,
    Piece,
    Place,
    StructurePatch,
)

PUBLIC = Aspect("public")
"""Without what is secret to its owner."""

BOTH: dict[Role, Aspect] = {FRENCH: FULL, PRUSSIAN: FULL}
"""Known to both sides as it stands."""


def owner_only(side: Role) -> dict[Role, Aspect]:
    """Known to *side* alone."""
    return {side: FULL}


def in_part(side: Role) -> dict[Role, Aspect]:
    """Known to *side* as it stands, to its enemy without what is secret."""
    return {side: FULL, ENEMY[side]: PUBLIC}


def cited(*ids: str) -> tuple[RuleId, ...]:
    """The rules that shaped a fact, each once, in the order given."""
    return tuple(dict.fromkeys(RuleId(one) for one in ids))


Ammunition = Literal["rifle", "shot", "shell", "mg", "siege"]
StopReason = Literal[
    "stopped_by_zoc", "stopped_by_terrain", "diagonal_blocked", "capacity_full", "move_shortened", "enemy_met",
    "entry_blocked", "ford", "gun_found",
]  # fmt: skip
FireReason = Literal[
    "range", "arc", "line_of_sight", "not_spotted", "no_enemy", "moved", "unlimbered", "no_crew", "own_troops",
    "hidden", "hold_fire", "square_fired_on", "nothing_there", "limbered",
]  # fmt: skip
ChargeReason = Literal[
    "not_adjacent", "not_facing", "diagonal", "infantry_at_cavalry", "square_attacked", "retreated", "eliminated",
    "attacked_before", "empty", "no_defender", "odds", "cards", "odds_forbidden", "not_in_two_ranks",
]  # fmt: skip


RevealCause = Literal["fired", "left_town", "charged", "attacked", "owner", "removed", "crew_lost", "entered"]


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game."""

    turn: int = 0
    changes: dict[str, Patch] = {}
    structures: StructurePatch | None = None
    game: GamePatch | None = None
    secret: tuple[str, ...] = ()
    veiled: tuple[str, ...] = ()
    """Open pieces among face-down cards: their place in the ranks would tell what the cards are."""
    shows: tuple[Piece, ...] = ()
    cards: dict[str, Cards] = {}
    forgets: tuple[str, ...] = ()


class Modifier(Struct, frozen=True):
    """What was added to a die, and the rule that says so."""

    rule_id: RuleId
    value: int
    name: str = ""


class Die(Struct, frozen=True, omit_defaults=True):
    """One rifle's die."""

    shooter: str
    """The stand; in the form that the enemy gets of a face-down one's fire this never stands (it is turned up)."""
    square: Square
    range: int
    hit_max: int
    natural: int
    modified: int
    hit: bool
    kills: int = 0
    """As if all were infantry: public."""
    modifiers: tuple[Modifier, ...] = ()


# ------------------------------------------------------------------ set-up and the clock


class SiegeZoneRolled(Fact, frozen=True, kw_only=True, tag="st-privat.siege_zone_rolled"):
    """The two dice that fix where the siege gun may stand (SP-SET-03)."""

    die_file: int
    die_row: int
    files: str
    row: int


class SetupCompleted(Fact, frozen=True, kw_only=True, tag="st-privat.setup_completed"):
    """A side is on the board.  *defaulted* names what was placed by the default set-up."""

    side: Role
    placements: tuple[str, ...] = ()
    """Set-up orders that would make this set-up; secret."""
    defaulted: tuple[str, ...] = ()
    seal: str = ""
    """SHA-256 of salt, a newline, and the placements joined by newlines."""
    salt: str = ""


class SetupRevealed(Fact, frozen=True, kw_only=True, tag="st-privat.setup_revealed"):
    """At the end: the salt and the placements under a seal, for anyone to check."""

    side: Role
    seal: str
    salt: str
    placements: tuple[str, ...]


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="st-privat.phase_began"):
    """Play went on to another phase, or to another turn."""


class InitiativeRolled(Fact, frozen=True, kw_only=True, tag="st-privat.initiative_rolled"):
    """Who moves first and second in the next turn (SP-TRN-03)."""

    french_die: int
    prussian_die: int
    rerolls: int
    winner: Role
    choice: Literal["first", "second"]
    first_mover: Role
    second_mover: Role


class WithdrawalOrdered(Fact, frozen=True, kw_only=True, tag="st-privat.withdrawal_ordered"):
    """The French are told to march for Metz (SP-GEN-03)."""

    square: Square


class ReactionSet(Fact, frozen=True, kw_only=True, tag="st-privat.reaction_set"):
    """A standing reaction was given or withdrawn."""

    side: Role
    text: str


class OrderPlayed(Fact, frozen=True, kw_only=True, tag="st-privat.order_played"):
    """What became of one line of a side's sheet; known to that side alone."""

    side: Role
    line: int
    result: Result
    text: str
    reason: str = ""


# ------------------------------------------------------------------ movement


class UnitMoved(Fact, frozen=True, kw_only=True, tag="st-privat.unit_moved"):
    """Stands went along a path; its first square is where they stood."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    cost_steps: tuple[int, ...]
    cost: int
    allowance: int
    road_bonus_used: bool = False
    formation: Formation = "line"
    facing: Facing | None = None
    place: Place = "outside"
    count: int = 0
    """Stands moved, where their names are secret."""


class MoveStopped(Fact, frozen=True, kw_only=True, tag="st-privat.move_stopped"):
    """A move ended before its order's end."""

    side: Role
    units: tuple[str, ...]
    square: Square
    reason: StopReason


class EntryBlocked(Fact, frozen=True, kw_only=True, tag="st-privat.entry_blocked"):
    """Cards, some of them real, barred a step (SP-HID-06)."""

    unit: str
    side: Role
    start: Square
    card_square: Square


class DummiesRemoved(Fact, frozen=True, kw_only=True, tag="st-privat.dummies_removed"):
    """Dummies were found out and taken off."""

    square: Square
    count: int
    cause: Literal["entered", "charged", "town_lost", "attacked"]


class CardsRevealed(Fact, frozen=True, kw_only=True, tag="st-privat.cards_revealed"):
    """Face-down units were turned up, for good (SP-HID-04)."""

    square: Square
    units: tuple[str, ...]
    cause: RevealCause


class CardMoved(Fact, frozen=True, kw_only=True, tag="st-privat.card_moved"):
    """Cards changed their square within a town, or turned, face down (SP-HID-03)."""

    card_count: int
    start: Square
    end: Square
    units: tuple[str, ...] = ()
    facing: Facing | None = None


class FormationChanged(Fact, frozen=True, kw_only=True, tag="st-privat.formation_changed"):
    """Infantry of one square regrouped."""

    group_square: Square
    units: tuple[str, ...]
    start: Formation
    end: Formation
    cost: int


class UnitTurned(Fact, frozen=True, kw_only=True, tag="st-privat.unit_turned"):
    """Stands turned in their square."""

    group_square: Square
    units: tuple[str, ...]
    start: Facing | None
    end: Facing
    cost: int


class PlaceChanged(Fact, frozen=True, kw_only=True, tag="st-privat.place_changed"):
    """Stands went into or out of the building of their square (SP-TER-06)."""

    units: tuple[str, ...]
    square: Square
    place: Place
    cost: int


class GunLimbered(Fact, frozen=True, kw_only=True, tag="st-privat.gun_limbered"):
    """A gun was hitched to its limber."""

    gun: str
    square: Square


class GunUnlimbered(Fact, frozen=True, kw_only=True, tag="st-privat.gun_unlimbered"):
    """A gun was taken off its limber."""

    gun: str
    square: Square
    facing: Facing


class GunProlonged(Fact, frozen=True, kw_only=True, tag="st-privat.gun_prolonged"):
    """A gun was pushed a square by its crew."""

    gun: str
    start: Square
    square: Square
    facing: Facing


class CrewDetached(Fact, frozen=True, kw_only=True, tag="st-privat.crew_detached"):
    """A crew left its gun (SP-CAP-05)."""

    gun: str
    crew: str
    square: Square
    place: Place


class GunManned(Fact, frozen=True, kw_only=True, tag="st-privat.gun_manned"):
    """A crew took to a gun."""

    gun: str
    crew: str
    square: Square


class FordStarted(Fact, frozen=True, kw_only=True, tag="st-privat.ford_started"):
    """A unit stands in the water."""

    unit: str
    square: Square
    points_paid: int = 0


class FordWaited(Fact, frozen=True, kw_only=True, tag="st-privat.ford_waited"):
    """A whole turn was stood in the ford."""

    unit: str
    square: Square


class FordCrossed(Fact, frozen=True, kw_only=True, tag="st-privat.ford_crossed"):
    """A unit left the water by the far bank."""

    unit: str
    square: Square
    points_paid: int = 0


class WallCrossed(Fact, frozen=True, kw_only=True, tag="st-privat.wall_crossed"):
    """A unit went over a wall."""

    unit: str
    edge: str
    points_paid: int


class SiegeGunPlaced(Fact, frozen=True, kw_only=True, tag="st-privat.siege_gun_placed"):
    """The siege gun stands on the table."""

    square: Square
    cause: Literal["ordered", "found"]


class SiegeRevealFailed(Fact, frozen=True, kw_only=True, tag="st-privat.siege_reveal_failed"):
    """The Prussians have no undisputed control of the gun's square (SP-SGE-02)."""

    reason: Literal["control_disputed"]


class UnitLost(Fact, frozen=True, kw_only=True, tag="st-privat.unit_lost"):
    """An order was for a piece that is no more."""

    unit: str
    line: int


class Sighted(Fact, frozen=True, kw_only=True, tag="st-privat.sighted"):
    """Under `fog_of_war` los: enemies came into a side's sight (*shows*) or went out of it (*forgets*)."""

    side: Role


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
    ammunition: Ammunition
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

    type: Literal["wall", "building", "bridge"]
    at: str
    """Square or edge."""
    points: int
    total: int
    value: int


class StructureDestroyed(Fact, frozen=True, kw_only=True, tag="st-privat.structure_destroyed"):
    """A wall, building or bridge is no more (SP-DMG-04)."""

    type: Literal["wall", "building", "bridge"]
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
    """A charge was not made because its condition was not met."""

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


class RetreatMade(Fact, frozen=True, kw_only=True, tag="st-privat.retreat_made"):
    """Stands fell back one square (SP-MOR-02)."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    squares: int
    facing: Facing | None = None
    source: Literal["reaction", "default", ""] = ""


class RoutMade(Fact, frozen=True, kw_only=True, tag="st-privat.rout_made"):
    """Stands routed (SP-MOR-03)."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    squares: int
    facing: Facing | None = None
    source: Literal["reaction", "default", ""] = ""


class AdvanceMade(Fact, frozen=True, kw_only=True, tag="st-privat.advance_made"):
    """A winner's stands went forward (SP-MOR-07)."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]


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


# ------------------------------------------------------------------ end of turn


class TownControlChanged(Fact, frozen=True, kw_only=True, tag="st-privat.town_control_changed"):
    """A town changed hands (SP-VIC-03, SP-VIC-04)."""

    town: str
    start: str
    end: str
    points_awarded: int = 0
    points_subtracted: int = 0


class ScoreUpdated(Fact, frozen=True, kw_only=True, tag="st-privat.score_updated"):
    """The score after something that counts."""

    french: int
    prussian: int
    items: tuple[str, ...] = ()


class GameEnded(Fact, frozen=True, kw_only=True, tag="st-privat.game_ended"):
    """The game is over."""

    reason: Literal["turn_15", "no_town_turn_9"]
    winner: Literal["french", "prussian", "draw"]
    french: int
    prussian: int


class UmpireRuling(Fact, frozen=True, kw_only=True, tag="st-privat.umpire_ruling"):
    """The GM set something: *effect* is the directive."""

    text: str
    effect: str


FACTS: tuple[type[Fact], ...] = (
    SiegeZoneRolled, SetupCompleted, SetupRevealed, PhaseBegan, InitiativeRolled, WithdrawalOrdered, ReactionSet,
    OrderPlayed, UnitMoved, MoveStopped, EntryBlocked, DummiesRemoved, CardsRevealed, CardMoved, FormationChanged,
    UnitTurned, PlaceChanged, GunLimbered, GunUnlimbered, GunProlonged, CrewDetached, GunManned, FordStarted,
    FordWaited, FordCrossed, WallCrossed, SiegeGunPlaced, SiegeRevealFailed, UnitLost, Sighted, FireDeclared,
    FireDiverted, FireImpossible, RifleFireResolved, ArtilleryFireResolved, ManOrHorseRolled, LossesApplied,
    StructureDamaged, StructureDestroyed, EquipmentDamaged, EquipmentDestroyed, DemolitionDone, ChargeDeclared,
    ChargeFailed, ChargeCalledOff, MeleeResolved, RetreatMade, RoutMade, AdvanceMade, AdvanceDeclined, GunAbandoned,
    GunCaptured, UnitRemoved, UnitExited, TownControlChanged, ScoreUpdated, GameEnded, UmpireRuling,
)  # fmt: skip


POLICY_RULES = ("SP-RIF-07", "SP-ART-09")


def _known(names: tuple[str, ...], secret: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in secret)


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """The form of *fact* under the aspect `public`: without what its owner alone may know."""
    secret = fact.secret
    changes = {
        name: replace(patch, slot=UNSET, formation=UNSET) if name in fact.veiled else patch
        for name, patch in fact.changes.items()
        if name not in secret
    }
    bare = replace(fact, secret=(), veiled=(), changes=changes)
    match bare:
        case SetupCompleted():
            return replace(bare, placements=(), defaulted=(), salt="", game=None)
        case CardMoved():
            return replace(bare, units=_known(bare.units, secret))
        case UnitMoved():
            return replace(bare, units=_known(bare.units, secret), count=bare.count or len(bare.units))
        case FireDeclared():
            # A policy that chose the target is its owner's secret, and so is the rule by which it chose.
            open_rules = tuple(name for name in bare.rules if name not in POLICY_RULES)
            return replace(bare, source="", rules=open_rules, **_units(bare, secret))
        case RetreatMade() | RoutMade():
            return replace(bare, source="", **_units(bare, secret))
        case ManOrHorseRolled() | LossesApplied() | OrderPlayed() | ReactionSet() if secret:
            return None
        case _:
            return replace(bare, **_units(bare, secret)) if secret else bare


def _units(fact: Fact, secret: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The fields of names of *fact*, without the secret ones."""
    return {
        field: _known(getattr(fact, field), secret)
        for field in ("units", "shooters", "attackers", "defenders")
        if hasattr(fact, field)
    }
