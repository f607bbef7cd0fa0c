"""A hex map, layer by layer: ground, names, marches, troops, marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from pbem.ground.picture import Label, Mark, Picture, Point, Site, Track, Way
from pbem.reports.drawing.frame import HEX_PX, Frame, frame_of
from pbem.reports.drawing.labels import Obstacles, width
from pbem.reports.drawing.signs import found, losses, melee
from pbem.reports.drawing.svg import XY, Rect, n, path, text, xy
from pbem.reports.drawing.window import CUT, fence, off_frame, shown
from pbem.reports.hexes.ground import ground, soft
from pbem.reports.hexes.stacks import Sited, Stood, stand
from pbem.reports.hexes.style import LETTERS

LANE = 4.5
"""Pixels between marches along the same way."""

MOST_SPOTS = 24
"""The places of a river that are tried for its name."""

DROPPED = 60.0
"""What it may cost at most to write the name of a village."""

GAP = 4.0
"""Pixels between names side by side."""

LINES = {"move": "hx-march", "retreat": "hx-back", "ride": "hx-ride", "supply": "hx-line"}
SIZES = {
    kind: (f"hx-{name}", LETTERS[name].whole)
    for kind, name in (("fortress", "fort"), ("town", "town"), ("village", "village"))
}
ORDER = ("fortress", "town", "village")


class Name(Struct, frozen=True):
    """A name at its place: *at* is the middle of its baseline, *turn* in degrees."""

    words: str
    css: str
    at: XY
    rooms: tuple[Rect, ...]
    turn: float = 0.0


def board(picture: Picture, ids: str) -> str:
    """All layers of a hex map, from below."""
    frame = frame_of(picture)
    window = shown(picture, frame)
    stood, sited = stand(picture, frame)
    marches = _marches(picture, frame, stood)
    obstacles = Obstacles(frame.ground, (), ())
    obstacles.add_line(fence(window), CUT)
    for box in (*(one.box for one in stood), *(one.box for one in sited)):
        obstacles.add(box, 3.0)
    lands = [(label, *_land(label, frame, window)) for label in picture.labels]
    for label, _, room in lands:
        obstacles.add(room, 2.0 if label.kind == "province" else 0.4)
    for track, points in marches:
        obstacles.add_line(points, 2.0 if track.kind != "supply" else 0.5)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), 0.8 if way.kind in ("rail", "frontier") else 0.5)
    names = [*_of_sites(sited, stood, obstacles, window), *_of_rivers(picture.ways, frame, obstacles)]
    layers: Sequence[Iterable[str]] = (
        (ground(picture, ids),),
        (text(label.text, at, CSS.get(label.kind, SIZES["village"])[0]) for label, at, _ in lands),
        (track_sign(track.kind, track.side, points) for track, points in marches),
        (one.svg for one in sited),
        (_set(name) for name in names),
        (one.svg for one in stood),
        _marks(picture, frame, stood, [*(one.box for one in sited), *(room for name in names for room in name.rooms)]),
    )
    return "".join("".join(layer) for layer in layers)


CSS = {
    kind: (f"hx-{name}", LETTERS[name].whole)
    for kind, name in (("country", "country"), ("province", "province"), ("water", "river"))
}

SPACED = {"country": 0.42, "province": 0.12}
"""What is set between the letters, by their size."""


def _land(label: Label, frame: Frame, window: Rect | None) -> tuple[XY, Rect]:
    """Where the name of a land or of a water stands, and its room: as near its place as the window's frame allows."""
    _, size = CSS.get(label.kind, SIZES["village"])
    half = (width(label.text, size, bold=True) + SPACED.get(label.kind, 0.0) * size * len(label.text)) / 2
    x, y = frame.at(label.at)
    for across, down in off_frame((x - half, y - size / 2, x + half, y + size / 2), window)[:1]:
        x, y = x + across, y + down
    return (x, y + size * 0.35), (x - half, y - size / 2, x + half, y + size / 2)


def _set(name: Name) -> str:
    if not name.turn:
        return text(name.words, name.at, name.css)
    return f'<g transform="translate({xy(name.at)}) rotate({n(name.turn)})">{text(name.words, (0, 0), name.css)}</g>'


def _of_sites(
    sited: Sequence[Sited], stood: Sequence[Stood], obstacles: Obstacles, window: Rect | None
) -> Iterator[Name]:
    """The name of each site, near it and its troops; fortresses choose first."""
    troops: dict[Point, Rect] = {}
    for one in stood:
        troops[one.stack.at] = _both(troops.get(one.stack.at, one.box), one.box)
    for sign in sorted(sited, key=lambda sign: ORDER.index(sign.site.kind)):
        there = troops.get(sign.site.at)
        name = _beside(sign.site, _both(sign.box, there or sign.box), obstacles, window, manned=there is not None)
        if name:
            obstacles.add(_apart(name.rooms[0]))
            yield name


