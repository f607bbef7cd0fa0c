"""How a game is looked back on: pictures by themselves, figures, whom a fact was about, to whom a die was good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET

from pbem.ground.picture import Picture
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.knowing import compared
from pbem.rules.past import Both, Favour, Past, Rests, named, own_names
from pbem.rules.reel import Draw, Figures, Known, Side
from pbem.rules.view import Told
from pbem.systems.crossroads.field.field import field_of
from pbem.systems.crossroads.gm.truth import traced, true_picture
from pbem.systems.crossroads.page import drawing
from pbem.systems.crossroads.page.forces import figures_lost
from pbem.systems.crossroads.page.view import clock as hour
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import side_name
from pbem.systems.crossroads.tables.units import JOKERS
from pbem.systems.crossroads.turn.cards import dealt
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.outcomes import DeckBuilt
from pbem.systems.crossroads.world.outcomes_combat import MeleeRound
from pbem.systems.crossroads.world.state import Battle

UNITS = ("unit", "units", "firer", "target", "officer", "au", "du", "card_unit")
GOOD: Mapping[str, Literal["high", "low"]] = {
    "fire": "high", "melee": "high", "morale": "high", "rally": "high", "deck_control": "high", "jam": "low",
    "officer": "low", "obstacle": "low",
}  # fmt: skip
"""Which faces of a throw for a purpose are good to whose it is."""


def sides(scene: Scene) -> Sequence[Side]:
    """Both sides, in the order of the scenario."""
    return tuple(Side(one.role, side_name(scene, one.role), one.style, (one.role,)) for one in scene.commanders)


def called(scene: Scene, role: Role) -> str:
    """A commander with his name."""
    one = scene.commander(role)
    return f"the {one.name} commander, {one.commander}"


def picture(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a side holds of the field."""
    return drawing.picture(field_of(scene, mind), role, moment.turn)


def truth(scene: Scene, battle: Battle, minds: Mapping[Role, Battle], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The field as it is."""
    return true_picture(field_of(scene, traced(battle, minds)), moment.turn)


def figures(scene: Scene, battle: Battle) -> Sequence[Figures]:
    """Figures lost and left of each side, as far as they are known, and its points."""
    found = []
    for side in battle.sides:
        there = [one for one in battle.units.values() if one.side == side and one.stands]
        left = sum(one.strength - one.losses for one in there)
        found.append(Figures(side, lost=figures_lost(battle, side, 0)[0], left=left, score=battle.vp.get(side)))
    return found


def clock(scene: Scene, battle: Battle) -> str:
    """The hour at which the turn begins."""
    return hour(scene, battle.turn) or f"Turn {battle.turn}"


def rests(fact: Fact) -> Rests:
    """Whom a fact names, and the line that it came of."""
    line = getattr(fact, "line", 0) or getattr(fact, "order_line", 0)
    role, sheet = (fact.side or Role("")) if line else Role(""), getattr(fact, "sheet", 0)
    return Rests(
        named(fact, UNITS), named(fact, ("place",)), role, line, sheet, named(fact, ("firer",)), str(fact.seq or "")
    )


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """A throw is that of the side of its fact; in a melee, and for the deck, each side has one of its own."""
    good, place = GOOD.get(throw.purpose), throw.name.rpartition("/")[2]
    side = fact.side or ""
    if throw.purpose == "deck_control":
        side = place
    elif isinstance(fact, MeleeRound) and place == fact.du:
        side = next((one.role for one in scene.commanders if one.role != fact.side), "")
    return Favour(side, good) if good is not None and side else None


def names(fact: Fact) -> Mapping[str, str]:
    """The contacts of each side, and whom they stand for."""
    watch = fact.game.watch if fact.game is not None else UNSET
    if watch is UNSET:
        return {}
    return {f"{side} {label}": unit for side, one in watch.items() for label, unit in one.aliases.items()}


def known(scene: Scene, both: Both[Battle, Battle]) -> Mapping[str, Known]:
    """What a side has of each sign: an enemy that it has not made out is a contact."""
    return compared(both.there, both.held, own_names(both.role, both.names))


def draws(scene: Scene, before: Battle, fact: Fact) -> Sequence[Draw]:
    """The deck, as it was shuffled: in the truth alone."""
    if isinstance(fact, DeckBuilt) and fact.order:
        return (Draw("deck/deck", lay=(*dealt(before).values(), *JOKERS), came=fact.order),)
    return ()


PAST: Past[Scene, Battle, Battle, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=truth,
    figures=figures,
    clock=clock,
    rests=rests,
    favour=favour,
    names=names,
    known=known,
    draws=draws,
)
