"""A march as ordered: the manoeuvres before it, its steps, its end, and the room that it finds there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.orders.prose import counted
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.bodies import Body
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.streams import Bank
from pbem.systems.st_privat.march.formation import joins_line
from pbem.systems.st_privat.march.retreat import OFF
from pbem.systems.st_privat.march.steps import Hindrance, Step, Terms, Walk, advance, allowance, begin, ends, is_quarter
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.pieces import Facing, Formation, Place

WHOLE = -1
"""Where a hindrance concerns the order and no square of its path."""


class March(Struct, frozen=True, dict=True):
    """What a body does of its order."""

    terms: Terms
    walk: Walk
    points: int
    """Its allowance."""
    cost: int
    facing: Facing | None
    formation: Formation
    place: Place
    limbers: bool = False
    unlimbers: Facing | None = None
    exits: bool = False
    pays_ford: bool = False
    """Pays for the far bank in the stream square, and stops there."""
    stop: Hindrance | None = None
    """Why it ends before its order does."""
    at: int = WHOLE
    """The square of the order's path that it was barred from, counted from 0."""
    barred: Square | None = None
    """That square."""

    @property
    def body(self) -> Body:
        """Who marches."""
        return self.terms.body

    @cached_property
    def path(self) -> tuple[Square, ...]:
        """The squares, the start first."""
        return ends(self.walk.steps, self.body.square)

    @property
    def end(self) -> Square:
        """The last square on the board."""
        return self.path[-1]

    @property
    def bank(self) -> Bank | None:
        """The bank that it stands on at the end."""
        if not self.pays_ford or self.walk.bank is None:
            return self.walk.bank
        return "south" if self.walk.bank == "north" else "north"

    @property
    def refusal(self) -> Hindrance | None:
        """What makes the order unlawful by what is known."""
        return self.stop if self.stop is not None and self.stop.refuses else None


def _no(why: str, *rules: str) -> Hindrance:
    return Hindrance("move_shortened", why, rules, refuses=True)


@rule("SP-MOV-05", "SP-MOV-06", "SP-MOV-08", "SP-FOR-04", "SP-TER-06")
def terms_of(field: Field, body: Body, order: say.Move, *, reforms: bool) -> tuple[Terms, Facing | None] | Hindrance:
    """What comes before the first step, and at which rate the body then marches.

    Leaving a building, limbering up, turning and regrouping cost a point each.  Any change of formation, at
    the start, at the end or by joining a line (*reforms*), makes the line rate count for the whole turn.
    """
    guns = [piece for piece in body.pieces if piece.id in body.names and piece.crew_id]
    if (order.limber or order.unlimber) and not guns:
        return _no(f"{body.has} no gun to limber or unlimber", "SP-MOV-08")
    before = field.options.building_entry_cost if body.place == "inside" else 0
    if order.limber and guns[0].deployed:
        before += 1
    turned = order.turn or order.face or order.turns
    if body.arm == "general" and turned:
        return _no(f"{body} is a general and faces nowhere", "SP-MOV-06")
    facing = body.facing
    if order.turn and order.turn != facing:
        before, facing = before + 1, order.turn
    formation: Formation = "column" if body.arm == "column" else "line"
    wanted = (order.form, order.form_at_end)
    if any(wanted) and not body.is_infantry:
        return _no(f"{body.has} no formation to change", "SP-FOR-01")
    if "column" in wanted and len(body.pieces) == 1:
        return _no(f"{body} alone is no column: a column is two stands or more", "SP-FOR-01")
    changes = reforms or (order.form_at_end or order.form or formation) != formation
    if order.form and order.form != formation:
        before, formation, changes = before + 1, order.form, True
    changes = changes or (order.place == "inside" and formation == "column")
    rate = "line" if body.on_foot and changes else body.arm
    return Terms(body, rate, formation == "column", before), facing


class _Walked(NamedTuple):
    """The steps of a path as far as nothing bars them."""

    walk: Walk
    stop: Hindrance | None = None
    """Why they end before the path does."""
    at: int = WHOLE
    """The square of the path that was barred, counted from 0."""


