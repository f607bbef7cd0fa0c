"""A board of squares: names, neighbours, distances, edges, and the squares that a line crosses.

A square is written by its file letter and row number, `J-10`; files run east from A, rows north from 1.
Directions are `n e s w` and `ne se sw nw`; north is towards the higher rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NewType

Square = NewType("Square", str)
"""`J-10`"""
Edge = NewType("Edge", str)
"""The border of two orthogonal neighbours, the lower file or row first: `H-9|H-10`."""

ORTHOGONAL = ("n", "e", "s", "w")
STEPS: dict[str, tuple[int, int]] = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
"""Change of file and row, by direction, clockwise from north."""
OPPOSITE = {"n": "s", "s": "n", "e": "w", "w": "e", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw"}
BEARING = {"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315}
"""Degrees clockwise from north."""

_SQUARE = re.compile(r"((?a:[a-z]))-?0*(\d{1,2})", re.IGNORECASE)


def square(file: int, row: int) -> Square:
    """The square at *file* and *row*, both from 1."""
    return Square(f"{chr(ord('A') + file - 1)}-{row}")


def parse_square(text: str) -> Square | None:
    """Read `J-10`, `J10` or `j10`; None if it is no square of any board."""
    found = _SQUARE.fullmatch(text.strip())
    return square(ord(found[1].upper()) - ord("A") + 1, int(found[2])) if found and int(found[2]) else None


@cache
def place(at: Square) -> tuple[int, int]:
    """File and row of a square, both from 1.

    >>> place(Square("J-10"))
    (10, 10)
    """
    return ord(at[0]) - ord("A") + 1, int(at[2:])


def offset(start: Square, end: Square) -> tuple[int, int]:
    """Files and rows from *start* to *end*."""
    (x0, y0), (x1, y1) = place(start), place(end)
    return x1 - x0, y1 - y0


def distance(one: Square, other: Square) -> int:
    """The larger of file and row difference (Chebyshev).

    >>> distance(Square("A-1"), Square("D-3"))
    3
    """
    x, y = offset(one, other)
    return max(abs(x), abs(y))


@cache
def direction(start: Square, end: Square) -> str | None:
    """The direction of a step to an adjacent square; None if it is not adjacent."""
    step = offset(start, end)
    return next((name for name, way in STEPS.items() if way == step), None)


@cache
def is_diagonal(start: Square, end: Square) -> bool:
    """Whether two squares differ in file and in row."""
    x, y = offset(start, end)
    return x != 0 and y != 0


@cache
def beyond(at: Square, way: str) -> Square | None:
    """The next square in a direction, on a board without end to north and east; None off the other edges."""
    (x, y), (dx, dy) = place(at), STEPS[way]
    return square(x + dx, y + dy) if x + dx >= 1 and y + dy >= 1 and x + dx <= 26 else None


@cache
def edge(one: Square, other: Square) -> Edge:
    """The border of two orthogonal neighbours.

    >>> edge(Square("H-10"), Square("H-9"))
    'H-9|H-10'
    """
    first, second = sorted((one, other), key=place)
    return Edge(f"{first}|{second}")


@cache
def sides(border: Edge) -> tuple[Square, Square]:
    """The two squares of an edge."""
    one, other = border.split("|")
    return Square(one), Square(other)


@cache
@cache
def corner_squares(start: Square, end: Square) -> tuple[Square, Square]:
    """The two other squares that touch the corner which a diagonal step crosses."""
    (x0, y0), (x1, y1) = place(start), place(end)
    return square(x1, y0), square(x0, y1)


@cache
@cache
def corner_edges(start: Square, end: Square) -> tuple[Edge, Edge, Edge, Edge]:
    """The four edges that meet at the corner which a diagonal step crosses."""
    one, other = corner_squares(start, end)
    return edge(start, one), edge(start, other), edge(one, end), edge(other, end)


@cache
def crossed(start: Square, end: Square) -> tuple[Square, ...]:
    """The squares whose interior the line between two centres crosses, the ends left out, from *start* on.

    A corner touched is not a crossing.

    >>> crossed(Square("J-10"), Square("H-9"))
    ('I-10', 'I-9')
    """
    (x0, y0), (dx, dy) = place(start), offset(start, end)
    found = []
    for x in range(min(0, dx), max(0, dx) + 1):
        for y in range(min(0, dy), max(0, dy) + 1):
            if (x, y) in ((0, 0), (dx, dy)):
                continue
            # The line crosses the open square iff its corners lie strictly on both sides of it.
            across = [dx * (2 * y + v) - dy * (2 * x + u) for u in (-1, 1) for v in (-1, 1)]
            if min(across) < 0 < max(across):
                found.append((abs(x) + abs(y), x, y))
    return tuple(square(x0 + x, y0 + y) for _, x, y in sorted(found))


class Board:
    """The bounds of a board of *files* by *rows* squares."""

    def __init__(self, files: int, rows: int) -> None:
        self.files, self.rows = files, rows
        self._neighbours = {at: tuple(self._around(at)) for at in self}

    def __iter__(self) -> Iterator[Square]:
        return (square(file, row) for row in range(1, self.rows + 1) for file in range(1, self.files + 1))

    def __contains__(self, at: object) -> bool:
        return at in self._neighbours

    def _around(self, at: Square) -> Iterator[Square]:
        x, y = place(at)
        for dx, dy in STEPS.values():
            if 1 <= x + dx <= self.files and 1 <= y + dy <= self.rows:
                yield square(x + dx, y + dy)

    def neighbours(self, at: Square) -> tuple[Square, ...]:
        """The up to eight neighbours, clockwise from north."""
        return self._neighbours[at]

    def step(self, at: Square, way: str) -> Square | None:
        """The next square in a direction; None off the board."""
        to = beyond(at, way)
        return to if to in self._neighbours else None
