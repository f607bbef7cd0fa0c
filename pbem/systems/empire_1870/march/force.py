"""A force on the march, as it becomes; its forced marches (WE-FRC-01, WE-MOV-07), and who sees it go by (WE-OPT-02)."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.ground.hexes import Hex
from pbem.kernel.names import FULL, Role
from pbem.rules.ledger import cited, rule
from pbem.systems.empire_1870.field.fitness import in_order
from pbem.systems.empire_1870.mind.fog import as_seen, inspected
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.tables.charts import COMMAND_LIMITS, FORCED_MARCH_HOLDS, INHERENT, INHERENT_LIMIT
from pbem.systems.empire_1870.world.fact import owner_only
from pbem.systems.empire_1870.world.outcomes import ForcedMarchResolved, MovementSeen
from pbem.systems.empire_1870.world.parts import ENEMY, GERMAN, Rank
from pbem.systems.empire_1870.world.stacks import Stack, Strength, every, together, without


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


# ------------------------------------------------------------------ forced marches


@rule("WE-FRC-01")
def may_force(play: Play, force: Force) -> bool:
    """Whether a force may make a forced march from where it stands: all SP good, out of the enemy's ZOC."""
    return bool(force.stack) and all(map(in_order, force.stack)) and not play.field.in_ezoc(force.side, force.hex)


@rule("WE-FRC-01", "WE-MOV-07")
def extra_mp(play: Play, force: Force, number: int) -> int:
    """Throw for a forced march of *number* MP: above the limit every SP of the force is disrupted; gives the MP."""
    throw = play.throw("forced_march", force.hex, count=2, seed="closed")
    total = sum(throw.faces) + number
    disrupted = total > FORCED_MARCH_HOLDS
    after = every(force.stack, status="disrupted") if disrupted else force.stack
    here = together(without(play.stack(force.side, force.hex), force.stack), after)
    play.happens(
        ForcedMarchResolved,
        **owner_only(force.side, "WE-FRC-01", "WE-MOV-07" if force.side == GERMAN else ""),
        dice=(throw,),
        units=force.hqs,
        hex=force.hex,
        n=number,
        total=total,
        disrupted=disrupted,
        stacks={force.side: {force.hex: here}} if disrupted else {},
    )
    force.stack = after
    return number


# ------------------------------------------------------------------ what the enemy sees of it


@rule("WE-OPT-02")
def in_sight(play: Play, force: Force) -> bool:
    """Whether the enemy can look into the hex where a force stands."""
    return force.hex in inspected(play.field, ENEMY[force.side])


@rule("WE-OPT-02")
def tell_enemy(play: Play, force: Force, start: Hex, to: Hex, *, was_seen: bool, rail: bool = False) -> None:
    """What the enemy sees of a move that was made; *was_seen*: he could look into the hex that was left.

    Under `blind` he sees nothing out of his sight, and never what a force is that he cannot look into.
    """
    enemy, fog = ENEMY[force.side], play.war.options.fog
    now_seen = in_sight(play, force)
    looked_in = was_seen or now_seen
    if start == to or fog == "open" or enemy not in play.minds or (fog == "blind" and not looked_in):
        return
    whole = fog == "inspect" or (was_seen and now_seen)
    play.happens(
        MovementSeen,
        rules=cited("WE-OPT-02"),
        known={enemy: FULL},
        side=force.side,
        hexes=(start, to) if whole else (to,) if now_seen else (start,),
        sp=Strength.of(as_seen(force.stack)) if looked_in else None,
        units=force.hqs if looked_in else (),
        rail=rail and looked_in,
    )
