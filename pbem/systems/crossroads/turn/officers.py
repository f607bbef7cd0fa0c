"""Mounted officers: their rides, and the Prussian who moves three units on one card (GC-ACT-02, GC-ACT-03)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point, between, distance
from pbem.rules.ledger import rule
from pbem.rules.view import Result
from pbem.systems.crossroads.field.able import broken, steady
from pbem.systems.crossroads.march.riders import beside, rode, without
from pbem.systems.crossroads.march.walking import base_move, part
from pbem.systems.crossroads.play.ends import fell_short, paid
from pbem.systems.crossroads.play.play import Play, about_him
from pbem.systems.crossroads.tables.units import HALF, LEADING_NATION, OFFICER_MOVES
from pbem.systems.crossroads.turn.actions import Scope, begin
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.orders import AttachOfficer, Fire, FormUp, Lead, Nothing, Ride
from pbem.systems.crossroads.world.outcomes import GroupMoved, OrderFailed
from pbem.systems.crossroads.world.patches import OfficerPatch, Patch
from pbem.systems.crossroads.world.state import Officer, Unit


def played(play: Play, order: Ride | Lead, reason: str, *, in_part: bool = False) -> None:
    """Say what became of an officer's line."""
    result: Result = "in part" if in_part else "not carried out" if reason else "done"
    officer = play.officer(order.officer)
    if reason and not in_part:
        play.failed(order, officer, reason)
    play.became(officer.side, order, result, reason)


# ------------------------------------------------------------------ rides


@rule("GC-ACT-02")
def waits_for(play: Play, order: Ride) -> tuple[str, str]:
    """When an officer goes: `first`, or `with` or `after` the card of a unit."""
    if order.timing == "first":
        return "first", ""
    if order.timing:
        return order.timing, order.of
    with_ = play.officer(order.officer).attached
    return ("with", with_) if with_ else ("first", "")


@rule("GC-ACT-02")
def ride(play: Play, order: Ride) -> None:
    """An officer rides to a place, or to a unit and stays with it."""
    officer = play.officer(order.officer)
    far = OFFICER_MOVES.get(officer.nation) if officer.nation else None
    if officer.killed or officer.pos is None:
        return played(play, order, "killed" if officer.killed else "not_there")
    if far is None:
        return played(play, order, "no_own_move")
    if isinstance(order, AttachOfficer):
        unit = play.unit(order.unit)
        if not unit.stands:
            return played(play, order, "gone")
        to = officer.pos if play.field.beside(officer, unit) else beside(play, unit)
        if distance(officer.pos, to) > far * 10:
            return played(play, order, "not_reached")
        play.add(_rode(play, officer, to, unit))
        return played(play, order, "")
    whole = distance(officer.pos, order.to)
    to = order.to if whole <= far * 10 else between(officer.pos, order.to, far * 10, whole)
    joined = play.field.unit_of(replace(officer, pos=to, attached=""))
    play.add(_rode(play, officer, to, joined))
    return played(play, order, "not_reached" if to != order.to else "", in_part=to != order.to)


def _rode(play: Play, officer: Officer, to: Point, unit: Unit | None) -> Fact:
    """The fact of a ride; *unit*: with whom he is then."""
    changes = without(play, officer)
    if unit is not None:
        changes[unit.id] = Patch(attached_officer=officer.id)
    patch = OfficerPatch(pos=to, attached=unit.id if unit else "", moved=True)
    return rode(officer, to, patch, "GC-ACT-02", changes)


# ------------------------------------------------------------------ three units on one card


@rule("GC-ACT-03")
def leads_for(play: Play, unit: Unit) -> list[Lead]:
    """The `lead` orders by which the card of a unit may bring others along."""
    return [
        order
        for order in play.battle.orders.get(unit.side, ())
        if isinstance(order, Lead) and unit.id in order.units
        for officer in (play.officer(order.officer),)
        if officer.stands and not officer.led
    ]


@rule("GC-ACT-03")
def left_out(play: Play, officer: Officer, unit: Unit, card_unit: str) -> str:
    """Why a unit cannot be led, or an empty text."""
    if not unit.stands:
        return "gone"
    if unit.nation != LEADING_NATION:
        return "out_of_zoc"
    if unit.green:
        return "green"
    if unit.acted and unit.id != card_unit:
        return "acted"
    if broken(unit):
        return unit.status
    assert officer.pos is not None, "he stands"
    return "" if play.field.reaches(officer.pos, unit, officer.zoc * 10) else "out_of_zoc"


@rule("GC-ACT-03")
def lead(play: Play, order: Lead, card_unit: str) -> Scope | None:
    """The group moves; what the card's unit may still do: None, if it was not led at all."""
    officer = play.officer(order.officer)
    wrong = {name: left_out(play, officer, play.unit(name), card_unit) for name in order.units}
    _complain(play, order, wrong)
    led = tuple(name for name in order.units if not wrong[name])
    if card_unit not in led:
        return None
    start = play.unit(card_unit).pos
    play.add(
        GroupMoved(
            **about_him(officer, "GC-ACT-03"), card_unit=card_unit, units=led, move=order.text,
            officers={officer.id: OfficerPatch(led=True)},
        )
    )  # fmt: skip
    failed, short = {}, {}
    since = len(play.facts)
    for name in led:
        if steady(play.unit(name)):
            doing = begin(play, name, order.action, Scope(led=True))
            if isinstance(doing, str):
                failed[name] = doing
            else:
                doing()
                short[name] = fell_short(play, name, (order.action,), since)
    _go_with(play, officer, card_unit, start)
    _complain(play, order, failed)
    some = next((reason for reason in (*wrong.values(), *failed.values(), *short.values()) if reason), "")
    played(play, order, some, in_part=bool(some))
    # Who would not advance has ended its activation (GC-MOV-08).
    over = short.get(card_unit) == "advance_failed"
    fires = not over and _may_fire(play, order, card_unit, since)
    return Scope(
        half=True, charge=False, only=(Fire,) if fires else (Nothing,), why="advance_failed" if over else "green",
        green=False,
    )  # fmt: skip


def _complain(play: Play, order: Lead, wrong: dict[str, str]) -> None:
    # A group that could not be led on the first of its cards tries again on the next: nobody is told twice why.
    told = {(fact.unit, fact.order_line) for fact in play.facts if isinstance(fact, OrderFailed)}
    for name, reason in wrong.items():
        if reason and (name, order.line) not in told:
            play.failed(order, play.unit(name), reason, "GC-ACT-03")


def _go_with(play: Play, officer: Officer, card_unit: str, start: Point | None) -> None:
    """An officer who is with none of his units goes along with that of the card."""
    now, end = play.officer(officer.id), play.unit(card_unit).pos
    carried = now.attached or now.pos != officer.pos
    if not now.stands or now.pos is None or carried or start is None or end is None or start == end:
        return
    to = Point(now.pos.x + end.x - start.x, now.pos.y + end.y - start.y)
    play.add(rode(now, to, OfficerPatch(pos=to), "GC-ACT-03", {}))


@rule("GC-ACT-03")
def _may_fire(play: Play, order: Lead, card_unit: str, since: int) -> bool:
    """Whether what the group's move took was at most half of the unit's allowance."""
    unit = play.unit(card_unit)
    if isinstance(order.action, FormUp):
        return unit.type != "cavalry"
    return paid(play, card_unit, since) <= part(base_move(unit, play.battle.options), HALF)
