"""The deck: who has a card, who controls it, and what is done when a card comes up (GC-CRD, GC-ACT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET

from pbem.ground.plane import bearing
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.rules.view import Result as Became
from pbem.systems.crossroads.field.able import must_rally, routed, steady
from pbem.systems.crossroads.field.field import degrees
from pbem.systems.crossroads.fire.fire import fire_dice, targets
from pbem.systems.crossroads.fire.flight import nearest_enemy
from pbem.systems.crossroads.fire.morale import rally, threaten
from pbem.systems.crossroads.march.reach import ride_down, take_guns
from pbem.systems.crossroads.play.ends import fell_short, paid
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.words import natural
from pbem.systems.crossroads.tables.units import CARDS_IN_SUIT, CONTROL_DIE, JOKERS, MOST_ACTIVATIONS, SUITS
from pbem.systems.crossroads.turn.actions import WHOLE, Scope, begin
from pbem.systems.crossroads.turn.enemies import holds, meant
from pbem.systems.crossroads.turn.officers import lead, leads_for, ride, waits_for
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.outcomes import ActionTaken, CardTurned, DeckBuilt, GroupMoved
from pbem.systems.crossroads.world.outcomes_combat import AdvancedIntoSpace
from pbem.systems.crossroads.world.patches import GamePatch, Patch, Turned
from pbem.systems.crossroads.world.state import Battle, Unit

# ------------------------------------------------------------------ the deck


@rule("GC-CRD-01")
def faces(count: int, suits: Sequence[str]) -> list[str]:
    """The cards of a side: both suits from the ace up, then those of a second pack.

    >>> faces(28, ("H", "D"))[12:15], faces(28, ("H", "D"))[-2:]
    (['H13', 'D1', 'D2'], ['H1b', 'H2b'])
    """
    pack = [f"{suit}{number}" for suit in suits for number in range(1, CARDS_IN_SUIT + 1)]
    return [pack[at % len(pack)] + ("" if at < len(pack) else "b" * (at // len(pack))) for at in range(count)]


@rule("GC-CRD-01")
def dealt(battle: Battle) -> dict[str, str]:
    """By unit that is on the table, its card of this turn."""
    found: dict[str, str] = {}
    for side, suits in zip(battle.sides, SUITS.values(), strict=True):
        units = sorted((one.id for one in battle.units.values() if one.side == side and one.stands), key=natural)
        found |= dict(zip(units, faces(len(units), suits), strict=True))
    return found


@rule("GC-CRD-01", "GC-CRD-03")
def build_deck(play: Play) -> None:
    """Roll for the control of the deck, build it, and shuffle."""
    battle = play.battle
    red, black = battle.sides
    thrown = [play.throw("deck_control", side, "GC-CRD-03", sides=CONTROL_DIE) for side in battle.sides]
    rolls = thrown[0].faces[0], thrown[1].faces[0]
    controller = battle.controller if rolls[0] == rolls[1] else red if rolls[0] > rolls[1] else black
    cards = dealt(battle)
    deck = play.dice.shuffle("deck", "deck", [*cards.values(), *JOKERS])
    count = {side: sum(battle.units[name].side == side for name in cards) for side in battle.sides}
    play.add(
        DeckBuilt(
            rules=cited("GC-CRD-01", "GC-CRD-03", "GC-CRD-02"), dice=tuple(thrown), count_french=count[red],
            count_german=count[black], control_rolls=(rolls,), controller=controller, order=deck,
            changes={name: Patch(card=card) for name, card in cards.items()},
            game=GamePatch(deck=deck, left=count, size=len(deck), controller=controller, phase="card"),
        )
    )  # fmt: skip


# ------------------------------------------------------------------ one card


def side_of_card(battle: Battle, card: str) -> Role:
    """Whose card it is; of a joker, who acts with it (GC-CRD-02)."""
    if card in JOKERS:
        return battle.controller if JOKERS[card] == "controller" else battle.sides[1]
    return battle.sides[0] if card[0] in SUITS["french"] else battle.sides[1]


@rule("GC-SEQ-01", "GC-CRD-01")
def turn_card(play: Play) -> None:
    """Turn the top card; its unit acts."""
    card, *rest = play.battle.deck
    side = side_of_card(play.battle, card)
    if card in JOKERS:
        _turn_joker(play, card, side, tuple(rest))
        return
    unit = _unit_of(play, card, side)
    _turned(play, card, side, tuple(rest), unit.id if unit else "", blank=unit is None or not unit.stands)
    if unit is not None and unit.stands:
        orders = (one for one in _orders(play, side) if isinstance(one, say.UnitOrder) and one.unit == unit.id)
        activate(play, unit.id, next(orders, None), card=True)


def _orders(play: Play, side: Role) -> Sequence[object]:
    return play.battle.orders.get(side, ())


@rule("GC-CRD-01", "GC-OPT-01")
def _unit_of(play: Play, card: str, side: Role) -> Unit | None:
    """The unit that a card stands for; with `card_mode` side the first of the player's list that has not acted."""
    battle = play.battle
    if battle.options.card_mode == "unit":
        return next((one for one in battle.units.values() if one.card == card), None)
    listed = [one.unit for one in _orders(play, side) if isinstance(one, say.UnitOrder)]
    names = dict.fromkeys([*listed, *sorted(battle.units, key=natural)])
    waiting = [battle.units[name] for name in names if battle.units[name].side == side and not carded(battle, name)]
    return next((one for one in waiting if one.stands and one.card), None)


