"""The ground of a map, as strings of SVG: drawn once for each ground, and kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.ground.picture import Area, Grid, House, Picture, Point, Way
from pbem.reports.drawing.boxes import around
from pbem.reports.drawing.frame import MARGIN, Frame, frame
from pbem.reports.drawing.svg import XY, Rect, line, n, path, rect, text, xy

AREAS = ("field", "swamp", "wood", "hill", "town", "graveyard", "water")
"""Kinds of ground, the lowest first."""

TEXTURE = {"wood": "trees", "swamp": "reeds", "field": "furrows"}

HUT = 30
"""Houses narrower than this many pixels hold nobody and are drawn full."""


def ground(picture: Picture, ids: str) -> str:
    """Everything of *picture* that does not move; *ids* begins the names of the patterns it uses."""
    return _ground(picture.box, picture.grid, picture.areas, picture.ways, picture.houses, ids)


@lru_cache(maxsize=128)
def _ground(
    box: tuple[int, int, int, int],
    grid: Grid | None,
    areas: tuple[Area, ...],
    ways: tuple[Way, ...],
    houses: tuple[House, ...],
    ids: str,
) -> str:
    sheet = frame(box, grid)
    return "".join(
        (
            rect("open", sheet.ground),
            *_areas(sheet, areas, ids),
            _gridlines(sheet, grid),
            *(hill(sheet.line(ring)) for ring in _rings(areas, "hill")),
            *_waters(sheet, ways),
            *_roads(sheet, ways),
            *(_house(house, sheet.rect(house.box)) for house in houses),
            *_walls(sheet, ways),
            *(_graves(sheet.line(ring)) for ring in _rings(areas, "graveyard")),
            _margin(sheet),
            rect("frame", sheet.ground),
            *_coordinates(sheet, grid),
        )
    )


def patterns(ids: str) -> str:
    """Textures of the ground and the hatching of the second side."""
    trees = (
        "M4 9a3.4 3.4 0 1 1 5 0q-2.5 2.2-5 0M6.5 10v2.2M19 13.4a3 3 0 1 1 4.4 0q-2.2 2-4.4 0M21.2 14.3v2"
        "M9.6 25a3.2 3.2 0 1 1 4.7 0q-2.3 2-4.7 0M12 26v2M24 27.4a2.6 2.6 0 1 1 3.8 0q-1.9 1.7-3.8 0"
    )
    reeds = "M2 4h9M15 12h9M5 4v-2M8 4v-2M18 12v-2M21 12v-2"
    hatch = '<rect class="hat0" width="3.4" height="3.4"/><rect class="hat1" width="2.1" height="3.4"/>'
    return (
        pattern(f"{ids}-trees", 30, 30, path("tree", trees))
        + pattern(f"{ids}-reeds", 26, 16, path("reed", reeds))
        + pattern(f"{ids}-furrows", 9, 9, path("furrow", "M0 4.5h9"), turn=20)
        + pattern(f"{ids}-hatch", 3.4, 3.4, hatch, turn=45)
    )


def pattern(id: str, wide: float, high: float, drawn: str, *, turn: int = 0) -> str:
    """What fills a shape again and again, turned by so many degrees."""
    turned = f' patternTransform="rotate({turn})"' if turn else ""
    size = f'width="{wide:g}" height="{high:g}"'
    return f'<pattern id="{id}" {size} patternUnits="userSpaceOnUse"{turned}>{drawn}</pattern>'


def _areas(sheet: Frame, areas: Sequence[Area], ids: str) -> Iterable[str]:
    for kind in AREAS:
        outlines = "".join(line(sheet.line(area.outline), closed=True) for area in areas if area.kind == kind)
        yield path(kind, outlines)
        if outlines and kind in TEXTURE:
            yield f'<path fill="url(#{ids}-{TEXTURE[kind]})" d="{outlines}"/>'


def _rings(areas: Sequence[Area], kind: str) -> list[list[Point]]:
    """The outlines of one kind of ground, neighbours that share a side made one."""
    onward: dict[Point, list[Point]] = {}
    for area in areas:
        if area.kind != kind:
            continue
        outline = area.outline if _turn(area.outline) > 0 else area.outline[::-1]
        for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
            if start in onward.get(end, ()):
                onward[end].remove(start)
            else:
                onward.setdefault(start, []).append(end)
    rings = []
    for first, ends in onward.items():
        while ends:
            ring, here = [first], ends.pop()
            while here != first and onward.get(here):
                ring.append(here)
                here = onward[here].pop()
            rings.append(_straightened(ring))
    return rings


def _straightened(ring: Sequence[Point]) -> list[Point]:
    """The ring without the corners that are none."""
    kept = []
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by) = ring[i - 1], ring[(i + 1) % len(ring)]
        if (x - ax) * (by - y) != (y - ay) * (bx - x):
            kept.append((x, y))
    return kept


def _gridlines(sheet: Frame, grid: Grid | None) -> str:
    if grid is None:
        return ""
    left, top, right, bottom = sheet.ground
    step = grid.step * sheet.scale
    upright = "".join(f"M{n(left + i * step)} {n(top)}V{n(bottom)}" for i in range(1, len(grid.columns)))
    level = "".join(f"M{n(left)} {n(top + i * step)}H{n(right)}" for i in range(1, len(grid.rows)))
    return path("grid", upright + level)


def _margin(sheet: Frame) -> str:
    """Paper over all that runs out of the ground."""
    left, top, right, bottom = sheet.ground
    outer = f"M0 0H{n(sheet.width)}V{n(sheet.height)}H0z"
    return path("margin", f"{outer}M{n(left)} {n(top)}V{n(bottom)}H{n(right)}V{n(top)}z")


def _coordinates(sheet: Frame, grid: Grid | None) -> Iterable[str]:
    if grid is None:
        return
    step = grid.step * sheet.scale
    for i, name in enumerate(grid.columns):
        across = MARGIN + (i + 0.5) * step
        yield text(name, (across, MARGIN - 12), "co")
        yield text(name, (across, sheet.height - 13), "co")
    for i, name in enumerate(grid.rows):
        down = MARGIN + (i + 0.5) * step + 5
        yield text(name, (17, down), "co")
        yield text(name, (sheet.width - 17, down), "co")


def _rounded(ring: Sequence[XY], radius: float) -> list[XY]:
    """A closed ring with its corners cut round, as many short steps."""
    smooth: list[XY] = []
    for i, corner in enumerate(ring):
        before, after = ring[i - 1], ring[(i + 1) % len(ring)]
        start, end = towards(corner, before, radius), towards(corner, after, radius)
        for step in range(7):
            t = step / 6
            smooth.append(
                (
                    (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * corner[0] + t * t * end[0],
                    (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * corner[1] + t * t * end[1],
                )
            )
    return smooth


def towards(here: XY, there: XY, far: float) -> XY:
    """The place so far from here, at most half of the way there."""
    length = math.dist(here, there)
    share = min(far, length / 2) / length if length else 0
    return (here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share)


def _turn(ring: Sequence[XY] | Sequence[Point]) -> float:
    """Above 0 if the ring runs clockwise on the sheet."""
    return sum(ring[i - 1][0] * corner[1] - corner[0] * ring[i - 1][1] for i, corner in enumerate(ring))


def _inset(ring: Sequence[XY], depth: float) -> list[XY]:
    """The ring drawn inward by *depth*: each corner moves along the middle of its angle."""
    sign = 1 if _turn(ring) > 0 else -1
    inner: list[XY] = []
    for i, corner in enumerate(ring):
        a, b = unit(ring[i - 1], corner), unit(corner, ring[(i + 1) % len(ring)])
        normal = (-(a[1] + b[1]) * sign, (a[0] + b[0]) * sign)
        length = math.hypot(*normal) or 1
        reach = depth / max(length / 2, 0.35)
        inner.append((corner[0] + normal[0] / length * reach, corner[1] + normal[1] / length * reach))
    return inner


def unit(start: XY, end: XY) -> XY:
    length = math.dist(start, end) or 1
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length)


def walk(points: Sequence[XY], step: float) -> Iterable[tuple[XY, XY]]:
    """Places along a line, *step* apart, each with the direction in which the line runs there."""
    due = step / 2
    for start, end in pairwise(points):
        length = math.dist(start, end)
        run = unit(start, end)
        while due < length:
            yield (start[0] + run[0] * due, start[1] + run[1] * due), run
            due += step
        due -= length


def hill(ring: list[XY]) -> str:
    """Two rows of hachures round the brow, pointing downhill; the inner row is shorter and thinner."""
    sign = 1 if _turn(ring) > 0 else -1
    strokes = []
    for depth, radius, step, reach in ((15.0, 20.0, 4.6, 11.0), (24.0, 14.0, 7.4, 6.0)):
        brow = _rounded(_inset(ring, depth), radius)
        for i, (at, run) in enumerate(walk([*brow, brow[0]], step)):
            # Lengths vary as a pen would, and the same on every run.
            length = reach * (0.78 + 0.11 * (i * 7 % 5))
            strokes.append(f"M{xy(at)}l{xy((run[1] * sign * length, -run[0] * sign * length))}")
    return path("hachure", "".join(strokes))


def _graves(ring: list[XY]) -> str:
    left, top, right, bottom = around(ring)
    crosses = []
    for row in range(int((bottom - top) // 18)):
        for column in range(int((right - left - 8) // 16)):
            across = left + 13 + column * 16 + (row * 5 + column * 3) % 4
            down = top + 9 + row * 18 + (column * 5 + row * 2) % 5
            crosses.append(f"M{xy((across, down))}v9m-3 -6h6")
    return path("cross", "".join(crosses))


def flowing(points: Sequence[XY]) -> str:
    """A curve through *points* that winds a little, as water does."""
    winding = [points[0]]
    for i, (start, end) in enumerate(pairwise(points)):
        bend = (2.6 if i % 2 else -2.6) if math.dist(start, end) > 20 else 0
        run = unit(start, end)
        winding += [((start[0] + end[0]) / 2 - run[1] * bend, (start[1] + end[1]) / 2 + run[0] * bend), end]
    return curve(winding)


def curve(points: Sequence[XY]) -> str:
    """A curve through *points*, as water runs."""
    drawn = [f"M{xy(points[0])}"]
    for i, (start, end) in enumerate(pairwise(points)):
        before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        drawn.append(f"C{xy(first)} {xy(second)} {xy(end)}")
    return "".join(drawn)


def _waters(sheet: Frame, ways: Sequence[Way]) -> Iterable[str]:
    streams = "".join(flowing(sheet.line(way.points)) for way in ways if way.kind == "stream")
    rivers = "".join(flowing(sheet.line(way.points)) for way in ways if way.kind == "river")
    contours = "".join(flowing(sheet.line(way.points)) for way in ways if way.kind == "contour")
    yield path("contour", contours)
    yield path("bank", streams) + path("shore", rivers)
    yield path("brook", streams) + path("river", rivers)


def _roads(sheet: Frame, ways: Sequence[Way]) -> Iterable[str]:
    roads = "".join(line(sheet.line(way.points)) for way in ways if way.kind == "road")
    yield path("road", roads) + path("lane", roads)
    for way in ways:
        points = sheet.line(way.points)
        if way.kind == "bridge":
            yield _bridge(points, ruined=way.ruined)
        elif way.kind == "rail":
            yield path("rail", line(points)) + path("ticks", ties(points, 7, 4))
        elif way.kind == "frontier":
            yield path("frontier", line(points))


def ties(points: Sequence[XY], step: float, half: float) -> str:
    """The ties of a railway."""
    return "".join(
        f"M{xy((at[0] - run[1] * half, at[1] + run[0] * half))}l{xy((run[1] * 2 * half, -run[0] * 2 * half))}"
        for at, run in walk(points, step)
    )


def _bridge(points: Sequence[XY], *, ruined: bool) -> str:
    """Two abutments beside the road that runs along *points*; a single point is a road from top to bottom."""
    middle = ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2)
    run = unit(points[0], points[-1]) if len(points) > 1 else (0.0, 1.0)
    turn = math.degrees(math.atan2(run[0], -run[1]))
    css = "bridge ruin" if ruined else "bridge"
    place = f' transform="translate({xy(middle)}) rotate({n(turn)})"'
    return path(css, "M-8 -12q4 4 4 12q0 8 -4 12M8 -12q-4 4 -4 12q0 8 4 12", place)


def _house(house: House, box: Rect) -> str:
    left, top, right, bottom = box
    css = "hut" if right - left < HUT and house.kind == "small" else "house"
    drawn = rect(f"{css} ruin" if house.ruined else css, box)
    if house.ruined:
        drawn += path("cross", f"M{xy((left + 4, bottom - 4))}L{xy((right - 4, top + 4))}")
    if house.kind == "church":
        drawn += path("cross", f"M{xy((right - 5, top - 13))}v13m-4 -9h8")
    return drawn


def _walls(sheet: Frame, ways: Sequence[Way]) -> Iterable[str]:
    roads = [step for way in ways if way.kind == "road" for step in pairwise(sheet.line(way.points))]
    for ruined in (False, True):
        walls = [sheet.line(way.points) for way in ways if way.kind == "wall" and way.ruined == ruined]
        courses: list[str] = []
        ticks: list[str] = []
        for wall in walls:
            for course in gaps(wall, roads):
                courses.append(line(course))
                ticks += (
                    f"M{xy((at[0] - run[1] * 4, at[1] + run[0] * 4))}l{xy((run[1] * 8, -run[0] * 8))}"
                    for at, run in walk(course, 10)
                )
        yield path("wall ruin" if ruined else "wall", "".join(courses))
        yield path("ticks", "" if ruined else "".join(ticks))


def gaps(wall: Sequence[XY], roads: Sequence[tuple[XY, XY]]) -> Iterable[tuple[XY, XY]]:
    """The courses of a wall, with a gap of 18 pixels where a road goes through."""
    for start, end in pairwise(wall):
        length, run = math.dist(start, end), unit(start, end)
        begins = 0.0
        for cut in sorted(filter(None, (_crossing(start, end, *road) for road in roads))):
            if cut - 9 > begins:
                yield _along(start, run, begins), _along(start, run, cut - 9)
            begins = max(begins, cut + 9)
        if begins < length:
            yield _along(start, run, begins), end


def _along(start: XY, run: XY, far: float) -> XY:
    return (start[0] + run[0] * far, start[1] + run[1] * far)


def _crossing(a: XY, b: XY, c: XY, d: XY) -> float | None:
    """How far from *a* the line a–b meets c–d, or None."""
    along, across = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    turn = along[0] * across[1] - along[1] * across[0]
    if abs(turn) < 1e-9:
        return None
    t = ((c[0] - a[0]) * across[1] - (c[1] - a[1]) * across[0]) / turn
    u = ((c[0] - a[0]) * along[1] - (c[1] - a[1]) * along[0]) / turn
    return t * math.dist(a, b) if 0 < t < 1 and 0 <= u <= 1 else None
