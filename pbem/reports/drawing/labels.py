"""Where names and marks go: near their thing, off every sign, off every line as far as can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import TypeVar

from msgspec import Struct

from pbem.ground.picture import Label, Mark, Picture
from pbem.reports.drawing.arrange import Placed
from pbem.reports.drawing.boxes import area, around, middle, square, through, within
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.routes import Route
from pbem.reports.drawing.svg import XY, Rect, n, text, xy
from pbem.reports.drawing.window import off_frame, shown

_NARROW = frozenset("fijlrt1 .,:;|!()[]’'-–")
_WIDE = frozenset("mwMW@%")

T = TypeVar("T")


def width(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide a line of text is, in pixels, in the widest of the faces that may be used."""
    units = sum(0.4 if c in _NARROW else 0.95 if c in _WIDE else 0.72 if c.isupper() else 0.62 for c in words)
    return units * size * (1.08 if bold else 1.0)


class Written(Struct, frozen=True):
    """A text at its place: *at* is on its baseline, *anchor* where along it that lies, *turn* in degrees."""

    words: str
    css: str
    at: XY
    rooms: tuple[Rect, ...]
    """What it takes, in one box or, as it is turned, in several."""
    anchor: str = ""
    turn: float = 0.0


def written(one: Written) -> str:
    """A text as it is drawn."""
    if not one.turn:
        return text(one.words, one.at, one.css, anchor=one.anchor)
    place = f' transform="translate({xy(one.at)}) rotate({n(one.turn)})"'
    return f"<g{place}>{text(one.words, (0, 0), one.css, anchor=one.anchor)}</g>"


_CELL = 64
"""Pixels: obstacles are looked up by the cells of the sheet that they touch."""


class Obstacles:
    """What is on the sheet already, and what it costs to cover it."""

    def __init__(self, sheet: Rect, placed: Sequence[Placed] = (), drawn: Sequence[Route] = ()) -> None:
        self._sheet = sheet
        self._boxes: list[tuple[Rect, float]] = []
        self._lines: list[tuple[XY, XY, Rect, float, float]] = []
        self._boxes_at: dict[tuple[int, int], list[int]] = {}
        self._lines_at: dict[tuple[int, int], list[int]] = {}
        self._alike: dict[tuple[XY, XY], int] = {}
        """Where lines stand by their ends: many march on one road."""
        for one in placed:
            self.add(one.box, 2.0)
        for route in drawn:
            self.add_line(route.points, 9.0)
            self.add(square(route.points[-1], 7), 2.0)

    def cost(self, box: Rect, most: float = math.inf) -> float:
        """0 for a free place; a covered sign or text weighs more than a crossed line.  Not counted beyond *most*."""
        left, top, right, bottom = box
        if within(box, self._sheet):
            cost = 0.0
        else:
            first, over, last, under = self._sheet
            cost = 40 * (
                max(0.0, first - left) + max(0.0, over - top) + max(0.0, right - last) + max(0.0, bottom - under)
            )
        cells = _cells(box)
        for number in self._near(cells, self._boxes_at):
            if cost >= most:
                return cost
            (west, north, east, south), weight = self._boxes[number]
            # Most do not touch: that is seen soonest here.
            if west < right and left < east and north < bottom and top < south:
                cost += (min(right, east) - max(left, west)) * (min(bottom, south) - max(top, north)) * weight
        for number in self._near(cells, self._lines_at):
            if cost >= most:
                return cost
            start, end, (west, north, east, south), long, weight = self._lines[number]
            if west <= right and left <= east and north <= bottom and top <= south:
                # Lines of the ground are drawn in short steps: most of those that are met lie within.
                if left <= west and east <= right and top <= north and south <= bottom:
                    cost += long * weight
                else:
                    enter, leave = through(start, end, box)
                    cost += (leave - enter) * long * weight if enter < leave else 0.0
        return cost

    def add(self, box: Rect, weight: float = 3.0) -> None:
        """Something more is there now: *weight* for each pixel of it that is covered."""
        for cell in _cells(box):
            self._boxes_at.setdefault(cell, []).append(len(self._boxes))
        self._boxes.append((box, weight))

    def add_line(self, points: Sequence[XY], weight: float) -> None:
        """A line is there: *weight* for each pixel of its length that is covered."""
        for start, end in pairwise(points):
            alike = self._alike.get((start, end))
            if alike is not None:
                _, _, round_it, long, before = self._lines[alike]
                self._lines[alike] = (start, end, round_it, long, before + weight)
                continue
            self._alike[start, end] = len(self._lines)
            round_it = around((start, end))
            for cell in _cells(round_it):
                self._lines_at.setdefault(cell, []).append(len(self._lines))
            self._lines.append((start, end, round_it, math.dist(start, end), weight))

    @staticmethod
    def _near(cells: Sequence[tuple[int, int]], at: Mapping[tuple[int, int], Sequence[int]]) -> Iterable[int]:
        """What lies in some cells, each once."""
        if len(cells) == 1:
            return at.get(cells[0], ())
        return dict.fromkeys(chain.from_iterable([at[cell] for cell in cells if cell in at]))


