"""How the ford is looked back on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.past import Both, Favour, Past, Rests, named
from pbem.rules.reel import Figures, Known, Side
from pbem.rules.view import Told
from tests.systems.toy import view
from tests.systems.toy.outcomes import Fact, PatrolFired
from tests.systems.toy.state import GUARD, ROLES, SMUGGLER, Field, Scene


def sides(scene: Scene) -> Sequence[Side]:
    """The smuggler, then the guard."""
    return (Side(SMUGGLER, "the smuggler", "first", (SMUGGLER,)), Side(GUARD, "the guard", "second", (GUARD,)))


def picture(scene: Scene, mind: Field, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a role knows of the valley."""
    return view.picture(scene, mind, role)


def truth(scene: Scene, field: Field, minds: Mapping[Role, Field], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The valley as it is."""
    return replace(view.picture(scene, field, Role("")), whose="as it is")


def figures(scene: Scene, field: Field) -> Sequence[Figures]:
    """Men left, and points."""
    left = {role: sum(one.men or 0 for one in field.pieces.values() if one.side == role) for role in ROLES}
    return [Figures(role, left=left[role], score=field.vp.get(role, 0)) for role in ROLES]


def rests(fact: Fact) -> Rests:
    """The pieces and places that a fact names, and the line that it came of."""
    places = tuple(str(getattr(fact, name)) for name in ("square", "start", "end") if hasattr(fact, name))
    role = GUARD if isinstance(fact, PatrolFired) else SMUGGLER
    line = getattr(fact, "line", 0)
    return Rests(named(fact, ("piece", "patrol")), places, role if line else Role(""), line)


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """The guard wants high faces."""
    return Favour(GUARD, "high") if isinstance(fact, PatrolFired) else None


def known(scene: Scene, both: Both[Field, Field]) -> Mapping[str, Known]:
    """Pieces that a role does not know, or not what is on them."""
    field, mind = both.truth, both.mind
    unseen = {name: Known("unseen") for name in field.pieces if name not in mind.pieces}
    part = {
        name: Known("in part", key=name)
        for name, piece in field.pieces.items()
        if name in mind.pieces and (mind.pieces[name].men, mind.pieces[name].laden) != (piece.men, piece.laden)
    }
    return unseen | part


PAST: Past[Scene, Field, Field, Fact] = Past(
    sides=sides,
    called=lambda scene, role: f"the {role}",
    picture=picture,
    truth=truth,
    figures=figures,
    clock=lambda scene, field: f"Turn {field.turn}",
    rests=rests,
    favour=favour,
    known=known,
)
