"""The sequence of play: the steps of a move, the moves of a run, and where it stops for mail (KS-TUR-02, KS-TUR-08)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.command.arrivals import begin_move
from pbem.systems.kriegsspiel.command.persons_taken import take_persons
from pbem.systems.kriegsspiel.command.riders import ride
from pbem.systems.kriegsspiel.command.sent import take_sheets
from pbem.systems.kriegsspiel.fire.canister import canister_tests
from pbem.systems.kriegsspiel.fire.fire import fire
from pbem.systems.kriegsspiel.knowing.interrupts import after_move, begin_run
from pbem.systems.kriegsspiel.knowing.knowledge import update
from pbem.systems.kriegsspiel.knowing.reports import write_reports
from pbem.systems.kriegsspiel.knowing.sighting import observe
from pbem.systems.kriegsspiel.knowing.whereabouts import see_chiefs
from pbem.systems.kriegsspiel.march.forming import limber_first
from pbem.systems.kriegsspiel.march.ticks import move
from pbem.systems.kriegsspiel.melee.attacks import declare, fight, mark_canister
from pbem.systems.kriegsspiel.melee.capture import encircled, trapped
from pbem.systems.kriegsspiel.melee.guns_attacked import guns_after_move
from pbem.systems.kriegsspiel.melee.prisoners import send_escorts
from pbem.systems.kriegsspiel.melee.pursuits import after_pursuit
from pbem.systems.kriegsspiel.melee.retreats import after_move as after_retreat
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.play.victory import check_end
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.turn.adjustments import adjust
from pbem.systems.kriegsspiel.turn.decisions import decide
from pbem.systems.kriegsspiel.turn.dispositions import dispose
from pbem.systems.kriegsspiel.turn.under_fire import under_fire
from pbem.systems.kriegsspiel.works.works_step import see_crossings, works
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.orders import AnyAct
from pbem.systems.kriegsspiel.world.state import War

STEPS: Sequence[tuple[str, tuple[Callable[[Play], None], ...]]] = (
    ("clock", (begin_move,)),
    ("papers", (ride,)),
    ("decisions", (under_fire, decide, declare, limber_first)),
    ("movement", (move,)),
    ("fire", (fire,)),
    ("canister", (canister_tests,)),
    ("attacks", (mark_canister, fight)),
    ("adjustments", (adjust, after_pursuit, trapped, after_retreat, guns_after_move, encircled, send_escorts)),
    ("works", (works, take_persons)),
    ("reports", (observe, see_crossings, see_chiefs, write_reports, update, check_end)),
)
"""What happens in a move, in order (KS-TUR-02); sight during movement is tried by `move`."""


@rule("KS-TUR-01", "KS-TUR-02", "KS-TUR-07")
def play_move(play: Play) -> None:
    """One move of two minutes."""
    for _, parts in STEPS:
        for part in parts:
            part(play)


@rule("KS-TUR-02", "KS-TUR-03", "KS-TUR-08")
def resolve(
    scene: Scene,
    world: World[War, Mind],
    orders: Mapping[Role, Sequence[AnyAct]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play on from where the state stands to the next pause; for a case's `phase`, a single move."""
    play = Play(scene, world, orders, answers, dice)
    return play.played(lambda: _play_on(play, until))


def _play_on(play: Play, until: Until) -> None:
    if play.war.clock.phase in ("setup", "setup_second"):
        dispose(play)
    elif play.war.clock.phase != "over":
        begin_run(play)
        take_sheets(play)
        while play.war.clock.phase == "run" and play.war.clock.running:
            play_move(play)
            after_move(play)
            if until == "phase":
                break