@rule("GC-CRD-01", "GC-CRD-02")
def carded(battle: Battle, name: str) -> bool:
    """Whether a unit has acted on a card of its own."""
    return battle.units[name].acted > battle.jokers.count(name)


def _turned(play: Play, card: str, side: Role, rest: tuple[str, ...], unit: str, *, blank: bool) -> None:
    """The fact of a card."""
    joker: Literal["", "Joker", "Joker*"] = "Joker" if card == "Joker" else "Joker*" if card == "Joker*" else ""
    seq = play.battle.seq + 1
    left = {} if joker else {side: max(play.battle.left.get(side, 1) - 1, 0)}
    play.add(
        CardTurned(
            rules=cited("GC-SEQ-01", "GC-CRD-02" if joker else "GC-CRD-01"), seq=seq, side=side, joker=joker, card=card,
            unit=unit, blank=blank, changes={} if blank else {unit: Patch(acted=play.unit(unit).acted + 1)},
            game=GamePatch(
                seq=seq, deck=rest, left=left, drawn=Turned(seq, side, card, unit),
                jokers=(unit,) if joker and unit else UNSET,
            ),
        )
    )  # fmt: skip


# ------------------------------------------------------------------ jokers


@rule("GC-CRD-02")
def _turn_joker(play: Play, card: str, side: Role, rest: tuple[str, ...]) -> None:
    """The side acts with a unit of its choice: as ordered, as its policy says, or with one that can fire."""
    star = card == "Joker*"
    orders = (one for one in _orders(play, side) if isinstance(one, say.JokerOrder) and one.star == star)
    order = next((one for one in orders if _able(play, one.unit)), None)
    name = order.unit if order else _by_policy(play, side)
    _turned(play, card, side, rest, name, blank=not name)
    if name:
        activate(play, name, order, card=False)


@rule("GC-CRD-02")
def _able(play: Play, name: str) -> bool:
    unit = play.unit(name)
    return unit.stands and name not in play.battle.jokers and unit.acted < MOST_ACTIVATIONS


@rule("GC-CRD-02", "GC-FIR-03")
def _can_fire(play: Play, unit: Unit) -> bool:
    """Whether a unit has somebody to fire at, and a die to throw."""
    return bool(targets(play, unit)) and fire_dice(unit, play.battle.options).thrown > 0


