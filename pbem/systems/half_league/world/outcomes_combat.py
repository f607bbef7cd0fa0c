"""What may come of fire, charges and close combat, under the ledger's names; read `outcomes` first."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.half_league.world.fact import Dropped, Fact, Modifier, Stopped, Whose

# ------------------------------------------------------------------ fire


class FireResolved(Fact, frozen=True, kw_only=True, tag="half-league.fire_resolved"):
    """One unit fired at one target (HL-FIR).

    *priority*: `charging`, `firing`, `advancing`, `nearest`.  *row*: of the fire chart (`rifle, short`); *column*:
    `dense` or `line`; *cover*, *skirmish*: of the target; *shifted*: both, so the right-hand column.  *natural* in the
    order of the stands; each die plus *modifier* hits at *need* or more (bombardment: natural sixes).  *raw_hits*
    before *halved*, *hits* after; *sixes* natural ones.
    """

    shaded: ClassVar[tuple[str, ...]] = ("modifiers", "modifier", "need")
    covert: ClassVar[tuple[str, ...]] = ("priority", "row", "range", "stands", "canister")
    whose: ClassVar[Whose] = "both"
    firer: str
    target: str
    sub_phase: Literal["artillery", "small_arms"]
    priority: str = ""
    row: str = ""
    range: int = 0
    column: Literal["dense", "line"]
    cover: bool = False
    skirmish: bool = False
    shifted: bool = False
    stands: int = 0
    """How many stands or gunners fired."""
    natural: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    modifier: int = 0
    need: int = 0
    totals: tuple[int, ...] = ()
    raw_hits: int = 0
    halved: bool = False
    hits: int = 0
    sixes: int = 0
    canister: bool = False


class SixesCounted(Fact, frozen=True, kw_only=True, tag="half-league.sixes_counted"):
    """The natural sixes against a target in the whole fire phase so far, and what this sub-phase earns (HL-FIR-08)."""

    whose: ClassVar[Whose] = "both"
    target: str
    total_sixes: int
    chits: int
    leader_tests: int


class SaveRolled(Fact, frozen=True, kw_only=True, tag="half-league.save_rolled"):
    """A possible hit was saved or not (HL-SAV-01).

    *natural* 0 and *need* 0: there is no save, the figure is lost without a die.  *need* is that of the stands left
    at that moment.  Several saves of one unit for one cause are told as one table.
    """

    shaded: ClassVar[tuple[str, ...]] = ("need", "modifier", "modifiers", "stands_left")
    unit: str
    cause: Literal["fire", "melee"]
    number: int
    """Of the hits of this cause, from 1."""
    need: int = 0
    natural: int = 0
    modifier: int = 0
    modifiers: tuple[Modifier, ...] = ()
    saved: bool
    stands_left: int = 0


class LeaderTested(Fact, frozen=True, kw_only=True, tag="half-league.leader_tested"):
    """A possible leader kill was tested on the save table (HL-SAV-04).

    *who*: `unit commander`, or the id of the leader with *unit*.
    """

    shaded: ClassVar[tuple[str, ...]] = ("need", "modifier")
    unit: str
    who: str
    cause: Literal["fire", "melee"]
    need: int = 0
    natural: int = 0
    modifier: int = 0
    killed: bool


class LeaderKilled(Fact, frozen=True, kw_only=True, tag="half-league.leader_killed"):
    """A leader fell (HL-SAV-05): a unit commander (*who* `unit commander`), a brigadier or an army commander."""

    who: str
    rank: Literal["unit_commander", "brigadier", "army_commander"] = "unit_commander"
    owners: ClassVar[tuple[str, ...]] = ("points_before", "points_after")

    unit: str
    points_before: int = 0
    points_after: int = 0
    chits: int = 0
    """Each unit concerned takes so many."""
    at: Point


# ------------------------------------------------------------------ charge


class ChargeMorale(Fact, frozen=True, kw_only=True, tag="half-league.charge_morale"):
    """A marked unit tested whether it charges (HL-CHG-02); *auto*: a point or a brigadier passed it unrolled."""

    shaded: ClassVar[tuple[str, ...]] = ("stands", "chits", "total")
    unit: str
    stands: int = 0
    """With its leader stand."""
    chits: int = 0
    natural: int = 0
    total: int = 0
    passed: bool
    auto: bool = False


class DefenderMorale(Fact, frozen=True, kw_only=True, tag="half-league.defender_morale"):
    """Whether the target of a charge stands: *tested* only at two to one or more (HL-CHG-03).

    *ratio* is `10:5`, attackers' stands first.
    """

    shaded: ClassVar[tuple[str, ...]] = ("total",)
    unit: str
    ratio: str
    tested: bool
    natural: int = 0
    total: int = 0
    passed: bool = True
    auto: bool = False


class ChargeMoved(Fact, frozen=True, kw_only=True, tag="half-league.charge_moved"):
    """A charger ran (HL-CHG-04): *needed* to touch, *walked*; *connected*: it fights.

    *target* is whom it touched or ran at; *vacated*: the target is gone, it ran to where that stood (HL-CHG-07).
    *counter*: it did not run, but counts as charging, since its own target charged it first (HL-CHG-08).
    *dice_dropped*, *wheeled*, *stopped_by*, *stopped_at*: as of `unit_moved`.
    """

    owners: ClassVar[tuple[str, ...]] = ("dice_dropped", "wheeled", "stopped_by", "stopped_at")
    shaded: ClassVar[tuple[str, ...]] = ("natural", "allowed")
    trail: ClassVar[tuple[str, ...]] = ("natural", "allowed", "end", "path", "walked")
    unit: str
    target: str
    start: Point
    end: Point | None = None
    """None: it went out of the reader's sight; so of all that run."""
    path: tuple[Point, ...] = ()
    natural: tuple[int, ...] = ()
    allowed: int = 0
    needed: int = 0
    walked: int = 0
    connected: bool
    vacated: bool = False
    counter: bool = False
    dice_dropped: tuple[Dropped, ...] = ()
    wheeled: int = 0
    stopped_by: Stopped | None = None
    stopped_at: str = ""


