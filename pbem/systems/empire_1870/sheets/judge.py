"""What can be wrong with a line on receipt, by what its writer may know (Orders: what can be wrong)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Role
from pbem.orders.prose import counted, listed
from pbem.orders.sheet import Complaint
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import on_map, outranks
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets.forecast import march_cost
from pbem.systems.empire_1870.sheets.judge_administration import check_pool_hq, check_sp, doubts
from pbem.systems.empire_1870.sheets.sentence import Draft
from pbem.systems.empire_1870.tables.charts import INHERENT
from pbem.systems.empire_1870.turn.activation import attack_hexes_refused
from pbem.systems.empire_1870.turn.rail import route
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, Hq
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import remaining

RAIL = {
    "rail_blocked": "every hex of the ride must be yours, free of enemies and out of their zones",
    "rail_country": "your trains run only inside your own country",
}
"""Why a train cannot go, in words (WE-RAI)."""
NEEDS_HQ = "a planned attack is ordered by an HQ piece"


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

    def _check_owner(self, made: Draft, name: str, spot: str) -> None:
        if self.field.scene.headquarters[name].side != self.side:
            raise made.bad("not_yours", f"{name} is an HQ of the enemy", spot=spot)
        if self._mine(name) is None:
            raise made.bad("unknown_hq", f"{name} does not take part in this game", spot=spot)

    def place_of(self, name: str) -> Hex | None:
        """Where an own HQ is, or is about to be mobilized."""
        hq = self._mine(name)
        return self.mobilized.get(name) or (hq.hex if hq is not None and on_map(hq) else None)

    def _check_on_map(self, made: Draft, name: str, spot: str) -> None:
        hq = self._mine(name)
        if hq is not None and self.place_of(name) is None:
            words = {"pool": "is still in the pool", "wounded": "is wounded", "out": "has left the map"}
            due = f"; it comes back on turn {hq.return_turn}" if hq.state == "wounded" and hq.return_turn else ""
            why = f"{name} {words.get(hq.state, 'is not on the map')}{due}"
            raise made.bad("not_on_map", why, spot=spot)

    def _check_first(self, made: Draft, name: str, spot: str) -> None:
        if name in self.used:
            why = f"{name} is activated once a turn, and stands above already"
            raise made.bad("double_use", why, "WE-ACT-01", spot)

    @rule("WE-ACT-01", "WE-ORD-01")
    def check_head(self, made: Draft, parents: Sequence[Draft]) -> None:
        """Refuse a head of a block that cannot be."""
        order = made.order
        assert isinstance(order, say.Act | say.SubLine), "a block begins with ACT or SUB"
        self._check_owner(made, order.hq, "hq")
        if self.words_only:
            return
        self._check_on_map(made, order.hq, "hq")
        self._check_first(made, order.hq, "hq")
        self.used.add(order.hq)
        parent = parents[-1].order if parents else None
        if isinstance(parent, say.Act | say.SubLine):
            above, below = self._mine(parent.hq), self._mine(order.hq)
            if above and below and not outranks(above, below):
                raise made.bad("rank", f"{order.hq} is of no lower rank than {parent.hq}", "WE-ACT-01", "hq")

    # ------------------------------------------------------------ lines of a block

    def line(self, made: Draft, head: Draft, used: int) -> Iterator[Complaint]:
        """What is to be doubted of a `FORCE` or `SELF` line of a block that has *used* so many SP.

        :raises BadLine: if it is to be refused.
        """
        block = head.order
        if not isinstance(block, say.Act | say.SubLine) or self.words_only:
            return
        hq = self._mine(block.hq)
        limit = command_limit(self.side, hq.rank) if hq is not None else 0
        order = made.order
        if isinstance(order, say.ForceLine):
            yield from self._division(made, order, min(limit - used, command_limit(self.side, None)), limit - used)
        elif isinstance(order, say.SelfLine) and hq is not None:
            yield from self._own(made, order, hq, limit, used)

    @rule("WE-HQ-02", "WE-HQ-03", "WE-ACT-02")
    def _division(self, made: Draft, order: say.ForceLine | say.Div, limit: int, room: int) -> Iterator[Complaint]:
        inherent = command_limit(self.side, None)
        if not order.amount.any:
            raise made.bad("limit", "a force without an HQ piece has at least one SP", "WE-HQ-02", "sp")
        if order.amount.total > inherent:
            raise made.bad("limit", f"a force without an HQ piece has at most {inherent} SP", "WE-HQ-02", "sp")
        if order.amount.total > limit:
            raise made.bad("limit", f"the HQ has only {room} SP left to activate", "WE-HQ-03", "sp")
        if any(isinstance(one, say.Assault) for one in (order.action, order.provided.otherwise)):
            raise made.bad("assault_needs_hq", NEEDS_HQ, "WE-PLA-01", "action")
        if not count(self.field.stack(self.side, order.hex)):
            yield made.doubt("no_sp_there", f"you have no SP in {order.hex} now", "WE-SEQ-04", "place")
        yield from self._actions(made, order, order.hex, None)

    @rule("WE-HQ-03", "WE-MOV-08")
    def _own(self, made: Draft, order: say.SelfLine, hq: Hq, limit: int, used: int) -> Iterator[Complaint]:
        total = order.amount.total + sum(one.amount.total for one in order.also)
        if used + total > limit:
            why = f"{hq.id} can activate {limit} SP, and this makes {used + total}"
            raise made.bad("limit", why, "WE-HQ-03", "sp")
        at = self.place_of(hq.id)
        if at is None:
            return
        if order.also and not isinstance(order.action, say.Assault | say.Rally):
            raise made.bad("syntax", "FROM stands only with ASSAULT and RALLY", "WE-ACT-01", "place")
        for one in order.also:
            if not are_neighbours(at, one.hex):
                raise made.bad("not_adjacent", f"{one.hex} is not next to {hq.id} in {at}", "WE-ACT-01", "place")
        for number, name in enumerate(order.along):
            self._check_company(made, f"with.{number}", name, hq, at)
        here = count(self.field.stack(self.side, at))
        if order.amount.total > here:
            why = f"there are {here} SP with {hq.id} in {at} now: those that are there will act"
            yield made.doubt("sp_short", why, "WE-SEQ-04", "sp")
        yield from self._actions(made, order, at, hq)

    def _check_company(self, made: Draft, spot: str, name: str, leader: Hq, at: Hex) -> None:
        hq = self._lower(made, spot, name)
        self._check_first(made, name, spot)
        if not outranks(leader, hq):
            raise made.bad("rank", f"{name} is of no lower rank than {leader.id}", "WE-ACT-01", spot)
        if self.place_of(name) != at:
            raise made.bad("not_adjacent", f"{name} is not with {leader.id} in {at}", "WE-MOV-08", spot)
        self.used.add(name)

    def _lower(self, made: Draft, spot: str, name: str) -> Hq:
        """An HQ of one's own that is on the map."""
        self._check_owner(made, name, spot)
        self._check_on_map(made, name, spot)
        return self.field.war.hqs[name]

    # ------------------------------------------------------------ actions

    def _actions(self, made: Draft, line: say.ActingLine, at: Hex, hq: Hq | None) -> Iterator[Complaint]:
        for condition in line.provided.conditions:
            if condition.hq:
                self._check_owner(made, condition.hq, "condition")
        for one in (line.action, line.provided.otherwise):
            match one:
                case say.March():
                    yield from self._march(made, at, line.amount, one, hq)
                case say.ForcedMarch():
                    march = say.March(path=tuple(map(say.Go, one.path)))
                    yield from self._too_far(made, at, line.amount, march, hq, one.extra)
                    self._check_path(made, at, march.path)
                case say.Assault():
                    yield from self._assault(made, at, one, hq, line)
                # To any other action nothing can stand in the way before it begins.
                case _:
                    pass

    @rule("WE-MOV-04", "WE-MOV-07", "WE-VIC-05")
    def _march(self, made: Draft, at: Hex, amount: say.Amount, action: say.March, hq: Hq | None) -> Iterator[Complaint]:
        if action.force and self.side == FRENCH:
            raise made.bad("wrong_side_order", "FORCE on a march is for the Germans", "WE-MOV-07", "action")
        if action.pickups and self.side == FRENCH:
            raise made.bad("wrong_side_order", "only German HQ pieces pick up SP", "WE-MOV-04", "action")
        if action.pickups and hq is None:
            raise made.bad("syntax", "only an HQ piece picks up SP", "WE-MOV-04", "action")
        if not action.path and not action.exit:
            raise made.bad("syntax", "a march goes somewhere: name the hexes of its path", "WE-MOV-01", "action")
        self._check_path(made, at, action.path, sortie=action.attack)
        *_, end = (at, *say.hexes_of(action))
        if action.exit and end not in self.field.scene.aims.southeast_exit_hexes:
            raise made.bad("no_exit", f"{end} is no exit of the map", "WE-VIC-05", "action")
        yield from self._too_far(made, at, amount, action, hq, 0)
        yield from self._rides(made, action)

    @rule("WE-RAI-01", "WE-RAI-02")
    def _rides(self, made: Draft, action: say.March) -> Iterator[Complaint]:
        """A warning where no train can go, by what the player may know."""
        for leg in action.path:
            if isinstance(leg, say.Ride) and leg.start == leg.end:
                if not any(one.entrained for one in self.field.stack(self.side, leg.start)):
                    yield made.doubt("rail_blocked", f"nobody is on a train in {leg.start} now", "WE-RAI-01", "action")
            elif isinstance(leg, say.Ride):
                way, why = route(self.field, self.side, leg.start, leg.end)
                if not way:
                    said = f"as things stand no train can go from {leg.start} to {leg.end}: {RAIL[why]}"
                    yield made.doubt(why, said, "WE-RAI-02" if why == "rail_country" else "WE-RAI-01", "action")
                    return

    @rule("WE-MOV-01")
    def _check_path(self, made: Draft, at: Hex, legs: Sequence[say.Leg], *, sortie: bool = False) -> None:
        here, cells, names = at, self.field.scene.cells, 0
        for leg in legs:
            spot = f"place.{names}"
            if isinstance(leg, say.Ride):
                if off := [one for one in (leg.start, leg.end) if not cells[one].rail]:
                    raise made.bad("rail_blocked", f"{min(off)} is on no railway", "WE-RAI-01", spot)
                if leg.start != here:
                    why = f"the ride begins at {leg.start}, and the force is then at {here}"
                    raise made.bad("path_gap", why, "WE-MOV-01", spot)
            else:
                if cells[leg.hex].terrain == "neutral":
                    raise made.bad("neutral", f"{leg.hex} is neutral land", "WE-MOV-02", spot)
                if not are_neighbours(here, leg.hex) and not (sortie and here == leg.hex):
                    raise made.bad("path_gap", f"{leg.hex} is not next to {here}", "WE-MOV-01", spot)
            here, names = leg.end, names + (2 if isinstance(leg, say.Ride) else 1)

    @rule("WE-MOV-01", "WE-MOV-02")
    def _too_far(
        self, made: Draft, at: Hex, amount: say.Amount, action: say.March, hq: Hq | None, extra: int
    ) -> Iterator[Complaint]:
        """A warning where a path costs more than there is, by what the player may know."""
        stack = pick(unspent(self.field.stack(self.side, at)), amount, 99)
        mp = (hq.ma if hq is not None else INHERENT[self.side].ma) + extra + action.force
        needed = march_cost(self.field, self.side, at, stack, action, cautious=hq is not None and hq.cautious)
        if needed > mp:
            why = f"by what you know the path costs {needed} MP, and the force has {mp}: it will stop on the way"
            yield made.doubt("mp_warning", why, "WE-MOV-01", "action")

    @rule("WE-PLA-01", "WE-HQ-03")
    def _assault(
        self, made: Draft, at: Hex, action: say.Assault, hq: Hq | None, line: say.ActingLine
    ) -> Iterator[Complaint]:
        if hq is None or not isinstance(line, say.SelfLine):
            raise made.bad("assault_needs_hq", NEEDS_HQ, "WE-PLA-01", "action")
        hexes = {one.hex for one in (say.At(line.amount, at), *line.also) if one.amount.any}
        for number, join in enumerate(action.joins):
            self._check_join(made, f"join.{number}", join, hq, at)
            where = self.place_of(join.hq)
            if where is not None and (join.amount is None or join.amount.any):
                hexes.add(where)
        if isinstance(action.advance, tuple) and (idle := sorted(set(action.advance) - hexes)):
            why = f"nobody attacks from {idle[0]}: ADVANCE names hexes of the attackers, here {listed(sorted(hexes))}"
            yield made.doubt("attack_hexes", why, "WE-AAC-01", "action")
        why = ""
        if not are_neighbours(at, action.target):
            why = f"{action.target} is not next to {hq.id} in {at}"
        elif at not in hexes:
            why = f"{hq.id} orders a planned attack from {at}: some SP of that hex take part in it"
        elif attack_hexes_refused(self.side, at, tuple(sorted(hexes)), action.target):
            most = "three hexes" if self.side == GERMAN else "two hexes that are next to each other"
            why = f"{action.target} is attacked from at most {most}, each next to it"
        if why:
            raise made.bad("attack_hexes", why, "WE-PLA-01", "action")

    def _check_join(self, made: Draft, spot: str, join: say.Join, leader: Hq, at: Hex) -> None:
        hq = self._lower(made, spot, join.hq)
        where = self.place_of(hq.id)
        if not outranks(leader, hq):
            raise made.bad("rank", f"{hq.id} is of no lower rank than {leader.id}", "WE-PLA-01", spot)
        self._check_first(made, hq.id, spot)
        if where is not None and where != at and not are_neighbours(where, at):
            raise made.bad("not_adjacent", f"{hq.id} is not in or next to {at}", "WE-PLA-01", spot)
        limit = command_limit(self.side, hq.rank)
        if join.amount is not None and join.amount.total > limit:
            raise made.bad("limit", f"{hq.id} can activate {limit} SP", "WE-HQ-03", spot)
        self.used.add(hq.id)

    # ------------------------------------------------------------ lines that stand alone

    def alone(self, made: Draft) -> Iterator[Complaint]:
        """What is to be doubted of a line that belongs to no block.

        :raises BadLine: if it is to be refused.
        """
        order, field = made.order, self.field
        match order:
            case say.Div() if not self.words_only:
                inherent = command_limit(self.side, None)
                yield from self._division(made, order, inherent, inherent)
            case say.Mobilize() | say.MobilizeHq():
                yield from self._mobilize(made, order)
            case say.StandingMobilize() if order.count:
                check_sp(field, self.side, made, order.count, order.hexes)
            case say.Reenter() | say.SetupHq():
                self._check_owner(made, order.hq, "hq")
            case say.React():
                self._check_reaction(made, order)
            case say.SiegeOrder() if not field.cell(order.hex).fortress:
                raise made.bad("syntax", f"there is no fortress in {order.hex}", "WE-SIE-02", "place")
            case say.Drop() if not self.words_only:
                left = len(remaining(field.war, self.side))
                if order.number > left:
                    why = f"your programme has {counted(left, 'entry', 'entries')} left"
                    raise made.bad("syntax", why, "WE-SEQ-04", "number")
            # In any other nothing can be wrong by itself.
            case _:
                pass

    def _mobilize(self, made: Draft, order: say.Raising) -> Iterator[Complaint]:
        if isinstance(order, say.MobilizeHq):
            self._check_owner(made, order.hq, "hq")
        if self.words_only:
            return
        if isinstance(order, say.MobilizeHq):
            check_pool_hq(self.field, self.side, made, order)
            self.mobilized[order.hq] = order.hex
        else:
            check_sp(self.field, self.side, made, order.count, (order.hex,))
        yield from doubts(self.field, self.side, made, order)

    def _check_reaction(self, made: Draft, order: say.React) -> None:
        if order.reaction == "chassepot" and self.side != FRENCH:
            raise made.bad("wrong_side_order", "only the French have the chassepot", "WE-OCF-01")
        if order.scope_hq:
            self._check_owner(made, order.scope_hq, "scope")
        if order.word == "column" and not 1 <= order.numbers[0] <= 6:
            raise made.bad("syntax", "the table has the columns 1 to 6", "WE-OCF-02")
