"""Maps: a picture as SVG.

In a page a map takes its colours from the page's theme, and the enlargement shows the same drawing again, nearer.
A map that stands alone (in a file, or on its way to a PNG) has the light colours written into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from pbem.ground.picture import Box, Picture
from pbem.reports.drawing import sides
from pbem.reports.drawing.arrange import arrange
from pbem.reports.drawing.colours import baked_css
from pbem.reports.drawing.frame import MARGIN, Frame, frame_of
from pbem.reports.drawing.key import BOX, key
from pbem.reports.drawing.labels import Obstacles, beside, melees, names, stars, written
from pbem.reports.drawing.png import png
from pbem.reports.drawing.provinces import provinces, rooms
from pbem.reports.drawing.routes import Route, routes
from pbem.reports.drawing.signs import mark_sign, track
from pbem.reports.drawing.svg import n, owned, path, rect, said, text
from pbem.reports.drawing.terrain import ground, patterns
from pbem.reports.drawing.window import CUT, fence, shown, window_of
from pbem.reports.hexes import ground as hexground
from pbem.reports.hexes import key as hexkey
from pbem.reports.hexes import map as hexmap
from pbem.reports.hexes.style import baked_hex_css, hex_css
from pbem.reports.plane import ground as planeground
from pbem.reports.plane import key as planekey
from pbem.reports.plane import labels as planelabels
from pbem.reports.plane import map as planemap
from pbem.reports.plane.style import baked_plane_css, plane_css

DETAIL_WIDTH = 640
"""Pixels of an enlargement's picture, its margins not counted."""

STRIP = 28
"""Pixels round an enlargement, for coordinates."""

LARGEST = 2.0
LARGEST_HEX = 2.6
LARGEST_PLANE = 2.8
"""An enlargement is at most so many times the map; the signs of a hex map are smaller."""


MARCHES = ("move", "retreat", "support", "convoy")
"""Ways that lie below the signs of those who take them."""


class Drawing(Struct, frozen=True):
    """A map for a page: the whole, the enlargement (empty if there is nothing to enlarge), and the key."""

    whole: str
    detail: str
    key: tuple[tuple[str, str], ...]
    """Each sample as an SVG, and what it means."""


def draw(picture: Picture, ids: str = "map") -> Drawing:
    """The map of *picture* for a page; *ids* begins every id in it, so that two maps can stand in one page."""
    frame = frame_of(picture)
    wide, high = n(frame.width), n(frame.height)
    kind = ' class="hexes"' if picture.hexes else ""
    whole = (
        f'<svg{kind} viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" aria-labelledby="{ids}-title {ids}-desc">'
        f'<title id="{ids}-title">{said(_title(picture))}</title>'
        f'<desc id="{ids}-desc">{said(_description(picture))}</desc>'
        f"{style_of(picture)}{sides.style_of(sides.needs(picture))}<defs>{_patterns(picture, ids)}</defs>"
        f'<g id="{ids}-all">{_below(picture, ids)}</g>{_above(picture, ids)}</svg>'
    )
    detail = ""
    if picture.focus:
        shown = f'<use href="#{ids}-all"/>'
        size, content = _enlarged(picture, window_of(picture, picture.focus), frame, shown, ids)
        label = said(picture.focus_caption or f"Enlarged: {picture.title}")
        detail = (
            f'<svg viewBox="0 0 {n(size[0])} {n(size[1])}" width="{n(size[0])}" height="{n(size[1])}" '
            f'role="img" aria-label="{label}">{content}</svg>'
        )
    samples = (
        (f'<svg viewBox="0 0 {BOX[0]} {BOX[1]}" aria-hidden="true">{sample}</svg>', words)
        for sample, words in _key(picture, ids)
    )
    return Drawing(whole, detail, tuple(samples))