def _apart(room: Rect) -> Rect:
    """The room of a name with a gap on either hand: two names side by side are not read as one."""
    return (room[0] - GAP, room[1], room[2] + GAP, room[3])


def _both(one: Rect, other: Rect) -> Rect:
    return (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))


def _beside(site: Site, box: Rect, obstacles: Obstacles, window: Rect | None, *, manned: bool) -> Name | None:
    """Where the name of a site stands; that of a village is left out where it would hide something else."""
    css, size = SIZES[site.kind]
    half = width(site.name, size, bold=site.kind == "fortress") / 2
    left, top, right, bottom = box
    middle, level = (left + right) / 2, (top + bottom) / 2 + 3
    under, over = bottom + 7.5, top - 2.5
    spots: list[tuple[float, float, float]]
    if manned:
        # Beside troops lies the next hex: a name there would be taken for another place's.
        spots = [(0, middle, under), (2, middle + 6, under), (2, middle - 6, under), (4, middle + 12, under)]
        spots += [(4, middle - 12, under), (9, middle, over), (11, middle - 8, over), (11, middle + 8, over)]
        spots += [(16, middle, under + 7), (20, middle, over - 7)]
    else:
        spots = [(0, middle, under), (3, middle, over), (4, right + half + 2, level), (5, left - half - 2, level)]
        spots += [(5.5, right + half - 6, under - 1.5), (6, left - half + 6, under - 1.5)]
        spots += [(6.5, right + half - 6, over + 2.5), (7, left - half + 6, over + 2.5)]
        spots += [(12, middle + 10, under), (12, middle - 10, under), (20, middle, under + 7), (22, middle, over - 7)]

    def room_at(x: float, y: float) -> Rect:
        return (x - half, y - size * 0.78, x + half, y + size * 0.22)

    moves = [move for move in off_frame(room_at(middle, under), window) if math.hypot(*move) < HEX_PX]
    spots += [(9 + math.hypot(*move), middle + move[0], under + move[1]) for move in moves]
    best, least = None, DROPPED if site.kind == "village" else math.inf
    for toll, x, y in sorted(spots):
        if toll >= least:
            break
        room = room_at(x, y)
        cost = toll + obstacles.cost(room, least - toll)
        if cost < least:
            best, least = Name(site.name, css, (x, y), (room,)), cost
    return best


def _of_rivers(ways: tuple[Way, ...], frame: Frame, obstacles: Obstacles) -> Iterator[Name]:
    """The name of each river, once, along the stretch where it is in nobody's way."""
    for name, spots in _stretches(ways, frame):
        best, least = spots[0], math.inf
        for spot in spots:
            cost = spot.toll
            for room in spot.rooms:
                if cost >= least:
                    break
                cost += obstacles.cost(room, least - cost)
            if cost < least:
                best, least = spot, cost
        for room in best.rooms:
            obstacles.add(room)
        yield Name(name, "hx-river", best.at, best.rooms, best.turn)


class _Spot(NamedTuple):
    """A place for the name of a river: what it costs, its baseline, its turn, its room."""

    toll: float
    at: XY
    turn: float
    rooms: tuple[Rect, ...]


@lru_cache(maxsize=16)
def _stretches(ways: tuple[Way, ...], frame: Frame) -> tuple[tuple[str, list[_Spot]], ...]:
    """The places where the name of each river could stand, the best first."""
    spots: dict[str, list[_Spot]] = {}
    for way in ways:
        if way.name and way.kind in ("river", "stream"):
            spots.setdefault(way.name, []).extend(_along(way.name, frame.line(way.points)))
    return tuple((name, sorted(some)[:MOST_SPOTS]) for name, some in spots.items() if some)


def _along(name: str, points: Sequence[XY]) -> Iterator[_Spot]:
    """Places for a name beside a river, on either hand of each stretch that is about as long."""
    wide = width(name, LETTERS["river"].whole)
    for i in range(len(points)):
        for j in range(i + 1, min(i + 6, len(points))):
            start, end = sorted((points[i], points[j]))
            length = math.dist(start, end)
            if not wide * 0.8 <= length <= wide + 50:
                continue
            across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
            # How far the bends stand out on either hand of the straight line.
            bends = [(p[0] - start[0]) * -down + (p[1] - start[1]) * across for p in points[i : j + 1]]
            turn = math.degrees(math.atan2(down, across))
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            for off in (min(bends) - 4.2, max(bends) + 9.6):
                at = (middle[0] - down * off, middle[1] + across * off)
                heart = (at[0] + down * 3, at[1] - across * 3)
                parts = [wide * (k / 4 - 0.5) for k in range(5)]
                rooms = tuple(_square((heart[0] + across * part, heart[1] + down * part), 4.2) for part in parts)
                yield _Spot((max(bends) - min(bends)) * 1.2 + abs(turn) * 0.12, at, turn, rooms)


