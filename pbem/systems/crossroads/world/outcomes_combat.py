"""What may come to pass in fire, morale, charge and melee.  Names are the ledger's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.crossroads.tables.morale import Result
from pbem.systems.crossroads.world.fact import Fact, Modifier
from pbem.systems.crossroads.world.patches import Status


class FireResolved(Fact, frozen=True, kw_only=True, tag="crossroads.fire_resolved"):
    """A volley (GC-FIR-02).  Fire makes both sides known to each other; losses and checks follow as facts.

    *volley* is `fire` (a card's), `defensive` (on a charge) or `after_melee`.  A jammed volley has no dice.
    """

    firer: str
    target: str
    volley: Literal["fire", "defensive", "after_melee"]
    range: int
    """Tenths of an inch, footprint to footprint."""
    beyond_half: bool = False
    situation: str
    """The column of the firing chart: column, line, skirmish, far, cover, cover_far."""
    shifted: bool = False
    """Skirmishers: the next harder number of the row (GC-FIR-04)."""
    base_dice: int
    dice_changes: tuple[Modifier, ...] = ()
    count: int
    """Dice thrown."""
    naturals: tuple[int, ...] = ()
    need: int
    """The lowest face that hits."""
    hits: int = 0
    red_die: int = 0
    """Of an MG (GC-FIR-06); 0: none."""
    jammed: bool = False
    half: bool = False


class FiguresLost(Fact, frozen=True, kw_only=True, tag="crossroads.figures_lost"):
    """Figures taken off a unit (GC-FIR-05)."""

    CLOSE: ClassVar[tuple[str, ...]] = ("losses", "level_before", "level_after")

    unit: str
    count: int
    cause: Literal["rifle", "mg", "artillery", "melee"]
    losses: int = 0
    """All that it has lost now."""
    level_before: int = 0
    level_after: int = 0


class OfficerTested(Fact, frozen=True, kw_only=True, tag="crossroads.officer_tested"):
    """Whether an officer fell with his unit's hits (GC-FIR-07, GC-OFF-01), or one alone was ridden down."""

    CLOSE: ClassVar[tuple[str, ...]] = ("natural", "dice")

    officer: str
    unit: str = ""
    cause: Literal["rifle", "mg", "artillery", "melee", "caught"]
    natural: int = 0
    """0: no die was thrown."""
    killed: bool = False


class RallyRolled(Fact, frozen=True, kw_only=True, tag="crossroads.rally_rolled"):
    """A rally (GC-RAL-01)."""

    CLOSE: ClassVar[tuple[str, ...]] = ("level", "natural", "bonus", "total", "need", "die_sides", "dice")
    TELLTALE: ClassVar[Mapping[str, tuple[str, ...]]] = {"bonus": ("GC-ACT-02", "GC-MOR-04")}

    unit: str
    from_status: Status
    row: str = ""
    level: int = 0
    die_sides: int = 0
    natural: int = 0
    """0: not rolled, level 0 passes."""
    bonus: tuple[Modifier, ...] = ()
    total: int = 0
    need: int = 0
    result: Result


class MoraleChecked(Fact, frozen=True, kw_only=True, tag="crossroads.morale_checked"):
    """A check on the morale chart (GC-MOR-02); what comes of it follows as facts."""

    CLOSE: ClassVar[tuple[str, ...]] = ("level", "natural", "bonus", "total", "need", "trigger", "die_sides", "dice")
    TELLTALE: ClassVar[Mapping[str, tuple[str, ...]]] = {"bonus": ("GC-ACT-02", "GC-MOR-04")}

    unit: str
    row: str
    level: int = 0
    die_sides: int = 0
    natural: int = 0
    """0: not rolled, level 0 passes."""
    bonus: tuple[Modifier, ...] = ()
    total: int = 0
    need: int = 0
    """The lowest total that passes."""
    result: Result
    trigger: str = ""
    """The piece that gave rise to it, as the reader knows it, or empty."""


class StatusChanged(Fact, frozen=True, kw_only=True, tag="crossroads.status_changed"):
    """A unit bears another marker, or none (GC-LVL-04)."""

    unit: str
    start: Status
    to: Status
    marker: str = ""
    """blue, white, red; empty: none."""


class WentBack(Fact, frozen=True, kw_only=True):
    """A unit went back as far as it could; *edge*: off the table."""

    START: ClassVar[tuple[str, ...]] = ("start", "inches")
    END: ClassVar[tuple[str, ...]] = ("to", "facing", "inches", "stopped_by", "edge")

    unit: str
    start: Point | None = None
    to: Point | None = None
    facing: int = 0
    inches: int = 0
    stopped_by: str = ""
    edge: bool = False


class UnitWithdrew(WentBack, frozen=True, kw_only=True, tag="crossroads.unit_withdrew"):
    """A unit fell back, its face to the enemy (GC-MOR-06)."""


class UnitRouted(WentBack, frozen=True, kw_only=True, tag="crossroads.unit_routed"):
    """A unit fled (GC-MOR-07)."""


class ChargeStarted(Fact, frozen=True, kw_only=True, tag="crossroads.charge_started"):
    """A charge went in: its check has been passed (GC-CHG-01)."""

    unit: str
    target: str
    distance: int
    volleys: int
    """What the target may fire at it (GC-CHG-02)."""


class ChargeEnded(Fact, frozen=True, kw_only=True, tag="crossroads.charge_ended"):
    """How far a charge came, and why it went no farther."""

    START: ClassVar[tuple[str, ...]] = ("start", "inches")
    END: ClassVar[tuple[str, ...]] = ("to", "inches")

    unit: str
    target: str = ""
    """Whom it touched, if it did."""
    why: Literal["morale", "stopped", "contact", "short", "no_contact"]
    start: Point | None = None
    to: Point | None = None
    inches: int = 0


class MeleeRound(Fact, frozen=True, kw_only=True, tag="crossroads.melee_round"):
    """A round of melee; losses follow as facts (GC-MEL-03)."""

    round: int
    au: str
    du: str
    au_dice: tuple[int, ...]
    du_dice: tuple[int, ...]
    au_base: int
    du_base: int
    au_mods: tuple[Modifier, ...] = ()
    du_mods: tuple[Modifier, ...] = ()
    au_count: int = 0
    du_count: int = 0
    au_hits: int = 0
    du_hits: int = 0


class MeleeEnded(Fact, frozen=True, kw_only=True, tag="crossroads.melee_ended"):
    """Who had the better of it (GC-MEL-04); without a winner the attacker falls back (GC-MEL-03)."""

    winner: str = ""
    loser: str = ""
    loser_status: Status = "good"
    """How it gave way: withdrawn, routed, destroyed."""
    rounds: int = 0


class UnitSurrendered(Fact, frozen=True, kw_only=True, tag="crossroads.unit_surrendered"):
    """A unit laid down its arms (GC-CHG-04, GC-CHG-06)."""

    unit: str
    by: str = ""


class UnitDestroyed(Fact, frozen=True, kw_only=True, tag="crossroads.unit_destroyed"):
    """A unit is no more."""

    unit: str
    by: str = ""
    why: Literal["losses", "guns_left"] = "losses"


class UnitLeftField(Fact, frozen=True, kw_only=True, tag="crossroads.unit_left_field"):
    """A unit is off the table: over the edge, or (*exit*) by an exit as ordered."""

    unit: str
    exit: bool = False


class AdvancedIntoSpace(Fact, frozen=True, kw_only=True, tag="crossroads.advanced_into_space"):
    """A winner took the loser's place (GC-MEL-05)."""

    START: ClassVar[tuple[str, ...]] = ("start",)
    END: ClassVar[tuple[str, ...]] = ("to",)

    unit: str
    start: Point | None = None
    to: Point | None = None


class GunsCaptured(Fact, frozen=True, kw_only=True, tag="crossroads.guns_captured"):
    """Guns that had been left behind fell into enemy hands (GC-MOR-07)."""

    LOUD: ClassVar[bool] = True

    unit: str
    """The unit that has lost them."""
    by: str = ""
    by_side: Role | None = None
