"""What SP and HQs may do as they stand: asked in many places, and answered here."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.tables.charts import ZOC_SP
from pbem.systems.empire_1870.world.parts import RANKS_ORDER, Hq
from pbem.systems.empire_1870.world.stacks import Group, Stack, count
from pbem.systems.empire_1870.world.state import War

# ------------------------------------------------------------------ SP


@rule("WE-STA-01")
def in_order(one: Group) -> bool:
    """Whether SP are good."""
    return one.status == "good"


@rule("WE-MCB-01", "WE-AAC-01", "WE-ADM-02")
def may_advance(one: Group) -> bool:
    """Whether SP may go on after a combat that was won, and are to be feared: the demoralized are not."""
    return one.status != "demoralized"


@rule("WE-OCF-01", "WE-RAI-03")
def may_fire(one: Group) -> bool:
    """Whether French SP may fire with their chassepots: demoralized ones too, nobody routs; but from no train."""
    return not one.entrained


@rule("WE-ACT-01")
def may_move(one: Group) -> bool:
    """Whether SP may still be activated this turn: of every status, but once."""
    return not one.spent


@rule("WE-ZOC-01")
def holds_zone(stack: Stack) -> bool:
    """Whether SP of one hex project a zone of control: enough good ones, on no train and behind no walls."""
    return count(one for one in stack if in_order(one) and not one.inside and not one.entrained) >= ZOC_SP


def good(stack: Stack) -> int:
    """How many SP in good order."""
    return count(one for one in stack if in_order(one))


# ------------------------------------------------------------------ HQs


@rule("WE-HQC-01", "WE-SEQ-04")
def on_map(hq: Hq) -> bool:
    """Whether an HQ stands on the map."""
    return hq.state == "map"


@rule("WE-ACT-01")
def may_act(hq: Hq) -> bool:
    """Whether an HQ may still be activated this turn."""
    return on_map(hq) and not hq.spent


@rule("WE-HQ-01", "WE-ACT-01")
def outranks(hq: Hq, other: Hq) -> bool:
    """Whether an HQ is above another in rank."""
    return RANKS_ORDER[hq.rank] > RANKS_ORDER[other.rank]


def hqs_of(war: War, side: Role) -> Iterator[Hq]:
    """The HQs of a side on the map, in the order of the HQ tables."""
    return (hq for hq in war.hqs.values() if hq.side == side and on_map(hq))
