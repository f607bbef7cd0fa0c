"""A hex map, layer by layer: ground, names, marches, troops, marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.ground.picture import Label, Mark, Picture, Point, Site, Stack, Track, Way
from pbem.reports.drawing.boxes import centred, holds, square, union
from pbem.reports.drawing.frame import HEX_PX, Frame, frame_of
from pbem.reports.drawing.labels import Obstacles, Written, put, spot, width, written
from pbem.reports.drawing.provinces import provinces, rooms
from pbem.reports.drawing.routes import stopped
from pbem.reports.drawing.sides import badge
from pbem.reports.drawing.signs import mark_sign
from pbem.reports.drawing.svg import XY, Rect, heading, n, owned, path, xy
from pbem.reports.drawing.window import CUT, fence, off_frame, shown
from pbem.reports.hexes.ground import ground, soft
from pbem.reports.hexes.stacks import Sited, Stood, stand
from pbem.reports.hexes.style import LETTERS

MARK = ".6"
"""How large a mark is drawn, of what it is on a board of squares."""

LANE = 4.5
"""Pixels between marches along the same way."""

MOST_SPOTS = 24
"""The places of a river that are tried for its name."""

DROPPED = 60.0
"""What it may cost at most to write the name of a village."""

GAP = 4.0
"""Pixels between names side by side."""

SHARES = [part / 20 for part in range(20, 6, -1)]
"""What may be left of the last step of a march."""

SPOTS = [(i * 3, at) for i, at in enumerate(((16, 10), (-16, 10), (0, -15), (16, -10), (-16, -10), (0, 15), (0, 0)))]
"""Where a mark may stand from the middle of its hex, or it would tell of another, and what that costs."""

LINES = {
    "move": "hx-march", "retreat": "hx-back", "ride": "hx-ride", "supply": "hx-line",
    "support": "sd-support", "convoy": "sd-convoy",
}  # fmt: skip
SIZES = {
    kind: (f"hx-{name}", LETTERS[name].whole)
    for kind, name in (("fortress", "fort"), ("town", "town"), ("village", "village"))
}
ORDER = ("fortress", "town", "village")


def board(picture: Picture, ids: str) -> str:
    """All layers of a hex map, from below."""
    frame = frame_of(picture)
    window = shown(picture, frame)
    stood, sited = stand(picture, frame, ids)
    went = marches(picture, frame, stood)
    obstacles = Obstacles(frame.ground)
    obstacles.add_line(fence(window), CUT)
    for box in (*(one.box for one in stood), *(one.box for one in sited)):
        obstacles.add(box, 3.0)
    for box in rooms(picture, frame):
        obstacles.add(box, 3.0)
    lands = [(label.kind, _land(label, frame, window)) for label in picture.labels]
    for kind, land in lands:
        obstacles.add(land.rooms[0], 2.0 if kind == "province" else 0.4)
    for track, points in went:
        obstacles.add_line(points, 2.0 if track.kind != "supply" else 0.5)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), 0.8 if way.kind in ("rail", "frontier") else 0.5)
    names = [*_of_sites(sited, stood, obstacles, window), *_of_rivers(picture.ways, frame, obstacles)]
    layers: Sequence[Iterable[str]] = (
        (ground(picture, ids),),
        (provinces(picture, frame, ids),),
        (written(land) for _, land in lands),
        (track_sign(track.kind, track.side, points, ids, failed=track.failed) for track, points in went),
        (one.svg for one in sited),
        map(written, names),
        (owned(one.svg, _units(one.stack)) for one in stood),
        (
            f'<g transform="translate({xy(at)}) scale({MARK})">{mark_sign(mark, (0, 0))}</g>'
            for mark, at in marks(
                picture, frame, stood, [*(one.box for one in sited), *(room for name in names for room in name.rooms)]
            )
        ),
    )
    return "".join("".join(layer) for layer in layers)


def _units(stack: Stack) -> tuple[str, ...]:
    """What of one's own stands in a stack that is known by name."""
    return tuple(flag.name for flag in stack.staff) if stack.own and stack.key else ()


def standing(picture: Picture, stood: Sequence[Stood], sited: Sequence[Sited]) -> list[Written]:
    """The names of the ground, each where it covers least of where troops stand at any time."""
    frame = frame_of(picture)
    obstacles = Obstacles(frame.ground)
    for box in (*(one.box for one in stood), *(one.box for one in sited)):
        obstacles.add(box, 3.0)
    lands = [(label.kind, _land(label, frame, None)) for label in picture.labels]
    for kind, land in lands:
        obstacles.add(land.rooms[0], 2.0 if kind == "province" else 0.4)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), 0.8 if way.kind in ("rail", "frontier") else 0.5)
    of_ground = (*_of_sites(sited, stood, obstacles, None), *_of_rivers(picture.ways, frame, obstacles))
    return [*(land for _, land in lands), *of_ground]


CSS = {
    kind: (f"hx-{name}", LETTERS[name].whole)
    for kind, name in (("country", "country"), ("province", "province"), ("water", "river"))
}

SPACED = {"country": 0.42, "province": 0.12}
"""What is set between the letters, by their size."""


