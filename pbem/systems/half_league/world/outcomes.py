"""What may come to pass, under the ledger's names.

Lengths are grains (thousandths of an inch), places `Point`s in grains, bearings hundredths of a degree; `pieces.SCALE`
writes them.  Dice stand in the fact twice: as `dice` (named throws) and as the plain faces of the field `natural`.

A fact is told from the form that its reader gets: `side` is its owner; ids of pieces that he has not identified read
`contact 3`, of those that he does not see `unseen`; fields that he may not know stand at their defaults (empty, 0, or
None), and a teller leaves out what is at its default.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.kernel.event import kinds_of
from pbem.kernel.names import Role
from pbem.rules.view import Result
from pbem.systems.half_league.world import fact as _fact
from pbem.systems.half_league.world import outcomes_combat  # noqa: F401 - its facts are facts of the game too
from pbem.systems.half_league.world.course import Half, Item
from pbem.systems.half_league.world.fact import Dropped, Fact, Stopped, Whose
from pbem.systems.half_league.world.orders import Benefit
from pbem.systems.half_league.world.pieces import Formation

# ------------------------------------------------------------------ set-up and the clock


class UnitPlaced(Fact, frozen=True, kw_only=True, tag="half-league.unit_placed"):
    """A unit or a leader took its place on the field (`new_units`, `new_leaders`).  Not told one by one."""

    whose: ClassVar[Whose] = "owner"
    unit: str


class CommandPointsRolled(Fact, frozen=True, kw_only=True, tag="half-league.command_points_rolled"):
    """A unit's command points were thrown for at set-up (HL-CMD-01).  Told as one table to its owner."""

    whose: ClassVar[Whose] = "owner"
    unit: str
    natural: tuple[int, ...]
    elite: int = 0
    """Added to each die."""
    points: int


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="half-league.phase_began"):
    """Play went on to another phase, segment or turn.  Not told; what follows stands under its heading."""

    whose: ClassVar[Whose] = "both"


class TurnEnded(Fact, frozen=True, kw_only=True, tag="half-league.turn_ended"):
    """A turn came to its end.  Not told."""

    whose: ClassVar[Whose] = "both"


class StandingSet(Fact, frozen=True, kw_only=True, tag="half-league.standing_set"):
    """A policy, or what is done with initiative and flanks, was given; secret.  Told in the order's words."""

    whose: ClassVar[Whose] = "owner"
    role: Role
    text: str


class OrderPlayed(Fact, frozen=True, kw_only=True, tag="half-league.order_played"):
    """What became of one line of a sheet; known to the side that sent it.

    *unit*: whom of those that the line names; *reason*: a code of `reasons`, if it was not done.
    """

    whose: ClassVar[Whose] = "owner"
    role: Role
    line: int
    result: Result
    text: str
    unit: str = ""
    reason: str = ""


class OrderFailed(Fact, frozen=True, kw_only=True, tag="half-league.order_failed"):
    """An order could not be carried out, or only otherwise; *reason* is a code of `reasons`."""

    whose: ClassVar[Whose] = "owner"
    unit: str
    order: str
    reason: str
    line: int = 0


# ------------------------------------------------------------------ initiative and activation


class InitiativeSide(Struct, frozen=True):
    """One side's roll: the die and its modifiers (the enemy reads neither), and the total."""

    veiled: ClassVar[dict[str, object]] = {"natural": None, "modifiers": ()}
    side: Role
    natural: int | None
    modifiers: tuple[_fact.Modifier, ...]
    total: int


class InitiativeRolled(Fact, frozen=True, kw_only=True, tag="half-league.initiative_rolled"):
    """Both rolled for initiative (HL-INI-01).

    *rounds* has one pair for each roll, the last decided; *winner* chose *chosen_side*, which has the initiative and
    begins on *flank* (`charge_flank` in the charge phase).
    """

    whose: ClassVar[Whose] = "both"
    rounds: tuple[tuple[InitiativeSide, ...], ...]
    rerolls: int = 0
    winner: Role
    chosen_side: Role
    flank: Half
    charge_flank: Half


class UnitActivated(Fact, frozen=True, kw_only=True, tag="half-league.unit_activated"):
    """A unit's turn came in a phase that runs by flanks (HL-TRN-02).  Not told."""

    whose: ClassVar[Whose] = "owner"
    unit: str
    half: Half
    order_key: int
    """Its distance from the midline."""


