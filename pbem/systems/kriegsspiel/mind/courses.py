"""What a commander's own page says that a unit is carrying out: paper after paper, task after task (KS-SIT-09).

Nothing here is known but to him: what he ordered and when it should be there, receipts, what the unit last told.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from pbem.ground.plane import distance
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.duties import IN_COLUMN, order_of_march, with_lines
from pbem.systems.kriegsspiel.scene.forces import new_unit
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables.knowledge import READING_MOVES
from pbem.systems.kriegsspiel.world.dispatches import OwnState
from pbem.systems.kriegsspiel.world.forms import COLUMNS, ROUTE, depth_of, gap_behind
from pbem.systems.kriegsspiel.world.mind import Mind, Sent
from pbem.systems.kriegsspiel.world.orders import Line, Order
from pbem.systems.kriegsspiel.world.troops import Duty, Unit

ACTS_AFTER = READING_MOVES["unit"] + 1
"""Moves from the one in which a unit has a paper in hand to the one in which it acts on it (KS-MSG-05, KS-MSG-06)."""

REACHED = 60
"""Paces from the end of a march within which it is taken to be done."""

WALKS = ("march", "retire", "hold", "occupy")
"""Orders to go to a place, whose time the march table gives."""

AT_ONCE = (
    "halt", "form", "face", "limber", "unlimber", "skirmishers_in", "skirmishers_out", "order_of_march", "rally",
    "report", "signal", "dismount", "mount", "words", "release", "send_wagons", "patrol", "post", "detach",
)  # fmt: skip
"""Orders that keep a unit from its next task no longer than a move or two."""


class Course:
    """What a unit has to do by its commander's page, move by move."""

    def __init__(self, scene: Scene, mind: Mind, unit: str) -> None:
        self.duty = Duty()
        papers = [
            (max(due, 1), _own(scene, mind, unit, since, lines))
            for since, lines in mind.orders.get(unit, ())
            if (due := _due(mind, since, lines)) is not None
        ]
        self._papers = sorted(papers, key=lambda one: one[0])

    def next_after(self, move: int) -> int | None:
        """The next move in which something new comes into force; None: there is nothing to come."""
        timed = [test.move for one in self.duty.triggers if (test := one.line.test) and test.kind == "time"]
        return min((due for due in (*(due for due, _ in self._papers), *timed) if due > move), default=None)

    @rule("KS-CMD-07", "KS-CMD-08", "KS-CMD-15")
    def reach(self, start: int, end: int) -> None:
        """Take in what comes into force after the move *start*, up to the move *end*."""
        move = self.next_after(start)
        while move is not None and move <= end:
            for due, lines in self._papers:
                if due == move and lines:
                    self.duty = with_lines(self.duty, lines)
            self._fire(move)
            move = self.next_after(move)

    def _fire(self, move: int) -> None:
        """`at 07:00: …`: what waits for an hour is begun in it."""
        for trigger in self.duty.triggers:
            test, order = trigger.line.test, trigger.line.order
            if test is None or order is None or test.kind != "time" or test.move > move:
                continue
            queue = self.duty.queue if trigger.line.then else ()
            left = tuple(one for one in self.duty.triggers if one is not trigger)
            self.duty = replace(self.duty, queue=(*queue, order, *trigger.after), triggers=left)

    def done(self) -> None:
        """The first task is finished."""
        self.duty = replace(self.duty, queue=self.duty.queue[1:])

    @rule("KS-SIT-09")
    def told(self, state: OwnState) -> None:
        """Drop what the unit has finished, by the task on which it said that it was."""
        if not state.doing:
            self.duty = replace(self.duty, queue=())
            return
        chains = (self.duty.queue, *((one.line.order, *one.after) for one in self.duty.triggers if one.line.order))
        for chain in chains:
            texts = [order.text for order in chain]
            if state.doing in texts:
                self.duty = replace(self.duty, queue=chain[texts.index(state.doing) :])
                return
        self.seen(state)

    @rule("KS-SIT-09")
    def seen(self, state: OwnState) -> None:
        """Drop the marches whose end it has reached, where it has not said what it does."""
        queue = self.duty.queue
        for number in range(len(queue), 0, -1):
            order = queue[number - 1]
            if order.verb in WALKS and order.to and distance(order.to[-1].at, state.at) <= short_of(order) + REACHED:
                self.duty = replace(self.duty, queue=queue[number:])
                return


