"""A side's movement phase: its orders in the order written, and who waits for room."""

from __future__ import annotations

from collections.abc import Sequence
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
from pbem.systems.st_privat.march.moves import Moves
from pbem.systems.st_privat.march.regroup import change_place, demolition, form, serves, turn
from pbem.systems.st_privat.march.siege import bring_on
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import cap, names
from pbem.systems.st_privat.world.fact import Fact, owner_only
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
from pbem.systems.st_privat.world.outcomes import FordWaited, OrderPlayed
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.state import Battle

LOOKS = {"n": "north", "e": "east", "s": "south", "w": "west"}


@rule("SP-TRN-01", "SP-CAP-01", "SP-GEN-02", "SP-SGE-02")
def movement_phase(scene: Scene, battle: Battle, side: Role, orders: Sequence[Order]) -> tuple[Fact, ...]:
    """Play a side's whole movement phase on the truth.

    The siege gun is brought on first, for its square must be its owner's at the start.  Then the orders are
    carried out as written.  A move that finds no room at its end waits until the others are done.
    """
    moves = Moves(scene, battle, side)
    for order in orders:
        if isinstance(order, SiegeReveal):
            bring_on(moves, side, order)
    waiting: list[Movement] = [order for order in orders if isinstance(order, Movement)]
    while True:
        before = len(waiting)
        waiting = [order for order in waiting if not _carry_out(moves, order, final=False)]
        if len(waiting) == before or not waiting:
            break
    for order in waiting:
        _carry_out(moves, order, final=True)
    _stand_in_fords(moves, battle)
    return tuple(moves.facts)


@rule("SP-TER-05")
def _stand_in_fords(moves: Moves, start: Battle) -> None:
    """Men on foot who stood all phase in the water have waited a turn; gunners with their gun are none."""
    needed = moves.field.options.ford_infantry_wait_turns
    for piece in moves.field.own(moves.side):
        before = start.pieces[piece.id]
        assert piece.square is not None
        if piece.kind not in ("infantry", "crew") or before.square != piece.square or piece.place == "inside":
            continue
        on_bridge = piece.ford_wait is None and moves.field.has_bridge(piece.square)
        if not is_two_banked(moves.field.ground(piece.square)) or on_bridge or (piece.ford_wait or 0) >= needed:
            continue
        if serves(moves.field, piece):
            continue
        fact = FordWaited(
            rules=cited("SP-TER-05"),
            unit=piece.id,
            square=piece.square,
            changes={piece.id: Patch(ford_wait=(piece.ford_wait or 0) + 1)},
        )
        moves.tell(fact)


def _carry_out(moves: Moves, order: Movement, *, final: bool) -> bool:
    """Carry an order out; False if it waits for room."""
    named = units_of(order)
    units = moves.standing(named)
    if named and not units:
        moves.mourn(order, named)
        moves.report(order, "not carried out", f"{names(named)} {_are(named)} no more.", "SP-GEN-02")
        return True
    match order:
        case Move() | Exit() | Prolong() | MoveCard():
            return _marches(moves, order, units, final=final)
        case Hold():
            moves.report(order, "done", f"{names(units)} held.")
            return True
        case Turn() | Form() | Enter() | Leave() | Limber() | Unlimber() | Detach() | Man() | Demolish():
            return _stays(moves, order, units, final=final)
        case other:
            assert_never(other)


def _are(units: Sequence[str]) -> str:
    return "is" if len(units) == 1 else "are"


def _sentence(text: str) -> str:
    return f"{cap(text)}."


# ------------------------------------------------------------------ marches


def _marches(moves: Moves, order: Marching, units: tuple[str, ...], *, final: bool) -> bool:
    planned, stuck = marches(moves.field, order, units, ())
    if not final and any(one.stop is not None and one.stop.reason == "capacity_full" for one in planned):
        return False
    moves.mourn(order, units_of(order))
    told, reasons, whole = [], [_sentence(wrong.why) for wrong in stuck], not stuck
    rules = [wrong.rule for wrong in stuck]
    for first in planned:
        # Bodies of one order go one after another: each sees what those before it did.  One alone sees no other.
        again = planned if len(planned) == 1 else marches(moves.field, order, first.body.names, ())[0]
        for march in again:
            _take(moves, order, march)
            told.append(_told(march))
            whole = whole and march.stop is None
            if march.stop is not None:
                reasons.append(_sentence(march.stop.why))
                rules += march.stop.rules
    went = any(not text.startswith("Not") for text in told)
    result: Result = "done" if whole else "in part" if went else "not carried out"
    text = " ".join([*told, *reasons]) if went else " ".join(reasons)
    moves.report(order, result, text, *rules)
    return True


def _take(moves: Moves, order: Order, march: March) -> None:
    """Carry a march out, in the form that its order gives it."""
    if isinstance(order, Prolong):
        enter(moves, march, lambda: tell_push(moves, march))
        stopped(moves, march)
    elif isinstance(order, MoveCard):
        enter(moves, march, lambda: move_card(moves, order, march))
        stopped(moves, march)
    else:
        carry_out(moves, march)


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


def _stays(moves: Moves, order: InPlace, units: tuple[str, ...], *, final: bool) -> bool:
    """An order that leaves its pieces in their square."""
    wrong = wrong_in_place(moves.field, order, moves.side, units, ())
    if wrong is not None and wrong.rule.startswith("SP-CAP") and not final:
        return False
    moves.mourn(order, units_of(order))
    if wrong is not None:
        moves.report(order, "not carried out", f"{_sentence(wrong.why)}", wrong.rule)
        return True
    match order:
        case Turn():
            turn(moves, order, units)
            text = f"{names(units)} turned {LOOKS[order.facing]}."
        case Form():
            form(moves, order)
            text = f"{names(units)} formed {order.formation} at {order.square}."
        case Enter() | Leave():
            change_place(moves, order, units)
            text = f"{names(units)} went {'inside' if isinstance(order, Enter) else 'outside'}."
        case Limber():
            moves.turn_up(moves.field.section(moves.piece(order.gun)), "owner", "SP-HID-03")
            limber(moves, moves.piece(order.gun))
            text = f"{order.gun} is limbered."
        case Unlimber():
            unlimber(moves, moves.piece(order.gun), order.facing)
            text = f"{order.gun} is deployed, facing {LOOKS[order.facing]}."
        case Detach():
            detach(moves, order)
            text = f"The crew left {order.gun}."
        case Man():
            man(moves, order)
            text = f"{order.gun} is manned."
        case Demolish():
            moves.turn_up([moves.piece(name) for name in units], "owner", "SP-HID-03")
            _mark(moves, order, units)
            return True
        case other:
            assert_never(other)
    moves.report(order, "done", text)
    return True


def _mark(moves: Moves, order: Demolish, units: tuple[str, ...]) -> None:
    """Set stands to pull a thing down; nobody else knows before it shows."""
    moves.tell(
        OrderPlayed(
            rules=cited("SP-DMG-03"),
            known=owner_only(moves.side),
            side=moves.side,
            line=order.line,
            result="done",
            text=f"{names(units)} set about the {order.what} {order.at}.",
            changes=demolition(order, units),
        )
    )
