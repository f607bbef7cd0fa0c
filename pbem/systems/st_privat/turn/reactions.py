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


def with_newest(policies: Iterable[Policy], new: Policy) -> tuple[Policy, ...]:
    """A list of reactions with *new* before all others; those that it replaces for all their units drop out."""
    stay = (old for old in policies if "all" not in new.units and not set(old.units) <= set(new.units))
    return (new, *stay)


def after(reactions: Reactions, order: Order) -> tuple[Reactions, str] | None:
    """The reactions in force after an order, and the rule that it speaks to; None if it sets none."""
    match order:
        case say.Reset():
            return Reactions(), ""
        case say.Initiative():
            return replace(reactions, initiative=order.choice, initiative_text=order.text), "SP-TRN-03"
        case say.Retreat():
            policy = Policy(order.units, order.toward, form=order.form, face=order.face, text=order.text)
            return replace(reactions, retreat=with_newest(reactions.retreat, policy)), "SP-MOR-06"
        case say.Advance():
            policy = Policy(order.units, (str(order.squares),), via=order.via, text=order.text)
            return replace(reactions, advance=with_newest(reactions.advance, policy)), "SP-MOR-07"
        case say.Losses():
            policy = Policy(order.units, (), text=order.text)
            return replace(reactions, losses=with_newest(reactions.losses, policy)), "SP-CAS-03"
        case say.Targets() | say.HoldFire():
            policy = Policy(order.units, NONE if isinstance(order, say.HoldFire) else order.words, text=order.text)
            return replace(reactions, targets=with_newest(reactions.targets, policy)), "SP-RIF-07"
    return None


def set_reactions(play: Play, side: Role) -> None:
    """Put the reactions of a mail in force, in the order of its lines; only their owner learns of it."""
    for order in play.sheet(side):
        found = after(play.field.reactions(side), order)
        if found is None:
            continue
        now, rule_id = found
        told = o.ReactionSet(side=side, text=order.text, game=GamePatch(reactions={side: now}))
        play.tell(replace(told, rules=cited(rule_id), known=owner_only(side)))
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