def _land(label: Label, frame: Frame, window: Rect | None) -> Written:
    """The name of a land or of a water, as near its place as the window's frame allows."""
    css, size = CSS.get(label.kind, SIZES["village"])
    wide = width(label.text, size, bold=True) + SPACED.get(label.kind, 0.0) * size * len(label.text)
    x, y = frame.at(label.at)
    for across, down in off_frame(centred((x, y), wide, size), window)[:1]:
        x, y = x + across, y + down
    return Written(label.text, css, (x, y + size * 0.35), (centred((x, y), wide, size),))


def _of_sites(
    sited: Sequence[Sited], stood: Sequence[Stood], obstacles: Obstacles, window: Rect | None
) -> Iterator[Written]:
    """The name of each site, near it and its troops; fortresses choose first."""
    troops: dict[Point, Rect] = {}
    for one in stood:
        troops[one.stack.at] = union(troops.get(one.stack.at, one.box), one.box)
    for sign in sorted(sited, key=lambda sign: ORDER.index(sign.site.kind)):
        there = troops.get(sign.site.at)
        places = _beside(sign.site, union(sign.box, there or sign.box), window, manned=there is not None)
        # That of a village is left out where it would hide something else.
        name = put(places, obstacles, DROPPED if sign.site.kind == "village" else math.inf, GAP)
        if name:
            yield name


def _beside(site: Site, box: Rect, window: Rect | None, *, manned: bool) -> Iterator[tuple[float, Written]]:
    """Places for the name of a site, with what each costs by itself."""
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
    for toll, x, y in sorted(spots):
        yield toll, Written(site.name, css, (x, y), (room_at(x, y),))


def _of_rivers(ways: tuple[Way, ...], frame: Frame, obstacles: Obstacles) -> Iterator[Written]:
    """The name of each river, once, along the stretch where it is in nobody's way."""
    for places in _stretches(ways, frame):
        name = put(places, obstacles)
        if name:
            yield name


@lru_cache(maxsize=16)
def _stretches(ways: tuple[Way, ...], frame: Frame) -> tuple[list[tuple[float, Written]], ...]:
    """The places where the name of each river could stand, the best first."""
    places: dict[str, list[tuple[float, Written]]] = {}
    for way in ways:
        if way.name and way.kind in ("river", "stream"):
            places.setdefault(way.name, []).extend(_along(way.name, frame.line(way.points)))
    return tuple(sorted(some, key=lambda place: (place[0], place[1].at))[:MOST_SPOTS] for some in places.values())


def _along(name: str, points: Sequence[XY]) -> Iterator[tuple[float, Written]]:
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
                rooms = tuple(square((heart[0] + across * part, heart[1] + down * part), 4.2) for part in parts)
                toll = (max(bends) - min(bends)) * 1.2 + abs(turn) * 0.12
                yield toll, Written(name, "hx-river", at, rooms, turn=turn)


def marches(picture: Picture, frame: Frame, stood: Sequence[Stood]) -> list[tuple[Track, list[XY]]]:
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
        here = [box for box in own if holds(box, points[0], 6)]
        there = [box for box in own if holds(box, points[-1], 6)]
        if track.kind != "supply":
            points = stopped(stopped(points, there, 3.0, SHARES)[::-1], here, 1.0, SHARES)[::-1]
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


def track_sign(kind: str, side: str, points: Sequence[XY], ids: str, *, failed: bool = False) -> str:
    """A march, a retreat, a ride or a line of supply: ring, line, head."""
    data = soft(points, 9.0)
    if kind == "supply":
        return f'<g class="{side}">{path("hx-line", data)}</g>'
    head = f' transform="{heading(points)} scale(.78)"'
    ring = f'<circle class="ring" cx="{n(points[0][0])}" cy="{n(points[0][1])}" r="3"/>'
    end = path("sd-bar", "M0 -7V7", head) if failed else path("head", "M4 0L-10 -7L-6.5 0L-10 7z", head)
    return (
        f'<g class="{side}">{path("hx-under", data)}{path(LINES.get(kind, "hx-march"), data)}'
        f"{badge(side, ids, points[0], 0.62) or ring}{end}</g>"
    )


def marks(picture: Picture, frame: Frame, stood: Sequence[Stood], names: Iterable[Rect]) -> Iterator[tuple[Mark, XY]]:
    """Battles, finds and losses, each in its hex, where it hides no name and little of the troops."""
    if not picture.marks:
        return
    obstacles = Obstacles(frame.ground)
    obstacles.add_line(fence(shown(picture, frame)), CUT)
    for one in stood:
        obstacles.add(one.box, 0.7)
        # Staff have their names on the left as well.
        left = one.box[0] if one.stack.staff else one.at[0] - 9
        obstacles.add((left, one.at[1] - 6, one.box[2], one.at[1] + 6), 4.0)
    for box in names:
        obstacles.add(box, 5.0)
    for mark in picture.marks:
        at = frame.at(mark.at) if mark.kind == "unlike" else spot(frame.at(mark.at), SPOTS, 8, obstacles)
        yield mark, at
