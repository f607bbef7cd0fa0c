"""The sequence of play; the only module that throws dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import FULL, Aspect, Moment, Role, RuleId
from pbem.kernel.owed import PASSED, Answers, Call, Pause, Query, passed_key
from pbem.rules.contract import Fold, Resolution, Until, Verdict, World
from pbem.rules.stretch import Stretch
from tests.systems.toy.orders import Fire, Move, Order, Watch
from tests.systems.toy.outcomes import (
    CartHeard,
    CartMoved,
    CartRemoved,
    Fact,
    GameEnded,
    HaltCalled,
    HaltOver,
    LossRecorded,
    MoveFailed,
    MovesNoted,
    PatrolFired,
    PhaseBegan,
    StepPlayed,
    WatchSet,
)
from tests.systems.toy.rules import POINTS, ending, hears, hits, is_free, watched
from tests.systems.toy.state import GUARD, ROLES, SMUGGLER, Field, Phase, Scene, evolve, own, seen

ALL: dict[Role, Aspect] = dict.fromkeys(ROLES, FULL)
ALARM = RuleId("TY-ALM-01")
CARTS = 2
"""With the alarm, the steps in which exchange A is played."""


def awaits(field: Field) -> Pause:
    """A is the smuggler's, B the guard's; reactions may come at any time, and when a patrol hears a cart."""
    alarm = field.options["alarm"]
    if field.halt:
        why = ", ".join(field.heard)
        call = Call(role=GUARD, sorts=("reaction",), why=why, otherwise="the patrols watch where they watched")
        return Pause(
            moment=Moment(field.turn, 1, field.halt),
            name="the alarm",
            calls=(call,),
            step=field.halt,
            urgent=alarm == "urgent",
            least=int(field.options["urgent_min"]),
        )
    reaction = Call(role=GUARD, sorts=("reaction",), must=False)
    if field.phase == "move":
        move = Call(role=SMUGGLER, sorts=("movement",), otherwise="the carts stay")
        steps = 0 if alarm == "off" else CARTS
        return Pause(moment=Moment(field.turn, 1), name="A, the carts", calls=(move, reaction), steps=steps)
    fire = Call(role=GUARD, sorts=("fire", "reaction"), otherwise="the patrols fire where they watch")
    return Pause(moment=Moment(field.turn, 2), name="B, the patrols", calls=(fire,))


class Play(Stretch[Scene, Field, Field, Order, Fact]):
    """The field as it becomes, and the facts that make it so."""

    fold = Fold(evolve, evolve, seen)

    @property
    def field(self) -> Field:
        """The field as it now is."""
        return self.truth

    @property
    def given(self) -> list[Order]:
        """The orders of both."""
        return [order for role in ROLES for order in self.orders.get(role, ())]

    def move(self) -> None:
        if self.field.options["alarm"] != "off":
            self.move_by_steps()
            return
        for order in self.given:
            if isinstance(order, Move):
                self.commit(self.moved(order))

    def move_by_steps(self) -> None:
        """One cart after the other, up to a halt or to the last."""
        if self.field.halt:
            asked = self.answers.get(passed_key(awaits(self.field).moment)) != PASSED
            self.commit(HaltOver(phase="move", rules=(ALARM,), known={GUARD: FULL}, asked=asked))
        elif not self.field.step:
            moves = {order.piece: (order.line, order.square) for order in self.given if isinstance(order, Move)}
            self.commit(MovesNoted(known={SMUGGLER: FULL}, moves=moves))
        carts = sorted(name for name, (side, _) in self.scene.pieces.items() if side == SMUGGLER)
        for step in range(self.field.step + 1, CARTS + 1):
            heard = self.hear(carts[step - 1])
            self.commit(StepPlayed(step=step))
            if heard and (step < CARTS or self.field.options["alarm"] == "urgent"):
                self.commit(HaltCalled(phase="move", rules=(ALARM,), known={GUARD: FULL}, step=step))
                return

    def hear(self, cart: str) -> bool:
        """Move a cart if that is ordered; says whether it was heard."""
        if cart not in self.field.moves:
            return False
        line, square = self.field.moves[cart]
        fact = self.moved(Move(line=line, text="", piece=cart, square=square))
        self.commit(fact)
        patrols = hears(self.field.watches, square) if isinstance(fact, CartMoved) else ()
        for patrol in patrols:
            known = {GUARD: FULL}
            heard = CartHeard(phase="move", rules=(ALARM,), known=known, piece=cart, patrol=patrol, square=square)
            self.commit(heard)
        return bool(patrols)

    def moved(self, order: Move) -> Fact:
        piece = self.field.pieces.get(order.piece)
        if piece is not None and (order.square == piece.square or is_free(self.field, order.square)):
            return CartMoved(
                phase="move",
                rules=(RuleId("TY-MOV-01"),),
                known=ALL,
                piece=order.piece,
                line=order.line,
                start=piece.square,
                end=order.square,
            )
        return MoveFailed(
            phase="move",
            rules=(RuleId("TY-MOV-02" if piece else "TY-ORD-01"),),
            known={SMUGGLER: FULL},
            piece=order.piece,
            line=order.line,
            reason="capacity_full" if piece else "unit_lost",
        )

    def fire(self) -> None:
        ordered = {order.piece: order for order in self.given if isinstance(order, Fire)}
        for patrol in own(self.field, GUARD):
            order = ordered.get(patrol)
            square = order.square if order else watched(self.field.watches, patrol)
            line = order.line if order else 0
            if not square:
                continue
            throw = self.dice.throw("fire", patrol)
            hit = self.is_hit(throw, patrol)
            fired = PatrolFired(
                phase="fire",
                rules=(RuleId("TY-FIR-01"), *(() if line else (RuleId("TY-FIR-03"),))),
                dice=(throw,),
                known=ALL,
                piece=patrol,
                line=line,
                square=square,
                hit=hit,
            )
            self.commit(fired)
            if hit:
                self.lose(square)

    def is_hit(self, throw: Throw, patrol: str) -> bool:
        least = int(self.field.options["hits_on"])
        if throw.faces[0] != least or self.field.options["disputed"] == "hit":
            return hits(throw.faces[0], least)
        key = f"{self.field.turn}B/{patrol}"
        query = Query(
            key=key,
            to=GUARD if self.field.options["disputed"] == "guard" else None,
            rule=RuleId("TY-FIR-01"),
            asks=f"Has {patrol} hit with a {least}?",
            options=("hit", "miss"),
            otherwise="hit",
        )
        return self.ask(query) == "hit"

    def lose(self, square: int) -> None:
        rules = (RuleId("TY-FIR-02"),)
        for name, piece in own(self.field, SMUGGLER).items():
            if piece.square != square or not piece.men:
                continue
            self.commit(LossRecorded(phase="fire", known={SMUGGLER: FULL}, piece=name, men=1))
            if piece.men == 1:
                laden = bool(piece.laden)
                self.commit(
                    CartRemoved(
                        phase="fire",
                        rules=rules,
                        known=ALL,
                        piece=name,
                        cause="killed",
                        laden=laden,
                        points=POINTS[laden],
                    )
                )

    def end(self) -> None:
        if ended := ending(self.field, self.scene.places):
            winner, reason = ended
            rules = (RuleId("TY-END-01"),)
            self.commit(GameEnded(phase="end", rules=rules, known=ALL, winner=winner, reason=reason))

    def watch(self) -> None:
        for order in self.given:
            if isinstance(order, Watch):
                known = {GUARD: FULL}
                self.commit(WatchSet(known=known, piece=order.piece, line=order.line, square=order.square))

    def go_on(self, turn: int, phase: Phase) -> None:
        if self.field.phase != "over" and phase != "over":
            self.commit(PhaseBegan(known=ALL, turn=turn, begins=phase))


SEQUENCE: dict[Phase, tuple[Callable[[Play], None], Phase]] = {
    "move": (Play.move, "fire"),
    "fire": (Play.fire, "end"),
    "end": (Play.end, "move"),
}
"""What is played in each phase, and which comes after it."""


def resolve(
    scene: Scene,
    world: World[Field, Field],
    orders: Mapping[Role, Sequence[Order]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play to the next exchange, or (*until* phase) the phase that the field stands in."""
    play = Play(scene, world, orders, answers, dice)

    def on() -> None:
        play.watch()
        while play.field.phase != "over":
            run, after = SEQUENCE[play.field.phase]
            run(play)
            if until == "phase" or play.field.halt:
                break
            play.go_on(play.field.turn + (after == "move"), after)
            if after in ("move", "fire"):
                break

    return play.played(on)


def verdict(field: Field) -> Verdict | None:
    """Who has won."""
    if field.winner is None:
        return None
    return Verdict(field.winner, f"the {field.winner} has won", (RuleId("TY-END-01"),))


def seals(field: Field) -> bool:
    """Whether seeds are shown only when the game is over."""
    return field.options["reveal_seed"] == "end"
