"""The sequence of play: which phase follows which, and where it stops for mail (HL-SEQ)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import UNSET

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.segments import sequence
from pbem.systems.half_league.fire.fire import fire
from pbem.systems.half_league.march.leaders import lead
from pbem.systems.half_league.march.morale import end_of_phase
from pbem.systems.half_league.march.movement import act
from pbem.systems.half_league.march.reinforcement import reinforcements
from pbem.systems.half_league.melee.charge import charges
from pbem.systems.half_league.melee.melee import melees
from pbem.systems.half_league.play.command import army_removal
from pbem.systems.half_league.play.pauses import opens
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.play.standing import take_standing_orders
from pbem.systems.half_league.play.victory import broken, count, mark
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.turn.initiative import initiative
from pbem.systems.half_league.turn.setup import set_up
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Phase
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.orders import AnyOrder
from pbem.systems.half_league.world.patches import GamePatch, UnitPatch
from pbem.systems.half_league.world.pieces import SIDES
from pbem.systems.half_league.world.state import Battle


@rule("HL-SEQ-01", "HL-TRN-02", "HL-MOV-12")
def _moves(play: Play) -> None:
    """The Move phase: units by flanks, a brigade's leaders after the last of its units."""
    _release(play)
    for side in SIDES:
        army_removal(play, side, phase="start")
    first, flank = play.battle.initiative, play.battle.flank
    if first is None or not flank:
        return
    order = list(sequence(play.field, first, flank))
    leaders = _leaders(play, order)
    for at, (number, name) in enumerate(order):
        play.segment = number
        unit = play.unit(name)
        if unit.there:
            play.activate(unit, number, "HL-TRN-02", "HL-TRN-01")
            act(play, name)
        for leader in leaders.get(at, ()):
            lead(play, leader)
    play.segment = 0
    for leader in leaders.get(-1, ()):
        lead(play, leader)


@rule("HL-TRN-02", "HL-MOV-12")
def _leaders(play: Play, order: Sequence[tuple[int, str]]) -> dict[int, list[str]]:
    """After which unit of the sequence each leader moves; -1: at the end."""
    found: dict[int, list[str]] = {}
    for name, leader in sorted(play.battle.leaders.items()):
        own = [
            at
            for at, (_, unit) in enumerate(order)
            if play.unit(unit).side == leader.side
            and (leader.kind == "army" or play.unit(unit).brigade == leader.brigade)
        ]
        found.setdefault(max(own, default=-1), []).append(name)
    return found


@rule("HL-OPT-01")
def _release(play: Play) -> None:
    """The reserve may move from its turn on; an enemy beyond its line has released it when he was seen."""
    reserve = play.scene.reserve
    if reserve is None or not play.battle.options.reserve_release or play.battle.released:
        return
    if play.battle.turn >= reserve.turn:
        play.add(
            o.ReserveReleased(rules=cited("HL-OPT-01"), side=reserve.side, why="turn", game=GamePatch(released=True))
        )


@rule("HL-SEQ-01", "HL-FIR-10", "HL-CMD-13")
def _end(play: Play) -> None:
    """The turn is over: who stood still is known, and what was not used is said."""
    units = {
        unit.id: UnitPatch(stationary_turns=0 if unit.stirred else unit.stationary_turns + 1)
        for unit in play.battle.units.values()
        if unit.there
    }
    play.add(o.TurnEnded(rules=cited("HL-SEQ-01"), units=units, game=GamePatch(course=mark(play))))


def _unused(play: Play, turn: int, phase: Phase) -> None:
    """Lines whose moment never came cost nothing (HL-CMD-13); they belong to the exchange that has been played."""
    for role in play.orders:
        for order in play.orders[role]:
            unit = getattr(order, "unit", "")
            answered = any(key[0] == role and key[1] == order.line and _about(key[2], unit) for key in play.done)
            if answered:
                continue
            if isinstance(order, say.SetInitiative | say.SetFlank):
                # Sent when the roll was over: it is in force for the next one.
                play.came_of(role, order, "standing", turn=turn, phase=phase)
                continue
            play.came_of(role, order, "not used", _why_unused(play.battle, order), unit, turn=turn, phase=phase)


