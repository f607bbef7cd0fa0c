"""Brigadiers and army commanders ride, attach and leave (HL-MOV-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from pbem.ground.plane import Point, bearing, distance, dot, gap, near, shifted
from pbem.ground.way import steps
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.sight import in_sight
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import ATTACH_WITHIN, INCH, LEADER_GAP, REINFORCE_BEYOND, TENTH
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import Stopped
from pbem.systems.half_league.world.patches import LeaderPatch
from pbem.systems.half_league.world.pieces import SCALE, Leader

LeaderAct = say.Ride | say.Attach | say.Detach


@rule("HL-MOV-12", "HL-MOV-02")
def ride(field: Field, leader: Leader, to: Point, far: int, barred: Sequence[tuple[str, int]]) -> tuple[Point, Stopped]:
    """Where a leader comes who rides straight to a place, *far* at most; *barred*: enemies and how near he may come."""
    way, whole = bearing(leader.front, to), distance(leader.front, to)
    shapes = [(field.shape(field.unit(name)), least) for name, least in barred]
    at, gone = leader.front, 0
    while gone < whole:
        step = min(TENTH, whole - gone)
        if gone + step > far:
            return at, "dice"
        there = shifted(leader.front, way, gone + step)
        for shape, least in shapes:
            if near(dot(there), shape, least - 1):
                now, then = gap(dot(at), shape), gap(dot(there), shape)
                if then.number * now.by < now.number * then.by or not then.number:
                    return at, "enemy"
        at, gone = there, gone + step
    return at, "destination"


def _throw(play: Play, name: str, purpose: str = "leader_move") -> Throw:
    count = play.scene.charts.movement["leader"]["alone"]["open"]
    return play.throw(purpose, name, count=count)


@rule("HL-MOV-12", "HL-CMD-10", "HL-CMD-12")
def lead(play: Play, name: str) -> None:
    """A leader's turn in the Move phase."""
    leader = play.leader(name)
    if leader.fallen:
        return
    sent = [
        (role, order)
        for role in play.orders
        for order in play.orders[role]
        if isinstance(order, LeaderAct) and order.leader == name
    ]
    if not sent:
        return
    role, order = sent[-1]
    match order:
        case say.Detach():
            _detach(play, role, order)
        case say.Attach():
            _attach(play, role, order)
        case say.Ride():
            _ride(play, role, order)
        case _:
            assert_never(order)


def _detach(play: Play, role: Role, order: LeaderAct) -> None:
    leader = play.leader(order.leader)
    if not leader.attached_to:
        play.came_of(role, order, "not carried out", "not_attached")
        return
    _leave(play, leader)
    play.came_of(role, order, "done")


def _leave(play: Play, leader: Leader) -> None:
    if leader.attached_to:
        patch = LeaderPatch(attached_to="", attached_since_start_of_turn=False)
        play.add(
            o.LeaderAttached(
                rules=cited("HL-MOV-12"),
                side=leader.side,
                leader=leader.id,
                before=leader.attached_to,
                leaders={leader.id: patch},
            )
        )


def _foes(play: Play, leader: Leader) -> list[tuple[str, int]]:
    return [(unit.id, LEADER_GAP) for unit in play.field.enemies(leader.side)]


def _ride(play: Play, role: Role, order: say.Ride) -> None:
    leader = play.leader(order.leader)
    _leave(play, leader)
    throw = _throw(play, leader.id)
    _went(play, leader, order.to, throw, _foes(play, leader))
    _answered(play, role, order, leader, order.to)


def _answered(
    play: Play, role: Role, order: say.Ride | say.Reinforce, before: Leader, to: Point, unit: str = ""
) -> None:
    """Say what became of a ride: he is there, or on the way, or where he was."""
    now = play.leader(before.id).front
    done, moved = now == SCALE.on_grid(to), now != before.front
    reason = "" if done or moved else "no_way"
    play.came_of(role, order, "done" if done else "in part" if moved else "not carried out", reason, unit)


