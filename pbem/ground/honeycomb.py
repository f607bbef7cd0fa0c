"""Where hexes lie on a sheet: middles, corners, sides, outlines of regions, and lines along hexsides.

All in units of a picture, whole numbers: a hex is 104 wide and 120 high, which is regular to a thousandth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pbem.ground.hexes import DIRECTIONS, Hex, Hexside, beyond, direction, place, sides
from pbem.ground.picture import Box, Point

WIDE, HIGH = 104, 120
"""A hex from side to side, and from point to point."""
PITCH = 90
"""From one row to the next."""

_CORNERS: tuple[Point, ...] = ((0, -60), (52, -30), (52, 30), (0, 60), (-52, 30), (-52, -30))
"""From the middle, clockwise from the top: a side runs from the corner of its own number to the next."""


def middle(at: Hex) -> Point:
    """The middle of a hex; even rows lie half a hex further east."""
    column, row = place(at)
    return column * WIDE + (0 if row % 2 else WIDE // 2), row * PITCH


def corners(at: Hex) -> tuple[Point, ...]:
    """The six corners, clockwise from the top."""
    x, y = middle(at)
    return tuple((x + dx, y + dy) for dx, dy in _CORNERS)


def segment(border: Hexside) -> tuple[Point, Point]:
    """The two ends of a hexside, clockwise round the hex of the lower number."""
    one, other = sides(border)
    way = direction(one, other)
    if way is None:
        raise ValueError(f"{border} is no hexside")
    return _side(one, way)


def _side(at: Hex, way: str) -> tuple[Point, Point]:
    number, ring = DIRECTIONS.index(way), corners(at)
    return ring[number], ring[(number + 1) % 6]


def outline(hexes: Collection[Hex]) -> tuple[tuple[Point, ...], ...]:
    """The rings round a region, each a closed line of corners: outer ones clockwise, holes the other way."""
    region = frozenset(hexes)
    # Three hexes meet at a corner, so that at most one side of a region leaves it.
    onward: dict[Point, Point] = {}
    for at in sorted(region):
        for way in DIRECTIONS:
            if beyond(at, way) not in region:
                start, end = _side(at, way)
                onward[start] = end
    rings = []
    while onward:
        here = next(iter(onward))
        ring = []
        while here in onward:
            ring.append(here)
            here = onward.pop(here)
        rings.append(tuple(ring))
    return tuple(rings)


def chains(borders: Iterable[Hexside]) -> tuple[tuple[Point, ...], ...]:
    """Hexsides as lines along their corners, each as long as it can be: a river, a frontier.

    Where more than two sides meet, as at the mouth of a tributary, a line ends; a line that closes ends where it
    began.
    """
    meeting: dict[Point, list[Point]] = {}
    for border in sorted(set(borders)):
        start, end = segment(border)
        meeting.setdefault(start, []).append(end)
        meeting.setdefault(end, []).append(start)
    lines = []
    ends = [at for at in sorted(meeting) if len(meeting[at]) != 2]
    for start in (*ends, *sorted(meeting)):
        while meeting[start]:
            lines.append(tuple(_walk(meeting, start, frozenset(ends))))
    return tuple(lines)


def _walk(meeting: dict[Point, list[Point]], start: Point, ends: Collection[Point]) -> Iterator[Point]:
    here = start
    yield here
    while meeting[here]:
        there = meeting[here].pop(0)
        meeting[there].remove(here)
        here = there
        yield here
        if here in ends:
            return


def box_of(hexes: Collection[Hex], margin: int = 0) -> Box:
    """The box round some hexes and *margin* units more each way.

    :raises ValueError: there are none.
    """
    points = [corner for at in hexes for corner in corners(at)]
    if not points:
        raise ValueError("no hexes have no box")
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin
