"""The ground of a scenario as a picture: north up, hills by their contours, streams with bridges and fords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pbem.ground.bearing import FULL, bearing_of, turned
from pbem.ground.picture import Area, Label, Picture, Plane, SideStyle, Way
from pbem.ground.plane import Point, between, distance, dot, gap, line, middle, shifted
from pbem.kernel.names import Role
from pbem.orders.prose import cap
from pbem.rules.lately import lately
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.terrain import Crossing, Hill, Line
from pbem.systems.half_league.scene.words import ADJECTIVE
from pbem.systems.half_league.tables.printed import INCH
from pbem.systems.half_league.world.pieces import side_of

AREAS: dict[str, Literal["wood", "rough", "town", "field"]] = {
    "woods": "wood",
    "rough": "rough",
    "town": "town",
    "field": "field",
}
LINES: dict[str, Literal["wall", "trench", "hedge"]] = {"wall": "wall", "trench": "trench", "hedge": "hedge"}
CONTOURS = {True: 2, False: 1}
"""Rings of a high hill, and of a low one."""
STREAM = INCH * 7 // 10
"""How wide a stream is drawn."""
SPAN = INCH * 8 // 10
"""How far a bridge or a ford reaches from the middle of its stream."""


def style(scene: Scene, side: Role) -> SideStyle:
    """How a side is drawn."""
    return next(one.style for one in scene.commanders if side_of(one.role) == side)


class Sheet:
    """The sheet on which a map is drawn: its y runs down."""

    def __init__(self, scene: Scene) -> None:
        self.high = scene.height

    def at(self, place: Point) -> tuple[int, int]:
        """A place of the map, on the sheet."""
        return place.x, self.high - place.y

    def line(self, places: Sequence[Point]) -> tuple[tuple[int, int], ...]:
        """Places in a row, on the sheet."""
        return tuple(self.at(place) for place in places)


def _contour(hill: Hill, part: int, of: int) -> tuple[Point, ...]:
    """The foot of a hill drawn in towards its crest by *part* of *of*."""
    crest = hill.crest
    return tuple(between(point, gap(dot(point), crest).there, part, of) for point in hill.base.points)


def _hills(scene: Scene, sheet: Sheet) -> Iterator[Area]:
    for hill in scene.hills:
        steps = CONTOURS[hill.high]
        for step in range(steps):
            yield Area("hill", sheet.line(_contour(hill, step, steps)))


def _areas(scene: Scene, sheet: Sheet) -> Iterator[Area]:
    yield from _hills(scene, sheet)
    for one in scene.areas:
        yield Area(AREAS[one.kind], sheet.line(one.shape.points), stone=one.cover == "hard")


def _ways(scene: Scene, sheet: Sheet) -> Iterator[Way]:
    for hill in scene.hills:
        yield Way("crest", sheet.line(hill.crest.points))
    for one in scene.lines:
        points = sheet.line(one.shape.points)
        if one.kind == "stream":
            yield Way("river", points, width=STREAM)
            for crossing in one.crossings:
                yield Way(crossing.kind, sheet.line(_span(one, crossing)))
        elif one.kind == "road":
            yield Way("road", points, broad=one.name.endswith("Road"))
        else:
            yield Way(LINES[one.kind], points)


def _span(stream: Line, crossing: Crossing) -> tuple[Point, Point]:
    """From bank to bank, square to the stream."""
    start, end = min(stream.shape.sides, key=lambda side: gap(dot(crossing.at), line(side)).far)
    across = turned(bearing_of(end.x - start.x, end.y - start.y), FULL // 4)
    return shifted(crossing.at, across, -SPAN), shifted(crossing.at, across, SPAN)


def _labels(scene: Scene, sheet: Sheet) -> Iterator[Label]:
    named = set()
    for one in scene.areas:
        kind: Literal["town", "wood", "place"] = (
            "town" if one.kind == "town" else "wood" if one.kind == "woods" else "place"
        )
        yield Label(one.name, sheet.at(middle(one.shape.points)), kind)
        named.add(one.name)
    for hill in scene.hills:
        points = hill.crest.points
        yield Label(hill.name, sheet.at(points[len(points) // 2]), "hill")
        named.add(hill.name)
    for way in scene.lines:
        if way.kind == "stream":
            first, last = way.shape.points[-2:]
            yield Label(way.name, sheet.at(between(first, last, 1, 3)), "water")
    for place in scene.places.values():
        if place.name not in named and not any(
            distance(place.pos, hill.crest.points[0]) < INCH for hill in scene.hills if hill.name in place.name
        ):
            yield Label(place.name, sheet.at(place.pos), "place")


@lately(2)
def ground_of(scene: Scene) -> Picture:
    """The map without troops."""
    sheet = Sheet(scene)
    named = {one.style: cap(ADJECTIVE[side_of(one.role)]) for one in scene.commanders}
    yards = scene.charts.scale.inch_yards
    return Picture(
        title=scene.title,
        whose="",
        box=(0, 0, scene.width, scene.height),
        sides=(named.get("first", ""), named.get("second", "")),
        plane=Plane(
            unit=INCH, measure="inches", every=10, note=f"1 inch = {yards} yards.  Places in orders: x,y, as 61,56.4"
        ),
        areas=tuple(_areas(scene, sheet)),
        ways=tuple(_ways(scene, sheet)),
        labels=tuple(_labels(scene, sheet)),
    )
