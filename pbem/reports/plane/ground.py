"""Continuous ground, as strings of SVG: slopes, woods, waters, roads, houses, and the edge with its scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.ground.picture import Area, Box, Label, Picture, Plane, Point, Way
from pbem.reports.drawing.boxes import around
from pbem.reports.drawing.frame import MARGIN, Frame, frame_of
from pbem.reports.drawing.svg import XY, Rect, line, n, path, rect, text, xy
from pbem.reports.drawing.terrain import curve, gaps, hill, pattern, ties, unit, walk
from pbem.reports.plane.relief import hachures

AREAS = ("field", "garden", "rough", "swamp", "wood", "thicket", "water")
"""Kinds of ground, the lowest first; hills lie below them, houses above the waters."""

TEXTURE = {"wood": "leaf", "thicket": "fir", "swamp": "reeds", "garden": "beds", "rough": "vines", "field": "furrows"}

HOUSE = 7.0
"""Pixels from one house to the next."""

NARROWEST = 2.4
"""Pixels of the narrowest water."""


def ground(picture: Picture, ids: str) -> str:
    """Everything of *picture* that does not move; *ids* begins the names of the patterns it uses."""
    assert picture.plane is not None, "a picture of a board has another ground"
    summits = tuple(label for label in picture.labels if label.kind == "summit")
    return _ground(frame_of(picture), picture.plane, picture.areas, picture.ways, summits, ids)


def patterns(ids: str) -> str:
    """Textures of the ground."""
    made = {
        "leaf": (15, 14, "pl-tree", "M2.5 6a2.4 2.4 0 1 1 4.6 0q-2.3 1.8-4.6 0M4.8 6.8v1.8"
                 "M9.5 12.5a2 2 0 1 1 3.8 0q-1.9 1.5-3.8 0"),
        "fir": (9, 8, "pl-fir", "M1 4.5a2.2 2.2 0 1 1 4 0zM5 8a2 2 0 1 1 3.8 0z"),
        "reeds": (16, 9, "pl-reed", "M1 3h7M9 7h6M4 3v-2M12 7v-2"),
        "beds": (5, 5, "pl-bed", "M0 2.5h5M2.5 0v5"),
        "vines": (10, 8, "pl-vine", "M1.5 3.5q1.5-3 3 0M6.5 7.5q1.5-3 3 0M3 3.5v1.6M8 7.5v.5"),
        "furrows": (9, 9, "pl-furrow", "M0 4.5h9"),
    }  # fmt: skip
    return "".join(
        pattern(f"{ids}-pl-{name}", wide, high, path(css, data)) for name, (wide, high, css, data) in made.items()
    )


@lru_cache(maxsize=32)
def _ground(
    frame: Frame, plane: Plane, areas: tuple[Area, ...], ways: tuple[Way, ...], summits: tuple[Label, ...], ids: str
) -> str:
    return "".join(
        (
            rect("open", frame.ground),
            *_hills(frame, areas),
            *_areas(frame, areas, ids),
            hachures(frame, plane.relief) if plane.relief else "",
            *_crests(frame, ways),
            *_waters(frame, ways),
            *_built(frame, areas),
            *_roads(frame, ways),
            *(_houses(frame, area, ways) for area in areas if area.kind == "town"),
            *_lines(frame, ways),
            *(_summit(frame, label) for label in summits),
            *_edge(frame, plane),
        )
    )


def _hills(frame: Frame, areas: Iterable[Area]) -> Iterator[str]:
    rings = [frame.line(area.outline) for area in areas if area.kind == "hill"]
    yield path("pl-rise", "".join(line(ring, closed=True) for ring in rings))
    yield path("pl-foot", "".join(line(ring, closed=True) for ring in rings))
    yield from (hill(ring) for ring in rings)


def _areas(frame: Frame, areas: Iterable[Area], ids: str) -> Iterator[str]:
    some = tuple(areas)
    for kind in AREAS:
        outlines = "".join(line(frame.line(area.outline), closed=True) for area in some if area.kind == kind)
        yield path("pl-lake" if kind == "water" else f"pl-{kind}", outlines)
        if outlines and kind in TEXTURE:
            yield f'<path fill="url(#{ids}-pl-{TEXTURE[kind]})" d="{outlines}"/>'


def _crests(frame: Frame, ways: Iterable[Way]) -> Iterator[str]:
    yield path("pl-crest", "".join(line(frame.line(way.points)) for way in ways if way.kind == "crest"))


def _waters(frame: Frame, ways: Iterable[Way]) -> Iterator[str]:
    wet = [way for way in ways if way.kind in ("river", "stream")]
    drawn = [(max(way.width * frame.scale, NARROWEST), curve(frame.line(way.points))) for way in wet]
    for css, more in (("pl-bank", 1.8), ("pl-water", 0.0)):
        yield from (path(css, data, f' stroke-width="{n(wide + more)}"') for wide, data in drawn)


def _built(frame: Frame, areas: Iterable[Area]) -> Iterator[str]:
    for area in areas:
        if area.kind == "town":
            css = "pl-built pl-walled" if area.walled else "pl-built"
            yield path(css, line(frame.line(area.outline), closed=True))


def _roads(frame: Frame, ways: Sequence[Way]) -> Iterator[str]:
    for name, broad in (("small", False), ("main", True)):
        data = "".join(line(frame.line(way.points)) for way in ways if way.kind == "road" and way.broad == broad)
        yield path(f"pl-{name}0", data)
    for name, broad in (("small", False), ("main", True)):
        data = "".join(line(frame.line(way.points)) for way in ways if way.kind == "road" and way.broad == broad)
        yield path(f"pl-{name}1", data)
    for way in ways:
        points = frame.line(way.points)
        match way.kind:
            case "rail":
                yield path("pl-rail", line(points)) + path("pl-rail", ties(points, 7, 3))
            case "bridge":
                yield _bridge(*_long_enough(points[0], points[-1], 12), ruined=way.ruined)
            case "ford":
                yield path("pl-ford", line(_long_enough(points[0], points[-1], 12)))


def _long_enough(start: XY, end: XY, least: float) -> tuple[XY, XY]:
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    run = unit(start, end) if start != end else (0.0, 1.0)
    half = max(math.dist(start, end), least) / 2
    return (
        (middle[0] - run[0] * half, middle[1] - run[1] * half),
        (middle[0] + run[0] * half, middle[1] + run[1] * half),
    )


def _bridge(start: XY, end: XY, *, ruined: bool) -> str:
    """Its deck, and a parapet that opens at both ends, on either hand."""
    run = unit(start, end)
    parapets = []
    for hand in (3.6, -3.6):
        aside = (-run[1] * hand, run[0] * hand)
        flare = (aside[0] * 0.6, aside[1] * 0.6)
        a, b = (start[0] + aside[0], start[1] + aside[1]), (end[0] + aside[0], end[1] + aside[1])
        outer = (a[0] - run[0] * 2.5 + flare[0], a[1] - run[1] * 2.5 + flare[1])
        other = (b[0] + run[0] * 2.5 + flare[0], b[1] + run[1] * 2.5 + flare[1])
        parapets.append(line((outer, a, b, other)))
    css = "pl-span ruin" if ruined else "pl-span"
    return path("pl-deck", "" if ruined else line((start, end))) + path(css, "".join(parapets))


def _banks(points: Sequence[XY]) -> str:
    """Short strokes down to a road, on either hand."""
    return "".join(
        f"M{xy((at[0] - run[1] * hand, at[1] + run[0] * hand))}l{xy((run[1] * hand * 0.6, -run[0] * hand * 0.6))}"
        for at, run in walk(points, 3.6)
        for hand in (6, -6)
    )


def _lines(frame: Frame, ways: Sequence[Way]) -> Iterator[str]:
    roads = [step for way in ways if way.kind == "road" for step in pairwise(frame.line(way.points))]
    for way in ways:
        points = frame.line(way.points)
        courses = "".join(line(course) for course in gaps(points, roads))
        match way.kind:
            case "wall":
                yield path("pl-wall ruin" if way.ruined else "pl-wall", courses)
            case "hedge" | "ditch":
                yield path(f"pl-{way.kind}", courses)
            case "dike":
                yield path("pl-mound", courses) + path("pl-ridge", courses)
            case "trench":
                yield path("pl-mound", line(points)) + path("pl-work", line(points))
            case "sunken":
                yield path("pl-ridge", _banks(points))


def _houses(frame: Frame, town: Area, ways: Iterable[Way]) -> str:
    """Small blocks in rows, off the roads, more or less long as houses are, and the same on every run."""
    ring = frame.line(town.outline)
    roads = [step for way in ways if way.kind == "road" for step in pairwise(frame.line(way.points))]
    edges = [*pairwise([*ring, ring[0]])]
    left, top, right, bottom = around(ring)
    drawn = []
    for row in range(int((bottom - top) / HOUSE) + 1):
        for column in range(int((right - left) / HOUSE) + 1):
            lot = (row * 31 + column * 17 + row * column * 7) % 10
            x, y = left + (column + 0.6) * HOUSE, top + (row + 0.6) * HOUSE
            near_road = any(_off(step, (x, y)) < 5.2 for step in roads)
            if lot < 3 or near_road or not _within(ring, (x, y)) or any(_off(edge, (x, y)) < 3.6 for edge in edges):
                continue
            wide, high = ((5.0, 3.4), (3.4, 4.8), (4.2, 3.6))[lot % 3]
            drawn.append(f"M{xy((x - wide / 2, y - high / 2))}h{n(wide)}v{n(high)}h{n(-wide)}z")
    return path("pl-stone" if town.stone else "pl-timber", "".join(drawn))


def _off(step: tuple[XY, XY], at: XY) -> float:
    (ax, ay), (bx, by) = step
    long = (bx - ax) ** 2 + (by - ay) ** 2
    share = min(max(((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / long, 0.0), 1.0) if long else 0.0
    return math.dist(at, (ax + (bx - ax) * share, ay + (by - ay) * share))


def _within(ring: Sequence[XY], at: XY) -> bool:
    inside = False
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        if (ay > at[1]) != (by > at[1]) and at[0] < ax + (at[1] - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _summit(frame: Frame, label: Label) -> str:
    x, y = frame.at(label.at)
    return path("pl-summit", f"M{xy((x - 4, y + 3))}h8l-4 -7z") + text(label.text, (x + 6, y + 4), "pl-height")


# ---- The edge ----


def _edge(frame: Frame, plane: Plane) -> Iterator[str]:
    """Paper over what runs out, a frame in black and white, coordinates, the scale and where north is."""
    left, top, right, bottom = frame.ground
    outer = f"M0 0H{n(frame.width)}V{n(frame.height)}H0z"
    yield path("margin", f"{outer}M{n(left)} {n(top)}V{n(bottom)}H{n(right)}V{n(top)}z")
    yield rect("pl-inner", frame.ground) + rect("pl-outer", (left - 8, top - 8, right + 8, bottom + 8))
    yield path("pl-tick", "".join(_ticks(frame, plane)))
    yield from edge_names(plane, frame.box, frame.box, frame.ground, 22, "pl-edge")
    yield from _scale(frame, plane)
    place = f' transform="translate({n(right - 46)} {n(bottom + 52)}) scale(.68)"'
    yield f"<g{place}>{path('pl-pale', 'M0 -30L6 18L0 12L-6 18z')}{path('pl-dark', 'M0 -30L6 18L0 12z')}"
    yield text("N", (0, -35), "pl-north") + "</g>"


def _ticks(frame: Frame, plane: Plane) -> Iterator[str]:
    left, top, right, bottom = frame.ground
    half = plane.every * plane.unit * frame.scale / 2
    for i in range(0, int((right - left) / half) + 1, 2):
        start, end = left + i * half, min(left + (i + 1) * half, right)
        yield f"M{n(start)} {n(top - 5)}H{n(end)}M{n(start)} {n(bottom + 5)}H{n(end)}"
    for i in range(0, int((bottom - top) / half) + 1, 2):
        start, end = bottom - i * half, max(bottom - (i + 1) * half, top)
        yield f"M{n(left - 5)} {n(start)}V{n(end)}M{n(right + 5)} {n(start)}V{n(end)}"


def edge_names(plane: Plane, box: Box, seen: Box, put: Rect, far: float, css: str) -> Iterator[str]:
    """How far east and north it is, below and on the left: *seen* is what is shown of *box*, *put* where that lies."""
    step = plane.every * plane.unit
    across = (put[2] - put[0]) / max(seen[2] - seen[0], 1)
    for east in range(0, box[2] - box[0] + 1, step):
        if seen[0] <= box[0] + east <= seen[2]:
            x = put[0] + (box[0] + east - seen[0]) * across
            yield text(str(east // plane.unit), (x, put[3] + far), css)
    for north in range(0, box[3] - box[1] + 1, step):
        if seen[1] <= box[3] - north <= seen[3]:
            y = put[1] + (box[3] - north - seen[1]) * across
            place = f' transform="translate({n(put[0] - far + 9)} {n(y)}) rotate(-90)"'
            yield f"<g{place}>{text(str(north // plane.unit), (0, 0), css)}</g>"


def _scale(frame: Frame, plane: Plane) -> Iterator[str]:
    """A bar of four halves of what the edge is marked by."""
    left, _, _, bottom = frame.ground
    down, start = bottom + MARGIN, left + 110
    piece = plane.every * plane.unit * frame.scale / 2
    yield text(f"Scale in {plane.measure}", (left, down + 8), "pl-note")
    for i in range(4):
        yield rect("pl-pale" if i % 2 else "pl-dark", (start + i * piece, down, start + (i + 1) * piece, down + 6))
    for i in range(5):
        doubled = plane.every * i
        figure = str(doubled // 2) if doubled % 2 == 0 else f"{doubled / 2:.1f}"
        yield text(figure, (start + i * piece, down + 19), "pl-edge")
    yield text(plane.note, (start + 4 * piece + 26, down + 8), "pl-note")


def outline(frame: Frame, points: Iterable[Point]) -> str:
    """A closed line through *points*."""
    return line(frame.line(points), closed=True)
