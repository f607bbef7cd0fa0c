"""Who stands under whom, and who commands a side (KS-CMD-04, KS-CMD-10)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import Side, Unit


def command_of(units: Mapping[str, Unit], persons: Mapping[str, Person], person: str) -> tuple[str, ...]:
    """The ids of the units under a person and the persons below him, in the order of the order of battle."""
    below = under(persons, person)
    side = persons[person].side
    return tuple(unit.id for unit in units.values() if unit.side == side and unit.commander in (person, *below))


def under(persons: Mapping[str, Person], person: str) -> tuple[str, ...]:
    """The ids of all persons below one in the chain of command."""
    direct = [one.id for one in persons.values() if one.superior == person]
    return tuple(name for one in direct for name in (one, *under(persons, one)))


@rule("KS-CMD-04", "KS-CMD-10")
def chief_of(scene: Scene, war: War, side: Side) -> str:
    """The commander-in-chief of a side: he of the order of battle, and after him who stands above all that are left."""
    plan = scene.sides[side]
    majors = (name for name in sorted(war.persons) if war.persons[name].side == side)
    for name in dict.fromkeys((plan.c_in_c, *plan.succession, *majors)):
        person = war.persons.get(name)
        if person is not None and person.state != "captured" and not person.superior:
            return name
    return plan.c_in_c
