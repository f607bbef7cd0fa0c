"""Rally: a force is brought to order (WE-RAL-01)."""

from __future__ import annotations

from pbem.ground.hexes import Hex
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.march.force import Force
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import RALLY_RP
from pbem.systems.empire_1870.turn.recovery import improved, to_improve
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import RallyResolved
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength, together, without

REASONS = {"rally_rp": ("WE-RP-02",), "rally_no_loc": ("WE-LOC-04",)}
"""The rule beside the rally's own that stands in the way."""


@rule("WE-RAL-01", "WE-RP-02", "WE-LOC-04")
def refusal(play: Play, force: Force, at: Hex, stack: Stack) -> str:
    """Why SP of a hex cannot rally, as a code of the ledger; empty: they can."""
    field = play.field
    if not to_improve(stack):
        return "nothing_to_rally"
    if field.in_ezoc(force.side, at):
        return "rally_ezoc"
    if not has_loc(field, force.side, at):
        return "rally_no_loc"
    return "" if play.war.resource_points.get(force.side, 0) >= RALLY_RP else "rally_rp"


@rule("WE-RAL-01", "WE-RP-02", "WE-LOC-04", "WE-STA-01")
def rally(play: Play, force: Force, shares: dict[Hex, Stack]) -> tuple[dict[Hex, Stack], str]:
    """Rally SP, hex by hex, each for 1 RP; gives them as they now are, and the last reason that stood in the way."""
    after = dict(shares)
    refused = ""
    for at, stack in sorted(shares.items()):
        why = refusal(play, force, at, stack)
        held = play.war.resource_points.get(force.side, 0)
        new = stack if why else improved(stack)
        if why:
            refused = why
        else:
            force.acted = True
            after[at] = new
            held -= RALLY_RP
        here = together(without(play.stack(force.side, at), stack), new)
        play.happens(
            RallyResolved,
            **owner_only(force.side, "WE-RAL-01", *REASONS.get(why, ())),
            hex=at,
            sp_before=Strength.of(stack),
            sp_after=Strength.of(new),
            rp_left=held,
            refused_reason=why,
            stacks={} if why else {force.side: {at: here}},
            game=None if why else GamePatch(resource_points={force.side: held}),
        )
    return after, refused
