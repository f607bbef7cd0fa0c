"""A sheet in plain words: what is said and written, when it will likely be in whose hands, what cannot be known.

All by the writer's page: where he believes his troops to be, the ways that he knows, the enemies that he has heard of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.prose import listed
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.command.papers import ride_moves, rider_way, words_of, writing_moves
from pbem.systems.kriegsspiel.mind.beliefs import shunned, split_by
from pbem.systems.kriegsspiel.mind.coming import awaited
from pbem.systems.kriegsspiel.scene import words
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.sheets.chances import clauses, eyes_of
from pbem.systems.kriegsspiel.tables.knowledge import READING_MOVES
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.mind import Mind

NOT_KNOWN = (
    "Not known: whether a rider gets through, where your troops truly are when he comes, and what the enemy does "
    "meanwhile.  Times are reckoned from your page."
)
HIGHER = "higher headquarters"


class _Plan:
    """A sheet being restated."""

    def __init__(self, scene: Scene, mind: Mind, role: Role) -> None:
        self.scene, self.mind = scene, mind
        self.bench = Bench(scene, mind, role)
        self.eyes = eyes_of(scene, mind, role)
        self.setup = mind.phase.startswith("setup")
        self.writing = mind.move + mind.options.decision_moves
        """The move in which the paper before is finished."""
        self.riders = mind.riders
        self.start = mind.at

    # ------------------------------------------------------------ papers

    @rule("KS-MSG-03", "KS-MSG-05", "KS-SIT-10")
    def paper(self, order: say.Dispatch) -> Iterator[tuple[int, str]]:
        """A paper: when it leaves, when it is likely there, and each of its lines."""
        yield order.line, f"{self._head(order)}  {self._who(order)}".strip()
        for line in order.lines:
            who = f"{line.unit}: " if line.unit != order.to else ""
            yield line.line, f"    {who}{words.line_words(self.scene, line)}{clauses(self.eyes, line)}."
        if order.text:
            count = len(order.text.split())
            yield order.line, f"    {count} words of text."

    def _head(self, order: say.Dispatch) -> str:
        to = self._name(order.to)
        what = "Letter" if order.letter else "Paper"
        if self.setup:
            return f"{what} to {to}: in hand at the opening, without a rider."
        moves = writing_moves(words_of(order.lines, order.text))
        self.writing += moves
        parts = [f"written in {words.moves_words(moves)}, leaves at {self.scene.clock(self.writing)}"]
        if order.copies > 1:
            parts[0] += ", the second copy two moves after it"
        self.riders -= order.copies
        if self.riders < 0:
            parts.append("no rider is free by your page: it waits until one is back")
        else:
            parts += self._arrival(order)
        if not order.receipt:
            parts.append("no receipt")
        return f"{what} to {to}: {'; '.join(parts)}."

    def _arrival(self, order: say.Dispatch) -> list[str]:
        aim = self._aim(order.to)
        if aim is None:
            return ["when it will be there cannot be reckoned: you do not know where"]
        there, parts = self.writing + self.ride(self.start, aim, order.by), []
        comes = awaited(self.scene, self.mind, order.to)
        if comes is not None and comes > there:
            parts = [f"{self._name(order.to)} comes at {self.scene.clock(comes)}, and the rider waits at the entry"]
            there = comes
        parts.append(f"likely in hand by {self.scene.clock(there)}")
        if order.to not in self.scene.persons and order.lines:
            parts.append(f"acted on from {self.scene.clock(there + READING_MOVES['unit'])}")
        return parts

    def _aim(self, to: str) -> Point | None:
        if to == "higher":
            entry = self.scene.sides[self.mind.side].base_entry
            return self.scene.chart.entries[entry].at if entry in self.scene.chart.entries else None
        if to in self.scene.persons:
            return self.bench.person_at(to)
        return self.bench.start(to)

    def ride(self, start: Point, end: Point, by: tuple[say.Spot, ...]) -> int:
        """Moves of a ride by the fastest way that he knows."""
        bench, via, table = self.bench, split_by(self.scene, by), self.mind.options.march_table
        way = rider_way(bench.terrain, start, end, bench.closed, shunned(self.mind), via, table=table)
        return ride_moves(bench.terrain, way, table)

    @rule("KS-CMD-04", "KS-CMD-06")
    def _who(self, order: say.Dispatch) -> str:
        """What the addressee does with it."""
        name = self._name(order.to)
        if order.to in self.scene.persons:
            if not order.lines:
                return ""
            first = not self.mind.superior
            if order.to in self.mind.players and not (first and self.mind.options.c_in_c_override):
                return f"{name} reads it, and decides himself."
            return f"{name} passes each line on."
        if order.to != "higher" and not self.bench.commands(order.to):
            chief = self.bench.commander(self.bench.members(order.to)[0])
            return f"{name} is under {self.named(chief)}: it obeys him, unless you are there and his senior."
        return ""

    def _name(self, to: str) -> str:
        return HIGHER if to == "higher" else words.person_name(self.scene, to)

    # ------------------------------------------------------------ himself

    def act(self, order: say.AnyAct) -> Iterator[tuple[int, str]]:
        """An act in plain words."""
        match order:
            case say.Dispatch():
                yield from self.paper(order)
            case say.OnArrival():
                yield order.line, "When you have arrived:"
                yield from self._then(order.then)
            case _:  # what is done at once, or is plain
                yield order.line, f"{TOLD[type(order)](self, order)}."

    def _then(self, order: say.Voice | say.Dispatch | say.Look | say.Stay) -> Iterator[tuple[int, str]]:
        if isinstance(order, say.Dispatch):
            lines = [f"{words.line_words(self.scene, line)}{clauses(self.eyes, line)}" for line in order.lines]
            yield order.line, f"    to {self._name(order.to)}: {listed(lines) if lines else 'a letter'}."
        else:
            yield order.line, f"    {TOLD[type(order)](self, order)}."

    @rule("KS-CMD-01")
    def rides(self, order: say.RideTo) -> str:
        to = words.spot_words(self.scene, order.to)
        moves = self.ride(self.mind.at, order.to.at, order.by)
        begins = max(self.writing, self.mind.move)
        what = f"You ride to {to}: {words.moves_words(moves)}, there by {self.scene.clock(begins + moves)}"
        return what if begins == self.mind.move else f"{what}, after your papers are written"

    @rule("KS-MSG-09")
    def observes(self, order: say.StaffObserve) -> str:
        """An officer's ride, and when he will be there."""
        if order.to is None:
            return "The officers of your staff come back"
        moves = self.ride(self.mind.at, order.to.at, order.by)
        to, clock = words.spot_words(self.scene, order.to), self.scene.clock(self.mind.move + moves)
        return f"An officer of your staff rides to observe {to}: there by {clock}"

    def begins(self, order: say.Start) -> str:
        """Where a unit stands at the opening."""
        facing = f", facing {words.facing_words(self.scene, order.facing)}" if order.facing is not None else ""
        form = f", in {words.form_words(order.formation)}" if order.formation else ""
        return f"{order.unit} begins at {words.spot_words(self.scene, order.at)}{facing}{form}"

    def named(self, person: str) -> str:
        """The name of a person."""
        return words.person_name(self.scene, person)


