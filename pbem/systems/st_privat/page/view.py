"""One side's page, made from what it knows and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.prose import listed, number, ordinal
from pbem.rules.page import frame, heaviest, page
from pbem.rules.telling import WORDS, small_print, weightiest
from pbem.rules.view import Course, Fact, Table, Told, View
from pbem.systems.st_privat.field.field import field_of
from pbem.systems.st_privat.page.drawing import picture, style
from pbem.systems.st_privat.page.forces import enemy_table, own_table
from pbem.systems.st_privat.page.sentences import HEADINGS
from pbem.systems.st_privat.play.pauses import SORT_NAMES
from pbem.systems.st_privat.play.victory import verdict
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import side_name
from pbem.systems.st_privat.sheets.template import template
from pbem.systems.st_privat.world.game import Policy
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from pbem.systems.st_privat.world.state import Battle

WEIGHTY = 2
"""The least weight of what the summary tells."""


def gathered(told: Sequence[Told]) -> tuple[Told, ...]:
    """Lines that follow others become one paragraph with them; the small print is kept in order.

    A line joins the last one of its phase that has its place, else the last one, unless that begins otherwise.
    """
    lines: list[Told] = []
    last: dict[tuple[str, str], int] = {}
    """The last line of each phase, and of each place in it."""
    for line in told:
        there = last.get((line.phase, line.place), last.get((line.phase, "")))
        if line.follows and there is not None and line.lead in ("", lines[there].lead):
            lines[there] = _joined(lines[there], line)
        else:
            last[line.phase, line.place] = last[line.phase, ""] = len(lines)
            lines.append(line)
    return tuple(line for line in lines if line.text)


def _joined(first: Told, line: Told) -> Told:
    return replace(
        first,
        text=f"{first.text} {line.text}".strip(),
        notes=small_print((*first.notes, *line.notes)),
        tables=(*first.tables, *line.tables),
        weight=max(first.weight, line.weight),
        headline=line.headline if line.weight > first.weight else first.headline,
    )


def dateline(scene: Scene, turn: int) -> str:
    """Where and when it is, and which turn of how many."""
    place = ", ".join(part for part in (scene.place, scene.date) if part)
    if not turn:
        return f"{place}. Set-up."
    last = scene.numbers.last_turn
    return f"{place}. The {ordinal(turn)} turn of {number(last, most=20)}."


def _lost(battle: Battle, side: Role, turn: int) -> int:
    return sum(t.figures for t in battle.traces if t.turn == turn and t.side == side and t.kind == "losses")


def _towns(scene: Scene, battle: Battle) -> tuple[str, str]:
    fallen = [scene.towns[name].name for name, state in battle.town_state.items() if state.holder == "prussian"]
    if not battle.town_state:
        return "None", "there is no town on this board"
    if not fallen:
        return "All French", ""
    if len(fallen) == len(battle.town_state):
        return "All Prussian", ""
    return f"{', '.join(fallen)} Prussian", ""


def title_of(told: Sequence[Told], moment: Moment) -> str:
    """The headline of the weightiest line of the turn; without one, the turn."""
    first = heaviest(told)
    return (first.headline if first else "") or (f"Turn {moment.turn}" if moment.turn else "The set-up")


def strip(scene: Scene, battle: Battle, moment: Moment) -> tuple[Fact, ...]:
    """The score, the losses of the turn, and who holds the towns."""
    before = next((one.vp for one in reversed(battle.course) if one.turn < moment.turn), None)
    was = f"{before.french} – {before.prussian}" if before and before != battle.vp else ""
    held, note = _towns(scene, battle)
    fallen = f"{_lost(battle, FRENCH, moment.turn)} – {_lost(battle, PRUSSIAN, moment.turn)}"
    return (
        Fact("Points", f"{battle.vp.french} – {battle.vp.prussian}", "French – Prussian", was),
        Fact("Lost this turn", fallen, "figures, French – Prussian, as known"),
        Fact("Towns", held, note),
    )


def _brief(told: Sequence[Told], quiet: str) -> tuple[str, ...]:
    """The weightiest lines, in the order in which they happened, as far as 80 words go; then what comes next."""
    last = next((line for line in reversed(told) if line.lead.endswith(".") and "initiative" in line.lead), None)
    second = f"{last.lead} {last.text}".strip() if last else ""
    said = [
        (line.weight, f"{line.lead} {line.text}".strip())
        for line in told
        if line.weight >= WEIGHTY and line is not last
    ]
    first = " ".join(weightiest(said, WORDS - len(second.split())))
    return tuple(part for part in (first or quiet, second) if part)


def _quiet(told: Sequence[Told], moment: Moment) -> str:
    """What the summary says of an exchange in which nothing of weight happened."""
    if not moment.turn:
        return "Both sides take up their positions."
    moved = next((line.lead for line in told if line.phase == HEADINGS["move_first"] and line.lead), "")
    if moved and all(line.phase == HEADINGS["move_first"] for line in told):
        return f"{moved} Not a shot has been fired yet in this turn."
    return "Nothing of weight happened."


def _owed(call: Call | None, pause: Pause) -> str:
    """What a side may or must send, in a phrase; empty if nothing is waited for."""
    if call is None or not call.must:
        return ""
    named = listed([SORT_NAMES[sort] for sort in call.sorts if sort not in ("siege", "reactions")])
    return f"{named} for turn {pause.moment.turn}" if pause.moment.turn else named


def _next(battle: Battle, role: Role, pause: Pause) -> str:
    if battle.ended is not None:
        return "The game is over."
    if not pause.moment.turn:
        return "The other side sets up, and the first turn begins." if pause.moment.exchange == 1 else "Turn 1 begins."
    charger = "you" if battle.second_mover == role else side_name(battle.second_mover)
    if pause.moment.exchange == 1 and battle.options.mail_mode != "one_step":
        return f"The second mover moves, both sides fire, and {charger} may charge."
    return f"The movement, fire and melee of turn {pause.moment.turn} are played; {charger} may charge."


def reaction_lines(battle: Battle, role: Role) -> tuple[str, ...]:
    """The standing reactions in force, as order lines."""
    mine = battle.reactions.get(role)
    if mine is None:
        return ()
    lines: list[Policy] = [*mine.retreat, *mine.advance, *mine.losses, *mine.targets]
    first = (f"initiative {mine.initiative}",) if mine.initiative else ()
    return (*first, *(policy.text for policy in lines))


def score(scene: Scene, battle: Battle) -> tuple[Table, ...]:
    """The points of both sides, and the towns."""
    rows = [
        (
            town.name,
            battle.town_state[name].holder.capitalize(),
            str(town.points),
            f"by the end of turn {scene.numbers.last_scoring_turn}",
        )
        for name, town in scene.towns.items()
    ]
    points = Table(
        caption="Points",
        columns=("Side", "Points"),
        rows=(("French", str(battle.vp.french)), ("Prussian", str(battle.vp.prussian))),
        numbers=(1,),
    )
    towns = Table(caption="Towns", columns=("Town", "Held by", "Worth", "If taken"), rows=tuple(rows), numbers=(2,))
    return (points, towns) if rows else (points,)


def courses(scene: Scene, battle: Battle) -> tuple[Course, ...]:
    """How the points and the figures left have gone, turn by turn."""
    if not battle.course:
        return ()
    plots = []
    for title, values in (
        ("Points", [(one.turn, one.vp) for one in battle.course]),
        ("Figures left, as known", [(one.turn, one.figures) for one in battle.course if one.figures]),
    ):
        if not values:
            continue
        lines = tuple(
            (name, drawn, tuple((turn, getattr(score, side)) for turn, score in values))
            for name, side, drawn in (
                ("French", "french", style(scene, FRENCH)),
                ("Prussian", "prussian", style(scene, PRUSSIAN)),
            )
            if drawn != "none"
        )
        turn, score = values[-1]
        plots.append(
            Course(title, lines, f"{title} after turn {turn}: French {score.french}, Prussian {score.prussian}.")
        )
    return tuple(plots)


def view(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """One side's page.

    *told* is what it learnt in the turn, *pause* where play stands, with this side's call alone.
    """
    framed = frame(role, told, pause, verdict(mind))
    moment, call = framed.moment, framed.call
    happened = gathered([line for line in told if not line.line])
    field, reactions = field_of(scene, mind), reaction_lines(mind, role)
    commander = scene.commander(role)
    return page(
        framed,
        happened,
        side_name,
        quiet="",
        title=title_of(happened, moment),
        addressed=f"the {commander.name} commander, {commander.commander}",
        dateline=dateline(scene, moment.turn),
        strip=strip(scene, mind, moment),
        brief=_brief(happened, _quiet(happened, moment)),
        picture=picture(field, role, moment.turn),
        own=(own_table(field, role, moment.turn),),
        enemy=(enemy_table(field, role, moment.turn),),
        standing=reactions,
        score=score(scene, mind),
        courses=courses(scene, mind),
        owed=_owed(call, pause),
        next=_next(mind, role, pause),
        template=template(field, role, call, reactions),
        over=framed.over.how if framed.over else "",
    )
