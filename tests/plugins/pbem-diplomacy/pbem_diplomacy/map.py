"""The map as it is drawn in `map.toml`: every border once, from which the outlines of provinces are put together."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

from msgspec import Struct, convert
from msgspec.structs import replace

from pbem.rules.files import shipped
from pbem_diplomacy.board import Board, Place, Point, Province, board_of, coast_of, province_of

Line = tuple[Point, ...]


class Sheet(Struct, frozen=True, kw_only=True):
    """`map.toml`."""

    box: tuple[int, int, int, int]
    provinces: dict[str, Province]
    closed: dict[str, str]
    """What nobody enters, and its name."""
    army: tuple[str, ...]
    """Which borders armies pass: `bre-par`."""
    fleet: tuple[str, ...]
    """Which borders fleets pass: `mao-spa/nc`."""
    lines: dict[str, tuple[Line, ...]]
    """Of each border its lines, from crossing to crossing; `bre-` is the edge of the map."""
    islands: tuple[Line, ...]
    """Land that counts for nothing."""


def outline(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The rings that lines make which meet at their ends.

    :raises ValueError: if an end meets no other.
    """
    left, rings = list(lines), []
    while left:
        ring = list(left.pop(0))
        while ring[0] != ring[-1]:
            for number, line in enumerate(left):
                if ring[-1] in (line[0], line[-1]):
                    onward = line if line[0] == ring[-1] else line[::-1]
                    ring += onward[1:]
                    del left[number]
                    break
            else:
                raise ValueError(f"nothing goes on from {ring[-1]}")
        rings.append(tuple(ring[:-1]))
    return tuple(rings)


def lines_of(sheet: Sheet, key: str) -> list[Line]:
    """The lines that bound a province."""
    return [
        line for border, lines in sheet.lines.items() if key in map(province_of, border.split("-")) for line in lines
    ]


def drawn(sheet: Sheet) -> Board:
    """The board of a map."""
    provinces = {key: replace(one, rings=outline(lines_of(sheet, key))) for key, one in sorted(sheet.provinces.items())}
    return board_of(provinces, _pairs(sheet.army), _pairs(sheet.fleet))


def _pairs(borders: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for one, _, other in (border.partition("-") for border in borders)]


def _read() -> Sheet:
    return convert(tomllib.loads(shipped(__package__ or "", "map.toml")), Sheet)


SHEET = _read()
BOARD = drawn(SHEET)
CLOSED: Mapping[str, tuple[Line, ...]] = {key: outline(lines_of(SHEET, key)) for key in SHEET.closed}
"""The outlines of what nobody enters."""

COASTS = {"nc": ("north coast", "n coast"), "sc": ("south coast", "s coast"), "ec": ("east coast", "e coast")}
"""What a coast is called."""


def at_length(place: Place) -> str:
    """A place as it is called: `Spain (south coast)`."""
    coast, name = coast_of(place), BOARD.provinces[province_of(place)].name
    return f"{name} ({COASTS[coast][0]})" if coast else name


def spoken(place: Place) -> str:
    """The same in a sentence: `the North Sea`."""
    sea = BOARD.provinces[province_of(place)].kind == "sea"
    return f"the {at_length(place)}" if sea else at_length(place)