def sheet(picture: Picture) -> str:
    """The whole map as a file of its own: title, whose knowledge, ground, key; the light colours."""
    frame = frame_of(picture)
    head = 64
    samples = _key(picture, "map")
    columns = max(1, int(frame.ground[2] - frame.ground[0]) // 265)
    rows = -(-len(samples) // columns)
    high = head + frame.height + rows * 42 + 16
    samples_below = "".join(
        f'<g transform="translate({MARGIN + i % columns * 265} {n(head + frame.height + i // columns * 42)})">'
        f"{sample}{text(_short(words), (68, 21), 'words')}</g>"
        for i, (sample, words) in enumerate(samples)
    )
    content = (
        text(picture.title, (MARGIN, 34), "ttl")
        + text(picture.whose, (MARGIN, 56), "whose")
        + f'<g transform="translate(0 {head})">{_board(picture, "map")}</g>'
        + samples_below
    )
    return _alone(picture, frame.width, high, content)


def enlargement(picture: Picture) -> str:
    """The enlargement as a file of its own; the whole map if the picture has no focus."""
    frame = frame_of(picture)
    if picture.focus is None:
        return _alone(picture, frame.width, frame.height, _board(picture, "map"))
    window = window_of(picture, picture.focus)
    size, content = _enlarged(picture, window, frame, _below(picture, "map"), "map")
    return _alone(picture, *size, content, near=True)


def as_png(picture: Picture, fonts: Path, *, width: int) -> bytes:
    """The enlargement as a letter shows it, *width* pixels wide, with the faces in the folder *fonts*.

    :raises MissingFont: naming the file.
    """
    return png(enlargement(picture), fonts, width=width)


def _alone(picture: Picture, wide: float, high: float, content: str, *, near: bool = False) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(wide)} {n(high)}" '
        f'width="{n(wide)}" height="{n(high)}" role="img" aria-labelledby="map-title map-desc">'
        f'<title id="map-title">{said(_title(picture))}</title>'
        f'<desc id="map-desc">{said(_description(picture))}</desc>'
        f"<style>{_baked(picture, near=near)}</style><defs>{_patterns(picture, 'map')}</defs>"
        f"{rect('sheet', (0, 0, wide, high))}{content}</svg>\n"
    )


def _baked(picture: Picture, *, near: bool) -> str:
    board = baked_hex_css(near=near) if picture.hexes else baked_plane_css() if picture.plane else ""
    return baked_css() + board + sides.baked_css_of(sides.needs(picture))


def style_of(picture: Picture) -> str:
    """What a map of hexes or of continuous ground adds to the style of its page."""
    if picture.plane:
        return f"<style>{plane_css()}</style>"
    return f"<style>{hex_css()}</style>" if picture.hexes else ""


def _patterns(picture: Picture, ids: str) -> str:
    board = ""
    if picture.plane:
        board = planeground.patterns(ids)
    elif picture.hexes:
        board = hexground.patterns(ids)
    return patterns(ids) + board + sides.definitions(sides.needs(picture), ids)


def _key(picture: Picture, ids: str) -> tuple[tuple[str, str], ...]:
    rows = planekey.key if picture.plane else hexkey.key if picture.hexes else key
    return tuple(rows(picture, ids))


def _short(words: str, most: int = 31) -> str:
    """Words that fit beside a sample."""
    return words if len(words) <= most else words.split(",")[0]


def _title(picture: Picture) -> str:
    return f"Map: {picture.title}, {picture.whose}" if picture.whose else f"Map: {picture.title}"


def _description(picture: Picture) -> str:
    caption = picture.caption or picture.focus_caption
    return f"{caption} The same positions are told in words below the map.".strip()


def _board(picture: Picture, ids: str) -> str:
    """All layers of the map."""
    return _below(picture, ids) + _above(picture, ids)


@lru_cache(maxsize=2)
def _above(picture: Picture, ids: str) -> str:
    """What is drawn for each scale anew: on continuous ground all that stands on it, else nothing."""
    return planemap.above(picture, frame_of(picture), ids, planelabels.WHOLE) if picture.plane else ""


