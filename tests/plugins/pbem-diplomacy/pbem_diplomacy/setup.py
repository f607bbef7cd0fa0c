"""From a scenario to the board at the start, and the GM's own language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.dice import Dice
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import FULL, Aspect, Role
from pbem.kernel.office import Option
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, carried_out, number_of, side_of
from pbem.rules.files import convert, need
from pbem.rules.ledger import cited
from pbem.rules.options import read_options
from pbem.rules.scene import heading
from pbem_diplomacy.board import Kind, province_of
from pbem_diplomacy.map import BOARD
from pbem_diplomacy.outcomes import (
    CentreTaken,
    Fact,
    Phase,
    PhaseBegan,
    PowersLed,
    ProvinceContested,
    UnitDislodged,
    UnitPlaced,
    UnitRemoved,
)
from pbem_diplomacy.rules import fits
from pbem_diplomacy.state import Europe, Options, Power, Scene, standing
from pbem_diplomacy.turn import EXCHANGES

FIRST_YEAR, LAST_YEAR = 1901, 1999


def scene(files: Mapping[str, Mapping[str, object]]) -> Scene:
    """A scenario, as `scenario.toml` and `forces.toml` say it; the board is that of the package.

    :raises BadScenario: naming file and table, and what is wrong.
    """
    head, forces = files["scenario"], files["forces"]
    found = Scene(
        **heading(head),
        powers=convert(need(head, "roles", "scenario.toml"), tuple[Power, ...], "scenario.toml, roles"),
        unled=convert(head.get("unled", ()), tuple[Role, ...], "scenario.toml, unled"),
        units=convert(
            need(forces, "units", "forces.toml"), dict[Role, tuple[tuple[Kind, str], ...]], "forces.toml, units"
        ),
        centres=convert(need(forces, "centres", "forces.toml"), dict[Role, tuple[str, ...]], "forces.toml, centres"),
        board=BOARD,
    )
    for side in (*found.units, *found.centres, *found.unled):
        if side not in found.roles:
            raise BadScenario(f"forces.toml, {side}", "it is no role of scenario.toml")
    for side, units in found.units.items():
        for kind, place in units:
            if not fits(BOARD, kind, place):
                raise BadScenario(f"forces.toml, {side}", f'no {kind} can be in "{place}"')
    for side, centres in found.centres.items():
        if strange := sorted({*centres} - {*BOARD.centres}):
            raise BadScenario(f"forces.toml, {side}", f'"{strange[0]}" is no supply centre')
    return found


def blank(scene: Scene, options: Mapping[str, Option]) -> World[Europe, Europe]:
    """The empty board; its minds name the roles."""
    limits = {"victory": (1, len(BOARD.centres)), "last_year": (FIRST_YEAR, LAST_YEAR)}
    europe = Europe(powers=scene.roles, options=read_options(Options, scene.options, options, limits))
    return World(europe, dict.fromkeys(scene.roles, europe))


def muster(scene: Scene, world: World[Europe, Europe], dice: Dice) -> Sequence[Fact]:
    """Every unit and every centre as the scenario has them."""
    known, rules = dict.fromkeys(scene.roles, FULL), cited("DP-SET-01")
    facts: list[Fact] = [
        CentreTaken(known=known, rules=rules, province=province, side=side)
        for side, centres in sorted(scene.centres.items())
        for province in centres
    ]
    facts += [
        UnitPlaced(known=known, rules=rules, unit=f"{province_of(at)}-{FIRST_YEAR - 1}", side=side, arm=kind, at=at)
        for side, units in sorted(scene.units.items())
        for kind, at in units
    ]
    if scene.unled:
        facts.append(PowersLed(known=known, rules=cited("DP-CIV-03"), sides=scene.unled, disorder=True))
    return facts


def staff(scene: Scene, roles: Sequence[Role], played: bool) -> str:
    """The directive, in one line, that leaves powers to civil disorder, or to players again."""
    return " ".join(("order" if played else "disorder", *roles))


# ------------------------------------------------------------------ the GM's language

FORMS = {
    "place": "place france A par",
    "remove": "remove par",
    "give": "give par france",
    "set": "set phase 1901 autumn moves",
    "dislodge": "dislodge par bur",
    "contest": "contest par",
    "disorder": "disorder france",
    "order": "order france",
}
"""Each directive by an example."""

Known = Mapping[Role, Aspect]
Directive = Callable[[Scene, Europe, Sequence[str], Known], Fact]


def direct(
    scene: Scene, world: World[Europe, Europe], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """Each directive of `FORMS`, a line each.

    All is known to everybody, whatever *known* says: there are no secrets on this board.
    """
    everybody = dict.fromkeys(scene.roles, FULL)
    facts: list[Fact] = []
    complaints = carried_out(
        lines, DIRECTIVES, FORMS, lambda verb, text, words: facts.append(verb(scene, world.truth, words, everybody))
    )
    return Reading(tuple(facts), complaints)


def _place(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [side, "A" | "F" | "a" | "f" as said, place]:
            kind: Kind = "A" if said.upper() == "A" else "F"
            if not fits(BOARD, kind, place):
                raise BadDirective(f"no {kind} can be in {place}")
            name = f"{province_of(place)}-{europe.year}"
            while name in europe.units:
                name += "b"
            return UnitPlaced(known=dict(known), unit=name, side=side_of(side, scene.roles), arm=kind, at=place)
    raise BadDirective("it reads: place POWER A|F PLACE")


def _unit(europe: Europe, place: str) -> str:
    for name, unit in europe.units.items():
        if place in (unit.at, province_of(unit.at)):
            return name
    raise BadDirective(f"there is no unit in {place}")


def _remove(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [place]:
            name = _unit(europe, place)
            unit = europe.units[name]
            return UnitRemoved(known=dict(known), unit=name, side=unit.side, at=unit.at, cause="ruling")
    raise BadDirective("it reads: remove PLACE")


def _give(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [centre, to] if centre in BOARD.centres:
            side = None if to == "nobody" else side_of(to, scene.roles)
            return CentreTaken(known=dict(known), province=centre, side=side, was=europe.owners.get(centre))
    raise BadDirective("it reads: give CENTRE POWER, or: give CENTRE nobody")


def _set(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case ["phase", year, "spring" | "autumn" as season, "moves" | "retreats" | "builds" as phase]:
            begins: Phase = "moves" if phase == "moves" else "retreats" if phase == "retreats" else "builds"
            number = number_of(year, FIRST_YEAR, LAST_YEAR)
            time = next((one for one in EXCHANGES if one == (season, begins)), None)
            if time is None:
                raise BadDirective("units are built in autumn alone")
            return PhaseBegan(known=dict(known), year=number, season=time[0], begins=begins)
    raise BadDirective("it reads: set phase YEAR spring|autumn moves|retreats|builds")


def _dislodge(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [place, *whence] if len(whence) < 2:
            name = _unit(europe, place)
            by = _province(whence[0]) if whence else ""
            unit = europe.units[name]
            return UnitDislodged(known=dict(known), unit=name, side=unit.side, at=unit.at, whence=by)
    raise BadDirective("it reads: dislodge PLACE WHENCE, or: dislodge PLACE")


def _contest(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [place] if _province(place) not in standing(europe):
            return ProvinceContested(known=dict(known), province=place)
    raise BadDirective("it reads: contest PROVINCE, which is empty")


def _province(word: str) -> str:
    if word not in BOARD.provinces:
        raise BadDirective(f"there is no province {word}")
    return word


def _lead(scene: Scene, words: Sequence[str], known: Known, *, disorder: bool) -> Fact:
    if not words:
        raise BadDirective("it reads: disorder POWER, or several of them, or: order POWER")
    sides = tuple(side_of(word, scene.roles) for word in words)
    return PowersLed(sides=sides, disorder=disorder, known=dict(known), rules=cited("DP-CIV-03"))


def _disorder(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    return _lead(scene, words, known, disorder=True)


def _order(scene: Scene, europe: Europe, words: Sequence[str], known: Known) -> Fact:
    return _lead(scene, words, known, disorder=False)


DIRECTIVES: Mapping[str, Directive] = {
    "place": _place,
    "remove": _remove,
    "give": _give,
    "set": _set,
    "dislodge": _dislodge,
    "contest": _contest,
    "disorder": _disorder,
    "order": _order,
}