def _walked(field: Field, terms: Terms, facing: Facing | None, order: say.Move, path: Sequence[Square]) -> _Walked:
    turns = {turn.square: turn.facing for turn in order.turns}
    walk = begin(terms, facing)
    for index, square in enumerate(path):
        if walk.end is not None:
            return _Walked(walk, walk.end, index)
        after = advance(field, terms, walk, square)
        if isinstance(after, Hindrance):
            return _Walked(walk, after, index)
        wanted = turns.get(square)
        if wanted is not None and not is_quarter(after.facing, wanted):
            why = f"at {square} a turn is of 90 degrees: not from {after.facing} to {wanted}"
            return _Walked(after, _no(why, "SP-MOV-06"), index)
        walk = after if wanted is None else replace(after, facing=wanted)
    return _Walked(walk)


def march(
    field: Field, body: Body, order: say.Move, path: Sequence[Square], *, reforms: bool = False, whole: bool = True
) -> March:
    """What a body does of a path.

    *path* is the order's, or the beginning of it if not *whole*: then neither building nor exit is reached.
    """
    begun = terms_of(field, body, order, reforms=reforms)
    if isinstance(begun, Hindrance):
        return _unmoved(field, Terms(body, body.arm), order, 0, begun)
    terms, facing = begun
    squares = (*path, OFF) if order.exit and whole else tuple(path)
    walked = _walked(field, terms, facing, order, squares)
    walk = walked.walk
    points = allowance(field, terms.rate, body.square, walk.steps[0].end if walk.steps else None) or 0
    after = 1 if order.unlimber and walked.stop is None else 0
    fitting = [steps for steps, cost in enumerate((terms.before, *walk.costs)) if cost + after <= points]
    if not fitting:
        why = f"{body.has} {counted(points, 'point')} this turn; what is to be done before a step costs more"
        return _unmoved(field, terms, order, points, _no(why, "SP-MOV-06", "SP-MOV-01"))
    if fitting[-1] < len(walk.steps):
        far = walk.steps[-1].end
        where = "off the board" if far == OFF else f"to {far}"
        why = f"{body.has} {counted(points, 'point')} this turn; {where} the way costs {walk.costs[-1] + after}"
        short = march(field, body, order, path[: fitting[-1]], reforms=reforms, whole=False)
        return replace(short, stop=_no(why, *_rules_of_cost(terms, walk.steps[fitting[-1]])), at=fitting[-1])
    ended = _ended(field, terms, walked, order, points, whole=whole and walked.stop is None)
    return replace(ended, barred=squares[walked.at] if walked.at != WHOLE else None)


def _unmoved(field: Field, terms: Terms, order: say.Move, points: int, why: Hindrance) -> March:
    still = Terms(terms.body, terms.rate)
    return _ended(field, still, _Walked(begin(still, terms.body.facing), why), order, points, whole=False)


def _rules_of_cost(terms: Terms, dear: Step) -> tuple[str, ...]:
    """By which rule a march has too few points for a step."""
    if dear.wall is not None:
        return ("SP-TER-04", "SP-MOV-01")
    if dear.fords:
        return ("SP-TER-05", "SP-MOV-01")
    if terms.body.arm == "column" and terms.rate == "line":
        return ("SP-FOR-04", "SP-MOV-01")
    return ("SP-MOV-01", "SP-MOV-02")


