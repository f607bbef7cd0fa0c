"""From a scenario to the field at the start, and the umpire's own language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from msgspec import ValidationError, convert

from pbem.kernel.dice import Dice
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.kernel.office import Option
from pbem.orders.grammar import bare, written
from pbem.orders.sheet import Complaint, Judgement, Line, Reading
from pbem.rules.contract import World
from tests.systems.toy.outcomes import CartLoaded, CartRemoved, Fact, PhaseBegan, PiecePlaced, Ruled
from tests.systems.toy.rules import load
from tests.systems.toy.state import CARD, GUARD, ROLES, SMUGGLER, Field, Phase, Scene
from tests.systems.toy.turn import ALL

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


def direct(
    scene: Scene, world: World[Field, Field], lines: Sequence[Line], known: Mapping[Role, Aspect]
) -> Reading[Fact]:
    """`place ID at PLACE`, `set ID men|laden|square VALUE`, `set turn|phase VALUE`, `remove ID CAUSE`."""
    facts: list[Fact] = []
    complaints: list[Complaint] = []
    field = world.truth
    for line in written(lines):
        words = bare(line.text).split()
        try:
            facts.append(DIRECTIVES[words[0]](scene, field, words[1:], dict(known)))
        except (KeyError, ValueError, IndexError):
            why = f'"{bare(line.text)}" is no directive'
            complaints.append(Complaint(line.number, 1, Judgement.NOT_UNDERSTOOD, why, instead="set s1 men 1"))
            continue
    return Reading(tuple(facts), tuple(complaints))


Directive = Callable[[Scene, Field, Sequence[str], dict[Role, Aspect]], Fact]


def _place(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    piece, at, square = words
    if at != "at":
        raise ValueError(at)
    return placed(piece, scene.pieces[piece][0], int(square))


def _set(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    match words:
        case ["turn", number]:
            return PhaseBegan(turn=int(number), begins="move", known=ALL)
        case ["phase", phase] if phase in get_args(Phase) and phase != "over":
            return PhaseBegan(turn=field.turn, begins=convert(phase, Phase), known=ALL)
        case [piece, "laden", value] if piece in scene.pieces:
            return Ruled(piece=piece, attribute="laden", value=value == "true", known=known or {SMUGGLER: FULL})
        case [piece, "men" | "square" as attribute, value] if piece in scene.pieces:
            return Ruled(piece=piece, attribute=attribute, value=int(value), known=known or {SMUGGLER: FULL})
    raise ValueError(words)


def _remove(scene: Scene, field: Field, words: Sequence[str], known: dict[Role, Aspect]) -> Fact:
    piece, cause = words
    return CartRemoved(known=ALL, piece=piece, cause=cause, laden=bool(field.pieces[piece].laden), points=0)


DIRECTIVES: Mapping[str, Directive] = {"place": _place, "set": _set, "remove": _remove}