# ------------------------------------------------------------------ movement


class UnitMoved(Fact, frozen=True, kw_only=True, tag="half-league.unit_moved"):
    """A unit (or a leader) moved, turned, wheeled, retired, shifted or prolonged (HL-MOV).

    *how*: the verb of its order.  *path*: where its front went, *start* first.  Seen only at its start, an enemy has
    no *end*, *path* and *walked*; seen only at its end no *start*.  *stopped_at*: what stopped it, by name.
    """

    owners: ClassVar[tuple[str, ...]] = (
        "natural", "dice_count", "pips_lost_chits", "dice_dropped", "allowed", "wheeled", "stopped_by", "stopped_at",
    )  # fmt: skip
    trail: ClassVar[tuple[str, ...]] = ("end", "facing_to", "path", "walked", "through")
    unit: str
    how: str = "move"
    start: Point | None = None
    end: Point | None = None
    facing_from: int | None = None
    facing_to: int | None = None
    path: tuple[Point, ...] = ()
    natural: tuple[int, ...] = ()
    dice_count: int = 0
    pips_lost_chits: int = 0
    dice_dropped: tuple[Dropped, ...] = ()
    allowed: int = 0
    walked: int = 0
    wheeled: int = 0
    """Inches that wheels cost."""
    stopped_by: Stopped | None = None
    stopped_at: str = ""
    through: tuple[str, ...] = ()
    """Friends passed through."""


class ReinforcementMoved(UnitMoved, frozen=True, kw_only=True, tag="half-league.reinforcement_moved"):
    """A unit made a reinforcement move (HL-REI-01); fields as of `unit_moved`."""


class FormationChanged(Fact, frozen=True, kw_only=True, tag="half-league.formation_changed"):
    """A unit changed formation; *slid*: how far sideways to find room, to the right if above 0 (HL-FRM-03)."""

    unit: str
    before: Formation
    after: Formation
    slid: int = 0


class ChargeMarked(Fact, frozen=True, kw_only=True, tag="half-league.charge_marked"):
    """A charge marker was placed (HL-CHG-01)."""

    unit: str
    target: str


class LeaderAttached(Fact, frozen=True, kw_only=True, tag="half-league.leader_attached"):
    """A leader attached to a unit or left it (*unit* empty)."""

    whose: ClassVar[Whose] = "owner"
    leader: str
    unit: str = ""
    before: str = ""


# ------------------------------------------------------------------ morale and command


class ChitRemoved(Fact, frozen=True, kw_only=True, tag="half-league.chit_removed"):
    """A unit lost a chit (HL-MOR-06, HL-CMD-04, HL-CMD-12, HL-MOR-05); the enemy learns of it within identify range.

    *how* tells who paid for it, and is its owner's alone.
    """

    whose: ClassVar[Whose] = "identified"
    owners: ClassVar[tuple[str, ...]] = ("how",)
    unit: str
    how: Literal["", "auto", "point", "brigadier", "army", "rally"] = ""
    left: int = 0


class ChitAdded(Fact, frozen=True, kw_only=True, tag="half-league.chit_added"):
    """A unit took *count* chits; *reason* is a name of `printed.CHITS`; it routs at *limit* (HL-MOR-01, HL-MOR-03).

    The reason is its owner's alone if the enemy did not see what it came of; so are the rules then, but HL-MOR-01.
    """

    whose: ClassVar[Whose] = "identified"
    unit: str
    reason: str = ""
    count: int = 1
    now: int = 0
    limit: int = 0


class RallyRolled(Fact, frozen=True, kw_only=True, tag="half-league.rally_rolled"):
    """A routing unit tried to rally (HL-MOR-05); *good*: its chits are then below its limit."""

    shaded: ClassVar[tuple[str, ...]] = ("stands", "total")
    unit: str
    natural: int
    stands: int = 0
    """With its leader stand."""
    total: int = 0
    passed: bool
    good: bool = False


class CommandPointSpent(Fact, frozen=True, kw_only=True, tag="half-league.command_point_spent"):
    """A benefit was used (HL-CMD-02, HL-CMD-10): by the unit's *commander* for a point, or by its brigadier, free.

    *distance*: to the brigadier.
    """

    whose: ClassVar[Whose] = "owner"
    unit: str
    benefit: Benefit
    left: int
    by: Literal["commander", "brigadier_free"] = "commander"
    distance: int = 0