# ------------------------------------------------------------------ close combat


class FighterDice(Struct, frozen=True):
    """The dice of one unit in a round: one for each stand, then one for each leader stand (*leaders*)."""

    unit: str
    natural: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    modifier: int
    result: tuple[int, ...]
    """Each die with its modifiers, never below 0; leaders' dice with one more."""
    leaders: int = 0
    """How many of the last dice are those of leaders."""
    total: int = 0


class MeleeRound(Fact, frozen=True, kw_only=True, tag="half-league.melee_round"):
    """A round that was a tie, so that another followed (HL-CMB-03)."""

    whose: ClassVar[Whose] = "both"
    combat_id: str
    round: int
    att_dice: tuple[FighterDice, ...]
    def_dice: tuple[FighterDice, ...]
    att_total: int
    def_total: int


class MeleeResolved(Fact, frozen=True, kw_only=True, tag="half-league.melee_resolved"):
    """A close combat was decided (HL-CMB).

    The dice are those of the last round.  *tie_rule*: empty, `wins_ties`, or `attacker loses` after the last round.
    *loser_hits*: natural twos among the loser's dice, possible hits; *leader_tests*: from the winner's sixes;
    *winner_die* with *winner_hits*, *winner_leader_tests*: what the winner takes (0: nothing was at stake).
    """

    whose: ClassVar[Whose] = "both"
    combat_id: str
    attacker: Role
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    at: Point
    att_dice: tuple[FighterDice, ...]
    def_dice: tuple[FighterDice, ...]
    att_total: int
    def_total: int
    rounds: int = 1
    tie_rule: Literal["", "wins_ties", "attacker loses"] = ""
    winner: Role
    winners: Literal["attackers", "defenders"]
    loser_hits: int
    leader_tests: int
    winner_die: int = 0
    winner_hits: int = 0
    winner_leader_tests: int = 0
    winner_chits: int = 0


class UnitWithdrew(Fact, frozen=True, kw_only=True, tag="half-league.unit_withdrew"):
    """A unit fell back (HL-CMB-07); *through*: friends that took a chit each.  *why*: `lost`, `outnumbered`."""

    trail: ClassVar[tuple[str, ...]] = ("natural", "inches", "walked", "gone", "end", "through")
    unit: str
    why: Literal["lost", "outnumbered"] = "lost"
    natural: tuple[int, ...] = ()
    inches: int = 0
    """As far as the dice say, in grains; *walked*: as far as it went; *gone*: off the map."""
    walked: int = 0
    gone: bool = False
    start: Point
    end: Point | None = None
    through: tuple[str, ...] = ()


class UnitRouted(Fact, frozen=True, kw_only=True, tag="half-league.unit_routed"):
    """A unit broke and ran, or ran on (HL-MOR-03, HL-MOR-05); *near*: friends that took a chit."""

    shaded: ClassVar[tuple[str, ...]] = ("chits", "limit")
    trail: ClassVar[tuple[str, ...]] = ("natural", "inches", "end", "near")
    unit: str
    chits: int = 0
    limit: int = 0
    natural: tuple[int, ...] = ()
    inches: int = 0
    start: Point
    end: Point | None = None
    near: tuple[str, ...] = ()
    again: bool = False
    """It was routing already and did not rally."""


class GunsLost(Fact, frozen=True, kw_only=True, tag="half-league.guns_lost"):
    """The gunners ran and the guns stayed (HL-CMB-08); *spiked*: nobody will use them."""

    battery: str
    at: Point
    spike_die: int
    spiked: bool


class GunsCaptured(Fact, frozen=True, kw_only=True, tag="half-league.guns_captured"):
    """A unit holds the place of abandoned guns (HL-CMB-08)."""

    whose: ClassVar[Whose] = "both"
    battery: str
    by: str
    """The unit."""
    holder: Role


class UnitAdvanced(Fact, frozen=True, kw_only=True, tag="half-league.unit_advanced"):
    """A winning attacker went onto the loser's position (HL-CMB-09)."""

    trail: ClassVar[tuple[str, ...]] = ("end",)
    unit: str
    start: Point
    end: Point | None = None
