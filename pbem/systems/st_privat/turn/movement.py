"""A side's movement phase: its orders in the order written, and who waits for room."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.rules.view import Result
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.streams import is_two_banked
from pbem.systems.st_privat.march import guns, hidden, regroup
from pbem.systems.st_privat.march.facts import carry_out, enter, stopped
from pbem.systems.st_privat.march.march import March
from pbem.systems.st_privat.march.plans import marches
from pbem.systems.st_privat.march.siege import bring_on
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import cap, names
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import owner_only
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.state import Battle


@rule("SP-TRN-01", "SP-CAP-01", "SP-GEN-02", "SP-SGE-02")
def movement_phase(play: Play, side: Role) -> None:
    """Play a side's whole movement phase.

    The siege gun is brought on first, for its square must be its owner's at the start.  Then the orders are
    carried out as written.  A move that finds no room at its end waits until the others are done.
    """
    start = play.battle
    for order in play.sheet(side):
        if isinstance(order, say.SiegeReveal):
            bring_on(play, side, order)
    waiting: list[say.Movement] = [order for order in play.sheet(side) if isinstance(order, say.Movement)]
    while True:
        before = len(waiting)
        waiting = [order for order in waiting if not _carry_out(play, side, order, final=False)]
        if len(waiting) == before or not waiting:
            break
    for order in waiting:
        _carry_out(play, side, order, final=True)
    _stand_in_fords(play, side, start)


@rule("SP-TER-05")
def _stand_in_fords(play: Play, side: Role, start: Battle) -> None:
    """Men on foot who stood all phase in the water have waited a turn; gunners with their gun are none."""
    needed = play.field.options.ford_infantry_wait_turns
    for piece in play.field.own(side):
        if not is_two_banked(play.field.ground(piece.at)):
            continue
        before = start.pieces[piece.id]
        if not piece.on_foot or before.square != piece.at or piece.place == "inside":
            continue
        on_bridge = piece.ford_wait is None and play.field.has_bridge(piece.at)
        if on_bridge or (piece.ford_wait or 0) >= needed:
            continue
        if regroup.serves(play.field, piece):
            continue
        fact = o.FordWaited(
            rules=cited("SP-TER-05"),
            unit=piece.id,
            square=piece.at,
            changes={piece.id: Patch(ford_wait=(piece.ford_wait or 0) + 1)},
        )
        play.tell(fact)


def _standing(play: Play, side: Role, units: Iterable[str]) -> tuple[str, ...]:
    """Those of some pieces that are still there, and the side's."""
    pieces = (play.battle.pieces.get(name) for name in units)
    return tuple(p.id for p in pieces if p is not None and p.stands and p.side == side)


def _mourn(play: Play, side: Role, order: Order) -> None:
    """Report the pieces of an order that are no more."""
    for name in say.units_of(order):
        if not _standing(play, side, (name,)):
            play.tell(o.UnitLost(unit=name, line=order.line, rules=cited("SP-GEN-02"), known=owner_only(side)))


def _carry_out(play: Play, side: Role, order: say.Movement, *, final: bool) -> bool:
    """Carry an order out; False if it waits for room."""
    named = say.units_of(order)
    units = _standing(play, side, named)
    if named and not units:
        _mourn(play, side, order)
        play.report(
            side, order, "not carried out", f"{names(named)} {'is' if len(named) == 1 else 'are'} no more.", "SP-GEN-02"
        )
        return True
    if isinstance(order, say.Marching):
        return _marches(play, side, order, units, final=final)
    if isinstance(order, say.InPlace):
        return _stays(play, side, order, units, final=final)
    play.report(side, order, "done", f"{names(units)} held.")
    return True


def _sentence(text: str) -> str:
    return f"{cap(text)}."


# ------------------------------------------------------------------ marches


