"""What can be wrong with mobilization and set-up lines on receipt (Orders: administrative phase)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Complaint
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.scene.scene import HOME
from pbem.systems.empire_1870.sheets.sentence import Draft, wrong
from pbem.systems.empire_1870.tables.charts import MOBILIZATION, MOST_RP, RP_COLLECTED
from pbem.systems.empire_1870.turn.administration import place_refused, room_under_cap, too_early
from pbem.systems.empire_1870.turn.setup import refused
from pbem.systems.empire_1870.world import orders as say

DOUBTS = {
    "not_controlled": "the enemy controls it",
    "besieged": "it is besieged",
    "too_near_enemy": "the enemy is too near",
    "no_loc": "it has no line of communication",
}
"""What may be otherwise when the orders are carried out, in words (WE-ADM-02)."""


@rule("WE-ADM-01", "WE-ADM-02")
def _check_place(field: Field, side: Role, made: Draft, at: Hex) -> None:
    """Refuse a hex in which nothing can ever be mobilized."""
    cell, chart = field.cell(at), MOBILIZATION[side]
    home = cell.country == HOME[side]
    towns = field.war.options.german_town_mobilization
    if not ((cell.fortress and home) or (cell.town and chart.towns and (home or towns == "any"))):
        places = "a town, or a fortress of your own country" if chart.towns else "a fortress of your own country"
        raise made.bad("not_a_place", f"{field.scene.place_name(at)} is not {places}", "WE-ADM-02", "place")


@rule("WE-ADM-01")
def check_sp(field: Field, side: Role, made: Draft, number: int, hexes: Iterable[Hex]) -> None:
    """Refuse SP that can never be mobilized, whatever else is."""
    most = MOBILIZATION[side].sp_per_hex
    for at in hexes:
        # What is wrong with a standing mobilization is shown at its first place.
        spot = "place" if isinstance(made.order, say.StandingMobilize) else "sp"
        _check_scenario(field, made, spot)
        if not 1 <= number <= most:
            raise made.bad("limit", f"at most {most} SP a hex and turn can be mobilized", "WE-ADM-01", spot)
        _check_place(field, side, made, at)


@rule("WE-ADM-01", "WE-ADM-03")
def check_pool_hq(field: Field, side: Role, made: Draft, order: say.MobilizeHq) -> None:
    """Refuse an HQ that can never be mobilized, whatever else is."""
    hq = field.war.hqs.get(order.hq)
    _check_scenario(field, made, "hq")
    if hq is None or hq.side != side:
        raise made.bad("not_yours", f"{order.hq} is not yours", spot="hq")
    if hq.state != "pool":
        raise made.bad("not_in_pool", f"{order.hq} is not in your pool", "WE-ADM-03", "hq")
    if too_early(field, hq.id):
        first = getattr(field.war.options.pool_schedule, hq.id)
        raise made.bad("not_yet", f"{order.hq} can be mobilized from turn {first} on", "WE-ADM-03", "hq")
    _check_place(field, side, made, order.hex)


def _check_scenario(field: Field, made: Draft, spot: str) -> None:
    if not field.scene.game.mobilization:
        raise made.bad("not_allowed", "this scenario has no mobilization", "WE-ADM-01", spot)


def doubts(field: Field, side: Role, made: Draft, order: say.Raising) -> Iterator[Complaint]:
    """What would make it fail as things stand."""
    why = place_refused(field, side, order.hex)
    if isinstance(order, say.Mobilize) and room_under_cap(field, side) == 0:
        yield made.doubt("cap", "as things stand you have as many SP as you may raise", "WE-ADM-01", "place")
    elif why in DOUBTS:
        place = field.scene.place_name(order.hex)
        yield made.doubt(why, f"as things stand {place} cannot be used: {DOUBTS[why]}", "WE-ADM-02", "place")


@rule("WE-ADM-01", "WE-RP-01")
def budget(field: Field, side: Role) -> int:
    """RP that a side can spend on mobilization: what it has, and what it is about to collect."""
    war = field.war
    collects = war.phase == "administration" and not (war.turn == 1 and not war.options.turn1_rp)
    return min(MOST_RP, war.resource_points.get(side, 0) + (RP_COLLECTED[side] if collects else 0))


def cost(side: Role, order: say.Raising) -> int:
    """RP of one line."""
    chart = MOBILIZATION[side]
    return order.count * chart.sp_rp if isinstance(order, say.Mobilize) else chart.hq_rp


@rule("WE-ADM-01")
def over_budget(field: Field, side: Role, orders: Sequence[say.Raising]) -> Iterator[tuple[int, Wrong]]:
    """The lines that the RP do not pay for, and those too many for their hex, the first lines first."""
    chart, rp = MOBILIZATION[side], budget(field, side)
    spent = 0
    here: dict[tuple[str, bool], int] = {}
    for order in orders:
        sp = isinstance(order, say.Mobilize)
        key = (order.hex, sp)
        number = order.count if isinstance(order, say.Mobilize) else 1
        limit = chart.sp_per_hex if sp else chart.hq_per_hex
        if here.get(key, 0) + number > limit:
            what = f"{limit} SP" if sp else f"{limit} HQ"
            yield order.line, wrong("limit", f"only {what} a hex and turn can be mobilized", "WE-ADM-01")
        elif spent + cost(side, order) > rp:
            total = spent + cost(side, order)
            yield order.line, wrong("rp", f"with it your mobilization costs {total} RP, and you have {rp}", "WE-ADM-01")
        else:
            here[key] = here.get(key, 0) + number
            spent += cost(side, order)


def wrong_places(field: Field, side: Role, orders: Sequence[say.Placing]) -> Iterator[tuple[int, Wrong]]:
    """Set-up lines that cannot be."""
    for number, why in refused(field.scene, field.war, side, orders).items():
        yield number, wrong("area", why, "WE-SET-04")
