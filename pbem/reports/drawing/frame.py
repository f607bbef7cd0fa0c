"""Where a place of a picture lies on the sheet of paper."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.honeycomb import WIDE
from pbem.ground.picture import Box, Grid, Picture, Point
from pbem.reports.drawing.svg import XY, Rect

MARGIN = 36
"""Pixels round the ground, for the names of columns and rows."""

HEX_PX = 41
"""The width of a hex, from side to side."""

SQUARE_PX = 60
"""The width of a square: all signs of troops are drawn to stand in one."""

FOOT = 36
"""The room for the scale below continuous ground."""

LONGEST = 1080
"""The longer side of ground without squares, in pixels."""


class Frame(Struct, frozen=True):
    """The ground's box in its own units, and how many pixels one unit is."""

    box: Box
    scale: float
    foot: float = 0.0
    """Pixels below the lower margin, for a scale."""

    @property
    def width(self) -> float:
        """Pixels, margins included."""
        return (self.box[2] - self.box[0]) * self.scale + 2 * MARGIN

    @property
    def height(self) -> float:
        """Pixels, margins included."""
        return (self.box[3] - self.box[1]) * self.scale + 2 * MARGIN + self.foot

    @property
    def ground(self) -> Rect:
        """The ground without its margins, in pixels."""
        return (MARGIN, MARGIN, self.width - MARGIN, self.height - MARGIN - self.foot)

    def at(self, point: Point) -> XY:
        """A point of the picture, in pixels."""
        return (
            (point[0] - self.box[0]) * self.scale + MARGIN,
            (point[1] - self.box[1]) * self.scale + MARGIN,
        )

    def line(self, points: Iterable[Point]) -> list[XY]:
        """Points of the picture, in pixels."""
        return [self.at(point) for point in points]

    def rect(self, box: Box) -> Rect:
        """A box of the picture, in pixels."""
        return (*self.at((box[0], box[1])), *self.at((box[2], box[3])))


def frame_of(picture: Picture) -> Frame:
    """Squares are `SQUARE_PX` wide, hexes `HEX_PX`; other ground fits `LONGEST`."""
    if picture.hexes is not None:
        return Frame(picture.box, HEX_PX / WIDE)
    if picture.plane is not None:
        return replace(frame(picture.box, None), foot=FOOT)
    return frame(picture.box, picture.grid)


def frame(box: Box, grid: Grid | None) -> Frame:
    """As `frame_of`, from the parts."""
    if grid is not None:
        return Frame(box, SQUARE_PX / grid.step)
    return Frame(box, LONGEST / max(box[2] - box[0], box[3] - box[1], 1))
