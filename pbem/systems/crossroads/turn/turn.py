"""The sequence of play: the start of a turn, its cards, its end, and where it stops for mail (GC-SEQ-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.rules.contract import Resolution, Until, World
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.march.reach import take_guns
from pbem.systems.crossroads.play.pauses import halfway
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.play.victory import count_victory, hold_places
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.turn.arrivals import arrive
from pbem.systems.crossroads.turn.cards import build_deck, carded, turn_card
from pbem.systems.crossroads.turn.officers import played, ride, waits_for
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.fact import SEEN, Fact
from pbem.systems.crossroads.world.outcomes import OrderFailed, OrderPlayed, OrdersTaken, PhaseBegan, TurnEnded
from pbem.systems.crossroads.world.patches import GamePatch, Mark, OfficerPatch, Patch, Phase, Policies
from pbem.systems.crossroads.world.state import Battle

# ------------------------------------------------------------------ orders


@rule("GC-ACT-04")
def take_orders(play: Play, side: Role) -> None:
    """A side's sheet stands: policies till they are changed, orders for the turn; a later one replaces an earlier."""
    sheet = play.orders.get(side, ())
    if not sheet:
        return
    policies = play.policies(side)
    for order in sheet:
        if isinstance(order, say.Policy):
            policies = _with_policy(policies, order)
    new = [order for order in sheet if not isinstance(order, say.Policy)]
    keys = {subject(order) for order in new}
    before = play.battle.orders.get(side, ())
    stand = [order for order in before if subject(order) not in keys]
    play.add(
        OrdersTaken(
            rules=cited("GC-ACT-04"), known={side: SEEN}, side=side,
            game=GamePatch(orders={side: (*stand, *new)}, policies={side: policies}),
        )
    )  # fmt: skip
    for order in before:
        if order not in stand and not _was_played(play.battle, order):
            play.became(side, order, "superseded", sheet=1)
    for order in sheet:
        if isinstance(order, say.Policy):
            play.became(side, order, "standing")


# Words stand for themselves: what is as it is by default is left out of a fact by its identity.
_MEANS: Mapping[str, object] = {
    "yes": True, "no": False, "cover": "cover", "prone": "prone", "fire": "fire", "hold": "hold",
}  # fmt: skip


def _with_policy(policies: Policies, order: say.Policy) -> Policies:
    """The reactions of a side with one more line."""
    return replace(policies, **{order.what: _MEANS[order.word] if order.word else order.units})


def subject(order: say.AnyOrder) -> tuple[str, str]:
    """What an order is about: of two about the same, the later stands."""
    match order:
        case say.UnitOrder():
            return "unit", order.unit
        case say.JokerOrder():
            return "star" if order.star else "joker", order.unit
        case say.Lead():
            return "lead", order.officer
        case say.AttachOfficer() | say.MoveOfficer():
            return "officer", order.officer
        case say.Policy():
            return "policy", order.what


# ------------------------------------------------------------------ phases


@rule("GC-SEQ-01", "GC-ARV-01", "GC-ACT-02")
def _start(play: Play) -> None:
    """Arrivals; officers who ride first; the deck."""
    arrive(play)
    for side in play.battle.sides:
        for order in play.battle.orders.get(side, ()):
            if isinstance(order, say.Ride) and waits_for(play, order) == ("first", ""):
                ride(play, order)
    build_deck(play)


@rule("GC-SEQ-01")
def _cards(play: Play) -> None:
    """Turn cards till the deck is out, or till half of it is, with two exchanges."""
    while play.battle.deck and play.battle.ended is None:
        turn_card(play)
        if halfway(play.battle):
            play.add(PhaseBegan(rules=cited("GC-SEQ-01", "GC-OPT-01"), game=GamePatch(exchange=2)))
            return
    play.add(PhaseBegan(rules=cited("GC-SEQ-01"), game=GamePatch(phase="turn_end")))


