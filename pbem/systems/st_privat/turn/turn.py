"""The sequence of play: which phase follows which, and the dice that are thrown in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.square import place
from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.orders.sheet import Order
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.fire import artillery, damage, losses, rifle
from pbem.systems.st_privat.fire.aims import Aim, declarations, lines_played
from pbem.systems.st_privat.march.siege import bring_on
from pbem.systems.st_privat.melee.charge import fight, go_in
from pbem.systems.st_privat.melee.melee import in_order
from pbem.systems.st_privat.mind.fog import sightings
from pbem.systems.st_privat.play.pauses import PLAYED, SETUP, moves_now, opens
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.play.victory import end_of_turn
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.turn.movement import movement_phase
from pbem.systems.st_privat.turn.reactions import set_reactions, turn_up_by_order
from pbem.systems.st_privat.turn.setup import set_up
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, Fact, owner_only
from pbem.systems.st_privat.world.game import Phase, Score, Standing
from pbem.systems.st_privat.world.patches import GamePatch
from pbem.systems.st_privat.world.pieces import ENEMY, FIGURES, FRENCH, PRUSSIAN, SIDES
from pbem.systems.st_privat.world.state import Battle

# ------------------------------------------------------------------ phases


@rule("SP-SGE-02")
def _bring_on(play: Play) -> None:
    """Bring the siege gun on in an exchange without movement of its side; elsewhere its movement does it."""
    if moves_now(play.battle, PRUSSIAN) or play.battle.phase in SETUP:
        return
    for order in play.sheet(PRUSSIAN):
        if isinstance(order, say.SiegeReveal):
            bring_on(play, PRUSSIAN, order)


def _move(play: Play) -> None:
    movement_phase(play, play.movers[0] if play.battle.phase == "move_first" else play.movers[1])


@rule("SP-TRN-04", "SP-GEN-01")
def _rifles(play: Play) -> None:
    """Both sides declare, all dice fall, and only then does anybody fall."""
    field = play.field
    aims = {side: rifle.declare(field, side, play.sheet(side)) for side in play.movers}
    throws = {
        aim.shooter.id: play.throw("rifle", aim.shooter.id)
        for side in play.movers
        for aim in aims[side]
        if aim.target is not None
    }
    for side in play.movers:
        play.tell(*declarations(field, side, aims[side]))
    hits: list[losses.Hit] = []
    results: dict[str, str] = {}
    for side in play.movers:
        fires, scored = rifle.resolve(field, side, aims[side], throws)
        hits += scored
        for fire in fires:
            squares = tuple(sorted({*play.battle.squares_fired_rifle, fire.target_square}, key=place))
            play.tell(replace(fire, game=GamePatch(squares_fired_rifle=squares)))
            results |= {die.shooter: "hit" if die.hit else "missed" for die in fire.fire}
    for side in play.movers:
        _turn_up(play, aims[side])
        play.tell(*lines_played(field, side, play.sheet(side), say.Fire, aims[side], results))
    _fall(play, field, hits, "rifle")


def _turn_up(play: Play, aims: Sequence[Aim]) -> None:
    """Turn up the cards that have fired (SP-HID-04)."""
    down = [aim for aim in aims if aim.target is not None and aim.shooter.hidden]
    for at in dict.fromkeys(aim.at for aim in down):
        play.turn_up([aim.shooter for aim in down if aim.at == at], "fired")


def _fall(play: Play, field: Field, hits: Sequence[losses.Hit], cause: losses.Weapon) -> None:
    """Deal the hits of a phase on the field as it began, throw man or horse, and take all losses off."""
    shares = losses.deal(field, hits)
    throws = [play.throw("man_or_horse", place, secret=secret) for place, secret in losses.rolls(shares)]
    play.tell(*losses.rolled(field, shares, throws))
    losses.apply_losses(play, losses.fallen(field, shares, [throw.faces[0] for throw in throws]), cause)


@rule("SP-TRN-04", "SP-GEN-01")
def _guns(play: Play) -> None:
    """As rifles; then what is broken falls down, and infantry has pulled down what it could."""
    field = play.field
    aims = {side: artillery.declare(field, side, play.sheet(side)) for side in play.movers}
    for side in play.movers:
        play.tell(*declarations(field, side, aims[side]))
    hits: list[losses.Hit] = []
    blows: list[damage.Blow] = []
    results: dict[str, str] = {}
    for side in play.movers:
        for aim in aims[side]:
            if aim.target is None:
                continue
            play.tell(*artillery.turned(field, aim))
            fact, killed, broken = _shot(play, field, aim)
            squares = tuple(sorted({*play.battle.squares_fired_artillery, aim.target}, key=place))
            play.tell(replace(fact, game=GamePatch(squares_fired_artillery=squares)))
            hits += killed
            blows += broken
            results[aim.shooter.id] = artillery.in_words(fact)
    for side in play.movers:
        _turn_up(play, aims[side])
        play.tell(*lines_played(field, side, play.sheet(side), say.Shoot, aims[side], results))
    _fall(play, field, hits, "artillery")
    damage.strike(play, blows)
    damage.demolish(play)


def _shot(
    play: Play, field: Field, aim: Aim
) -> tuple[c.ArtilleryFireResolved, tuple[losses.Hit, ...], tuple[damage.Blow, ...]]:
    """The dice of one gun: two for a shell that strays, and one to hit unless it left the board."""
    gun = aim.shooter.id
    strays = aim.ammunition in artillery.INDIRECT
    deviation = play.throw("artillery_deviation", gun, count=2) if strays else None
    fall = artillery.Fall("", aim.target) if deviation is None else artillery.fall(field, aim, deviation.faces)
    throw = None if fall.square is None else play.throw("artillery_hit", gun)
    return artillery.resolve(field, aim, fall, deviation, throw)


@rule("SP-MEL-10", "SP-TRN-01")
def _melee(play: Play) -> None:
    """The second mover's charges, one after another."""
    side = play.movers[1]
    for order in in_order([one for one in play.sheet(side) if isinstance(one, say.Charge)]):
        ready = go_in(play, side, order)
        if ready is not None:
            fight(play, ready, play.throw("melee", order.square))


