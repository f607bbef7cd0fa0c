"""One side's page, made from what it knows and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.prose import counted, number
from pbem.rules.page import frame, page
from pbem.rules.telling import plain, weightiest
from pbem.rules.view import Told, View
from pbem.systems.half_league.field.field import field_of
from pbem.systems.half_league.page.drawing import picture
from pbem.systems.half_league.page.forces import aims_table, course, enemy_table, own_tables, strip
from pbem.systems.half_league.page.gathering import gathered
from pbem.systems.half_league.page.sentences import Line
from pbem.systems.half_league.page.telling import CARRIED_OUT, DONE
from pbem.systems.half_league.play.victory import verdict
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import ADJECTIVE, clock, side_name
from pbem.systems.half_league.sheets.template import standing_lines, template
from pbem.systems.half_league.world.pieces import ENEMY, side_of
from pbem.systems.half_league.world.state import Battle

WORDS = 60
"""As many as the first paragraph of the summary may have."""


def dateline(scene: Scene, battle: Battle, moment: Moment) -> str:
    """Where, on what day and at what hour *moment* is, and which turn."""
    time = clock(scene, moment.turn or 1)
    turn = f"Turn {moment.turn} of {battle.options.turn_limit}" if moment.turn else "Before the first turn"
    return f"{scene.place}, {scene.date}{f', {time}' if time else ''}.  {turn}."


def _standing(battle: Battle, role: Role) -> str:
    """How it stands, in two sentences."""
    side = side_of(role)
    mine = battle.of(side)
    seen = [one for one in battle.of(ENEMY[side]) if not one.last_seen]
    routing = sum(one.routing for one in mine)
    worn = sum(one.chits > 0 for one in mine)
    first = f"You have {counted(len(mine), 'unit')} on the field, {number(worn) if worn else 'none'} of them with chits"
    first += f" and {number(routing)} routing" if routing else ""
    return f"{first}; of {side_name(ENEMY[side])} you see {counted(len(seen), 'unit')}."


def _owed(call: Call | None, pause: Pause) -> str:
    """What a side may or must send, in a phrase; empty if nothing is waited for."""
    if call is None or not call.must:
        return ""
    turn = pause.moment.turn
    if "setup" in call.sorts:
        return "deployment"
    if "move" in call.sorts and "fight" in call.sorts:
        return f"orders for turn {turn}"
    return f"{'initiative and moves' if 'move' in call.sorts else 'fire, points and melee'} for turn {turn}"


def _next(battle: Battle, pause: Pause) -> str:
    if battle.ended is not None:
        return "The battle is over."
    turn, exchange = pause.moment.turn, pause.moment.exchange
    if not turn:
        return "Both sides deploy at once; then command points are rolled and turn 1 begins."
    if battle.options.exchanges_per_turn == 2 and exchange == 1:
        return f"The moves of turn {turn} are played; then both order fire and fight."
    if battle.options.exchanges_per_turn == 2:
        return f"The fire, charges, melee and reinforcement moves of turn {turn} are played."
    return f"Turn {turn} is played: moves, fire, charges, melee and reinforcement moves."


def _map_title(mind: Battle, moment: Moment, *, played: bool, over: bool) -> str:
    if mind.options.exchanges_per_turn == 2 and moment.turn and moment.exchange == 1 and not over:
        return f"The field after the moves of turn {moment.turn}"
    return f"The field at the end of turn {moment.turn}" if played and moment.turn else "The field before the battle"


def view(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """One side's page.

    *told* is what it learnt in the turn, *pause* where play stands, with this side's call alone.
    """
    of = frame(role, told, pause, verdict(mind))
    moment, field, commander = of.moment, field_of(scene, mind), scene.commander(role)
    lines = [line for line in told if isinstance(line, Line) and line.moment.turn == moment.turn]
    here = [line for line in lines if line.moment == moment]
    happened = gathered(lines)
    gists = [one for line in happened if line.moment == moment for one in line.gists]
    title = _map_title(mind, moment, played=bool(of.exchanges), over=of.over is not None)
    aims = aims_table(field)
    return page(
        of,
        happened,
        ADJECTIVE.__getitem__,
        quiet=f"Turn {moment.turn}" if moment.turn else "The armies in sight of each other",
        addressed=f"the {commander.name} command, {commander.commander}",
        dateline=dateline(scene, mind, moment),
        strip=strip(field, role),
        brief=(" ".join(weightiest(gists, WORDS)) or _quiet(mind, role, here, of.exchanges), _standing(mind, role)),
        picture=picture(field, role, title, here),
        ordered=tuple(_by_line([_fulfilled(line, lines) for line in told if line.line])),
        own=tuple(own_tables(field, role)),
        enemy=(enemy_table(field, role),),
        standing=standing_lines(scene, mind, role),
        score=() if aims is None else (aims,),
        courses=course(scene, mind),
        owed=_owed(of.call, pause),
        next=_next(mind, pause),
        template=template(scene, mind, role, pause),
    )


def _fulfilled(line: Told, lines: Sequence[Line]) -> Told:
    """A line of the role's own sheet, with what the unit did on it."""
    if not isinstance(line, Line):
        return line
    said = line.text.rpartition(": ")[2]
    if said not in (CARRIED_OUT, DONE["in part"]):
        return plain(line)
    moves = [one for one in lines if one.moment == line.moment and one.box == "moves"]
    unit, first = line.about
    riding = [one for one in moves if f"({first})" in one.rows[0][0]]
    walking = [one for one in moves if one.rows[0][0].startswith(f"{unit} (") and one.phase == line.phase]
    did = [said for one in riding or walking for said in (one.text, one.short) if said]
    return plain(replace(line, text=" ".join(did)) if did else line)


def _by_line(lines: Sequence[Told]) -> Iterator[Told]:
    """What became of each line of a sheet: of one for several units, or of `pull then move`, all in one."""
    by_line: dict[tuple[Moment, int], list[Told]] = {}
    for line in lines:
        by_line.setdefault((line.moment, line.line), []).append(line)
    for same in by_line.values():
        results = {one.result for one in same}
        said = " ".join(dict.fromkeys(one.text for one in same))
        yield replace(same[0], text=said, result=same[0].result if len(results) == 1 else "in part")


def _quiet(mind: Battle, role: Role, lines: Sequence[Line], exchanges: Sequence[Moment]) -> str:
    """The summary where nothing is worth a word of its own."""
    if not exchanges:
        return "Nothing has been played yet: this is the field as you find it."
    if not max(exchanges).turn:
        return "Both sides have taken their places."
    fallen = [mind.units[line.save.unit].side for line in lines if _fell(mind, line) and line.save]
    mine, theirs = fallen.count(side_of(role)), fallen.count(ENEMY[side_of(role)])
    if not fallen and mind.options.exchanges_per_turn == 2 and max(exchanges).exchange == 1:
        return "Both sides have moved; nobody has fired yet."
    if not fallen:
        return "Nobody fell, and nobody gave way."
    yours = counted(mine, "figure") if mine else "nobody"
    return f"You lost {yours}, the enemy, as far as you saw, {number(theirs) if theirs else 'none'}; nobody gave way."


def _fell(mind: Battle, line: Line) -> bool:
    return line.save is not None and not line.save.saved and line.save.unit in mind.units
