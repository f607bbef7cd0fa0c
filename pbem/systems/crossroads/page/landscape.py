"""The ground of a scenario as a picture: hills, woods, waters, roads, walls, names; tenths of an inch, north up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import isqrt
from typing import Literal

from pbem.ground.picture import Area, Box, Label, Picture, Plane, Way
from pbem.ground.picture import Point as Spot
from pbem.ground.plane import Point
from pbem.rules.lately import lately
from pbem.systems.crossroads.scene.scene import GRAIN, AreaKind, Line, LineKind, Scene
from pbem.systems.crossroads.scene.words import place

AREAS: Mapping[AreaKind, Literal["wood", "garden", "town", "swamp"]] = {
    "woods": "wood",
    "orchard": "garden",
    "town": "town",
    "marsh": "swamp",
}
"""How each kind of ground is drawn; open ground is not."""

WAYS: Mapping[LineKind, Literal["wall", "hedge", "stream", "trench", "road", "rail"]] = {
    "wall": "wall",
    "hedge": "hedge",
    "stream": "stream",
    "trench": "trench",
    "road": "road",
    "railway": "rail",
}

BRIDGE = 12
"""Tenths of an inch from the middle of a bridge to its end."""

THERE, NEAR = 30, 60
"""Tenths of an inch within which a unit is told to be at a place, or near it."""


def spot(scene: Scene, at: Point) -> Spot:
    """A place of the field on the sheet."""
    return at.x, scene.height - at.y


def _spots(scene: Scene, points: Iterable[Point]) -> tuple[Spot, ...]:
    """Places of the ground, in thousandths, on the sheet."""
    return tuple(spot(scene, Point(at.x // GRAIN, at.y // GRAIN)) for at in points)


def _areas(scene: Scene) -> Iterator[Area]:
    for hill in scene.hills:
        yield from (Area("hill", _spots(scene, contour.points)) for contour in hill.contours)
    for area in scene.areas:
        if area.kind in AREAS:
            yield Area(AREAS[area.kind], _spots(scene, area.shape.points), name=area.name, stone=True)


def _bridge(scene: Scene, stream: Line, at: Point) -> Way:
    """A deck across the stream where it is crossed."""
    start, end = min(
        pairwise(stream.shape.points),
        key=lambda ends: (ends[0].x + ends[1].x - 2 * at.x) ** 2 + (ends[0].y + ends[1].y - 2 * at.y) ** 2,
    )
    along = (end.x - start.x, end.y - start.y)
    far = isqrt(along[0] ** 2 + along[1] ** 2) or 1
    over = (-along[1] * BRIDGE // far, along[0] * BRIDGE // far)
    middle = Point(at.x // GRAIN, at.y // GRAIN)
    ends = (Point(middle.x - over[0], middle.y - over[1]), Point(middle.x + over[0], middle.y + over[1]))
    return Way("bridge", tuple(spot(scene, one) for one in ends))


def _ways(scene: Scene) -> Iterator[Way]:
    for hill in scene.hills:
        yield Way("crest", _spots(scene, hill.crest.points))
    for line in scene.lines:
        broad = line.kind == "road"
        yield Way(
            WAYS[line.kind], _spots(scene, line.shape.points), broad=broad, width=8 if line.kind == "stream" else 0
        )
        yield from (_bridge(scene, line, at) for at in line.crossings)


def _middle(points: Iterable[Spot]) -> Spot:
    across, down = zip(*points, strict=True)
    return (min(across) + max(across)) // 2, (min(down) + max(down)) // 2


def _labels(scene: Scene) -> Iterator[Label]:
    kinds: dict[str, Literal["town", "wood", "hill", "place"]] = {hill.name: "hill" for hill in scene.hills}
    kinds |= {area.name: "town" if area.kind == "town" else "wood" for area in scene.areas}
    for one in scene.places:
        yield Label(one.name, spot(scene, one.pos), kinds.get(one.name, "place"))
    named = {one.name for one in scene.places}
    for area in scene.areas:
        if area.name not in named:
            yield Label(area.name, _middle(_spots(scene, area.shape.points)), kinds[area.name])
    for line in scene.lines:
        if line.kind == "stream":
            points = _spots(scene, line.shape.points)
            yield Label(line.name, points[len(points) - 2], "water")


@lately(2)
def ground_of(scene: Scene) -> Picture:
    """The ground without anybody on it."""
    return Picture(
        title=scene.title,
        whose="",
        box=(0, 0, scene.width, scene.height),
        plane=Plane(10, "inches", 12 if scene.width > 600 else 6, _note(scene)),
        areas=tuple(_areas(scene)),
        ways=tuple(_ways(scene)),
        labels=tuple(_labels(scene)),
    )


def _note(scene: Scene) -> str:
    return f"1 inch is {scene.inch_yards} yards.  A place in orders: inches east, inches north (47.5,36.2)."


def round_spots(scene: Scene, spots: Iterable[Spot], margin: int) -> Box:
    """The box round *spots* and *margin* more, no more than the table."""
    across, down = zip(*spots, strict=True)
    return (
        max(min(across) - margin, 0),
        max(min(down) - margin, 0),
        min(max(across) + margin, scene.width),
        min(max(down) + margin, scene.height),
    )


def whereabouts(scene: Scene, at: Point) -> str:
    """The name of the place that *at* is at, `near` and its name, or nothing."""
    found = [((one.pos.x - at.x) ** 2 + (one.pos.y - at.y) ** 2, one.name) for one in scene.places]
    far, name = min(found, default=(NEAR**2 + 1, ""))
    if far > NEAR**2:
        return ""
    return name if far <= THERE**2 else f"near {name}"


def located(scene: Scene, at: Point) -> str:
    """A place as orders write it, and where that is: `52,60 (near La Folie)`."""
    near = whereabouts(scene, at)
    return f"{place(at)} ({near})" if near else place(at)
