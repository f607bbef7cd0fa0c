"""The end of a turn: who holds the towns, what that scores, and whether the game is over."""

from __future__ import annotations

from typing import Literal

from pbem.kernel.names import Role
from pbem.rules.contract import Verdict
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.scene import Scene, Town
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.game import Ended, Score, TownState
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.patches import GamePatch
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Kind
from pbem.systems.st_privat.world.state import Battle

Winner = Literal["french", "prussian", "draw"]

TROOPS: tuple[Kind, ...] = ("infantry", "cavalry", "crew")
"""Whose presence takes or retakes a town; a general's alone does not (SP-VIC-03)."""


@rule("SP-VIC-03")
def _present(field: Field, town: Town, side: Role, kinds: tuple[Kind, ...]) -> bool:
    return any(piece.kind in kinds for at in town.squares for piece in field.at(at, side))


@rule("SP-VIC-03")
def holder(
    field: Field, town: Town, now: Literal["french", "prussian", "none"]
) -> Literal["french", "prussian", "none"]:
    """Who holds a town at the end of a turn; unless it has changed hands, whoever held it before."""
    options = field.options
    defended = _present(field, town, FRENCH, (*TROOPS, "general"))
    entered = _present(field, town, PRUSSIAN, TROOPS)
    if not defended and (entered or not options.capture_needs_presence):
        return "prussian"
    retaken = _present(field, town, FRENCH, TROOPS) or not options.recapture_needs_french_stand
    if retaken and not entered:
        return "french"
    return now


@rule("SP-VIC-04", "SP-SCN-09")
def town_points(scene: Scene, town: Town, state: TownState, new: str, turn: int) -> tuple[int, bool]:
    """What a change of hands scores the Prussians, and whether the town's points stand after it."""
    numbers = scene.numbers
    if new == "prussian" and not state.points_awarded and turn <= numbers.last_scoring_turn:
        return town.points, True
    if new == "french" and state.points_awarded and turn <= numbers.last_recapture_turn:
        return -town.points, False
    return 0, state.points_awarded


@rule("SP-VIC-01")
def winner(score: Score, options: Options) -> Winner:
    """The side with more points; a tie is a draw unless the option `tie` says otherwise."""
    if score.french == score.prussian:
        return options.tie
    return "french" if score.french > score.prussian else "prussian"


@rule("SP-VIC-02", "SP-SCN-09")
def ending(scene: Scene, battle: Battle) -> Literal["turn_15", "no_town_turn_9"] | None:
    """Whether the game is over after this turn, and why."""
    if battle.turn >= scene.numbers.last_turn:
        return "turn_15"
    held = any(state.holder == "prussian" for state in battle.town_state.values())
    return "no_town_turn_9" if battle.turn == scene.numbers.early_end_after and not held else None


def end_of_turn(play: Play) -> None:
    """Towns, their points, and the end of the game."""
    for name, town in play.scene.towns.items():
        _settle(play, name, town)
    reason = ending(play.scene, play.battle)
    if reason is not None:
        won = winner(play.battle.vp, play.battle.options)
        play.tell(
            o.GameEnded(
                rules=cited("SP-VIC-01", "SP-VIC-02", "SP-SCN-09"),
                reason=reason,
                winner=won,
                french=play.battle.vp.french,
                prussian=play.battle.vp.prussian,
                game=GamePatch(ended=Ended(reason, won)),
            )
        )


def _settle(play: Play, name: str, town: Town) -> None:
    state = play.battle.town_state[name]
    new = holder(play.field, town, state.holder)
    if new == "prussian" and not _present(play.field, town, FRENCH, (*TROOPS, "general")):
        _clear_dummies(play, town)
    if new == state.holder:
        return
    points, awarded = town_points(play.scene, town, state, new, play.battle.turn)
    play.tell(
        o.TownControlChanged(
            rules=cited("SP-VIC-03", "SP-VIC-04", "SP-SCN-09"),
            town=name,
            start=state.holder,
            end=new,
            points_awarded=max(points, 0),
            points_subtracted=max(-points, 0),
            game=GamePatch(town_state={name: TownState(new, awarded)}),
        )
    )
    if points:
        play.score(PRUSSIAN, points, f"{town.name} {'taken' if points > 0 else 'lost'}", "SP-VIC-04")


@rule("SP-VIC-03")
def _clear_dummies(play: Play, town: Town) -> None:
    """Dummies left alone in a town that the Prussians hold are taken off."""
    for at in town.squares:
        dummies = [p for p in play.field.at(at, FRENCH) if p.kind == "dummy"]
        play.drop_dummies(at, dummies, "town_lost", "SP-VIC-03")


@rule("SP-VIC-01")
def verdict(battle: Battle) -> Verdict | None:
    """Who has won and how; None while play goes on."""
    if battle.ended is None:
        return None
    vp = battle.vp
    french, prussian = f"French {vp.french}", f"Prussians {vp.prussian}"
    how = {
        "turn_15": f"The last turn was played.  {french}, {prussian}.",
        "no_town_turn_9": f"The Prussians held no town after turn {battle.turn}.  {french}, {prussian}.",
    }[battle.ended.reason]
    winner = None if battle.ended.winner == "draw" else battle.ended.winner
    return Verdict(winner, how, cited("SP-VIC-01", "SP-VIC-02"))
