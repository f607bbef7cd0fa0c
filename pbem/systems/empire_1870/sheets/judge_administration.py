"""What can be wrong with mobilization and set-up lines on receipt (Orders: administrative phase)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.scene.scene import HOME
from pbem.systems.empire_1870.sheets.language import Wrong
from pbem.systems.empire_1870.tables.charts import MOBILIZATION, MOST_RP, RP_COLLECTED
from pbem.systems.empire_1870.turn.administration import place_refused, room_under_cap, too_early
from pbem.systems.empire_1870.turn.setup import refused
from pbem.systems.empire_1870.world.orders import Mobilize, MobilizeHq, SetupHq, SetupSp, StandingMobilize

DOUBTS = {
    "not_controlled": "the enemy controls it",
    "besieged": "it is besieged",
    "too_near_enemy": "the enemy is too near",
    "no_loc": "it has no line of communication",
}
"""What may be otherwise when the orders are carried out, in words (WE-ADM-02)."""


@rule("WE-ADM-01", "WE-ADM-02")
def bad_place(field: Field, side: Role, order: Mobilize | MobilizeHq) -> Wrong | None:
    """Why nothing can ever be mobilized in a hex."""
    cell, chart = field.cell(order.hex), MOBILIZATION[side]
    home = cell.country == HOME[side]
    towns = field.war.options.german_town_mobilization
    if (cell.fortress and home) or (cell.town and chart.towns and (home or towns == "any")):
        return None
    places = "a town, or a fortress of your own country" if chart.towns else "a fortress of your own country"
    return Wrong("not_a_place", f"{field.scene.place_name(order.hex)} is not {places}", "WE-ADM-02")


@rule("WE-ADM-01", "WE-ADM-03")
def mobilization(field: Field, side: Role, order: Mobilize | MobilizeHq) -> Wrong | None:
    """What is wrong with one line of mobilization, whatever the others are."""
    chart = MOBILIZATION[side]
    if not field.scene.game.mobilization:
        return Wrong("not_allowed", "this scenario has no mobilization", "WE-ADM-01")
    if isinstance(order, Mobilize) and not 1 <= order.count <= chart.sp_per_hex:
        return Wrong("limit", f"at most {chart.sp_per_hex} SP a hex and turn can be mobilized", "WE-ADM-01")
    if isinstance(order, MobilizeHq):
        hq = field.war.hqs.get(order.hq)
        if hq is None or hq.side != side:
            return Wrong("not_yours", f"{order.hq} is not yours", "WE-ORD-01")
        if hq.state != "pool":
            return Wrong("not_in_pool", f"{order.hq} is not in your pool", "WE-ADM-03")
        if too_early(field, hq.id):
            first = getattr(field.war.options.pool_schedule, hq.id)
            return Wrong("not_yet", f"{order.hq} can be mobilized from turn {first} on", "WE-ADM-03")
    return bad_place(field, side, order)


def standing(field: Field, side: Role, order: StandingMobilize) -> Wrong | None:
    """What is wrong with a standing mobilization."""
    for at in order.hexes:
        one = Mobilize(line=order.line, text=order.text, count=order.count, hex=at)
        if wrong := mobilization(field, side, one):
            return wrong
    return None


def doubt(field: Field, side: Role, order: Mobilize | MobilizeHq) -> Wrong | None:
    """What would make it fail as things stand."""
    if isinstance(order, Mobilize) and room_under_cap(field, side) == 0:
        return Wrong("cap", "as things stand you have as many SP as you may raise", "WE-ADM-01")
    why = place_refused(field, side, order.hex)
    if why not in DOUBTS:
        return None
    return Wrong(why, f"as things stand {field.scene.place_name(order.hex)} cannot be used: {DOUBTS[why]}", "WE-ADM-02")


@rule("WE-ADM-01", "WE-RP-01")
def budget(field: Field, side: Role) -> int:
    """RP that a side can spend on mobilization: what it has, and what it is about to collect."""
    war = field.war
    collects = war.phase == "administration" and not (war.turn == 1 and not war.options.turn1_rp)
    return min(MOST_RP, war.resource_points.get(side, 0) + (RP_COLLECTED[side] if collects else 0))


def cost(side: Role, order: Mobilize | MobilizeHq) -> int:
    """RP of one line."""
    chart = MOBILIZATION[side]
    return order.count * chart.sp_rp if isinstance(order, Mobilize) else chart.hq_rp


@rule("WE-ADM-01")
def over_budget(field: Field, side: Role, orders: Sequence[Mobilize | MobilizeHq]) -> Iterator[tuple[int, Wrong]]:
    """The lines that the RP do not pay for, and those too many for their hex, the first lines first."""
    chart, rp = MOBILIZATION[side], budget(field, side)
    spent = 0
    here: dict[tuple[str, bool], int] = {}
    for order in orders:
        sp = isinstance(order, Mobilize)
        key = (order.hex, sp)
        number = order.count if isinstance(order, Mobilize) else 1
        limit = chart.sp_per_hex if sp else chart.hq_per_hex
        if here.get(key, 0) + number > limit:
            what = f"{limit} SP" if sp else f"{limit} HQ"
            yield order.line, Wrong("limit", f"only {what} a hex and turn can be mobilized", "WE-ADM-01")
        elif spent + cost(side, order) > rp:
            total = spent + cost(side, order)
            yield order.line, Wrong("rp", f"with it your mobilization costs {total} RP, and you have {rp}", "WE-ADM-01")
        else:
            here[key] = here.get(key, 0) + number
            spent += cost(side, order)


def wrong_places(field: Field, side: Role, orders: Sequence[SetupHq | SetupSp]) -> Iterator[tuple[int, Wrong]]:
    """Set-up lines that cannot be."""
    for number, why in refused(field.scene, field.war, side, orders).items():
        yield number, Wrong("area", why, "WE-SET-04")
