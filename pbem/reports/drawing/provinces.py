"""Provinces: areas that have an owner, each in his colour and pattern, with its name and his letter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.ground.picture import Look, Picture, Province
from pbem.reports.drawing.boxes import centred
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.labels import width
from pbem.reports.drawing.sides import disc, side_of, sides
from pbem.reports.drawing.svg import Rect, line, n, path, text

SIZE = 12.5
"""Of the letters of a name."""

LETTER = 15.0
"""Pixels from the middle of a name to the letter of the owner above it, where no place counts."""

DISC = 7.5
KINDS = {"land": "sd-free", "water": "sd-sea", "closed": "sd-shut"}


def provinces(picture: Picture, frame: Frame, ids: str) -> str:
    """The provinces of a picture, over its ground; empty if it has none."""
    return _drawn(picture.provinces, picture.looks, picture.sides, frame, ids, bare=is_bare(picture))


def is_bare(picture: Picture) -> bool:
    """Whether there is no other ground than provinces: then the sheet shows where they are land and where water."""
    return not (picture.grid or picture.hexes or picture.plane)


def rooms(picture: Picture, frame: Frame) -> Iterator[Rect]:
    """What the names and letters of provinces take."""
    for one in picture.provinces:
        if one.kind != "closed":
            name = one.name or one.key
            yield centred(frame.at(one.at), width(name, SIZE, bold=True), SIZE)
            if one.centre or one.side != "none":
                yield centred(_of_letter(one, frame), 2 * DISC, 2 * DISC)


def area(one: Province, data: str, ids: str, *, bare: bool) -> str:
    """The ground of a province within its outline, without its name."""
    ground = path(KINDS[one.kind], data) if bare or one.kind != "land" else ""
    if one.kind == "closed":
        return f'{ground}<path fill="url(#{ids}-barred)" d="{data}"/>'
    if one.side == "none":
        return ground
    filled = f'<path fill="url(#{ids}-owned-{one.side})" d="{data}"/>'
    return f'{ground}<g class="{one.side}">{path("sd-own", data)}{filled}</g>'


@lru_cache(maxsize=64)
def _drawn(
    some: tuple[Province, ...],
    looks: tuple[Look, ...],
    names: tuple[str, ...],
    frame: Frame,
    ids: str,
    *,
    bare: bool,
) -> str:
    outlines = ["".join(line(frame.line(ring), closed=True) for ring in one.rings) for one in some]
    found = sides(looks, names)
    drawn = [area(one, data, ids, bare=bare) for one, data in zip(some, outlines, strict=True)]
    drawn.append(path("sd-edge", "".join(outlines)))
    for one in some:
        if one.kind == "closed":
            continue
        x, y = frame.at(one.at)
        css = "sd-name sd-wet" if one.kind == "water" else "sd-name"
        drawn.append(text(one.name or one.key, (x, y + SIZE * 0.35), css))
        if one.side != "none":
            drawn.append(disc(side_of(found, one.side), _of_letter(one, frame)))
        elif one.centre:
            across, down = frame.at(one.centre)
            drawn.append(f'<circle class="sd-place" cx="{n(across)}" cy="{n(down)}" r="4"/>')
    return "".join(drawn)


def _of_letter(one: Province, frame: Frame) -> tuple[float, float]:
    """Where the letter of the owner stands: on the place that counts, or above the name."""
    x, y = frame.at(one.centre or one.at)
    return (x, y) if one.centre else (x, y - LETTER)
