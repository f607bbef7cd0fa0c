"""Names of continuous ground: each at its place, nearer to it than to any other, or left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.ground.picture import Label, Picture
from pbem.reports.drawing.boxes import apart, around, centred, common, grown, holds, middle, square, touches, within
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.labels import Obstacles, Written, cheapest, style, width
from pbem.reports.drawing.svg import Rect
from pbem.reports.plane.labels import EDGE, Sizes

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
    """A name at its place."""

    label: Label
    text: Written
    home: Rect
    """What it names, as far as it is in the window."""

    @property
    def box(self) -> Rect:
        """What it takes."""
        return self.text.rooms[0]


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
            cut = common(whole, window)
            # A town is where its middle is; of a wood a large part may have the name.
            if not touches(whole, window) or not (holds(window, frame.at(label.at)) or label.kind == "wood"):
                continue
            found.append(Home(label, (cut,), cut != whole))
            continue
        found.append(Home(label, boxes))
    return found


def _ground(label: Label, picture: Picture, frame: Frame) -> Rect:
    for area in picture.areas:
        if area.name and area.name == label.text:
            return around(frame.line(area.outline))
    return square(frame.at(label.at), POINT)


def _along(label: Label, picture: Picture, frame: Frame, window: Rect) -> Iterator[Rect]:
    """Places along the water of that name."""
    for way in picture.ways:
        if way.name != label.text or way.kind not in ("stream", "river"):
            continue
        left = STEP / 2
        for a, b in pairwise(frame.line(way.points)):
            long = math.dist(a, b)
            while left < long:
                at = (a[0] + (b[0] - a[0]) * left / long, a[1] + (b[1] - a[1]) * left / long)
                if holds(window, at):
                    yield square(at, POINT)
                left += STEP
            left -= long


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
        size = sizes.town if town else sizes.place
        places = (place for box in home.boxes for place in _round(home.label, box, size))
        free = (
            (toll, name)
            for toll, name in sorted(places, key=lambda place: place[0])
            if within(name.box, grown(window, -EDGE))
            and not any(touches(name.box, other) for other in taken)
            and _belongs(name, others, cut=home.cut)
        )
        best = cheapest(free, lambda name, most: obstacles.cost(name.box, most), math.inf if town else CROWDED)
        if best:
            found.append(best[0])
            taken.append(best[0].box)
            obstacles.add(best[0].box)
    return found


def _belongs(name: Named, others: Sequence[Rect], *, cut: bool) -> bool:
    """Whether nobody takes a name for that of another; of what is *cut* it is within what is left."""
    far = apart(name.box, name.home)
    return (
        far <= FAR
        and (not cut or holds(name.home, middle(name.box)))
        and all(apart(name.box, other) >= far + NEARER for other in others)
    )


def _round(label: Label, home: Rect, size: float) -> Iterator[tuple[float, Named]]:
    """Places in what is named and round it, with what each costs by itself."""
    wide, high = width(label.text, size, bold=label.kind == "town"), size
    left, top, right, bottom = home
    mid, level = middle(home)
    centres = [(0.0, mid, level)]
    for far, toll in ((3.0, 1.0), (8.0, 6.0), (17.0, 18.0)):
        over, under = top - far - high / 2, bottom + far + high / 2
        before, after = left - far - wide / 2, right + far + wide / 2
        centres += [
            (toll, after, level),
            (toll + 0.3, before, level),
            (toll + 0.6, mid, under),
            (toll + 0.9, mid, over),
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
            centres.append((2.5, mid, top + (bottom - top) * part))
    for toll, x, y in centres:
        text = Written(label.text, style(label.kind), (x, y + size * 0.34), (centred((x, y), wide, high),))
        yield toll, Named(label, text, home)
