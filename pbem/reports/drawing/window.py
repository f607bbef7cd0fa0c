"""The window of an enlargement: what it shows of a map, and its frame, which no name of the map may cross."""

from __future__ import annotations

import math

from pbem.ground.honeycomb import PITCH, WIDE
from pbem.ground.picture import Box, Picture
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.svg import XY, Rect

FEWEST = 5
"""Squares or hexes that an enlargement shows at least, each way."""

SLIM = 1.4
"""An enlargement of continuous ground is at most so many times as high as it is wide."""

CUT = 60.0
"""What each pixel of the frame costs that a name lies on: the enlargement would show a part of the name."""


def window_of(picture: Picture, focus: Box) -> Box:
    """The *focus*, or as much more of a board as makes `FEWEST` squares or hexes each way."""
    if picture.hexes:
        across, down = WIDE, PITCH
    elif picture.grid:
        across = down = picture.grid.step
    elif picture.plane:
        across = down = picture.plane.every * picture.plane.unit // 2
    else:
        return focus
    left, right = _stretched(focus[0], focus[2], picture.box[0], picture.box[2], across)
    top, bottom = _stretched(focus[1], focus[3], picture.box[1], picture.box[3], down)
    if picture.plane:
        least = int((bottom - top) / SLIM)
        while right - left < min(least, picture.box[2] - picture.box[0]):
            left, right = max(left - down // 8, picture.box[0]), min(right + down // 8, picture.box[2])
    return (left, top, right, bottom)


def _stretched(start: int, end: int, least: int, most: int, step: int) -> tuple[int, int]:
    while end - start < FEWEST * step and (start > least or end < most):
        start, end = max(start - step, least), end if end - start >= FEWEST * step else min(end + step, most)
    return start, end


def shown(picture: Picture, frame: Frame) -> Rect | None:
    """What the enlargement shows, in pixels of the whole map; None if nothing is enlarged."""
    return frame.rect(window_of(picture, picture.focus)) if picture.focus else None


def fence(window: Rect | None) -> list[XY]:
    """The frame of *window* as a line; no points if there is none."""
    if window is None:
        return []
    left, top, right, bottom = window
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def off_frame(room: Rect, window: Rect | None) -> list[XY]:
    """How far *room* may be moved so that the frame of *window* does not cut it, the shortest way first.

    No ways if it does not cut it.
    """
    if window is None:
        return []
    # What touches the frame counts as cut.
    room = (room[0] - 1, room[1] - 1, room[2] + 1, room[3] + 1)
    left, top, right, bottom = (edge - side for edge, side in zip(window, room, strict=True))
    wide, high = room[2] - room[0], room[3] - room[1]
    inside = (max(left, 0.0) + min(right, 0.0), max(top, 0.0) + min(bottom, 0.0))
    # Outside, it lies beyond one side of the window.
    outside = ((left - wide, 0.0), (right + wide, 0.0), (0.0, top - high), (0.0, bottom + high))
    beyond = left >= wide or -right >= wide or top >= high or -bottom >= high
    return [] if beyond or inside == (0.0, 0.0) else sorted((inside, *outside), key=lambda move: math.hypot(*move))
