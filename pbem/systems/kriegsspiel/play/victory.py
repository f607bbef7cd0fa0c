"""How the game ends: the last move, both offers, a bridge secured, a side worn out (the scenario's `[end]`)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.contract import Verdict
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.hierarchy import chief_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.play.reckoning import count_hours, count_secured, reckon
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.world.bodies import is_worn_out
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.outcomes import GameEnded, ScoreItem
from pbem.systems.kriegsspiel.world.outcomes_knowledge import GameTold
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import SIDES, Side


def verdict(war: War) -> Verdict | None:
    """Who has won and how, or None while play goes on."""
    if war.clock.phase != "over":
        return None
    return Verdict(war.clock.winner or None, war.clock.verdict)


@rule("KS-GM-01", "KS-TUR-08")
def check_end(play: Play) -> None:
    """After each move: the last move, both offers, a secured bridge, a side worn out."""
    if play.war.clock.phase != "run":
        return
    count_secured(play)
    count_hours(play)
    why = _why_over(play)
    if why:
        finish(play, why)


def _why_over(play: Play) -> str:
    scene, war = play.scene, play.war
    if war.clock.move >= scene.last_move:
        return f"the clock has come to {scene.clock(scene.last_move)}"
    offers = [_standing_for(scene, war, name) for name in scene.ends.get("offers", [])]
    if offers and all(name in war.persons and war.persons[name].offers_end for name in offers):
        return "both commanders have offered to end the game"
    secured = scene.ends.get("secured")
    if secured and war.clock.secured >= secured["moves"]:
        return f"{secured['side'].capitalize()} holds the {_crossing_name(scene, secured['crossing'])}"
    below = scene.ends.get("infantry_below")
    if below:
        for side in SIDES:
            if worn_out(scene, war, side, (below[0], below[1])):
                return f"{side.capitalize()}'s infantry is worn out"
    return ""


@rule("KS-CMD-10")
def _standing_for(scene: Scene, war: War, name: str) -> str:
    """Who can offer the end: a person named by the scenario, or who stands above all after he was taken."""
    person = war.persons.get(name)
    return chief_of(scene, war, person.side) if person is not None and person.state == "captured" else name


def _crossing_name(scene: Scene, name: str) -> str:
    return scene.chart.crossings[name].name


@rule("KS-GM-01")
def worn_out(scene: Scene, war: War, side: Side, below: tuple[int, int]) -> bool:
    """Whether a side's fighting infantry is under that part of its start, with what is still to come."""
    begun = sum(
        plan.men * MAN_TW
        for plan in scene.units.values()
        if plan.side == side and plan.arm == "infantry" and not plan.parent and f"{side}:{plan.id}" in war.units
    )
    left = sum(
        unit.strength.men_tw
        for unit in war.units.values()
        if unit.side == side and unit.arm == "infantry" and not is_worn_out(unit)
    )
    return begun > 0 and left * below[1] < begun * below[0]


def finish(play: Play, why: str) -> None:
    """The reckoning is made, and everything is opened."""
    scores = tuple(score for score in (reckon(play, prize) for prize in play.scene.prizes) if score is not None)
    for score in scores:
        play.add(ScoreItem(item=score.item, red=score.red, blue=score.blue, rules=cited("KS-GM-01"), changes=Changes()))
    red, blue = sum(score.red for score in scores), sum(score.blue for score in scores)
    result, winner = called(play.scene, red, blue)
    text = f"The game ends: {why}. Red {red}, Blue {blue}: {result}."
    over = play.clock(phase="over", running=False, verdict=f"{why}; red {red}, blue {blue}: {result}", winner=winner)
    play.add(GameEnded(result=result, text=text, rules=cited("KS-GM-01"), changes=replace(over, scores=scores)))
    told = tuple((score.item, score.red, score.blue) for score in scores)
    for role in play.roles():
        play.tell(
            role,
            GameTold(text=text, scores=told),
            Learned(phase="over", ended=text, winner=winner or None, move=play.move),
        )


def called(scene: Scene, red: int, blue: int) -> tuple[str, str]:
    """What a difference is called, and whose it is."""
    gap = abs(red - blue)
    leader = "red" if red > blue else "blue"
    if gap >= scene.results.get("clear_success", 5):
        return f"a clear success for {leader.capitalize()}", leader
    if gap >= scene.results.get("success", 2):
        return f"a success for {leader.capitalize()}", leader
    return "undecided", ""
