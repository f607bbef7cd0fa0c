"""What the attacks of a sheet may come to: fire of rifles and of guns, and charges, by what is known of the field.

The dice are read by the functions of the fire and the melee themselves.  Charges are reckoned as all stand when the
marches of the sheet are made and before any fire of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.event import Throw
from pbem.kernel.names import Role, ThrowName
from pbem.orders.prose import counted
from pbem.orders.sheet import Order
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from pbem.systems.st_privat.field.field import Field, field_of
from pbem.systems.st_privat.fire import artillery, rifle
from pbem.systems.st_privat.fire.aims import Aim
from pbem.systems.st_privat.march.plans import concerned, marches
from pbem.systems.st_privat.melee import melee
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import names
from pbem.systems.st_privat.sheets.suppose import suppose
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import ENEMY
from pbem.systems.st_privat.world.state import Battle

MARCHES = say.Move | say.Exit | say.Prolong | say.MoveCard
_Hits = tuple[int, int, int]


def attacks(scene: Scene, battle: Battle, role: Role, orders: Sequence[Order]) -> Sequence[Attack]:
    """Each fire and charge that orders come to, once the marches among them are made."""
    field = marched(field_of(scene, battle), orders)
    return (*_rifles(field, role, orders), *_guns(field, role, orders), *_charges(field, role, orders))


def marched(field: Field, orders: Sequence[Order]) -> Field:
    """The field as it will be when the marches of a sheet have been made, as far as its writer knows."""
    moving = [order for order in orders if isinstance(order, say.Movement) and not isinstance(order, say.Hold)]
    absent = {name for order in moving for name in concerned(field, order)}
    pieces = dict(field.battle.pieces)
    for order in moving:
        if isinstance(order, say.Turn):
            turned = (name for name in concerned(field, order) if name in pieces)
            pieces |= {name: replace(pieces[name], facing=order.facing) for name in turned}
        if not isinstance(order, MARCHES):
            continue
        for march in marches(field, order, say.units_of(order), absent)[0]:
            for name in march.body.names:
                went, to = pieces[name], None if march.exits else march.end
                facing = march.facing or went.facing
                pieces[name] = replace(went, square=to, place=march.place, facing=facing, moved_this_turn=True)
    changed = pieces != field.battle.pieces
    return Field(field.scene, replace(field.battle, pieces=pieces)) if changed else field


# ------------------------------------------------------------------ fire


def _rifles(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[Attack]:
    """The volleys: all stands that a line has fire at one square."""
    volleys: dict[tuple[int, Square], list[Aim]] = {}
    for aim in rifle.declare(field, role, orders) if any(isinstance(one, say.Fire) for one in orders) else ():
        if isinstance(aim.order, say.Fire) and aim.target is not None:
            volleys.setdefault((aim.order.line, aim.target), []).append(aim)
    for (line, target), aims in volleys.items():
        yield Attack(
            line=line,
            kind="rifle fire",
            what=f"{names([aim.shooter.id for aim in aims])} at {target}",
            good="to hit",
            measure="men",
            begins=(0, 0, 0),
            on=_volley([_read(field, aim) for aim in aims]),
        )


def _read(field: Field, aim: Aim) -> tuple[tuple[int, int], ...]:
    """Of each face of a stand's die, whether it hits, and the men that it kills."""
    dice = (rifle.die_of(field, aim, natural) for natural in range(1, 7))
    return tuple((int(die.hit), die.kills) for die in dice)


def _volley(stands: Sequence[Sequence[tuple[int, int]]]) -> Callable[[_Hits, Tray], _Hits | Came]:
    """The dice of several stands, one after another: from so many of them read, hits and men killed."""

    def on(so_far: _Hits, tray: Tray) -> _Hits | Came:
        read, hits, killed = so_far
        if read == len(stands):
            return Came(f"{counted(killed, 'man', 'men')} hit" if hits else "no hit", good=hits > 0, lost=killed)
        hit, kills = stands[read][tray.face() - 1]
        return read + 1, hits + hit, killed + kills

    return on


