"""What can be wrong with a line on receipt, by what its writer may know (Orders: what can be wrong)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Role
from pbem.orders.prose import counted, listed
from pbem.orders.sheet import Judgement
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import on_map, outranks
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets import judge_administration
from pbem.systems.empire_1870.sheets.drafts import Draft
from pbem.systems.empire_1870.sheets.forecast import march_cost
from pbem.systems.empire_1870.sheets.language import Wrong
from pbem.systems.empire_1870.tables.charts import INHERENT
from pbem.systems.empire_1870.turn.activation import attack_hexes_refused
from pbem.systems.empire_1870.turn.rail import route
from pbem.systems.empire_1870.world.orders import (
    Act,
    Action,
    Amount,
    Assault,
    Div,
    Drop,
    ForcedMarch,
    ForceLine,
    Go,
    Insert,
    March,
    Mobilize,
    MobilizeHq,
    Pass,
    Provided,
    Rally,
    React,
    Recover,
    Reenter,
    Ride,
    SelfLine,
    SetupHq,
    SetupSp,
    SiegeOrder,
    StandingMobilize,
    SubLine,
    hexes_of,
)
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, Hq
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import remaining

Finding = tuple[Wrong, str, Judgement | None]
"""What is wrong, at which spot of the line, and how it is judged; None: refused by what it is."""
_DOUBT = Judgement.DOUBTFUL
RAIL = {
    "rail_blocked": "every hex of the ride must be yours, free of enemies and out of their zones",
    "rail_country": "your trains run only inside your own country",
}
"""Why a train cannot go, in words (WE-RAI)."""


def _twice(name: str) -> Wrong:
    return Wrong("double_use", f"{name} is activated once a turn, and stands above already", "WE-ACT-01")


@lately(4)
def _suggested(scene: Scene, hqs: Mapping[str, Hq], side: Role) -> frozenset[str]:
    own = {hq.id for hq in hqs.values() if hq.side == side}
    return frozenset(own | {cell.name for cell in scene.cells.values() if cell.name})


class Judge:
    """Judges the lines of one sheet; remembers which HQs it has named."""

    def __init__(self, field: Field, side: Role, *, words_only: bool) -> None:
        self.field, self.side, self.words_only = field, side, words_only
        self.used: set[str] = set()
        self.mobilized: dict[str, Hex] = {}

    @property
    def names(self) -> frozenset[str]:
        """What may be suggested: own HQs and the places of the map."""
        return _suggested(self.field.scene, self.field.war.hqs, self.side)

    # ------------------------------------------------------------ HQs

    def _mine(self, name: str) -> Hq | None:
        hq = self.field.war.hqs.get(name)
        return hq if hq is not None and hq.side == self.side else None

    def _owner(self, name: str) -> Wrong | None:
        if self.field.scene.headquarters[name].side != self.side:
            return Wrong("not_yours", f"{name} is an HQ of the enemy", "WE-ORD-01")
        if self._mine(name) is None:
            return Wrong("unknown_hq", f"{name} does not take part in this game")
        return None

    def place_of(self, name: str) -> Hex | None:
        """Where an own HQ is, or is about to be mobilized."""
        hq = self._mine(name)
        return self.mobilized.get(name) or (hq.hex if hq is not None and on_map(hq) else None)

    def _on_map(self, name: str) -> Wrong | None:
        hq = self._mine(name)
        if hq is None or self.place_of(name) is not None:
            return None
        words = {"pool": "is still in the pool", "wounded": "is wounded", "out": "has left the map"}
        due = f"; it comes back on turn {hq.return_turn}" if hq.state == "wounded" and hq.return_turn else ""
        return Wrong("not_on_map", f"{name} {words.get(hq.state, 'is not on the map')}{due}", "WE-ORD-01")

    @rule("WE-ACT-01", "WE-ORD-01")
    def head(self, made: Draft, parents: Sequence[Draft]) -> Iterator[tuple[Wrong, str]]:
        """What is wrong with the head of a block."""
        order = made.order
        assert isinstance(order, Act | SubLine), "a block begins with ACT or SUB"
        if wrong := self._owner(order.hq):
            yield wrong, "hq"
            return
        if self.words_only:
            return
        if wrong := self._on_map(order.hq):
            yield wrong, "hq"
            return
        if order.hq in self.used:
            yield (
                Wrong("double_use", f"{order.hq} is activated once a turn, and stands above already", "WE-ACT-01"),
                "hq",
            )
            return
        self.used.add(order.hq)
        parent = parents[-1].order if parents else None
        if isinstance(parent, Act | SubLine):
            above, below = self._mine(parent.hq), self._mine(order.hq)
            if above and below and not outranks(above, below):
                why = f"{order.hq} is of no lower rank than {parent.hq}"
                yield Wrong("rank", why, "WE-ACT-01"), "hq"

    # ------------------------------------------------------------ lines of a block

    def line(self, made: Draft, head: Draft, used: int) -> Iterator[Finding]:
        """What is wrong with a `FORCE` or `SELF` line of a block that has *used* so many SP."""
        block = head.order
        if not isinstance(block, Act | SubLine) or self.words_only:
            return
        hq = self._mine(block.hq)
        limit = command_limit(self.side, hq.rank) if hq is not None else 0
        order = made.order
        if isinstance(order, ForceLine):
            yield from self._division(made, order, min(limit - used, command_limit(self.side, None)), limit - used)
        elif isinstance(order, SelfLine) and hq is not None:
            yield from self._own(made, order, hq, limit, used)

    @rule("WE-HQ-02", "WE-HQ-03", "WE-ACT-02")
    def _division(self, made: Draft, order: ForceLine | Div, limit: int, room: int) -> Iterator[Finding]:
        inherent = command_limit(self.side, None)
        if not order.amount.total and not order.amount.everything:
            yield Wrong("limit", "a force without an HQ piece has at least one SP", "WE-HQ-02"), "sp", None
            return
        if order.amount.total > inherent:
            why = f"a force without an HQ piece has at most {inherent} SP"
            yield Wrong("limit", why, "WE-HQ-02"), "sp", None
            return
        if order.amount.total > limit:
            yield Wrong("limit", f"the HQ has only {room} SP left to activate", "WE-HQ-03"), "sp", None
            return
        if isinstance(order.action, Assault) or isinstance(order.provided.otherwise, Assault):
            yield Wrong("assault_needs_hq", "a planned attack is ordered by an HQ piece", "WE-PLA-01"), "action", None
            return
        if not count(self.field.stack(self.side, order.hex)):
            yield Wrong("no_sp_there", f"you have no SP in {order.hex} now", "WE-SEQ-04"), "place", _DOUBT
        yield from self._actions(made, order.hex, order.amount, order.action, order.provided, None)

    @rule("WE-HQ-03", "WE-MOV-08")
    def _own(self, made: Draft, order: SelfLine, hq: Hq, limit: int, used: int) -> Iterator[Finding]:
        total = order.amount.total + sum(one.amount.total for one in order.also)
        if used + total > limit:
            why = f"{hq.id} can activate {limit} SP, and this makes {used + total}"
            yield Wrong("limit", why, "WE-HQ-03"), "sp", None
            return
        at = self.place_of(hq.id)
        if at is None:
            return
        if order.also and not isinstance(order.action, Assault | Rally):
            yield Wrong("syntax", "FROM stands only with ASSAULT and RALLY", "WE-ACT-01"), "place", None
            return
        for one in order.also:
            if not are_neighbours(at, one.hex):
                yield Wrong("not_adjacent", f"{one.hex} is not next to {hq.id} in {at}", "WE-ACT-01"), "place", None
                return
        for number, name in enumerate(order.along):
            if wrong := self._company(name, hq, at):
                yield wrong, f"with.{number}", None
                return
        here = count(self.field.stack(self.side, at))
        if order.amount.total > here:
            why = f"there are {here} SP with {hq.id} in {at} now: those that are there will act"
            yield Wrong("sp_short", why, "WE-SEQ-04"), "sp", _DOUBT
        yield from self._actions(made, at, order.amount, order.action, order.provided, hq, order)

    def _company(self, name: str, leader: Hq, at: Hex) -> Wrong | None:
        if wrong := self._owner(name) or self._on_map(name):
            return wrong
        hq = self._mine(name)
        assert hq is not None, "its owner was looked at"
        if name in self.used:
            return _twice(name)
        if not outranks(leader, hq):
            return Wrong("rank", f"{name} is of no lower rank than {leader.id}", "WE-ACT-01")
        if self.place_of(name) != at:
            return Wrong("not_adjacent", f"{name} is not with {leader.id} in {at}", "WE-MOV-08")
        self.used.add(name)
        return None

    # ------------------------------------------------------------ actions

    def _actions(
        self,
        made: Draft,
        at: Hex,
        amount: Amount,
        action: Action,
        provided: Provided,
        hq: Hq | None,
        line: SelfLine | None = None,
    ) -> Iterator[Finding]:
        for condition in provided.conditions:
            if condition.hq and (wrong := self._owner(condition.hq)):
                yield wrong, "condition", None
                return
        for one in (action, provided.otherwise):
            if not isinstance(one, str):
                found = list(self._action(made, at, amount, one, hq, line))
                yield from found
                if any(kind is None for _, _, kind in found):
                    return

    def _action(
        self, made: Draft, at: Hex, amount: Amount, action: Action, hq: Hq | None, line: SelfLine | None
    ) -> Iterator[Finding]:
        match action:
            case March():
                yield from self._march(at, amount, action, hq)
            case ForcedMarch():
                legs = tuple(Go(one) for one in action.path)
                yield from self._path(at, legs)
                yield from self._too_far(at, amount, March(path=legs), hq, action.extra)
            case Assault():
                yield from self._assault(at, action, hq, line)
            case Rally():
                pass
            case other:
                assert_never(other)

    @rule("WE-MOV-04", "WE-MOV-07", "WE-VIC-05")
    def _march(self, at: Hex, amount: Amount, action: March, hq: Hq | None) -> Iterator[Finding]:
        if action.force and self.side == FRENCH:
            yield Wrong("wrong_side_order", "FORCE on a march is for the Germans", "WE-MOV-07"), "action", None
        elif action.pickups and self.side == FRENCH:
            yield Wrong("wrong_side_order", "only German HQ pieces pick up SP", "WE-MOV-04"), "action", None
        elif action.pickups and hq is None:
            yield Wrong("syntax", "only an HQ piece picks up SP", "WE-MOV-04"), "action", None
        elif not action.path and not action.exit:
            yield Wrong("syntax", "a march goes somewhere: name the hexes of its path", "WE-MOV-01"), "action", None
        else:
            found = list(self._path(at, action.path, sortie=action.attack))
            yield from found
            if not found:
                *_, end = (at, *hexes_of(action))
                if action.exit and end not in self.field.scene.aims.southeast_exit_hexes:
                    yield Wrong("no_exit", f"{end} is no exit of the map", "WE-VIC-05"), "action", None
                    return
                yield from self._too_far(at, amount, action, hq, 0)
                yield from self._ride(action)

    @rule("WE-RAI-01", "WE-RAI-02")
    def _ride(self, action: March) -> Iterator[Finding]:
        """A warning where no train can go, by what the player may know."""
        for leg in action.path:
            if isinstance(leg, Ride) and leg.start == leg.end:
                if not any(one.entrained for one in self.field.stack(self.side, leg.start)):
                    why = f"nobody is on a train in {leg.start} now"
                    yield Wrong("rail_blocked", why, "WE-RAI-01"), "action", _DOUBT
            elif isinstance(leg, Ride):
                way, why = route(self.field, self.side, leg.start, leg.end)
                if not way:
                    said = f"as things stand no train can go from {leg.start} to {leg.end}: {RAIL[why]}"
                    yield Wrong(why, said, "WE-RAI-02" if why == "rail_country" else "WE-RAI-01"), "action", _DOUBT
                    return

    @rule("WE-MOV-01")
    def _path(self, at: Hex, legs: Sequence[Go | Ride], *, sortie: bool = False) -> Iterator[Finding]:
        here, scene, names = at, self.field.scene, 0
        for leg in legs:
            start = leg.hex if isinstance(leg, Go) else leg.start
            if isinstance(leg, Ride):
                rails = {one for one in (leg.start, leg.end) if not scene.cells[one].rail}
                if rails:
                    yield Wrong("rail_blocked", f"{min(rails)} is on no railway", "WE-RAI-01"), f"place.{names}", None
                    return
                if leg.start != here:
                    why = f"the ride begins at {leg.start}, and the force is then at {here}"
                    yield Wrong("path_gap", why, "WE-MOV-01"), f"place.{names}", None
                    return
                here, names = leg.end, names + 2
                continue
            if scene.cells[start].terrain == "neutral":
                yield Wrong("neutral", f"{start} is neutral land", "WE-MOV-02"), f"place.{names}", None
                return
            if not are_neighbours(here, start) and not (sortie and here == start):
                why = f"{start} is not next to {here}"
                yield Wrong("path_gap", why, "WE-MOV-01"), f"place.{names}", None
                return
            here, names = start, names + 1

    @rule("WE-MOV-01", "WE-MOV-02")
    def _too_far(self, at: Hex, amount: Amount, action: March, hq: Hq | None, extra: int) -> Iterator[Finding]:
        """A warning where a path costs more than there is, by what the player may know."""
        stack = pick(unspent(self.field.stack(self.side, at)), amount, 99)
        mp = (hq.ma if hq is not None else INHERENT[self.side].ma) + extra + action.force
        needed = march_cost(self.field, self.side, at, stack, action, cautious=hq is not None and hq.cautious)
        if needed > mp:
            why = f"by what you know the path costs {needed} MP, and the force has {mp}: it will stop on the way"
            yield Wrong("mp_warning", why, "WE-MOV-01"), "action", _DOUBT

    @rule("WE-PLA-01", "WE-HQ-03")
    def _assault(self, at: Hex, action: Assault, hq: Hq | None, line: SelfLine | None) -> Iterator[Finding]:
        if hq is None or line is None:
            yield Wrong("assault_needs_hq", "a planned attack is ordered by an HQ piece", "WE-PLA-01"), "action", None
            return
        hexes = {at} if line.amount.total or line.amount.everything else set()
        hexes |= {one.hex for one in line.also if one.amount.total or one.amount.everything}
        for number, join in enumerate(action.joins):
            if wrong := self._join(join.hq, join.amount, hq, at):
                yield wrong, f"join.{number}", None
                return
            where = self.place_of(join.hq)
            if where is not None and (join.amount is None or join.amount.total or join.amount.everything):
                hexes.add(where)
        if isinstance(action.advance, tuple) and (idle := sorted(set(action.advance) - hexes)):
            why = f"nobody attacks from {idle[0]}: ADVANCE names hexes of the attackers, here {listed(sorted(hexes))}"
            yield Wrong("attack_hexes", why, "WE-AAC-01"), "action", _DOUBT
        if not are_neighbours(at, action.target):
            why = f"{action.target} is not next to {hq.id} in {at}"
            yield Wrong("attack_hexes", why, "WE-PLA-01"), "action", None
        elif at not in hexes:
            why = f"{hq.id} orders a planned attack from {at}: some SP of that hex take part in it"
            yield Wrong("attack_hexes", why, "WE-PLA-01"), "action", None
        elif attack_hexes_refused(self.side, at, tuple(sorted(hexes)), action.target):
            most = "three hexes" if self.side == GERMAN else "two hexes that are next to each other"
            why = f"{action.target} is attacked from at most {most}, each next to it"
            yield Wrong("attack_hexes", why, "WE-PLA-01"), "action", None

    def _join(self, name: str, amount: Amount | None, leader: Hq, at: Hex) -> Wrong | None:
        if wrong := self._owner(name) or self._on_map(name):
            return wrong
        hq = self._mine(name)
        where = self.place_of(name)
        assert hq is not None, "its owner was looked at"
        if not outranks(leader, hq):
            return Wrong("rank", f"{name} is of no lower rank than {leader.id}", "WE-PLA-01")
        if name in self.used:
            return _twice(name)
        if where is not None and where != at and not are_neighbours(where, at):
            return Wrong("not_adjacent", f"{name} is not in or next to {at}", "WE-PLA-01")
        limit = command_limit(self.side, hq.rank)
        if amount is not None and amount.total > limit:
            return Wrong("limit", f"{name} can activate {limit} SP", "WE-HQ-03")
        self.used.add(name)
        return None

    # ------------------------------------------------------------ lines that stand alone

    def alone(self, made: Draft) -> Iterator[Finding]:
        """What is wrong with a line that belongs to no block."""
        order = made.order
        match order:
            case Div():
                if not self.words_only:
                    inherent = command_limit(self.side, None)
                    yield from self._division(made, order, inherent, inherent)
            case Mobilize() | MobilizeHq():
                yield from self._mobilize(order)
            case StandingMobilize():
                if order.count and (wrong := judge_administration.standing(self.field, self.side, order)):
                    yield wrong, "place", None
            case Reenter():
                if wrong := self._owner(order.hq):
                    yield wrong, "hq", None
            case React():
                yield from self._react(order)
            case SiegeOrder():
                if not self.field.cell(order.hex).fortress:
                    yield Wrong("syntax", f"there is no fortress in {order.hex}", "WE-SIE-02"), "place", None
            case SetupHq():
                if wrong := self._owner(order.hq):
                    yield wrong, "hq", None
            case Drop():
                left = len(remaining(self.field.war, self.side))
                if not self.words_only and order.number > left:
                    why = f"your programme has {counted(left, 'entry', 'entries')} left"
                    yield Wrong("syntax", why, "WE-SEQ-04"), "number", None
            case Pass() | Recover() | SetupSp():
                pass  # Nothing in them can be wrong by itself.
            case None | Act() | Insert() | SubLine() | ForceLine() | SelfLine():
                pass  # Those of a block are judged by `head` and `line`, an entry that is inserted as itself.
            case other:
                assert_never(other)

    def _mobilize(self, order: Mobilize | MobilizeHq) -> Iterator[Finding]:
        spot = "sp" if isinstance(order, Mobilize) else "hq"
        if isinstance(order, MobilizeHq) and (wrong := self._owner(order.hq)):
            yield wrong, "hq", None
        elif self.words_only:
            return
        elif wrong := judge_administration.mobilization(self.field, self.side, order):
            yield wrong, "place" if wrong.code == "not_a_place" else spot, None
        else:
            if isinstance(order, MobilizeHq):
                self.mobilized[order.hq] = order.hex
            if wrong := judge_administration.doubt(self.field, self.side, order):
                yield wrong, "place", _DOUBT

    def _react(self, order: React) -> Iterator[Finding]:
        if order.reaction == "chassepot" and self.side != FRENCH:
            yield Wrong("wrong_side_order", "only the French have the chassepot", "WE-OCF-01"), "", None
        elif order.scope_hq and (wrong := self._owner(order.scope_hq)):
            yield wrong, "scope", None
        elif order.word == "column" and not 1 <= order.numbers[0] <= 6:
            yield Wrong("syntax", "the table has the columns 1 to 6", "WE-OCF-02"), "", None
