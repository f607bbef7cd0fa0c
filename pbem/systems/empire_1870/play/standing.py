"""Standing orders: kept from turn to turn until they are changed; the most specific that fits is in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import StandingSet
from pbem.systems.empire_1870.world.parts import FRENCH, Standing
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.state import War

_say = partial(say.React, line=0, text="")
DEFAULTS: Mapping[say.Reaction, say.React] = {
    "chassepot": _say(reaction="chassepot", word="always"),
    "cavalry": _say(reaction="cavalry", word="odds", numbers=(2,)),
    "artillery_attack": _say(reaction="artillery_attack", word="reserve", numbers=(8,), low=(1, 1), high=(4, 1)),
    "artillery_defence": _say(reaction="artillery_defence", word="reserve", numbers=(5,), low=(1, 3), high=(2, 1)),
    "reroll": _say(reaction="reroll", word="low", numbers=(3,)),
    "losses": _say(reaction="losses", word="spread"),
    "retreat": _say(reaction="retreat", word="short"),
    "garrison": _say(reaction="garrison", word="stay"),
    "advance": _say(reaction="advance", word="lead"),
}
"""What is done where a player has said nothing."""

RECOVER = say.Recover(line=0, text="", word="all")


def policy(war: War, side: Role, reaction: say.Reaction, at: Hex | None = None, *hqs: str) -> say.React:
    """The standing reaction in force for what *side* has in a hex, with these HQs.

    That of the hex, else of an HQ, else the general one, else the default.
    """
    given = [one for one in war.standing.get(side, Standing()).reactions if one.reaction == reaction]

    def how_near(one: say.React) -> int:
        if one.scope_hex is not None and one.scope_hex == at:
            return 0
        return 1 if one.scope_hq in hqs else 2 if one.scope_hex is None and not one.scope_hq else 3

    nearest = min(given, key=how_near, default=DEFAULTS[reaction])
    return nearest if how_near(nearest) < 3 else DEFAULTS[reaction]


def default_words(reaction: say.Reaction) -> str:
    """The default of a reaction as an order line: `REACT REROLL LOW 3 LOSING`."""
    one = DEFAULTS[reaction]
    words = [*reaction.split("_"), one.word, *map(str, one.numbers)]
    if one.low and one.high:
        words += ["odds", *(f"{a}:{b}" for a, b in (one.low, one.high))]
    if reaction == "reroll":
        words.append("losing")
    return " ".join(("react", *words)).upper()


def in_words(order: say.React) -> str:
    """A policy as reports name it: the line as it was written, or the default, as an order line too."""
    return order.text or f"default: {default_words(order.reaction)}"


def with_order(standing: Standing, order: say.Lasting) -> Standing:
    """Standing orders with one more."""
    match order:
        case say.React():
            key = (order.reaction, order.scope_hex, order.scope_hq)
            rest = (one for one in standing.reactions if (one.reaction, one.scope_hex, one.scope_hq) != key)
            return replace(standing, reactions=(order, *rest))
        case say.SiegeOrder():
            others = tuple(one for one in standing.sieges if one.hex != order.hex)
            return replace(standing, sieges=(order, *others))
        case say.Recover():
            return replace(standing, recover=order)
        case say.StandingMobilize():
            return replace(standing, mobilize=order if order.count else None)
        case say.Reenter():
            wounded = tuple(one for one in standing.reenter if one.hq != order.hq)
            return replace(standing, reenter=(order, *wounded))
        case other:
            assert_never(other)


def take_standing_orders(play: Play, side: Role, orders: Sequence[say.AnyOrder]) -> None:
    """Put the standing orders of a sheet into force, in the order in which they were written."""
    for order in orders:
        if isinstance(order, say.Lasting):
            set_standing(play, side, order)
            play.answer(side, order, "standing")


def set_standing(play: Play, side: Role, order: say.Lasting) -> None:
    """Put a standing order into force."""
    new = with_order(play.war.standing.get(side, Standing()), order)
    play.happens(StandingSet, **owner_only(side), text=order.text, game=GamePatch(standing={side: new}))


def standing_lines(war: War, role: Role) -> tuple[str, ...]:
    """The standing orders in force, as order lines; the defaults behind `#`."""
    mine = war.standing.get(role, Standing())
    given = [one.text for one in (*mine.reactions, *mine.sieges, *mine.reenter)]
    given += [one.text for one in (mine.recover, mine.mobilize) if one is not None]
    general = {one.reaction for one in mine.reactions if one.scope_hex is None and not one.scope_hq}
    rest = [
        f"# {default_words(name)}" for name in DEFAULTS
        if name not in general and not (name == "chassepot" and role != FRENCH)
    ]  # fmt: skip
    return (*(" ".join(text.split()) for text in given), *rest, *(() if mine.recover else ("# RECOVER ALL",)))
