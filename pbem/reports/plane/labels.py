"""Labels of bodies on continuous ground: at their sign, or led to it by a line; one list for a heap of signs.

No label covers another or leaves the window.  Who is weightier chooses first, and whoever finds no place has none:
his sign stands, and the tables have the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct, structs

from pbem.ground.picture import SideStyle, Troop
from pbem.reports.drawing.boxes import (  # fmt: skip
    apart,
    area,
    around,
    centred,
    crossed,
    crossing,
    grown,
    meets,
    middle,
    nearest,
    shared,
    sharing,
    touches,
    union,
    within,
)
from pbem.reports.drawing.labels import Obstacles, cheapest, width
from pbem.reports.drawing.svg import XY, Rect, line, n, path, said
from pbem.reports.plane.troops import Drawn


class Sizes(Struct, frozen=True):
    """Sizes of what is written on a map, in pixels."""

    name: float
    note: float
    town: float
    place: float
    old: float
    """Of a label of an old sighting."""
    signs: float = 1.0
    """How much larger signs are drawn that have a size of their own."""


WHOLE = Sizes(11.5, 10.5, 17.0, 12.5, 9.5)
CLOSE = Sizes(16.0, 13.5, 22.0, 16.0, 12.5, 1.25)
"""Of the whole map, and of its enlargement."""

OWN_PERSON, ENEMY_NEAR, OWN, OLD = range(4)
"""Who chooses first."""

ROW = 1.12
"""From one line of a label to the next, by the size of its letters."""

SHORT = 6
"""Letters of a note that stands beside its name."""

LONGEST = 16
"""Letters of a line of a list."""

HEAP = 12.0
"""Pixels between the middles of signs that are one heap."""

COVERED = 0.4
"""What part of a sign another covers that is of one heap with it."""

WIDEST = 84.0
"""Pixels that a heap is wide or high at most."""

LED = 9.0
"""Pixels between a sign and its label from which on a line leads from the one to the other."""

BETWEEN = 4.0
"""Pixels between two labels side by side; one above the other they may come as near as their lines."""

EDGE = 3.0
"""Pixels between a label and the edge of its window."""

NEXT = 8.0
"""Pixels round a sign where a label would be taken for its own."""

CONFUSED = 0.1
"""What each pixel of a label costs that lies there."""

LEADER = 6.0
"""What it costs to need a line."""

CROSSED = 140.0
"""What it costs if the line crosses a label."""

UPON = 70.0
"""What it costs a label to lie on the line of another."""

DEAR = 105.0
"""A label that costs more is joined to that of a neighbour, if it has one within so many pixels."""

NEIGHBOUR = 44.0

OVER = 9.0
"""What it costs if it crosses the sign of another."""

RINGS = (13.0, 24.0, 38.0, 54.0, 74.0, 98.0, 126.0)
"""Pixels from a sign at which places for its label are tried, beyond those beside it."""


class Row(Struct, frozen=True):
    """A line of a label: what is bold, and what follows it."""

    bold: str
    plain: str = ""


class Wanted(Struct, frozen=True):
    """A label that is to be set, and the signs that it is of."""

    side: SideStyle
    rows: tuple[Row, ...]
    signs: tuple[Drawn, ...]
    rank: int


class Tag(Struct, frozen=True):
    """A label at its place: *box* is all of it, *anchor* how its lines stand in it."""

    wanted: Wanted
    box: Rect
    anchor: str
    leader: tuple[XY, XY] | None
    cost: float


# ---- What is to be written ----


def wanted(drawn: Sequence[Drawn]) -> list[Wanted]:
    """The labels of *drawn*, the weightiest first; of signs that lie upon each other one for all."""
    labelled = [one for one in drawn if one.troop.label or one.troop.note]
    made = [_of(heap) for heap in _heaps(labelled)]
    return sorted(made, key=lambda one: one.rank)


def rank(troop: Troop) -> int:
    """How early the label of a body chooses its place."""
    if troop.own:
        return OWN_PERSON if troop.arm in ("officer", "chief") and troop.certainty == "now" else OWN
    return ENEMY_NEAR if troop.certainty in ("now", "recent") else OLD


def _heaps(drawn: Sequence[Drawn]) -> list[list[Drawn]]:
    """Signs of a side and of a rank that lie upon each other, together."""
    heaps: list[tuple[Rect, list[Drawn]]] = []
    for one in drawn:
        for number, (box, heap) in enumerate(heaps):
            both = union(box, one.box)
            if (
                rank(one.troop) != OWN_PERSON
                and (heap[0].troop.side, rank(heap[0].troop)) == (one.troop.side, rank(one.troop))
                and _wide(both) <= WIDEST
                and any(_upon(one, other) for other in heap)
            ):
                heaps[number] = (both, [*heap, one])
                break
        else:
            heaps.append((one.box, [one]))
    return [heap for _, heap in heaps]


def _upon(one: Drawn, other: Drawn) -> bool:
    if math.dist(one.at, other.at) <= HEAP:
        return True
    return shared(one.box, other.box) > COVERED * min(area(one.box), area(other.box))


def _of(heap: Sequence[Drawn]) -> Wanted:
    first = heap[0].troop
    which = rank(first)
    rows = tuple(_single(first)) if len(heap) == 1 else tuple(_list([one.troop for one in heap], old=which == OLD))
    return Wanted(first.side, rows, tuple(heap), which)


def _single(troop: Troop) -> Iterator[Row]:
    if troop.label and len(troop.note) <= SHORT:
        yield Row(troop.label, troop.note)
        return
    if troop.label:
        yield Row(troop.label)
    yield Row("", troop.note)


def _list(troops: Sequence[Troop], *, old: bool) -> Iterator[Row]:
    """The names of a heap, those of one note together; of old sightings nothing but the names."""
    notes: dict[str, list[str]] = {}
    for troop in troops:
        notes.setdefault("" if old else troop.note, []).append(troop.label)
    for note, names in notes.items():
        rows = [names[0]]
        for name in names[1:]:
            if len(rows[-1]) + 1 + len(name) <= LONGEST:
                rows[-1] += f" {name}"
            else:
                rows.append(name)
        yield from (Row(row) for row in rows[:-1])
        yield Row(rows[-1], note)


# ---- Where it is written ----


def placed(labels: Iterable[Wanted], window: Rect, sizes: Sizes, obstacles: Obstacles, taken: list[Rect]) -> list[Tag]:
    """A place for each of *labels* that has one; *taken* is what may not be covered, and grows."""
    labels = list(labels)
    signs = [sign for one in labels for sign in one.signs]
    tags: list[Tag] = []
    for one in labels:
        room = _Room(window, sizes, obstacles, [*taken, *map(_kept, tags)], [tag.leader for tag in tags if tag.leader])
        tag = _best(one, room, signs)
        if tag is None or tag.cost > DEAR:
            joined = _joined(one, tag, tags, taken, room, signs)
            if joined:
                old, tag = joined
                tags.remove(old)
        if tag:
            tags.append(tag)
    taken.extend(map(_kept, tags))
    return tags


def _kept(tag: Tag) -> Rect:
    return (tag.box[0] - BETWEEN, tag.box[1] - 1, tag.box[2] + BETWEEN, tag.box[3] + 1)


class _Room(Struct, frozen=True):
    """What there is when a label is to be set."""

    window: Rect
    sizes: Sizes
    obstacles: Obstacles
    taken: Sequence[Rect]
    lines: Sequence[tuple[XY, XY]]


def _joined(
    one: Wanted, alone: Tag | None, tags: Sequence[Tag], taken: Sequence[Rect], room: _Room, signs: Sequence[Drawn]
) -> tuple[Tag, Tag] | None:
    """A label of *one* and of its neighbour together, and that of the neighbour, if that is cheaper than two."""
    middle = one.signs[0].at
    kin = [
        (far, number)
        for number, tag in enumerate(tags)
        if (tag.wanted.side, tag.wanted.rank) == (one.side, one.rank) and one.rank != OWN_PERSON
        if (far := min(math.dist(sign.at, middle) for sign in tag.wanted.signs)) <= NEIGHBOUR
        and _wide(union(*(sign.box for sign in (*tag.wanted.signs, *one.signs)))) <= WIDEST
    ]
    if not kin:
        return None
    old = tags[min(kin)[1]]
    others = [tag for tag in tags if tag is not old]
    without = structs.replace(
        room, taken=[*taken, *map(_kept, others)], lines=[tag.leader for tag in others if tag.leader]
    )
    both = _best(_of((*old.wanted.signs, *one.signs)), without, signs)
    dear = alone.cost if alone else math.inf
    return (old, both) if both and both.cost < old.cost + dear else None


def _wide(box: Rect) -> float:
    """How wide or high a box is."""
    return max(box[2] - box[0], box[3] - box[1])


def _best(one: Wanted, room: _Room, signs: Sequence[Drawn]) -> Tag | None:
    """The cheapest place of a label, if there is any."""
    own = union(*(sign.box for sign in one.signs))
    wide, high = measured(one.rows, room.sizes, old=one.rank == OLD)
    round_it = grown(own, RINGS[-1] + max(wide, high))
    # No place for it and no line to it leaves this box.
    rivals = [box for box in room.taken if touches(box, round_it)]
    lines = [ends for ends in room.lines if touches(grown(around(ends), 1), round_it)]
    others = [sign.box for sign in signs if sign not in one.signs and touches(sign.box, round_it)]
    strangers = [grown(box, NEXT) for box in others]
    window = grown(room.window, -EDGE)

    def cost(place: tuple[Rect, str], most: float) -> float:
        box, _ = place
        if not within(box, window) or meets(box, rivals):
            return math.inf
        near = sharing(box, strangers) * CONFUSED
        if near < most:
            near += UPON * crossing(lines, box)
        led = tuple(_led(_leader(one.signs, box), most - near)) if near < most else ()
        # What is on the sheet is asked last, for it is much: a hair more, as sums are rounded.
        rest = most - near - sum(led) + 1e-6
        if rest <= 0:
            return math.inf
        cost = near + room.obstacles.cost(box, rest)
        for toll in led:
            cost += toll
        return cost

    def _led(leader: tuple[XY, XY] | None, most: float) -> Iterator[float]:
        """What the line of a label costs, as far as that is of account."""
        if leader is None:
            return
        yield LEADER
        cost = LEADER
        for toll, boxes in ((CROSSED, rivals), (OVER, others)):
            if cost >= most:
                return
            over = toll * crossed(leader, boxes)
            cost += over
            yield over
        if cost < most:
            yield CROSSED * sum([_cross(leader, other) for other in lines])

    found = cheapest(_places(own, wide, high), cost)
    return found and Tag(one, *found[0], _leader(one.signs, found[0][0]), found[1])


def measured(rows: Sequence[Row], sizes: Sizes, *, old: bool) -> XY:
    """How wide and high a label is."""
    name, note = (sizes.old, sizes.old) if old else (sizes.name, sizes.note)
    wide = max(
        width(row.bold, name, bold=True)
        + (width(" ", name) if row.bold and row.plain else 0.0)
        + width(row.plain, note)
        for row in rows
    )
    return wide + 2, name * ROW * len(rows)


_TURNS = tuple((math.sin(math.pi * i / 8), -math.cos(math.pi * i / 8)) for i in range(16))


@cache
def _tolls() -> tuple[tuple[float, float, XY], ...]:
    """What the farther places cost, how far they are, and where, the cheapest first."""
    # To the right, and level, is read best.
    found = [(far * 0.9 + 1.0 - x + abs(y), far, (x, y)) for far in RINGS for x, y in _TURNS]
    return tuple(sorted(found))


def _places(own: Rect, wide: float, high: float) -> Iterator[tuple[float, tuple[Rect, str]]]:
    """Places for a label round signs, the cheapest first."""
    left, top, right, bottom = own
    mid, level = middle(own)
    beside, over, under = level - high / 2, top - high - 2, bottom + 2
    for toll, x, y, anchor in (
        (0.0, right + 4, beside, "start"),
        (0.6, left - 4 - wide, beside, "end"),
        (1.2, mid - wide / 2, under, "middle"),
        (1.6, mid - wide / 2, over, "middle"),
        (2.0, right + 4, under - 5, "start"),
        (2.2, right + 4, over + 5, "start"),
        (2.4, left - 4 - wide, under - 5, "end"),
        (2.6, left - 4 - wide, over + 5, "end"),
        (3.0, left, under, "start"),
        (3.2, right - wide, under, "end"),
        (3.4, left, over, "start"),
        (3.6, right - wide, over, "end"),
    ):
        yield toll, ((x, y, x + wide, y + high), anchor)
    for toll, far, (across, down) in _tolls():
        x = mid + across * ((right - left + wide) / 2 + far)
        y = level + down * ((bottom - top + high) / 2 + far)
        anchor = "start" if across > 0.3 else "end" if across < -0.3 else "middle"
        yield toll, (centred((x, y), wide, high), anchor)


def _leader(signs: Sequence[Drawn], box: Rect) -> tuple[XY, XY] | None:
    """The line from a label to the nearest of its signs, if it stands away from them."""
    sign = min(signs, key=lambda one: (apart(one.box, box), math.dist(one.at, nearest(box, one.at))))
    if apart(sign.box, box) <= LED:
        return None
    return nearest(box, sign.at), sign.at


def _cross(one: tuple[XY, XY], other: tuple[XY, XY]) -> bool:
    return _side(*one, other[0]) * _side(*one, other[1]) < 0 and _side(*other, one[0]) * _side(*other, one[1]) < 0


def _side(a: XY, b: XY, c: XY) -> float:
    """On which side of a line a point lies, as a sign."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ---- How it is written ----


