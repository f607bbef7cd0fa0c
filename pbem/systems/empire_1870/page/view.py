"""One side's page, made from what it knows and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.prose import cap, listed, number, ordinal, signed
from pbem.rules.page import frame, page
from pbem.rules.telling import WORDS, weightiest
from pbem.rules.view import Fact, Table, Told, View
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.field.fitness import good
from pbem.systems.empire_1870.page import account
from pbem.systems.empire_1870.page.drawing import picture
from pbem.systems.empire_1870.page.forces import away_table, enemy_table, own_table
from pbem.systems.empire_1870.page.gathering import gathered
from pbem.systems.empire_1870.page.sentences import Line
from pbem.systems.empire_1870.play.pauses import SORT_NAMES
from pbem.systems.empire_1870.play.standing import standing_lines
from pbem.systems.empire_1870.play.victory import verdict
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import ADJECTIVE, days
from pbem.systems.empire_1870.sheets.template import template
from pbem.systems.empire_1870.tables.charts import VP_ENDS
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War


def dateline(scene: Scene, war: War, moment: Moment) -> str:
    """Where and when: `From the Rhine to Paris, 4 and 5 August 1870.  Turn 2 of 20, the first pulse of two.`."""
    place = scene.place
    if not moment.turn:
        return f"{place}, {scene.date}.  Set-up."
    pulses = war.options.pulses
    pulse = f", the {ordinal(moment.exchange)} pulse of {number(pulses)}" if pulses > 1 else ""
    return f"{place}, {days(scene, moment.turn)}.  Turn {moment.turn} of {war.options.turn_limit}{pulse}."


def _strip(war: War, role: Role, lines: Sequence[Line]) -> tuple[Fact, ...]:
    moved = sum(line.vp[1] for line in lines if line.vp is not None)
    sums = account.rp_moved(lines)
    spent = -sum(points for points in sums.values() if points < 0)
    stacks = war.stacks.get(role, {})
    here, fit = sum(map(count, stacks.values())), sum(map(good, stacks.values()))
    was = f"{war.vp - moved} before this turn" if moved else ""
    return (
        Fact("National morale", str(war.vp), f"{VP_ENDS[GERMAN]}: German victory, {VP_ENDS[FRENCH]}: French", was),
        Fact("Resource points", str(war.resource_points.get(role, 0)), f"{spent} spent this turn"),
        Fact("Your SP", str(here), f"{fit} of them good"),
    )


def _brief(war: War, happened: Sequence[Line], lines: Sequence[Line], quiet: str) -> tuple[str, ...]:
    """The weightiest of what happened, in its order, as far as 80 words go; then how it stands."""
    moved = sum(line.vp[1] for line in lines if line.vp is not None)
    last = f"National morale stands at {war.vp}" + (f", {signed(moved)} in this pulse." if moved else ", as before.")
    told = weightiest([(line.weight, line.gist) for line in happened if line.gist], WORDS - len(last.split()))
    return " ".join(told) or quiet, last


def _owed(call: Call | None, pause: Pause) -> str:
    """What a side may or must send, in a phrase; empty if nothing is waited for."""
    if call is None or not call.must:
        return ""
    kinds = listed([SORT_NAMES[sort].removeprefix("a ") for sort in call.sorts])
    return f"{kinds} for turn {pause.moment.turn}" if pause.moment.turn else kinds


def _next(war: War, pause: Pause) -> str:
    if war.ended is not None:
        return "The game is over."
    turn, exchange = pause.moment.turn, pause.moment.exchange
    if not turn:
        return "The other side sets up, and the first turn begins." if exchange == 1 else "Turn 1 begins."
    first = "RP are collected, wounded HQs come back, troops are mobilized; then " if exchange == 1 else ""
    if exchange < war.options.pulses:
        most = war.options.pulse_length
        return cap(f"{first}the {ordinal(exchange)} pulse is played, of at most {most} activations.")
    return cap(f"{first}activations go on until both sides pass; sieges and recovery end turn {turn}.")


def _own(field: Field, role: Role, lines: Sequence[Line], moment: Moment) -> tuple[Table, ...]:
    war = field.war
    found = (
        account.programme_table(war, role),
        account.skipped_table(lines, moment),
        own_table(field, role) if war.turn or war.stacks.get(role) else None,
        away_table(field, role),
        account.rp_table(war, role, lines, moment.turn) if moment.turn else None,
    )
    return tuple(table for table in found if table is not None)


def view(scene: Scene, mind: War, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """One side's page.

    *told* is what it learnt in the turn, *pause* where play stands, with this side's call alone.
    """
    about = frame(role, told, pause, verdict(mind))
    moment = about.moment
    lines = [line for line in told if isinstance(line, Line) and line.moment.turn == moment.turn]
    happened = gathered(scene, lines)
    now = [line for line in lines if line.moment == moment]
    field, commander = field_of(scene, mind), scene.commander(role)
    weighty = [line for line in happened if line.moment == moment]
    return page(
        about,
        happened,
        ADJECTIVE.__getitem__,
        quiet=f"Turn {moment.turn}, {days(scene, moment.turn)}" if moment.turn else "The set-up",
        addressed=f"the {commander.name} command, {commander.commander}",
        dateline=dateline(scene, mind, moment),
        strip=_strip(mind, role, lines),
        brief=_brief(
            mind, weighty, now, "Nothing of weight happened." if moment.turn else "Both sides take their places."
        ),
        picture=picture(field, role, moment.turn, moment.exchange, now),
        own=_own(field, role, lines, moment),
        enemy=(enemy_table(field, role),),
        standing=standing_lines(mind, role),
        score=account.score(field, role, lines, moment.turn),
        courses=account.course(scene, mind),
        owed=_owed(about.call, pause),
        next=_next(mind, pause),
        template=template(scene, mind, role, pause),
    )
