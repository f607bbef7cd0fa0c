"""What stands on the field: units, leaders and guns, and whose they are.

Lengths are grains, thousandths of an inch; bearings hundredths of a degree.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.bearing import DEGREE
from pbem.ground.plane import Point
from pbem.ground.scale import Scale
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.half_league.tables.printed import INCH
from pbem.systems.half_league.world.orders import Benefit

ALLIED, RUSSIAN = Role("allied"), Role("russian")
SIDES = (ALLIED, RUSSIAN)
ENEMY = {ALLIED: RUSSIAN, RUSSIAN: ALLIED}
SCALE = Scale(INCH, 1)
"""How lengths and places are written: inches with one decimal."""

Type = Literal["infantry", "cavalry", "foot_artillery", "horse_artillery"]
Class = Literal["elite", "regular", "second"]
Arm = Literal["musket", "rifle", "carbine", "gun", "none"]
Formation = Literal[
    "skirmish", "line", "double_line", "column", "road_column", "square", "dismounted", "limbered", "unlimbered"
]
Status = Literal["good", "routing", "destroyed", "left_field", "guns_abandoned"]
ON_FIELD: tuple[Status, ...] = ("good", "routing")
Activity = Literal["none", "moved", "changed", "pulled", "charging", "rallied", "prolonged"]
Mode = Literal["none", "brigadier", "army"]


def side_of(role: Role) -> Role:
    """The side that a role is of: `allied.guards` is of `allied`."""
    return Role(role.partition(".")[0])


class Unit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A regiment or a battery."""

    id: str
    name: str = ""
    """Empty, as the brigade is: an enemy that is not identified."""
    nation: str = ""
    side: Role
    brigade: str = ""
    type: Type
    cls: Class = "regular"
    arm: Arm = "none"
    full: tuple[int, ...] = ()
    """Figures on each stand at the start; of an enemy that is not identified as *stand_figures*."""
    stand_figures: tuple[int, ...] = ()
    """Figures left on each stand; of guns each gunner is a stand.  Of an enemy out of identify range: full stands."""
    may_skirmish: bool = False
    formation: Formation
    front: Point = Point(0, 0)
    """The middle of its front edge: the ledger's pos."""
    bearing: int = 0
    """Where it looks, in hundredths of a degree: the ledger's facing."""
    chits: int = 0
    status: Status = "good"
    cp_dice: int = 0
    command_points: int = 0
    command_points_start: int = 0
    commander_lost: int = 0
    wins_ties: bool = False
    charge_target: str = ""
    """The id of the enemy that its charge marker names; empty: it has none."""
    charge_else: bool = False
    """`else nearest`."""
    charge_place: Point | None = None
    """Where the target of the charge was when it was last seen, or stood before it withdrew."""
    charged: bool = False
    """It made a charge move this turn, or counts as charging (HL-CHG-08)."""
    charge_test: Literal["", "passed", "failed"] = ""
    stood: Literal["", "stood", "failed"] = ""
    """What came of its test against two to one this turn (HL-CHG-03)."""
    charged_from: Point | None = None
    """Of a charger that touched: where its front was before it ran; what it ran at is behind what lies between."""
    from_rear: tuple[str, ...] = ()
    """Of a charger: the enemies behind whom it started (HL-CMB-02)."""
    activity: Activity = "none"
    pulled_too: bool = False
    """It pulled a chit, whatever else it did (HL-FIR-06)."""
    last_forward: int = 0
    stationary_turns: int = 0
    stirred: bool = False
    """It moved, turned, changed formation, withdrew or fought this turn (HL-FIR-10)."""
    fired: bool = False
    engaged: bool = False
    fired_at: tuple[str, ...] = ()
    """Whom it fired at this turn; *fired_before*: in the turn before (HL-FIR-05)."""
    fired_before: tuple[str, ...] = ()
    began: Point | None = None
    """Its front at the start of the turn; *began_bearing* where it looked (HL-FIR-05)."""
    began_bearing: int = 0
    benefits_used: tuple[Benefit, ...] = ()
    """Those that its own points paid for this turn."""
    favours: tuple[Benefit, ...] = ()
    """Those that its brigadier gave it this turn."""
    sixes: int = 0
    """Natural sixes against it in this turn's fire phase (HL-FIR-08)."""
    owed_chits: tuple[str, ...] = ()
    """The reasons of chits earned in this phase that are placed at its end (HL-SEQ-02)."""
    fallen: int = 0
    """Figures lost."""
    shown_turn: int = 0
    """The turn in which it last fired at, was fired at by, or fought the enemy: then it is identified."""
    identified: bool = True
    """In a mind: its id, name and class are known."""
    chits_known: int = 0
    """In a mind, of an enemy: the turn of which its chits and figures are known; 0: never."""
    last_seen: int = 0
    """In a mind, of an enemy out of sight: the turn in which it was last seen; 0: it is in sight."""

    @property
    def pos(self) -> str:
        """The middle of its front edge, in inches."""
        return SCALE.written(self.front)

    @property
    def facing(self) -> int:
        """Where it looks, in whole degrees."""
        return (self.bearing + DEGREE // 2) // DEGREE % 360

    @property
    def stands(self) -> int:
        """Stands left; of guns gunners."""
        return sum(1 for figures in self.stand_figures if figures)

    @property
    def figures(self) -> int:
        """Figures left."""
        return sum(self.stand_figures)

    @property
    def there(self) -> bool:
        """Whether it is on the field."""
        return self.status in ON_FIELD

    @property
    def guns(self) -> bool:
        """Whether it is a battery."""
        return self.type in ("foot_artillery", "horse_artillery")

    @property
    def gone(self) -> bool:
        """Whether it is out of the game."""
        return not self.there

    @property
    @rule("HL-MOR-03", "HL-MOR-05")
    def routing(self) -> bool:
        """Whether it runs, and only tries to rally."""
        return self.status == "routing"

    @property
    @rule("HL-MOR-03")
    def in_order(self) -> bool:
        """Whether it is on the field, and not routing."""
        return self.status == "good"

    @property
    @rule("HL-MOV-07", "HL-GEO-03")
    def in_square(self) -> bool:
        """Whether it stands in square: it looks every way, and stays where it is."""
        return self.formation == "square"

    @property
    @rule("HL-MOV-08", "HL-CMB-08")
    def unlimbered(self) -> bool:
        """Whether it is a battery in action: its gunners move it by hand, and run without it."""
        return self.formation == "unlimbered"


class Leader(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A brigadier or an army commander."""

    id: str
    name: str
    kind: Literal["brigadier", "army"]
    side: Role
    brigade: str = ""
    front: Point = Point(0, 0)
    attached_to: str = ""
    attached_since_start_of_turn: bool = False
    status: Literal["ok", "killed_replaced", "dead"] = "ok"
    modes: dict[str, Mode] = {}
    """Of a brigade: which of the two has used his benefit on it this turn; kept with its brigadier (HL-CMD-12)."""
    pulls: int = 0
    """Of an army commander: removals this turn."""
    favour: Benefit | Literal[""] = ""
    """Of a brigadier: the benefit that he gives this turn (HL-CMD-10)."""
    successor: Literal["", "gives", "gives not"] = ""
    """Of a brigadier's successor: what came of his die this turn (HL-SAV-05)."""
    last_seen: int = 0
    """In a mind, of an enemy."""

    @property
    @rule("HL-SAV-05")
    def fallen(self) -> bool:
        """Whether he is dead, and nobody follows him."""
        return self.status == "dead"

    @property
    @rule("HL-SAV-05")
    def replaced(self) -> bool:
        """Whether he is dead, and a successor has his place."""
        return self.status == "killed_replaced"

    @property
    def pos(self) -> str:
        """Where he is, in inches."""
        return SCALE.written(self.front)


class Guns(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Guns without their gunners."""

    id: str
    front: Point
    bearing: int = 0
    models: int = 1
    owner_unit: str
    side: Role
    """Whose they were."""
    state: Literal["abandoned", "spiked", "captured"] = "abandoned"
    held_by: Role | None = None