def _why_unused(battle: Battle, order: AnyOrder) -> str:
    """Why the moment of a line never came: its unit was gone or ran, its leader fell or was with no unit."""
    piece = battle.units.get(getattr(order, "unit", ""))
    if isinstance(order, say.LeaderOrder):
        leader = battle.leaders.get(order.leader)
        if leader is not None and leader.fallen:
            return "fallen"
        if isinstance(order, say.Favour | say.ArmyPull):
            if leader is not None and not leader.attached_to:
                return "not_attached"
            return "never_filled" if isinstance(order, say.ArmyPull) and order.chits else "no_moment"
    if piece is not None and not piece.there:
        return "gone"
    fires = isinstance(order, say.Fire | say.Bombard | say.HoldFire)
    return "routing" if fires and piece is not None and piece.routing else "no_moment"


def _about(key: str, unit: str) -> bool:
    return key.partition("/")[0] in ("", unit)


PHASES: Mapping[Phase, Callable[[Play], None]] = {
    "setup": set_up,
    "initiative": initiative,
    "move": _moves,
    "fire_artillery": partial(fire, sub="artillery"),
    "fire_small": partial(fire, sub="small_arms"),
    "charge": charges,
    "melee": melees,
    "reinforce": reinforcements,
    "end": _end,
}
"""What is done in each phase (HL-SEQ-01)."""

NEXT: Mapping[Phase, Phase] = {
    "initiative": "move",
    "move": "fire_artillery",
    "fire_artillery": "fire_small",
    "fire_small": "charge",
    "charge": "melee",
    "melee": "reinforce",
    "reinforce": "end",
}
ENDED_BY_ROUTS: tuple[Phase, ...] = ("move", "fire_artillery", "fire_small", "charge", "melee", "reinforce")
"""Phases at whose end chits are placed and units rout (HL-SEQ-02)."""


@rule("HL-SEQ-01")
def _go_on(play: Play, played: Phase) -> None:
    """Begin the phase that follows; after the last of a turn the next turn, or the end."""
    battle = play.battle
    if played in NEXT:
        game = GamePatch(phase=NEXT[played], fights=() if played == "melee" else UNSET)
        play.add(o.PhaseBegan(rules=cited("HL-SEQ-01"), game=game))
    elif played == "end" and battle.turn >= battle.options.turn_limit:
        count(play)
    elif played == "end":
        turn, won = battle.turn + 1, dict(battle.wins)
        game = GamePatch(phase="initiative", turn=turn, held=battle.initiative, won_before=won, fights=())
        play.add(o.PhaseBegan(rules=cited("HL-SEQ-01"), game=game))


@rule("HL-SEQ-01", "HL-SEQ-02")
def resolve(
    scene: Scene,
    world: World[Battle, Battle],
    orders: Mapping[Role, Sequence[AnyOrder]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play on from where the state stands to the next pause, or to the end of the phase."""
    play = Play(scene, world, orders, answers, dice)
    return play.played(partial(_play_on, play, until))


def _play_on(play: Play, until: Until) -> None:
    for role in play.orders:
        take_standing_orders(play, role)
    turn, played = play.battle.turn, play.battle.phase
    while play.battle.phase != "over":
        turn, played = play.battle.turn, play.battle.phase
        PHASES[played](play)
        if played in ENDED_BY_ROUTS:
            end_of_phase(play)
            if broken(play.battle) and until != "phase":
                play.add(o.TurnEnded(rules=cited("HL-SEQ-01"), game=GamePatch(course=mark(play))))
                count(play)
                break
        if until == "phase":
            break
        _go_on(play, played)
        if opens(play.battle):
            break
    if until != "phase":
        _unused(play, turn, played)