def _cells(box: Rect) -> list[tuple[int, int]]:
    rows = range(int(box[1]) // _CELL, int(box[3]) // _CELL + 1)
    return [(column, row) for column in range(int(box[0]) // _CELL, int(box[2]) // _CELL + 1) for row in rows]


def cheapest(
    places: Iterable[tuple[float, T]], cost: Callable[[T, float], float], most: float = math.inf
) -> tuple[T, float] | None:
    """The cheapest place, and what it costs in all, if any costs less than *most*.

    The *places* come in the order of their own toll, so that the search can stop early; *cost* tells what each costs
    besides, and need not count beyond what it is given.
    """
    best = None
    for toll, place in places:
        if toll >= most:
            break
        whole = toll + cost(place, most - toll)
        if whole < most:
            best, most = (place, whole), whole
    return best


def put(
    places: Iterable[tuple[float, Written]], obstacles: Obstacles, most: float = math.inf, gap: float = 0.0
) -> Written | None:
    """The text where it covers least, unless that costs *most*.

    It is an obstacle from then on, with a *gap* on either hand: two texts side by side are not read as one.
    """

    def cost(one: Written, most: float) -> float:
        covered = 0.0
        for room in one.rooms:
            if covered >= most:
                break
            covered += obstacles.cost(room, most - covered)
        return covered

    found = cheapest(places, cost, most)
    for left, top, right, bottom in found[0].rooms if found else ():
        obstacles.add((left - gap, top, right + gap, bottom))
    return found[0] if found else None


def beside(placed: Sequence[Placed], obstacles: Obstacles) -> list[tuple[Placed, Written]]:
    """A place for the label of each block that has one; the largest signs choose first."""
    order = sorted((i for i, one in enumerate(placed) if one.block.label), key=lambda i: (-area(placed[i].box), i))
    chosen = {i: put(_round(placed[i]), obstacles) for i in order}
    return [(placed[i], label) for i, label in sorted(chosen.items()) if label]


def _round(one: Placed) -> Iterable[tuple[float, Written]]:
    """Places round a sign, the best first, each with what it costs to be there; under it, if it is in a house."""
    label = one.block.label
    wide, high = width(label, 11.5, bold=True), 11.0
    left, top, right, bottom = one.box
    mid, level = middle(one.box)
    spots = (
        *([(-1.0, mid, bottom + 10.5, "middle")] if one.block.inside else ()),
        (0.0, right + 4, level + 4, "start"),
        (0.5, left - 4, level + 4, "end"),
        (1.0, mid, bottom + 11, "middle"),
        (1.5, mid, top - 4, "middle"),
        (2.0, right + 3, bottom + 2, "start"),
        (2.2, right + 3, top + 8, "start"),
        (2.4, left - 3, bottom + 2, "end"),
        (2.6, left - 3, top + 8, "end"),
        (3.0, left, top - 4, "start"),
        (3.1, right, top - 4, "end"),
        (3.3, left, bottom + 11, "start"),
        (3.4, right, bottom + 11, "end"),
        (4.0, right, bottom + 11, "start"),
        (4.2, left, bottom + 11, "end"),
        (4.4, right, top - 4, "start"),
        (4.6, left, top - 4, "end"),
        (9.0, mid, bottom + 22, "middle"),
        (9.5, mid, top - 15, "middle"),
        (10.0, right + 16, level + 4, "start"),
        (10.5, left - 16, level + 4, "end"),
    )
    for toll, x, y, anchor in spots:
        start = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        yield toll, Written(label, "lb", (x, y), ((start, y - high + 1, start + wide, y + 2),), anchor)


def style(kind: str) -> str:
    """How a name of the ground is written."""
    return {"town": "nt", "water": "nw"}.get(kind, "np")


_SIZES = {"town": 17.0}
_GROUND = {"wall": 1.2, "contour": 0.05}
"""What it costs a name to lie on a way."""


def names(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[Written]:
    """A place for each name of the ground: its own, or as near as there is room.  Towns choose first."""
    window = shown(picture, frame)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), _GROUND.get(way.kind, 0.4))
    for house in picture.houses:
        obstacles.add(frame.rect(house.box), 0.5)
    ordered = sorted(picture.labels, key=lambda label: label.kind != "town")
    chosen = (put(_about(label, frame.at(label.at), window), obstacles) for label in ordered)
    return [name for name in chosen if name]


def _about(label: Label, at: XY, window: Rect | None) -> Iterable[tuple[float, Written]]:
    town, size = label.kind == "town", _SIZES.get(label.kind, 12.5)
    wide = width(label.text, size)

    def room(across: float, down: float) -> Rect:
        x, y = at[0] + across, at[1] + down + size * 0.35
        return (x - wide / 2, y - size * 0.8, x + wide / 2, y + size * 0.25)

    steps: list[XY] = [*(_FAR if town else _NEAR), *off_frame(room(0, 0), window)[:2]]
    for across, down in sorted(steps, key=lambda step: math.hypot(*step)):
        spot, css = (at[0] + across, at[1] + down + size * 0.35), style(label.kind)
        yield math.hypot(across, down) * (0.6 if town else 1.1), Written(label.text, css, spot, (room(across, down),))


def _steps(across: int, down: int) -> list[tuple[int, int]]:
    """Ways to move a name, the shortest first: at most so many steps of 18 pixels aside, and of 14 up or down."""
    steps = [(x * 18, y * 14) for x in range(-across, across + 1) for y in range(-down, down + 1)]
    return sorted(steps, key=lambda step: (math.hypot(*step), step))


_NEAR = _steps(3, 4)
_FAR = _steps(6, 10)
"""A town is larger than a square, and its name may stand beside it."""


def melees(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[tuple[Mark, XY]]:
    """A place for each melee and each find: where it was, or close by."""
    marks = [mark for mark in picture.marks if mark.kind != "losses"]
    return [
        (mark, frame.at(mark.at))
        if mark.kind == "unlike"
        else (mark, _spot(frame.at(mark.at), (0, 10, -10, 18, -18), obstacles))
        for mark in marks
    ]


def stars(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[tuple[Mark, XY]]:
    """A place for each figure of losses, beside what it counts."""
    marks = [mark for mark in picture.marks if mark.kind == "losses"]
    return [(mark, _spot(frame.at(mark.at), (0, 14, -14, 22, -22, 28, -28), obstacles)) for mark in marks]


def _spot(at: XY, far: Sequence[int], obstacles: Obstacles) -> XY:
    steps = sorted(((dx, dy) for dx in far for dy in far), key=lambda step: math.hypot(*step))
    return spot(at, [(math.hypot(*step) * 2.5, step) for step in steps], 12, obstacles)


def spot(at: XY, steps: Iterable[tuple[float, XY]], half: float, obstacles: Obstacles) -> XY:
    """Where a mark of that size covers least: so many *steps* from its place, each with what it costs to take it."""
    places = ((toll, (at[0] + across, at[1] + down)) for toll, (across, down) in steps)
    found = cheapest(places, lambda place, most: obstacles.cost(square(place, half), most))
    best = found[0] if found else at
    obstacles.add(square(best, half))
    return best
