"""One side's page, made from what it knows and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.kernel.names import Moment, Role
from pbem.kernel.numbers import whole
from pbem.kernel.owed import Pause
from pbem.orders.prose import counted, number, ordinal
from pbem.rules.page import frame, page
from pbem.rules.telling import WORDS, weightiest
from pbem.rules.view import Course, Fact, Table, Told, View
from pbem.systems.crossroads.field.able import in_order
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.page.drawing import picture, style
from pbem.systems.crossroads.page.forces import arrivals_table, enemy_table, figures_lost, own_table, places_table
from pbem.systems.crossroads.page.sentences import ReportLine, gathered
from pbem.systems.crossroads.play.victory import verdict
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import adjective
from pbem.systems.crossroads.sheets.template import policy_lines, template
from pbem.systems.crossroads.world.patches import Policies
from pbem.systems.crossroads.world.state import Battle

WEIGHTY = 3
"""The least weight of what the summary tells."""

SENTENCES = 6
"""The most that it tells."""


def clock(scene: Scene, turn: int) -> str:
    """When a turn begins: `14:20`; empty if the scenario does not say.

    A turn before the first begins as the first does.
    """
    hours, minutes = (whole(part) for part in f"{scene.opens}:".split(":")[:2])
    if hours is None or minutes is None:
        return ""
    at = hours * 60 + minutes + max(turn - 1, 0) * scene.minutes
    return f"{at // 60 % 24:02}:{at % 60:02}"


def _dateline(scene: Scene, moment: Moment) -> str:
    place = ", ".join(part for part in (scene.place, scene.date, clock(scene, moment.turn)) if part)
    last = scene.turns
    return f"{place}. The {ordinal(moment.turn)} turn of {number(last)}."


def _held(scene: Scene, battle: Battle, role: Role) -> tuple[int, int]:
    """The points of the places that a side holds, and that its enemy does, as it knows."""
    own = sum(one.points for one in scene.held if battle.holders.get(one.place) == role)
    return own, sum(one.points for one in scene.held) - own


def _strip(scene: Scene, battle: Battle, role: Role, turn: int) -> tuple[Fact, ...]:
    enemy = battle.enemy(role)
    lost, now = figures_lost(battle, role, turn)
    theirs, fell = figures_lost(battle, enemy, turn)
    here = [one for one in battle.units.values() if one.side == role and one.stands]
    broken = sum(not in_order(one) for one in here)
    held = []
    if scene.held:
        own, other = _held(scene, battle, role)
        held = [Fact("Places held", f"{own} – {other}", "points of the places you hold, and the enemy, as known")]
    fallen = f"{now} this turn; the enemy’s {fell} this turn, {theirs} in all, as known"
    state = f"{number(broken)} of them shaken or worse" if broken else "all in order"
    return (
        *held,
        Fact("Your losses", f"{lost} figure{'' if lost == 1 else 's'}", fallen),
        Fact("Your units", str(len(here)), state),
    )


def _brief(told: Sequence[ReportLine], quiet: str, last: str) -> tuple[str, ...]:
    """The weightiest lines, in the order in which they happened, as far as 80 words go; then what it cost."""
    weights: dict[str, int] = {line.gist: line.weight for line in told if line.gist and line.weight >= WEIGHTY}
    often = Counter(line.gist for line in told)
    said = [(weight, gist if often[gist] == 1 else f"{gist[:-1]}; and so again.") for gist, weight in weights.items()]
    return (" ".join(weightiest(said, WORDS - len(last.split()), SENTENCES)) or quiet, *([last] if last else []))


def _cost(battle: Battle, role: Role, turn: int) -> str:
    """What the turn cost both sides."""
    own, enemy = figures_lost(battle, role, turn)[1], figures_lost(battle, battle.enemy(role), turn)[1]
    if not own and not enemy:
        return ""
    return f"You lost {counted(own, 'figure')}, the enemy, as far as you saw, {number(enemy) if enemy else 'none'}."


def _next(battle: Battle, pause: Pause) -> str:
    if battle.ended is not None:
        return "The game is over."
    if battle.options.exchanges_per_turn == 2 and pause.moment.exchange == 1:
        return "The deck is shuffled, and half of its cards are played."
    if pause.moment.exchange > 1:
        return "The rest of the cards are played."
    return f"The deck is shuffled, and the cards of turn {pause.moment.turn} are played to the last."


def _score(scene: Scene, field: Field) -> tuple[Table, ...]:
    found = places_table(field)
    battle = field.battle
    if not battle.vp:
        return (found,) if found else ()
    rows = tuple((adjective(scene, side), str(battle.vp.get(side, 0))) for side in battle.sides)
    points = Table(caption="Points", columns=("Side", "Points"), rows=rows, numbers=(1,))
    return (points, found) if found else (points,)


def _courses(scene: Scene, battle: Battle) -> tuple[Course, ...]:
    """The figures lost, turn by turn: of the sides whose losses this one has counted."""
    told = [side for side in battle.sides if any(side in mark.losses for mark in battle.course)]
    lines = tuple(
        (
            adjective(scene, side),
            drawn,
            tuple((mark.turn, mark.losses[side]) for mark in battle.course if side in mark.losses),
        )
        for side in told
        if (drawn := style(scene, side)) != "none"
    )
    if not lines:
        return ()
    last = battle.course[-1]
    said = ", ".join(f"{adjective(scene, side)} {last.losses[side]}" for side in told if side in last.losses)
    return (Course("Figures lost", lines, f"Figures lost after turn {last.turn}: {said}."),)


def view(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """One side's page.

    *told* is what it learnt in the turn, *pause* where play stands, with this side's call alone.
    """
    stands = frame(role, told, pause, verdict(mind))
    happened, turn = gathered([line for line in told if isinstance(line, ReportLine)]), stands.moment.turn
    now = [line for line in happened if line.moment == stands.moment]
    quiet = "Nothing of weight happened." if stands.exchanges else "Both sides stand as they came."
    field, commander = field_of(scene, mind), scene.commander(role)
    coming = arrivals_table(field, role)
    return page(
        stands,
        happened,
        lambda side: adjective(scene, Role(side)),
        quiet=f"Turn {turn}",
        addressed=f"the {commander.name} commander, {commander.commander}",
        dateline=_dateline(scene, stands.moment),
        strip=_strip(scene, mind, role, turn),
        brief=_brief(now, quiet, _cost(mind, role, turn) if stands.exchanges else ""),
        picture=picture(field, role, turn),
        own=(own_table(field, role, turn), *((coming,) if coming else ())),
        enemy=(enemy_table(field, role, turn),),
        standing=policy_lines(mind.policies.get(role, Policies())),
        score=_score(scene, field),
        courses=_courses(scene, mind),
        owed=pause.name if stands.call is not None and stands.call.must else "",
        next=_next(mind, pause),
        template=template(field, role, stands.call),
    )
