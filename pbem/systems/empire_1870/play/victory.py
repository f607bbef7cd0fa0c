"""The national morale of the Empire, who controls what, and how the game ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import FULL, Aspect, Role
from pbem.rules.contract import Verdict
from pbem.rules.ledger import cited, rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.mind.fog import inspected
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import CASUALTIES_PER_VP, EXIT_CORPS, MAJOR_BATTLE_SP, VP, VP_ENDS
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.outcomes import ControlChanged, GameWon, VpChanged
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, Ended
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.state import War


class Points(NamedTuple):
    """What moves the marker: why, how far, and by which rules."""

    reason: str
    delta: int
    rules: tuple[str, ...]


@rule("WE-VIC-01")
def score(play: Play, *parts: Points) -> None:
    """Move the marker by all that one event is worth; where it ends the track, what is too much is lost."""
    reached = play.war.vp
    for reason, delta, rules in parts:
        if not delta:
            continue
        reached += delta
        vp = max(VP_ENDS[GERMAN], min(VP_ENDS[FRENCH], reached))
        play.happens(
            VpChanged, **both(None, "WE-VIC-01", *rules), reason=reason, delta=delta, vp=vp, game=GamePatch(vp=vp)
        )


@rule("WE-CTL-01")
def stays_with_garrison(field: Field, side: Role, at: Hex) -> bool:
    """Whether a hex stays the garrison's of an undestroyed fortress, though *side* is in it."""
    enemy = ENEMY[side]
    return field.fortress_of(at) == enemy and field.sp(enemy, at) > 0


@rule("WE-CTL-01")
def change_control(play: Play, side: Role, at: Hex, by: str = "") -> None:
    """A hex is *side*'s now; of a town or fortress both know it, else the enemy if he can look into it."""
    cell = play.field.cell(at)
    public = cell.town or cell.fortress > 0
    known = both(side)["known"] if public else {side: FULL}
    if not public and at in inspected(play.field, ENEMY[side]):
        known[ENEMY[side]] = Aspect(FULL)
    play.happens(
        ControlChanged,
        rules=cited("WE-CTL-01"),
        known=known,
        hex=at,
        before=play.field.controller(at),
        after=side,
        by=by,
        walls=play.field.fortress_of(at),
        private=("by",),
        side=side,
        game=GamePatch(control={at: side}),
    )


@rule("WE-CTL-01", "WE-VIC-01")
def take_control(play: Play, side: Role, hexes: Iterable[Hex], by: str = "") -> None:
    """*side* has moved SP into or through these hexes."""
    for at in hexes:
        field, cell = play.field, play.field.cell(at)
        if field.controller(at) == side or cell.terrain == "neutral" or stays_with_garrison(field, side, at):
            continue
        change_control(play, side, at, by)
        if cell.town and cell.owner is not None:
            country = "french" if cell.owner == FRENCH else "german"
            what = f"{country}_town_{'retaken' if cell.owner == side else 'taken'}"
            score(play, Points(f"{cell.name} {what.rpartition('_')[2]}", VP[what], ("WE-CTL-01",)))


@rule("WE-VIC-02", "WE-VIC-03")
def battle_score(play: Play, place: str, winner: Role, present: int, lost: dict[Role, int]) -> None:
    """What a battle moves the marker, all in one: that it was a major one, and the SP eliminated in it."""
    parts = []
    if present >= MAJOR_BATTLE_SP:
        parts.append(Points(f"major battle at {place}", VP[f"major_battle_{winner}"], ("WE-VIC-02",)))
    for side, sign in ((GERMAN, 1), (FRENCH, -1)):
        dead = lost.get(side, 0)
        points = sign * (dead // CASUALTIES_PER_VP[side])
        parts.append(Points(f"{dead} {side} SP eliminated at {place}", points, ("WE-VIC-03",)))
    score(play, *parts)


def win(play: Play, ended: Ended, *rules: str, game: GamePatch | None = None) -> bool:
    """End the game, by a decision or by a ruling; *game*: what that sets besides."""
    play.happens(
        GameWon,
        **both(None, *rules),
        winner=ended.winner,
        how=ended.kind,
        condition=ended.condition,
        game=replace(game or GamePatch(), ended=ended),
    )
    return True


@rule("WE-VIC-06", "WE-CTL-01")
def _fallen(field: Field, at: Hex) -> bool:
    """Whether the Germans hold one of the places that decide the war: its hex, with no French SP inside."""
    stands = field.war.options.fortress_cities == "destroyed" and field.sr(at)
    return field.controller(at) == GERMAN and not field.sp(FRENCH, at) and not stands


@rule("WE-VIC-04", "WE-VIC-06", "WE-VIC-07", "WE-HQC-02", "WE-HQC-03")
def check_ends(play: Play) -> bool:
    """End the game if something has decided it: the Emperor, a German army HQ, the marker, what is controlled."""
    war = play.war
    if war.ended is not None:
        return True
    emperor = war.hqs.get("NAP")
    if emperor is not None and emperor.casualties > 1:
        return win(play, Ended("german", "major", "napoleon"), "WE-VIC-06", "WE-HQC-02", "WE-VIC-07")
    flipped = [hq for hq in war.hqs.values() if (hq.side, hq.rank, hq.face) == (GERMAN, "army", "replacement")]
    if flipped and war.options.german_army_hq_sudden_death:
        return win(play, Ended("french", "major", "german_army_hq"), "WE-VIC-04", "WE-HQC-03")
    for side, end in VP_ENDS.items():
        if war.vp == end:
            winner = Ended("french" if side == FRENCH else "german", "major", "vp")
            return win(play, winner, "WE-VIC-04" if side == FRENCH else "WE-VIC-06", "WE-VIC-01")
    aims = play.scene.aims
    if aims.german_major_hexes and all(_fallen(play.field, at) for at in aims.german_major_hexes):
        return win(play, Ended("german", "major", "control"), "WE-VIC-06")
    wanted = (*aims.french_major_german_hexes, *aims.border_french)
    held = wanted and all(war.control.get(at) == FRENCH for at in wanted)
    if held and len(war.exited) >= EXIT_CORPS:
        return win(play, Ended("french", "major", "control"), "WE-VIC-04", "WE-VIC-05")
    return False


@rule("WE-VIC-08")
def end_of_turn(play: Play) -> None:
    """After the last turn the marker decides, by where it stands to the draw."""
    if check_ends(play) or play.war.turn < play.war.options.turn_limit:
        return
    above = play.war.vp - play.war.options.draw_vp
    by_time = Ended("french" if above > 0 else "german", "minor", "time") if above else Ended("draw", "draw", "time")
    win(play, by_time, "WE-VIC-08")


_HOW = {
    "vp": "the national morale of the Empire came to its end",
    "napoleon": "the Emperor fell a second time",
    "german_army_hq": "a German army lost its commander",
    "control": "what had to be held was held",
    "time": "time was up",
    "ruling": "the umpire ended it",
}


def verdict(war: War) -> Verdict | None:
    """Who has won and how, or None while play goes on."""
    if war.ended is None:
        return None
    ended = war.ended
    winner = None if ended.winner == "draw" else ended.winner
    how = f"{ended.kind} victory: {_HOW.get(ended.condition, ended.condition)}" if winner else "a draw: time was up"
    return Verdict(winner=winner, how=how)
