"""The sequence of play: which phase follows which, and where it stops for mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.melee.siege import sieges
from pbem.systems.empire_1870.play.pauses import opens, setup_order
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import take_standing_orders
from pbem.systems.empire_1870.play.victory import end_of_turn
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.turn.administration import administration
from pbem.systems.empire_1870.turn.programme import play_pulse, take_programmes
from pbem.systems.empire_1870.turn.recovery import recovery
from pbem.systems.empire_1870.turn.setup import break_seals, set_up
from pbem.systems.empire_1870.world.fact import Fact, both
from pbem.systems.empire_1870.world.orders import AnyOrder
from pbem.systems.empire_1870.world.outcomes import PhaseBegan, TurnEnded
from pbem.systems.empire_1870.world.parts import SIDES, Mark, Phase
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.state import War

PHASES: Mapping[Phase, Callable[[Play], None]] = {
    "setup_french": set_up,
    "setup_german": set_up,
    "administration": administration,
    "action": play_pulse,
    "siege": sieges,
    "recovery": recovery,
    "end": end_of_turn,
}
"""What is done in each phase (WE-SEQ-01)."""

NEXT: Mapping[Phase, GamePatch] = {
    "administration": GamePatch(phase="action", pulse=1),
    "siege": GamePatch(phase="recovery"),
    "recovery": GamePatch(phase="end"),
}


def _began(play: Play, game: GamePatch) -> None:
    play.happens(PhaseBegan, **both(None, "WE-SEQ-01"), game=game)


@rule("WE-SEQ-01")
def _go_on(play: Play) -> None:
    """Begin the phase that follows; after the last of a turn the next turn, or the end.

    The Action Phase goes on to its next pulse, or to the sieges, by its own facts (WE-SEQ-03).
    """
    war = play.war
    if war.ended is not None:
        _began(play, GamePatch(phase="over", course=Mark(war.turn, war.vp)))
        break_seals(play)
    elif war.phase == setup_order(war)[0]:
        _began(play, GamePatch(phase=setup_order(war)[1]))
    elif war.phase == setup_order(war)[1]:
        _began(play, GamePatch(phase="administration", turn=1))
        # The set-ups stand: what the fog hid of them until now may be seen before the first programme is written.
        play.look()
    elif war.phase == "end":
        play.happens(TurnEnded, **both(None, "WE-SEQ-01"), game=GamePatch(course=Mark(war.turn, war.vp)))
        _began(play, GamePatch(phase="administration", turn=war.turn + 1))
    elif war.phase in NEXT:
        _began(play, NEXT[war.phase])


def resolve(
    scene: Scene,
    world: World[War, War],
    orders: Mapping[Role, Sequence[AnyOrder]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play on from where the state stands to the next pause, or to the end of the phase (of a pulse, in action)."""
    play = Play(scene, world, orders, answers, dice)
    return play.played(lambda: _play_on(play, until))


def _play_on(play: Play, until: Until) -> None:
    for side in SIDES:
        take_standing_orders(play, side, play.orders[side])
        take_programmes(play, side, play.orders[side])
    while play.war.phase != "over":
        played = play.war.phase
        PHASES[played](play)
        play.look()
        if until == "phase":
            break
        # The Action Phase has gone on to the sieges by its own fact; they are still to be played.
        if play.war.phase == played or play.war.ended is not None:
            _go_on(play)
        if opens(play.war):
            break
