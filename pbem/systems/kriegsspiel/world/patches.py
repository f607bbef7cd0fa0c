"""What a fact makes of the truth: the parts of it that are new, and those of the clock."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.dispatches import Chief, Paper, Person
from pbem.systems.kriegsspiel.world.looks import Look
from pbem.systems.kriegsspiel.world.orders import Line
from pbem.systems.kriegsspiel.world.parts import Feature, Fight, Phase, Raised, Ruling, Score
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch


class ClockPatch(Struct, frozen=True, omit_defaults=True):
    """Parts of the clock as they now are."""

    phase: Phase | UnsetType = UNSET
    move: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    run_from: int | UnsetType = UNSET
    running: bool | UnsetType = UNSET
    stirred: bool | UnsetType = UNSET
    called: tuple[str, ...] | UnsetType = UNSET
    why: dict[str, str] | UnsetType = UNSET
    urgent: bool | UnsetType = UNSET
    weather: str | UnsetType = UNSET
    ground: str | UnsetType = UNSET
    light: str | UnsetType = UNSET
    hour_over: bool | UnsetType = UNSET
    hours_without: int | UnsetType = UNSET
    visibility: int | UnsetType = UNSET
    raised: dict[str, tuple[Raised, ...]] | UnsetType = UNSET
    armed: dict[str, int] | UnsetType = UNSET
    papers: int | UnsetType = UNSET
    secured: int | UnsetType = UNSET
    rulings: tuple[Ruling, ...] | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    winner: str | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    entered: tuple[str, ...] | UnsetType = UNSET
    entry_wait: dict[str, int] | UnsetType = UNSET
    guns_heard: tuple[tuple[str, Point, int, str], ...] | UnsetType = UNSET
    signals: tuple[tuple[str, Point, int, str], ...] | UnsetType = UNSET


class Changes(Struct, frozen=True, omit_defaults=True):
    """What a fact makes of the truth."""

    units: dict[str, UnitPatch] = {}
    new_units: tuple[Unit, ...] = ()
    gone_units: tuple[str, ...] = ()
    """Units that are no more: a patrol that has come back."""
    persons: tuple[Person, ...] = ()
    papers: tuple[Paper, ...] = ()
    done_papers: tuple[int, ...] = ()
    """Papers that are of no further use."""
    chiefs: dict[str, Chief] = {}
    features: tuple[Feature, ...] = ()
    look: Look | None = None
    clock: ClockPatch | None = None
    fights: tuple[Fight, ...] | None = None
    scores: tuple[Score, ...] | None = None
    losses: dict[str, int] = {}
    """Added to the tally."""
    wakes: dict[str, tuple[Line, ...]] = {}
    intentions: dict[str, str] = {}
