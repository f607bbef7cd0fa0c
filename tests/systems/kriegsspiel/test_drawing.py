"""What a commander's map shows of what he knows: signs, ages, and what is enlarged for him."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.ground.picture import Picture, Troop
from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.page.drawing import picture, spot
from pbem.systems.kriegsspiel.world.mind import Mind
from tests.systems.kriegsspiel.minds import knowing, opening, sighted, under_way

SCENE = opening("muehlrode")[0]


def drawn(mind: Mind) -> Picture:
    """The map of a mind."""
    return picture(SCENE, mind, mind.role)


def troop(mind: Mind, words: str) -> Troop:
    """The one sign of whose words these are the first."""
    (found,) = [one for one in drawn(mind).troops if one.words.startswith(words)]
    return found


def seen(mind: Mind, age: int, **changes: object) -> Mind:
    """A mind with an enemy body that it saw so many moves ago."""
    late = sighted(mind, "e1", 3700, 3150)
    entry = late.entries["e1"]
    tiding = replace(entry.tiding, seen=mind.move - age, **changes)
    return replace(late, entries={"e1": replace(entry, tiding=tiding)})


@pytest.mark.parametrize(
    ("age", "certainty", "label", "note"),
    [
        (5, "recent", "e1", "06:52, seen"),
        (15, "recent", "e1", "06:32, seen"),
        (16, "old", "e1", "06:30"),
        (30, "old", "e1", "06:02"),
        (31, "stale", "", ""),
    ],
)  # fmt: skip
def test_a_sighting_fades_and_in_the_end_a_dot_is_left(age: int, certainty: str, label: str, note: str) -> None:
    found = troop(seen(under_way("rehden", move=31), age), "e1")

    assert (found.certainty, found.label, found.note) == (certainty, label, note)
    assert (found.arm == "trace") is (certainty == "stale")


@pytest.mark.parametrize(
    ("changes", "arm"),
    [
        ({"arm": ""}, "unknown"),
        ({"size": "patrol", "arm": "cavalry"}, "patrol"),
        ({"size": "single", "arm": ""}, "rider"),
        ({"arm": "cavalry"}, "cavalry"),
    ],
)
def test_what_is_no_formed_body_of_a_known_arm_has_a_sign_of_its_own(changes: dict[str, object], arm: str) -> None:
    assert troop(seen(under_way("rehden"), 0, **changes), "e1").arm == arm


@pytest.mark.parametrize(("size", "arm"), [("staff", "rider"), ("troop10", "patrol"), ("picket25", "patrol")])
def test_a_staff_officer_and_a_patrol_are_no_battalions(size: str, arm: str) -> None:
    mind = knowing(under_way("rehden"), "staff of Rehden 1", 3000, 4000, size=size)

    assert troop(mind, "staff of Rehden 1").arm == arm


def test_the_enlargement_holds_himself_and_the_enemy_for_whom_he_is_called() -> None:
    mind = replace(under_way("rehden"), at=Point(3500, 5500), called=("W1",))
    far = replace(seen(mind, 0), at=Point(3500, 5500))
    box = drawn(far).focus

    assert box is not None
    for x, y in (spot(SCENE, far.at), spot(SCENE, Point(3700, 3150))):
        assert box[0] < x < box[2]
        assert box[1] < y < box[3]
    assert "the enemy nearest to you" in drawn(far).focus_caption
    assert "enemy" not in drawn(mind).focus_caption


def test_what_was_seen_long_ago_does_not_widen_the_enlargement() -> None:
    mind = replace(under_way("rehden", move=60), at=Point(3500, 5500))

    assert drawn(seen(mind, 40)).focus == drawn(mind).focus