@lru_cache(maxsize=2)
def _below(picture: Picture, ids: str) -> str:
    """All layers that an enlargement shows as they are: ground, names, moves, signs, fire, labels, marks.

    A page, its letter and its files show one map: it is drawn once.
    """
    if picture.hexes is not None:
        return hexmap.board(picture, ids)
    if picture.plane is not None:
        return planemap.below(picture, ids)
    frame = frame_of(picture)
    placed = arrange(picture, frame, ids)
    ways = routes(picture, frame, placed)
    obstacles = Obstacles(frame.ground, placed, ways)
    obstacles.add_line(fence(shown(picture, frame)), CUT)
    for room in rooms(picture, frame):
        obstacles.add(room)
    fights = melees(picture, frame, obstacles)
    labelled = beside(placed, obstacles)
    fallen = stars(picture, frame, obstacles)
    named = names(picture, frame, obstacles)
    marches = (way for way in ways if way.track.kind in MARCHES)
    fires = (way for way in ways if way.track.kind not in MARCHES)
    layers: Sequence[Iterable[str]] = (
        (ground(picture, ids),),
        (provinces(picture, frame, ids),),
        map(written, named),
        (_tracked(way, ids) for way in marches),
        (owned(one.svg, one.block.parts if one.block.own else ()) for one in placed),
        (_tracked(way, ids) for way in fires),
        (f'<g class="{one.block.side}">{written(label)}</g>' for one, label in labelled),
        (mark_sign(mark, at) for mark, at in (*fights, *fallen)),
    )
    return "".join("".join(layer) for layer in layers)


def _tracked(way: Route, ids: str) -> str:
    return track(way.track.kind, way.track.side, way.points, ids, failed=way.track.failed)


def _enlarged(picture: Picture, focus: Box, frame: Frame, shown: str, ids: str) -> tuple[tuple[float, float], str]:
    """The size and content of an enlargement: a window on *shown*, and the coordinates round it."""
    left, top, right, bottom = frame.rect(focus)
    largest = LARGEST_HEX if picture.hexes else LARGEST_PLANE if picture.plane else LARGEST
    zoom = min(DETAIL_WIDTH / max(right - left, 1), largest)
    wide, high = (right - left) * zoom, (bottom - top) * zoom
    shift = f"translate({n(STRIP - left * zoom)} {n(STRIP - top * zoom)}) scale({zoom:.4f})"
    right, bottom = STRIP + wide, STRIP + high
    # Paper laid round the window is much quicker to draw than a clipped picture.
    # But for squares, a little over the edge: a picture in whole pixels may end beyond it.
    over = 4 if picture.hexes or picture.plane else 0
    outer = f"M{-over} {-over}H{n(right + STRIP + over)}V{n(bottom + STRIP + over)}H{-over}z"
    passe_partout = f"{outer}M{STRIP} {STRIP}V{n(bottom)}H{n(right)}V{STRIP}z"
    over_it = _near(picture, focus, frame.scale * zoom, ids) if picture.plane else ""
    window = f'<g transform="{shift}">{shown}</g>{over_it}' + path("margin", passe_partout)
    framed = rect("frame", (STRIP, STRIP, right, bottom))
    size = (wide + 2 * STRIP, high + 2 * STRIP)
    names: Iterable[str]
    if picture.hexes:
        names = hexground.edge_names(
            frame, picture.hexes, frame.rect(focus), (STRIP, STRIP, right, bottom), STRIP / 2, "hx-edge hx-near"
        )
    elif picture.plane:
        names = planeground.edge_names(
            picture.plane, picture.box, focus, (STRIP, STRIP, right, bottom), STRIP / 2 + 4, "pl-edge pl-near"
        )
    else:
        names = _edge_names(picture, focus, zoom * frame.scale, size)
    return size, window + framed + "".join(names)


@lru_cache(maxsize=2)
def _near(picture: Picture, focus: Box, scale: float, ids: str) -> str:
    """What stands on the ground of an enlargement: its letters are no larger than they must be."""
    drawn = planemap.above(picture, Frame(focus, scale), ids, planelabels.CLOSE)
    return f'<g class="pl-close" transform="translate({STRIP - MARGIN} {STRIP - MARGIN})">{drawn}</g>'


def _edge_names(picture: Picture, focus: Box, scale: float, size: tuple[float, float]) -> Iterable[str]:
    grid = picture.grid
    if grid is None:
        return
    for i, name in enumerate(grid.columns):
        across = picture.box[0] + (i + 0.5) * grid.step
        if focus[0] < across < focus[2]:
            x = STRIP + (across - focus[0]) * scale
            yield text(name, (x, 19), "co") + text(name, (x, size[1] - 9), "co")
    for i, name in enumerate(grid.rows):
        down = picture.box[1] + (i + 0.5) * grid.step
        if focus[1] < down < focus[3]:
            y = STRIP + (down - focus[1]) * scale + 5
            yield text(name, (14, y), "co") + text(name, (size[0] - 14, y), "co")
