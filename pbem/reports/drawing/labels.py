"""Where names and marks go: near their thing, off every sign, off every line as far as can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from pbem.ground.picture import Label, Mark, Picture
from pbem.reports.drawing.arrange import Placed
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.routes import Route
from pbem.reports.drawing.svg import XY, Rect
from pbem.reports.drawing.window import off_frame, shown

_NARROW = frozenset("fijlrt1 .,:;|!()[]’'-–")
_WIDE = frozenset("mwMW@%")


def width(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide a line of text is, in pixels, in the widest of the faces that may be used."""
    units = sum(0.4 if c in _NARROW else 0.95 if c in _WIDE else 0.72 if c.isupper() else 0.62 for c in words)
    return units * size * (1.08 if bold else 1.0)


class Set(Struct, frozen=True):
    """A text at its place: *at* is its baseline, *anchor* where along it that point lies."""

    words: str
    at: XY
    anchor: str
    box: Rect


_CELL = 64
"""Pixels: obstacles are looked up by the cells of the sheet that they touch."""


class _Box(NamedTuple):
    """A rectangle that is taken, and what each pixel of it costs."""

    left: float
    top: float
    right: float
    bottom: float
    weight: float


class _Line(NamedTuple):
    """A line that is there, and what each pixel of its length costs."""

    start: XY
    end: XY
    weight: float


