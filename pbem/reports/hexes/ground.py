"""The ground of a hex map, as strings of SVG: land, terrain, hexes, rivers, railways, frontiers, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.ground.hexes import Hex, hex_at
from pbem.ground.honeycomb import corners, middle
from pbem.ground.picture import Area, Honeycomb, Picture, Point, Tint, Way
from pbem.reports.drawing.frame import MARGIN, Frame, frame_of
from pbem.reports.drawing.sides import LETTER, badge, highest
from pbem.reports.drawing.svg import XY, Rect, line, path, text, xy
from pbem.reports.drawing.terrain import pattern, towards

AREAS = ("wood", "rough", "mountain", "swamp", "water")
"""Kinds of ground on a hex map, the lowest first."""

TEXTURE = {"wood": "forest", "rough": "slopes", "mountain": "peaks", "swamp": "reeds"}
FAR = "hx-far"
LANDS = {"first": "hx-land", "second": FAR, "third": FAR, "fourth": FAR, "none": "hx-shut"}
"""The land of countries; that of any other is as far."""

TINTS = {"held": "hx-holder", "zone": "hx-zone", "supply": "hx-reach"}
"""How the edge is drawn of what ground is to a side."""

SOFT = 7.0
"""Pixels by which the corners of a wood or a river are rounded."""


def ground(picture: Picture, ids: str) -> str:
    """Everything of *picture* that lies still; *ids* begins the names of the patterns it uses."""
    return "".join(beds(picture, ids))


def beds(picture: Picture, ids: str) -> tuple[str, ...]:
    """The same, layer by layer, the second and the fourth of which are what the ground is to the sides."""
    lands = tuple(tint for tint in picture.tints if tint.kind == "land")
    frame, comb = frame_of(picture), picture.hexes
    assert comb is not None, "a picture without hexes has another ground"
    return (
        _land(frame, lands, picture.areas, comb, ids),
        _tints(frame, picture.tints, ("held",), ids),
        _ways(frame, picture.ways),
        _tints(frame, picture.tints, ("zone", "supply"), ids),
        _numbers(frame, comb),
    )


def patterns(ids: str) -> str:
    """Textures of the ground, and those of what is held and barred by the first two sides."""
    forest = "M2.2 4.9a2.1 2.1 0 1 1 3.2 0zM3.8 5v1.9M9.7 11.2a2.1 2.1 0 1 1 3.2 0zM11.3 11.3v1.6"
    slopes = (
        "M3.6 2.2l-2 3M4.7 1.9l-1.1 3.9M5.9 1.8v4.2M7.1 1.9l1.1 3.9M8.2 2.2l2 3"
        "M15.1 9.7l-2 3M16.2 9.4l-1.1 3.9M17.4 9.3v4.2M18.6 9.4l1.1 3.9M19.7 9.7l2 3"
    )
    lee = path("hx-lee", "M5.2 1.6l4.2 6.6h-3.4l-1.4-2.6zM14.7 10.6l4.2 6.6h-3.4l-1.4-2.6z")
    reeds = "M1 4h6M10 10h6M3 4v-2M5 4v-2M12 10v-2M14 10v-2"
    held = "".join(
        pattern(f"{ids}-held-{side}", 8, 8, f'<g class="{side}">{path("hx-held", "M0 4h8")}</g>', turn=turn)
        + pattern(
            f"{ids}-zone-{side}", 6, 6, f'<g class="{side}"><circle class="hx-dot" cx="{at}" cy="{at}" r=".9"/></g>'
        )
        for side, turn, at in (("first", 45, 1.5), ("second", -45, 4.5))
    )
    return (
        pattern(f"{ids}-forest", 15, 13, path("hx-tree", forest))
        + pattern(f"{ids}-slopes", 23, 15, path("hx-slope", slopes))
        + pattern(f"{ids}-peaks", 19, 18, lee + path("hx-peak", "M1 8.2l4.2-6.6 4.2 6.6M10.5 17.2l4.2-6.6 4.2 6.6"))
        + pattern(f"{ids}-reeds", 18, 12, path("hx-reed", reeds))
        + pattern(f"{ids}-shut", 6, 6, path("hx-shutline", "M0 3h6"), turn=45)
        + held
    )


@lru_cache(maxsize=16)
def _land(frame: Frame, lands: tuple[Tint, ...], areas: tuple[Area, ...], comb: Honeycomb, ids: str) -> str:
    drawn = []
    for side, css in {**dict.fromkeys((tint.side for tint in lands), FAR), **LANDS}.items():
        outlines = "".join(_closed(frame, ring) for tint in lands if tint.side == side for ring in tint.rings)
        drawn.append(path(css, outlines))
        if side == "none" and outlines:
            drawn.append(f'<path fill="url(#{ids}-shut)" d="{outlines}"/>')
    for kind in AREAS:
        outlines = "".join(soft(frame.line(area.outline), closed=True) for area in areas if area.kind == kind)
        drawn.append(path(f"hx-{kind}", outlines))
        if kind == "mountain":
            drawn.append(path("hx-shade", outlines))
        if outlines and kind in TEXTURE:
            drawn.append(f'<path fill="url(#{ids}-{TEXTURE[kind]})" d="{outlines}"/>')
    return "".join(drawn) + path("hx-grid", "".join(line(frame.line(way)) for way in _mesh(comb)))


def hexes_of(comb: Honeycomb) -> Iterator[Hex]:
    """All hexes of a board, row by row."""
    for row in range(comb.rows[0], comb.rows[1] + 1):
        for column in range(comb.columns[0], comb.columns[1] + 1):
            yield hex_at(column, row)


def _mesh(comb: Honeycomb) -> Iterator[Sequence[Point]]:
    """All sides of all hexes, each once, as few lines: the upper edge of each row, its uprights, its open ends."""
    (first, last), (top, bottom) = comb.columns, comb.rows
    for row in range(top, bottom + 1):
        rings = [corners(hex_at(column, row)) for column in range(first, last + 1)]
        yield [rings[0][5], *(point for ring in rings for point in ring[:2])]
        yield from ((ring[5], ring[4]) for ring in rings)
        yield rings[-1][1], rings[-1][2]
        if row == bottom:
            yield [rings[0][4], *(point for ring in rings for point in (ring[3], ring[2]))]
        elif row % 2:
            yield rings[0][4], rings[0][3]
        else:
            yield rings[-1][2], rings[-1][3]


def _closed(frame: Frame, ring: Sequence[Point]) -> str:
    return line(frame.line(ring), closed=True)


def soft(points: Sequence[XY], radius: float = SOFT, *, closed: bool = False) -> str:
    """The data of a path along *points* with its corners rounded."""
    if len(points) < 3:
        return line(points)
    drawn: list[str] = []
    inner = range(len(points)) if closed else range(1, len(points) - 1)
    for i in inner:
        before, corner, after = points[i - 1], points[i], points[(i + 1) % len(points)]
        start, end = towards(corner, before, radius), towards(corner, after, radius)
        drawn.append(f"{'L' if drawn or not closed else 'M'}{xy(start)}Q{xy(corner)} {xy(end)}")
    if closed:
        return "".join(drawn) + "z"
    return f"M{xy(points[0])}{''.join(drawn)}L{xy(points[-1])}"


def _tints(frame: Frame, tints: Iterable[Tint], kinds: Sequence[str], ids: str) -> str:
    return "".join(
        tint_sign(tint.kind, tint.side, "".join(_closed(frame, ring) for ring in tint.rings), ids)
        + "".join(badge(tint.side, ids, highest(frame.line(ring)), LETTER) for ring in tint.rings)
        for tint in tints
        if tint.kind in kinds and tint.rings
    )


def tint_sign(kind: str, side: str, outlines: str, ids: str) -> str:
    """What ground is to a side, within its outlines."""
    filled = kind != "supply" and side != "none"
    fill = f'<path fill="url(#{ids}-{kind}-{side})" d="{outlines}"/>' if filled else ""
    return f'<g class="{side}">{fill}{path(TINTS[kind], outlines)}</g>'


@lru_cache(maxsize=16)
def _ways(frame: Frame, ways: tuple[Way, ...]) -> str:
    rivers = [way for way in ways if way.kind in ("river", "stream")]
    wet = {frozenset(step) for way in rivers for step in pairwise(way.points)}
    narrow = "".join(soft(frame.line(way.points)) for way in rivers if not way.broad)
    broad = "".join(soft(frame.line(way.points)) for way in rivers if way.broad)
    roads = "".join(soft(frame.line(way.points)) for way in ways if way.kind == "road")
    rails = "".join(line(frame.line(step)) for step in _steps(ways, "rail"))
    frontiers = [way.points for way in ways if way.kind == "frontier"]
    dry = "".join(line(frame.line(stretch)) for points in frontiers for stretch in _dry(points, wet))
    along = "".join(soft(frame.line(stretch)) for points in frontiers for stretch in _dry(points, wet, wanted=True))
    return "".join(
        (
            path("hx-rim", "".join(line(frame.line(points)) for points in frontiers)),
            path("hx-bank", narrow),
            path("hx-bank hx-broad", broad),
            path("hx-flow", narrow),
            path("hx-flow hx-broad", broad),
            path("hx-road", roads),
            path("hx-lane", roads),
            path("hx-rail", rails),
            path("hx-ties", rails),
            path("hx-frontier", dry),
            path("hx-wet", along),
        )
    )


def _steps(ways: Iterable[Way], kind: str) -> list[tuple[Point, Point]]:
    """The steps of all ways of a kind, each once, though several share it."""
    steps = {(min(step), max(step)): None for way in ways if way.kind == kind for step in pairwise(way.points)}
    return list(steps)


def _dry(points: Sequence[Point], wet: set[frozenset[Point]], *, wanted: bool = False) -> Iterator[Sequence[Point]]:
    """The stretches of a frontier that lie on no river; if *wanted* those that do."""
    stretch = [points[0]]
    for start, end in pairwise(points):
        if (frozenset((start, end)) in wet) == wanted:
            stretch.append(end)
            continue
        if len(stretch) > 1:
            yield stretch
        stretch = [end]
    if len(stretch) > 1:
        yield stretch


@lru_cache(maxsize=16)
def _numbers(frame: Frame, comb: Honeycomb) -> str:
    """The number of each hex, below its upper point; those for the whole map; and columns and rows round it."""
    drawn = list(edge_names(frame, comb, frame.ground, frame.ground, MARGIN / 2 - 2, "hx-edge"))
    for at in hexes_of(comb):
        x, y = frame.at(middle(at))
        drawn.append(text(at, (x, y - 14.6), "hx-number"))
        if _is_of_few(at):
            drawn.append(text(at, (x, y - 10.0), "hx-few"))
    return "".join(drawn)


def _is_of_few(at: str) -> bool:
    """Whether the number of a hex stands on the whole map: of every second column, every second."""
    return int(at[:2]) % 2 == int(at[2:]) % 2 == 1


def edge_names(frame: Frame, comb: Honeycomb, seen: Rect, put: Rect, far: float, css: str) -> Iterator[str]:
    """Columns above and below, rows beside: *seen* is what is shown of the map, *put* where that lies, both in pixels.

    Every second row lies half a hex east: above stand the columns of the first row that is seen, below those of the
    last.
    """
    zoom = (put[2] - put[0]) / max(seen[2] - seen[0], 1)
    columns = range(comb.columns[0], comb.columns[1] + 1)
    rows = {row: frame.at(middle(hex_at(1, row)))[1] for row in range(comb.rows[0], comb.rows[1] + 1)}
    rows = {row: y for row, y in rows.items() if seen[1] < y < seen[3]}
    for row, y in ((min(rows), put[1] - far), (max(rows), put[3] + far)) if rows else ():
        for column in columns:
            x = frame.at(middle(hex_at(column, row)))[0]
            if seen[0] < x < seen[2]:
                yield text(f"{column:02}", (put[0] + (x - seen[0]) * zoom, y + 4), css)
    for row, y in rows.items():
        for x in (put[0] - far, put[2] + far):
            yield text(f"{row:02}", (x, put[1] + (y - seen[1]) * zoom + 4), css)