@rule("GC-END-01", "GC-SEQ-01", "GC-MOR-07")
def _end(play: Play) -> None:
    """Green markers off, places held, guns taken, unplayed lines answered for; then the next turn, or the end."""
    battle = play.battle
    hold_places(play)
    take_guns(play, len(play.facts))
    for side in battle.sides:
        _unplayed(play, side)
    losses = {side: sum(one.losses for one in battle.units.values() if one.side == side) for side in battle.sides}
    play.add(
        TurnEnded(
            rules=cited("GC-END-01"), game=GamePatch(course=Mark(battle.turn, losses)),
            changes={
                name: Patch(green=False, acted=0, card="")
                for name, unit in battle.units.items()
                if unit.green or unit.acted or unit.card
            },
            officers={
                name: OfficerPatch(moved=False, led=False)
                for name, officer in battle.officers.items()
                if officer.moved or officer.led
            },
        )
    )  # fmt: skip
    if battle.turn >= play.scene.turns:
        count_victory(play)
    else:
        play.add(PhaseBegan(rules=cited("GC-SEQ-01"), game=GamePatch(turn=battle.turn + 1, phase="turn_start")))


def _unplayed(play: Play, side: Role) -> None:
    """Say of each line whose card never came that it was not carried out."""
    told = {(fact.sheet, fact.line) for fact in play.facts if isinstance(fact, OrderPlayed) and fact.side == side}
    tried = [fact for fact in play.facts if isinstance(fact, OrderFailed) and fact.side == side]
    failed = {(fact.order_line, fact.text): fact.reason for fact in reversed(tried)}
    for order in play.battle.orders.get(side, ()):
        if (play.sheet_of(side, order), order.line) in told:
            continue
        # What was sent for this exchange was not played in an earlier one, though its like was.
        if order not in play.orders.get(side, ()) and _was_played(play.battle, order):
            continue
        reason = failed.get((order.line, order.text))
        if isinstance(order, say.CardOrder) or reason:
            unused = isinstance(order, say.JokerOrder)
            play.became(side, order, "not used" if unused else "not carried out", reason or _why(play.battle, order))
        else:
            assert not isinstance(order, say.Policy), "policies are not kept among orders"
            played(play, order, _why(play.battle, order))


@rule("GC-ACT-04")
def _was_played(battle: Battle, order: say.AnyOrder) -> bool:
    """Whether a line was played in an earlier exchange of the turn."""
    match order:
        case say.UnitOrder():
            return carded(battle, order.unit)
        case say.JokerOrder():
            face = "Joker*" if order.star else "Joker"
            return any((card.face, card.unit) == (face, order.unit) for card in battle.drawn)
        case say.Lead():
            return battle.officers[order.officer].led
        case say.AttachOfficer() | say.MoveOfficer():
            return battle.officers[order.officer].moved
        case say.Policy():
            return True


def _why(battle: Battle, order: say.AnyOrder) -> str:
    match order:
        case say.UnitOrder():
            unit = battle.units[order.unit]
            return "gone" if unit.pos is not None and not unit.stands else "not_there" if not unit.stands else "no_card"
        case say.JokerOrder():
            unit = battle.units[order.unit]
            if order.star and battle.controller != unit.side:
                return "no_joker"
            return "gone" if not unit.stands else "joker_twice" if order.unit in battle.jokers else "joker_other"
        case say.Lead() if battle.officers[order.officer].led:
            return "led"
        case say.Lead() if any(battle.units[name].acted for name in order.units):
            return "none_led"
        case say.Lead() | say.AttachOfficer() | say.MoveOfficer():
            officer = battle.officers[order.officer]
            if officer.stands and not isinstance(order, say.Lead):
                first = order.timing == "first" or not (order.timing or officer.attached)
                return "ridden" if officer.moved else "rides_first" if first else "no_card"
            if officer.stands:
                return "no_card"
            return "killed" if officer.killed else "not_there"
        case say.Policy():
            return ""


PHASES: Mapping[Phase, Callable[[Play], None]] = {"turn_start": _start, "card": _cards, "turn_end": _end}
"""What is done in each phase (GC-SEQ-01)."""


def resolve(
    scene: Scene,
    world: World[Battle, Battle],
    orders: Mapping[Role, Sequence[say.AnyOrder]],
    answers: Answers,
    dice: Dice,
    until: Until,
) -> Resolution[Fact]:
    """Play on from where the state stands to the next pause, or to the end of the phase."""
    play = Play(scene, world, orders, answers, dice)
    return play.played(lambda: _play_on(play, until))


def _play_on(play: Play, until: Until) -> None:
    for side in play.battle.sides:
        take_orders(play, side)
    while play.battle.phase != "over":
        exchange = play.battle.exchange
        PHASES[play.battle.phase](play)
        if until == "phase" or play.battle.phase == "turn_start" or play.battle.exchange != exchange:
            break
