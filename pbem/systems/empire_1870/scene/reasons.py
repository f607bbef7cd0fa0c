"""The codes under which a line fails or is cut short: the rules that say so on the map, and what it is in words."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited

_AS_LEDGERED = """
already_activated  WE-ACT-01           had been activated already this turn
assault_needs_hq   WE-PLA-01           a planned attack needs an HQ
attack_hexes       WE-PLA-01
attacked           WE-MCB-01           stopped after the combat, as ordered
beaten             WE-RET-04 WE-MCB-01 beaten in march combat
besieged                               the place is besieged
cap                                    the side has as many SP as it may raise
condition_false    WE-SEQ-04           its condition was not met
eliminated         WE-OCF-03           nothing was left of the force
enemy_in_path      WE-MOV-09           the enemy stood in the next hex
enemy_sighted      WE-MOV-09           stopped at an enemy not known before
exit_sp            WE-VIC-05           a corps with 8 SP is needed to leave the map
exit_train         WE-VIC-05           only who is on a train leaves the map, all of the force
ezoc_stop          WE-ZOC-02 WE-MOV-09 halted by the enemy's ZOC
forced_not_allowed WE-FRC-01 WE-MOV-07 no forced march was allowed
garrison           WE-MCB-01 WE-SIE-01 the garrison holds out: the force invests the fortress
hex_limit                              no more may be raised in one hex and turn
hq_not_on_map      WE-SEQ-04           the HQ is not on the map
limit              WE-HQ-03            the command limit was used up
mp_short           WE-MOV-01 WE-MOV-09 too few MP
neutral            WE-MOV-02           neutral land
no_advance         WE-AAC-01 WE-LOC-04 those who were to go in had no LOC, or are demoralized
no_enemy_at_target WE-PLA-01           no enemy SP at the target
no_exit            WE-VIC-05           no exit hex
no_loc                                 no LOC
no_sp_there        WE-SEQ-04           no SP there
not_a_place                            no place for mobilization
not_adjacent       WE-ACT-01           no longer in reach of the HQ
not_controlled     WE-VIC-05           not in your control
not_in_pool                            the HQ is not in the pool
not_on_map                             the HQ is not on the map
not_yet                                it is too early in the war
nothing_to_do                          nothing was left to do
nothing_to_rally   WE-RAL-01           nothing to rally
path_gap           WE-MOV-01           the next hex is not adjacent
phase_over         WE-SEQ-03           the Action Phase was over
rail_blocked       WE-RAI-01           the railway is blocked
rail_country       WE-RAI-02           the railway leaves Germany
rail_limit         WE-RAI-02           3 SP have used the railway this turn
rail_rp            WE-RAI-02 WE-RP-02  RP or LOC for the railway are wanting
rally_ezoc         WE-RAL-01           in the enemy's ZOC
rally_no_loc       WE-RAL-01 WE-LOC-04 no LOC
rally_rp           WE-RAL-01 WE-RP-02  no RP left
rank               WE-ACT-01 WE-HQ-01  not of lower rank
replaced           WE-SEQ-04           dropped, or replaced by a later list
rp                                     too few RP
rp_short                               too few RP
sortie             WE-SIE-06           back in the fortress after the sortie
sp_short           WE-SEQ-04           fewer SP were there than ordered
too_near_enemy                         too near to the enemy
"""

_ROWS = {code: said for code, *said in (row.split() for row in _AS_LEDGERED.split("\n") if row)}
_RULES: Mapping[str, tuple[RuleId, ...]] = {
    code: cited(*(one for one in said if one.startswith("WE-"))) for code, said in _ROWS.items()
}
REASONS: Mapping[str, str] = {
    code: " ".join(one for one in said if not one.startswith("WE-")) for code, said in _ROWS.items()
}
"""What each code is in words."""


def because(reason: str) -> tuple[RuleId, ...]:
    """The rules behind a code; none for what is no code."""
    return _RULES.get(reason, ())
