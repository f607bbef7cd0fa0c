"""What may come to pass.  Names are the ledger's; fire, combat and sieges stand in `outcomes_combat`."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from pbem.ground.hexes import Hex
from pbem.kernel.event import kinds_of
from pbem.kernel.names import Role
from pbem.rules.view import Result
from pbem.systems.empire_1870.world import outcomes_combat  # noqa: F401 # its facts are facts of the game too
from pbem.systems.empire_1870.world.fact import Fact, Modifier
from pbem.systems.empire_1870.world.stacks import Strength
from pbem.systems.empire_1870.world.state import Ghost

# ------------------------------------------------------------------ set-up and the clock


class SetupPlaced(Fact, frozen=True, kw_only=True, tag="empire-1870.setup_placed"):
    """A side stands on the map.  *placements* are set-up orders that would make this set-up."""

    placements: tuple[str, ...] = ()
    defaulted: bool = False
    seal: str = ""
    """Under a set-up that the other side may not see: SHA-256 of salt, a newline, and the placements by line."""
    salt: str = ""


class SetupRevealed(Fact, frozen=True, kw_only=True, tag="empire-1870.setup_revealed"):
    """At the end: the salt and the placements under a seal, for anyone to check."""

    seal: str
    salt: str
    placements: tuple[str, ...]


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="empire-1870.phase_began"):
    """Play went on to another phase, pulse or turn."""


class PulseEnded(Fact, frozen=True, kw_only=True, tag="empire-1870.pulse_ended"):
    """A pulse that is not the last came to its end (WE-SEQ-03)."""

    reason: Literal["activations", "both_passed", "battle", "all_spent"]


class ActionPhaseEnded(Fact, frozen=True, kw_only=True, tag="empire-1870.action_phase_ended"):
    """The Action Phase came to its end (WE-SEQ-03)."""

    reason: Literal["both_passed", "all_spent"]


class TurnEnded(Fact, frozen=True, kw_only=True, tag="empire-1870.turn_ended"):
    """A turn came to its end."""


class ProgrammeSet(Fact, frozen=True, kw_only=True, tag="empire-1870.programme_set"):
    """A side's programme, as it now stands to be run; secret."""

    entries: int = 0


class StandingSet(Fact, frozen=True, kw_only=True, tag="empire-1870.standing_set"):
    """A standing order was given or changed; secret."""

    text: str = ""


class OrderPlayed(Fact, frozen=True, kw_only=True, tag="empire-1870.order_played"):
    """What became of one line of a side's sheet; known to that side alone."""

    line: int
    result: Result
    text: str
    reason: str = ""
    sheet: int = 0
    """The pulse for which the sheet was sent; 0: this one."""


# ------------------------------------------------------------------ administration


class RpCollected(Fact, frozen=True, kw_only=True, tag="empire-1870.rp_collected"):
    """Resource points came in (WE-RP-01)."""

    amount: int
    total: int


class HqReturned(Fact, frozen=True, kw_only=True, tag="empire-1870.hq_returned"):
    """A wounded HQ came back (WE-HQC-01)."""

    hq: str
    hex: Hex
    face: Literal["front", "replacement"]


class Mobilized(Fact, frozen=True, kw_only=True, tag="empire-1870.mobilized"):
    """SP or an HQ were raised (WE-ADM-01)."""

    what: Literal["sp", "hq"]
    count: int = 0
    hq: str = ""
    hex: Hex
    cost: int
    rp_left: int = 0


class MobilizeFailed(Fact, frozen=True, kw_only=True, tag="empire-1870.mobilize_failed"):
    """A mobilization could not be carried out; the RP are kept (WE-ADM-02)."""

    order_line: int
    text: str = ""
    hex: Hex
    reason: str


# ------------------------------------------------------------------ programme


class InitiativeRolled(Fact, frozen=True, kw_only=True, tag="empire-1870.initiative_rolled"):
    """Who may activate next (WE-SEQ-02)."""

    die_french: int = 0
    die_german: int = 0
    winner: Role
    rolled: bool = True


class ActivationTaken(Fact, frozen=True, kw_only=True, tag="empire-1870.activation_taken"):
    """A side took its activation, or passed (WE-SEQ-03, WE-SEQ-04)."""

    entry: int = 0
    """Number of the entry; 0: none."""
    root: str = ""
    """The HQ or hex that is activated; empty for a pass."""
    initiative_won: bool = True
    passed: bool = False
    by_entry: bool = False
    """Of a pass: from a `PASS` entry, not for want of one."""


class EntrySkipped(Fact, frozen=True, kw_only=True, tag="empire-1870.entry_skipped"):
    """An entry was not run (WE-SEQ-04)."""

    entry: int
    line: int = 0
    text: str = ""
    reason: str
    tried_again: bool = False
    """It waits, and is tried again."""


class LineSkipped(Fact, frozen=True, kw_only=True, tag="empire-1870.line_skipped"):
    """A line of a block was left out (WE-SEQ-04)."""

    entry: int
    line: int
    text: str = ""
    reason: str


