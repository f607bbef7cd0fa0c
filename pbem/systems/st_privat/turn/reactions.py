"""Standing reactions: how a mail sets them, which older ones it replaces, and cards that their owner turns up."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.ranks import selects
from pbem.systems.st_privat.fire.policy import NONE
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import owner_only
from pbem.systems.st_privat.world.game import Policy, Reactions
from pbem.systems.st_privat.world.patches import GamePatch


def _policy(order: Order) -> tuple[str, Policy] | None:
    """The reaction that an order sets, and the list that it belongs to."""
    match order:
        case say.Retreat(units=units, toward=toward, form=form, face=face, text=text):
            return "retreat", Policy(units, toward, form=form, face=face, text=text)
        case say.Advance(units=units, squares=squares, via=via, text=text):
            return "advance", Policy(units, (str(squares),), via=via, text=text)
        case say.Losses(units=units, text=text):
            return "losses", Policy(units, (), text=text)
        case say.Targets(units=units, words=words, text=text):
            return "targets", Policy(units, words, text=text)
        case say.HoldFire(units=units, text=text):
            return "targets", Policy(units, NONE, text=text)
    return None


def with_newest(policies: Iterable[Policy], new: Policy) -> tuple[Policy, ...]:
    """A list of reactions with *new* before all others; those that it replaces for all their units drop out."""
    stay = (old for old in policies if "all" not in new.units and not set(old.units) <= set(new.units))
    return (new, *stay)


def after(reactions: Reactions, order: Order) -> Reactions | None:
    """The reactions in force after an order; None if it sets none."""
    if isinstance(order, say.Reset):
        return Reactions()
    if isinstance(order, say.Initiative):
        return replace(reactions, initiative=order.choice, initiative_text=order.text)
    found = _policy(order)
    if found is None:
        return None
    name, policy = found
    held: tuple[Policy, ...] = getattr(reactions, name)
    return replace(reactions, **{name: with_newest(held, policy)})


CITED: dict[type[Order], str] = {
    say.Initiative: "SP-TRN-03",
    say.Retreat: "SP-MOR-06",
    say.Advance: "SP-MOR-07",
    say.Losses: "SP-CAS-03",
    say.Targets: "SP-RIF-07",
    say.HoldFire: "SP-RIF-07",
}
"""The rule that a reaction speaks to."""


def set_reactions(play: Play, side: Role) -> None:
    """Put the reactions of a mail in force, in the order of its lines; only their owner learns of it."""
    for order in play.sheet(side):
        now = after(play.battle.reactions.get(side, Reactions()), order)
        if now is None:
            continue
        play.tell(
            o.ReactionSet(
                rules=cited(*([CITED[type(order)]] if type(order) in CITED else [])),
                known=owner_only(side),
                side=side,
                text=order.text,
                game=GamePatch(reactions={side: now}),
            )
        )
        words = (
            "All standing reactions are dropped." if isinstance(order, say.Reset) else "In force until you replace it."
        )
        play.report(side, order, "done" if isinstance(order, say.Reset) else "standing", words)


@rule("SP-HID-04")
def turn_up_by_order(play: Play, side: Role) -> None:
    """Turn up the cards that `reveal` names, where they lie when the mail is run."""
    for order in play.sheet(side):
        if not isinstance(order, say.Reveal):
            continue
        down = [p for p in play.field.own(side) if p.hidden and any(selects(one, p) for one in order.units)]
        for at in sorted({p.square for p in down if p.square is not None}):
            play.turn_up([p for p in down if p.square == at], "owner")
        if any(p.kind != "dummy" for p in down):
            play.report(side, order, "done", "Turned up.")
        else:
            play.report(side, order, "not carried out", "None of these lies face down, or they are dummies.")