@rule("SP-TRN-01", "SP-TRN-03")
def _end(play: Play) -> None:
    """Towns and points, the end of the game, and who moves first in the next turn."""
    end_of_turn(play)
    if play.battle.ended is None and play.battle.options.initiative_timing == "end_of_previous_turn":
        _initiative(play)


@rule("SP-TRN-03", "SP-GEN-01")
def _initiative(play: Play) -> None:
    """A die each, again if even; the winner's reaction says whether he moves first or second."""
    throws: list[Throw] = []
    while not throws or throws[-1].faces == throws[-2].faces:
        again = str(len(throws) // 2 + 1)
        throws += [play.throw("initiative_french", again), play.throw("initiative_prussian", again)]
    french, prussian = throws[-2].faces[0], throws[-1].faces[0]
    winner = FRENCH if french > prussian else PRUSSIAN
    choice = play.field.reactions(winner).initiative or "second"
    first = winner if choice == "first" else ENEMY[winner]
    play.tell(
        o.InitiativeRolled(
            rules=cited("SP-TRN-03", "SP-GEN-01"),
            dice=tuple(throws),
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


PHASES: Mapping[Phase, Callable[[Play], None]] = {
    "setup_french": set_up,
    "setup_prussian": set_up,
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
    if battle.options.by_sight:
        return Standing(battle.turn, battle.vp, None)
    left = {
        side: sum(
            FIGURES[p.kind][1] if not p.is_open else p.left
            for p in battle.pieces.values()
            if p.side == side and p.stands and p.kind in FIGURES
        )
        for side in SIDES
    }
    return Standing(battle.turn, battle.vp, Score(french=left[FRENCH], prussian=left[PRUSSIAN]))


def _began(play: Play, phase: Phase, game: GamePatch) -> None:
    """Go on to a phase: the fact belongs to that already."""
    turn = play.battle.turn if game.turn is UNSET else game.turn
    play.add(o.PhaseBegan(turn=turn, phase=phase, rules=cited("SP-TRN-01"), known=BOTH, game=game))


@rule("SP-TRN-01", "SP-GEN-03")
def _go_on(play: Play) -> None:
    """Begin the phase that follows; after the last of a turn the next turn, or the end."""
    now = play.battle.phase
    if now == "setup_french":
        _began(play, "setup_prussian", GamePatch(phase="setup_prussian"))
    elif now in PLAYED and now != "end":
        following = PLAYED[PLAYED.index(now) + 1]
        _began(play, following, GamePatch(phase=following))
    elif play.battle.ended is not None:
        _began(play, "over", GamePatch(phase="over", course=standing(play.battle)))
        _break_seals(play)
    else:
        _next_turn(play)


def _next_turn(play: Play) -> None:
    battle = play.battle
    course = standing(battle) if battle.phase == "end" else UNSET
    _began(play, "move_first", GamePatch(turn=battle.turn + 1, phase="move_first", course=course))
    if battle.phase == "end" and battle.options.initiative_timing == "start_of_turn":
        _initiative(play)
    if play.battle.turn == battle.numbers.exit_from:
        play.tell(
            o.WithdrawalOrdered(rules=cited("SP-GEN-03"), known=owner_only(FRENCH), square=battle.numbers.exit_square)
        )


def _break_seals(play: Play) -> None:
    """At the end both set-ups are shown, so that anyone can check what was sealed."""
    for side in SIDES:
        sealed = play.battle.sealed.get(side)
        if sealed is not None:
            play.tell(
                o.SetupRevealed(
                    side=side, seal=sealed.seal, salt=sealed.salt, placements=tuple(sealed.placements.splitlines())
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
    play = Play(scene, world, orders, answers, dice)

    def on() -> None:
        for side in SIDES:
            set_reactions(play, side)
            turn_up_by_order(play, side)
        _bring_on(play)
        while play.battle.phase != "over":
            played = play.battle.phase
            PHASES[played](play)
            play.tell(*sightings(play.scene, play.battle, play.minds))
            if until == "phase" and played != "end":
                break
            _go_on(play)
            if opens(play.battle):
                break

    return play.played(on)
