"""What attacks come to: facts of the truth about declarations, fights hand to hand, retreats, capture.

*unit*, *attackers* and *defenders* are keys (`red:1/F`); strengths and differences are fractions as text.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.fact import Fact


class Strand(Struct, frozen=True):
    """What one body counts in a fight (KS-ODD-10)."""

    unit: str
    blocks: str
    """Half battalions or squadrons."""
    share: str = "1"
    counted: str = "1"
    """The part of it that counts: `1`, `1/2`, `0`."""
    doubling: str = ""
    """The rule by which it counts double; empty: it does not."""
    rule_id: str = "KS-ODD-01"


class Pointed(Struct, frozen=True):
    """A point of odds."""

    rule_id: str
    side: str
    """`red`, `blue`."""
    n: int


class LetterChange(Struct, frozen=True):
    """A letter that a rule forces (KS-ODD-11)."""

    rule_id: str
    start: str
    to: str


class MeleeLoss(Struct, frozen=True):
    """What a fight costs a body."""

    unit: str
    points: int
    rule_id: str


class AttackDeclared(Fact, frozen=True, kw_only=True, tag="kriegsspiel.attack_declared"):
    """An attack is declared (KS-ATK-01)."""

    attacker: str
    target: str
    distance: int
    at: Point
    """From where."""


class AttackAnswered(Fact, frozen=True, kw_only=True, tag="kriegsspiel.attack_answered"):
    """What the attacked body does against it (KS-ATK-02)."""

    target: str
    answer: str
    by: Literal["order", "default"]


class AttackEnded(Fact, frozen=True, kw_only=True, tag="kriegsspiel.attack_ended"):
    """An attack comes to nothing before it touches."""

    attacker: str
    reason: str


class MeleeResolved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.melee_resolved"):
    """A fight hand to hand, with all that it takes to reckon it again."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    strengths: tuple[Strand, ...]
    difference: str
    start_index: int
    """Above 0 it favours the attackers."""
    start_rule: str
    points: tuple[Pointed, ...]
    index: int
    die: str
    favoured: str
    """The side that black is for."""
    throws: tuple[int, ...]
    winner: str
    letter_thrown: str
    letter_changes: tuple[LetterChange, ...]
    letter: str
    losses: tuple[MeleeLoss, ...]


class Foregone(Fact, frozen=True, kw_only=True, tag="kriegsspiel.foregone"):
    """The weaker loses without a throw (KS-ODD-02)."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    difference: str


class RetreatStarted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.retreat_started"):
    """A body goes back."""

    unit: str
    letter: str
    to: Point
    moves: int


class StateChanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.state_changed"):
    """A body is in another state; the first moves in which it can defend itself, and attack."""

    unit: str
    start: str
    to: str
    recover_defend: int
    recover_attack: int


class Rallied(Fact, frozen=True, kw_only=True, tag="kriegsspiel.rallied"):
    """A commander has stopped a flight (KS-CMD-03), or it has not stopped."""

    unit: str
    person: str
    halts: bool


class PursuitMoved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.pursuit_moved"):
    """A move of pursuit (KS-RET-01, KS-RET-03)."""

    unit: str
    move_no: int
    paces: int
    half: bool


class CapturedInRetreat(Fact, frozen=True, kw_only=True, tag="kriegsspiel.captured_in_retreat"):
    """Men taken against an obstacle (KS-RET-08)."""

    unit: str
    fraction: str
    moves_uncontested: int


class RefugeReached(Fact, frozen=True, kw_only=True, tag="kriegsspiel.refuge_reached"):
    """Beaten troops have found cover (KS-RET-09)."""

    unit: str
    place: str
    moves_after_fight: int


class BatteryAttacked(Fact, frozen=True, kw_only=True, tag="kriegsspiel.battery_attacked"):
    """An attack on guns (KS-BAT)."""

    battery: str
    attackers: tuple[str, ...]
    situation: str
    """`A1` to `A4`, `B1`, `B2`, `C` supported, `flank`."""
    points: tuple[Pointed, ...]
    die: str
    favoured: str
    throws: tuple[int, ...]
    winner: str
    losses: tuple[MeleeLoss, ...] = ()


class BatteryTaken(Fact, frozen=True, kw_only=True, tag="kriegsspiel.battery_taken"):
    """Guns are in the enemy's hands."""

    battery: str
    by: str


class BatteryRetaken(Fact, frozen=True, kw_only=True, tag="kriegsspiel.battery_retaken"):
    """Guns are one's own again."""

    battery: str
    by: str
    out_until: int
    """The first move in which they can fire again; -1: not in this game."""


class StrongholdAttacked(Fact, frozen=True, kw_only=True, tag="kriegsspiel.stronghold_attacked"):
    """An attack on a place that is held (KS-STR)."""

    stronghold: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    sector: int
    """Paces of the attacked side; 0: a defile."""
    attack_no: int
    fresh: bool
    place_class: str
    held_moves: int
    required_d: int
    required_a: int
    fill_d: str
    fill_a: str
    points: tuple[Pointed, ...]
    die: str
    favoured: str
    throws: tuple[int, ...]
    fire_throws: tuple[int, ...]
    winner: str
    letter_thrown: str
    letter_changes: tuple[LetterChange, ...]
    letter: str
    losses: tuple[MeleeLoss, ...]


class StrongholdOccupied(Fact, frozen=True, kw_only=True, tag="kriegsspiel.stronghold_occupied"):
    """A place has a new holder."""

    stronghold: str
    unit: str
    since: int


class SurpriseChecked(Fact, frozen=True, kw_only=True, tag="kriegsspiel.surprise_checked"):
    """Whether troops are surprised (KS-SUR)."""

    attacker: str
    target: str
    cause: int
    die: str
    throws: tuple[int, ...]
    surprised: bool


class EncirclementChecked(Fact, frozen=True, kw_only=True, tag="kriegsspiel.encirclement_checked"):
    """A corps is closed in (KS-PRI-01)."""

    corps: tuple[str, ...]
    by: tuple[str, ...]
    ratio: str
    die: str
    throws: tuple[int, ...]
    result: Literal["capture", "stands", "captured without a throw"]


class PrisonersTaken(Fact, frozen=True, kw_only=True, tag="kriegsspiel.prisoners_taken"):
    """Troops are captured."""

    unit: str
    by: str
    men_tw: int


class PrisonersFreed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.prisoners_freed"):
    """Prisoners are free: a remnant (KS-PRI-04)."""

    unit: str
    men_tw: int
    escort: str