def _toward(direction: str) -> str:
    return direction if direction.isupper() else f"at {direction}"


TOLD: Mapping[type[say.Act], Callable[[_Plan, Any], str]] = {  # type: ignore[explicit-any] # one for each kind of act
    say.RideTo: _Plan.rides,
    say.RideWith: lambda plan, act: f"You ride with {act.unit}",
    say.Stay: lambda plan, act: "You stay where you are",
    say.Look: lambda plan, act: (
        f"You halt for a move and look {_toward(words.facing_words(plan.scene, act.facing))} through the telescope"
    ),
    say.Wake: lambda plan, act: f"You are to be called when {words.wake_words(plan.scene, act.test)}",
    say.Mute: lambda plan, act: f"{act.code} calls you {'no more' if act.off else 'again'}",
    say.Say: lambda plan, act: (
        f"You talk to {plan.named(act.to)}, if he is within {plan.mind.options.talk_range} paces"
    ),
    say.TakeCommand: lambda plan, act: f"You take command of {act.unit}, once it has word of it",
    say.HandOver: lambda plan, act: f"You hand {act.unit} to {plan.named(act.to)}, once both have word",
    say.StaffObserve: _Plan.observes,
    say.Voice: lambda plan, act: (
        f"You call to {act.order.unit}: {words.line_words(plan.scene, act.order)}{clauses(plan.eyes, act.order)}"
    ),
    say.CancelPaper: lambda plan, act: f"Paper {act.number} is not sent, if it is still being written",
    say.OfferEnd: lambda plan, act: "You offer to end the game; it ends when both commanders-in-chief have",
    say.NoteJoin: lambda plan, act: f"On your page {act.one} and {act.other} are one body",
    say.NoteDrop: lambda plan, act: f"On your page {act.entry} is struck out",
    say.Parley: lambda plan, act: (
        "The umpire reads your words, and has them brought to the enemy's commander, if he sees fit"
    ),
    say.Start: _Plan.begins,
    say.Enter: lambda plan, act: f"{act.unit} comes by {plan.scene.chart.entries[act.entry].name}",
    say.Give: lambda plan, act: f"{act.unit} is given to {plan.named(act.to)}",
    say.Intention: lambda plan, act: "Your intention is kept for the umpire",
}
"""What each act is, without the full stop; papers and what is for his arrival take several lines."""


