"""A map of continuous ground, layer by layer: ground, arcs, ways taken, names, troops, labels, marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from pbem.ground.bearing import DEGREE
from pbem.ground.body import sector
from pbem.ground.picture import Arc, Mark, Picture, SideStyle, Track, Troop
from pbem.ground.plane import Point
from pbem.reports.drawing.boxes import area, around, common, holds, nearest, square, touches
from pbem.reports.drawing.frame import Frame, frame_of
from pbem.reports.drawing.labels import Obstacles, melees, stars, width, written
from pbem.reports.drawing.provinces import provinces, rooms
from pbem.reports.drawing.routes import stopped
from pbem.reports.drawing.sides import LETTER, badge, beyond, highest, used
from pbem.reports.drawing.signs import mark_sign
from pbem.reports.drawing.svg import XY, Rect, heading, line, n, owned, path, xy
from pbem.reports.drawing.terrain import unit
from pbem.reports.plane.ground import ground, outline
from pbem.reports.plane.labels import (  # fmt: skip
    OLD,
    OWN,
    Row,
    Sizes,
    Tag,
    Wanted,
    leader_sign,
    placed,
    tag_sign,
    wanted,
)
from pbem.reports.plane.names import Named, homes
from pbem.reports.plane.names import placed as named
from pbem.reports.plane.troops import Drawn, draw

LINES = {
    "move": "pl-move", "retreat": "pl-retreat", "rifle": "pl-rifle", "artillery": "pl-shell", "messenger": "pl-ride",
    "ride": "pl-ride", "supply": "pl-ride", "charge": "pl-charge", "marker": "pl-marker",
    "support": "sd-support", "convoy": "sd-convoy",
}  # fmt: skip

ORDER = {"trace": -1, "skirmish": 1, "guns": 1, "limbered": 1, "patrol": 1, "rider": 2, "officer": 3, "chief": 3}
"""What is drawn over other troops, the uppermost last."""


def below(picture: Picture, ids: str) -> str:
    """The ground and what is laid over it: the same in the map and in its enlargement."""
    frame = frame_of(picture)
    layers: Sequence[Iterable[str]] = (
        (ground(picture, ids),),
        (provinces(picture, frame, ids),),
        (seen(picture, frame, side, ids) for side in seeing(picture)),
        (arc_sign(arc, frame) for arc in picture.arcs),
    )
    return "".join("".join(layer) for layer in layers)


SHARES = [*(part / 24 for part in range(24, 3, -1)), 1.0]
"""What may be left of the last step of a way: all of it, if it runs in a sign from end to end."""

ENOUGH = 0.3
"""What part of a sign must be in the window if it shall have a label there."""


FARM = 2500.0
"""Pixels that a town covers at least, which a label does not hide."""


class Layout(Struct, frozen=True):
    """What stands on the ground of a map or of its enlargement, each at its place."""

    drawn: tuple[Drawn, ...]
    tracks: tuple[tuple[Track, list[XY]], ...]
    names: tuple[Named, ...]
    tags: tuple[Tag, ...]
    marks: tuple[tuple[Mark, XY], ...]


def above(picture: Picture, frame: Frame, ids: str, sizes: Sizes) -> str:
    """All that stands on the ground within *frame*: ways taken, names, troops, labels, marks."""
    laid = layout(picture, frame, ids, sizes)
    layers: Sequence[Iterable[str]] = (
        (track_sign(track.kind, track.side, points, ids, failed=track.failed) for track, points in laid.tracks),
        (written(name.text) for name in laid.names),
        (owned(one.svg, _units(one.troop)) for one in sorted(laid.drawn, key=height)),
        (leader_sign(tag) for tag in laid.tags),
        (tag_sign(tag, sizes) for tag in laid.tags),
        (mark_sign(mark, at) for mark, at in laid.marks),
    )
    return "".join("".join(layer) for layer in layers)


def _units(troop: Troop) -> tuple[str, ...]:
    """The body of one's own that it is, if that is known by name."""
    return (troop.key,) if troop.own and troop.key else ()


def height(one: Drawn) -> int:
    """What is drawn over what: the higher over the lower."""
    return -1 if one.troop.arm == "rider" and not one.troop.label else ORDER.get(one.troop.arm, 0)


