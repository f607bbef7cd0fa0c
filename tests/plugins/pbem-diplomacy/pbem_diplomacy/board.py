"""The board: its provinces, what borders on what, and by which way a convoy may go."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.names import Role
from pbem.rules.ledger import rule

Kind = Literal["A", "F"]
"""An army or a fleet, as orders have it."""

Place = str
"""A province as orders call it, `bre`; for a fleet on one of several coasts with the coast, `spa/nc`."""

Point = tuple[int, int]


class Province(Struct, frozen=True, kw_only=True):
    """A province as the map has it."""

    name: str
    kind: Literal["land", "coast", "sea"]
    at: Point
    """The middle of its name."""
    stand: Point
    """Where a unit stands."""
    centre: Point | None = None
    """Where its supply centre is."""
    home: Role | None = None
    """Whose home the centre is."""
    coasts: Mapping[str, Point] = {}
    """Coasts that are told apart, and where a fleet lies on each."""
    also: tuple[str, ...] = ()
    """What else it is called in orders."""
    rings: tuple[tuple[Point, ...], ...] = ()


class Board(Struct, frozen=True, kw_only=True):
    """The provinces, and where armies and fleets get in a turn."""

    provinces: Mapping[str, Province]
    army: Mapping[str, tuple[str, ...]]
    """For each province those next to it by land."""
    fleet: Mapping[Place, tuple[Place, ...]]
    """For each place at sea or on a coast those next to it by water."""
    shores: Mapping[str, tuple[str, ...]]
    """For each province the seas on its coasts, or next to it."""
    near: Mapping[str, tuple[str, ...]]
    """For each province those next to it, by land or by water."""

    @property
    def centres(self) -> tuple[str, ...]:
        """The provinces with a supply centre."""
        return tuple(key for key, province in self.provinces.items() if province.centre)


def province_of(place: Place) -> str:
    """The province in which a place lies."""
    return place[:3]


def coast_of(place: Place) -> str:
    """The coast that a place names; empty: none."""
    return place[4:]


def board_of(
    provinces: Mapping[str, Province],
    by_land: Collection[tuple[str, str]],
    by_water: Collection[tuple[Place, Place]],
) -> Board:
    """The board on which armies pass some borders and fleets others; both are passed either way."""
    army = {key: _other(by_land, key) for key, one in provinces.items() if one.kind != "sea"}
    fleet = {place: _other(by_water, place) for place in sorted({place for pair in by_water for place in pair})}
    seas = {key for key, one in provinces.items() if one.kind == "sea"}
    water = {key: _provinces(fleet, key) for key in provinces}
    return Board(
        provinces=provinces,
        army=army,
        fleet=fleet,
        shores={key: tuple(one for one in water[key] if one in seas) for key in provinces},
        near={key: tuple(sorted({*water[key], *army.get(key, ())})) for key in provinces},
    )


def _other(pairs: Collection[tuple[str, str]], key: str) -> tuple[str, ...]:
    return tuple(sorted({b if a == key else a for a, b in pairs if key in (a, b)}))


def _provinces(fleet: Mapping[Place, tuple[Place, ...]], key: str) -> tuple[str, ...]:
    ends = (end for place, ends in fleet.items() if province_of(place) == key for end in ends)
    return tuple(sorted({province_of(end) for end in ends}))


# ------------------------------------------------------------------ where a unit gets


@rule("DP-MAP-01")
def next_to(board: Board, kind: Kind, at: Place) -> tuple[Place, ...]:
    """The places that a unit reaches from where it is, without a convoy."""
    return board.army.get(province_of(at), ()) if kind == "A" else board.fleet.get(at, ())


@rule("DP-SUP-01")
def may_help(board: Board, kind: Kind, at: Place, province: str) -> bool:
    """Whether a unit could itself go to a province, to any of its coasts, and so may support there."""
    return province in map(province_of, next_to(board, kind, at))


@rule("DP-MAP-02")
def coasts_reached(board: Board, kind: Kind, at: Place, province: str) -> tuple[Place, ...]:
    """The places of a province that a unit reaches: for a fleet it may be one coast or another."""
    return tuple(place for place in next_to(board, kind, at) if province_of(place) == province)


# ------------------------------------------------------------------ over the sea


@rule("DP-CON-01")
def sails(board: Board, start: str, end: str, fleets: Collection[str]) -> bool:
    """Whether fleets in these seas reach, one by the other, from the coast of a province to that of another."""
    if board.provinces[end].kind != "coast" or start == end:
        return False
    goal = board.shores[end]
    front = [sea for sea in board.shores[start] if sea in fleets]
    seen = set(front)
    while front:
        sea = front.pop()
        if sea in goal:
            return True
        new = [one for one in board.shores[sea] if one in fleets and one not in seen]
        seen.update(new)
        front += new
    return False


@rule("DP-CON-02")
def carries(board: Board, fleet: str, start: str, end: str, fleets: Collection[str]) -> bool:
    """Whether a fleet is of use for a convoy: on some way over these seas none of whose fleets can be left out."""
    return any(fleet in way for way in _ways(board, start, end, fleets))


def _ways(board: Board, start: str, end: str, fleets: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The ways over the sea without a detour: of their fleets none but the next lies beside the one before."""
    first = [sea for sea in board.shores[start] if sea in fleets]
    stack: list[tuple[tuple[str, ...], set[str]]] = [((sea,), {*first} - {sea}) for sea in first]
    while stack:
        way, closed = stack.pop()
        here = board.shores[way[-1]]
        if way[-1] in board.shores[end]:
            yield way
            continue
        onward = [one for one in here if one in fleets and one not in closed and one not in way]
        stack += [((*way, one), closed | {*onward}) for one in onward]
