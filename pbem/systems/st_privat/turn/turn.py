"""The sequence of play: which phase follows which, and the dice that are thrown in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import FULL, Role
from pbem.kernel.owed import Answers
from pbem.orders.sheet import Order
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.fire import artillery, damage, losses, rifle
from pbem.systems.st_privat.fire.aims import Aim, declarations, lines_played
from pbem.systems.st_privat.march.movement import movement_phase
from pbem.systems.st_privat.march.siege import bring_on
from pbem.systems.st_privat.melee.charge import fight, go_in
from pbem.systems.st_privat.melee.melee import in_order
from pbem.systems.st_privat.mind.fog import clouded, sightings
from pbem.systems.st_privat.mind.memory import learn
from pbem.systems.st_privat.play.pauses import PLAYED, SETUP, moves_now, opens
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.play.victory import end_of_turn
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.turn.reactions import set_reactions, turn_up_by_order
from pbem.systems.st_privat.turn.setup import setup_phase
from pbem.systems.st_privat.world.fact import BOTH, Fact, owner_only
from pbem.systems.st_privat.world.game import Phase, Reactions, Score, Standing
from pbem.systems.st_privat.world.orders import Charge, Fire, Shoot, SiegeReveal
from pbem.systems.st_privat.world.outcomes import InitiativeRolled, PhaseBegan, SetupRevealed, WithdrawalOrdered, seen
from pbem.systems.st_privat.world.outcomes_combat import ArtilleryFireResolved
from pbem.systems.st_privat.world.patches import GamePatch
from pbem.systems.st_privat.world.pieces import ENEMY, FIGURES, FRENCH, PRUSSIAN, SIDES
from pbem.systems.st_privat.world.state import Battle


class Turn(Play):
    """One call of `resolve`: the truth and what each side knows, as they become."""

    def __init__(
        self,
        scene: Scene,
        world: World[Battle, Battle],
        orders: Mapping[Role, Sequence[Order]],
        dice: Dice,
    ) -> None:
        super().__init__(scene, world.truth)
        self.minds = dict(world.minds)
        self.orders = {side: tuple(orders.get(side, ())) for side in SIDES}
        self.dice = dice

    def add(self, *facts: Fact) -> None:
        """Take facts into the record, onto the field, and to those who may know them."""
        for fact in facts:
            told = clouded(self.scene, self.battle, self.minds, fact)
            super().add(told)
            for role, aspect in told.known.items():
                form = told if aspect == FULL else seen(told, aspect, role)
                if form is not None and role in self.minds:
                    self.minds[role] = learn(self.minds[role], form)

    @property
    def movers(self) -> tuple[Role, Role]:
        """The side that moves first, and the other."""
        return self.battle.first_mover, self.battle.second_mover

    def throw(self, purpose: str, place: str, *, count: int = 1, secret: bool = False) -> Throw:
        """Dice of the open seed, if both sides are shown them whatever comes of them.

        The closed one throws what is *secret*, and under `fog_of_war` los all but the initiative: who sees a stand is
        known only afterwards, and the open seed, which is printed, would tell of a throw that somebody was not shown.
        """
        clouded = self.battle.options.fog_of_war != "table" and not purpose.startswith("initiative")
        return self.dice.throw(purpose, place, count=count, seed="closed" if secret or clouded else "open")


# ------------------------------------------------------------------ phases


def _set_up(turn: Turn) -> None:
    _, side = SETUP[turn.battle.phase]
    salt = turn.dice.salt(side)
    turn.add(*setup_phase(turn.scene, turn.battle, side, turn.orders[side], salt))


@rule("SP-SGE-02")
def _bring_on(turn: Turn) -> None:
    """Bring the siege gun on in an exchange without movement of its side; elsewhere its movement does it."""
    if moves_now(turn.battle, PRUSSIAN) or turn.battle.phase in SETUP:
        return
    for order in turn.orders[PRUSSIAN]:
        if isinstance(order, SiegeReveal):
            bring_on(turn, PRUSSIAN, order)


def _move(turn: Turn) -> None:
    side = turn.movers[0] if turn.battle.phase == "move_first" else turn.movers[1]
    turn.add(*movement_phase(turn.scene, turn.battle, side, turn.orders[side]))


@rule("SP-TRN-04", "SP-GEN-01")
def _rifles(turn: Turn) -> None:
    """Both sides declare, all dice fall, and only then does anybody fall."""
    field = turn.field
    aims = {side: rifle.declare(field, side, turn.orders[side]) for side in turn.movers}
    throws = {
        aim.shooter.id: turn.throw("rifle", aim.shooter.id)
        for side in turn.movers
        for aim in aims[side]
        if aim.target is not None
    }
    for side in turn.movers:
        turn.add(*declarations(field, side, aims[side]))
    hits: list[losses.Hit] = []
    results: dict[str, str] = {}
    for side in turn.movers:
        fires, scored = rifle.resolve(field, side, aims[side], throws)
        hits += scored
        for fire in fires:
            turn.add(replace(fire, game=rifle.fired_at(turn.field, fire.target_square)))
            results |= {die.shooter: "hit" if die.hit else "missed" for die in fire.fire}
    for side in turn.movers:
        _turn_up(turn, aims[side])
        turn.add(*lines_played(field, side, turn.orders[side], Fire, aims[side], results))
    _fall(turn, field, hits, "rifle")


def _turn_up(turn: Turn, aims: Sequence[Aim]) -> None:
    """Turn up the cards that have fired (SP-HID-04)."""
    down = [aim for aim in aims if aim.target is not None and aim.shooter.hidden]
    for at in dict.fromkeys(aim.at for aim in down):
        turn.turn_up([aim.shooter for aim in down if aim.at == at], "fired")


def _fall(turn: Turn, field: Field, hits: Sequence[losses.Hit], cause: losses.Weapon) -> None:
    """Deal the hits of a phase on the field as it began, throw man or horse, and take all losses off."""
    shares = losses.deal(field, hits)
    throws = [turn.throw("man_or_horse", place, secret=secret) for place, secret in losses.rolls(shares)]
    turn.add(*losses.rolled(field, shares, throws))
    losses.apply_losses(turn, losses.fallen(field, shares, [throw.faces[0] for throw in throws]), cause)


@rule("SP-TRN-04", "SP-GEN-01")
def _guns(turn: Turn) -> None:
    """As rifles; then what is broken falls down, and infantry has pulled down what it could."""
    field = turn.field
    aims = {side: artillery.declare(field, side, turn.orders[side]) for side in turn.movers}
    for side in turn.movers:
        turn.add(*declarations(field, side, aims[side]))
    hits: list[losses.Hit] = []
    blows: list[damage.Blow] = []
    results: dict[str, str] = {}
    for side in turn.movers:
        for aim in aims[side]:
            if aim.target is None:
                continue
            turn.add(*artillery.turned(field, aim))
            fact, killed, broken = _shot(turn, field, aim)
            turn.add(replace(fact, game=artillery.fired_at(turn.field, aim.target)))
            hits += killed
            blows += broken
            results[aim.shooter.id] = artillery.in_words(fact)
    for side in turn.movers:
        _turn_up(turn, aims[side])
        turn.add(*lines_played(field, side, turn.orders[side], Shoot, aims[side], results))
    _fall(turn, field, hits, "artillery")
    damage.strike(turn, blows)
    damage.demolish(turn)


def _shot(
    turn: Turn, field: Field, aim: Aim
) -> tuple[ArtilleryFireResolved, tuple[losses.Hit, ...], tuple[damage.Blow, ...]]:
    """The dice of one gun: two for a shell that strays, and one to hit unless it left the board."""
    gun = aim.shooter.id
    strays = aim.ammunition in artillery.INDIRECT
    deviation = turn.throw("artillery_deviation", gun, count=2) if strays else None
    fall = artillery.Fall("", aim.target) if deviation is None else artillery.fall(field, aim, deviation.faces)
    throw = None if fall.square is None else turn.throw("artillery_hit", gun)
    return artillery.resolve(field, aim, fall, deviation, throw)


@rule("SP-MEL-10", "SP-TRN-01")
def _melee(turn: Turn) -> None:
    """The second mover's charges, one after another."""
    side = turn.movers[1]
    for order in in_order([one for one in turn.orders[side] if isinstance(one, Charge)]):
        ready = go_in(turn, side, order)
        if ready is not None:
            fight(turn, ready, turn.throw("melee", order.square))


