"""How a day is looked back on: pictures by themselves, figures, whom a fact was about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pbem.ground.picture import Picture
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.knowing import Sign, alike, compared
from pbem.rules.past import Both, Cut, Favour, Past, Rests, named
from pbem.rules.reel import Draw, Figures, Known, Side
from pbem.rules.view import Told
from pbem.systems.kriegsspiel.gm.truth_map import true_picture
from pbem.systems.kriegsspiel.page import drawing
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.turn.setup import counts
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import SIDES

UNITS = (
    "unit", "battery", "firer", "target", "attacker", "attackers", "defenders", "battalion", "person", "observer",
    "body", "escort", "captor", "parent", "other",
)  # fmt: skip
NEAR = 50
"""Paces by which a body may be off, and still stand where it is believed: within the length of its front."""
PLACES = ("area", "crossing", "stronghold", "place", "entry", "work")


def sides(scene: Scene) -> Sequence[Side]:
    """Red and Blue, each with its commanders."""
    found = []
    for side in SIDES:
        roles = tuple(one.role for one in scene.commanders if scene.side_of(one.role) == side)
        found.append(Side(side, side.capitalize(), drawing.style(scene, side), roles))
    return found


def called(scene: Scene, role: Role) -> str:
    """A commander by his name."""
    return next(one.commander for one in scene.commanders if one.role == role)


def picture(scene: Scene, mind: Mind, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a commander believes of the field."""
    return drawing.picture(scene, mind, role)


def truth(scene: Scene, war: War, minds: Mapping[Role, Mind], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The field as it is."""
    return true_picture(scene, war)


def figures(scene: Scene, war: War | Mind) -> Sequence[Figures]:
    """Men lost and left of each side; a commander has no numbers of them, only words."""
    if isinstance(war, Mind):
        return [Figures(side) for side in SIDES]
    found = counts(war)
    return [
        Figures(side, lost=_men(found, side, "lost") + _men(found, side, "captured"), left=_men(found, side, ""))
        for side in SIDES
    ]


def _men(found: Mapping[str, int | Fraction], side: str, what: str) -> int:
    return round(found[f"{side} men {what}".strip()])


def clock(scene: Scene, war: War | Mind) -> str:
    """The hour and minute."""
    return scene.clock(war.move if isinstance(war, Mind) else war.clock.move)


def rests(fact: Fact) -> Rests:
    """Whom and what places a fact names."""
    return Rests(named(fact, UNITS), named(fact, PLACES))


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """The faces of these dice have results printed on them: none is simply better than another."""
    return None


def cut(fact: Fact, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    """A move of two minutes with news is told together: its heading is its minute."""
    return "joins"


def names(fact: Fact) -> Mapping[str, str]:
    """What observers call those whom they have come to see."""
    look = fact.changes.look if fact.changes is not None else None
    if look is None:
        return {}
    return {one.ref: one.body.removesuffix("+") for some in look.new.values() for one in some}


def known(scene: Scene, both: Both[War, Mind]) -> Mapping[str, Known]:
    """What a commander has of each sign: of the enemy never more than a sighting, which he has numbered himself."""
    mind = both.mind
    means = {name: both.names.get(entry.tiding.ref, "") for name, entry in mind.entries.items()}
    own = {name: f"{mind.side}:{name}" for name in (*mind.own, *mind.entry_of)}
    return compared(both.there, both.held, means | own, near=NEAR, like=_alike)


def _alike(sign: Sign, had: Sign) -> bool:
    """How strong a body is nobody but its officer knows: whoever knows it by name has it right."""
    return had.own or alike(sign, had)


def draws(scene: Scene, before: War | Mind, fact: Fact) -> Sequence[Draw]:
    """What was drawn for bodies that came in sight: how they are misjudged is made of it, and their names end in it."""
    look = fact.changes.look if fact.changes is not None else None
    if look is None or not isinstance(before, War):
        return ()
    known = {
        (eye, one.body)
        for eye, some in before.glimpses.items()
        for one in some
        if one.last >= look.move - of_knowledge.FORGOTTEN_AFTER
    }
    return tuple(
        Draw(
            f"salt/m{look.move}.{fact.tick}/sighting/{eye}/{one.body}",
            digits=one.ref.rpartition(".")[2],
            start=DRAWN_FROM,
        )
        for eye, some in look.new.items()
        for one in some
        if (eye, one.body) not in known
    )


DRAWN_FROM = 24
"""The digit of its salt from which on the name of a body shows it."""


PAST: Past[Scene, War, Mind, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=truth,
    figures=figures,
    clock=clock,
    rests=rests,
    favour=favour,
    draws=draws,
    cut=cut,
    names=names,
    known=known,
)
