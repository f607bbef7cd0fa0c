"""The codes under which an order fails on the field, the rules that say so, and each in words."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited

_AS_LEDGERED = """
condition_false   | GC-ACT-04           | its condition did not hold
no_target         | GC-ACT-04           | no enemy was in sight, arc and range
not_in_sight      | GC-MOV-07           | the enemy was not in sight
not_in_arc        | GC-MOV-07           | the enemy was not in its front arc
out_of_range      | GC-FIR-02           | the enemy was out of range
out_of_reach      | GC-CHG-01           | the enemy was out of reach
obstacle          | GC-CHG-08 GC-MOV-03 | a linear obstacle lay between
cavalry           | GC-FIR-01           | cavalry does not fire
limbered          | GC-MOV-01           | guns do not fire limbered
deployed          | GC-MOV-01           | guns do not move deployed
no_dice           | GC-FIR-03           | it had no dice to fire
jammed            | GC-FIR-06           | it was jammed
not_jammed        | GC-FIR-06           | it was not jammed
routed            | GC-MOR-07           | it was routed
withdrawn         | GC-MOR-06           | it had fallen back
shaken            | GC-MOR-05           | it was shaken
rallied           | GC-RAL-01           | it had just rallied
level_3           | GC-MOR-02           | it had lost three quarters
advance_failed    | GC-MOV-08           | it would not advance
charge_failed     | GC-CHG-01           | it would not charge
charge_morale     | GC-CHG-03           | the fire stopped its charge
charge_stopped    | GC-CHG-03           | the fire stopped its charge
charge_short      | GC-CHG-01           | its charge fell short
charge_no_contact | GC-CHG-01           | its charge met nobody
green             | GC-ACT-03           | it had been moved by an officer
acted             | GC-ACT-03           | it had acted already
out_of_zoc        | GC-ACT-03           | it was out of his reach
none_led          | GC-ACT-03           | none of them could be led on its card
led               | GC-ACT-03           | he had led this turn
killed            | GC-FIR-07           | he had fallen
ridden            | GC-ACT-02           | he had ridden this turn
rides_first       | GC-ACT-02           | with no unit, or told to ride first, he rides at the start of a turn alone
not_reached       | GC-ACT-02           | he could not come so far
no_own_move       | GC-ACT-02           | he has no move of his own
prone             | GC-FIR-09           | it was prone
already           | GC-MOV-06           | it was so already
no_room           | GC-MOV-06           | there was no room
there_already     | GC-MOV-02           | it was there already
no_move           | GC-MOV-02           | it could not go a step
short_enemy       | GC-MOV-05           | it stopped short of an enemy
short_friend      | GC-MOV-02           | a friendly unit was in its way
short_edge        | GC-MOV-05           | it came to the edge of the table
closed            | GC-MOV-05           | the ground is closed to that formation
short_closed      | GC-MOV-05           | it came to ground that is closed to it
short_obstacle    | GC-MOV-03           | it came to an obstacle
short_linear      | GC-MOV-02           | it could not pay for the obstacle before it
short_contour     | GC-MOV-02           | it could not pay for the slope before it
short_room        | GC-MOV-04           | there was no room to turn
short_facing      | GC-MOV-04           | it had nothing left to turn
short_spent       | GC-MOV-02           | its move did not reach so far
no_obstacle       | GC-MOV-03           | there was no obstacle before it
crossing          | GC-MOV-03           | it was crossing an obstacle
not_able          | GC-CRD-02           | it could not act
joker_twice       | GC-CRD-02           | it had taken a joker already
gone              | GC-CRD-01           | it was gone
not_there         | GC-ARV-01           | it was not on the table
no_card           | GC-CRD-01           | its card did not come up
joker_other       | GC-CRD-02           | the joker went to another
no_joker          | GC-CRD-02           | the joker was the other side's
"""

_ROWS = [tuple(part.strip() for part in row.split("|")) for row in _AS_LEDGERED.strip().splitlines()]

REASONS: Mapping[str, tuple[RuleId, ...]] = {code: cited(*rules.split()) for code, rules, _ in _ROWS}
"""The rules behind each code."""

WORDS: Mapping[str, str] = {code: words for code, _, words in _ROWS}
"""Each code as a clause."""


SHORT = frozenset(code for code in WORDS if code.startswith(("short_", "charge_")) or code == "advance_failed")
"""The codes of what was begun and did not come to its end."""


def because(reason: str) -> tuple[RuleId, ...]:
    """The rules behind a code; none for what is no code."""
    return REASONS.get(reason, ())
