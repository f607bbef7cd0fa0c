"""What the theatre of war is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: of the enemy it holds
the stacks and HQs that are known now, *occupied* says where more stands unseen, *ghosts* what was seen before.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.options import Options
from pbem.systems.empire_1870.world.orders import Mobilize, MobilizeHq
from pbem.systems.empire_1870.world.parts import Ended, Entry, Fortress, Hq, Mark, Phase, Seal, Standing
from pbem.systems.empire_1870.world.patches import MERGED, GamePatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength, every


class Ghost(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was last known of the enemy in a hex, and when."""

    turn: int
    pulse: int
    stack: Stack = ()
    hqs: tuple[str, ...] = ()


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen in a pulse, for the map."""

    turn: int
    pulse: int
    kind: Literal["march", "rail", "retreat", "advance", "battle", "fire", "siege"]
    side: Role
    hexes: tuple[Hex, ...]
    count: int = 0


class War(Struct, frozen=True, kw_only=True):
    """The theatre of war: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    turn: int = 0
    pulse: int = 0
    """0 before the Action Phase of a turn."""
    phase: Phase = "setup_french"
    activation_no: int = 0
    """Top-level activations of this turn, of both sides."""
    activations_of_pulse: int = 0
    passed: Role | None = None
    """Who has passed last, if nobody has activated since."""
    passed_by_entry: bool = False
    """That this pass came from a `PASS` entry; its owner's and the rules' alone."""
    turn_of: Role | None = None
    """`initiative_mode` alternate: who goes next without a roll."""
    stacks: dict[Role, dict[Hex, Stack]] = {}
    off_map: dict[Role, int] = {}
    """SP that have left the map, as the facts told it, less those that came onto it."""
    hqs: dict[str, Hq] = {}
    fortresses: dict[Hex, Fortress] = {}
    control: dict[Hex, Role] = {}
    """Who controls a hex; neutral land is not there."""
    resource_points: dict[Role, int] = {}
    vp: int = 11
    rail_sp_used: int = 0
    """French SP that entrained or rode this turn (WE-RAI-02)."""
    programme: dict[Role, tuple[Entry, ...]] = {}
    """What is still to be run; in a mind only the own one."""
    standing: dict[Role, Standing] = {}
    done: tuple[str, ...] = ()
    """HQs whose activation has ended this turn (`DONE`); in a mind only the own ones."""
    administration: dict[Role, tuple[Mobilize | MobilizeHq, ...]] = {}
    exited: tuple[str, ...] = ()
    """Corps that left the map by the south-east (WE-VIC-05)."""
    placed: dict[Role, Seal] = {}
    """The set-ups of the sides that stand on the map; in a mind the other's without salt and placements."""
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Mark, ...] = ()
    occupied: tuple[Hex, ...] = ()
    """In a mind: hexes that hold enemy pieces, as far as known."""
    ghosts: dict[Hex, Ghost] = {}
    traces: tuple[Trace, ...] = ()

    @property
    def pieces(self) -> dict[str, object]:
        """Every piece by a name: HQs by id, stacks as `french 2306`."""
        found: dict[str, object] = dict(self.hqs)
        for side, stacks in self.stacks.items():
            found |= {f"{side} {at}": Strength.of(stack) for at, stack in stacks.items()}
        return found


def _rested(stack: Stack) -> Stack:
    return every(stack, spent=False) if any(one.spent for one in stack) else stack


_START = asdict(War())
_OF_A_TURN = (
    "pulse",
    "activation_no",
    "activations_of_pulse",
    "passed",
    "passed_by_entry",
    "turn_of",
    "rail_sp_used",
    "done",
)
"""What begins with every turn as it began with the first."""


def _patched(war: War, game: GamePatch) -> War:
    changes = laid_over(war, game, tables=MERGED, rows=("course",))
    if changes.get("turn", war.turn) != war.turn:
        # A new turn finds everybody rested, known or unknown to a side alike (WE-SEQ-01).
        stacks = {side: {at: _rested(stack) for at, stack in table.items()} for side, table in war.stacks.items()}
        hqs = {name: replace(hq, spent=False) if hq.spent else hq for name, hq in war.hqs.items()}
        fresh = {name: _START[name] for name in _OF_A_TURN}
        changes = {**fresh, "stacks": stacks, "hqs": hqs, **changes}
    return replace(war, **changes)


def remaining(war: War, side: Role) -> tuple[Entry, ...]:
    """What of a side's programme is still to be run: with the Action Phase of its turn it is over (WE-SEQ-03)."""
    return war.programme.get(side, ()) if war.phase == "action" else ()


def evolve(war: War, fact: Fact) -> War:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    if fact.only_seen and war.viewer is None:
        return war
    changes: dict[str, object] = {}
    if fact.stacks:
        stacks = dict(war.stacks)
        for side, table in fact.stacks.items():
            now = {**stacks.get(side, {}), **table}
            stacks[side] = {at: stack for at, stack in now.items() if stack}
        changes["stacks"] = stacks
    if fact.toll:
        sides = {**dict.fromkeys(fact.toll, 0), **war.off_map}
        changes["off_map"] = {side: left + fact.toll.get(side, 0) for side, left in sides.items()}
    if fact.hqs or fact.new_hqs:
        known = {name: patch for name, patch in fact.hqs.items() if name in war.hqs}
        patched = {name: replace(war.hqs[name], **patch.sets()) for name, patch in known.items()}
        changes["hqs"] = {**war.hqs, **patched, **{hq.id: hq for hq in fact.new_hqs}}
    if changes:
        war = replace(war, **changes)
    return war if fact.game is None else _patched(war, fact.game)