def _went(
    play: Play,
    leader: Leader,
    to: Point,
    throw: Throw,
    barred: Sequence[tuple[str, int]],
    rule_id: str = "HL-MOV-12",
    *,
    met: bool = False,
) -> None:
    at, stopped = ride(play.field, leader, to, sum(throw.faces) * INCH, barred)
    end = SCALE.on_grid(at)
    play.add(
        o.LeaderMoved(
            rules=cited(rule_id, "HL-MOV-12"),
            dice=(throw,),
            side=leader.side,
            leader=leader.id,
            start=leader.front,
            end=end,
            natural=throw.faces,
            walked=distance(leader.front, at),
            stopped_by="enemy" if met else stopped,
            leaders={leader.id: LeaderPatch(front=end)},
        )
    )


@rule("HL-MOV-12")
def _attach(play: Play, role: Role, order: say.Attach) -> None:
    """Ride to a unit, and attach to it if he comes within an inch of it."""
    leader, unit = play.leader(order.leader), play.battle.units.get(order.unit)
    if unit is None or not unit.there:
        play.came_of(role, order, "not carried out", "gone", order.unit)
        return
    if leader.attached_to == unit.id:
        play.came_of(role, order, "done", "", order.unit)
        return
    _leave(play, leader)
    found = gap(play.field.shape(unit), dot(leader.front))
    throw = _throw(play, leader.id)
    if found.far - ATTACH_WITHIN > sum(throw.faces) * INCH:
        _went(play, leader, found.here, throw, _foes(play, leader))
        play.came_of(role, order, "in part", "", order.unit)
        return
    play.add(
        o.LeaderMoved(
            rules=cited("HL-MOV-12"),
            dice=(throw,),
            side=leader.side,
            leader=leader.id,
            start=leader.front,
            end=unit.front,
            natural=throw.faces,
            walked=max(found.far - ATTACH_WITHIN, 0),
            stopped_by="destination",
            leaders={leader.id: LeaderPatch(front=unit.front)},
        ),
        o.LeaderAttached(
            rules=cited("HL-MOV-12"),
            side=leader.side,
            leader=leader.id,
            unit=unit.id,
            leaders={leader.id: LeaderPatch(attached_to=unit.id, front=unit.front)},
        ),
    )
    play.came_of(role, order, "done", "", order.unit)


# ------------------------------------------------------------------ reinforcement


@rule("HL-REI-01", "HL-LOS-01")
def _watchful(
    play: Play, leader: Leader, to: Point, far: int, barred: Sequence[tuple[str, int]]
) -> tuple[Point, Sequence[tuple[str, int]], bool]:
    """Where a leader rides, who bars it, and whether somebody who came into sight ends it there.

    Enemies that come into sight on the way count from there on.
    """
    field, least = play.field, REINFORCE_BEYOND
    hidden = [one for one in field.enemies(leader.side) if one.id not in {name for name, _ in barred}]
    end, _ = ride(field, leader, to, far, barred)
    for _, at in steps((leader.front, end), INCH) if end != leader.front else ():
        for foe in [one for one in hidden if in_sight(field, at, None, one)]:
            if near(dot(at), field.shape(foe), least - 1):
                # It was nearer than 40 inches already when it came into sight.
                return at, barred, True
            hidden.remove(foe)
            barred = (*barred, (foe.id, least))
    return to, barred, False


@rule("HL-REI-01", "HL-MOV-12")
def reinforces(play: Play, role: Role, order: say.Reinforce, barred: Sequence[str], least: int) -> None:
    """A leader's reinforcement move."""
    leader = play.leader(order.unit)
    shapes = [play.field.shape(play.unit(one)) for one in barred]
    near_one = any(near(dot(leader.front), shape, least) for shape in shapes)
    reason = "fallen" if leader.fallen else "with_unit" if leader.attached_to else ""
    if reason or near_one:
        play.failed(role, order, reason or "near_enemy", leader.id, "HL-REI-01")
        return
    throw = _throw(play, leader.id, "leader_reinforce")
    if order.far is not None:
        whole = distance(leader.front, order.to)
        if whole > order.far:
            order = replace(order, to=shifted(leader.front, bearing(leader.front, order.to), order.far))
    to, against, met = _watchful(play, leader, order.to, sum(throw.faces) * INCH, [(one, least) for one in barred])
    _went(play, leader, to, throw, against, "HL-REI-01", met=met)
    _answered(play, role, order, leader, order.to, leader.id)
