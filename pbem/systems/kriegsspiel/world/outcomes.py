"""What came to pass on the map: facts of the truth about clock, command, papers, marches and sight.

Combat is in `outcomes_fire` and `outcomes_attack`, works in `outcomes_works`; what reaches a commander in
`outcomes_knowledge`.  *unit* is always a key (`red:1/F`).
"""

from __future__ import annotations

from typing import Literal

from pbem.ground.plane import Point
from pbem.kernel.event import kinds_of
from pbem.systems.kriegsspiel.world import (  # noqa: F401 - their facts are facts of the game too
    outcomes_attack,
    outcomes_fire,
    outcomes_knowledge,
    outcomes_works,
)
from pbem.systems.kriegsspiel.world.fact import Fact


class TurnStarted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.turn_started"):
    """A run begins."""

    turn_no: int
    from_move: int


class TurnEnded(Fact, frozen=True, kw_only=True, tag="kriegsspiel.turn_ended"):
    """A run ends."""

    cause: Literal["turn_moves", "interrupt", "pause", "end"]
    interrupts: tuple[str, ...] = ()


class MoveBegan(Fact, frozen=True, kw_only=True, tag="kriegsspiel.move_began"):
    """The clock goes on by two minutes."""


class HaltAnswered(Fact, frozen=True, kw_only=True, tag="kriegsspiel.halt_answered"):
    """A commander who was asked has sent something, or has not."""

    person: str
    answered: bool


class ParleySent(Fact, frozen=True, kw_only=True, tag="kriegsspiel.parley_sent"):
    """A commander sends words to the enemy under a flag of truce; the umpire carries them, or keeps them."""

    person: str
    to: str
    text: str
    carried: bool


class SetupPlaced(Fact, frozen=True, kw_only=True, tag="kriegsspiel.setup_placed"):
    """A unit takes its place at the opening."""

    unit: str
    place: Point | None
    facing: int
    formation: str
    by: Literal["order", "default", "umpire"]


class IntentionFiled(Fact, frozen=True, kw_only=True, tag="kriegsspiel.intention_filed"):
    """What a commander-in-chief means to do, for the umpire and the critique."""

    person: str
    text: str


class ArrivalDue(Fact, frozen=True, kw_only=True, tag="kriegsspiel.arrival"):
    """A unit enters the map."""

    unit: str
    entry: str
    waits: bool = False
    """The entry is held by the enemy."""


class TriggerFired(Fact, frozen=True, kw_only=True, tag="kriegsspiel.trigger_fired"):
    """A condition has come true, and its order takes the place of the queue."""

    unit: str
    condition: str
    order: str


class CommandChanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.command_changed"):
    """A unit has another commander."""

    unit: str
    start: str
    to: str
    cause: str


class UnitDetached(Fact, frozen=True, kw_only=True, tag="kriegsspiel.unit_detached"):
    """Men leave a unit for a duty of their own."""

    unit: str
    parent: str
    men_tw: int
    purpose: str


class UnitRejoined(Fact, frozen=True, kw_only=True, tag="kriegsspiel.unit_rejoined"):
    """A detachment comes back to its unit."""

    unit: str
    parent: str
    men_tw: int