@rule("SP-TRN-01", "SP-TRN-03")
def _end(turn: Turn) -> None:
    """Towns and points, the end of the game, and who moves first in the next turn."""
    turn.add(*end_of_turn(turn.scene, turn.battle))
    if turn.battle.ended is None and turn.battle.options.initiative_timing == "end_of_previous_turn":
        _initiative(turn)


@rule("SP-TRN-03", "SP-GEN-01")
def _initiative(turn: Turn) -> None:
    """A die each, again if even; the winner's reaction says whether he moves first or second."""
    throws: list[Throw] = []
    while not throws or throws[-1].faces == throws[-2].faces:
        again = str(len(throws) // 2 + 1)
        throws += [turn.throw("initiative_french", again), turn.throw("initiative_prussian", again)]
    french, prussian = throws[-2].faces[0], throws[-1].faces[0]
    winner = FRENCH if french > prussian else PRUSSIAN
    choice = turn.battle.reactions.get(winner, Reactions()).initiative or "second"
    first = winner if choice == "first" else ENEMY[winner]
    turn.add(
        InitiativeRolled(
            turn=turn.battle.turn,
            phase=turn.battle.phase,
            rules=cited("SP-TRN-03", "SP-GEN-01"),
            dice=tuple(throws),
            known=BOTH,
            french_die=french,
            prussian_die=prussian,
            rerolls=len(throws) // 2 - 1,
            winner=winner,
            choice=choice,
            first_mover=first,
            second_mover=ENEMY[first],
            game=GamePatch(first_mover=first, second_mover=ENEMY[first]),
        )
    )


PHASES: Mapping[Phase, Callable[[Turn], None]] = {
    "setup_french": _set_up,
    "setup_prussian": _set_up,
    "move_first": _move,
    "move_second": _move,
    "rifle": _rifles,
    "artillery": _guns,
    "melee": _melee,
    "end": _end,
}
"""What is done in each phase (SP-TRN-01)."""


# ------------------------------------------------------------------ from phase to phase


def standing(battle: Battle) -> Standing:
    """The figures of a turn as both sides may know them: what lies hidden counts in full until it is seen.

    Under `fog_of_war` los they are not given: what befalls a side out of sight is its own knowledge.
    """
    if battle.options.fog_of_war == "los":
        return Standing(battle.turn, battle.vp, None)
    left = {
        side: sum(
            FIGURES[p.kind][1] if p.hidden or not p.on_table else p.left
            for p in battle.pieces.values()
            if p.side == side and p.stands and p.kind in FIGURES
        )
        for side in SIDES
    }
    return Standing(battle.turn, battle.vp, Score(french=left[FRENCH], prussian=left[PRUSSIAN]))


def _began(turn: Turn, phase: Phase, game: GamePatch) -> None:
    turn.add(
        PhaseBegan(
            turn=turn.battle.turn if game.turn is UNSET else game.turn,
            phase=phase,
            rules=cited("SP-TRN-01"),
            known=BOTH,
            game=game,
        )
    )


@rule("SP-TRN-01", "SP-GEN-03")
def _go_on(turn: Turn) -> None:
    """Begin the phase that follows; after the last of a turn the next turn, or the end."""
    now = turn.battle.phase
    if now == "setup_french":
        _began(turn, "setup_prussian", GamePatch(phase="setup_prussian"))
    elif now in PLAYED and now != "end":
        following = PLAYED[PLAYED.index(now) + 1]
        _began(turn, following, GamePatch(phase=following))
    elif turn.battle.ended is not None:
        _began(turn, "over", GamePatch(phase="over", course=standing(turn.battle)))
        _break_seals(turn)
    else:
        _next_turn(turn)


def _next_turn(turn: Turn) -> None:
    battle = turn.battle
    course = standing(battle) if battle.phase == "end" else UNSET
    _began(turn, "move_first", GamePatch(turn=battle.turn + 1, phase="move_first", course=course))
    if battle.phase == "end" and battle.options.initiative_timing == "start_of_turn":
        _initiative(turn)
    if turn.battle.turn == battle.numbers.exit_from:
        turn.add(
            WithdrawalOrdered(
                turn=turn.battle.turn,
                phase=turn.battle.phase,
                rules=cited("SP-GEN-03"),
                known=owner_only(FRENCH),
                square=battle.numbers.exit_square,
            )
        )


def _break_seals(turn: Turn) -> None:
    """At the end both set-ups are shown, so that anyone can check what was sealed."""
    for side in SIDES:
        sealed = turn.battle.sealed.get(side)
        if sealed is not None:
            turn.add(
                SetupRevealed(
                    turn=turn.battle.turn,
                    phase=turn.battle.phase,
                    known=BOTH,
                    side=side,
                    seal=sealed.seal,
                    salt=sealed.salt,
                    placements=tuple(sealed.placements.splitlines()),
                )
            )


def resolve(
    scene: Scene,
    world: World[Battle, Battle],
    orders: Mapping[Role, Sequence[Order]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play on from where the state stands to the next pause, or to the end of the phase.

    The end of a turn opens the next one.
    """
    turn = Turn(scene, world, orders, dice)
    for side in SIDES:
        set_reactions(turn, side, turn.orders[side])
        turn_up_by_order(turn, side, turn.orders[side])
    _bring_on(turn)
    while turn.battle.phase != "over":
        played = turn.battle.phase
        PHASES[played](turn)
        turn.add(*sightings(turn.scene, turn.battle, turn.minds))
        if until == "phase" and played != "end":
            break
        _go_on(turn)
        if opens(turn.battle):
            break
    return Resolution(tuple(turn.facts))
