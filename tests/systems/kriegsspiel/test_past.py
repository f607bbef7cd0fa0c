"""What is said of the truth beside what a commander has of it: his own known by name, the enemy never so."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.ground.picture import Picture, Troop
from pbem.ground.plane import Point
from pbem.rules.past import Both
from pbem.rules.reel import Known
from pbem.systems.kriegsspiel.gm.past import known
from pbem.systems.kriegsspiel.page.drawing import picture
from pbem.systems.kriegsspiel.turn.setup import blank
from pbem.systems.kriegsspiel.world.mind import Mind
from tests.systems.kriegsspiel.minds import knowing, opening, sighted, under_way

SCENE = opening("muehlrode")[0]


def of(mind: Mind, there: Troop, ref: str = "") -> Known | None:
    """What he has of the one sign that truly is there; None: he has it right.  *ref*: the entry that means it."""
    names = {ref: there.key} if ref else {}
    truth = blank(SCENE, {}).truth
    field = Picture(title="", whose="", box=(0, 0, 10_000, 10_000), troops=(there,))
    both = Both(mind.role, truth, mind, field, picture(SCENE, mind, mind.role), names)
    return known(SCENE, both).get(there.key)


def own(mind: Mind, unit: str) -> Troop:
    """The sign of a unit of his own on his map, as the truth has it."""
    (sign,) = (one for one in picture(SCENE, mind, mind.role).troops if one.key == unit)
    return replace(sign, key=f"{mind.side}:{unit}")


def test_a_body_of_his_own_where_he_believes_it_is_known_whatever_its_strength() -> None:
    mind = knowing(under_way("rehden", at=Point(2600, 4700)), "1/F", 2600, 4600)
    there = own(mind, "1/F")

    assert of(mind, there) is None
    assert of(mind, replace(there, parts=there.parts + 1)) is None


@pytest.mark.parametrize("arm", ["infantry", "cavalry"])
def test_a_body_of_the_enemy_is_known_in_part_at_the_most_of_the_right_arm_or_the_wrong(arm: str) -> None:
    mind = sighted(under_way("rehden", at=Point(2600, 4700)), "e1", 2600, 4420, arm)
    (sign,) = (one for one in picture(SCENE, mind, mind.role).troops if one.key == "e1")
    there = replace(sign, arm="infantry", key="blue:3/I")

    assert of(mind, there, "e1") == Known("in part", "e1", 0)