class PaperBegun(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_written"):
    """A commander or an officer writes."""

    message_id: int
    sender: str
    to: str
    words: int
    depart_move: int
    copies: int = 1


class PaperWaiting(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_waiting"):
    """A paper cannot go, or cannot be read."""

    message_id: int
    cause: Literal["no_rider", "in_combat", "totally_defeated"]


class PaperDeparted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_departed"):
    """A rider sets out with a paper."""

    message_id: int
    bearer: str
    at: Point


class PaperRode(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_rode"):
    """Where the bearers of papers have come to in this move."""

    riders: dict[str, Point]


class PaperDelivered(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_delivered"):
    """A paper is put into the hand of whom it is for."""

    message_id: int
    to: str
    at: Point


class PaperRead(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_read"):
    """A paper has been read."""

    message_id: int
    by: str


class PaperCaptured(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_captured"):
    """The enemy takes a rider and his paper."""

    message_id: int
    captor: str
    at: Point


class PaperLost(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_lost"):
    """A paper comes back, or is of no further use."""

    message_id: int
    cause: str


class RiderDiverted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.rider_diverted"):
    """A rider goes round an enemy."""

    message_id: int
    body: str
    delay: int


class OrderEffective(Fact, frozen=True, kw_only=True, tag="kriegsspiel.order_effective"):
    """A unit takes an order as its own."""

    unit: str
    order: str
    by: str
    """`voice`, or the number of the paper in the log."""


class OrderFailed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.order_failed"):
    """An order cannot be carried out, or not any longer."""

    unit: str
    order: str
    reason: str


class OrderDone(Fact, frozen=True, kw_only=True, tag="kriegsspiel.order_done"):
    """A unit has finished the order at the head of its queue."""

    unit: str
    order: str


class ReactionUsed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.reaction_used"):
    """A standing reaction, or what a unit does of itself."""

    unit: str
    key: str
    value: str
    default: bool


class PersonMoved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.person_moved"):
    """A commander rides."""

    person: str
    path: tuple[Point, ...]
    arrived: bool


class PersonCaptured(Fact, frozen=True, kw_only=True, tag="kriegsspiel.person_captured"):
    """A commander is taken."""

    person: str
    by: str
    successor: str


class PersonDown(Fact, frozen=True, kw_only=True, tag="kriegsspiel.person_down"):
    """A commander is wounded."""

    person: str
    until: int


class PersonSucceeded(Fact, frozen=True, kw_only=True, tag="kriegsspiel.person_succeeded"):
    """A player goes on as another person."""

    person: str
    role: str


class UnitMoved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.unit_moved"):
    """A unit has moved."""

    unit: str
    start: Point
    to: Point
    row: str
    paces: int
    cost_pieces: tuple[str, ...] = ()
    """The ground it went over: `even 120`, `slope_10_15 40`."""


class UnitHalted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.unit_halted"):
    """A unit has stopped."""

    unit: str
    cause: Literal["contact", "obstacle", "order", "canister", "end", "friend", "enemy", "road"]
    by: str = ""


class WayFound(Fact, frozen=True, kw_only=True, tag="kriegsspiel.way_found"):
    """The way that a unit will take, fixed when its order takes effect (KS-MOV-18)."""

    unit: str
    way: tuple[Point, ...]


class FormationChanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.formation_changed"):
    """A unit changes its form; *done*: it has."""

    unit: str
    start: str
    to: str
    done: bool


class SkirmishersOut(Fact, frozen=True, kw_only=True, tag="kriegsspiel.skirmishers_out"):
    """Zugs go out."""

    unit: str
    zugs: int
    ahead: int


class SkirmishersIn(Fact, frozen=True, kw_only=True, tag="kriegsspiel.skirmishers_in"):
    """Zugs come in."""

    unit: str
    zugs: int


class FastRateRefused(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fast_rate_refused"):
    """A limited rate is used up; the usual one is taken."""

    unit: str
    row: str
    counter: str


class ColumnDelay(Fact, frozen=True, kw_only=True, tag="kriegsspiel.column_delay"):
    """A column waits: for its tail, for another, at an obstacle."""

    unit: str
    place: Point
    twelfths: int
    """Twelfths of a move."""
    rule: str


class Sighted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.sighted"):
    """An observer sees an enemy body, or sees more of it."""

    observer: str
    body: str
    level: str
    distance: int
    arm: str = ""
    strength_est: int = 0
    pos_est: Point | None = None


class LostFromSight(Fact, frozen=True, kw_only=True, tag="kriegsspiel.lost_from_sight"):
    """An observer no longer sees a body."""

    observer: str
    body: str


class ReportWritten(Fact, frozen=True, kw_only=True, tag="kriegsspiel.report_written"):
    """A unit's officer reports."""

    message_id: int
    unit: str
    priority: str
    events: tuple[str, ...]
    to: str


class RulingMade(Fact, frozen=True, kw_only=True, tag="kriegsspiel.ruling_made"):
    """The umpire has ruled."""

    ruling_id: int
    text: str
    effect: str


class Set(Fact, frozen=True, kw_only=True, tag="kriegsspiel.set"):
    """The umpire sets something on the map."""

    what: str


class Kept(Fact, frozen=True, kw_only=True, tag="kriegsspiel.kept"):
    """Bookkeeping of the rules: what has no name of its own in the ledger."""

    what: str


class WordsPut(Fact, frozen=True, kw_only=True, tag="kriegsspiel.words_put"):
    """An order in words is put before the umpire."""

    unit: str
    text: str


class SignalFired(Fact, frozen=True, kw_only=True, tag="kriegsspiel.signal_fired"):
    """A battery fires a signal."""

    unit: str
    shots: int


class LightChanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.light_changed"):
    """Day, twilight, night."""

    value: str


class MessageTimed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.message_timed"):
    """A message of the scenario enters the map."""

    message_id: int
    to: str


class ScoreItem(Fact, frozen=True, kw_only=True, tag="kriegsspiel.score_item"):
    """An item of the reckoning."""

    item: str
    red: int
    blue: int


class GameEnded(Fact, frozen=True, kw_only=True, tag="kriegsspiel.game_ended"):
    """The game is over."""

    result: str
    text: str


FACTS: tuple[type[Fact], ...] = kinds_of(Fact)
"""Every kind of fact of the game: of the truth, and of what commanders know; of this module and of those beside it."""
