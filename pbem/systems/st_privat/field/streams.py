"""Streams: the two banks of a square, and what it takes to come from one to the other (SP-TER-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from pbem.ground.square import OPPOSITE, Square, direction, offset, place
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.scene.scene import Ground
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import FRENCH

Bank = Literal["north", "south"]

RING = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The sides and corners of a square, clockwise."""


@rule("SP-TER-05")
def banks(ground: Ground) -> Mapping[Bank, tuple[str, ...]]:
    """The sides and corners of a stream square by bank; a spring has one bank, the north one.

    `north` is the arc that holds the north side; where the water runs through that, the arc without the
    south side.

    >>> banks(Ground(stream="ew"))["south"], banks(Ground(stream="ne"))["north"], banks(Ground(stream="w"))["south"]
    (('se', 's', 'sw'), ('ne',), ())
    """
    if len(ground.stream) < 2:
        return {"north": tuple(way for way in RING if way not in ground.stream), "south": ()}
    first, second = sorted(RING.index(way) for way in ground.stream)
    within, around = RING[first + 1 : second], RING[second + 1 :] + RING[:first]
    wanted, other = (within, around) if "n" in within else (around, within)
    if "n" in ground.stream and "s" in wanted:
        wanted, other = other, wanted
    return {"north": wanted, "south": other}


@rule("SP-TER-05")
def runs_through(ground: Ground, way: str) -> bool:
    """Whether the water runs through a side of a square; through a corner it never does.

    >>> [runs_through(Ground(stream="sw"), way) for way in ("s", "w", "sw")]
    [True, True, False]
    """
    return way in tuple(ground.stream)


@rule("SP-TER-05")
def is_two_banked(ground: Ground) -> bool:
    """Whether a square has water with two banks: a stream, no spring."""
    return len(ground.stream) > 1


def home_bank(field: Field, at: Square, side: Role) -> Bank | None:
    """The bank on which a piece of *side* is set up: the one nearer its own table edge; None off the water."""
    if not field.ground(at).stream:
        return None
    return "south" if side == FRENCH else "north"


@rule("SP-TER-05")
def bank_entered(field: Field, start: Square, end: Square, bank: Bank | None) -> Bank | None:
    """The bank on which a unit stands after a step; along the water it keeps its bank; None off the water."""
    ground = field.ground(end)
    if not ground.stream:
        return None
    if not is_two_banked(ground):
        _, north = offset(end, start)
        return bank if north == 0 and bank is not None else "north" if north >= 0 else "south"
    side = direction(end, start)
    if side is None or runs_through(ground, side):
        return bank or ("north" if place(start)[1] >= place(end)[1] else "south")
    arcs = banks(ground)
    return "north" if side in arcs["north"] else "south"


def bank_at_end(field: Field, path: Sequence[Square], bank: Bank | None) -> Bank | None:
    """The bank on which a unit stands at the end of a path that it began on *bank*."""
    for start, end in pairwise(path):
        bank = bank_entered(field, start, end, bank)
    return bank


@rule("SP-TER-05")
def is_wet(field: Field, start: Square, end: Square) -> bool:
    """Whether a step ends in the water of a stream, and not on the road of its bridge."""
    return is_two_banked(field.ground(end)) and not (field.road_step(start, end) and field.has_bridge(end))


def ford_at_end(field: Field, path: Sequence[Square], *, on_foot: bool) -> Patch:
    """How those stand who end a path that way: men on foot wait in the water, beside a bridge others owe the ford."""
    wet = len(path) > 1 and is_wet(field, path[-2], path[-1])
    owed = wet and not on_foot and field.has_bridge(path[-1])
    return Patch(ford_wait=0 if wet and on_foot else None, ford_owed=owed)


@rule("SP-TER-05")
def is_crossing(field: Field, start: Square, end: Square, bank: Bank | None, *, on_road: bool) -> bool:
    """Whether a step out of a stream square leaves it by the far bank, and not over a bridge or along the water.

    Over the bridge goes who stands on its road (*on_road*); who came off the road to the bank beside it does not.
    """
    ground = field.ground(start)
    if not is_two_banked(ground):
        return False
    side = direction(start, end)
    if side is None or runs_through(ground, side) or (on_road and field.road_step(start, end)):
        return False
    return bank is not None and side not in banks(ground)[bank]


@rule("SP-TER-05")
def is_along(field: Field, start: Square, end: Square) -> bool:
    """Whether a step follows the water from one stream square to the next."""
    side = direction(start, end)
    if side is None:
        return False
    return runs_through(field.ground(start), side) and runs_through(field.ground(end), OPPOSITE[side])