def _guns(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[Attack]:
    """Each gun's fire."""
    for aim in artillery.declare(field, role, orders) if any(isinstance(one, say.Shoot) for one in orders) else ():
        if isinstance(aim.order, say.Shoot) and aim.target is not None:
            at = {"structure": "the walls of ", "equipment": "the guns in "}.get(aim.aim, "")
            yield Attack(
                line=aim.order.line,
                kind="artillery",
                what=f"{aim.shooter.id} at {at}{aim.target}",
                good="to hit",
                measure="men" if aim.aim == "troops" else "",
                on=partial(_shot, field, aim),
            )


def _shot(field: Field, aim: Aim, begun: None, tray: Tray) -> Came:
    """One gun's fire: where its shell falls, and the die to hit."""
    strays = aim.ammunition in artillery.INDIRECT
    fall = artillery.fall(field, aim, tray.total(6, 2, _pips)) if strays else artillery.Fall("", aim.target)
    if fall.square is None:
        return Came("off the board")
    fact, _, blows = artillery.resolve(field, aim, fall, None, Throw(_NAME, "open", 6, (tray.face(),)))
    home = fall.square == aim.target
    if not fact.hit:
        return Came("no hit")
    if home:
        return Came("hit", good=True, lost=fact.kills)
    own = any(field.visible(fall.square, aim.shooter.side)) and bool(fact.kills)
    what = "own troops" if own else "others" if fact.kills or blows else "nobody"
    return Came(f"it strays and hits {what}", lost=0)


def _pips(face: int) -> tuple[int, ...]:
    return (face,)


_NAME = ThrowName("")
"""Of a die that is thrown for nothing but to reckon."""


# ------------------------------------------------------------------ charges


def _charges(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[Attack]:
    """Each charge at a square of which it is known that somebody defends it."""
    for order in orders:
        found = _charge(field, role, order) if isinstance(order, say.Charge) else None
        if found is not None:
            yield found


def _charge(field: Field, role: Role, order: say.Charge) -> Attack | None:
    target, options = order.square, field.options
    attack = melee.muster(field, role, order)
    if not attack.stands:
        return None
    ours = melee.attack_value(attack).total
    theirs = melee.defence_value(field, target, ENEMY[role], attack.squares).total
    cards = field.cards(target, ENEMY[role]) > 0
    if not theirs or melee.is_forbidden(ours, theirs, options):
        return None
    reasons = melee.shifts(field, attack, field.visible(target, ENEMY[role]))
    column, _ = melee.column(ours, theirs, reasons, options)
    if order.if_odds and (
        charts.COLUMNS.index(column) < charts.COLUMNS.index(order.if_odds)
        or (cards and options.if_odds_on_cards == "called_off")
    ):
        return None
    return Attack(
        line=order.line,
        kind="charge",
        what=f"{names([piece.id for piece in attack.stands])} at {target}, {column}",
        good="to take it",
        given="what lies face down there not counted" if cards else "",
        on=partial(_fought, column, options),
    )


def _fought(column: str, options: Options, begun: None, tray: Tray) -> Came:
    """What the die of a melee brings, by the rule by which the attackers go forward or not."""
    attacker, defender, _ = melee.result(column, tray.face(), options)
    forward, back = melee.moved(attacker), melee.moved(defender)
    if forward > 0 and not back > 0:
        return Came(f"the square is taken ({attacker}|{defender})", good=True)
    if back > 0 and not forward > 0:
        return Came(f"the defenders come out ({attacker}|{defender})")
    return Came(f"the square is held ({attacker}|{defender})")


def sentences(field: Field, role: Role, orders: Sequence[Order]) -> Iterator[tuple[int, str]]:
    """For a receipt: the number of a line, and the chances of what it orders."""
    for attack in attacks(field.scene, field.battle, role, orders):
        yield attack.line, f"{attack.what}: {odds(attack).clause}."


CHANCES: Chances[Scene, Battle, Battle, Order] = Chances(attacks=attacks, suppose=suppose)