def leader_sign(tag: Tag) -> str:
    """The thin line from a label to its sign, if it needs one."""
    if tag.leader is None:
        return ""
    start, end = tag.leader
    drawn = path("pl-lead0", line((start, end))) + path("pl-lead", line((start, end)))
    dot = f'<circle class="pl-lead1" cx="{n(end[0])}" cy="{n(end[1])}" r="1.7"/>'
    return f'<g class="{tag.wanted.side}">{drawn}{dot}</g>'


def tag_sign(tag: Tag, sizes: Sizes) -> str:
    """A label, line by line."""
    old = tag.wanted.rank == OLD
    step = (sizes.old if old else sizes.name) * ROW
    x = {"start": tag.box[0] + 1, "middle": (tag.box[0] + tag.box[2]) / 2, "end": tag.box[2] - 1}[tag.anchor]
    rows = []
    for i, row in enumerate(tag.wanted.rows):
        css = "pl-name" if row.bold else "pl-when"
        plain = f' <tspan class="pl-when">{said(row.plain)}</tspan>' if row.bold and row.plain else ""
        words = f"{said(row.bold)}{plain}" if row.bold else said(row.plain)
        y = tag.box[1] + step * (i + 0.82)
        rows.append(f'<text class="{css}" x="{n(x)}" y="{n(y)}" text-anchor="{tag.anchor}">{words}</text>')
    return f'<g class="{tag.wanted.side}{" pl-faint" if old else ""}">{"".join(rows)}</g>'
