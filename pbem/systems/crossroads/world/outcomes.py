"""What may come to pass: the clock, cards, orders, moves and the end.  Names are the ledger's.

Fire, morale, charges and melees stand in `outcomes_combat`.

How to tell them.  A turn is told card by card: `card_turned` opens a paragraph, and every fact of its *seq* goes on in
it (`follows`, with the place `c<seq>`), till the next.  Facts of *seq* 0 belong to the start of the turn; those of
the phase `turn_end` to its end.  Units stand in a fact under the name that its reader has for them: an id that his
`Battle.units` holds, `contact 3`, or an empty text for one that he does not see (`an unseen enemy`).  Fields at their
defaults may have been kept from him.  Lengths and places are tenths of an inch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.kernel.event import kinds_of
from pbem.kernel.names import Role
from pbem.rules.view import Result as Became
from pbem.systems.crossroads.world import outcomes_combat  # noqa: F401 - its facts are facts of the game too
from pbem.systems.crossroads.world.fact import Cost, Fact
from pbem.systems.crossroads.world.orders import Formation
from pbem.systems.crossroads.world.state import Type, Unit

# ------------------------------------------------------------------ the clock and the cards


class Mustered(Fact, frozen=True, kw_only=True, tag="crossroads.mustered"):
    """A side's units and officers stand on the table as the scenario has them; not told."""

    units: tuple[str, ...]


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="crossroads.phase_began"):
    """Play went on to another phase or turn; not told."""

    LOUD: ClassVar[bool] = True


class OrdersTaken(Fact, frozen=True, kw_only=True, tag="crossroads.orders_taken"):
    """A side's orders and policies stand; its own affair, not told."""


class OrderPlayed(Fact, frozen=True, kw_only=True, tag="crossroads.order_played"):
    """What became of a line of a side's sheet, told to it alone (`Told.line`, `Told.result`)."""

    line: int
    text: str
    result: Became
    reason: str = ""
    """A code of `reasons`; empty if it was done."""
    used_else: int = 0
    """0: the first alternative; 1, 2: an `else`."""
    sheet: int = 0
    """The exchange of the turn for which its sheet was sent: orders of the first stand in the second.  0: not noted."""


class OrderFailed(Fact, frozen=True, kw_only=True, tag="crossroads.order_failed"):
    """A line, or one alternative of it, could not be done on the field; its owner alone learns it.

    *order_line* 0: not a line of the sheet (a default).  What was done instead comes as a fact of its own.
    """

    unit: str
    """The unit or officer."""
    order_line: int = 0
    text: str = ""
    reason: str
    """A code of `reasons`."""
    target: str = ""
    """Whom a charge at the nearest would have gone for."""


class DeckBuilt(Fact, frozen=True, kw_only=True, tag="crossroads.deck_built"):
    """The deck of the turn (GC-CRD-01, GC-CRD-03); with `hidden_reserves` each side gets its own count alone."""

    LOUD: ClassVar[bool] = True

    count_french: int = 0
    """Of the side with the red cards."""
    count_german: int = 0
    control_rolls: tuple[tuple[int, int], ...] = ()
    """Red and black, one pair: a tie leaves the control where it was."""
    controller: Role = Role("")
    order: tuple[str, ...] = ()
    """The GM's alone."""


class CardTurned(Fact, frozen=True, kw_only=True, tag="crossroads.card_turned"):
    """A card came up.  *side* and *joker* are open; *card* and *unit* the owner's, or of whom the other side knows."""

    LOUD: ClassVar[bool] = True

    joker: Literal["", "Joker", "Joker*"] = ""
    card: str = ""
    unit: str = ""
    blank: bool = False
    """Its unit is gone, or (of a joker) there is none to act."""


