"""Names of continuous ground: each at its place, nearer to it than to any other, or left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.ground.picture import Label, Picture
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.labels import Obstacles, width
from pbem.reports.drawing.svg import XY, Rect
from pbem.reports.plane.labels import EDGE, Sizes, apart, touches

FAR = 20.0
"""Pixels between a name and its place at most."""

NEARER = 6.0
"""So many pixels nearer is it to its own place than to any other."""

CROWDED = 640.0
"""What a name may cost that is not of a town; beyond that it is left out."""

POINT = 4.0
"""Pixels round a place that is a point."""

STEP = 60.0
"""Pixels along a water from one place for its name to the next."""


class Named(Struct, frozen=True):
    """A name at its place: *at* is its baseline, in the middle."""

    label: Label
    at: XY
    box: Rect
    home: Rect
    """What it names, as far as it is in the window."""


class Home(Struct, frozen=True):
    """What a name stands for."""

    label: Label
    boxes: tuple[Rect, ...]
    """One, or of a water the places along it."""
    cut: bool = False
    """The edge of the window cuts it: its name is within what is left, or nowhere."""


def homes(picture: Picture, frame: Frame, window: Rect) -> list[Home]:
    """What each name stands for, as far as the window shows it; what lies outside has no name there."""
    found = []
    for label in picture.labels:
        if label.kind == "summit":
            continue
        boxes = tuple(_along(label, picture, frame, window)) if label.kind == "water" else ()
        if not boxes:
            whole = _ground(label, picture, frame)
            cut = _cut(whole, window)
            # A town is where its middle is; of a wood a large part may have the name.
            if cut is None or not (_holds(window, frame.at(label.at)) or label.kind == "wood"):
                continue
            found.append(Home(label, (cut,), cut != whole))
            continue
        found.append(Home(label, boxes))
    return found


def _ground(label: Label, picture: Picture, frame: Frame) -> Rect:
    for area in picture.areas:
        if area.name and area.name == label.text:
            ring = frame.line(area.outline)
            return (min(p[0] for p in ring), min(p[1] for p in ring), max(p[0] for p in ring), max(p[1] for p in ring))
    x, y = frame.at(label.at)
    return (x - POINT, y - POINT, x + POINT, y + POINT)


def _along(label: Label, picture: Picture, frame: Frame, window: Rect) -> Iterator[Rect]:
    """Places along the water of that name."""
    for way in picture.ways:
        if way.name != label.text or way.kind not in ("stream", "river"):
            continue
        left = STEP / 2
        for a, b in pairwise(frame.line(way.points)):
            long = math.dist(a, b)
            while left < long:
                x, y = a[0] + (b[0] - a[0]) * left / long, a[1] + (b[1] - a[1]) * left / long
                if _holds(window, (x, y)):
                    yield (x - POINT, y - POINT, x + POINT, y + POINT)
                left += STEP
            left -= long


def _cut(box: Rect, window: Rect) -> Rect | None:
    cut = (max(box[0], window[0]), max(box[1], window[1]), min(box[2], window[2]), min(box[3], window[3]))
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else None


def _holds(box: Rect, at: XY) -> bool:
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def placed(
    known: Sequence[Home],
    kinds: tuple[bool, ...],
    window: Rect,
    sizes: Sizes,
    obstacles: Obstacles,
    taken: list[Rect],
) -> list[Named]:
    """A place for each name that has one: of towns, of all else, or of both; *taken* may not be covered, and grows."""
    found = []
    for home in known:
        town = home.label.kind == "town"
        if town not in kinds:
            continue
        kin = [other for other in known if other is not home and other.label.kind == home.label.kind]
        others = [box for other in kin for box in other.boxes]
        best, least = None, math.inf if town else CROWDED
        for box in home.boxes:
            for named, toll in _round(home.label, box, sizes.town if town else sizes.place):
                if toll >= least or not _free(named, window, taken):
                    continue
                own = apart(named.box, box)
                if (
                    own > FAR
                    or (home.cut and not _holds(box, _middle(named.box)))
                    or any(apart(named.box, other) < own + NEARER for other in others)
                ):
                    continue
                cost = toll + obstacles.cost(named.box, least - toll)
                if cost < least:
                    best, least = named, cost
        if best:
            found.append(best)
            taken.append(best.box)
            obstacles.add(best.box)
    return found


def _middle(box: Rect) -> XY:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _free(named: Named, window: Rect, taken: Sequence[Rect]) -> bool:
    box = named.box
    inside = (
        box[0] >= window[0] + EDGE
        and box[1] >= window[1] + EDGE
        and box[2] <= window[2] - EDGE
        and box[3] <= window[3] - EDGE
    )
    return inside and not any(touches(box, other) for other in taken)


def _round(label: Label, home: Rect, size: float) -> Iterator[tuple[Named, float]]:
    """Places in what is named and round it, with what each costs by itself."""
    wide, high = width(label.text, size, bold=label.kind == "town"), size
    left, top, right, bottom = home
    middle, level = (left + right) / 2, (top + bottom) / 2
    centres = [(0.0, middle, level)]
    for far, toll in ((3.0, 1.0), (8.0, 6.0), (17.0, 18.0)):
        over, under = top - far - high / 2, bottom + far + high / 2
        before, after = left - far - wide / 2, right + far + wide / 2
        centres += [
            (toll, after, level),
            (toll + 0.3, before, level),
            (toll + 0.6, middle, under),
            (toll + 0.9, middle, over),
            *((toll + 2, after, y) for y in (top + high / 2, bottom - high / 2)),
            *((toll + 2.3, before, y) for y in (top + high / 2, bottom - high / 2)),
            *((toll + 3, x, under) for x in (left + wide / 2, right - wide / 2)),
            *((toll + 3.3, x, over) for x in (left + wide / 2, right - wide / 2)),
        ]
    # What is larger than its name has room within.
    for part in (0.25, 0.75):
        if right - left > wide * 1.5:
            centres.append((2.5, left + (right - left) * part, level))
        if bottom - top > high * 3:
            centres.append((2.5, middle, top + (bottom - top) * part))
    for toll, x, y in centres:
        box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        yield Named(label, (x, y + size * 0.34), box, home), toll
