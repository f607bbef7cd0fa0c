"""What commanders know at the opening, and sheets of theirs as they are read."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.dice import ScriptedDice
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call
from pbem.orders.sheet import Judgement, Reading, lines_of
from pbem.systems.kriegsspiel.mind.memory import learn
from pbem.systems.kriegsspiel.scene.scene import Scene, parse_scene
from pbem.systems.kriegsspiel.sheets.reading import read
from pbem.systems.kriegsspiel.turn.setup import blank, muster
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Tiding
from pbem.systems.kriegsspiel.world.mind import Entry, Known, Mind
from pbem.systems.kriegsspiel.world.orders import AnyAct, Dispatch, Line, Order
from tests.systems.kriegsspiel.ground import files

RUN, SETUP = ("orders",), ("setup", "orders")


@cache
def opening(name: str) -> tuple[Scene, dict[Role, Mind]]:
    """A scenario, and what each role knows before the first move."""
    scene = parse_scene(files(name))
    world = blank(scene, {})
    minds = dict(world.minds)
    for fact in muster(scene, world, ScriptedDice(Moment(0), [])):
        for role in fact.known:
            minds[role] = learn(minds[role], fact)
    return scene, minds


def mind_of(role: str, scenario: str = "muehlrode", **changes: object) -> Mind:
    """What a role knows at the opening, with changes."""
    return replace(opening(scenario)[1][Role(role)], **changes)


def under_way(role: str, scenario: str = "muehlrode", move: int = 30, **changes: object) -> Mind:
    """The same in the course of the game."""
    return mind_of(role, scenario, phase="run", move=move, **changes)


def knowing(mind: Mind, unit: str, x: int, y: int, **changes: object) -> Mind:
    """A mind that has a unit of its own at a place."""
    state = OwnState(unit, mind.move, Point(x, y), unit, formation="line", size=known_size(mind, unit))
    known = Known(replace(state, **changes), mind.move)
    coming = {name: when for name, when in mind.entry_of.items() if name != unit}
    return replace(mind, own={**mind.own, unit: known}, entry_of=coming)


def known_size(mind: Mind, unit: str) -> str:
    """The size of a unit by the order of battle."""
    plan = opening("muehlrode")[0].units.get(f"{mind.side}:{unit}")
    return plan.size if plan is not None else ""


def sighted(mind: Mind, name: str, x: int, y: int, arm: str = "infantry") -> Mind:
    """A mind with an enemy body on its page."""
    tiding = Tiding(name, "unknown", mind.move, Point(x, y), "own eyes", arm=arm)
    return replace(mind, entries={**mind.entries, name: Entry(name, tiding, mind.move, mind.move)})


def reading(text: str, mind: Mind, scenario: str = "muehlrode", sorts: tuple[str, ...] = SETUP) -> Reading[AnyAct]:
    """A sheet of the role whose mind it is."""
    call = Call(role=mind.role, sorts=sorts)
    return read(opening(scenario)[0], lines_of(text), mind, mind.role, call)


def acts(text: str, mind: Mind, scenario: str = "muehlrode") -> tuple[AnyAct, ...]:
    """The acts of a sheet in which nothing is wrong."""
    found = reading(text, mind, scenario)
    assert not found.complaints, found.complaints
    return found.items


def paper(text: str, mind: Mind) -> tuple[Line, ...]:
    """The lines of a sheet that is one paper."""
    (act,) = acts(text, mind)
    assert isinstance(act, Dispatch)
    return act.lines


def order(text: str, mind: Mind) -> Order:
    """The order of a sheet that is one line of one paper."""
    (line,) = paper(text, mind)
    assert line.order is not None
    return line.order


def refusals(text: str, mind: Mind, scenario: str = "muehlrode", sorts: tuple[str, ...] = SETUP) -> list[str]:
    """What is said of the lines of a sheet that are no orders."""
    return [one.why for one in reading(text, mind, scenario, sorts).complaints if one.judgement.refuses]


def refusal(text: str, mind: Mind) -> str:
    """The one thing that is wrong with a sheet."""
    (why,) = refusals(text, mind)
    return why


def doubts(text: str, mind: Mind) -> list[str]:
    """The warnings on a sheet."""
    return [one.why for one in reading(text, mind).complaints if one.judgement is Judgement.DOUBTFUL]
