"""A map as a page that answers needs it: what lies at each place of the drawing, and how orders write that.

It says what the picture of its reader says, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.ground.hexes import hex_at
from pbem.ground.honeycomb import PITCH, WIDE, middle
from pbem.ground.picture import Picture, Point, Province
from pbem.reports.drawing.frame import Frame, frame_of
from pbem.reports.drawing.provinces import is_bare

Box = tuple[float, float, float, float]
"""Left, top, width, height, in pixels of the drawing."""


class Squares(Struct, frozen=True, tag="squares"):
    """A board of squares: its upper left corner, the width of one, its columns from the left, its rows from the top."""

    x: float
    y: float
    step: float
    columns: tuple[str, ...]
    rows: tuple[str, ...]


class Hexes(Struct, frozen=True, tag="hexes"):
    """A board of hexes: the middle of its first in an odd row, from one to the next, first and last column and row."""

    x: float
    y: float
    wide: float
    pitch: float
    columns: tuple[int, int]
    rows: tuple[int, int]


class Ground(Struct, frozen=True, tag="plane"):
    """Continuous ground: the corner to which places are counted, which is the lower left, and pixels in one measure."""

    x: float
    y: float
    scale: float
    digits: int
    """Behind the point of a place."""


class Region(Struct, frozen=True):
    """A province: what orders call it, the middle of its ground, and what bounds it."""

    key: str
    x: float
    y: float
    rings: tuple[tuple[tuple[float, float], ...], ...]


class Provinces(Struct, frozen=True, tag="provinces"):
    """A sheet that has no other ground than provinces."""

    areas: tuple[Region, ...]


class Stands(Struct, frozen=True, omit_defaults=True):
    """Somebody who stands there."""

    x: float
    y: float
    words: str
    units: tuple[str, ...] = ()
    """Of the reader's own: what orders call them."""
    own: bool = False


class Named(Struct, frozen=True):
    """A place that has a name."""

    x: float
    y: float
    name: str


class Field(Struct, frozen=True, kw_only=True):
    """A map, for a page that answers."""

    size: tuple[float, float]
    board: Squares | Hexes | Ground | Provinces
    stands: tuple[Stands, ...]
    places: tuple[Named, ...]
    act: Box | None
    """Where the fighting is."""


def field_of(picture: Picture) -> Field:
    """What lies at each place of the drawing of *picture*."""
    frame = frame_of(picture)
    act = frame.rect(picture.focus) if picture.focus else None
    return Field(
        size=(round(frame.width, 1), round(frame.height, 1)),
        board=_board(picture, frame),
        stands=tuple(_stands(picture, frame)),
        places=tuple(_places(picture, frame)),
        act=(act[0], act[1], act[2] - act[0], act[3] - act[1]) if act else None,
    )


def _board(picture: Picture, frame: Frame) -> Squares | Hexes | Ground | Provinces:
    left, top, _, foot = picture.box
    if picture.grid:
        x, y = frame.at((left, top))
        return Squares(x, y, picture.grid.step * frame.scale, picture.grid.columns, picture.grid.rows)
    if picture.hexes:
        first = hex_at(picture.hexes.columns[0], picture.hexes.rows[0] | 1)
        x, y = _rounded(frame, middle(first))
        return Hexes(x, y, WIDE * frame.scale, PITCH * frame.scale, picture.hexes.columns, picture.hexes.rows)
    if picture.provinces and is_bare(picture):
        return Provinces(tuple(_region(one, frame) for one in picture.provinces if one.kind != "closed"))
    unit = picture.plane.unit if picture.plane else 1
    x, y = frame.at((0, foot))
    return Ground(x, y, unit * frame.scale, 1 if unit > 1 else 0)


def _region(one: Province, frame: Frame) -> Region:
    rings = tuple(tuple(_rounded(frame, point) for point in ring) for ring in one.rings)
    return Region(one.key, *_rounded(frame, one.at), rings)


def _stands(picture: Picture, frame: Frame) -> Iterator[Stands]:
    for block in picture.blocks:
        said = f"{'inside ' if block.inside else ''}{block.words or block.label}"
        yield _stand(frame, block.at, said, block.parts, own=block.own)
    for stack in picture.stacks:
        units = tuple(flag.name for flag in stack.staff)
        yield _stand(frame, stack.at, stack.words, units, own=stack.own)
    for troop in picture.troops:
        said = f"{troop.label}: {troop.words}" if troop.label and troop.label not in troop.words else troop.words
        units = (troop.key,) if troop.key and not troop.key.startswith("@") else ()
        yield _stand(frame, troop.at, said or troop.label, units, own=troop.own)


def _stand(frame: Frame, at: Point, words: str, units: tuple[str, ...], *, own: bool) -> Stands:
    x, y = _rounded(frame, at)
    return Stands(x, y, words, units if own else (), own)


def _places(picture: Picture, frame: Frame) -> Iterator[Named]:
    for label in picture.labels:
        if label.kind in ("town", "place", "hill", "wood"):
            yield Named(*_rounded(frame, label.at), label.text)
    for province in picture.provinces:
        if province.kind != "closed":
            yield Named(*_rounded(frame, province.at), province.key)
    for site in picture.sites:
        yield Named(*_rounded(frame, site.at), site.name)


def _rounded(frame: Frame, at: Point) -> tuple[float, float]:
    x, y = frame.at(at)
    return round(x, 1), round(y, 1)
