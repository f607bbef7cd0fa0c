"""Works: what a unit that is at work does in a move, what stops it, and what has become of the place when it is done.

A work is begun in step 3 by the unit whose order it is (`do_work`), and goes on in step 8 (`work_on`).  How far it has
come stands with the place, not with the unit: whoever takes it up again goes on from there (KS-BRG-09).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, dot, gap
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import outline, under_canister
from pbem.systems.kriegsspiel.field.works_standing import ends_of, name_of
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, failed, stage, stop
from pbem.systems.kriegsspiel.march.marching import do_march
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.chart import Crossing
from pbem.systems.kriegsspiel.tables.works import WORK_STOPS
from pbem.systems.kriegsspiel.world.orders import Order, Spot, Verb
from pbem.systems.kriegsspiel.world.outcomes_works import BridgeState, BridgeWork
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit

MOVE = 12
"""Work is counted in twelfths of a move of the usual party."""

AT_WORK = 60
"""Paces from a place, or from the end of a crossing, within which a unit works at it."""


class Task(NamedTuple):
    """A work that a unit is to do."""

    id: str
    """The crossing or place."""
    work: str
    needed: int
    """In twelfths of a move."""
    at: Shape
    """Where it is."""
    go: Point
    """Where a unit goes that is not there yet."""
    becomes: str
    """The state of the place when it is done."""
    rules: tuple[str, ...]
    gain: Callable[[Play, Unit], int] = lambda play, unit: MOVE
    """What the unit does of it in a move."""
    start: Feature | None = None
    """The place as it is when the work begins, where it is a new one."""
    finish: Callable[[Play, Unit, Feature], Changes] = lambda play, unit, feature: Changes(features=(feature,))
    """What the fact of its end changes."""


Found = Task | str | None
"""The task of an order; or why it cannot be carried out; None: there is nothing left to do."""
Finder = Callable[[Play, Unit, Order], Found]


def feature_of(play: Play, task: Task) -> Feature:
    """A place as it stands, with the work that is going on there."""
    return play.war.features.get(task.id) or task.start or Feature(task.id)


@rule("KS-BRG-01")
def is_there(unit: Unit, task: Task) -> bool:
    """Whether a unit is at its work."""
    return gap(outline(unit), task.at).far <= AT_WORK


def at_crossing(play: Play, unit: Unit, crossing: Crossing) -> tuple[Shape, Point]:
    """The course of a crossing, and the end of it that is nearer to a unit."""
    if not crossing.water:
        return dot(crossing.at), crossing.at
    ends = ends_of(play.scene.chart, crossing)
    outside = ends_of(play.scene.chart, crossing, 20)
    near = min(range(2), key=lambda k: (gap(dot(unit.place.at), dot(ends[k])).far, k))
    return Shape(ends), outside[near]


# ------------------------------------------------------------------ step 3


def worker(find: Finder) -> Callable[[Play, Unit, Order], Did]:
    """How an order that is a work is carried out."""

    def do(play: Play, unit: Unit, order: Order) -> Did:
        return do_work(play, unit, order, find)

    return do


@rule("KS-BRG-09", "KS-GM-06")
def do_work(play: Play, unit: Unit, order: Order, find: Finder) -> Did:
    """Go to the place, and begin; the work itself goes on in step 8."""
    if unit.duty.stage == "finished":
        return DONE
    task = find(play, unit, order)
    if task is None:
        return DONE
    if isinstance(task, str):
        return failed(task)
    if not is_there(unit, task):
        return go_to(play, unit, order, task.go)
    if unit.duty.stage != "working":
        stop(play, unit)
        unit = stage(play, play.unit(unit.key), "working")
        feature = feature_of(play, task)
        if feature.work != task.work:
            feature = replace(feature, work=task.work, done=0, begun=play.move, needed=task.needed)
        if feature.needed != task.needed:
            feature = replace(feature, needed=task.needed)
        play.add(
            BridgeWork(
                crossing=task.id, work=task.work, done=moves_text(feature.done), needed=moves_text(feature.needed),
                unit=unit.key, rules=cited(*task.rules, "KS-GM-06"), changes=Changes(features=(feature,)),
            )
        )  # fmt: skip
    return GOING


def go_to(play: Play, unit: Unit, order: Order, at: Point) -> Did:
    """March to the place of a work; arrived, the order goes on."""
    to = (Spot(at, order.to[0].text if order.to else f"{at.x},{at.y}"),)
    if unit.duty.stage == "working":
        unit = stage(play, unit, "")
    did = do_march(play, unit, Order(verb="march", text=order.text, to=to))
    return GOING if did.state == "done" else did


def moves_text(twelfths: int) -> str:
    """Moves, exact: `12`, `5/6`."""
    return str(Fraction(twelfths, MOVE))


# ------------------------------------------------------------------ step 8


@rule("KS-BRG-09")
def stopped_by(play: Play, unit: Unit) -> str:
    """What keeps a unit from its work in this move; empty: nothing."""
    trial = unit.trial
    fighting = any(unit.key in (*fight.attackers, *fight.defenders) for fight in play.war.fights)
    if trial.contact >= 0 or fighting:
        return "hand-to-hand"
    if under_canister(unit, play.move):
        return "canister"
    hit = any(move == play.move for move, _ in (*trial.infantry_loss, *trial.chain_loss))
    near = any(
        enemy.arm == "infantry" and play.field.gap(unit, enemy) <= WORK_STOPS for enemy in play.field.enemies(unit.side)
    )
    return "infantry fire" if hit and near else ""


@rule("KS-BRG-09", "KS-GM-06", "KS-MSG-08")
def work_on(play: Play, finders: Mapping[Verb, Finder]) -> None:
    """All units that are at work go on with it."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if not unit.duty.queue or unit.duty.stage != "working" or unit.duty.queue[0].verb not in finders:
            continue
        task = finders[unit.duty.queue[0].verb](play, unit, unit.duty.queue[0])
        if isinstance(task, Task) and is_there(unit, task):
            _a_move(play, unit, task)


def _a_move(play: Play, unit: Unit, task: Task) -> None:
    feature = feature_of(play, task)
    why = stopped_by(play, unit)
    gain = 0 if why else task.gain(play, unit)
    feature = replace(feature, done=min(feature.done + gain, feature.needed))
    play.add(
        BridgeWork(
            crossing=task.id, work=task.work, done=moves_text(feature.done), needed=moves_text(feature.needed),
            unit=unit.key, stopped_by=why, rules=cited(*task.rules, *(("KS-BRG-09",) if why else ())),
            changes=Changes(features=(feature,)),
        )
    )  # fmt: skip
    if feature.done < feature.needed:
        return
    before = play.field.crossing_state(task.id) if not feature.state else feature.state
    changes = task.finish(play, unit, replace(feature, state=task.becomes, side=unit.side))
    play.add(
        BridgeState(
            crossing=task.id, start=before, to=task.becomes, by=unit.key, rules=cited(*task.rules, "KS-GM-06"),
            changes=changes,
        )
    )  # fmt: skip
    stage(play, play.unit(unit.key), "finished")
    told = {"plank_off": "the planks are off", "removed": "it is gone", "prepared": "it is prepared"}
    done = told.get(task.becomes, "the work is done")
    play.note(unit.key, "work_finished", f"{name_of(play.scene.chart, task.id)}: {done}.")
