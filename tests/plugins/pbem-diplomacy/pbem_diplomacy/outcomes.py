"""What can come to pass: the facts of the log."""

from __future__ import annotations

from typing import Literal

from pbem.kernel.event import Outcome
from pbem.kernel.names import Role
from pbem_diplomacy.board import Kind, Place
from pbem_diplomacy.judge import Fate

Season = Literal["spring", "autumn"]
Phase = Literal["moves", "retreats", "builds"]

Cause = Literal["ordered", "no way out", "not ordered", "met", "no way", "disorder", "ruling"]
"""Why a unit is no more: its power said so; it could go nowhere; nothing was said; another would go to the same place;
it was told to go where it could not; civil disorder; a ruling."""


class UnitPlaced(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_placed"):
    """A unit stands on the board, at the beginning or by a ruling."""

    unit: str
    side: Role
    arm: Kind
    at: Place


class UnitMoved(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_moved"):
    """A move that succeeded; *sea*: over the sea."""

    unit: str
    side: Role
    line: int
    start: Place
    end: Place
    sea: bool = False


class MoveFailed(Outcome, frozen=True, kw_only=True, tag="diplomacy.move_failed"):
    """A move that did not."""

    unit: str
    side: Role
    line: int
    start: Place
    end: Place
    fate: Fate


class UnitHeld(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_held"):
    """A unit stood where it was: by order, or, with line 0, because it had none."""

    unit: str
    side: Role
    line: int
    at: Place


class UnitSupported(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_supported"):
    """A support, to the place *end*, or, if that is empty, to hold; and what became of it."""

    unit: str
    side: Role
    line: int
    at: Place
    other: str
    of: Place
    """Where the other unit stood."""
    end: Place
    fate: Fate


class ArmyConvoyed(Outcome, frozen=True, kw_only=True, tag="diplomacy.army_convoyed"):
    """A convoy that a fleet was ordered to, and what became of it."""

    unit: str
    side: Role
    line: int
    at: Place
    other: str
    of: Place
    """Where the other unit stood."""
    end: Place
    fate: Fate


class UnitDislodged(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_dislodged"):
    """A unit was driven out, by one from *whence*; empty: from over the sea."""

    unit: str
    side: Role
    at: Place
    whence: str


class ProvinceContested(Outcome, frozen=True, kw_only=True, tag="diplomacy.province_contested"):
    """Units met in a province that stays empty."""

    province: str


class UnitRetreated(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_retreated"):
    """A dislodged unit went elsewhere."""

    unit: str
    side: Role
    line: int
    start: Place
    end: Place


class UnitRemoved(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_removed"):
    """A unit is no more; *end*: where it would have gone."""

    unit: str
    side: Role
    line: int = 0
    at: Place
    cause: Cause
    end: Place = ""


class UnitBuilt(Outcome, frozen=True, kw_only=True, tag="diplomacy.unit_built"):
    """A unit was built at home."""

    unit: str
    side: Role
    line: int
    arm: Kind
    at: Place


class BuildWaived(Outcome, frozen=True, kw_only=True, tag="diplomacy.build_waived"):
    """A power did without a unit that it might have built."""

    side: Role
    line: int


class OrderFailed(Outcome, frozen=True, kw_only=True, tag="diplomacy.order_failed"):
    """An order came to nothing, because a ruling changed what it was given by."""

    side: Role
    line: int
    text: str


class CentreTaken(Outcome, frozen=True, kw_only=True, tag="diplomacy.centre_taken"):
    """A supply centre is a power's; None: nobody's, as before."""

    province: str
    side: Role | None
    was: Role | None = None


class PhaseBegan(Outcome, frozen=True, kw_only=True, tag="diplomacy.phase_began"):
    """Play went on."""

    year: int
    season: Season
    begins: Phase


class PowersLed(Outcome, frozen=True, kw_only=True, tag="diplomacy.powers_led"):
    """Powers have no players, and are in civil disorder; or have them again."""

    sides: tuple[Role, ...]
    disorder: bool


class GameEnded(Outcome, frozen=True, kw_only=True, tag="diplomacy.game_ended"):
    """The game is over."""

    winner: Role | None
    reason: Literal["centres", "last year"]


Fact = (
    UnitPlaced
    | UnitMoved
    | MoveFailed
    | UnitHeld
    | UnitSupported
    | ArmyConvoyed
    | UnitDislodged
    | ProvinceContested
    | UnitRetreated
    | UnitRemoved
    | UnitBuilt
    | BuildWaived
    | OrderFailed
    | CentreTaken
    | PhaseBegan
    | PowersLed
    | GameEnded
)
FACTS: tuple[type[Fact], ...] = Fact.__args__
