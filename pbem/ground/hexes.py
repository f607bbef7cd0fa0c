"""Hexes that stand on a point: names, neighbours, distances, rings, lines, and the sides between them.

A hex is written by its column and row, two digits each: `2504`.  Columns run east, rows south; the even rows lie
half a hex further east.  That text is the hex itself, so that a state, an order and a log say the same; its order
as text is the order of the hex numbers, by which ties are broken.

Directions are `NE E SE SW W NW`, clockwise from north, and whatever lists hexes round a hex lists them so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NewType

Hex = NewType("Hex", str)
"""`2504`"""
Hexside = NewType("Hexside", str)
"""The side between two neighbours, the lower number first: `2306|2405`.

A river lies along it; a rail or road link crosses it and goes by the same name.
"""

DIRECTIONS = ("NE", "E", "SE", "SW", "W", "NW")
STEPS: tuple[Mapping[str, tuple[int, int]], Mapping[str, tuple[int, int]]] = (
    {"NE": (1, -1), "E": (1, 0), "SE": (1, 1), "SW": (0, 1), "W": (-1, 0), "NW": (0, -1)},
    {"NE": (0, -1), "E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)},
)
"""Change of column and row by direction: from an even row, and from an odd one."""
OPPOSITE = {"NE": "SW", "E": "W", "SE": "NW", "SW": "NE", "W": "E", "NW": "SE"}

LAST = 99
"""The last column and the last row that a name can tell."""

_HEX = re.compile(r"(\d\d)\s*[.,:/-]?\s*(\d\d)|(\d{1,2})\s*[.,:/-]\s*(\d{1,2})")

Cube = tuple[int, int, int]


@cache
def hex_at(column: int, row: int) -> Hex:
    """The hex at *column* and *row*, both from 1 to `LAST`.

    :raises ValueError: beyond that there is no name.
    """
    if not (1 <= column <= LAST and 1 <= row <= LAST):
        raise ValueError(f"no hex has column {column} and row {row}: both run from 1 to {LAST}")
    return Hex(f"{column:02}{row:02}")


def parse_hex(text: str) -> Hex | None:
    """Read `2504`, `25.04`, `25-04`, `25 04` or `5.1`; None if it is no hex of any board.

    >>> parse_hex(" 25.04 "), parse_hex("5.1"), parse_hex("504")
    ('2504', '0501', None)
    """
    found = _HEX.fullmatch(text.strip())
    if not found:
        return None
    column, row = int(found[1] or found[3]), int(found[2] or found[4])
    return hex_at(column, row) if column and row else None


@cache
def place(at: Hex) -> tuple[int, int]:
    """Column and row of a hex.

    >>> place(Hex("0518"))
    (5, 18)
    """
    return int(at[:2]), int(at[2:])


@cache
def cube(at: Hex) -> Cube:
    """The three axes of a hex; they add up to 0, and a step changes two of them by one."""
    column, row = place(at)
    across = column - (row + row % 2) // 2
    return across, row, -across - row


def _uncubed(across: int, row: int) -> tuple[int, int]:
    """Column and row, whether or not there is such a hex."""
    return across + (row + row % 2) // 2, row


def _named(places: Iterable[tuple[int, int]]) -> tuple[Hex, ...]:
    return tuple(hex_at(*at) for at in places if 1 <= at[0] <= LAST and 1 <= at[1] <= LAST)


def distance(one: Hex, other: Hex) -> int:
    """The steps from one to the other over open ground.

    >>> distance(Hex("2105"), Hex("2305"))
    2
    """
    (a, b, c), (d, e, f) = cube(one), cube(other)
    return max(abs(a - d), abs(b - e), abs(c - f))


@cache
def beyond(at: Hex, way: str) -> Hex | None:
    """The next hex in a direction; None where no name is left."""
    column, row = place(at)
    across, down = STEPS[row % 2][way]
    return next(iter(_named([(column + across, row + down)])), None)


@cache
def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The up to six neighbours, clockwise from north.

    >>> neighbours(Hex("2306"))
    ('2405', '2406', '2407', '2307', '2206', '2305')
    """
    return tuple(to for way in DIRECTIONS if (to := beyond(at, way)))