@rule("KS-SIT-10")
def forecast(scene: Scene, mind: Mind, role: Role, orders: Sequence[say.AnyAct]) -> tuple[tuple[int, str], ...]:
    """What orders come to, by what their writer knows: the number of a line and a sentence."""
    plan = _Plan(scene, mind, role)
    # He writes first and rides then (KS-CMD-03); the plan stands in the order of the sheet.
    told: dict[int, list[tuple[int, str]]] = {}
    rides = [number for number, order in enumerate(orders) if isinstance(order, say.RideTo)]
    for number in (*(one for one in range(len(orders)) if one not in rides), *rides):
        told[number] = list(plan.act(orders[number]))
    lines = [pair for number in sorted(told) for pair in told[number]]
    if not lines:
        return ()
    written = any(isinstance(order, say.Dispatch) for order in orders) and not plan.setup
    return (*lines, (0, NOT_KNOWN)) if written else tuple(lines)


@rule("KS-CMD-08", "KS-CMD-09")
def idle(scene: Scene, mind: Mind, role: Role, orders: Sequence[say.AnyAct], call: Call) -> tuple[str, ...]:
    """Which of his units have no order, by his page and this sheet, and what they then do."""
    bench = Bench(scene, mind, role)
    addressed: set[str] = set()
    for order in orders:
        then = order.then if isinstance(order, say.OnArrival) else order
        addressed |= {
            unit for line in say.lines_of(then) if line.order is not None for unit in bench.members(line.unit)
        }
    left = [
        unit
        for unit in mind.command
        if unit not in addressed and bench.commander(unit) == mind.person and not _has_orders(mind, unit)
    ]
    if not left:
        return ()
    coming = [unit for unit in left if mind.is_to_come(unit)]
    here = [unit for unit in left if not mind.is_to_come(unit)]
    return tuple(_sentence(bench.gathered(units), what) for units, what in ((here, STANDS), (coming, ENTERS)) if units)


STANDS = ("stays and acts by its standing reactions", "stay and act by their standing reactions")
ENTERS = ("halts inside its entry", "halt inside their entries")
"""What a unit, and what several do without orders."""


def _sentence(names: Sequence[str], what: tuple[str, str]) -> str:
    one, several = what
    if len(names) == 1:
        return f"{names[0]} has no order: it {one}."
    return f"{listed(names)} have no order: they {several}."


@rule("KS-CMD-08")
def _has_orders(mind: Mind, unit: str) -> bool:
    """Whether a unit carries out something, by the papers sent or by what was last seen of it."""
    papers = mind.orders.get(unit, ())
    known = mind.own.get(unit)
    return any(line.order is not None for _, lines in papers for line in lines) or bool(known and known.state.doing)