class Obstacles:
    """What is on the sheet already, and what it costs to cover it."""

    def __init__(self, sheet: Rect, placed: Sequence[Placed], drawn: Sequence[Route]) -> None:
        self._sheet = sheet
        self._boxes: list[_Box] = []
        self._lines: list[_Line] = []
        self._boxes_at: dict[tuple[int, int], list[int]] = {}
        self._lines_at: dict[tuple[int, int], list[int]] = {}
        for one in placed:
            self.add(one.box, 2.0)
        for route in drawn:
            self.add_line(route.points, 9.0)
            self.add(_round_about(route.points[-1], 7), 2.0)

    def cost(self, box: Rect, most: float = math.inf) -> float:
        """0 for a free place; a covered sign or text weighs more than a crossed line.  Not counted beyond *most*."""
        left, top, right, bottom = self._sheet
        outside = sum(max(0.0, far) for far in (left - box[0], top - box[1], box[2] - right, box[3] - bottom))
        cost = outside * 40
        cells = _cells(box)
        for number in self._near(cells, self._boxes_at):
            if cost >= most:
                return cost
            cost += _shared(box, self._boxes[number])
        for number in self._near(cells, self._lines_at):
            if cost >= most:
                return cost
            cost += _inside(self._lines[number], box)
        return cost

    def add(self, box: Rect, weight: float = 3.0) -> None:
        """Something more is there now: *weight* for each pixel of it that is covered."""
        for cell in _cells(box):
            self._boxes_at.setdefault(cell, []).append(len(self._boxes))
        self._boxes.append(_Box(*box, weight))

    def add_line(self, points: Sequence[XY], weight: float) -> None:
        """A line is there: *weight* for each pixel of its length that is covered."""
        for start, end in pairwise(points):
            box = (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
            for cell in _cells(box):
                self._lines_at.setdefault(cell, []).append(len(self._lines))
            self._lines.append(_Line(start, end, weight))

    @staticmethod
    def _near(cells: Sequence[tuple[int, int]], at: Mapping[tuple[int, int], Sequence[int]]) -> Iterable[int]:
        """What lies in some cells, each once."""
        if len(cells) == 1:
            return at.get(cells[0], ())
        return dict.fromkeys(number for cell in cells for number in at.get(cell, ()))


def _cells(box: Rect) -> list[tuple[int, int]]:
    rows = range(int(box[1]) // _CELL, int(box[3]) // _CELL + 1)
    return [(column, row) for column in range(int(box[0]) // _CELL, int(box[2]) // _CELL + 1) for row in rows]


def _shared(box: Rect, other: _Box) -> float:
    """What it costs that *box* covers a part of another."""
    left, top, right, bottom = box
    # Most do not touch: that is seen soonest by plain comparisons.
    if other.right <= left or other.left >= right or other.bottom <= top or other.top >= bottom:
        return 0.0
    wide = min(right, other.right) - max(left, other.left)
    high = min(bottom, other.bottom) - max(top, other.top)
    return wide * high * other.weight


def _inside(line: _Line, box: Rect) -> float:
    """What it costs that *box* covers a part of a line."""
    (ax, ay), (bx, by), weight = line
    left, top, right, bottom = box
    if (
        (ax < left and bx < left)
        or (ax > right and bx > right)
        or (ay < top and by < top)
        or (ay > bottom and by > bottom)
    ):
        return 0.0
    enter, leave = 0.0, 1.0
    for here, there, low, high in ((ax, bx, left, right), (ay, by, top, bottom)):
        run = there - here
        if abs(run) < 1e-9:
            if not low <= here <= high:
                return 0.0
            continue
        a, b = sorted(((low - here) / run, (high - here) / run))
        enter, leave = max(enter, a), min(leave, b)
    return (leave - enter) * math.dist((ax, ay), (bx, by)) * weight if enter < leave else 0.0


def beside(placed: Sequence[Placed], obstacles: Obstacles) -> list[tuple[Placed, Set]]:
    """A place for the label of each block that has one; the largest signs choose first."""
    chosen: dict[int, Set] = {}
    order = sorted(range(len(placed)), key=lambda i: (-_size(placed[i].box), i))
    for i in order:
        label = placed[i].block.label
        if label:
            best = _best(_round(label, placed[i].box, inside=placed[i].block.inside), obstacles)
            chosen[i] = best
            obstacles.add(best.box)
    return [(placed[i], chosen[i]) for i in sorted(chosen)]


def _size(box: Rect) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _best(candidates: Iterable[tuple[float, Set]], obstacles: Obstacles) -> Set:
    """The cheapest place; *candidates* come in the order of their own cost, so the search can stop early."""
    best, least = None, math.inf
    for toll, candidate in candidates:
        if best and toll >= least:
            break
        cost = toll + obstacles.cost(candidate.box, least - toll)
        if cost < least:
            best, least = candidate, cost
    assert best is not None, "nothing to choose from"
    return best


def _round(label: str, box: Rect, *, inside: bool) -> Iterable[tuple[float, Set]]:
    """Places round a sign, the best first, each with what it costs to be there; under it, if it is in a house."""
    wide, high = width(label, 11.5, bold=True), 11.0
    left, top, right, bottom = box
    middle, level = (left + right) / 2, (top + bottom) / 2
    spots = (
        *([(-1.0, middle, bottom + 10.5, "middle")] if inside else ()),
        (0.0, right + 4, level + 4, "start"),
        (0.5, left - 4, level + 4, "end"),
        (1.0, middle, bottom + 11, "middle"),
        (1.5, middle, top - 4, "middle"),
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
        (9.0, middle, bottom + 22, "middle"),
        (9.5, middle, top - 15, "middle"),
        (10.0, right + 16, level + 4, "start"),
        (10.5, left - 16, level + 4, "end"),
    )
    for toll, x, y, anchor in spots:
        start = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
        yield toll, Set(label, (x, y), anchor, (start, y - high + 1, start + wide, y + 2))


_SIZES = {"town": 17.0}
_GROUND = {"wall": 1.2, "contour": 0.05}
"""What it costs a name to lie on a way."""


def names(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[tuple[Label, Set]]:
    """A place for each name of the ground: its own, or as near as there is room.  Towns choose first."""
    window = shown(picture, frame)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), _GROUND.get(way.kind, 0.4))
    for house in picture.houses:
        obstacles.add(frame.rect(house.box), 0.5)
    chosen = []
    ordered = sorted(picture.labels, key=lambda label: label.kind != "town")
    for label in ordered:
        size = _SIZES.get(label.kind, 12.5)
        about = _about(label.text, frame.at(label.at), size, window, town=label.kind == "town")
        best = _best(about, obstacles)
        obstacles.add(best.box)
        chosen.append((label, best))
    return chosen


def _about(words: str, at: XY, size: float, window: Rect | None, *, town: bool) -> Iterable[tuple[float, Set]]:
    wide = width(words, size)

    def room(across: float, down: float) -> Rect:
        x, y = at[0] + across, at[1] + down + size * 0.35
        return (x - wide / 2, y - size * 0.8, x + wide / 2, y + size * 0.25)

    steps: list[XY] = [*(_FAR if town else _NEAR), *off_frame(room(0, 0), window)[:2]]
    for across, down in sorted(steps, key=lambda step: math.hypot(*step)):
        spot = (at[0] + across, at[1] + down + size * 0.35)
        yield math.hypot(across, down) * (0.6 if town else 1.1), Set(words, spot, "", room(across, down))


def _steps(across: int, down: int) -> list[tuple[int, int]]:
    """Ways to move a name, the shortest first: at most so many steps of 18 pixels aside, and of 14 up or down."""
    steps = [(x * 18, y * 14) for x in range(-across, across + 1) for y in range(-down, down + 1)]
    return sorted(steps, key=lambda step: (math.hypot(*step), step))


_NEAR = _steps(3, 4)
_FAR = _steps(6, 10)
"""A town is larger than a square, and its name may stand beside it."""


def melees(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[tuple[Mark, XY]]:
    """A place for each melee and each find: where it was, or close by."""
    return [
        (mark, _spot(frame.at(mark.at), (0, 10, -10, 18, -18), obstacles))
        for mark in picture.marks
        if mark.kind != "losses"
    ]


def stars(picture: Picture, frame: Frame, obstacles: Obstacles) -> list[tuple[Mark, XY]]:
    """A place for each figure of losses, beside what it counts."""
    return [
        (mark, _spot(frame.at(mark.at), (0, 14, -14, 22, -22, 28, -28), obstacles))
        for mark in picture.marks
        if mark.kind == "losses"
    ]


def _spot(at: XY, far: Sequence[int], obstacles: Obstacles) -> XY:
    steps = sorted(((dx, dy) for dx in far for dy in far), key=lambda step: math.hypot(*step))
    best, least = at, math.inf
    for dx, dy in steps:
        toll = math.hypot(dx, dy) * 2.5
        if toll >= least:
            break
        spot = (at[0] + dx, at[1] + dy)
        cost = toll + obstacles.cost(_disc(spot), least - toll)
        if cost < least:
            best, least = spot, cost
    obstacles.add(_disc(best))
    return best


def _disc(at: XY) -> Rect:
    return _round_about(at, 12)


def _round_about(at: XY, far: float) -> Rect:
    return (at[0] - far, at[1] - far, at[0] + far, at[1] + far)
