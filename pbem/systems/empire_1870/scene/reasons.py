"""The codes under which a line fails or is cut short on the map, and the rules that say so."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited

_AS_LEDGERED = """
mp_short            WE-MOV-01 WE-MOV-09
ezoc_stop           WE-ZOC-02 WE-MOV-09
enemy_in_path       WE-MOV-09
enemy_sighted       WE-MOV-09
path_gap            WE-MOV-01
neutral             WE-MOV-02
beaten              WE-RET-04 WE-MCB-01
garrison            WE-MCB-01 WE-SIE-01
attacked            WE-MCB-01
sortie              WE-SIE-06
eliminated          WE-OCF-03
rail_blocked        WE-RAI-01
rail_country        WE-RAI-02
rail_limit          WE-RAI-02
rail_rp             WE-RAI-02 WE-RP-02
not_controlled      WE-VIC-05
no_exit             WE-VIC-05
exit_sp             WE-VIC-05
exit_train          WE-VIC-05
forced_not_allowed  WE-FRC-01 WE-MOV-07
rally_ezoc          WE-RAL-01
rally_no_loc        WE-RAL-01 WE-LOC-04
rally_rp            WE-RAL-01 WE-RP-02
nothing_to_rally    WE-RAL-01
already_activated   WE-ACT-01
not_adjacent        WE-ACT-01
rank                WE-ACT-01 WE-HQ-01
limit               WE-HQ-03
no_sp_there         WE-SEQ-04
sp_short            WE-SEQ-04
hq_not_on_map       WE-SEQ-04
condition_false     WE-SEQ-04
phase_over          WE-SEQ-03
replaced            WE-SEQ-04
no_enemy_at_target  WE-PLA-01
attack_hexes        WE-PLA-01
assault_needs_hq    WE-PLA-01
no_advance          WE-AAC-01 WE-LOC-04
"""

REASONS: Mapping[str, tuple[RuleId, ...]] = {
    code: cited(*rules) for code, *rules in (row.split() for row in _AS_LEDGERED.split("\n") if row)
}
"""The rules behind each code."""


def because(reason: str) -> tuple[RuleId, ...]:
    """The rules behind a code; none for what is no code."""
    return REASONS.get(reason, ())
