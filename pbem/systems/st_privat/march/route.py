"""The way to a square: the cheapest path by what is known (`move UNITS to SQ`)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import ORTHOGONAL, STEPS, Square, direction, distance, offset, place
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.bodies import Body
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.march import steps
from pbem.systems.st_privat.march.march import terms_of
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.pieces import ENEMY, Facing

FAR = 1000
"""More squares than any way has."""


class Route(Struct, frozen=True):
    """A path, the start left out, and the turns that a column makes on it."""

    path: tuple[Square, ...]
    turn: Facing | None = None
    """Before the first step."""
    turns: tuple[say.TurnAt, ...] = ()


class _Trail(Struct, frozen=True):
    """A route in the making."""

    walk: steps.Walk
    route: Route
    way: str | None = None
    """The direction of the last step."""
    bends: int = 0

    def key(self) -> tuple[object, ...]:
        """What of a trail decides how it can go on."""
        walk = self.walk
        return (walk.at, walk.facing, self.way, walk.bank, walk.cost, min(walk.run, 2), walk.saved, not walk.steps)


class _Ahead(NamedTuple):
    """A step that might be taken next."""

    trail: _Trail
    end: Square
    way: str
    bends: int
    """Those of the trail and of the step."""


Step_ = Callable[[Field, steps.Terms, _Trail, steps.Walk, Square], steps.Walk | None]


@rule("SP-MOV-03", "SP-MOV-05")
def route(field: Field, body: Body, order: say.Move, goal: Square) -> Route | None:
    """The path with the fewest squares, then the fewest turns, then the lowest file, then the lowest row.

    A path that gets there this turn, without being stopped on the way, goes before one that does not.  Squares
    that show cards are avoided, the goal excepted.
    """
    begun = terms_of(field, body, order, reforms=False)
    if isinstance(begun, steps.Hindrance) or goal == body.square or field.bars(goal, body.side):
        return None
    terms, facing = begun
    start = _Trail(steps.begin(terms, facing), Route(()))
    rows = charts.MOVEMENT[terms.rate]
    most = (rows[0] or 0) + rows[3]
    found = None
    if distance(body.square, goal) <= most:
        found = _search(field, terms, order, start, goal, _this_turn(order, goal), most)
    return found or _search(field, terms, order, start, goal, _some_turn, FAR)


def _search(
    field: Field, terms: steps.Terms, order: say.Move, start: _Trail, goal: Square, take: Step_, most: int
) -> Route | None:
    """The best route of *most* squares at most, by steps that one may *take*."""
    heap: list[tuple[int, int, tuple[tuple[int, int], ...], int]] = []
    ahead: list[_Ahead] = []
    done: set[tuple[object, ...]] = set()
    trail: _Trail | None = start
    while True:
        if trail is not None and trail.walk.at == goal and trail.route.path:
            return trail.route
        if trail is not None and (key := trail.key()) not in done:
            done.add(key)
            gone = tuple(map(place, trail.route.path))
            for one in _onward(field, terms, trail, goal):
                squares = len(gone) + 1 + _at_least(terms, one.end, goal)
                if squares <= most:
                    bends = one.bends + _bends_at_least(one, goal)
                    heapq.heappush(heap, (squares, bends, (*gone, place(one.end)), len(ahead)))
                    ahead.append(one)
        if not heap:
            return None
        # A step is tried only when it is the best that there is: most are never asked for.
        trail = _taken(field, terms, order, ahead[heapq.heappop(heap)[3]], take)


def _at_least(terms: steps.Terms, at: Square, goal: Square) -> int:
    """Squares that are certainly left to go."""
    x, y = offset(at, goal)
    return abs(x) + abs(y) if terms.column else max(abs(x), abs(y))


def _bends_at_least(ahead: _Ahead, goal: Square) -> int:
    """Bends that are certainly left to make after a step: none if the goal lies straight ahead."""
    x, y = offset(ahead.end, goal)
    if x and y and abs(x) != abs(y):
        return 1
    return int(((x > 0) - (x < 0), (y > 0) - (y < 0)) not in ((0, 0), STEPS[ahead.way]))


def _onward(field: Field, terms: steps.Terms, trail: _Trail, goal: Square) -> Iterator[_Ahead]:
    """The steps that one may try at the end of a trail."""
    before, enemy = trail.way or (trail.walk.facing if terms.column else None), ENEMY[terms.body.side]
    for end in field.scene.board.neighbours(trail.walk.at):
        way = direction(trail.walk.at, end)
        if way is not None and (end == goal or not field.cards(end, enemy)):
            yield _Ahead(trail, end, way, trail.bends + (way != (before or way)))


def _taken(field: Field, terms: steps.Terms, order: say.Move, ahead: _Ahead, take: Step_) -> _Trail | None:
    """A trail with one more step; None if that cannot be taken."""
    turned = _facing_for(terms, order, ahead.trail, ahead.way)
    walk = None if turned is None else take(field, terms, ahead.trail, turned.walk, ahead.end)
    if turned is None or walk is None:
        return None
    route = turned.route
    return _Trail(walk, Route((*route.path, ahead.end), route.turn, route.turns), ahead.way, ahead.bends)


def _facing_for(terms: steps.Terms, order: say.Move, trail: _Trail, way: str) -> _Trail | None:
    """A trail with its column turned for a step: for a point at the start, a quarter for nothing later."""
    walk = trail.walk
    if not terms.column or walk.facing == way:
        return trail
    facing: Facing | None = next((one for one in ("n", "e", "s", "w") if one == way and way in ORTHOGONAL), None)
    if facing is None:
        return None
    if not walk.steps:
        if order.turn:
            return None
        return replace(trail, walk=replace(walk, facing=facing, spent=walk.spent + 1), route=Route((), turn=facing))
    if not steps.is_quarter(walk.facing, facing):
        return None
    turns = (*trail.route.turns, say.TurnAt(facing, walk.at))
    return replace(trail, walk=replace(walk, facing=facing), route=replace(trail.route, turns=turns))


def _this_turn(order: say.Move, goal: Square) -> Step_:
    """Steps that can be made this turn."""

    def take(field: Field, terms: steps.Terms, trail: _Trail, walk: steps.Walk, end: Square) -> steps.Walk | None:
        if walk.end is not None:
            return None
        points = steps.allowance(field, terms.rate, terms.body.square, walk.steps[0].end if walk.steps else end) or 0
        # What is left costs a point a square at least, and the road saves what it saves but once.
        left, bonus = points - _at_least(terms, end, goal) - bool(order.unlimber), charts.MOVEMENT[terms.rate][3]
        if walk.spent + 1 - bonus > left:
            return None
        after = steps.advance(field, terms, walk, end)
        if isinstance(after, steps.Hindrance):
            return None
        return after if after.spent - (after.saved if end == goal else bonus) <= left else None

    return take


def _some_turn(field: Field, terms: steps.Terms, trail: _Trail, walk: steps.Walk, end: Square) -> steps.Walk | None:
    """Steps that can be made at all, in whatever number of turns."""
    if steps.barred(field, terms, walk, end):
        return None
    return steps.Walk(end, walk.facing, None, 0, (steps.Step(walk.at, end, 1),))
