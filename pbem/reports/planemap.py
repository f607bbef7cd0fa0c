"""A map of continuous ground, layer by layer: ground, arcs, ways taken, troops, labels, names, marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.body import sector
from pbem.ground.picture import Arc, Picture, SideStyle, Track
from pbem.ground.plane import Point
from pbem.reports.frame import Frame, frame_of
from pbem.reports.labels import Obstacles, melees, names, stars, width
from pbem.reports.planeground import ground, outline
from pbem.reports.signs import found, losses, melee
from pbem.reports.svg import XY, Rect, line, n, path, text, xy
from pbem.reports.terrain import unit
from pbem.reports.troops import Drawn, draw

LINES = {
    "move": "pl-move", "retreat": "pl-retreat", "rifle": "pl-rifle", "artillery": "pl-shell", "messenger": "pl-ride",
    "ride": "pl-ride", "supply": "pl-ride", "charge": "pl-charge", "marker": "pl-marker",
}  # fmt: skip

ORDER = {"skirmish": 1, "guns": 1, "limbered": 1, "officer": 2, "chief": 2}
"""What is drawn over other troops, the uppermost last."""

NAME, WHEN = 11.5, 10.5
"""Sizes of a label and of what stands below it, in pixels."""

LEADING = 12.0


class Tag(Struct, frozen=True):
    """A label at its place, in two lines: *at* is the baseline of the first."""

    side: SideStyle
    label: str
    note: str
    at: XY
    anchor: str
    box: Rect


def board(picture: Picture, ids: str) -> str:
    """All layers of a map of continuous ground, from below."""
    frame = frame_of(picture)
    drawn = [draw(troop, frame, ids) for troop in picture.troops]
    obstacles = Obstacles(frame.ground, (), ())
    for area in picture.areas:
        if area.kind == "town":
            obstacles.add(_round_ring(frame.line(area.outline)), 0.25)
    for one in drawn:
        obstacles.add(one.box, 2.5)
    tracks = [(track, _clear(track, frame, drawn)) for track in picture.tracks if len(track.points) > 1]
    for _, points in tracks:
        obstacles.add_line(points, 6.0)
    if picture.focus:
        # A label across the edge of the enlargement would be cut off there.
        left, top, right, bottom = frame.rect(picture.focus)
        obstacles.add_line(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), 4.0)
    fights = melees(picture, frame, obstacles)
    tags = [*_tags(drawn, obstacles), *_track_tags(tracks, obstacles)]
    fallen = stars(picture, frame, obstacles)
    plain = replace(picture, labels=tuple(label for label in picture.labels if label.kind != "summit"))
    for label in picture.labels:
        if label.kind == "summit":
            x, y = frame.at(label.at)
            obstacles.add((x - 6, y - 7, x + 8 + width(label.text, 11), y + 6), 1.5)
    named = names(plain, frame, obstacles)
    marks = (
        *(melee(at) if mark.kind == "melee" else found(at) for mark, at in fights),
        *(losses(mark.figure, at) for mark, at in fallen),
    )
    layers: Sequence[Iterable[str]] = (
        (ground(picture, ids),),
        (_seen(picture, frame, side) for side in ("first", "second", "none")),
        (arc_sign(arc, frame) for arc in picture.arcs),
        (text(put.words, put.at, {"town": "nt", "water": "nw"}.get(label.kind, "np")) for label, put in named),
        (track_sign(track.kind, track.side, points) for track, points in tracks),
        (one.svg for one in sorted(drawn, key=lambda one: ORDER.get(one.troop.arm, 0))),
        (_set(tag) for tag in tags),
        marks,
    )
    return "".join("".join(layer) for layer in layers)


def _grown(box: Rect, by: float) -> Rect:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _round_ring(ring: Sequence[XY]) -> Rect:
    return (min(p[0] for p in ring), min(p[1] for p in ring), max(p[0] for p in ring), max(p[1] for p in ring))


def _seen(picture: Picture, frame: Frame, side: str) -> str:
    rings = [ring for tint in picture.tints if tint.kind == "sight" and tint.side == side for ring in tint.rings]
    data = "".join(outline(frame, ring) for ring in rings)
    return f'<g class="{side}">{path("pl-seen", data)}</g>' if data else ""


def arc_sign(arc: Arc, frame: Frame) -> str:
    """A field of sight or of fire, and the bands of range within it, as far as the map goes."""
    facing, half = arc.bearing * DEGREE, arc.half * DEGREE
    field = _within(_sector(frame, arc, facing, half), frame.ground)
    drawn = path("pl-arc pl-sight" if arc.kind == "sight" else "pl-arc", f"{line(field)}z" if field else "")
    for far in arc.bands:
        chord = sector(_flipped(arc.at), facing, half, far).points
        curve = frame.line(_flipped(point) for point in (chord[:-1] if arc.half < 180 else (*chord, chord[0])))
        runs = groupby(curve, key=lambda at: _holds(frame.ground, at, 0))
        drawn += path("pl-band", "".join(line(list(run)) for inside, run in runs if inside))
    return f'<g class="{arc.side}">{drawn}</g>'


def _sector(frame: Frame, arc: Arc, facing: int, half: int) -> list[XY]:
    shape = sector(_flipped(arc.at), facing, half, arc.far, arc.least)
    return frame.line(_flipped(point) for point in shape.points)


def _within(ring: Sequence[XY], box: Rect) -> Sequence[XY]:
    """The part of a ring that lies in a box: cut along one of its edges after the other."""
    for axis, edge, sign in ((0, box[0], 1), (0, box[2], -1), (1, box[1], 1), (1, box[3], -1)):
        cut: list[XY] = []
        for start, end in zip(ring, (*ring[1:], ring[0]), strict=True) if ring else ():
            before, after = (start[axis] - edge) * sign, (end[axis] - edge) * sign
            if before >= 0:
                cut.append(start)
            if (before >= 0) != (after >= 0):
                part = before / (before - after)
                cut.append((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        ring = cut
    return ring


def _flipped(at: tuple[int, int]) -> Point:
    """A place of the sheet on ground whose north is up, and back."""
    return Point(at[0], -at[1])


# ---- Tracks ----


def track_sign(kind: str, side: str, points: Sequence[XY]) -> str:
    """A march, a retreat, fire or a rider's way, its head at the end; the rider on his way at its middle."""
    (ax, ay), (bx, by) = points[-2], points[-1]
    turn = n(math.degrees(math.atan2(by - ay, bx - ax)))
    riding = kind in ("messenger", "ride", "supply")
    head = f' transform="translate({xy((bx, by))}) rotate({turn})"'
    drawn = path("pl-under", line(points)) + path(LINES[kind], line(points))
    drawn += path("pl-ride-head" if riding else "pl-head", "M3 0L-7 -4.6L-4.6 0L-7 4.6z", head)
    if kind == "messenger":
        x, y = _halfway(points)
        horse = f' transform="translate({xy((x, y))})"'
        drawn += f'<circle class="pl-rider" cx="{n(x)}" cy="{n(y)}" r="8"/>'
        drawn += path("pl-horse", "M-3.5 4.5L0 -1L3.5 4.5M-3.5 -3L0 -1L3 -4.5", horse)
    return f'<g class="{side}">{drawn}</g>'


