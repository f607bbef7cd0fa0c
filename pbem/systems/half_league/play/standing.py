"""Standing orders: what is to be done with initiative and flanks, and policies (HL-CMD-13, HL-TRN-04)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Command
from pbem.systems.half_league.world.patches import GamePatch
from pbem.systems.half_league.world.pieces import side_of

Standing = say.SetInitiative | say.SetFlank | say.SetPolicy


def with_policy(policies: tuple[say.Policy, ...], new: say.Policy) -> tuple[say.Policy, ...]:
    """Policies with a new one, which takes the place of the one of its kind, scope and benefit."""
    kept = [one for one in policies if (one.kind, one.who, one.benefit) != (new.kind, new.who, new.benefit)]
    return (new, *kept)


def with_command(command: Command, order: say.SetInitiative | say.SetFlank) -> Command:
    """What a side wants of the sequence, changed by an order."""
    if isinstance(order, say.SetInitiative):
        return replace(command, initiative=order.word)
    return replace(command, charge_flank=order.half) if order.charge else replace(command, flank=order.half)


@rule("HL-CMD-13", "HL-TRN-04")
def take_standing_orders(play: Play, role: Role) -> None:
    """Put the standing orders of a sheet into force."""
    for order in play.orders[role]:
        if isinstance(order, Standing):
            stand(play, role, order)


def stand(play: Play, role: Role, order: Standing) -> None:
    """Put one standing order into force."""
    side = side_of(role)
    if isinstance(order, say.SetPolicy):
        game = GamePatch(policies={role: with_policy(play.battle.policies.get(role, ()), order.policy)})
        rules = cited("HL-CMD-13")
    else:
        game = GamePatch(command={side: with_command(play.battle.command.get(side, Command()), order)})
        rules = cited("HL-TRN-04", "HL-TRN-02")
    play.add(o.StandingSet(rules=rules, side=side, role=role, text=order.text, game=game))
    if isinstance(order, say.SetPolicy):
        play.came_of(role, order, "standing")