@rule("GC-CRD-02")
def _by_policy(play: Play, side: Role) -> str:
    """The unit of `policy joker-order`, else the one nearest to an enemy, that can fire; empty: the card is wasted."""
    field = play.field
    for name in play.policies(side).joker_order:
        if _able(play, name) and _can_fire(play, play.unit(name)):
            return name
    found = []
    for unit in field.own(side):
        enemy = nearest_enemy(play, unit) if _able(play, unit.id) else None
        if enemy is not None and _can_fire(play, unit):
            found.append((field.gap(unit, enemy), natural(unit.id), unit.id))
    return min(found)[2] if found else ""


# ------------------------------------------------------------------ an activation


@rule("GC-ACT-01", "GC-ACT-04", "GC-ACT-05", "GC-RAL-01")
def activate(play: Play, name: str, order: say.CardOrder | None, *, card: bool) -> None:
    """A unit acts: its officer if he rides with it, its rally, then its order, or what it does without one."""
    since = len(play.facts)
    if card:
        _officers(play, name, "with")
    scope, ended = _rallied(play, name)
    if not ended:
        led = _led(play, name) if card and not scope.only else None
        if play.unit(name).stands:
            _act(play, name, order, led or scope)
        elif order is not None:
            play.became(play.unit(name).side, order, "not carried out", "gone")
        _threats(play, name, since)
    elif order is not None:
        play.became(play.unit(name).side, order, "not carried out", _why_not(play.unit(name)))
    if card:
        _officers(play, name, "after")


@rule("GC-ACT-03")
def _led(play: Play, name: str) -> Scope | None:
    """What a unit may still do that an officer has led on its card, the first who can; None: nobody."""
    for group in leads_for(play, play.unit(name)):
        led = lead(play, group, name)
        if led is not None:
            return led
    return None


def _why_not(unit: Unit) -> str:
    return unit.status if must_rally(unit) else "rallied" if unit.stands else "gone"


@rule("GC-MOR-03", "GC-OFF-01", "GC-MOR-07")
def _threats(play: Play, name: str, since: int) -> None:
    """Whoever has ended an action: close to an enemy's flank or rear; upon a lone officer, or guns left behind.

    Who has won a melee on the card of another and goes forward comes upon what is there as well.
    """
    facts = play.facts[since:]
    acted = next((fact.units for fact in facts if isinstance(fact, GroupMoved)), (name,))
    for one in acted:
        if one == name or play.unit(one).green:
            threaten(play, one)
            ride_down(play, one, since)
    for fact in facts:
        if isinstance(fact, AdvancedIntoSpace) and fact.unit not in acted:
            ride_down(play, fact.unit, since)
    take_guns(play, since)


def _officers(play: Play, name: str, when: str) -> None:
    """The rides that wait for the card of a unit."""
    for order in _orders(play, play.unit(name).side):
        if (
            isinstance(order, say.Ride)
            and waits_for(play, order) == (when, name)
            and not play.officer(order.officer).moved
        ):
            ride(play, order)


@rule("GC-RAL-01")
def _rallied(play: Play, name: str) -> tuple[Scope, bool]:
    """What a unit may still do after its rally, and whether its activation is over."""
    unit = play.unit(name)
    if not must_rally(unit):
        return WHOLE, False
    result = rally(play, name)
    now = play.unit(name)
    if not now.stands or routed(now):
        return WHOLE, True
    if result == "pass":
        scopes = {
            "shaken": Scope(charge=False, why="rallied"),
            "withdrawn": Scope(half=True, charge=False, only=(say.Fire, say.Move, say.Clear), why="rallied"),
            "routed": Scope(charge=False, only=(say.Face,), why="rallied"),
        }
        return scopes[unit.status], False
    if now.status == unit.status:
        return Scope(charge=False, only=(say.Fire,), why=unit.status), False
    return WHOLE, True


# ------------------------------------------------------------------ alternatives