class UnitsSpent(Fact, frozen=True, kw_only=True, tag="empire-1870.units_spent"):
    """An activation ended: these are spent."""

    units: tuple[str, ...] = ()
    """HQs."""


class SubActivated(Fact, frozen=True, kw_only=True, tag="empire-1870.sub_activated"):
    """An HQ was activated: the root of an entry (no *parent*) or by its parent (WE-ACT-01)."""

    parent: str = ""
    hq: str
    hex: Hex
    limit: int


class Step(Struct, frozen=True):
    """One step of a march: into which hex, what it cost, and why."""

    hex: Hex
    cost: int
    modifiers: tuple[Modifier, ...] = ()


class ForceMoved(Fact, frozen=True, kw_only=True, tag="empire-1870.force_moved"):
    """A force went along its path (WE-MOV-01); the owner's.  What the enemy saw of it stands in `movement_seen`."""

    units: tuple[str, ...] = ()
    """HQs."""
    sp: Strength | None = None
    start: Hex
    steps: tuple[Step, ...]
    mp: int
    """What it had."""
    line: int = 0


class MovementSeen(Fact, frozen=True, kw_only=True, tag="empire-1870.movement_seen"):
    """What the enemy saw of a march: the hexes that it saw, and the force if it could inspect it."""

    hexes: tuple[Hex, ...]
    sp: Strength | None = None
    units: tuple[str, ...] = ()
    rail: bool = False


class SpPickedUp(Fact, frozen=True, kw_only=True, tag="empire-1870.sp_picked_up"):
    """A marching force took SP along (WE-MOV-04)."""

    hex: Hex
    sp: Strength


class SpDropped(Fact, frozen=True, kw_only=True, tag="empire-1870.sp_dropped"):
    """A marching force left SP behind (WE-MOV-05)."""

    hex: Hex
    sp: Strength


class RailMoved(Fact, frozen=True, kw_only=True, tag="empire-1870.rail_moved"):
    """A force rode by rail (WE-RAI-01)."""

    sp: Strength
    units: tuple[str, ...] = ()
    start: Hex
    end: Hex
    route: tuple[Hex, ...]
    stays: bool = False
    rp_cost: int = 0
    sp_used_this_turn: int = 0


class ForcedMarchResolved(Fact, frozen=True, kw_only=True, tag="empire-1870.forced_march_resolved"):
    """Whether a forced march disordered the force (WE-FRC-01)."""

    units: tuple[str, ...] = ()
    hex: Hex
    n: int
    total: int
    disrupted: bool


class RallyResolved(Fact, frozen=True, kw_only=True, tag="empire-1870.rally_resolved"):
    """A force rallied, or could not (WE-RAL-01)."""

    hex: Hex
    sp_before: Strength
    sp_after: Strength
    rp_left: int = 0
    refused_reason: str = ""


class ControlChanged(Fact, frozen=True, kw_only=True, tag="empire-1870.control_changed"):
    """A hex changed hands (WE-CTL-01)."""

    hex: Hex
    before: Role | None
    after: Role
    by: str = ""
    walls: Role | None = None
    """Whose undestroyed fortress stands in it, whoever has the hex."""


class UnitExited(Fact, frozen=True, kw_only=True, tag="empire-1870.unit_exited"):
    """A corps left the map by the south-east (WE-VIC-05)."""

    hq: str
    along: tuple[str, ...] = ()
    """Other HQs that left with it."""
    sp: Strength
    hex: Hex


class Recovered(Fact, frozen=True, kw_only=True, tag="empire-1870.recovered"):
    """A force recovered (WE-REC-01)."""

    hex: Hex
    before: Strength
    after: Strength
    rp_left: int = 0


# ------------------------------------------------------------------ knowledge and victory


class Sighted(Fact, frozen=True, kw_only=True, tag="empire-1870.sighted"):
    """What a side now knows of the enemy: one fact a side and step, only if it changes its page.

    *stacks* and *new_hqs* are what it can see now, *occupied* all hexes that it knows to be occupied, *forgets*
    the HQs that it no longer sees, *ghosts* what it last knew of hexes that it no longer sees into.
    """

    only_seen: ClassVar[bool] = True

    occupied: tuple[Hex, ...] = ()
    forgets: tuple[str, ...] = ()
    ghosts: dict[Hex, Ghost] = {}


class VpChanged(Fact, frozen=True, kw_only=True, tag="empire-1870.vp_changed"):
    """The national morale of the Empire rose or fell (WE-VIC-01)."""

    reason: str
    delta: int
    vp: int


class GameWon(Fact, frozen=True, kw_only=True, tag="empire-1870.game_won"):
    """The game is over."""

    winner: Literal["french", "german", "draw"]
    how: Literal["major", "minor", "draw"]
    condition: str


class GmRuling(Fact, frozen=True, kw_only=True, tag="empire-1870.gm_ruling"):
    """What the umpire put into the state, in the words of his directive."""

    text: str = ""
    removes: tuple[str, ...] = ()


FACTS: tuple[type[Fact], ...] = kinds_of(Fact)
"""Every kind of fact of the game: those of this module, and of `outcomes_combat`."""