def _ended(field: Field, terms: Terms, walked: _Walked, order: say.Move, points: int, *, whole: bool) -> March:
    """The end of a march: what is done in the last square."""
    body, (walk, stop, at) = terms.body, walked
    formation: Formation = "column" if terms.column else "line"
    cost = walk.costs[-1] if walk.steps else walk.spent
    exits = whole and order.exit and bool(walk.steps) and walk.steps[-1].end == OFF
    place: Place = order.place if whole else "outside" if walk.steps else body.place
    if order.form_at_end:
        formation = order.form_at_end
    facing = walk.facing
    turned_there = any(turn.square == walk.at for turn in order.turns)
    if order.face and walk.steps and order.face != facing:
        if turned_there or not is_quarter(facing, order.face):
            stop = stop or _no(f"in {walk.at} one turn of 90 degrees is free, and no more", "SP-MOV-06")
        else:
            facing = order.face
    if place == "inside" and walk.steps and (closed := _no_entry(field, body, walk.at)):
        stop, place = stop or closed, "outside"
    unlimbers = order.unlimber if order.unlimber and cost + 1 <= points else None
    pays = False
    if stop is not None and stop.reason == "ford" and not body.on_foot and cost + field.options.ford_cost <= points:
        cost, pays = cost + field.options.ford_cost, True
    return March(
        terms=terms,
        walk=walk,
        points=points,
        cost=cost + (1 if unlimbers else 0),
        facing=unlimbers or facing,
        formation="line" if place == "inside" else formation,
        place=place,
        limbers=order.limber and any(piece.deployed for piece in body.pieces) and (stop is None or not stop.refuses),
        unlimbers=unlimbers,
        exits=exits,
        pays_ford=pays,
        stop=stop,
        at=at,
    )


@rule("SP-TER-06", "SP-CAP-05")
def _no_entry(field: Field, body: Body, at: Square) -> Hindrance | None:
    """Why a body cannot go into the building of a square."""
    if field.building(at) is None:
        return _no(f"{at} has no building to go into", "SP-TER-06")
    if body.is_heavy or body.arm == "cavalry":
        return _no("only infantry, crews without their gun and generals go into a building", "SP-TER-06")
    return None


# ------------------------------------------------------------------ room at the end


@rule("SP-CAP-01", "SP-CAP-02", "SP-CAP-03", "SP-CAP-04", "SP-FOR-05")
def room(field: Field, body: Body, trial: March, absent: Collection[str]) -> Hindrance | None:
    """Why a march cannot end where it does, beside those who stand there."""
    if trial.exits or not trial.walk.steps:
        return None
    full = field.no_room(trial.end, [replace(p, place=trial.place) for p in body.pieces], absent)
    return None if full is None else Hindrance("capacity_full", full.why, (full.rule,), refuses=True)


def settled(field: Field, body: Body, order: say.Move, path: Sequence[Square], absent: Collection[str]) -> March:
    """The march that finds room at its end: if need be it ends in the last square of its path that has room.

    A column that would join a line changes its formation, and so goes at the line rate.
    """
    full = _rated(field, body, order, path, absent, whole=True)
    lack = room(field, body, full, absent)
    if lack is None:
        return full
    for count in range(len(full.walk.steps) - 1, -1, -1):
        trial = _rated(field, body, order, path[:count], absent, whole=False)
        if len(trial.walk.steps) == count and room(field, body, trial, absent) is None:
            return replace(trial, stop=lack, at=len(full.walk.steps) - 1)
    return replace(march(field, body, order, (), whole=False), stop=lack, at=len(full.walk.steps) - 1)


def _rated(
    field: Field, body: Body, order: say.Move, path: Sequence[Square], absent: Collection[str], *, whole: bool
) -> March:
    """A march at the rate that its end allows."""
    trial = march(field, body, order, path, whole=whole)
    joins = trial.walk.steps and body.is_infantry and trial.terms.rate == "column"
    away = {*absent, *body.names}
    if not joins or trial.exits or not joins_line(field, trial.end, body.side, trial.place, away):
        return trial
    reformed = march(field, body, order, path, reforms=True, whole=whole)
    if len(reformed.walk.steps) == len(trial.walk.steps) or reformed.stop is None:
        return reformed
    why = f"to join the line at {trial.end} the column changes its formation: {counted(reformed.points, 'point')}"
    lack = _no(why, "SP-FOR-05", "SP-FOR-04")
    for count in range(len(trial.walk.steps) - 1, -1, -1):
        shorter = march(field, body, order, path[:count], whole=False)
        if not joins_line(field, shorter.end, body.side, shorter.place, away):
            return replace(shorter, stop=lack, at=len(trial.walk.steps) - 1)
    return replace(march(field, body, order, (), whole=False), stop=lack, at=len(trial.walk.steps) - 1)