def layout(picture: Picture, frame: Frame, ids: str, sizes: Sizes, standing: Sequence[Named] | None = None) -> Layout:
    """Find room for all signs and labels within *frame*, round the names that are *standing*, if they are."""
    window = frame.ground
    every = [draw(troop, frame, ids, sizes.signs) for troop in picture.troops]
    drawn = [one for one in every if touches(one.box, window)]
    obstacles = Obstacles(window)
    for town in picture.areas:
        if town.kind == "town":
            ring = around(frame.line(town.outline))
            # A label in a town still shows the town; one on a farm hides it.
            obstacles.add(ring, 0.25 if area(ring) > FARM else 1.5)
    for one in drawn:
        obstacles.add(one.box, 0.8 if one.troop.arm == "trace" else 2.5)
    for box in rooms(picture, frame):
        obstacles.add(box, 2.5)
    tracks = [(track, _clear(frame.line(track.points), drawn)) for track in picture.tracks if len(track.points) > 1]
    for _, points in tracks:
        obstacles.add_line(points, 3.0)
    marks = (*melees(picture, frame, obstacles), *stars(picture, frame, obstacles))
    taken: list[Rect] = []
    for label in picture.labels:
        if label.kind == "summit":
            x, y = frame.at(label.at)
            obstacles.add((x - 6, y - 7, x + 8 + width(label.text, 11), y + 6), 1.5)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), 1.2 if way.kind == "wall" else 0.4)
    known = homes(picture, frame, window) if standing is None else []
    towns = named(known, (True,), window, sizes, obstacles, taken) if standing is None else standing
    if standing is not None:
        taken += [name.box for name in standing]
    signs = [shown for one in drawn if (shown := _shown(one, frame, window))]
    labels = wanted(signs)
    first = placed([one for one in labels if one.rank < OLD], window, sizes, obstacles, taken)
    papers = placed(_papers(tracks, window), window, sizes, obstacles, taken)
    others = named(known, (False,), window, sizes, obstacles, taken)
    last = placed([one for one in labels if one.rank == OLD], window, sizes, obstacles, taken)
    return Layout(
        tuple(drawn),
        tuple(tracks),
        (*towns, *others),
        (*first, *papers, *last),
        tuple((mark, at) for mark, at in marks if holds(window, at)),
    )


def _shown(one: Drawn, frame: Frame, window: Rect) -> Drawn | None:
    """As much of a sign as is in the window, if that is enough to have a label."""
    cut = common(one.box, window)
    if any(holds(window, at, 1) for at in (one.at, frame.at(one.troop.at))) or area(cut) > ENOUGH * area(one.box):
        return Drawn(one.troop, nearest(cut, one.at), cut, one.svg)
    return None


def _papers(tracks: Sequence[tuple[Track, list[XY]]], window: Rect) -> Iterator[Wanted]:
    """Labels of ways, beside their middle."""
    for track, points in tracks:
        at = _halfway(points)
        if (track.label or track.note) and holds(window, at):
            side: SideStyle = "none" if track.kind == "messenger" else track.side
            rows = tuple(Row(*row) for row in ((track.label, ""), ("", track.note)) if any(row))
            yield Wanted(side, rows, (Drawn(Troop("rider", side, (0, 0)), at, square(at, 8), ""),), OWN)


def seeing(picture: Picture) -> tuple[SideStyle, ...]:
    """The sides whose sight may be shown, the lowest first."""
    return ("first", "second", *beyond(used(picture)), "none")


def seen(picture: Picture, frame: Frame, side: str, ids: str) -> str:
    """What lies in the sight of a side."""
    rings = [ring for tint in picture.tints if tint.kind == "sight" and tint.side == side for ring in tint.rings]
    data = "".join(outline(frame, ring) for ring in rings)
    letters = "".join(badge(side, ids, highest(frame.line(ring)), LETTER) for ring in rings)
    return f'<g class="{side}">{path("pl-seen", data)}</g>{letters}' if data else ""


def arc_sign(arc: Arc, frame: Frame) -> str:
    """A field of sight or of fire, and the bands of range within it, as far as the map goes."""
    facing, half = arc.bearing * DEGREE, arc.half * DEGREE
    field = _within(_sector(frame, arc, facing, half), frame.ground)
    drawn = path("pl-arc pl-sight" if arc.kind == "sight" else "pl-arc", f"{line(field)}z" if field else "")
    for far in arc.bands:
        chord = sector(_flipped(arc.at), facing, half, far).points
        curve = frame.line(_flipped(point) for point in (chord[:-1] if arc.half < 180 else (*chord, chord[0])))
        runs = groupby(curve, key=lambda at: holds(frame.ground, at))
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


def standing(picture: Picture, frame: Frame, sizes: Sizes, troops: Iterable[Rect]) -> list[Named]:
    """The names of the ground, each where it covers least of where *troops* stand at any time."""
    obstacles = Obstacles(frame.ground)
    for box in troops:
        obstacles.add(box, 0.8)
    for way in picture.ways:
        obstacles.add_line(frame.line(way.points), 1.2 if way.kind == "wall" else 0.4)
    taken: list[Rect] = []
    known = homes(picture, frame, frame.ground)
    return [one for town in (True, False) for one in named(known, (town,), frame.ground, sizes, obstacles, taken)]


def track_sign(kind: str, side: str, points: Sequence[XY], ids: str, *, failed: bool = False) -> str:
    """A march, a retreat, fire or a rider's way, its head at the end; the rider on his way at its middle."""
    riding = kind in ("messenger", "ride", "supply")
    head = f' transform="{heading(points)}"'
    drawn = path("pl-under", line(points)) + path(LINES[kind], line(points))
    if failed:
        drawn += path("sd-bar", "M0 -6V6", head)
    else:
        drawn += path("pl-ride-head" if riding else "pl-head", "M3 0L-7 -4.6L-4.6 0L-7 4.6z", head)
    drawn += "" if riding else badge(side, ids, points[0], 0.75)
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


def _clear(points: list[XY], drawn: Sequence[Drawn]) -> list[XY]:
    """The track up to the sign of those who went, so that its head is seen."""
    return stopped(points, [one.box for one in drawn if holds(one.box, points[-1], 2)], 2.5, SHARES)
