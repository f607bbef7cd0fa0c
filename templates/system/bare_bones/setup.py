"""From a scenario to the field at the start, and the GM's own language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace
from pbem.kernel.dice import Dice
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.kernel.office import Option
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, Readers, carried_out, number_of, patched
from pbem.rules.files import convert, need
from pbem.rules.options import read_options
from pbem.rules.scene import heading

from bare_bones.outcomes import CompanyPlaced, CompanyRemoved, Fact, Ruled, TurnBegan, VillageTaken
from bare_bones.rules import men_of
from bare_bones.state import FROM_AFAR, CompanyPatch, Options, Scene, Side, Valley, Village

MOST_MEN, MOST_TURNS = 99, 99


def scene(files: Mapping[str, Mapping[str, object]]) -> Scene:
    """A scenario, as `scenario.toml`, `map.toml` and `forces.toml` say it.

    :raises BadScenario: naming file and table, and what is wrong.
    """
    found = Scene(
        **heading(files["scenario"]),
        sides=convert(need(files["scenario"], "roles", "scenario.toml"), tuple[Side, ...], "scenario.toml, roles"),
        villages=convert(need(files["map"], "villages", "map.toml"), dict[str, Village], "map.toml, villages"),
        companies=convert(
            need(files["forces"], "companies", "forces.toml"), dict[str, tuple[Role, str]], "forces.toml, companies"
        ),
    )
    for name, village in found.villages.items():
        if strange := sorted({*village.next} - {*found.villages}):
            raise BadScenario(f"map.toml, {name}", f'there is no village "{strange[0]}"')
    for name, (role, home) in found.companies.items():
        if role not in found.roles or home not in found.villages:
            raise BadScenario(f"forces.toml, {name}", "it wants a role of scenario.toml, and a village of map.toml")
    return found


def blank(scene: Scene, options: Mapping[str, Option]) -> World[Valley, Valley]:
    """The empty valley; its minds name the roles."""
    limits = {"last_turn": (1, MOST_TURNS)}
    valley = Valley(
        fallen=dict.fromkeys(scene.roles, 0),
        options=read_options(Options, scene.options, options, limits),
    )
    return World(valley, dict.fromkeys(scene.roles, valley))


def muster(scene: Scene, world: World[Valley, Valley], dice: Dice) -> Sequence[Fact]:
    """Every company at home; how many men each has is thrown, and its own side's secret."""
    everybody = dict.fromkeys(scene.roles, FULL)
    facts: list[Fact] = [
        VillageTaken(known=everybody, village=name, side=village.home)
        for name, village in scene.villages.items()
        if village.home
    ]
    for name, (side, home) in sorted(scene.companies.items()):
        throw = dice.throw("men", name, seed="closed")
        facts.append(replace(_placed(scene, name, side, home, men_of(throw.faces[0])), dice=(throw,)))
    return facts


def _placed(scene: Scene, company: str, side: Role, at: str, men: int) -> CompanyPlaced:
    known = {role: FULL if role == side else FROM_AFAR for role in scene.roles}
    rules = (RuleId("BB-SET-01"),)
    return CompanyPlaced(known=known, rules=rules, company=company, side=side, at=at, men=men)


# ------------------------------------------------------------------ the GM's language

FORMS = {"place": "place r1 at ford", "set": "set r1 men 3", "remove": "remove r1 lost"}
"""Each directive by an example."""

Known = Mapping[Role, Aspect]
Directive = Callable[[Scene, Valley, Sequence[str], Known], Fact]


def direct(
    scene: Scene, world: World[Valley, Valley], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """`place COMPANY at VILLAGE`, `set COMPANY men|at VALUE`, `set turn NUMBER`, `remove COMPANY CAUSE`."""
    facts: list[Fact] = []
    complaints = carried_out(
        lines, DIRECTIVES, FORMS, lambda verb, text, words: facts.append(verb(scene, world.truth, words, known))
    )
    return Reading(tuple(facts), complaints)


def _place(scene: Scene, valley: Valley, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [name, "at", village]:
            side = scene.companies[_one_of(name, scene.companies, "company")][0]
            there = valley.companies.get(name)
            return _placed(
                scene, name, side, _one_of(village, scene.villages, "village"), there.men or 0 if there else 3
            )
    raise BadDirective("it reads: place COMPANY at VILLAGE")


def _set(scene: Scene, valley: Valley, words: Sequence[str], known: Known) -> Fact:
    match words:
        case ["turn", number]:
            return TurnBegan(turn=number_of(number, 1, MOST_TURNS), known=dict.fromkeys(scene.roles, FULL))
        case [name, attribute, value]:
            company = _one_of(name, valley.companies, "company")
            readers: Readers = {
                "men": partial(number_of, least=1, most=MOST_MEN),
                "at": lambda said: _one_of(said, scene.villages, "village"),
            }
            patch = patched(CompanyPatch, attribute, value, readers, "a company")
            told = known or _who_sees(scene, valley.companies[company].side, everybody=attribute == "at")
            return Ruled(company=company, known=dict(told), men=patch.men, at=patch.at)
    raise BadDirective("it reads: set COMPANY ATTRIBUTE VALUE, or: set turn NUMBER")


def _who_sees(scene: Scene, side: Role, *, everybody: bool) -> Known:
    """Who learns of a ruling if the GM does not say: of men their side, of a place all."""
    return dict.fromkeys(scene.roles if everybody else (side,), FULL)


def _remove(scene: Scene, valley: Valley, words: Sequence[str], known: Known) -> Fact:
    match words:
        case [name, cause]:
            company = _one_of(name, valley.companies, "company")
            return CompanyRemoved(known=dict.fromkeys(scene.roles, FULL), company=company, cause=cause)
    raise BadDirective("it reads: remove COMPANY CAUSE")


def _one_of(name: str, there: Mapping[str, object], what: str) -> str:
    if name not in there:
        raise BadDirective(f'there is no {what} "{name}"; there are {", ".join(sorted(there))}')
    return name


DIRECTIVES: Mapping[str, Directive] = {"place": _place, "set": _set, "remove": _remove}
