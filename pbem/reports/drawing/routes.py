"""Moves and fire: from the edge of the sign that began to the edge of the sign that was meant."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.ground.picture import Picture, Point, Track
from pbem.reports.drawing.arrange import Placed
from pbem.reports.drawing.boxes import grown, holds, through
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.svg import XY, Rect

CLEAR = 4.0
"""Pixels between the end of a line and the sign it meets."""

APART = 11.0
"""Pixels between lines that run the same way."""

SHORTEST = 18.0
"""Pixels of a line that can be seen."""

LEAST = 7.0
"""Pixels below which a line is drawn over a sign rather than lost."""

_SHOOTERS = {
    "rifle": ("infantry", "jaeger", "cavalry", "own_card", "crew"),
    "artillery": ("gun", "mitrailleuse", "siege_gun", "own_card"),
}


class Route(Struct, frozen=True):
    """A track as it is drawn."""

    track: Track
    points: list[XY]


def routes(picture: Picture, frame: Frame, placed: Sequence[Placed]) -> list[Route]:
    """The tracks of *picture*, cut short at the signs where they begin and end, and set apart from each other."""
    tracks = [one for one in picture.tracks if len(one.points) > 1 and one.points[0] != one.points[-1]]
    ends = [tuple(sorted((track.points[0], track.points[-1]))) for track in tracks]
    count = Counter(ends)
    lanes: Counter[tuple[Point, ...]] = Counter()
    found = []
    for track, end in zip(tracks, ends, strict=True):
        points = frame.line(track.points)
        if track.kind in _SHOOTERS:
            cut = _fire(track, points, placed)
        elif track.kind != "messenger":
            cut = _march(track, points, placed)
        else:
            cut = points
        points = cut if _length(cut) >= LEAST else points
        aside = (lanes[end] - (count[end] - 1) / 2) * APART
        lanes[end] += 1
        found.append(Route(track, _beside(points, aside, forward=end[0] == track.points[0])))
    return found


def _march(track: Track, points: list[XY], placed: Sequence[Placed]) -> list[XY]:
    """Stops at the sign that has marched; a move that has left no sign ends where it ended."""
    arrived = [one for one in placed if one.block.side == track.side and _near(one, points[-1])]
    return _cut(points, [grown(one.box, CLEAR + 2) for one in arrived])


def _fire(track: Track, points: list[XY], placed: Sequence[Placed]) -> list[XY]:
    """From the sign that fired to the nearest sign of the other side in the place that was meant.

    Where that is so near that no line could be seen, to the one behind it.
    """
    own = [one for one in placed if one.block.side == track.side and _near(one, points[0])]
    fired = [one for one in own if one.block.sign in _SHOOTERS[track.kind]] or own
    first = min(fired, key=lambda one: math.dist(one.at, points[1]), default=None)
    if first:
        points = [first.at, *points[1:]]
    meant = [one for one in placed if one.block.side != track.side and _near(one, points[-1])]
    best = _from(first, points)
    for target in sorted(meant, key=lambda one: math.dist(one.at, points[-2])):
        aimed = [*points[:-1], _opposite(points[-2], target)]
        best = _from(first, _cut(aimed, [grown(target.box, CLEAR - 1)]))
        if _length(best) >= SHORTEST:
            break
    return best


def _from(first: Placed | None, points: list[XY]) -> list[XY]:
    """The line from the edge of the sign that it begins in."""
    return _cut(points[::-1], [grown(first.box, CLEAR - 2)])[::-1] if first else points


def _length(points: Sequence[XY]) -> float:
    return sum(math.dist(start, end) for start, end in pairwise(points))


def _opposite(start: XY, target: Placed) -> XY:
    """The place of *target* to aim at: straight ahead of *start* where that lies within it."""
    left, top, right, bottom = target.box
    across = min(max(start[0], left + 4), right - 4) if right - left > 8 else target.at[0]
    down = min(max(start[1], top + 4), bottom - 4) if bottom - top > 8 else target.at[1]
    straight = (
        (across, target.at[1]) if abs(start[1] - target.at[1]) > abs(start[0] - target.at[0]) else (target.at[0], down)
    )
    return straight if math.dist(straight, target.at) < 9 else target.at


def _near(one: Placed, at: XY) -> bool:
    """Whether a sign stands in the square round *at*."""
    return abs(one.at[0] - at[0]) <= 30 and abs(one.at[1] - at[1]) <= 30


def _cut(points: list[XY], boxes: Sequence[Rect]) -> list[XY]:
    """The line up to where it first enters one of *boxes*."""
    kept = [points[0]]
    for start, end in pairwise(points):
        # What it begins in it does not enter.
        entries = [enter for enter, leave in (through(start, end, box) for box in boxes) if 0 < enter <= leave]
        if entries:
            t = min(entries)
            kept.append((start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t))
            break
        kept.append(end)
    return kept


def stopped(points: list[XY], boxes: Sequence[Rect], by: float, shares: Sequence[float]) -> list[XY]:
    """The line with the first of *shares* of its last step whose end is so far off all *boxes*, or else the last."""
    (ax, ay), (bx, down) = points[-2:]
    ends = [(ax + (bx - ax) * share, ay + (down - ay) * share) for share in shares]
    return [*points[:-1], next((at for at in ends if not any(holds(box, at, by) for box in boxes)), ends[-1])]


def _beside(points: list[XY], aside: float, *, forward: bool) -> list[XY]:
    """The line moved *aside*, to the same hand whether it runs *forward* or back."""
    if not aside:
        return points
    (ax, ay), (bx, by) = (points[0], points[-1]) if forward else (points[-1], points[0])
    length = math.dist((ax, ay), (bx, by)) or 1
    across, down = -(by - ay) / length * aside, (bx - ax) / length * aside
    return [(x + across, y + down) for x, y in points]
