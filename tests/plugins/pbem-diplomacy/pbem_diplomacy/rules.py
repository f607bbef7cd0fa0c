"""The rules beside the adjudication of moves: retreats, centres, builds, disorder, victory."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem_diplomacy.board import Board, Kind, Place, next_to, province_of
from pbem_diplomacy.judge import Unit
from pbem_diplomacy.state import Europe, own, standing


@rule("DP-RET-01")
def retreats(board: Board, europe: Europe, name: str) -> tuple[Place, ...]:
    """The places to which a dislodged unit may go: next to it, empty, not contested, and not whence it was attacked."""
    unit, there = europe.units[name], standing(europe)
    closed = {*europe.contested, europe.dislodged[name].whence}
    return tuple(
        place
        for place in next_to(board, unit.kind, unit.at)
        if province_of(place) not in there and province_of(place) not in closed
    )


@rule("DP-ORD-01")
def is_own(unit: Unit | None, side: Role) -> bool:
    """Whether a power may order what stands in a place."""
    return unit is not None and unit.side == side


@rule("DP-CEN-01")
def taken(board: Board, europe: Europe) -> dict[str, Role]:
    """The centres that change hands when the autumn is over: who stands in one takes it."""
    return {
        at: unit.side
        for at, unit in sorted(standing(europe).items())
        if board.provinces[at].centre and europe.owners.get(at) != unit.side
    }


@rule("DP-BLD-01")
def room(europe: Europe, side: Role) -> int:
    """How many units a power may build, by its centres; below 0, how many it must remove."""
    return europe.vp[side] - len(own(europe, side))


@rule("DP-BLD-02")
def sites(board: Board, europe: Europe, side: Role) -> tuple[str, ...]:
    """The provinces in which a power may build: centres that are its home, that it holds, and that are empty."""
    there = standing(europe)
    return tuple(
        key
        for key, province in board.provinces.items()
        if province.home == side == europe.owners.get(key) and key not in there
    )


@rule("DP-BLD-03")
def fits(board: Board, kind: Kind, place: Place) -> bool:
    """Whether such a unit can be in a place: an army in no sea and on no coast, a fleet where there is water."""
    return place in (board.army if kind == "A" else board.fleet)


def builds(board: Board, europe: Europe, side: Role) -> int:
    """How many units a power can build now."""
    return max(0, min(room(europe, side), len(sites(board, europe, side))))


@rule("DP-CIV-01")
def surplus(board: Board, europe: Europe, side: Role, gone: Collection[str] = ()) -> tuple[str, ...]:
    """The units that a power loses if it does not say which; *gone* it has named itself.

    Those farthest from its centres go first; of those as far fleets before armies; then by the names of provinces.
    """
    goals = _goals(board, europe, side)
    left = {name: unit for name, unit in own(europe, side).items() if name not in gone}

    def rank(name: str) -> tuple[int, bool, str]:
        unit = left[name]
        at = province_of(unit.at)
        return -_distance(board, at, goals), unit.kind == "A", board.provinces[at].name

    return tuple(sorted(left, key=rank)[: max(0, -room(europe, side) - len(gone))])


@rule("DP-CIV-02")
def _goals(board: Board, europe: Europe, side: Role) -> frozenset[str]:
    """The centres to which distances are counted: those that the power holds, or its home, as is agreed."""
    if europe.options.removals == "home":
        return frozenset(key for key, province in board.provinces.items() if province.home == side)
    return frozenset(key for key, holder in europe.owners.items() if holder == side)


def _distance(board: Board, start: str, goals: Collection[str]) -> int:
    """Moves from a province to the nearest of others, over land and water alike."""
    seen, front, moves = {start}, [start], 0
    while front and not seen & {*goals}:
        front = sorted({one for at in front for one in board.near[at]} - seen)
        seen.update(front)
        moves += 1
    return moves


@rule("DP-END-01")
def winner(europe: Europe) -> Role | None:
    """Who has won: whoever has as many centres as it takes, and more than any other."""
    first, second, *_ = [*sorted(europe.vp.values(), reverse=True), 0, 0]
    if first < europe.options.victory or first == second:
        return None
    return next(side for side, held in europe.vp.items() if held == first)


@rule("DP-END-02")
def is_last(europe: Europe) -> bool:
    """Whether the game ends with this year, whoever has won."""
    return europe.year >= europe.options.last_year


def out(europe: Europe) -> Sequence[Role]:
    """The powers that have neither a unit nor a centre."""
    return tuple(side for side, held in europe.vp.items() if not held and not own(europe, side))
