"""What there is, and what each fact makes of it.  Everybody knows all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import SideStyle
from pbem.kernel.names import Aspect, Role
from pbem_diplomacy.board import Board, Kind, Place, province_of
from pbem_diplomacy.judge import Nearby, Unit
from pbem_diplomacy.outcomes import (
    ArmyConvoyed,
    CentreTaken,
    Fact,
    GameEnded,
    MoveFailed,
    Phase,
    PhaseBegan,
    PowersLed,
    ProvinceContested,
    Season,
    UnitBuilt,
    UnitDislodged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    UnitRetreated,
    UnitSupported,
)


class Power(Struct, frozen=True):
    """A role of the scenario: *adjective*, as in `the German army`."""

    role: Role
    name: str
    commander: str
    style: SideStyle
    adjective: str


class Scene(Struct, frozen=True, kw_only=True):
    """A scenario: it is never changed, and no part of the state."""

    name: str
    title: str
    place: str
    date: str
    powers: tuple[Power, ...]
    units: dict[Role, tuple[tuple[Kind, Place], ...]]
    """What each power begins with."""
    centres: dict[Role, tuple[str, ...]]
    """The supply centres that each power begins with."""
    unled: tuple[Role, ...]
    """Powers that nobody leads, whoever plays."""
    board: Board
    options: dict[str, object]

    @property
    def roles(self) -> tuple[Role, ...]:
        """Who plays."""
        return tuple(power.role for power in self.powers)


class Options(Struct, frozen=True):
    """What may be chosen with a campaign."""

    victory: int = 18
    """Supply centres that win."""
    last_year: int = 1920
    nearby: Nearby = "own"
    """When an army that could walk to a province is carried there over the sea."""
    removals: Literal["owned", "home"] = "owned"
    """To which centres the distance of units is counted that a power in disorder loses."""


class Dislodged(Struct, frozen=True):
    """That a unit was driven out: by one from *whence*; empty: from over the sea."""

    whence: str


class Trace(Struct, frozen=True, kw_only=True):
    """What was ordered in an exchange, as it is drawn: it decides nothing."""

    kind: Literal["move", "support", "convoy", "retreat", "met"]
    """`met`: units met there."""
    time: tuple[int, Season, Phase]
    start: Place
    end: Place = ""
    of: Place = ""
    """Of a support and a convoy: where the other unit stood."""
    side: Role | None = None
    unit: str = ""
    failed: bool = False


class Europe(Struct, frozen=True, kw_only=True):
    """How things stand."""

    year: int = 1901
    season: Season = "spring"
    phase: Phase = "moves"
    powers: tuple[Role, ...] = ()
    units: dict[str, Unit] = {}
    """By a name that each keeps, by which it is followed: the province and the year in which it came to be."""
    dislodged: dict[str, Dislodged] = {}
    """Those that must retreat, and stand nowhere."""
    contested: tuple[str, ...] = ()
    """Provinces that are empty because units met there."""
    owners: dict[str, Role] = {}
    """Of each supply centre that is anybody's."""
    disorder: tuple[Role, ...] = ()
    traces: tuple[Trace, ...] = ()
    """What was ordered last."""
    over: bool = False
    winner: Role | None = None
    options: Options = Options()

    @property
    def pieces(self) -> dict[str, Unit]:
        """The units by their provinces, one that is dislodged with a star: what cases call the pieces."""
        star = {name: "*" if name in self.dislodged else "" for name in self.units}
        return {province_of(unit.at) + star[name]: unit for name, unit in self.units.items()}

    @property
    def vp(self) -> dict[Role, int]:
        """Supply centres of each power: what cases call the score."""
        held = list(self.owners.values())
        return {side: held.count(side) for side in self.powers}


def standing(europe: Europe) -> dict[str, Unit]:
    """The units on the board by their provinces, without those that are dislodged."""
    return {province_of(unit.at): unit for name, unit in europe.units.items() if name not in europe.dislodged}


def names_at(europe: Europe) -> dict[str, str]:
    """The name of the unit that stands in each province."""
    return {province_of(unit.at): name for name, unit in europe.units.items() if name not in europe.dislodged}


def own(europe: Europe, side: Role) -> dict[str, Unit]:
    """The units of a power."""
    return {name: unit for name, unit in europe.units.items() if unit.side == side}


def driven_out(europe: Europe, side: Role) -> dict[str, Unit]:
    """The units of a power that must retreat."""
    return {name: unit for name, unit in own(europe, side).items() if name in europe.dislodged}


def evolve(europe: Europe, fact: Fact) -> Europe:
    """How things stand after *fact*."""
    trace = _trace(europe, fact)
    if trace is not None:
        europe = replace(europe, traces=(*(one for one in europe.traces if one.time == trace.time), trace))
    match fact:
        case UnitPlaced() | UnitBuilt():
            return replace(europe, units={**europe.units, fact.unit: Unit(fact.side, fact.arm, fact.at)})
        case UnitMoved() | UnitRetreated():
            return _without(_at(europe, fact.unit, fact.end), fact.unit)
        case UnitDislodged():
            return replace(europe, dislodged={**europe.dislodged, fact.unit: Dislodged(fact.whence)})
        case UnitRemoved():
            units = {name: unit for name, unit in europe.units.items() if name != fact.unit}
            return replace(_without(europe, fact.unit), units=units)
        case ProvinceContested():
            return replace(europe, contested=(*europe.contested, fact.province))
        case CentreTaken():
            owners = {key: side for key, side in europe.owners.items() if key != fact.province}
            return replace(europe, owners={**owners, fact.province: fact.side} if fact.side else owners)
        case PhaseBegan():
            begun = replace(europe, year=fact.year, season=fact.season, phase=fact.begins)
            return begun if fact.begins == "retreats" else replace(begun, contested=())
        case PowersLed():
            others = tuple(side for side in europe.disorder if side not in fact.sides)
            return replace(europe, disorder=(*others, *fact.sides) if fact.disorder else others)
        case GameEnded():
            return replace(europe, over=True, winner=fact.winner)
        case _:  # what changes nothing that is kept
            return europe


def _trace(europe: Europe, fact: Fact) -> Trace | None:
    """What is drawn of a fact; None: nothing."""
    time = (europe.year, europe.season, europe.phase)
    match fact:
        case UnitMoved() | MoveFailed():
            return Trace(
                kind="move",
                time=time,
                start=fact.start,
                end=fact.end,
                side=fact.side,
                unit=fact.unit,
                failed=isinstance(fact, MoveFailed),
            )
        case UnitRetreated():
            return Trace(kind="retreat", time=time, start=fact.start, end=fact.end, side=fact.side, unit=fact.unit)
        case UnitSupported() | ArmyConvoyed():
            return Trace(
                kind="support" if isinstance(fact, UnitSupported) else "convoy",
                time=time,
                start=fact.at,
                end=fact.end,
                of=fact.of,
                side=fact.side,
                unit=fact.unit,
                failed=fact.fate != "done",
            )
        case ProvinceContested():
            return Trace(kind="met", time=time, start=fact.province)
        case _:
            return None


def _at(europe: Europe, name: str, place: Place) -> Europe:
    if name not in europe.units:
        return europe
    return replace(europe, units={**europe.units, name: replace(europe.units[name], at=place)})


def _without(europe: Europe, name: str) -> Europe:
    """The same, with a unit no longer dislodged."""
    return replace(europe, dislodged={key: one for key, one in europe.dislodged.items() if key != name})


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """Nothing is known in part here."""
    return None


def counts(europe: Europe) -> Mapping[str, int]:
    """Nothing is conserved: units are built, and centres are nobody's at first."""
    return {}
