"""The sequence of play: moves and retreats in spring and in autumn, builds in winter.  No dice fall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.names import FULL, Aspect, Moment, Role
from pbem.kernel.owed import Answers, Call, Pause
from pbem.rules.contract import Fold, Resolution, Until, Verdict, World
from pbem.rules.ledger import cited
from pbem.rules.stretch import Stretch
from pbem_diplomacy.board import Kind, Place, province_of
from pbem_diplomacy.judge import Deed, Findings, judge
from pbem_diplomacy.map import BOARD
from pbem_diplomacy.orders import Build, Convoy, Disband, Move, Order, Retreat, Support, Waive
from pbem_diplomacy.outcomes import (
    ArmyConvoyed,
    BuildWaived,
    Cause,
    CentreTaken,
    Fact,
    GameEnded,
    MoveFailed,
    OrderFailed,
    Phase,
    PhaseBegan,
    ProvinceContested,
    Season,
    UnitBuilt,
    UnitDislodged,
    UnitHeld,
    UnitMoved,
    UnitRemoved,
    UnitRetreated,
    UnitSupported,
)
from pbem_diplomacy.rules import builds, fits, is_last, is_own, retreats, room, sites, surplus, taken, winner
from pbem_diplomacy.state import Europe, Scene, driven_out, evolve, names_at, own, seen, standing

EXCHANGES: Mapping[tuple[Season, Phase], tuple[int, str]] = {
    ("spring", "moves"): (1, "Moves, spring"),
    ("spring", "retreats"): (2, "Retreats, spring"),
    ("autumn", "moves"): (3, "Moves, autumn"),
    ("autumn", "retreats"): (4, "Retreats, autumn"),
    ("autumn", "builds"): (5, "Builds, winter"),
}
"""Of each exchange of a year its number and its name; the word before the comma is what terms may name it by."""


def now(europe: Europe) -> Moment:
    """The moment in which play stands."""
    return Moment(europe.year, EXCHANGES[europe.season, europe.phase][0])


def awaits(europe: Europe) -> Pause:
    """Where play stands, and who owes what there."""
    calls = tuple(call for side in europe.powers if (call := _call(europe, side)) is not None)
    return Pause(moment=now(europe), name=f"{EXCHANGES[europe.season, europe.phase][1]} {europe.year}", calls=calls)


def _call(europe: Europe, side: Role) -> Call | None:
    """What a power may send in this exchange; None: it has nothing to order."""
    if side in europe.disorder:
        return None
    match europe.phase:
        case "moves" if own(europe, side):
            return Call(role=side, sorts=("moves",), otherwise="your units hold")
        case "retreats" if driven_out(europe, side):
            return Call(role=side, sorts=("retreats",), otherwise="units that must retreat are disbanded")
        case "builds" if builds(BOARD, europe, side):
            return Call(role=side, sorts=("builds",), otherwise="nothing is built")
        case "builds" if room(europe, side) < 0:
            return Call(role=side, sorts=("builds",), otherwise="the units farthest from your centres are removed")
        case _:
            return None


class Play(Stretch[Scene, Europe, Europe, Order, Fact]):
    """Europe as it becomes, and the facts that make it so."""

    fold = Fold(evolve, evolve, seen)
    began: Mapping[str, Place] = {}
    """Where the units stood before the moves."""

    @property
    def everybody(self) -> dict[Role, Aspect]:
        """That all know of a fact, and all of it."""
        return dict.fromkeys(self.scene.roles, FULL)

    def given(self) -> list[tuple[Role, Order]]:
        """All orders of the exchange, in the order of the scenario."""
        return [(role, order) for role in self.scene.roles for order in self.orders.get(role, ())]

    # -------------------------------------------------------------- moves

    def moves(self) -> None:
        """Judge all moves together, tell what became of each order, then put the units where they now are."""
        names, units = names_at(self.truth), standing(self.truth)
        self.began = {at: unit.at for at, unit in units.items()}
        orders: dict[str, Order] = {}
        for role, order in self.given():
            if is_own(units.get(at := getattr(order, "at", "")), role):
                orders[at] = order
            else:
                self.fail(role, order)
        deeds = {at: _deed(order) for at, order in orders.items()}
        found = judge(self.scene.board, units, deeds, self.truth.options.nearby)
        for at in sorted(units, key=lambda at: (self.scene.roles.index(units[at].side), at)):
            self.commit(self.became(names, at, orders.get(at), found))
        for at, whence in found.dislodged.items():
            self.commit(
                UnitDislodged(
                    phase="fights",
                    rules=cited("DP-MOV-02"),
                    known=self.everybody,
                    unit=names[at],
                    side=units[at].side,
                    at=units[at].at,
                    whence=whence,
                )
            )
        for province in found.contested:
            self.commit(
                ProvinceContested(phase="fights", rules=cited("DP-RET-02"), known=self.everybody, province=province)
            )
        self.destroy()

    def became(self, names: Mapping[str, str], at: str, order: Order | None, found: Findings) -> Fact:
        """What became of the order of the unit in a province."""
        name, line = names[at], order.line if order else 0
        place, fate, side = self.began[at], found.fates[at], self.truth.units[name].side
        match order:
            case Move() if fate == "done":
                return UnitMoved(
                    phase="moves",
                    rules=cited(*found.rules[at]),
                    known=self.everybody,
                    unit=name,
                    side=side,
                    line=line,
                    start=place,
                    end=order.to,
                    sea=at in found.sailed,
                )
            case Move():
                return MoveFailed(
                    phase="moves",
                    rules=cited(*found.rules.get(at, ("DP-MOV-01",))),
                    known=self.everybody,
                    unit=name,
                    side=side,
                    line=line,
                    start=place,
                    end=order.to,
                    fate=fate,
                )
            case Support() | Convoy():
                kind = UnitSupported if isinstance(order, Support) else ArmyConvoyed
                rules = cited("DP-SUP-02" if isinstance(order, Support) else "DP-CON-03")
                return kind(
                    phase="moves",
                    rules=rules,
                    known=self.everybody,
                    unit=name,
                    side=side,
                    line=line,
                    at=place,
                    other=names.get(order.of, ""),
                    of=self.began.get(order.of, order.of),
                    end=order.to,
                    fate=fate,
                )
            case _:
                rules = cited("DP-CIV-03" if side in self.truth.disorder else "DP-MOV-02")
                return UnitHeld(
                    phase="moves", rules=rules, known=self.everybody, unit=name, side=side, line=line, at=place
                )

    def fail(self, role: Role, order: Order) -> None:
        """An order came to nothing: what it was given by is not so any more."""
        self.commit(
            OrderFailed(phase=self.truth.phase, known=self.everybody, side=role, line=order.line, text=order.text)
        )

    def destroy(self) -> None:
        """Whoever must retreat and can go nowhere is no more."""
        for name in sorted(self.truth.dislodged):
            if not retreats(self.scene.board, self.truth, name):
                self.remove(name, "no way out", "DP-RET-01")

    def remove(self, name: str, cause: Cause, rules: str | tuple[str, ...], line: int = 0, end: Place = "") -> None:
        """A unit is no more."""
        phase = "fights" if self.truth.phase == "moves" else self.truth.phase
        at = self.truth.units[name].at
        self.commit(
            UnitRemoved(
                phase=phase,
                rules=cited(*([rules] if isinstance(rules, str) else rules)),
                known=self.everybody,
                unit=name,
                side=self.truth.units[name].side,
                line=line,
                at=at,
                cause=cause,
                end=end,
            )
        )

    # -------------------------------------------------------------- retreats

    def retreats(self) -> None:
        """All retreat at once: two that would go to one province, and whoever has no order, are disbanded."""
        names = {province_of(self.truth.units[name].at): name for name in sorted(self.truth.dislodged)}
        orders: dict[str, Retreat | Disband] = {}
        for role, order in self.given():
            at = names.get(getattr(order, "at", ""), "")
            if isinstance(order, Retreat | Disband) and at and self.truth.units[at].side == role:
                orders[at] = order
            else:
                self.fail(role, order)
        may = {name: retreats(self.scene.board, self.truth, name) for name in names.values()}
        goals = [
            province_of(order.to)
            for name, order in orders.items()
            if isinstance(order, Retreat) and order.to in may[name]
        ]
        for name in names.values():
            self.retreat(name, orders.get(name), may[name], goals)

    def retreat(self, name: str, order: Retreat | Disband | None, may: Sequence[Place], goals: Sequence[str]) -> None:
        """What becomes of one dislodged unit."""
        match order:
            case Retreat() if order.to not in may:
                self.remove(name, "no way", "DP-RET-01", order.line, order.to)
            case Retreat() if goals.count(province_of(order.to)) > 1:
                self.remove(name, "met", "DP-RET-03", order.line, order.to)
            case Retreat():
                self.commit(
                    UnitRetreated(
                        phase="retreats",
                        rules=cited("DP-RET-01"),
                        known=self.everybody,
                        unit=name,
                        side=self.truth.units[name].side,
                        line=order.line,
                        start=self.truth.units[name].at,
                        end=order.to,
                    )
                )
            case Disband():
                self.remove(name, "ordered", "DP-RET-03", order.line)
            case _:
                self.remove(name, "not ordered", "DP-RET-03")

    # -------------------------------------------------------------- builds

    def builds(self) -> None:
        """Who has more centres than units builds; who has fewer removes units, or loses them by rule."""
        for role, order in self.given():
            match order:
                case Build() if self.may_build(role, order.arm, order.place):
                    self.commit(self.built(role, order))
                case Waive() if room(self.truth, role) > 0:
                    self.commit(
                        BuildWaived(
                            phase="builds",
                            rules=cited("DP-BLD-01"),
                            known=self.everybody,
                            side=role,
                            line=order.line,
                        )
                    )
                case Disband() if room(self.truth, role) < 0 and (name := self.named(role, order.at)):
                    self.remove(name, "ordered", "DP-BLD-01", order.line)
                case _:
                    self.fail(role, order)
        for side in self.scene.roles:
            cause: Cause = "disorder" if side in self.truth.disorder else "not ordered"
            for name in surplus(self.scene.board, self.truth, side):
                self.remove(name, cause, ("DP-CIV-01", "DP-CIV-02"))

    def may_build(self, role: Role, arm: Kind, place: Place) -> bool:
        """Whether a power may still build such a unit there."""
        board = self.scene.board
        there = province_of(place) in sites(board, self.truth, role) and fits(board, arm, place)
        return there and room(self.truth, role) > 0

    def named(self, role: Role, at: str) -> str:
        """The name of the unit of a power in a province; empty: there is none."""
        name = names_at(self.truth).get(at, "")
        return name if name and self.truth.units[name].side == role else ""

    def built(self, role: Role, order: Build) -> Fact:
        """A new unit."""
        return UnitBuilt(
            phase="builds",
            rules=cited("DP-BLD-01"),
            known=self.everybody,
            unit=f"{province_of(order.place)}-{self.truth.year}",
            side=role,
            line=order.line,
            arm=order.arm,
            at=order.place,
        )

    # -------------------------------------------------------------- what comes next

    def play(self) -> None:
        """Play the exchange in which things stand."""
        run = PHASES[self.truth.phase]
        run(self)

    def go_on(self) -> None:
        """To the next exchange in which anybody has something to order; one that is nobody's is played at once."""
        while True:
            self.begin_next()
            if self.truth.over or awaits(self.truth).calls:
                return
            self.orders = {}
            self.play()

    def begin_next(self) -> None:
        """What comes after the exchange that was played."""
        europe = self.truth
        if europe.phase == "moves" and europe.dislodged:
            self.begin(europe.year, europe.season, "retreats")
        elif europe.phase != "builds" and europe.season == "spring":
            self.begin(europe.year, "autumn", "moves")
        elif europe.phase != "builds":
            self.harvest()
        elif is_last(europe):
            self.end(None, "last year", "DP-END-02")
        else:
            self.begin(europe.year + 1, "spring", "moves")

    def begin(self, year: int, season: Season, phase: Phase) -> None:
        """The next exchange begins."""
        self.commit(PhaseBegan(known=self.everybody, year=year, season=season, begins=phase))

    def harvest(self) -> None:
        """The autumn is over: centres are taken; if nobody has won, it is winter."""
        for province, side in taken(self.scene.board, self.truth).items():
            self.commit(
                CentreTaken(
                    phase="centres",
                    rules=cited("DP-CEN-01"),
                    known=self.everybody,
                    province=province,
                    side=side,
                    was=self.truth.owners.get(province),
                )
            )
        if (won := winner(self.truth)) is not None:
            self.end(won, "centres", "DP-END-01")
        else:
            self.begin(self.truth.year, "autumn", "builds")

    def end(self, won: Role | None, reason: str, rule: str) -> None:
        """The game is over."""
        self.commit(
            GameEnded(
                phase="end",
                rules=cited(rule),
                known=self.everybody,
                winner=won,
                reason="centres" if reason == "centres" else "last year",
            )
        )


def _deed(order: Order) -> Deed:
    """An order as the adjudicator has it."""
    match order:
        case Move():
            return Deed("move", to=order.to, via=order.via)
        case Support():
            return Deed("support", of=order.of, to=order.to)
        case Convoy():
            return Deed("convoy", of=order.of, to=order.to)
        case _:
            return Deed("hold")


PHASES: Mapping[Phase, Callable[[Play], None]] = {
    "moves": Play.moves,
    "retreats": Play.retreats,
    "builds": Play.builds,
}
"""What is played in each exchange."""


def resolve(
    scene: Scene,
    world: World[Europe, Europe],
    orders: Mapping[Role, Sequence[Order]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play the exchange in which things stand, and on to the next; *until* phase, for a case: that alone."""
    play = Play(scene, world, orders, answers, dice)

    def on() -> None:
        play.play()
        if until == "pause":
            play.go_on()

    return play.played(on)


def verdict(europe: Europe) -> Verdict | None:
    """Who has won."""
    if not europe.over:
        return None
    rule = "DP-END-01" if europe.winner else "DP-END-02"
    return Verdict(europe.winner, "has won" if europe.winner else "nobody has won", cited(rule))