def _halfway(points: Sequence[XY]) -> XY:
    left = sum(math.dist(a, b) for a, b in pairwise(points)) / 2
    for a, b in pairwise(points):
        long = math.dist(a, b)
        if left <= long:
            run = unit(a, b)
            return (a[0] + run[0] * left, a[1] + run[1] * left)
        left -= long
    return points[-1]


def _clear(track: Track, frame: Frame, drawn: Sequence[Drawn]) -> list[XY]:
    """The track up to the sign of those who went, so that its head is seen."""
    points = frame.line(track.points)
    ends = [one.box for one in drawn if _holds(one.box, points[-1], 2)]
    start, end = points[-2], points[-1]
    tries = [
        (start[0] + (end[0] - start[0]) * part / 24, start[1] + (end[1] - start[1]) * part / 24)
        for part in range(24, 3, -1)
    ]
    free = (at for at in tries if not any(_holds(box, at, 2.5) for box in ends))
    return [*points[:-1], next(free, end)]


def _holds(box: Rect, at: XY, by: float) -> bool:
    return box[0] - by <= at[0] <= box[2] + by and box[1] - by <= at[1] <= box[3] + by


# ---- Labels ----


def _tags(drawn: Sequence[Drawn], obstacles: Obstacles) -> Iterator[Tag]:
    """A place for the label of each body; the largest choose first."""
    order = sorted(range(len(drawn)), key=lambda i: (-_area(drawn[i].box), i))
    chosen: dict[int, Tag] = {}
    for i in order:
        troop = drawn[i].troop
        if troop.label or troop.note:
            strangers = [_grown(one.box, NEXT) for one in drawn if one is not drawn[i]]
            chosen[i] = _best(_round(troop.side, troop.label, troop.note, drawn[i].box), obstacles, strangers)
    return (chosen[i] for i in sorted(chosen))


