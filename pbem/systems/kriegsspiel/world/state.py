"""The truth: troops, commanders, papers on the road and works, as the umpire knows them.

Nobody but the umpire sees a `War`.  What a commander knows is a `Mind` (`mind`), which facts of knowledge alone fill.
A fact carries a part whole as it now is, so that `changed` sets and never reckons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.world.dispatches import Chief, Glimpse, Paper, Person
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.looks import looked
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import Line
from pbem.systems.kriegsspiel.world.parts import Feature, Fight, Phase, Raised, Ruling, Score
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit, patched


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


@rule("KS-NIG-01")
def by_night(war: War) -> bool:
    """Whether it is night, moonlit or not."""
    return war.clock.light.startswith("night")
