"""What the battle is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: of the enemy it holds the
pieces that are in sight, as they look, under the id of those that are identified and else as `contact 3`; and those
that were in sight before, as they were then (*last_seen*).  Lengths are grains, thousandths of an inch; bearings
hundredths of a degree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.plane import Point, Scale
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over, sets
from pbem.systems.half_league.options import Options
from pbem.systems.half_league.orders import Benefit, Policy
from pbem.systems.half_league.tables import INCH

if TYPE_CHECKING:
    from pbem.systems.half_league.fact import Fact

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
Half = Literal["west", "east"]
Phase = Literal[
    "setup", "initiative", "move", "fire_artillery", "fire_small", "charge", "melee", "reinforce", "end", "over"
]
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


class Command(Struct, frozen=True, omit_defaults=True):
    """What a side's senior player wants of the sequence, until he says otherwise."""

    initiative: Literal["take", "give"] = "take"
    flank: Half | Literal[""] = ""
    """Empty: the half with more own units (HL-TRN-02)."""
    charge_flank: Half | Literal[""] = ""


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen this turn, for the map."""

    turn: int
    phase: str
    kind: Literal["move", "charge", "withdraw", "rout", "fire", "melee"]
    side: Role
    unit: str
    points: tuple[Point, ...]
    count: int = 0
    """Hits of a fire, figures lost at a place."""


class Mark(Struct, frozen=True):
    """The course of the game after one turn, for the plots."""

    turn: int
    fallen: dict[Role, int]
    """Figures lost by each side; in a mind the own ones, and those of the enemy that were seen to fall."""
    points: dict[Role, int]
    """What both would count if the game ended now; empty in a mind: they tell of places and losses out of sight."""


class Item(Struct, frozen=True):
    """One thing that counts for victory."""

    side: Role
    what: str
    """`Great Redoubt`, `destroyed`, `routing`, `battery`, `brigadier`, `army commander`, `left by the road`."""
    count: int
    points: int


class Ended(Struct, frozen=True):
    """How the game ended."""

    winner: Literal["allied", "russian", "draw"]
    how: Literal["victory", "honours", "draw", "ruling"]
    """`honours`: a drawn field, of which the winner has the honours."""
    allied: int = 0
    russian: int = 0
    items: tuple[Item, ...] = ()


class Forced(Struct, frozen=True):
    """A ruling that waits: the dice that a throw is to show."""

    throw: str
    faces: tuple[int, ...]


class Battle(Struct, frozen=True, kw_only=True):
    """The battle: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    """The side whose knowledge this is; roles of one side know the same."""
    roles: tuple[Role, ...] = SIDES
    turn: int = 0
    phase: Phase = "setup"
    initiative: Role | None = None
    """Who has it this turn."""
    held: Role | None = None
    """Who had it the turn before (HL-INI-01)."""
    chose: Role | None = None
    """Who won the roll this turn."""
    flank: Half | Literal[""] = ""
    charge_flank: Half | Literal[""] = ""
    wins: dict[Role, int] = {}
    """Close combats won this turn; *won_before*: in the turn before."""
    won_before: dict[Role, int] = {}
    units: dict[str, Unit] = {}
    leaders: dict[str, Leader] = {}
    guns: dict[str, Guns] = {}
    command: dict[Role, Command] = {}
    """In a mind only the own one."""
    policies: dict[Role, tuple[Policy, ...]] = {}
    """By role, the newest of each kind and scope; in a mind only the own side's."""
    labels: dict[Role, dict[str, str]] = {}
    """In truth alone: what each side calls those pieces of the enemy that it sees."""
    contacts: dict[Role, int] = {}
    """In truth alone: how many contacts each side has had."""
    fights: tuple[tuple[str, ...], ...] = ()
    """The close combats of this turn in the order in which they came about: the units of each, chargers first."""
    released: bool = False
    """The reserve may move (option `reserve_release`)."""
    exits: dict[Role, int] = {}
    """Units that left by their road."""
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Mark, ...] = ()
    traces: tuple[Trace, ...] = ()
    enemy_fallen: int = 0
    """In a mind: figures of the enemy that were seen to fall."""

    @property
    def pieces(self) -> dict[str, object]:
        """Every piece by its id."""
        return {**self.units, **self.leaders, **self.guns}

    @property
    def told_turn(self) -> int:
        """The turn that is being played, or, while a new one waits to begin, that which was played last."""
        return max(self.turn - (self.phase == "initiative"), 1)

    def of(self, side: Role) -> list[Unit]:
        """The units of a side that are on the field, by id."""
        return [unit for _, unit in sorted(self.units.items()) if unit.side == side and unit.there]


class UnitPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a unit that a fact sets, under the names of `Unit`."""

    stand_figures: tuple[int, ...] | UnsetType = UNSET
    formation: Formation | UnsetType = UNSET
    front: Point | UnsetType = UNSET
    bearing: int | UnsetType = UNSET
    chits: int | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    command_points: int | UnsetType = UNSET
    command_points_start: int | UnsetType = UNSET
    commander_lost: int | UnsetType = UNSET
    wins_ties: bool | UnsetType = UNSET
    charge_target: str | UnsetType = UNSET
    charge_else: bool | UnsetType = UNSET
    charge_place: Point | UnsetType | None = UNSET
    charged: bool | UnsetType = UNSET
    charge_test: Literal["", "passed", "failed"] | UnsetType = UNSET
    stood: Literal["", "stood", "failed"] | UnsetType = UNSET
    charged_from: Point | UnsetType | None = UNSET
    from_rear: tuple[str, ...] | UnsetType = UNSET
    activity: Activity | UnsetType = UNSET
    pulled_too: bool | UnsetType = UNSET
    last_forward: int | UnsetType = UNSET
    stationary_turns: int | UnsetType = UNSET
    stirred: bool | UnsetType = UNSET
    fired: bool | UnsetType = UNSET
    engaged: bool | UnsetType = UNSET
    fired_at: tuple[str, ...] | UnsetType = UNSET
    fired_before: tuple[str, ...] | UnsetType = UNSET
    began: Point | UnsetType | None = UNSET
    began_bearing: int | UnsetType = UNSET
    benefits_used: tuple[Benefit, ...] | UnsetType = UNSET
    favours: tuple[Benefit, ...] | UnsetType = UNSET
    sixes: int | UnsetType = UNSET
    owed_chits: tuple[str, ...] | UnsetType = UNSET
    fallen: int | UnsetType = UNSET
    shown_turn: int | UnsetType = UNSET
    cls: Class | UnsetType = UNSET
    arm: Arm | UnsetType = UNSET
    may_skirmish: bool | UnsetType = UNSET


class LeaderPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a leader that a fact sets, under the names of `Leader`."""

    name: str | UnsetType = UNSET
    front: Point | UnsetType = UNSET
    attached_to: str | UnsetType = UNSET
    attached_since_start_of_turn: bool | UnsetType = UNSET
    status: Literal["ok", "killed_replaced", "dead"] | UnsetType = UNSET
    modes: dict[str, Mode] | UnsetType = UNSET
    pulls: int | UnsetType = UNSET
    favour: Benefit | Literal[""] | UnsetType = UNSET
    successor: Literal["", "gives", "gives not"] | UnsetType = UNSET


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game that a fact sets, under the names of `Battle`.

    Tables by side, role or id replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    initiative: Role | UnsetType | None = UNSET
    held: Role | UnsetType | None = UNSET
    chose: Role | UnsetType | None = UNSET
    flank: Half | Literal[""] | UnsetType = UNSET
    charge_flank: Half | Literal[""] | UnsetType = UNSET
    wins: dict[Role, int] | UnsetType = UNSET
    won_before: dict[Role, int] | UnsetType = UNSET
    guns: dict[str, Guns] | UnsetType = UNSET
    command: dict[Role, Command] | UnsetType = UNSET
    policies: dict[Role, tuple[Policy, ...]] | UnsetType = UNSET
    labels: dict[Role, dict[str, str]] | UnsetType = UNSET
    """The whole table of each side that it names."""
    contacts: dict[Role, int] | UnsetType = UNSET
    fights: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    released: bool | UnsetType = UNSET
    exits: dict[Role, int] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    course: Mark | UnsetType = UNSET


MERGED = ("wins", "won_before", "guns", "command", "policies", "labels", "contacts", "exits")
"""Attributes of a patch that are tables, of which it replaces entries."""


def _patched(battle: Battle, game: GamePatch) -> Battle:
    return replace(battle, **laid_over(battle, game, tables=MERGED, rows=("course",)))


def evolve(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    if fact.only_seen and battle.viewer is None:
        return battle if fact.game is None else _patched(battle, fact.game)
    changes: dict[str, object] = {}
    if fact.units or fact.new_units:
        units = dict(battle.units)
        units |= {unit.id: unit for unit in fact.new_units}
        for name, patch in fact.units.items():
            if name in units:
                units[name] = replace(units[name], **sets(patch))
        changes["units"] = {name: unit for name, unit in units.items() if name not in fact.removes}
    if fact.leaders or fact.new_leaders:
        leaders = dict(battle.leaders)
        leaders |= {leader.id: leader for leader in fact.new_leaders}
        for name, given in fact.leaders.items():
            if name in leaders:
                leaders[name] = replace(leaders[name], **sets(given))
        changes["leaders"] = leaders
    if fact.removes:
        for table in ("units", "leaders", "guns"):
            now = changes.get(table, getattr(battle, table))
            changes[table] = {name: one for name, one in now.items() if name not in fact.removes}  # type: ignore[attr-defined] # a table
    if changes:
        battle = replace(battle, **changes)
    return battle if fact.game is None else _patched(battle, fact.game)


def written(value: object) -> str | None:
    """A place as orders and reports write it, in inches; None of anything else."""
    return SCALE.written(value) if isinstance(value, Point) else None
