"""Troops on continuous ground: blocks as large as the ground they cover, turned to their front, faded by their age."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.ground.picture import Troop
from pbem.reports.drawing.boxes import centred, square, union
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.sides import badge as letter
from pbem.reports.drawing.sides import fill as filled
from pbem.reports.drawing.svg import XY, Rect, n, path, rect, text, xy

LEAST = (8.0, 6.0)
"""Pixels of the smallest block: a post, a patrol."""

GAP = 1.6
"""Pixels between the blocks of a body."""

GUN = (7.0, 12.0)
UNKNOWN = (16.0, 12.0)
MAN = 5.0
NAMELESS = 0.65
"""How large a rider without a label is, of one that has one."""

FAR = 14.0
"""Pixels between blocks of a column along its way, at most so many more than they are long."""


class Drawn(Struct, frozen=True):
    """A body as it is drawn: the middle of its sign, the box round it, and the SVG."""

    troop: Troop
    at: XY
    box: Rect
    svg: str
    upright: str = ""
    """The same not turned and at 0, without its badge; empty of what is drawn on its way or stands upright."""
    badge: str = ""


def draw(troop: Troop, frame: Frame, ids: str, larger: float = 1.0) -> Drawn:
    """The sign of *troop* where it stands; *larger* is what signs are that have a size of their own."""
    front, depth = troop.front * frame.scale, troop.depth * frame.scale
    if troop.arm in ("officer", "chief"):
        return _flag(troop, frame, ids, larger)
    if troop.arm in _SMALL:
        return _small(troop, frame, ids, larger)
    if len(troop.trail) > 1:
        return _column(troop, frame, front, ids)
    wide, high = _size(troop, front, depth)
    x, y = frame.at(troop.at)
    turn = math.radians(troop.bearing)
    middle = (x - math.sin(turn) * high / 2, y + math.cos(turn) * high / 2)
    right, left = (_corner(troop, wide, high, frame, hand) for hand in (1, -1))
    css, inner, badge = (
        _css(troop),
        _DRAWN[troop.arm](troop, wide, high, ids),
        _badge(troop, right) + letter(troop.side, ids, left, 0.8),
    )
    svg = f'<g class="{css}"><g transform="translate({xy((x, y))}) rotate({troop.bearing})">{inner}</g>{badge}</g>'
    across = (wide * abs(math.cos(turn)) + high * abs(math.sin(turn))) / 2 + 1
    down = (wide * abs(math.sin(turn)) + high * abs(math.cos(turn))) / 2 + 1
    box = _with_badge(troop, right, centred(middle, 2 * across, 2 * down))
    upright = f'<g class="{css}">{inner}</g>' if troop.arm != "unknown" else ""
    return Drawn(troop, middle, box, svg, upright, badge and f'<g class="{css}">{badge}</g>')


def _css(troop: Troop) -> str:
    age = "" if troop.certainty == "now" else " pl-hollow" if troop.own else f" pl-{troop.certainty}"
    return troop.side + age


def _size(troop: Troop, front: float, depth: float) -> XY:
    """How wide and deep a sign is: that of its ground, or as much as can be seen."""
    match troop.arm:
        case "guns":
            return max(front, troop.parts * (GUN[0] + GAP) - GAP), GUN[1]
        case "skirmish":
            return max(front, troop.parts * MAN), max(depth, 4.0)
        case "limbered":
            return max(front, GUN[0]), max(depth, troop.ranks * 9.0)
        case "unknown":
            return max(front, UNKNOWN[0]), max(depth, UNKNOWN[1])
    return max(front, LEAST[0]), max(depth, LEAST[1])


def _fill(troop: Troop, ids: str) -> tuple[str, str]:
    """Solid for the first side, each other by its pattern."""
    return filled(troop.side, ids)


def _parts(troop: Troop, wide: float, high: float) -> Iterator[Rect]:
    """The blocks of a body, its front edge on top at 0."""
    across = (wide + GAP) / max(troop.parts, 1)
    down = (high + GAP) / max(troop.ranks, 1)
    for rank in range(max(troop.ranks, 1)):
        for part in range(max(troop.parts, 1)):
            left, top = -wide / 2 + part * across, rank * down
            yield (left, top, left + across - GAP, top + down - GAP)


def _block(troop: Troop, box: Rect, ids: str) -> str:
    """One block, its front on top."""
    css, fill = _fill(troop, ids)
    left, top, right, bottom = box
    slant = f"M{xy((left, top))}L{xy((right, bottom))}"
    drawn = rect("pl-plain", box)
    if troop.arm == "cavalry":
        drawn += path(css, f"M{xy((left, top))}V{n(bottom)}H{n(right)}z", fill) + path("pl-half", slant)
    elif troop.arm == "train":
        drawn += path("pl-half", f"{slant}M{xy((left, bottom))}L{xy((right, top))}")
    else:
        light = path("light", f"M{xy((left, (top + bottom) / 2))}H{n(right)}")
        drawn += rect(css, box, fill) + (light if troop.arm == "jaeger" else "")
    # A pale line behind the front shows it in a solid block too.
    parted = path("pl-parted", f"M{xy((left, top + 2.2))}H{n(right)}") if bottom - top > 8 else ""
    return drawn + parted + path("pl-front", f"M{xy((left, top))}H{n(right)}")


def _blocks(troop: Troop, wide: float, high: float, ids: str) -> str:
    return "".join(_block(troop, box, ids) for box in _parts(troop, wide, high))


def _unknown(troop: Troop, wide: float, high: float, _ids: str) -> str:
    """A block of what nobody can tell, with its question upright."""
    upright = f' transform="translate(0 {n(high / 2)}) rotate({-troop.bearing})"'
    box = (-wide / 2, 0.0, wide / 2, high)
    block = rect("pl-plain", box) + rect("tint full pl-unsure", box)
    return f"{block}<g{upright}>{text('?', (0, 3.9), 'pl-letter')}</g>"


def _guns(troop: Troop, wide: float, _high: float, _ids: str) -> str:
    """A gun for each part: barrel to the front, axle, wheels."""
    count = max(troop.parts, 1)
    pitch = (wide - GUN[0]) / max(count - 1, 1)
    start = -(count - 1) * pitch / 2
    guns = (
        f"M{xy((start + i * pitch, 0))}v11M{xy((start + i * pitch - 3, 6))}h6"
        f"M{xy((start + i * pitch - 3, 3.6))}v5M{xy((start + i * pitch + 3, 3.6))}v5"
        for i in range(count)
    )
    return path("pl-gun", "".join(guns))


def _limbered(troop: Troop, _wide: float, high: float, _ids: str) -> str:
    """Guns behind their limbers, one behind the other."""
    each = high / max(troop.ranks, 1)
    pieces = (
        f"M-2 {n(i * each + 0.5)}h4v2.6h-4zM0 {n(i * each + 3)}V{n(i * each + each - 1)}"
        f"M-3 {n(i * each + each * 0.6)}h6M-3 {n(i * each + each * 0.6 - 1.8)}v3.6"
        f"M3 {n(i * each + each * 0.6 - 1.8)}v3.6"
        for i in range(max(troop.ranks, 1))
    )
    return path("pl-gun", "".join(pieces))


def _skirmishers(troop: Troop, wide: float, high: float, _ids: str) -> str:
    """A chain of men."""
    count = max(troop.parts, 2)
    pitch = (wide - MAN) / (count - 1)
    dots = (
        f'<circle class="pl-man" cx="{n(-wide / 2 + MAN / 2 + i * pitch)}" cy="{n(1.9 + (i % 2) * min(high - 3, 3))}" '
        'r="1.8"/>'
        for i in range(count)
    )
    return "".join(dots)


_DRAWN: dict[str, Callable[[Troop, float, float, str], str]] = {
    "infantry": _blocks,
    "jaeger": _blocks,
    "cavalry": _blocks,
    "train": _blocks,
    "guns": _guns,
    "limbered": _limbered,
    "skirmish": _skirmishers,
    "unknown": _unknown,
}


def _column(troop: Troop, frame: Frame, front: float, ids: str) -> Drawn:
    """The blocks of a column, each where its part of the way is."""
    points = frame.line(troop.trail)
    whole = sum(math.dist(a, b) for a, b in pairwise(points))
    count = max(troop.parts, 1)
    wide = min(max(front, 7.0), 10.5)
    long = max(whole / count, 7.0)
    drawn, boxes = [], []
    for i in range(count):
        (x, y), (ux, uy) = _along(points, i * long)
        turn = math.degrees(math.atan2(-ux, uy))
        deep = max(long - GAP, 6.0)
        inner = _DRAWN[troop.arm](_one(troop), wide, deep, ids)
        drawn.append(f'<g transform="translate({xy((x, y))}) rotate({n(turn)})">{inner}</g>')
        boxes.append(square((x + ux * deep / 2, y + uy * deep / 2), deep / 2 + 2))
    box = union(*boxes)
    middle = _along(points, count * long / 2)[0]
    tail = (box[2], box[3])
    marked = _badge(troop, tail) + letter(troop.side, ids, (box[0], box[1]), 0.8)
    svg = f'<g class="{_css(troop)}">{"".join(drawn)}{marked}</g>'
    return Drawn(troop, middle, _with_badge(troop, tail, box), svg)


def _one(troop: Troop) -> Troop:
    return Troop(troop.arm, troop.side, troop.at, certainty=troop.certainty, own=troop.own)


def _along(points: Sequence[XY], far: float) -> tuple[XY, XY]:
    """The place *far* along a line, and the way it runs there; beyond its end it goes straight on."""
    for i in range(len(points) - 1):
        (ax, ay), (bx, by) = points[i], points[i + 1]
        long = math.dist(points[i], points[i + 1]) or 1e-9
        run = ((bx - ax) / long, (by - ay) / long)
        if far < long or i == len(points) - 2:
            return (ax + run[0] * far, ay + run[1] * far), run
        far -= long
    return points[0], (0.0, 1.0)


BADGE = 7.0
"""Pixels from the middle of a badge to its edge."""

LETTER = 5.4
"""Pixels of each letter that a badge has beyond two: it is longer by them."""


def _corner(troop: Troop, wide: float, high: float, frame: Frame, hand: int) -> XY:
    """The right rear corner of a body, where its badge is; by *hand* -1 the left one, where its letter is."""
    x, y = frame.at(troop.at)
    turn = math.radians(troop.bearing)
    across, down = (wide / 2 + 1) * hand, high + 1
    return (x + across * math.cos(turn) - down * math.sin(turn), y + across * math.sin(turn) + down * math.cos(turn))


def _badge(troop: Troop, at: XY) -> str:
    if not troop.badge:
        return ""
    x, y = at
    half = _half(troop)
    disc = f'<circle class="pl-badge" cx="{n(x)}" cy="{n(y)}" r="{n(BADGE)}"/>'
    if half > BADGE:
        disc = (
            f'<rect class="pl-badge" x="{n(x - half)}" y="{n(y - BADGE)}" width="{n(2 * half)}" '
            f'height="{n(2 * BADGE)}" rx="{n(BADGE)}"/>'
        )
    return disc + text(troop.badge, (x, y + 3.6), "pl-letter")


def _half(troop: Troop) -> float:
    """Half of the width of a badge."""
    return BADGE + max(len(troop.badge) - 2, 0) * LETTER / 2


def _with_badge(troop: Troop, at: XY, box: Rect) -> Rect:
    if not troop.badge:
        return box
    return union(box, centred(at, 2 * _half(troop), 2 * BADGE))


_PENNANT = "M0 -19l14 4.5 -14 4.5z"
_SWALLOWTAIL = "M0 -19h15l-4 4.5 4 4.5h-15z"


def _flag(troop: Troop, frame: Frame, ids: str, larger: float) -> Drawn:
    """A flag whose foot is where its bearer stands, with paper round it: it may stand on his troops.

    One that is only believed there is an outline, so that what is under it is seen.
    """
    x, y = frame.at(troop.at)
    shape = _SWALLOWTAIL if troop.arm == "chief" else _PENNANT
    css, fill = _fill(troop, ids)
    if troop.certainty == "now":
        disc = '<circle class="disc" cx="5.5" cy="-14.5" r="2.3"/>' if troop.arm == "chief" else ""
        flag = (
            f"{path('pl-halo', f'M0 0V-19{shape}')}{path('staff', 'M0 0V-19')}{path(f'{css} edge', shape, fill)}{disc}"
        )
    else:
        flag = path("pl-flag", f"M0 0V-19{shape}")
    svg = (
        f'<g class="{_css(troop)}"><g transform="translate({xy((x, y))}){_scaled(larger)}">{flag}'
        f'<circle class="pl-head" cx="0" cy="0" r="2.4"/>{letter(troop.side, ids, (-5, -14), 0.8)}</g></g>'
    )
    box = (x - 3 * larger, y - 20 * larger, x + 16 * larger, y + 3 * larger)
    return Drawn(troop, (x + 5 * larger, y - 14 * larger), box, svg)


def _scaled(larger: float) -> str:
    return "" if larger == 1.0 else f" scale({larger:g})"


_HORSE = "M-2.8 3.6L0 -.8L2.8 3.6M-2.8 -2.4L0 -.8L2.4 -3.6"
_SMALL = {
    "patrol": (path("pl-plain", "M0 -6L6 0L0 6L-6 0z") + path("tint full", "M0 -6L6 0L0 6L-6 0z"), 6.5),
    "rider": (f'<circle class="pl-scout" r="6"/>{path("pl-horse1", _HORSE)}', 6.5),
    "trace": ('<circle class="pl-trace" r="2.2"/>', 3.0),
}
"""Signs of one size, and half of what they take."""


def _small(troop: Troop, frame: Frame, ids: str, larger: float) -> Drawn:
    """A patrol, a rider, or what is left of an old sighting; smaller if nobody is to be told from the others."""
    x, y = frame.at(troop.at)
    larger *= 1.0 if troop.label or troop.arm == "trace" else NAMELESS
    sign, half = _SMALL[troop.arm]
    own = letter(troop.side, ids, (half, -half), 0.75 / larger) if troop.arm != "trace" else ""
    svg = f'<g class="{_css(troop)}"><g transform="translate({xy((x, y))}){_scaled(larger)}">{sign}{own}</g></g>'
    return Drawn(troop, (x, y), square((x, y), half * larger), svg)
