"""Places of a picture by the names that people have for them, and lengths in their measure."""

from __future__ import annotations

import re

from pbem.ground.hexes import LAST, hex_at
from pbem.ground.honeycomb import PITCH, WIDE, middle
from pbem.ground.picture import Picture, Point

_NUMBERS = re.compile(r"\s*(\d{1,5}(?:\.\d{1,3})?)\s*,\s*(\d{1,5}(?:\.\d{1,3})?)\s*")


def spot(picture: Picture, name: str) -> Point | None:
    """Where *name* lies, if anywhere: a square `N-8`, a hex `2306`, a point `18.1,35.2`, what is written on the map."""
    said = name.strip().casefold()
    if picture.grid is not None:
        column, _, row = (part.strip() for part in said.partition("-"))
        columns, rows = ([one.casefold() for one in some] for some in (picture.grid.columns, picture.grid.rows))
        if row in rows and column in columns:
            left, top, step = picture.box[0], picture.box[1], picture.grid.step
            return left + columns.index(column) * step + step // 2, top + rows.index(row) * step + step // 2
    if picture.hexes is not None and re.fullmatch(r"\d{4}", said) and "00" not in (said[:2], said[2:]):
        return middle(hex_at(int(said[:2]), int(said[2:])))
    if picture.plane is not None and (found := _NUMBERS.fullmatch(said)):
        unit, high = picture.plane.unit, picture.box[3]
        return _scaled(found[1], unit), high - _scaled(found[2], unit)
    sites = ((one.name, one.at) for one in picture.sites)
    labels = ((one.text, one.at) for one in picture.labels)
    return next((at for text, at in (*sites, *labels) if text.casefold() == said), None)


def placed(picture: Picture, at: Point) -> str:
    """What a place is called: its square, its hex, or its coordinates as orders have them."""
    x, y = at
    if picture.grid is not None:
        step = picture.grid.step
        column, row = (x - picture.box[0]) // step, (y - picture.box[1]) // step
        if 0 <= column < len(picture.grid.columns) and 0 <= row < len(picture.grid.rows):
            across, down = picture.grid.columns[column], picture.grid.rows[row]
            return f"{across}-{down}"
    if picture.hexes is not None:
        row = _nearest(y, PITCH)
        column = _nearest(x - (0 if row % 2 else WIDE // 2), WIDE)
        if 1 <= row <= LAST and 1 <= column <= LAST:
            return str(hex_at(column, row))
    if picture.plane is not None:
        return f"{_measure(x, picture.plane.unit)},{_measure(picture.box[3] - y, picture.plane.unit)}"
    return f"{x},{y}"


def measured(picture: Picture, off: int) -> str:
    """A length in the measure of the map: `two squares` as `2 squares`, `120 paces`."""
    if picture.grid is not None:
        return _counted(max(1, _nearest(off, picture.grid.step)), "square")
    if picture.hexes is not None:
        return _counted(max(1, _nearest(off, WIDE)), "hex", "hexes")
    if picture.plane is not None:
        return f"{_measure(off, picture.plane.unit)} {picture.plane.measure}"
    return str(off)


def near(picture: Picture) -> int:
    """How far from a named place somebody still stands at it, in units of the picture."""
    return 0 if picture.plane is None else picture.plane.every * picture.plane.unit // 4


def _scaled(number: str, unit: int) -> int:
    whole, _, part = number.partition(".")
    return int(whole) * unit + int((part + "000")[:3]) * unit // 1000


def _measure(length: int, unit: int) -> str:
    whole, part = divmod(length, unit)
    tenths = part * 10 // unit
    return f"{whole}.{tenths}" if tenths else str(whole)


def _nearest(length: int, step: int) -> int:
    """How many steps it is, to the nearest whole."""
    return (2 * length + step) // (2 * step)


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