def short_of(order: Order) -> int:
    """Paces before its end at which a march in column behind others ends."""
    return order.number or 0 if order.verb in IN_COLUMN else 0


# ------------------------------------------------------------------ papers


@rule("KS-MSG-05", "KS-MSG-09", "KS-SIT-09")
def _due(mind: Mind, since: int, lines: tuple[Line, ...]) -> int | None:
    """When a paper should be acted on, by its receipt if there is one; None: it has not left."""
    sent = _sent(mind, since, lines)
    if sent is None:
        return since
    if sent.received is not None:
        return sent.received + ACTS_AFTER
    if sent.cancelled or sent.waiting or sent.back is not None:
        return None
    return since + max(0, sent.leaves - sent.written - 1)


def _sent(mind: Mind, since: int, lines: tuple[Line, ...]) -> Sent | None:
    """The paper of his by which lines went."""
    papers = _by_hour(mind.sent).get(since - ACTS_AFTER, ())
    return next((sent for sent in papers if all(line in sent.lines for line in lines)), None)


@lately(2)
def _by_hour(papers: tuple[Sent, ...]) -> dict[int | None, list[Sent]]:
    """Papers by the move in which each will likely be there."""
    found: dict[int | None, list[Sent]] = {}
    for sent in papers:
        found.setdefault(sent.likely, []).append(sent)
    return found


# ------------------------------------------------------------------ groups


@rule("KS-CMD-11")
def _own(scene: Scene, mind: Mind, unit: str, since: int, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of a paper as one unit takes them: a march of its group ends behind those before it."""
    return tuple(
        replace(line, order=_behind_others(scene, mind, unit, since, lines, line)) if line.order is not None else line
        for line in lines
    )


def _behind_others(
    scene: Scene, mind: Mind, unit: str, since: int, lines: tuple[Line, ...], line: Line
) -> Order | None:
    order = line.order
    if order is None:
        return None
    if order.verb == "follow":
        return _with_leader(scene, mind, unit, since, line.line, order)
    if order.verb not in IN_COLUMN or line.unit == unit:
        return order
    members = order_of_march(scene, mind.side, line.unit, lines)
    if unit not in members:
        return order
    before = members[: members.index(unit) + 1]
    return replace(order, number=sum(room(scene, mind, *pair) for pair in pairwise(before)))


def _with_leader(scene: Scene, mind: Mind, unit: str, since: int, number: int, order: Order) -> Order:
    """Of a unit that follows another by the same line of a paper: the march of that one, so far behind it."""
    for then, lines in mind.orders.get(order.unit, ()):
        for line in lines:
            lead = line.order
            if then != since or line.line != number or lead is None or lead.text != order.text or lead is order:
                continue
            ahead = _with_leader(scene, mind, order.unit, since, number, lead) if lead.verb == "follow" else lead
            if ahead.verb in IN_COLUMN:
                return replace(ahead, number=short_of(ahead) + room(scene, mind, order.unit, unit), units=())
    return order


def on_the_road(scene: Scene, mind: Mind, unit: str) -> Unit | None:
    """A unit in column as its commander may think of it; None: it is not in the order of battle."""
    plan = scene.units.get(f"{mind.side}:{unit}")
    if plan is None:
        return None
    made, known = new_unit(plan, mind.options), mind.own.get(unit)
    form = known.state.formation if known is not None else made.place.formation
    form = form if form in COLUMNS else ROUTE[plan.arm]
    return replace(made, place=replace(made.place, formation=form, marched=5))


@rule("KS-FRM-02", "KS-MOV-17")
def room(scene: Scene, mind: Mind, ahead: str, unit: str) -> int:
    """Paces from the head of one column to the head of the one behind it."""
    one, other = on_the_road(scene, mind, ahead), on_the_road(scene, mind, unit)
    return depth_of(one) + gap_behind(one, other) if one is not None and other is not None else 0
