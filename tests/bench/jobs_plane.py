"""Continuous ground: lines of sight among many pieces, beside the bare library; a run of a large battle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import shapely

from pbem.ground.plane import Point, distance, ring
from pbem.ground.sight import Blocks
from tests.bench.jobs_rules import resolved
from tests.bench.measure import Job, Pair
from tests.bench.offices import runs

PIECES, POLYGONS, FAR = 200, 300, 4_000
WIDE, HIGH = 8_000, 6_000


def pieces(random: Random) -> list[Point]:
    """Pieces anywhere on the map."""
    return [Point(random.randrange(WIDE), random.randrange(HIGH)) for _ in range(PIECES)]


def polygons(random: Random) -> list[list[Point]]:
    """Woods and villages of six corners, 50 to 150 paces across."""
    found = []
    for _ in range(POLYGONS):
        x, y = random.randrange(WIDE), random.randrange(HIGH)
        far = random.randrange(25, 75)
        corners = ((0, 2), (2, 1), (2, -1), (0, -2), (-2, -1), (-2, 1))
        found.append([Point(x + dx * far // 2, y + dy * far // 2) for dx, dy in corners])
    return found


@contextmanager
def sight(_: Path) -> Iterator[Pair]:
    """Who of 200 sees whom of 200 past 300 polygons, within 4000 paces: prepared, and with the bare library."""
    random = Random(1824)
    one, other, ground = pieces(random), pieces(random), polygons(random)
    blocks = Blocks([ring(corners) for corners in ground])
    tree = shapely.STRtree([shapely.Polygon(corners) for corners in ground])

    def ours() -> int:
        return sum(blocks.clear(a, b) for a in one for b in other if distance(a, b) <= FAR)

    def theirs() -> int:
        lines = [shapely.LineString((a, b)) for a in one for b in other if distance(a, b) <= FAR]
        return len(lines) - len(set(tree.query(lines, predicate="intersects")[0].tolist()))

    assert ours() == theirs()
    yield Pair(ours, theirs)


@contextmanager
def run(_: Path) -> Iterator[Pair]:
    """The first runs of fifteen moves of the large battle, every commander ordering."""
    game, stretches = runs()
    yield Pair(lambda: resolved(game, stretches), 2, len(stretches))


JOBS = (
    Job(
        name="sight",
        what="200 pieces look for 200 others past 300 polygons",
        base="shapely, bare, the same lines and the same answers",
        target=4,
        aim="no floats, the same on every machine",
        prepare=sight,
        rounds=3,
    ),
    Job(
        name="run",
        what="a run of 15 moves of the battle of Weldau",
        base="limit",
        target=1,
        aim="aimed at: 2 s a run",
        prepare=run,
        rounds=1,
        rate="runs",
    ),
)