class CommandPointRefused(Fact, frozen=True, kw_only=True, tag="half-league.command_point_refused"):
    """A benefit that was wanted could not be had; *reason* is a code of `reasons` (HL-CMD-02, HL-CMD-08, HL-CMD-12)."""

    whose: ClassVar[Whose] = "owner"
    unit: str
    benefit: Benefit
    reason: str


class SuccessorRolled(Fact, frozen=True, kw_only=True, tag="half-league.successor_rolled"):
    """A dead brigadier's successor threw for whether he gives his benefit (HL-SAV-05)."""

    whose: ClassVar[Whose] = "owner"
    leader: str
    natural: int
    gives: bool


# ------------------------------------------------------------------ losses


class FigureLost(Fact, frozen=True, kw_only=True, tag="half-league.figure_lost"):
    """A figure came off a stand (HL-SAV-03); told with the save that failed.  *cause*: `fire`, `melee`, `ruling`."""

    whose: ClassVar[Whose] = "identified"
    unit: str
    stand_index: int
    figures_left: int = 0
    cause: str = "fire"


class StandLost(Fact, frozen=True, kw_only=True, tag="half-league.stand_lost"):
    """A stand's last figure went; *stands_left* are left."""

    unit: str
    stand_index: int
    stands_left: int


class UnitLeftField(Fact, frozen=True, kw_only=True, tag="half-league.unit_left_field"):
    """A unit left the map (HL-MOV-13); *why*: `rout`, `withdrawal` or `exit`."""

    unit: str
    why: Literal["rout", "withdrawal", "exit"]
    at: Point


class UnitDestroyed(Fact, frozen=True, kw_only=True, tag="half-league.unit_destroyed"):
    """A unit is no more; *why*: `no stands`, `surrendered`, `gunners ran`, `ruling`."""

    unit: str
    why: Literal["no stands", "surrendered", "gunners ran", "ruling"]
    at: Point


class LeaderMoved(Fact, frozen=True, kw_only=True, tag="half-league.leader_moved"):
    """A leader rode (HL-MOV-12); *back*: an enemy had touched him.  His place alone when his unit took him along."""

    whose: ClassVar[Whose] = "owner"
    leader: str
    start: Point
    end: Point
    natural: tuple[int, ...] = ()
    walked: int = 0
    back: bool = False
    stopped_by: Stopped | None = None


# ------------------------------------------------------------------ knowledge, the end


class Sight(Struct, frozen=True):
    """One piece that came into sight, was identified, or was lost: *unit* as it is now called, *was* as before."""

    unit: str
    level: Literal["seen", "identified", "lost"]
    was: str = ""


class Sighting(Fact, frozen=True, kw_only=True, tag="half-league.sighting"):
    """What a side sees of the enemy changed.

    *new_units*, *new_leaders*: enemy pieces as it now sees them; *removes*: names under which it no longer knows
    one; *sights*: what of that is worth telling.
    """

    only_seen: ClassVar[bool] = True
    whose: ClassVar[Whose] = "owner"
    sights: tuple[Sight, ...] = ()


class VictoryCounted(Fact, frozen=True, kw_only=True, tag="half-league.victory_counted"):
    """The game is over, and this is what it came to (HL-WIN-01)."""

    whose: ClassVar[Whose] = "both"
    items: tuple[Item, ...]
    totals: dict[Role, int]
    result: Literal["allied victory", "russian victory", "drawn field", "ruling"]
    honours: Role | None = None


class ReserveReleased(Fact, frozen=True, kw_only=True, tag="half-league.reserve_released"):
    """The reserve may move (option `reserve_release`); *why*: `turn` or `enemy seen`."""

    whose: ClassVar[Whose] = "owner"
    why: Literal["turn", "enemy seen"]


class GmRuling(Fact, frozen=True, kw_only=True, tag="half-league.gm_ruling"):
    """What the GM put into the state, in the words of his directive."""

    whose: ClassVar[Whose] = "owner"
    text: str = ""


FACTS: tuple[type[Fact], ...] = kinds_of(Fact)
"""Every kind of fact of the game: those of this module, and of `outcomes_combat`."""
