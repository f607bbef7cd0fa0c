"""The truth: troops, commanders, papers on the road and works, as the umpire knows them.

Nobody but the umpire sees a `War`.  What a commander knows is a `Mind` (`mind`), which facts of knowledge alone fill.
A fact carries a part whole as it now is, so that `changed` sets and never reckons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.kriegsspiel.dispatches import Chief, Glimpse, Paper, Person
from pbem.systems.kriegsspiel.looks import Look, looked
from pbem.systems.kriegsspiel.options import Options
from pbem.systems.kriegsspiel.orders import Line
from pbem.systems.kriegsspiel.troops import Side, Unit, UnitPatch, patched

if TYPE_CHECKING:
    from pbem.systems.kriegsspiel.fact import Fact


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


class Clock(Struct, frozen=True, omit_defaults=True):
    """Where play stands, weather and light, and who is called."""

    phase: Phase = "setup"
    move: int = 0
    """The last move played."""
    turn: int = 0
    run_from: int = 1
    """The first move of the run in hand."""
    running: bool = False
    """Whether the run has begun; else its orders are awaited."""
    stirred: bool = False
    """Whether somebody has sent an order for this run, or was called in it (KS-TUR-03)."""
    called: tuple[str, ...] = ()
    """The persons who are asked at this halt."""
    why: dict[str, str] = {}
    """For each of them, why."""
    urgent: bool = False
    weather: str = "clear"
    ground: str = "dry"
    light: str = "day"
    hour_over: bool = False
    """In this hour a half battalion of the side that is to cross has stood on the far bank."""
    hours_without: int = 0
    """Full hours in which none has."""
    visibility: int = 0
    """A cap on sight ruled by the umpire, in paces; 0: none."""
    raised: dict[str, tuple[Raised, ...]] = {}
    """Interrupts kept, by person."""
    armed: dict[str, int] = {}
    """When what has been told once was told, so that it is not told again: `W7 rehden blue:U3/1` -> move."""
    papers: int = 0
    """How many papers there have been."""
    secured: int = 0
    """Moves running in which a side has held what ends the game."""
    rulings: tuple[Ruling, ...] = ()
    verdict: str = ""
    winner: str = ""
    paused: bool = False
    entered: tuple[str, ...] = ()
    entry_wait: dict[str, int] = {}
    guns_heard: tuple[tuple[str, Point, int, str], ...] = ()
    """What was heard in this move: kind, place, how far it carries, whose it was."""
    signals: tuple[tuple[str, Point, int, str], ...] = ()
    """Signals of the move before, on which troops act in this one (KS-MSG-10)."""


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


class War(Struct, frozen=True):
    """Everything that is so."""

    options: Options = Options()
    clock: Clock = Clock()
    units: dict[str, Unit] = {}
    persons: dict[str, Person] = {}
    papers: dict[str, Paper] = {}
    """By `paper_key`."""
    chiefs: dict[str, Chief] = {}
    """Where each believes whom it reports to: by the key of a unit, or the id of a staff commander (KS-MSG-04)."""
    features: dict[str, Feature] = {}
    glimpses: dict[str, tuple[Glimpse, ...]] = {}
    """What each observer sees: the key of a unit, or the id of a person."""
    fights: tuple[Fight, ...] = ()
    """Of the move played last."""
    scores: tuple[Score, ...] = ()
    losses: dict[str, int] = {}
    """What is no longer on the field, by name: `red killed tw`, `blue captured guns` …"""
    wakes: dict[str, tuple[Line, ...]] = {}
    intentions: dict[str, str] = {}

    @property
    def pieces(self) -> Mapping[str, Unit | Person]:
        """Units by key, and persons by id."""
        return {**self.units, **self.persons}


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


def paper_key(number: int) -> str:
    """The key of a paper: its number, in an order that is that of the numbers."""
    return f"{number:06d}"


def changed(war: War, changes: Changes) -> War:
    """The truth after *changes*.  Total: what it does not know it leaves out."""
    parts: dict[str, object] = {}
    if changes.units or changes.new_units or changes.gone_units:
        units = dict(war.units)
        for key, patch in changes.units.items():
            if key in units:
                units[key] = patched(units[key], patch)
        units |= {unit.key: unit for unit in changes.new_units}
        for key in changes.gone_units:
            units.pop(key, None)
        parts["units"] = units
    if changes.persons:
        parts["persons"] = war.persons | {person.id: person for person in changes.persons}
    if changes.papers or changes.done_papers:
        papers = war.papers | {paper_key(paper.id): paper for paper in changes.papers}
        for number in changes.done_papers:
            papers.pop(paper_key(number), None)
        parts["papers"] = papers
    if changes.chiefs:
        parts["chiefs"] = war.chiefs | changes.chiefs
    if changes.features:
        parts["features"] = war.features | {feature.id: feature for feature in changes.features}
    if changes.look is not None:
        parts["glimpses"] = looked(war.glimpses, changes.look)
    if changes.clock is not None:
        parts["clock"] = patched(war.clock, changes.clock)
    for name in ("fights", "scores"):
        if getattr(changes, name) is not None:
            parts[name] = getattr(changes, name)
    if changes.losses:
        names: Iterable[str] = sorted({*war.losses, *changes.losses})
        parts["losses"] = {name: war.losses.get(name, 0) + changes.losses.get(name, 0) for name in names}
    if changes.wakes:
        parts["wakes"] = war.wakes | changes.wakes
    if changes.intentions:
        parts["intentions"] = war.intentions | changes.intentions
    return replace(war, **parts) if parts else war


def role_of(war: War, person: str) -> Role | None:
    """The role that plays a person; None for a staff commander, or nobody."""
    found = war.persons.get(person)
    return Role(found.role) if found is not None and found.role else None


def evolve(war: War, fact: Fact) -> War:
    """The truth after a fact.  A fact of knowledge changes nothing in truth."""
    return changed(war, fact.changes) if fact.changes is not None else war


def written(value: object) -> str | None:
    """A place as orders and reports write it, in paces; None of anything else."""
    return f"{value.x},{value.y}" if isinstance(value, Point) else None
