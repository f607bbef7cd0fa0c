"""Parts of the truth that are neither troops nor persons nor papers: features, fights, rulings, the reckoning."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.troops import Side


class Feature(Struct, frozen=True, omit_defaults=True):
    """The state of a crossing, line, area or pair of boats, where it is no longer as the map has it."""

    id: str
    state: str = ""
    """Of a crossing: `intact`, `prepared`, `burning`, `plank_off`, `broken`, `destroyed`, `barricaded`, `building`."""
    work: str = ""
    """The work that goes on or has been begun: `blow`, `burn`, `pontoon`, `barricade`, …"""
    done: int = 0
    """Work done, in twelfths of a move of the usual party."""
    needed: int = 0
    begun: int = 0
    """The move in which it was begun; of a bridge that burns, in which it was lit."""
    timed: bool = False
    fuse: int = -1
    """The move in which it goes up; -1: it is not lit."""
    side: str = ""
    """Who did it, or whose bridge it is."""
    allows: tuple[str, ...] = ()
    at: Point = Point(0, 0)
    kind: str = ""
    """Of a new crossing: `pontoon`, `floating`, `trestle`; of an obstacle or work its kind."""
    water: str = ""
    length: int = 0
    facing: int = 0
    fire: str = ""
    """Of an area: `smouldering`, `spreading`, `out`."""
    fire_since: int = -1
    fire_at: Point = Point(0, 0)
    radius: int = 0
    leave_by: int = -1
    fired: int = 0
    """Moves of bombardment or of fire at a wall or bridge, in eighths of a battery."""
    breaches: int = 0
    breach_at: tuple[Point, ...] = ()
    attacks: tuple[tuple[int, str], ...] = ()
    """Of a stronghold: the moves of the attacks that counted, and which side made them (KS-STR-04)."""
    count: int = 0
    """Boats there."""


class Fight(Struct, frozen=True, omit_defaults=True):
    """A hand-to-hand fight of this move, as all may see it who are near."""

    at: Point
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    winner: Side | Literal["none"]
    letter: str
    move: int


class Raised(Struct, frozen=True, omit_defaults=True):
    """An interrupt that a commander has coming to him."""

    code: str
    move: int
    ref: str = ""
    why: str = ""


class Ruling(Struct, frozen=True, omit_defaults=True):
    """A ruling that waits for its moment: a die, points, a quality, an order allowed (KS-GM-02)."""

    id: int
    effect: str
    at: str = ""
    """Which fight, fire, paper or unit it is about."""
    value: str = ""
    number: int = 0
    side: str = ""


class Score(Struct, frozen=True, omit_defaults=True):
    """An item of the reckoning at the end."""

    item: str
    red: int = 0
    blue: int = 0
    times: int = 1


Phase = Literal["setup", "setup_second", "run", "halt", "over"]