@cache
def direction(start: Hex, end: Hex) -> str | None:
    """The direction of a step to a neighbour; None if it is no neighbour."""
    return next((way for way in DIRECTIONS if beyond(start, way) == end), None)


def are_neighbours(one: Hex, other: Hex) -> bool:
    """Whether two hexes share a side."""
    return distance(one, other) == 1


@cache
def ring(at: Hex, far: int) -> tuple[Hex, ...]:
    """The hexes exactly *far* steps away, clockwise from the north-west corner; the hex itself if *far* is 0."""
    if far == 0:
        return (at,)
    across, row, _ = cube(at)
    # From the north-west corner, along each of the six sides in turn.
    x, y = across, row - far
    places = []
    for dx, dy in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        for _ in range(far):
            places.append(_uncubed(x, y))
            x, y = x + dx, y + dy
    return _named(places)


@cache
def within(at: Hex, far: int) -> tuple[Hex, ...]:
    """The hexes at most *far* steps away, the hex itself among them, the nearer rings first."""
    return tuple(one for step in range(far + 1) for one in ring(at, step))


@cache
def hexside(one: Hex, other: Hex) -> Hexside:
    """The side between two neighbours.

    :raises ValueError: they are none.

    >>> hexside(Hex("2405"), Hex("2306"))
    '2306|2405'
    """
    if not are_neighbours(one, other):
        raise ValueError(f"{one} and {other} share no side")
    return Hexside(f"{min(one, other)}|{max(one, other)}")


@cache
def sides(border: Hexside) -> tuple[Hex, Hex]:
    """The two hexes of a hexside, the lower number first."""
    return Hex(border[:4]), Hex(border[5:])


def frontiers(owners: Mapping[Hex, str]) -> tuple[Hexside, ...]:
    """The sides between neighbours of different owners, the lowest first."""
    across = {hexside(at, to) for at in owners for to in neighbours(at) if owners.get(to, owners[at]) != owners[at]}
    return tuple(sorted(across))


def linked(links: Iterable[Hexside]) -> dict[Hex, tuple[Hex, ...]]:
    """Where one can go from each hex along *links*, clockwise from north: a railway for `path.flood`."""
    ends: dict[Hex, set[Hex]] = {}
    for link in links:
        one, other = sides(link)
        ends.setdefault(one, set()).add(other)
        ends.setdefault(other, set()).add(one)
    return {at: tuple(to for to in neighbours(at) if to in ends[at]) for at in sorted(ends)}


class Board:
    """The bounds of a board: first and last column, first and last row."""

    def __init__(self, columns: tuple[int, int], rows: tuple[int, int]) -> None:
        self.columns, self.rows = columns, rows
        names = [
            hex_at(column, row) for column in range(columns[0], columns[1] + 1) for row in range(rows[0], rows[1] + 1)
        ]
        there = frozenset(names)
        self._neighbours = {at: tuple(to for to in neighbours(at) if to in there) for at in names}
        self._within: dict[tuple[Hex, int], tuple[Hex, ...]] = {}

    def __iter__(self) -> Iterator[Hex]:
        """Every hex, the lowest number first."""
        return iter(self._neighbours)

    def __len__(self) -> int:
        return len(self._neighbours)

    def __contains__(self, at: object) -> bool:
        return at in self._neighbours

    def neighbours(self, at: Hex) -> tuple[Hex, ...]:
        """The up to six neighbours on the board, clockwise from north."""
        return self._neighbours[at]

    def step(self, at: Hex, way: str) -> Hex | None:
        """The next hex in a direction; None off the board."""
        to = beyond(at, way)
        return to if to in self._neighbours else None

    def within(self, at: Hex, far: int) -> tuple[Hex, ...]:
        """The hexes of the board at most *far* steps away, the nearer rings first."""
        found = self._within.get((at, far))
        if found is None:
            found = tuple(one for one in within(at, far) if one in self._neighbours)
            self._within[at, far] = found
        return found