@rule("GC-ACT-04")
def _act(play: Play, name: str, order: say.CardOrder | None, scope: Scope) -> None:
    """Do the first alternative that can be begun; if none can, or there is no order, GC-ACT-05."""
    reason, side = "", play.unit(name).side
    if order is None:
        return _default(play, name, scope)
    for number, alternative in enumerate(order.alternatives):
        unit = play.unit(name)
        found = (
            begin(play, name, alternative.action, _scope_of(alternative, scope))
            if holds(play, unit, alternative)
            else "condition_false"
        )
        if isinstance(found, str):
            reason = found
            _failed(play, unit, order, alternative, found)
            continue
        play.add(_taken(unit, alternative, order.line, number))
        since = len(play.facts)
        goes_on = found() is not False
        wrong = _second(play, name, order, alternative, scope, since) if goes_on else ""
        wrong = wrong or fell_short(play, name, (alternative.action, alternative.then), since)
        undone = wrong in ("advance_failed", "charge_failed") and alternative.then is None
        result: Became = "not carried out" if undone else "in part" if wrong else "done"
        return play.became(side, order, result, wrong, number)
    play.became(side, order, "not carried out", reason)
    return _default(play, name, scope)


def _scope_of(alternative: say.Alternative, scope: Scope) -> Scope:
    """The first of two halves fires with half of its dice; a charge is never one."""
    whole = isinstance(alternative.action, say.Rally | say.Wheel | say.Rise | say.GoProne | say.FormUp)
    return scope if whole or alternative.then is None else scope._replace(half=True)


@rule("GC-ACT-01", "GC-MOV-06")
def _second(play: Play, name: str, order: say.CardOrder, alternative: say.Alternative, scope: Scope, since: int) -> str:
    """The other half of an activation, begun when there were *since* facts; the reason why it was not done, if so."""
    then = alternative.then
    unit = play.unit(name)
    if then is None:
        return ""
    if not steady(unit):
        return _why_not(unit)
    first = alternative.action
    if isinstance(first, say.Rally):
        later = scope
    elif isinstance(first, say.Wheel):
        later = scope._replace(wheel=paid(play, name, since))
    elif scope.half:
        # Half of an activation was all there was.
        return scope.why or "rallied"
    else:
        later = scope._replace(half=True)
    found = begin(play, name, then, later)
    if isinstance(found, str):
        _failed(play, unit, order, alternative, found)
        return found
    found()
    return ""


@rule("GC-ACT-05")
def _default(play: Play, name: str, scope: Scope) -> None:
    """Clear a jam, else fire at the nearest that can be hit, else stand; never move."""
    unit = play.unit(name)
    turns = _to_enemy(play, unit) if scope.only == (say.Face,) else ()
    for action in (*turns, *((say.Clear(),) if unit.jammed else ()), say.Fire(), say.Nothing()):
        found = begin(play, name, action, scope)
        if not isinstance(found, str):
            play.add(_taken(unit, say.Alternative(action), 0, 0))
            found()
            return


@rule("GC-RAL-01")
def _to_enemy(play: Play, unit: Unit) -> tuple[say.Face, ...]:
    """The turn of a unit that has rallied from its rout: to the nearest enemy in sight."""
    enemy = nearest_enemy(play, unit)
    if enemy is None:
        return ()
    way = bearing(play.field.body(unit).at, play.field.body(enemy).at)
    return (say.Face(facing=degrees(way)),)


def _taken(unit: Unit, alternative: say.Alternative, line: int, number: int) -> ActionTaken:
    # Who has been led only fires on its card: no other half comes of what it was ordered besides.
    then = None if unit.green and not isinstance(alternative.then, say.Fire) else alternative.then
    words = [str(type(one).__struct_config__.tag) for one in (alternative.action, then) if one is not None]
    return ActionTaken(
        **about(unit, *(("GC-ACT-01", "GC-ACT-04") if line else ("GC-ACT-05",))), action=words[0],
        halves=tuple(words) if len(words) > 1 else (), order_line=line, text=alternative.text, used_else=number,
        default=not line,
    )  # fmt: skip


def _failed(play: Play, unit: Unit, order: say.CardOrder, alternative: say.Alternative, reason: str) -> None:
    action = alternative.action
    nearest = meant(play, unit, say.NEAREST) if isinstance(action, say.Charge) and action.enemy == say.NEAREST else None
    target = nearest.id if nearest else ""
    play.failed(order, unit, reason, "GC-ACT-04", text=alternative.text, at=target)
