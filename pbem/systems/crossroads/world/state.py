"""What the field is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side; its own units stand there
whole, of the enemy only what is or was in sight, under the name that the side has for it: an id, or `contact 3`.

Lengths and places are tenths of an inch from the south-west corner of the table (`ground.plane.Point`), facings whole
degrees clockwise from north; the geometry of `field` reckons in thousandths.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.ground.scale import Scale
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over, sets
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.orders import AnyOrder, Formation
from pbem.systems.crossroads.world.patches import Ended, GamePatch, Mark, Phase, Policies, Status, Turned, Watch

FRENCH, GERMAN, AUSTRIAN = Role("french"), Role("german"), Role("austrian")
"""The Austrians are a role of their own only where the option `austrian_side` says so; they then have the red cards."""

INCHES = Scale(10, 1)
"""How tenths of an inch are written: `4.5`."""

Nation = Literal["french", "prussian", "bavarian", "austrian", ""]
"""Empty: not known to the viewer."""
Type = Literal["infantry", "cavalry", "artillery", "mg"]
GUNS: tuple[Type, ...] = ("artillery", "mg")
Subtype = Literal["line", "chasseur", "zouave", "jaeger", "none"]
GONE: tuple[Status, ...] = ("surrendered", "destroyed", "left_field")


class Unit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A battalion, a regiment of cavalry or a battery."""

    id: str
    """In a mind also `contact 3`: seen, not identified; then *nation*, *name* and *strength* are empty."""
    side: Role
    name: str = ""
    nation: Nation = ""
    type: Type
    subtype: Subtype = "none"
    light: bool = False
    elite: bool = False
    strength: int = 0
    """Figures of the whole unit."""
    losses: int = 0
    status: Status = "good"
    formation: Formation
    prone: bool = False
    green: bool = False
    jammed: bool = False
    card: str = ""
    """Its card of this turn: `H7` (GC-CRD-01)."""
    pos: Point | None = None
    """The middle of the front edge; None: not on the table yet."""
    facing: int = 0
    acted: int = 0
    """Activations of this turn."""
    crossing: int | None = None
    """Activations left at a linear obstacle (GC-MOV-03)."""
    attached_officer: str = ""
    arrive: int = 0
    """The turn of arrival."""
    was: Status = "good"
    """Its status before it was gone."""
    exited: bool = False
    """Gone by an exit, by order."""
    guns: Literal["", "left", "captured"] = ""
    """What became of the guns that it has lost: left where *pos* is, or in the enemy's hands (GC-MOR-07)."""

    @property
    def level(self) -> int:
        """The quarters of its strength that it has lost (GC-LVL-01); 0 where that is not known."""
        return min(4 * self.losses // self.strength, 4) if self.strength else 0

    @property
    def gone(self) -> bool:
        """Whether it is off the table for good."""
        return self.status in GONE

    @property
    def stands(self) -> bool:
        """Whether it is on the table."""
        return self.pos is not None and not self.gone

    @property
    def known(self) -> bool:
        """Whether the viewer has identified it."""
        return bool(self.strength)

    @property
    def at(self) -> str:
        """Where it is, as orders write it: `52.0,60.0`."""
        return INCHES.written(self.pos) if self.pos is not None else ""


class Officer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A mounted officer."""

    id: str
    side: Role
    name: str
    nation: Nation
    zoc: int
    """Inches."""
    pos: Point | None = None
    attached: str = ""
    status: Literal["alive", "killed"] = "alive"
    moved: bool = False
    led: bool = False
    """Whether he has led units this turn."""
    arrive: int = 0

    @property
    def killed(self) -> bool:
        """Whether he has fallen."""
        return self.status == "killed"

    @property
    def stands(self) -> bool:
        """Whether he is on the table."""
        return self.pos is not None and not self.killed

    @property
    def at(self) -> str:
        """Where he is, as orders write it."""
        return INCHES.written(self.pos) if self.pos is not None else ""


class Ghost(Struct, frozen=True):
    """In a mind: an enemy as it was last seen, and when."""

    turn: int
    unit: Unit


TraceKind = Literal["move", "charge", "withdraw", "rout", "fire", "melee", "morale", "loss", "card", "gone"]


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen this turn, for the map."""

    turn: int
    seq: int
    """The card on which it happened, as turned: 1 is the first."""
    kind: TraceKind
    side: Role
    points: tuple[Point, ...] = ()
    unit: str = ""
    count: int = 0
    """Figures lost, hits."""


class Battle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The field: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    sides: tuple[Role, Role] = (FRENCH, GERMAN)
    """Red cards, black cards."""
    turn: int = 1
    exchange: int = 1
    phase: Phase = "turn_start"
    seq: int = 0
    """Cards turned this turn."""
    units: dict[str, Unit] = {}
    officers: dict[str, Officer] = {}
    deck: tuple[str, ...] = ()
    """What is still to come, the top first; in truth alone."""
    left: dict[Role, int] = {}
    """Cards still in the deck, by side, without jokers."""
    size: int = 0
    """Cards of the whole deck of this turn; in truth alone."""
    drawn: tuple[Turned, ...] = ()
    """The cards of this turn that are out."""
    controller: Role = Role("")
    jokers: tuple[str, ...] = ()
    """Units that have taken a joker this turn; in a mind only own ones."""
    orders: dict[Role, tuple[AnyOrder, ...]] = {}
    """In a mind only the own ones."""
    policies: dict[Role, Policies] = {}
    watch: dict[Role, Watch] = {}
    holders: dict[str, Role] = {}
    """Who holds each place that counts."""
    options: Options = Options()
    ended: Ended | None = None
    vp: dict[Role, int] = {}
    """The score, when it has been counted."""
    course: tuple[Mark, ...] = ()
    ghosts: dict[str, Ghost] = {}
    """In a mind: enemies that were seen and are out of sight."""
    traces: tuple[Trace, ...] = ()
    named: dict[str, str] = {}
    """In a mind: by label, the id that its bearer turned out to have; an order may use both."""

    def enemy(self, side: Role) -> Role:
        """The other side."""
        return self.sides[0] if side == self.sides[1] else self.sides[1]

    @property
    def pieces(self) -> dict[str, Unit | Officer]:
        """Every piece by its name."""
        return {**self.units, **self.officers}


MERGED = ("left", "orders", "policies", "watch", "holders", "vp")


def _patched(battle: Battle, game: GamePatch) -> Battle:
    if game.turn is not UNSET and game.turn != battle.turn:
        battle = replace(battle, exchange=1, seq=0, drawn=(), jokers=(), deck=(), left={}, size=0, orders={})
    changes = laid_over(battle, game, tables=MERGED, rows=("drawn", "course"))
    if game.jokers is not UNSET:
        changes["jokers"] = (*battle.jokers, *game.jokers)
    return replace(battle, **changes)


def evolve(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    changes: dict[str, object] = {}
    if fact.changes:
        units = dict(battle.units)
        for name, patch in fact.changes.items():
            if name in units:
                units[name] = replace(units[name], **sets(patch))
        changes["units"] = units
    if fact.officers:
        officers = dict(battle.officers)
        for name, other in fact.officers.items():
            if name in officers:
                officers[name] = replace(officers[name], **sets(other))
        changes["officers"] = officers
    if changes:
        battle = replace(battle, **changes)
    return battle if fact.game is None else _patched(battle, fact.game)


def written(value: object) -> str | None:
    """A place as orders and reports write it, in inches; None of anything else."""
    return INCHES.written(value) if isinstance(value, Point) else None
