"""What comes of works, bridges and boats: facts of the truth, known to the umpire alone.

*unit* is a key (`red:PR`); what officers say of it they say in their reports (KS-GM-06).
"""

from __future__ import annotations

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.fact import Fact


class BridgeWork(Fact, frozen=True, kw_only=True, tag="kriegsspiel.bridge_work"):
    """A move of work on a crossing, an obstacle, a place or a field work."""

    crossing: str
    """The id of the crossing or place."""
    work: str
    """`blowing`, `burning`, `tear_up`, `remove`, `repair`, `pontoon`, `barricade`, `border`, `earthwork`, `gap`, …"""
    done: str
    """Moves of the usual party; exact."""
    needed: str
    unit: str
    stopped_by: str = ""
    """`canister`, `infantry fire`, `hand-to-hand`; empty: it goes on."""


class BridgeState(Fact, frozen=True, kw_only=True, tag="kriegsspiel.bridge_state"):
    """A crossing, obstacle or place is no longer as it was."""

    crossing: str
    start: str
    to: str
    by: str
    """The unit whose doing it is; empty: fire has burnt down, a match come to its end."""


class BoatTrip(Fact, frozen=True, kw_only=True, tag="kriegsspiel.boat_trip"):
    """A load has landed, or has turned back."""

    boats: str
    unit: str
    load: int
    """Its number, from 1; 0: the boats went without troops."""
    loads: int
    start: Point
    to: Point
    moves: int
    """From embarking to landing."""
    turned_back: str = ""
    """Why: `fire`, `the enemy holds the bank`; empty: it has landed."""


class SwimDone(Fact, frozen=True, kw_only=True, tag="kriegsspiel.swim_done"):
    """A body has swum a water and formed."""

    unit: str
    moves: int
