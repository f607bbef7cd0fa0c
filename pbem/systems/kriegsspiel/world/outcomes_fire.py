"""What fire does: facts of the truth about shots, losses, tests under canister, burning places, breaches and rounds.

*unit*, *firer* and *target* are keys (`red:1/F`); points are whole but where they are told to be exact.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.fact import Fact


class Factor(Struct, frozen=True):
    """Something that multiplies, and the rule that says so; the value as a fraction: `5/4`."""

    rule_id: str
    value: str


class FireResolved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fire_resolved"):
    """One firing body and its target, so that the points can be reckoned again by hand (KS-LOS-08)."""

    firer: str
    target: str
    weapon: str
    """`close_order`, `skirmishers_open`, `jaeger_cover`, `line_cover`; of guns the row of the fire table."""
    shot: str = ""
    """`musketry`, `canister`, `ball`, `grenade`."""
    distance: int = 0
    band: int = 0
    """The number of the infantry's band, or of the guns' range class."""
    quality: str = ""
    """Of guns: `good` or `bad`."""
    reasons: tuple[str, ...] = ()
    """Why the effect is bad: `slope`, `swamp`, `lines`, `undulating`, `view`, `night`, `ruling`."""
    die: str = ""
    face: int = 0
    table_number: int = 0
    units: str = "1"
    """Half battalions, pairs of zugs, batteries: the number is multiplied by it."""
    share: str = "1"
    factors: tuple[Factor, ...] = ()
    cover_factor: str = "1"
    night_factor: str = "1"
    ammunition_part: str = "1"
    points_exact: str = "0"
    points: int = 0
    men_tw: int = 0
    """What these points are worth on the target."""
    parts: tuple[tuple[str, int], ...] = ()
    """Where they fall: (`line`, 25), (`chain`, 6)."""


class FireHeld(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fire_held"):
    """A body that was to fire on a target does not."""

    firer: str
    reason: str


class LossApplied(Fact, frozen=True, kw_only=True, tag="kriegsspiel.loss_applied"):
    """A body loses men or guns."""

    unit: str
    points: int
    men_tw: int
    cause: str
    part: Literal["line", "chain", "guns"]
    new_fraction: str
    """As it will be reported (KS-LOS-07)."""
    halves: tuple[int, int] = (0, 0)
    """Of a battalion: the points on the right and the left half battalion (KS-LOS-04)."""


class PieceExchanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.piece_exchanged"):
    """A block of a battalion gives way to a smaller one (KS-LOS-03)."""

    battalion: str
    start: str
    to: str
    points_lost: int


class BlockRemoved(Fact, frozen=True, kw_only=True, tag="kriegsspiel.block_removed"):
    """A half battalion, squadron or zug is taken off."""

    unit: str
    what: Literal["half_battalion", "body", "zug"]
    survivors_tw: int
    remnant_id: str = ""
    """The id of what is left of it, if that is a remnant."""


class GunsLost(Fact, frozen=True, kw_only=True, tag="kriegsspiel.guns_lost"):
    """Guns come off (KS-ART-08)."""

    battery: str
    guns: int
    points: int
    """Carried on."""


class CanisterTested(Fact, frozen=True, kw_only=True, tag="kriegsspiel.canister_test"):
    """Whether troops stand under canister (KS-ATK-04)."""

    battery: str
    target: str
    die: str
    face: int
    result: Literal["stays", "retires"]


class BombardFired(Fact, frozen=True, kw_only=True, tag="kriegsspiel.bombard_fired"):
    """A move of fire into a place."""

    battery: str
    area: str
    moves_used: int
    die: str = ""
    """Empty: nothing was thrown in this move."""
    face: int = 0
    flame: bool = False


class FireStarted(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fire_started"):
    """A building is alight."""

    area: str
    centre: Point


class FireSpread(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fire_spread"):
    """The test whether it spreads (KS-BOM-01, KS-BOM-02)."""

    area: str
    centre: Point
    die: str
    face: int
    spreads: bool
    radius: int = 0


class EvacuationDue(Fact, frozen=True, kw_only=True, tag="kriegsspiel.evacuation_due"):
    """What burns must be left."""

    area: str
    centre: Point
    radius: int
    by_move: int


class BreachTried(Fact, frozen=True, kw_only=True, tag="kriegsspiel.breach_tried"):
    """A move of fire at a wall or a bridge."""

    battery: str
    line: str
    move_no: int
    die: str = ""
    face: int = 0
    flame: bool = False


class BreachMade(Fact, frozen=True, kw_only=True, tag="kriegsspiel.breach_made"):
    """A wall has a breach."""

    battery: str
    line: str
    at: Point
    width: int


class BridgeBroken(Fact, frozen=True, kw_only=True, tag="kriegsspiel.bridge_shot"):
    """A bridge is no longer passable."""

    crossing: str
    by: str


class AmmunitionUsed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.ammunition_used"):
    """Rounds fired."""

    battery: str
    what: str
    """`canister`, `shot`, `musketry`, `bombard`."""
    used: int
    left: int


class AmmunitionOut(Fact, frozen=True, kw_only=True, tag="kriegsspiel.ammunition_out"):
    """A class of rounds has run out."""

    battery: str
    what: str


class RemnantsJoined(Fact, frozen=True, kw_only=True, tag="kriegsspiel.remnants_joined"):
    """Two remnants of a battalion form a half battalion (KS-LOS-03)."""

    unit: str
    other: str
    men_tw: int


class FellBack(Fact, frozen=True, kw_only=True, tag="kriegsspiel.skirmishers_fell_back"):
    """Skirmishers give way to fire (KS-FIR-09)."""

    unit: str
    paces: int


class Recovered(Fact, frozen=True, kw_only=True, tag="kriegsspiel.recovered"):
    """A body is again what it was: can defend, can attack, a battery is in action again."""

    unit: str
    what: Literal["defends", "attacks", "battery", "halts"]