def _marches(play: Play, side: Role, order: say.Marching, units: tuple[str, ...], *, final: bool) -> bool:
    planned, stuck = marches(play.field, order, units, ())
    if not final and any(one.stop is not None and one.stop.reason == "capacity_full" for one in planned):
        return False
    _mourn(play, side, order)
    told, reasons, whole = [], [_sentence(wrong.why) for wrong in stuck], not stuck
    rules = [wrong.rule for wrong in stuck]
    for first in planned:
        # Bodies of one order go one after another: each sees what those before it did.  One alone sees no other.
        again = planned if len(planned) == 1 else marches(play.field, order, first.body.names, ())[0]
        for march in again:
            _take(play, order, march)
            told.append(_told(march))
            whole = whole and march.stop is None
            if march.stop is not None:
                reasons.append(_sentence(march.stop.why))
                rules += march.stop.rules
    went = any(not text.startswith("Not") for text in told)
    result: Result = "done" if whole else "in part" if went else "not carried out"
    text = " ".join([*told, *reasons]) if went else " ".join(reasons)
    play.report(side, order, result, text, *rules)
    return True


def _take(play: Play, order: Order, march: March) -> None:
    """Carry a march out, in the form that its order gives it."""
    if isinstance(order, say.Prolong):
        enter(play, march, lambda: guns.tell_push(play, march))
        stopped(play, march)
    elif isinstance(order, say.MoveCard):
        enter(play, march, lambda: hidden.move_card(play, order, march))
        stopped(play, march)
    else:
        carry_out(play, march)


def _told(march: March) -> str:
    """What a body did, in a sentence."""
    steps = len(march.path) - 1
    off = " and left the board for Metz" if march.exits else ""
    where = f"{march.end}{' and went inside' if march.place == 'inside' else ''}"
    if not steps:
        return f"{march.body} left the board for Metz." if march.exits else f"Not moved: {march.body} at {march.end}."
    road = f" for {counted(march.cost, 'point')}" if march.walk.saved else ""
    return f"{march.body} went from {march.path[0]} to {where}: {counted(steps, 'square')}{road}{off}."


# ------------------------------------------------------------------ in place


Bars = Callable[[Field, Role, Any, Collection[str]], Wrong | None]  # type: ignore[explicit-any] # each its own order
Do = Callable[[Play, Role, Any], str]  # type: ignore[explicit-any] # each its own order


class Deed(NamedTuple):
    """What an order comes to that leaves its pieces in their square."""

    do: Do
    """Do it, and say so of the line; nothing, where it has said so itself."""
    bars: Bars | None = None
    """Why a side cannot do it on a field as it is known, if anything bars it; *absent* are those who will not be in the
    way.  That its pieces are the side's own, and on the board, has been seen before (SP-GEN-02)."""


DEEDS: Mapping[type[say.InPlace], Deed] = {
    say.Turn: Deed(regroup.turn, regroup.cannot_turn),
    say.Form: Deed(regroup.form, regroup.cannot_form),
    say.Enter: Deed(regroup.change_place, regroup.cannot_change_place),
    say.Leave: Deed(regroup.change_place, regroup.cannot_change_place),
    say.Limber: Deed(guns.hitch, guns.cannot_limber),
    say.Unlimber: Deed(guns.unhitch, guns.cannot_unlimber),
    say.Detach: Deed(guns.detach, guns.cannot_detach),
    say.Man: Deed(guns.man, guns.cannot_man),
    say.Demolish: Deed(regroup.demolish, regroup.cannot_demolish),
}
"""What is done by each order, and what may bar it."""


def wrong_in_place(field: Field, side: Role, order: say.InPlace, absent: Collection[str]) -> Wrong | None:
    """Why an order that leaves its pieces in their square cannot be carried out."""
    bars = DEEDS[type(order)].bars
    return bars(field, side, order, absent) if bars is not None else None


def _stays(play: Play, side: Role, order: say.InPlace, units: tuple[str, ...], *, final: bool) -> bool:
    """An order that leaves its pieces in their square."""
    meant = say.with_units(order, units)
    wrong = wrong_in_place(play.field, side, meant, ())
    if wrong is not None and wrong.rule.startswith("SP-CAP") and not final:
        return False
    _mourn(play, side, order)
    if wrong is not None:
        play.report(side, order, "not carried out", _sentence(wrong.why), wrong.rule)
    elif text := DEEDS[type(order)].do(play, side, meant):
        play.report(side, order, "done", text)
    return True
