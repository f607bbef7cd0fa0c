"""Rides by rail (WE-RAI)."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from pbem.ground.hexes import Hex
from pbem.ground.path import cheapest
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.supply import has_loc, rails_of
from pbem.systems.empire_1870.fire.chassepot import opportunity
from pbem.systems.empire_1870.march.force import Force, in_sight, tell_enemy
from pbem.systems.empire_1870.march.garrison import settle_garrison
from pbem.systems.empire_1870.march.steps import shut
from pbem.systems.empire_1870.melee.advance import take_hex
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import check_ends
from pbem.systems.empire_1870.tables.charts import RAIL_COUNTRY, RAIL_MP, RAIL_RP, RAIL_SP
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.orders import Ride
from pbem.systems.empire_1870.world.outcomes import RailMoved
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch
from pbem.systems.empire_1870.world.stacks import Strength, count, every, together, without


@rule("WE-RAI-01", "WE-RAI-02")
def _bad(field: Field, side: Role, at: Hex) -> str:
    """Why a train cannot pass a hex, as a code of the ledger."""
    country = RAIL_COUNTRY[side]
    if country is not None and field.cell(at).country != country:
        return "rail_country"
    return "rail_blocked" if shut(field, side, at, "ride") else ""


@rule("WE-RAI-01", "WE-RAI-02")
def route(field: Field, side: Role, start: Hex, end: Hex) -> tuple[tuple[Hex, ...], str]:
    """The hexes of a ride, both ends included; or why there is none."""
    rails = rails_of(field.scene.links)
    for at in (start, end):
        if at not in rails:
            return (), "rail_blocked"
        if why := _bad(field, side, at):
            return (), why

    def found(closed: Callable[[Hex], bool]) -> tuple[Hex, ...] | None:
        return cheapest(start, {end}, lambda at: rails.get(at, ()), lambda _, to: None if closed(to) else 1)

    way = found(lambda at: bool(_bad(field, side, at)))
    if way:
        return way, ""
    # What stops a train on its way is named only after the frontier if no way would keep inside of it.
    abroad = not found(lambda at: _bad(field, side, at) == "rail_country")
    return (), "rail_country" if RAIL_COUNTRY[side] and abroad else "rail_blocked"


@rule("WE-RAI-01", "WE-RAI-02", "WE-RP-02", "WE-LOC-04")
def ride(play: Play, force: Force, leg: Ride, mp: int) -> tuple[str, int]:
    """Ride from where the force stands; gives why it does not (empty: it does), and the MP left.

    A leg that begins and ends in one hex only gets a force off its train.
    """
    field, side = play.field, force.side
    if leg.start != force.hex:
        return "rail_blocked", mp
    rides = leg.start != leg.end
    fresh = count(one for one in force.stack if not one.entrained)
    if not rides and fresh == count(force.stack):
        return "rail_blocked", mp
    # Who only leaves a train does not take those along on it who were never there.
    aboard = bool(force.stack) and (not fresh or not rides)
    way, why = route(field, side, leg.start, leg.end) if rides else ((leg.start,), "")
    if why:
        return why, mp
    cost = (0 if aboard else RAIL_MP["entrain"]) + (RAIL_MP["ride"] if rides else 0)
    cost += 0 if leg.stay else RAIL_MP["detrain"]
    if cost > mp:
        return "mp_short", mp
    sp = max(0, count(force.stack) - force.railed) if rides or not aboard else 0
    used = play.war.rail_sp_used + (sp if RAIL_SP[side] else 0)
    limit = RAIL_SP[side]
    if limit is not None and used > limit:
        return "rail_limit", mp
    rp = 0 if aboard else RAIL_RP[side] * fresh
    held = play.war.resource_points.get(side, 0)
    if rp and (rp > held or not has_loc(field, side, leg.start)):
        return "rail_rp", mp
    force.acted = True
    force.railed += sp
    for start, to in itertools.pairwise(way):
        force.steps += 1
        for target in (start, to):
            opportunity(play, force, start, to, target)
        if not force.stack and not force.hqs:
            return "eliminated", mp - cost
        if check_ends(play):
            return "phase_over", mp - cost
    _arrive(play, force, leg, way, rp, used, held)
    return "", mp - cost


def _arrive(play: Play, force: Force, leg: Ride, way: tuple[Hex, ...], rp: int, used: int, held: int) -> None:
    side, end = force.side, way[-1]
    after = every(force.stack, entrained=leg.stay)
    left = without(play.stack(side, leg.start), force.stack)
    stacks = {leg.start: left}
    stacks[end] = together(stacks.get(end, play.stack(side, end)), after)
    limit = RAIL_SP[side] is not None
    was_seen = in_sight(play, force)
    play.happens(
        RailMoved,
        **owner_only(side, "WE-RAI-01", "WE-RAI-02"),
        sp=Strength.of(force.stack),
        units=force.hqs,
        start=leg.start,
        end=end,
        route=way,
        stays=leg.stay,
        rp_cost=rp,
        sp_used_this_turn=used if limit else 0,
        stacks={side: stacks} if force.stack else {},
        hqs={name: HqPatch(hex=end) for name in force.hqs},
        game=GamePatch(resource_points={side: held - rp}, rail_sp_used=used if limit else play.war.rail_sp_used),
    )
    force.hex, force.stack = end, after
    tell_enemy(play, force, leg.start, end, was_seen=was_seen, rail=True)
    if force.stack:
        for at in way[1:]:
            take_hex(play, side, at, at)
        settle_garrison(play, leg.start)
    play.look()
