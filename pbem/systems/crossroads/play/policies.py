"""Standing reactions: what a unit does that is not asked."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.systems.crossroads.world.orders import Policy
from pbem.systems.crossroads.world.patches import Policies


def with_policy(policies: Policies, order: Policy) -> Policies:
    """The reactions of a side with one more line."""
    match order.what:
        case "shaken":
            return replace(policies, shaken="prone" if order.word == "prone" else "cover")
        case "defensive_fire":
            return replace(policies, defensive_fire=order.word == "yes")
        case "advance":
            return replace(policies, advance=order.word == "yes")
        case "after_melee":
            return replace(policies, after_melee="hold" if order.word == "hold" else "fire")
        case "joker_order":
            return replace(policies, joker_order=order.units)


def in_words(policies: Policies) -> list[str]:
    """The reactions that are not as they are by default, as order lines."""
    found = []
    if policies.shaken == "prone":
        found.append("policy shaken prone")
    if not policies.defensive_fire:
        found.append("policy defensive-fire no")
    if policies.advance is not None:
        found.append(f"policy advance {'yes' if policies.advance else 'no'}")
    if policies.after_melee == "hold":
        found.append("policy after-melee hold")
    if policies.joker_order:
        found.append(f"policy joker-order {', '.join(policies.joker_order)}")
    return found
