"""From a scenario to the field at the start, and the umpire's own language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from msgspec import ValidationError, convert

from pbem.kernel.dice import Dice
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.kernel.office import Option
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, Readers, carried_out, number_of, patched
from tests.systems.toy.outcomes import CartLoaded, CartRemoved, Fact, PhaseBegan, PiecePlaced, Ruled
from tests.systems.toy.rules import load
from tests.systems.toy.state import CARD, GUARD, ROLES, SMUGGLER, Field, Phase, PiecePatch, Scene
from tests.systems.toy.turn import ALL, SEQUENCE

MEN = 2


def scene(files: Mapping[str, object]) -> Scene:
    """A scenario, as its three files say it."""
    try:
        scenario = convert(files["scenario"], dict[str, object])
        return Scene(
            name=convert(scenario["name"], str),
            title=convert(scenario["title"], str),
            places=convert(files["map"], dict[str, int])["places"],
            pieces=convert(files["forces"], dict[str, dict[str, tuple[Role, int]]])["pieces"],
            options=convert(scenario["options"], dict[str, Option]),
        )
    except KeyError as missing:
        raise BadScenario("the ford", f"{missing} is missing") from None
    except ValidationError as error:
        raise BadScenario("the ford", str(error)) from None


def blank(scene: Scene, options: Mapping[str, Option]) -> World[Field, Field]:
    """The empty valley."""
    if unknown := sorted(set(options) - set(scene.options)):
        raise Refused(f'there is no option "{unknown[0]}".  There are: {", ".join(sorted(scene.options))}.')
    field = Field(vp=dict.fromkeys(ROLES, 0), options={**scene.options, **options})
    return World(field, dict.fromkeys(ROLES, field))


def muster(scene: Scene, world: World[Field, Field], dice: Dice) -> Sequence[Fact]:
    """Every piece in its place, and one cart laden."""
    throw = dice.throw("load", "carts", seed="closed")
    laden = CartLoaded(piece=load(throw.faces[0]), rules=(RuleId("TY-SET-01"),), dice=(throw,), known={SMUGGLER: FULL})
    return (*(placed(name, side, at) for name, (side, at) in scene.pieces.items()), laden)


def placed(piece: str, side: Role, square: int) -> PiecePlaced:
    """A piece stands there; the guard sees a cart from outside."""
    known = {SMUGGLER: FULL, GUARD: FULL if side == GUARD else CARD}
    return PiecePlaced(known=known, piece=piece, side=side, square=square, men=MEN)


FORMS = {"place": "place s1 at 3", "set": "set s1 men 1", "remove": "remove s1 lost"}
"""Each directive by an example."""


def direct(
    scene: Scene, world: World[Field, Field], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """`place ID at PLACE`, `set ID men|laden|square VALUE`, `set turn|phase VALUE`, `remove ID CAUSE`."""
    facts: list[Fact] = []
    complaints = carried_out(
        lines,
        DIRECTIVES,
        FORMS,
        lambda verb, text, words: facts.append(verb(scene, world.truth, words, dict(known))),
    )
    return Reading(tuple(facts), complaints)


Directive = Callable[[Scene, Field, Sequence[str], dict[Role, Aspect]], Fact]


def _place(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    match words:
        case [name, "at", square]:
            piece = _piece(name, scene.pieces)
            return placed(piece, scene.pieces[piece][0], number_of(square, 1, scene.places))
    raise BadDirective("it reads: place ID at PLACE")


def _set(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    match words:
        case ["turn", number]:
            turn = number_of(number, 1, int(field.options["last_turn"]))
            return PhaseBegan(turn=turn, begins="move", known=ALL)
        case ["phase", phase]:
            if phase not in SEQUENCE:
                raise BadDirective(f'there is no phase "{phase}"; there are {", ".join(SEQUENCE)}')
            return PhaseBegan(turn=field.turn, begins=convert(phase, Phase), known=ALL)
        case [name, attribute, value]:
            piece = _piece(name, scene.pieces)
            readers: Readers = {"square": partial(number_of, least=1, most=scene.places)}
            after = patched(PiecePatch, attribute, value, readers, "a piece")
            return Ruled(
                piece=piece, known=known or {SMUGGLER: FULL}, men=after.men, laden=after.laden, square=after.square
            )
    raise BadDirective("it reads: set ID ATTRIBUTE VALUE, or: set turn|phase VALUE")


def _remove(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    match words:
        case [name, cause]:
            piece = _piece(name, field.pieces)
            return CartRemoved(known=ALL, piece=piece, cause=cause, laden=bool(field.pieces[piece].laden), points=0)
    raise BadDirective("it reads: remove ID CAUSE")


def _piece(name: str, there: Collection[str]) -> str:
    if name not in there:
        raise BadDirective(f'there is no piece "{name}"; there are {", ".join(sorted(there))}')
    return name


DIRECTIVES: Mapping[str, Directive] = {"place": _place, "set": _set, "remove": _remove}
