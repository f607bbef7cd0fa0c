"""The sequence of play: the only module that throws dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import FULL, Aspect, Moment, Role, RuleId
from pbem.kernel.owed import Answers, Call, Pause
from pbem.rules.contract import Fold, Resolution, Until, Verdict, World
from pbem.rules.stretch import Stretch

from bare_bones.orders import March, Order
from bare_bones.outcomes import (
    CompanyBeaten,
    CompanyHeld,
    CompanyMarched,
    CompanyRemoved,
    Fact,
    FightFought,
    GameEnded,
    MarchFailed,
    MenLost,
    TurnBegan,
    VillageTaken,
)
from bare_bones.rules import has_most, is_next, left_alone, strongest, taken_by
from bare_bones.state import Scene, Valley, evolve, seen, there


def awaits(valley: Valley) -> Pause:
    """One exchange a turn, of all sides at once."""
    otherwise = "your companies stay where they are"
    calls = tuple(Call(role=side, sorts=("movement",), otherwise=otherwise) for side in valley.fallen)
    return Pause(moment=Moment(valley.turn, 1), name="the march", calls=calls)


class Play(Stretch[Scene, Valley, Valley, Order, Fact]):
    """The valley as it becomes, and the facts that make it so."""

    fold = Fold(evolve, evolve, seen)

    @property
    def everybody(self) -> dict[Role, Aspect]:
        """That all know of a fact, and all of it."""
        return dict.fromkeys(self.scene.roles, FULL)

    def march(self) -> None:
        """All companies march at once: none is seen on its way."""
        for role in self.scene.roles:
            for order in self.orders.get(role, ()):
                self.commit(self.moved(order, role))

    def moved(self, order: Order, role: Role) -> Fact:
        """What comes of one order."""
        company = self.truth.companies.get(order.company)
        if company is None or (isinstance(order, March) and not is_next(self.scene, company.at, order.village)):
            return MarchFailed(
                phase="march",
                rules=(RuleId("BB-MAR-01"),),
                known={role: FULL},
                company=order.company,
                line=order.line,
                reason="too far" if company else "gone",
            )
        if isinstance(order, March):
            return CompanyMarched(
                phase="march",
                rules=(RuleId("BB-MAR-01"),),
                known=self.everybody,
                company=order.company,
                line=order.line,
                start=company.at,
                end=order.village,
            )
        return CompanyHeld(phase="march", known={role: FULL}, company=order.company, line=order.line)

    def fight(self) -> None:
        """In every village where several sides stand they fight, as they stood when the marches were over."""
        met = {village: sides for village in self.scene.villages if len(sides := there(self.truth, village)) > 1}
        for village, sides in met.items():
            throws = {side: self.dice.throw("fight", f"{village}-{side}") for side in sides}
            totals = {side: throws[side].faces[0] + self.strength(names) for side, names in sides.items()}
            winner = strongest(totals)
            self.commit(self.fought(village, throws, winner))
            for side, names in sides.items():
                if side != winner:
                    for name in names:
                        self.beat(name)

    def strength(self, names: Sequence[str]) -> int:
        """The men of some companies together."""
        return sum(self.truth.companies[name].men or 0 for name in names)

    def fought(self, village: str, throws: Mapping[Role, Throw], winner: Role | None) -> Fact:
        """The fight, with its dice: all see them fall, and none sees what was added."""
        return FightFought(
            phase="fight",
            rules=(RuleId("BB-FIG-01"),),
            dice=tuple(throws.values()),
            known=self.everybody,
            village=village,
            sides=tuple(throws),
            winner=winner,
        )

    def beat(self, name: str) -> None:
        """A company loses a man and goes home; without men it is no more."""
        company, rules = self.truth.companies[name], (RuleId("BB-FIG-02"),)
        self.commit(MenLost(phase="fight", rules=rules, known={company.side: FULL}, company=name, men=1))
        if company.men == 1:
            self.commit(
                CompanyRemoved(phase="fight", rules=rules, known=self.everybody, company=name, cause="destroyed")
            )
        else:
            home = self.scene.companies[name][1]
            self.commit(CompanyBeaten(phase="fight", rules=rules, known=self.everybody, company=name, end=home))

    def take(self) -> None:
        """Who stands alone in a village takes it."""
        for village in self.scene.villages:
            if side := taken_by(self.truth, village):
                rules = (RuleId("BB-VIL-01"),)
                self.commit(VillageTaken(phase="end", rules=rules, known=self.everybody, village=village, side=side))

    def end(self) -> None:
        """The game ends, or the next turn begins."""
        alone, last = left_alone(self.truth), self.truth.turn >= self.truth.options.last_turn
        if alone or last or not self.truth.companies:
            self.commit(
                GameEnded(
                    phase="end",
                    rules=(RuleId("BB-END-01" if alone else "BB-END-02"),),
                    known=self.everybody,
                    winner=alone or has_most(self.truth.vp),
                    reason="alone" if alone else "last turn",
                )
            )
        else:
            self.commit(TurnBegan(known=self.everybody, turn=self.truth.turn + 1))


def resolve(
    scene: Scene,
    world: World[Valley, Valley],
    orders: Mapping[Role, Sequence[Order]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play a turn, which is one exchange; *until* phase, for a case: without its end."""
    play = Play(scene, world, orders, answers, dice)

    def on() -> None:
        play.march()
        play.fight()
        play.take()
        if until == "pause":
            play.end()

    return play.played(on)


def verdict(valley: Valley) -> Verdict | None:
    """Who has won."""
    if not valley.over:
        return None
    return Verdict(valley.winner, "has won" if valley.winner else "nobody has won", (RuleId("BB-END-02"),))