def _square(at: XY, half: float) -> Rect:
    return (at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def _marches(picture: Picture, frame: Frame, stood: Sequence[Stood]) -> list[tuple[Track, list[XY]]]:
    """Each track as it is drawn: beside others on the same way, and up to the sign of those that went."""
    taken: dict[frozenset[Point], set[int]] = {}
    drawn = []
    for track in picture.tracks:
        steps = [frozenset(step) for step in pairwise(track.points) if step[0] != step[1]]
        if not steps:
            continue
        free = (lane for lane in (0, 1, -1, 2, -2, 3, -3) if not any(lane in taken.get(step, ()) for step in steps))
        lane = next(free, 0)
        for step in steps:
            taken.setdefault(step, set()).add(lane)
        # Lanes lie on the same hand whichever way one goes.
        forward = track.points[0] < track.points[-1]
        points = _aside(frame.line(track.points), lane * (LANE if forward else -LANE))
        own = [one.box for one in stood if one.stack.side == track.side]
        here = [box for box in own if _holds(box, points[0], 6)]
        there = [box for box in own if _holds(box, points[-1], 6)]
        if track.kind != "supply":
            points = _clear(_clear(points, there, 3.0)[::-1], here, 1.0)[::-1]
        drawn.append((track, points))
    return drawn


def _aside(points: list[XY], off: float) -> list[XY]:
    if not off:
        return points
    moved = []
    for i, point in enumerate(points):
        before, after = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.dist(before, after) or 1
        moved.append(
            (point[0] - (after[1] - before[1]) / length * off, point[1] + (after[0] - before[0]) / length * off)
        )
    return moved


def _holds(box: Rect, at: XY, by: float) -> bool:
    return box[0] - by <= at[0] <= box[2] + by and box[1] - by <= at[1] <= box[3] + by


def _clear(points: list[XY], boxes: Sequence[Rect], by: float) -> list[XY]:
    """The line without what of its last step lies in *boxes*; at least a third of that step is left."""
    start, end = points[-2], points[-1]
    tries = [
        (start[0] + (end[0] - start[0]) * part / 20, start[1] + (end[1] - start[1]) * part / 20)
        for part in range(20, 6, -1)
    ]
    free = (at for at in tries if not any(_holds(box, at, by) for box in boxes))
    return [*points[:-1], next(free, tries[-1])]


def track_sign(kind: str, side: str, points: Sequence[XY]) -> str:
    """A march, a retreat, a ride or a line of supply: ring, line, head."""
    data = soft(points, 9.0)
    if kind == "supply":
        return f'<g class="{side}">{path("hx-line", data)}</g>'
    (ax, ay), (bx, by) = points[-2], points[-1]
    turn = n(math.degrees(math.atan2(by - ay, bx - ax)))
    head = f' transform="translate({xy((bx, by))}) rotate({turn}) scale(.78)"'
    return (
        f'<g class="{side}">{path("hx-under", data)}{path(LINES.get(kind, "hx-march"), data)}'
        f'<circle class="ring" cx="{n(points[0][0])}" cy="{n(points[0][1])}" r="3"/>'
        f"{path('head', 'M4 0L-10 -7L-6.5 0L-10 7z', head)}</g>"
    )


def _marks(picture: Picture, frame: Frame, stood: Sequence[Stood], names: Iterable[Rect]) -> Iterator[str]:
    """Battles, finds and losses, each in its hex, where it hides no name and little of the troops."""
    if not picture.marks:
        return
    obstacles = Obstacles(frame.ground, (), ())
    obstacles.add_line(fence(shown(picture, frame)), CUT)
    for one in stood:
        obstacles.add(one.box, 0.7)
        # Staff have their names on the left as well.
        left = one.box[0] if one.stack.staff else one.at[0] - 9
        obstacles.add((left, one.at[1] - 6, one.box[2], one.at[1] + 6), 4.0)
    for box in names:
        obstacles.add(box, 5.0)
    for mark in picture.marks:
        spot = _spot(frame.at(mark.at), obstacles)
        yield f'<g transform="translate({xy(spot)}) scale(.6)">{mark_sign(mark)}</g>'


def mark_sign(mark: Mark) -> str:
    """The sign of *mark* round its own middle."""
    match mark.kind:
        case "melee":
            return melee((0, 0))
        case "found":
            return found((0, 0))
    return losses(mark.figure, (0, 0))


def _spot(at: XY, obstacles: Obstacles) -> XY:
    # Within its hex, or it would tell of another.
    spots = [(16, 10), (-16, 10), (0, -15), (16, -10), (-16, -10), (0, 15), (0, 0)]
    best, least = at, math.inf
    for i, (dx, dy) in enumerate(spots):
        spot = (at[0] + dx, at[1] + dy)
        cost = i * 3 + obstacles.cost(_square(spot, 8), least)
        if cost < least:
            best, least = spot, cost
    obstacles.add(_square(best, 8))
    return best
