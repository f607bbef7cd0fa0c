"""Who stands where in a square: inside the house or outside it, side by side, small enough to fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Block, Picture
from pbem.reports.drawing.boxes import area, centred, grown, holds, middle
from pbem.reports.drawing.frame import SQUARE_PX, Frame
from pbem.reports.drawing.signs import UPRIGHT, Sign, sign
from pbem.reports.drawing.svg import XY, Rect, rect, xy
from pbem.reports.drawing.terrain import HUT

GAP = 3.0
"""Pixels between signs in one square."""

SMALLEST = 0.5
"""Signs in a crowded square are drawn no smaller than this."""

_ORDER = {
    "infantry": 0, "jaeger": 0, "cavalry": 0, "gun": 1, "mitrailleuse": 1, "siege_gun": 1, "limber": 2, "crew": 2,
    "card": 3, "own_card": 3, "dummy_card": 4, "general": 5, "chief": 5, "chit": 6, "marker": 6,
    "fleet": 0, "army": 0,
}  # fmt: skip
"""What stands nearest to the enemy, first."""


class Placed(Struct, frozen=True):
    """A block, drawn at its place."""

    block: Block
    at: XY
    box: Rect
    sign: Sign
    scale: float
    under: str = ""
    """What is drawn below it: its house, made larger."""

    @property
    def svg(self) -> str:
        """The sign at its place, with what is under it."""
        size = f" scale({self.scale:.2f})" if self.scale < 1 else ""
        return f'{self.under}<g transform="translate({xy(self.at)}){size}">{self.sign.svg}</g>'


def arrange(picture: Picture, frame: Frame, ids: str) -> list[Placed]:
    """Every block of *picture* at its place; those of one square share it."""
    squares: dict[tuple[int, int], list[Block]] = {}
    step = picture.grid.step if picture.grid else 1
    for block in picture.blocks:
        key = ((block.at[0] - picture.box[0]) // step, (block.at[1] - picture.box[1]) // step)
        squares.setdefault(key, []).append(block)
    placed: list[Placed] = []
    houses = [frame.rect(house.box) for house in picture.houses]
    for key, blocks in squares.items():
        if picture.grid is None:
            placed += _in_the_open(blocks, frame, ids)
        else:
            left = frame.ground[0] + key[0] * SQUARE_PX
            top = frame.ground[1] + key[1] * SQUARE_PX
            square = (left, top, left + SQUARE_PX, top + SQUARE_PX)
            placed += _in_square(tuple(blocks), square, _house(houses, square), frame, ids)
    return placed


def _house(houses: Sequence[Rect], square: Rect) -> Rect | None:
    """The largest house whose middle lies in *square*."""
    return max((box for box in houses if holds(square, middle(box))), key=area, default=None)


def _in_the_open(blocks: Sequence[Block], frame: Frame, ids: str) -> Iterable[Placed]:
    """Ground without squares: each where it is; those on one spot stand behind one another."""
    down = 0.0
    for block in blocks:
        drawn = sign(block, ids)
        x, y = frame.at(block.at)
        yield _put(block, drawn, (x, y + down), 1.0)
        down += drawn.height + GAP


@lru_cache(maxsize=4096)
def _in_square(
    blocks: tuple[Block, ...], square: Rect, house: Rect | None, frame: Frame, ids: str
) -> tuple[Placed, ...]:
    """From picture to picture of a game most squares are as they were: each is arranged once."""
    return tuple(_put_in_square(blocks, square, house, frame, ids))


def _put_in_square(
    blocks: Sequence[Block], square: Rect, house: Rect | None, frame: Frame, ids: str
) -> Iterable[Placed]:
    """A hut is drawn larger when somebody is in it, and is no obstacle when nobody is."""
    inside = [block for block in blocks if block.inside and house]
    outside = [block for block in blocks if not (block.inside and house)]
    drawn_larger = ""
    if house and house[2] - house[0] < HUT:
        house = (square[0] + 9, square[1] + 29, square[2] - 9, square[1] + 56) if inside else None
        drawn_larger = rect("house", house) if house else ""
    if house and inside:
        first, *others = _shelve(
            [_in_one_rank(block) for block in inside],
            grown(house, -2),
            ids,
            at_top=any(block.label for block in inside),
        )
        yield replace(first, under=drawn_larger)
        yield from others
    if not outside:
        return
    if len(outside) == 1 and not house:
        yield _put(outside[0], sign(outside[0], ids), frame.at(outside[0].at), 1.0)
        return
    room = grown(square, -2)
    if house:
        above, below = (room[0], room[1], room[2], house[1] - 1), (room[0], house[3] + 1, room[2], room[3])
        room = max(above, below, key=area)
    yield from _shelve(outside, room, ids, whole=house is None and len(outside) < 3)


def _in_one_rank(block: Block) -> Block:
    """In a house nobody stands in ranks: beside each other they leave room for their label under them."""
    return replace(block, ranks=(tuple(cell for rank in block.ranks for cell in rank),)) if block.ranks else block


def _shelve(
    blocks: Sequence[Block], room: Rect, ids: str, *, whole: bool = False, at_top: bool = False
) -> Iterable[Placed]:
    """In rows, front row first, as large as the room allows; in its middle, or *at_top*."""
    ordered = sorted(blocks, key=lambda block: _ORDER[block.sign])
    signs = [(block, sign(block, ids, whole=whole)) for block in ordered]
    width, height = room[2] - room[0], room[3] - room[1]
    scale = 1.0
    rows = _rows(signs, width)
    while scale > SMALLEST and (_deep(rows) * scale > height or _wide(rows) * scale > width):
        scale -= 0.05
        rows = _rows(signs, width / scale)
    turned = [block.bearing % 360 for block in ordered if block.sign not in UPRIGHT]
    if sum(90 < bearing < 270 for bearing in turned) * 2 > len(turned):
        rows.reverse()
    down = room[1] if at_top else (room[1] + room[3] - _deep(rows) * scale) / 2
    for row in rows:
        high = max(drawn.height for _, drawn in row) * scale
        across = (room[0] + room[2] - _long(row) * scale) / 2
        for block, drawn in row:
            wide = drawn.width * scale
            yield _put(block, drawn, (across + wide / 2, down + high / 2), scale)
            across += wide + GAP * scale
        down += high + GAP * scale


_Row = list[tuple[Block, Sign]]


def _rows(signs: Sequence[tuple[Block, Sign]], width: float) -> list[_Row]:
    rows: list[_Row] = [[]]
    for one in signs:
        if rows[-1] and _long([*rows[-1], one]) > width:
            rows.append([])
        rows[-1].append(one)
    return rows


def _long(row: Sequence[tuple[Block, Sign]]) -> float:
    return sum(drawn.width for _, drawn in row) + GAP * (len(row) - 1)


def _wide(rows: Sequence[_Row]) -> float:
    return max(_long(row) for row in rows)


def _deep(rows: Sequence[_Row]) -> float:
    return sum(max(drawn.height for _, drawn in row) for row in rows) + GAP * (len(rows) - 1)


def _put(block: Block, drawn: Sign, at: XY, scale: float) -> Placed:
    return Placed(block, at, centred(at, drawn.width * scale, drawn.height * scale), drawn, scale)
