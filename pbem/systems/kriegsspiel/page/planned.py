"""What a sheet would come to, on its writer's map: where each line takes whom, and at whom it fires or charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.picture import Track, TrackKind
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.kriegsspiel.command.papers import rider_way
from pbem.systems.kriegsspiel.mind.beliefs import shunned, split_by
from pbem.systems.kriegsspiel.page.drawing import line_of, style
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.mind import Mind

ATTACKS = ("attack", "charge", "pursue", "demonstrate")
FIRES = ("fire_on", "bombard", "breach", "batter")


def plans(scene: Scene, mind: Mind, role: Role, orders: Sequence[say.AnyAct]) -> Sequence[tuple[int, Track]]:
    """The ride of each paper, his own ride, and where each line would have its unit go, from where he believes it."""
    bench = Bench(scene, mind, role)
    return tuple(pair for order in orders for pair in _act(bench, order))


def _act(bench: Bench, order: say.AnyAct) -> Iterator[tuple[int, Track]]:
    match order:
        case say.Dispatch():
            yield from _paper(bench, order)
        case say.Voice():
            yield from _unit(bench, order.order)
        case say.RideTo():
            yield from _track(bench, order.line, "ride", _ride(bench, order.to.at, order.by), bench.mind.person)
        case say.StaffObserve() if order.to is not None:
            yield from _track(bench, order.line, "messenger", _ride(bench, order.to.at, order.by), "")
        case say.OnArrival():
            yield from _act(bench, order.then)
        case _:  # what is done where he is, or is words
            pass


def _paper(bench: Bench, order: say.Dispatch) -> Iterator[tuple[int, Track]]:
    aim = bench.person_at(order.to) if order.to in bench.scene.persons else bench.start(order.to)
    if aim is not None and not bench.mind.phase.startswith("setup"):
        yield from _track(bench, order.line, "messenger", _ride(bench, aim, order.by), "")
    for line in order.lines:
        yield from _unit(bench, line)


def _unit(bench: Bench, line: say.Line) -> Iterator[tuple[int, Track]]:
    """Where a line would have a unit go: a straight way over the places that it names."""
    start = bench.start(line.unit)
    if start is None or line.order is None or not line.order.to:
        return
    verb = line.order.verb
    kind: TrackKind = "charge" if verb in ATTACKS else "artillery" if verb in FIRES else "move"
    stops = [spot.at for spot in (*line.order.by, *line.order.to)]
    yield from _track(bench, line.line, kind, (start, *stops), line.unit)


def _ride(bench: Bench, end: Point, by: tuple[say.Spot, ...]) -> Sequence[Point]:
    """The fastest way that he knows."""
    via, table = split_by(bench.scene, by), bench.mind.options.march_table
    return rider_way(bench.terrain, bench.mind.at, end, bench.closed, shunned(bench.mind), via, table=table)


def _track(bench: Bench, line: int, kind: TrackKind, path: Sequence[Point], who: str) -> Iterator[tuple[int, Track]]:
    points = line_of(bench.scene, path)
    if len(set(points)) > 1:
        of = (who,) if who else ()
        yield line, Track(kind, style(bench.scene, bench.mind.side), points, of=of)
