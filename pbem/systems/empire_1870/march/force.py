"""A force on the march, as it becomes."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import COMMAND_LIMITS, INHERENT, INHERENT_LIMIT
from pbem.systems.empire_1870.world.parts import Rank
from pbem.systems.empire_1870.world.stacks import Stack, together, without


@rule("WE-HQ-03")
def command_limit(side: Role, rank: Rank | None) -> int:
    """How many SP an HQ can activate itself; of no HQ piece: an inherent division."""
    return INHERENT_LIMIT[side] if rank is None else COMMAND_LIMITS[side][rank]


@dataclass(slots=True)
class Force:
    """SP and HQs that act together; *stack* is just as the state holds it in *hex*."""

    side: Role
    hex: Hex
    stack: Stack
    hqs: tuple[str, ...] = ()
    """HQs that move with it, the leader first."""
    leader: str = ""
    """The HQ piece that leads it; empty: an inherent division HQ."""
    line: int = 0
    room: int = 0
    """SP that it may still pick up within the command limit."""
    railed: int = 0
    """SP of it that count against the rail limit of the turn already: each does so once (WE-RAI-02)."""
    steps: int = 0
    """Steps that it has taken, each of which may draw fire."""
    acted: bool = False
    fought: int = 0
    """SP of both sides in the biggest combat that it fought."""
    behind: dict[Hex, Stack] = field(default_factory=dict)
    """SP of it that stay where they are while the rest goes on or back; they have acted with it."""
    company: tuple[str, ...] = ()
    """The HQs that set out with it, whatever has become of them."""

    def __post_init__(self) -> None:
        self.company = self.hqs

    def part(self, at: Hex, stack: Stack) -> None:
        """Leave SP behind in a hex: they are of the force no longer, but have acted with it."""
        self.behind[at] = together(self.behind.get(at, ()), stack)
        if at == self.hex:
            self.stack = without(self.stack, stack)

    @rule("WE-MOV-01", "WE-MOV-08", "WE-HQ-02")
    def allowance(self, play: Play) -> int:
        """MP of whoever leads it."""
        return play.hq(self.leader).ma if self.leader else INHERENT[self.side].ma

    @rule("WE-ZOC-02", "WE-MOV-08")
    def cautious(self, play: Play) -> bool:
        """Whether an HQ that moves with it is cautious."""
        return any(play.hq(name).cautious for name in self.hqs)