class ActionTaken(Fact, frozen=True, kw_only=True, tag="crossroads.action_taken"):
    """What a unit does on its card, before the facts of it.

    *action* is a word (`fire`, `move`, `charge`, `none`, …), *halves* the words of both halves if there are two.
    """

    # By the rules that it cites an enemy would know whether there was an order at all.
    OWNERS: ClassVar[tuple[str, ...]] = ("order_line", "text", "used_else", "default", "rules")

    unit: str
    action: str
    halves: tuple[str, ...] = ()
    order_line: int = 0
    """0: no line of the sheet: GC-ACT-05."""
    text: str = ""
    """The alternative, as written."""
    used_else: int = 0
    """0: the first alternative; 1, 2: an `else`."""
    default: bool = False


# ------------------------------------------------------------------ arrivals and sights


class UnitArrived(Fact, frozen=True, kw_only=True, tag="crossroads.unit_arrived"):
    """A unit came onto the table, or was delayed a turn (GC-ARV-01).

    Without `hidden_reserves` both sides hear of it: the enemy, if he does not see it, only of what type it is.
    """

    END: ClassVar[tuple[str, ...]] = ("pos",)

    unit: str
    type: Type
    pos: Point | None = None
    delayed: bool = False


class Sight(Struct, frozen=True, omit_defaults=True):
    """What is new of one enemy."""

    unit: str
    level: Literal["contact", "identified", "lost"]
    was: str = ""
    """The label under which it was known before, if it has just been identified."""


class Sighted(Fact, frozen=True, kw_only=True, tag="crossroads.sighting"):
    """What a side sees of the enemy, made anew after every fact; its own affair.

    *sights* is what there is to tell: who came into sight, was identified, or went out of it.  Empty: nothing; the
    fact then only brings the places and markers of those in sight up to date.
    """

    viewer_side: Role
    sights: tuple[Sight, ...] = ()
    shows: tuple[Unit, ...] = ()
    """Enemies as they now are to see."""
    officers_shown: tuple[tuple[str, str, Point], ...] = ()
    """Enemy officers in sight within `identify_range`: id, name, place.  All of them, each time."""
    forgets: tuple[str, ...] = ()
    """Names under which nothing is known now."""
    lost: tuple[str, ...] = ()
    """Names of those who are out of sight now: they stay as ghosts."""
    empty: tuple[str, ...] = ()
    """Ghosts whose place is in sight, and nobody there."""


# ------------------------------------------------------------------ moves


class UnitMoved(Fact, frozen=True, kw_only=True, tag="crossroads.unit_moved"):
    """A unit walked, wheeled or turned (GC-MOV-02, GC-GEO-01).

    *stopped_by*: `arrived`, `spent` (nothing left), `room` (none to turn), `facing` (nothing left to turn), `enemy`,
    `friend`, `edge`, `closed` (woods or town), `obstacle` (cavalry or guns), or the event that it could not pay:
    `linear`, `contour`, `friend`.  `volley`: of a charge, that goes on from there when the target has fired.
    """

    OWNERS: ClassVar[tuple[str, ...]] = ("allowance", "costs", "left")
    # How far it went tells of the end that was not seen.
    START: ClassVar[tuple[str, ...]] = ("start", "path", "walked")
    END: ClassVar[tuple[str, ...]] = ("to", "facing", "path", "walked", "stopped_by")
    TELLTALE: ClassVar[Mapping[str, tuple[str, ...]]] = {"stopped_by": ("GC-MOV-03", "GC-MOV-05")}

    unit: str
    start: Point | None = None
    to: Point | None = None
    path: tuple[Point, ...] = ()
    """Start, corners, end."""
    facing: int = 0
    """Whole degrees, in the end."""
    allowance: int = 0
    costs: tuple[Cost, ...] = ()
    """What was paid beside the inches: difficult ground, obstacles, contours, friends, wheels; a bonus is below 0."""
    walked: int = 0
    left: int = 0
    stopped_by: str = "arrived"
    wheeled: bool = False


class FormationChanged(Fact, frozen=True, kw_only=True, tag="crossroads.formation_changed"):
    """A unit changed its formation, deployed or limbered (GC-MOV-06)."""

    unit: str
    start: Formation
    to: Formation


