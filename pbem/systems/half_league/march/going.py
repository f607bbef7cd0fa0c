"""Whoever goes anywhere goes through here: who sees it, and whom it rides down on the way (HL-MOV-12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.ground.bearing import bearing_of
from pbem.ground.body import Body, away
from pbem.ground.plane import Point, bearing, distance, line, near, reaches, shifted, widened
from pbem.ground.way import steps
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import CONTACT, INCH, LEADER_RIDES_BACK
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.patches import LeaderPatch
from pbem.systems.half_league.world.pieces import ENEMY, SCALE, Leader, Unit

STEP = INCH // 2
"""How far apart the places are at which a unit on its way is looked at."""


def goes(play: Play, fact: Fact, name: str, path: Sequence[Point], *, kept: bool = False) -> None:
    """Take it into the record that a unit went along *path*, its facing *kept* or turned to each piece of it.

    Lone leaders of the enemy whom it touches on the way ride back.
    """
    play.went(fact, name)
    unit, body = play.unit(name), play.field.body(play.unit(name))
    west, south, east, north = widened(line((*path, unit.front)).box, body.front + body.depth + CONTACT)
    beside = [one for _, one in _lone(play) if west <= one.front.x <= east and south <= one.front.y <= north]
    if unit.there and any(leader.side != unit.side for leader in beside):
        for body in _bodies(play.field, unit, path, kept=kept):
            _ride_down(play, unit, body)


def _bodies(field: Field, unit: Unit, path: Sequence[Point], *, kept: bool) -> Iterator[Body]:
    """The ground that a unit covered, step by step, and last where it stands."""
    for a, b in pairwise(path):
        for _, at in steps((a, b), STEP):
            yield field.formed(unit, unit.formation, at, unit.bearing if kept else bearing(a, b))
    yield field.body(unit)


def _lone(play: Play) -> list[tuple[str, Leader]]:
    return [(name, one) for name, one in sorted(play.battle.leaders.items()) if not one.attached_to and not one.fallen]


def _ride_down(play: Play, unit: Unit, body: Body) -> None:
    for name, leader in _lone(play):
        if leader.side != unit.side and reaches(leader.front, body.shape, CONTACT):
            _back(play, name, leader, [body])


@rule("HL-MOV-12")
def ride_back(play: Play) -> None:
    """A lone leader whom an enemy touches rides back."""
    for name, leader in _lone(play):
        spot = line((leader.front, leader.front))
        foes = [unit for unit in play.battle.of(ENEMY[leader.side]) if near(play.field.shape(unit), spot, CONTACT)]
        if foes:
            _back(play, name, leader, [play.field.body(one) for one in foes])


@rule("HL-MOV-12")
def _back(play: Play, name: str, leader: Leader, foes: Sequence[Body]) -> None:
    way = away(leader.front, [one.middle for one in foes])
    if way is None:
        way = bearing_of(0, 1 if play.scene.edges[leader.side] == "north" else -1)
    there = shifted(leader.front, way, LEADER_RIDES_BACK)
    last = Point(min(max(there.x, 0), play.scene.width), min(max(there.y, 0), play.scene.height))
    end = SCALE.on_grid(last)
    play.add(
        o.LeaderMoved(
            rules=cited("HL-MOV-12"),
            side=leader.side,
            leader=name,
            start=leader.front,
            end=end,
            walked=LEADER_RIDES_BACK if last == there else distance(leader.front, end),
            back=True,
            leaders={name: LeaderPatch(front=end)},
        )
    )