def _track_tags(tracks: Sequence[tuple[Track, list[XY]]], obstacles: Obstacles) -> Iterator[Tag]:
    for track, points in tracks:
        if track.label or track.note:
            x, y = _halfway(points)
            side: SideStyle = "none" if track.kind == "messenger" else track.side
            yield _best(_round(side, track.label, track.note, (x - 8, y - 8, x + 8, y + 8)), obstacles)


def _shared(one: Rect, other: Rect) -> float:
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _area(box: Rect) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


NEXT = 8.0
"""Pixels round a sign where a label would be taken for its own."""

CONFUSED = 0.1
"""What each pixel of a label costs that lies there."""


def _best(candidates: Iterable[tuple[float, Tag]], obstacles: Obstacles, strangers: Sequence[Rect] = ()) -> Tag:
    best, least = None, math.inf
    for toll, tag in candidates:
        if best and toll >= least:
            break
        cost = toll + sum(_shared(tag.box, box) for box in strangers) * CONFUSED
        cost += obstacles.cost(tag.box, least - cost)
        if cost < least:
            best, least = tag, cost
    assert best is not None, "nothing to choose from"
    obstacles.add(best.box, 3.0)
    return best


def _round(side: SideStyle, label: str, note: str, box: Rect) -> Iterator[tuple[float, Tag]]:
    """Places round a sign for two lines, the best first."""
    wide = max(width(label, NAME, bold=True), width(note, WHEN))
    lines = (label != "") + (note != "")
    high = LEADING * lines
    left, top, right, bottom = box
    middle, level = (left + right) / 2, (top + bottom) / 2
    for more in (0.0, 10.0, 22.0, 36.0):
        beside, over, under = level - high / 2, top - high - 2 - more, bottom + 2 + more
        spots = (
            (0.0, right + 5 + more, beside, "start"),
            (0.6, left - 5 - more, beside, "end"),
            (1.2, middle, under, "middle"),
            (1.6, middle, over, "middle"),
            (2.0, right + 4 + more, under - 4, "start"),
            (2.2, right + 4 + more, over + 4, "start"),
            (2.4, left - 4 - more, under - 4, "end"),
            (2.6, left - 4 - more, over + 4, "end"),
            (3.0, left, under, "start"),
            (3.2, right, under, "end"),
            (3.4, left, over, "start"),
            (3.6, right, over, "end"),
        )
        for toll, x, y, anchor in spots:
            start = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
            room = (start - 1, y, start + wide + 1, y + high)
            yield toll + more * 2.0, Tag(side, label, note, (x, y + 9.5), anchor, room)


def _set(tag: Tag) -> str:
    first = text(tag.label, tag.at, "pl-name", anchor=tag.anchor) if tag.label else ""
    down = tag.at[1] + (LEADING if tag.label else 0)
    second = text(tag.note, (tag.at[0], down), "pl-when", anchor=tag.anchor) if tag.note else ""
    return f'<g class="{tag.side}">{first}{second}</g>'