class UnitProne(Fact, frozen=True, kw_only=True, tag="crossroads.unit_prone"):
    """A unit lay down: by order, or shaken (GC-FIR-09, GC-MOR-05)."""

    unit: str
    by_order: bool = True


class UnitRisen(Fact, frozen=True, kw_only=True, tag="crossroads.unit_risen"):
    """A unit got up: by order, or charged (GC-FIR-09)."""

    unit: str


class JamCleared(Fact, frozen=True, kw_only=True, tag="crossroads.jam_cleared"):
    """An MG can fire again (GC-FIR-06)."""

    unit: str


class OfficerMoved(Fact, frozen=True, kw_only=True, tag="crossroads.officer_moved"):
    """An officer rode (GC-ACT-02), alone: with his unit he goes without a fact."""

    START: ClassVar[tuple[str, ...]] = ("start", "inches")
    END: ClassVar[tuple[str, ...]] = ("to", "inches")

    officer: str
    start: Point | None = None
    to: Point | None = None
    inches: int = 0


class OfficerAttached(Fact, frozen=True, kw_only=True, tag="crossroads.officer_attached"):
    """An officer is with a unit now; empty: with none."""

    officer: str
    unit: str = ""


class GroupMoved(Fact, frozen=True, kw_only=True, tag="crossroads.group_moved"):
    """A Prussian officer moves several units on one card (GC-ACT-03); their moves follow as facts of their own."""

    OWNERS: ClassVar[tuple[str, ...]] = ("move",)

    officer: str
    card_unit: str
    units: tuple[str, ...]
    move: str = ""
    """The line, as written."""


class ObstacleStarted(Fact, frozen=True, kw_only=True, tag="crossroads.obstacle_started"):
    """Cavalry or guns began to cross a linear obstacle (GC-MOV-03); or go on with it, without a die."""

    CLOSE: ClassVar[tuple[str, ...]] = ("die", "left", "dice")

    unit: str
    die: int = 0
    left: int = 0
    """Activations that it still needs after this one."""


class ObstacleCrossed(Fact, frozen=True, kw_only=True, tag="crossroads.obstacle_crossed"):
    """It stands beyond."""

    END: ClassVar[tuple[str, ...]] = ("to",)

    unit: str
    to: Point | None = None


# ------------------------------------------------------------------ the end


class TurnEnded(Fact, frozen=True, kw_only=True, tag="crossroads.turn_ended"):
    """The cards are out; green markers come off (GC-END-01)."""

    LOUD: ClassVar[bool] = True


class PlaceTaken(Fact, frozen=True, kw_only=True, tag="crossroads.place_taken"):
    """Another side holds a place that counts (GC-WIN-01): told to it, and to the other if it sees the *unit* there."""

    place: str
    by_side: Role
    unit: str


class VictoryItem(Struct, frozen=True, omit_defaults=True):
    """What a side scored for, and how much."""

    side: Role
    what: str
    """`La Folie Crossroads held`, `PR-3 destroyed`, `KO-1 killed`"""
    points: int


class VictoryCounted(Fact, frozen=True, kw_only=True, tag="crossroads.victory_counted"):
    """The score at the end of the last turn (GC-WIN-01)."""

    LOUD: ClassVar[bool] = True

    items: tuple[VictoryItem, ...]
    totals: dict[Role, int]
    winner: Role | None
    """None: a draw."""
    result: Literal["victory", "marginal", "draw"]


class GmRuling(Fact, frozen=True, kw_only=True, tag="crossroads.gm_ruling"):
    """The GM set something; of a piece of one side, the other learns only what it sees of it."""

    OWNERS: ClassVar[tuple[str, ...]] = ("text",)

    unit: str = ""
    text: str = ""


FACTS: tuple[type[Fact], ...] = kinds_of(Fact)
"""Every kind of fact of the game: those of this module, and of `outcomes_combat`."""
