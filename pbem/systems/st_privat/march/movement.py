"""A side's movement phase: its orders in the order written, and who waits for room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.rules.view import Result
from pbem.systems.st_privat.field.streams import is_two_banked
from pbem.systems.st_privat.march.checks import marches, wrong_in_place
from pbem.systems.st_privat.march.guns import detach, man, tell_push
from pbem.systems.st_privat.march.hidden import move_card
from pbem.systems.st_privat.march.march import March
from pbem.systems.st_privat.march.marching import carry_out, enter, limber, stopped, unlimber
from pbem.systems.st_privat.march.regroup import change_place, demolition, form, serves, turn
from pbem.systems.st_privat.march.siege import bring_on
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import cap, names
from pbem.systems.st_privat.world.fact import owner_only
from pbem.systems.st_privat.world.orders import (
    Demolish,
    Detach,
    Enter,
    Exit,
    Form,
    Hold,
    InPlace,
    Leave,
    Limber,
    Man,
    Marching,
    Move,
    MoveCard,
    Movement,
    Prolong,
    SiegeReveal,
    Turn,
    Unlimber,
    units_of,
)
from pbem.systems.st_privat.world.outcomes import FordWaited, OrderPlayed, UnitLost
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.state import Battle

LOOKS = {"n": "north", "e": "east", "s": "south", "w": "west"}


@rule("SP-TRN-01", "SP-CAP-01", "SP-GEN-02", "SP-SGE-02")
def movement_phase(play: Play, side: Role) -> None:
    """Play a side's whole movement phase.

    The siege gun is brought on first, for its square must be its owner's at the start.  Then the orders are
    carried out as written.  A move that finds no room at its end waits until the others are done.
    """
    start = play.battle
    for order in play.sheet(side):
        if isinstance(order, SiegeReveal):
            bring_on(play, side, order)
    waiting: list[Movement] = [order for order in play.sheet(side) if isinstance(order, Movement)]
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
        before = start.pieces[piece.id]
        assert piece.square is not None
        if piece.kind not in ("infantry", "crew") or before.square != piece.square or piece.place == "inside":
            continue
        on_bridge = piece.ford_wait is None and play.field.has_bridge(piece.square)
        if not is_two_banked(play.field.ground(piece.square)) or on_bridge or (piece.ford_wait or 0) >= needed:
            continue
        if serves(play.field, piece):
            continue
        fact = FordWaited(
            rules=cited("SP-TER-05"),
            unit=piece.id,
            square=piece.square,
            changes={piece.id: Patch(ford_wait=(piece.ford_wait or 0) + 1)},
        )
        play.tell(fact)


def _standing(play: Play, side: Role, units: Iterable[str]) -> tuple[str, ...]:
    """Those of some pieces that are still there, and the side's."""
    pieces = (play.battle.pieces.get(name) for name in units)
    return tuple(p.id for p in pieces if p is not None and p.stands and p.side == side)


def _mourn(play: Play, side: Role, order: Order) -> None:
    """Report the pieces of an order that are no more."""
    for name in units_of(order):
        if not _standing(play, side, (name,)):
            play.tell(UnitLost(unit=name, line=order.line, rules=cited("SP-GEN-02"), known=owner_only(side)))


def _carry_out(play: Play, side: Role, order: Movement, *, final: bool) -> bool:
    """Carry an order out; False if it waits for room."""
    named = units_of(order)
    units = _standing(play, side, named)
    if named and not units:
        _mourn(play, side, order)
        play.report(side, order, "not carried out", f"{names(named)} {_are(named)} no more.", "SP-GEN-02")
        return True
    match order:
        case Move() | Exit() | Prolong() | MoveCard():
            return _marches(play, side, order, units, final=final)
        case Hold():
            play.report(side, order, "done", f"{names(units)} held.")
            return True
        case Turn() | Form() | Enter() | Leave() | Limber() | Unlimber() | Detach() | Man() | Demolish():
            return _stays(play, side, order, units, final=final)
        case other:
            assert_never(other)


def _are(units: Sequence[str]) -> str:
    return "is" if len(units) == 1 else "are"


def _sentence(text: str) -> str:
    return f"{cap(text)}."


# ------------------------------------------------------------------ marches


def _marches(play: Play, side: Role, order: Marching, units: tuple[str, ...], *, final: bool) -> bool:
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
    if isinstance(order, Prolong):
        enter(play, march, lambda: tell_push(play, march))
        stopped(play, march)
    elif isinstance(order, MoveCard):
        enter(play, march, lambda: move_card(play, order, march))
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


def _stays(play: Play, side: Role, order: InPlace, units: tuple[str, ...], *, final: bool) -> bool:
    """An order that leaves its pieces in their square."""
    wrong = wrong_in_place(play.field, order, side, units, ())
    if wrong is not None and wrong.rule.startswith("SP-CAP") and not final:
        return False
    _mourn(play, side, order)
    if wrong is not None:
        play.report(side, order, "not carried out", f"{_sentence(wrong.why)}", wrong.rule)
        return True
    match order:
        case Turn():
            turn(play, order, units)
            text = f"{names(units)} turned {LOOKS[order.facing]}."
        case Form():
            form(play, side, order)
            text = f"{names(units)} formed {order.formation} at {order.square}."
        case Enter() | Leave():
            change_place(play, order, units)
            text = f"{names(units)} went {'inside' if isinstance(order, Enter) else 'outside'}."
        case Limber():
            play.turn_up(play.field.section(play.piece(order.gun)), "owner", "SP-HID-03")
            limber(play, play.piece(order.gun))
            text = f"{order.gun} is limbered."
        case Unlimber():
            unlimber(play, play.piece(order.gun), order.facing)
            text = f"{order.gun} is deployed, facing {LOOKS[order.facing]}."
        case Detach():
            detach(play, order)
            text = f"The crew left {order.gun}."
        case Man():
            man(play, order)
            text = f"{order.gun} is manned."
        case Demolish():
            play.turn_up([play.piece(name) for name in units], "owner", "SP-HID-03")
            _mark(play, side, order, units)
            return True
        case other:
            assert_never(other)
    play.report(side, order, "done", text)
    return True


def _mark(play: Play, side: Role, order: Demolish, units: tuple[str, ...]) -> None:
    """Set stands to pull a thing down; nobody else knows before it shows."""
    play.tell(
        OrderPlayed(
            rules=cited("SP-DMG-03"),
            known=owner_only(side),
            side=side,
            line=order.line,
            result="done",
            text=f"{names(units)} set about the {order.what} {order.at}.",
            changes=demolition(order, units),
        )
    )
