"""The Administrative Phase: resource points, wounded HQs that come back, mobilization (WE-RP, WE-HQC-01, WE-ADM)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.hexes import Hex, distance
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.rules.view import Result
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import may_advance
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.scene.scene import HOME
from pbem.systems.empire_1870.tables.charts import MOBILIZATION, MOST_RP, RP_COLLECTED
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.orders import Mobilize, MobilizeHq
from pbem.systems.empire_1870.world.outcomes import HqReturned, Mobilized, MobilizeFailed, RpCollected
from pbem.systems.empire_1870.world.parts import ENEMY, SIDES, Hq, Standing
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch, faced
from pbem.systems.empire_1870.world.stacks import Group, count, together


@rule("WE-SEQ-01", "WE-ADM-01")
def administration(play: Play) -> None:
    """Collect RP, let wounded HQs come back, mobilize: both sides, the French first."""
    taken: dict[tuple[Role, Hex], int] = {}
    for side in SIDES:
        collect(play, side)
    for side in SIDES:
        _come_back(play, side, taken)
    for side in SIDES:
        if play.scene.game.mobilization:
            _mobilize(play, side, taken)


@rule("WE-RP-01")
def collect(play: Play, side: Role) -> None:
    """The RP of a turn; what is above the most is lost."""
    war = play.war
    if war.turn == 1 and not war.options.turn1_rp:
        return
    held = war.resource_points.get(side, 0)
    total = min(MOST_RP, held + RP_COLLECTED[side])
    play.happens(
        RpCollected,
        **owner_only(side, "WE-RP-01"),
        amount=total - held,
        total=total,
        game=GamePatch(resource_points={side: total}),
    )


# ------------------------------------------------------------------ where


@rule("WE-ADM-02", "WE-LOC-04")
def place_refused(field: Field, side: Role, at: Hex) -> str:
    """Why a side cannot mobilize in a hex, as a word of the ledger; empty: it can."""
    chart, cell, war = MOBILIZATION[side], field.cell(at), field.war
    home = cell.country == HOME[side]
    town = cell.town and chart.towns and (home or war.options.german_town_mobilization == "any")
    if not (town or (field.sr(at) and home)):
        return "not_a_place"
    if field.controller(at) != side:
        return "not_controlled"
    if field.besieged(at):
        return "besieged"
    for there, stack in war.stacks.get(ENEMY[side], {}).items():
        near = distance(at, there) < chart.distance
        if near and any(map(may_advance, stack)):
            return "too_near_enemy"
    return "" if has_loc(field, side, at, own_source=False) else "no_loc"


@rule("WE-ADM-01")
def room_under_cap(field: Field, side: Role) -> int | None:
    """How many SP a side may still raise, whatever it pays; None: there is no limit."""
    cap: int = getattr(field.war.options.sp_cap, side)
    there = sum(count(stack) for stack in field.war.stacks.get(side, {}).values())
    return max(cap - there, 0) if cap else None


# ------------------------------------------------------------------ wounded HQs


def _return_places(play: Play, hq: Hq) -> Iterator[Hex]:
    """Where a wounded HQ may come back, those of its order first, then by friendly SP near, ties the lowest number."""
    field, side = play.field, hq.side
    standing = play.war.standing.get(side, Standing())
    for order in standing.reenter:
        if order.hq == hq.id:
            yield from order.hexes
    candidates = {*field.scene.fortresses, *field.scene.towns}

    def near(at: Hex) -> int:
        return sum(field.sp(side, one) for one in field.scene.board.within(at, 2))

    yield from sorted(candidates, key=lambda at: (-near(at), at))


@rule("WE-HQC-01", "WE-HQC-02", "WE-ADM-02")
def _come_back(play: Play, side: Role, taken: dict[tuple[Role, Hex], int]) -> None:
    """Bring wounded HQs back that are due; without an eligible hex they wait."""
    for hq in [one for one in play.war.hqs.values() if one.side == side and one.state == "wounded"]:
        if hq.return_turn > play.war.turn:
            continue
        limit = MOBILIZATION[side].hq_per_hex
        at = next(
            (
                one
                for one in _return_places(play, hq)
                if taken.get((side, one), 0) < limit and not place_refused(play.field, side, one)
            ),
            None,
        )
        if at is None:
            continue
        taken[side, at] = taken.get((side, at), 0) + 1
        play.happens(
            HqReturned,
            **owner_only(side, "WE-HQC-01", "WE-ADM-02"),
            hq=hq.id,
            hex=at,
            face=hq.face,
            hqs={hq.id: HqPatch(state="map", hex=at, return_turn=0, spent=False)},
        )


# ------------------------------------------------------------------ mobilization


def _orders(play: Play, side: Role) -> Iterator[Mobilize | MobilizeHq]:
    """What a side mobilizes this turn: by its sheet, then by its standing order, hex by hex."""
    for order in play.orders[side]:
        if isinstance(order, Mobilize | MobilizeHq):
            yield order
    standing = play.war.standing.get(side, Standing()).mobilize
    if standing is not None:
        for at in standing.hexes:
            yield Mobilize(line=0, text=standing.text, count=standing.count, hex=at)


@rule("WE-ADM-01", "WE-ADM-02", "WE-ADM-03", "WE-RP-02")
def _mobilize(play: Play, side: Role, hqs_at: dict[tuple[Role, Hex], int]) -> None:
    raised: dict[Hex, int] = {}
    standing = play.war.standing.get(side, Standing()).mobilize
    reserve = standing.reserve if standing is not None else 0
    for order in _orders(play, side):
        keep = reserve if order.line == 0 else 0
        if isinstance(order, Mobilize):
            _raise_sp(play, side, order, raised, keep)
        else:
            _raise_hq(play, side, order, hqs_at)


def _failed(play: Play, side: Role, order: Mobilize | MobilizeHq, reason: str) -> None:
    if not order.line and reason in ("rp", "hex_limit"):
        return
    play.happens(
        MobilizeFailed,
        **owner_only(side, "WE-ADM-02", "WE-ADM-01"),
        order_line=order.line,
        text=order.text,
        hex=order.hex,
        reason=reason,
    )
    _played(play, side, order, "not carried out", reason)


def _played(play: Play, side: Role, order: Mobilize | MobilizeHq, result: Result, reason: str = "") -> None:
    if order.line:
        play.answer(side, order, result, reason)


def _raise_sp(play: Play, side: Role, order: Mobilize, raised: dict[Hex, int], keep: int) -> None:
    chart, field = MOBILIZATION[side], play.field
    held = play.war.resource_points.get(side, 0)
    most = {
        "hex_limit": chart.sp_per_hex - raised.get(order.hex, 0),
        "rp": (held - keep) // chart.sp_rp,
    }
    if (room := room_under_cap(field, side)) is not None:
        most["cap"] = room
    number = min(order.count, *most.values())
    why = place_refused(field, side, order.hex) or next((code for code, fit in most.items() if fit < 1), "")
    if why:
        _failed(play, side, order, why)
        return
    raised[order.hex] = raised.get(order.hex, 0) + number
    cost = number * chart.sp_rp
    play.happens(
        Mobilized,
        **owner_only(side, "WE-ADM-01", "WE-ADM-02", "WE-RP-02"),
        what="sp",
        count=number,
        hex=order.hex,
        cost=cost,
        rp_left=held - cost,
        stacks={side: {order.hex: together(play.stack(side, order.hex), (Group(count=number),))}},
        toll={side: -number},
        game=GamePatch(resource_points={side: held - cost}),
    )
    leave_no_hq_behind(play, play.field.hqs(ENEMY[side], order.hex), order.hex)
    _played(play, side, order, "done")


@rule("WE-ADM-03")
def too_early(field: Field, hq: str) -> bool:
    """Whether a pool HQ may not be mobilized yet."""
    return field.war.turn < getattr(field.war.options.pool_schedule, hq, 1)


def _raise_hq(play: Play, side: Role, order: MobilizeHq, taken: dict[tuple[Role, Hex], int]) -> None:
    chart, hq = MOBILIZATION[side], play.hq(order.hq)
    held = play.war.resource_points.get(side, 0)
    why = place_refused(play.field, side, order.hex)
    if hq.state != "pool":
        why = "not_in_pool"
    elif too_early(play.field, hq.id):
        why = "not_yet"
    elif taken.get((side, order.hex), 0) >= chart.hq_per_hex:
        why = "hex_limit"
    elif held < chart.hq_rp:
        why = "rp"
    if why:
        _failed(play, side, order, why)
        return
    taken[side, order.hex] = taken.get((side, order.hex), 0) + 1
    left = held - chart.hq_rp
    front = faced(play.scene.headquarters[hq.id], "front")
    patch = replace(front, name=UNSET, state="map", hex=order.hex)
    play.happens(
        Mobilized,
        **owner_only(side, "WE-ADM-01", "WE-ADM-02", "WE-ADM-03", "WE-RP-02"),
        what="hq",
        hq=hq.id,
        hex=order.hex,
        cost=chart.hq_rp,
        rp_left=left,
        hqs={hq.id: patch},
        game=GamePatch(resource_points={side: left}),
    )
    _played(play, side, order, "done")
