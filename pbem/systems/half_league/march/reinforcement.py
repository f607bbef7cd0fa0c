"""Reinforcement moves: a second move for those who are far from the enemy (HL-REI)."""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, off
from pbem.ground.plane import bearing, distance
from pbem.ground.way import steps
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.plans import Leg, Plan
from pbem.systems.half_league.field.roads import ROAD_FORMATIONS, on_road
from pbem.systems.half_league.field.segments import sequence
from pbem.systems.half_league.field.sight import in_sight
from pbem.systems.half_league.march.going import goes
from pbem.systems.half_league.march.leaders import reinforces
from pbem.systems.half_league.march.movement import moved_fact
from pbem.systems.half_league.march.walking import Walked, dice_count, walk
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import FORWARD, INCH, REINFORCE_BEYOND
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.pieces import ENEMY, Unit


@rule("HL-REI-01")
def barring(play: Play, side: Role) -> list[str]:
    """The enemies that bar a side's reinforcement moves: those it sees, or all by the option `reinforce_scope`."""
    every = play.battle.options.reinforce_scope == "all"
    return [unit.id for unit in (play.battle.of(ENEMY[side]) if every else play.foes_in_sight(side))]


@rule("HL-REI-01", "HL-TRN-02")
def reinforcements(play: Play) -> None:
    """All reinforcement moves that were ordered, in the sequence of the Move phase."""
    first = play.battle.initiative
    sent = play.ordered(say.Reinforce)
    if first is not None and play.battle.flank:
        for number, name in list(sequence(play.field, first, play.battle.flank)):
            play.segment = number
            for role, order in sent:
                if order.unit == name:
                    _reinforce(play, role, order)
    play.segment = 0
    for role, order in sent:
        if order.unit in play.battle.leaders:
            barred = barring(play, play.leader(order.unit).side)
            reinforces(play, role, order, barred, REINFORCE_BEYOND)


@rule("HL-REI-01")
def forbidden(play: Play, unit: Unit) -> str:
    """Why a unit may not make a reinforcement move; empty: it may."""
    if unit.routing:
        return "routing"
    if unit.fired or unit.engaged:
        return "fired_or_fought"
    if unit.chits:
        return "has_chits"
    if play.field.held_back(unit):
        return "reserve_held"
    near = [one for one in barring(play, unit.side) if play.field.within(unit, play.unit(one), REINFORCE_BEYOND)]
    return "near_enemy" if near else ""


def _reinforce(play: Play, role: Role, order: say.Reinforce) -> None:
    unit = play.unit(order.unit)
    if not unit.there:
        return
    if reason := forbidden(play, unit):
        play.failed(role, order, reason, unit.id, "HL-REI-01")
        return
    way, far = bearing(unit.front, order.to), distance(unit.front, order.to)
    if far and off(unit.bearing, way) > FORWARD * DEGREE:
        play.failed(role, order, "too_far_turn", unit.id, "HL-MOV-06")
        return
    road = unit.formation in ROAD_FORMATIONS and on_road(play.field, (unit.front, order.to))
    # Guns in battery go as they stand.
    leg = Leg(way, far, turn=not unit.unlimbered)
    plan = Plan(legs=(leg,), most=order.far, road=road, apart=tuple(barring(play, unit.side)))
    count = dice_count(play.field, unit, plan)
    if not count or not far:
        play.failed(role, order, "not_able", unit.id, "HL-MOV-02")
        return
    throw = play.throw("reinforce", unit.id, count=count)
    walked = _watchful(play, unit, plan, throw.faces)
    if not walked.walked:
        # Who cannot go does not turn either.
        walked = replace(walked, front=unit.front, bearing=unit.bearing)
    move = moved_fact(play, unit, order, throw, walked)
    fields = {name: getattr(move, name) for name in move.__struct_fields__}
    fields |= {"rules": cited("HL-REI-01", *(one for one in move.rules if one != "HL-TRN-03"))}
    fields |= {} if walked.walked else {"units": {}, "leaders": {}}
    goes(play, o.ReinforcementMoved(**fields), unit.id, walked.path)
    moved = walked.walked > 0
    play.came_of(role, order, "done" if walked.stopped_by in ("destination", "maximum") else
                "in part" if moved else "not carried out", "" if moved else "blocked", unit.id)  # fmt: skip


def _watchful(play: Play, unit: Unit, plan: Plan, natural: tuple[int, ...]) -> Walked:
    """A walk in which enemies that come into sight on the way count from there on."""
    if play.battle.options.reinforce_scope == "all":
        return walk(play.field, unit, plan, natural)
    while True:
        walked = walk(play.field, unit, plan, natural)
        hidden = [one for one in play.field.enemies(unit.side) if one.id not in plan.apart]
        if not hidden or not walked.walked:
            return walked
        found = next(
            (
                (far, foe.id)
                for far, at in steps((unit.front, walked.front), INCH)
                for foe in hidden
                if in_sight(play.field, at, unit, foe)
            ),
            None,
        )
        if found is None:
            return walked
        far, name = found
        plan = dataclasses.replace(plan, apart=(*plan.apart, name))
        again = walk(play.field, unit, plan, natural)
        if again.walked < far:
            # It was nearer than 40 inches already when it came into sight.
            return walk(play.field, unit, dataclasses.replace(plan, apart=plan.apart[:-1], most=far), natural)
