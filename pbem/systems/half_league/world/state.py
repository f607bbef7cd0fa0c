"""What the battle is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: of the enemy it holds the
pieces that are in sight, as they look, under the id of those that are identified and else as `contact 3`; and those
that were in sight before, as they were then (*last_seen*).  Lengths are grains, thousandths of an inch; bearings
hundredths of a degree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over, sets
from pbem.systems.half_league.world.course import Command, Ended, Half, Mark, Phase, Trace
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.options import Options
from pbem.systems.half_league.world.orders import Policy
from pbem.systems.half_league.world.patches import MERGED, GamePatch
from pbem.systems.half_league.world.pieces import SCALE, SIDES, Guns, Leader, Unit

Piece = TypeVar("Piece", Unit, Leader, Guns)


class Battle(Struct, frozen=True, kw_only=True):
    """The battle: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    """The side whose knowledge this is; roles of one side know the same."""
    roles: tuple[Role, ...] = SIDES
    turn: int = 0
    phase: Phase = "setup"
    initiative: Role | None = None
    """Who has it this turn."""
    held: Role | None = None
    """Who had it the turn before (HL-INI-01)."""
    chose: Role | None = None
    """Who won the roll this turn."""
    flank: Half | Literal[""] = ""
    charge_flank: Half | Literal[""] = ""
    wins: dict[Role, int] = {}
    """Close combats won this turn; *won_before*: in the turn before."""
    won_before: dict[Role, int] = {}
    units: dict[str, Unit] = {}
    leaders: dict[str, Leader] = {}
    guns: dict[str, Guns] = {}
    command: dict[Role, Command] = {}
    """In a mind only the own one."""
    policies: dict[Role, tuple[Policy, ...]] = {}
    """By role, the newest of each kind and scope; in a mind only the own side's."""
    labels: dict[Role, dict[str, str]] = {}
    """In truth alone: what each side calls those pieces of the enemy that it sees."""
    contacts: dict[Role, int] = {}
    """In truth alone: how many contacts each side has had."""
    fights: tuple[tuple[str, ...], ...] = ()
    """The close combats of this turn in the order in which they came about: the units of each, chargers first."""
    released: bool = False
    """The reserve may move (option `reserve_release`)."""
    exits: dict[Role, int] = {}
    """Units that left by their road."""
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Mark, ...] = ()
    traces: tuple[Trace, ...] = ()
    enemy_fallen: int = 0
    """In a mind: figures of the enemy that were seen to fall."""

    @property
    def pieces(self) -> dict[str, Unit | Leader | Guns]:
        """Every piece by its id."""
        return {**self.units, **self.leaders, **self.guns}

    @property
    def told_turn(self) -> int:
        """The turn that is being played, or, while a new one waits to begin, that which was played last."""
        return max(self.turn - (self.phase == "initiative"), 1)

    def of(self, side: Role) -> list[Unit]:
        """The units of a side that are on the field, by id."""
        return [unit for _, unit in sorted(self.units.items()) if unit.side == side and unit.there]


def _patched(battle: Battle, game: GamePatch) -> Battle:
    return replace(battle, **laid_over(battle, game, tables=MERGED, rows=("course",)))


def _laid(
    pieces: dict[str, Piece], new: Sequence[Piece], patches: Mapping[str, Struct], removes: Sequence[str]
) -> dict[str, Piece]:
    """Pieces by id, with those that are new, as the patches have them, and without those that are no more."""
    if not (new or patches or removes):
        return pieces
    now = pieces | {one.id: one for one in new}
    now |= {name: replace(now[name], **sets(patch)) for name, patch in patches.items() if name in now}
    return {name: one for name, one in now.items() if name not in removes} if removes else now


def evolve(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    if fact.only_seen and battle.viewer is None:
        return battle if fact.game is None else _patched(battle, fact.game)
    units = _laid(battle.units, fact.new_units, fact.units, fact.removes)
    leaders = _laid(battle.leaders, fact.new_leaders, fact.leaders, fact.removes)
    guns = _laid(battle.guns, (), {}, fact.removes)
    if units is not battle.units or leaders is not battle.leaders or guns is not battle.guns:
        battle = replace(battle, units=units, leaders=leaders, guns=guns)
    return battle if fact.game is None else _patched(battle, fact.game)


def written(value: object) -> str | None:
    """A place as orders and reports write it, in inches; None of anything else."""
    return SCALE.written(value) if isinstance(value, Point) else None
