"""A look about carries what has changed since the one before, and no glimpse is lost by it."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.dispatches import Glimpse
from pbem.systems.kriegsspiel.world.looks import Look, look_of, looked

NAMES = ("blue:1/I", "blue:1/II", "auer")
BODIES = ("red:1/F", "red:H5/1", "red:H5/2")
MOVE = 9

glimpses = st.builds(
    Glimpse,
    body=st.sampled_from(BODIES),
    ref=st.sampled_from(["a", "b"]),
    since=st.integers(1, 3),
    last=st.integers(7, MOVE),
    far=st.integers(0, 3),
    level=st.sampled_from(["presence", "arm"]),
    error=st.builds(Point, st.just(0), st.integers(0, 1)),
    approaching=st.integers(-1, 1),
)
seen = st.lists(glimpses, unique_by=lambda one: one.body, max_size=3).map(
    lambda found: tuple(sorted(found, key=lambda one: one.body))
)


def sights(least: int) -> st.SearchStrategy[dict[str, tuple[Glimpse, ...]]]:
    return st.dictionaries(st.sampled_from(NAMES), seen.filter(lambda found: len(found) >= least))


@given(sights(1), sights(0))
def test_after_a_look_all_see_what_they_saw_in_it(
    before: Mapping[str, tuple[Glimpse, ...]], after: Mapping[str, tuple[Glimpse, ...]]
) -> None:
    look = json.decode(json.encode(look_of(before, after, MOVE)), type=Look)

    expected = {name: found for name, found in {**before, **after}.items() if found}
    assert looked(before, look) == expected
    assert looked(expected, look) == expected


@given(sights(1))
def test_a_look_that_finds_what_the_one_before_found_carries_nothing(before: Mapping[str, tuple[Glimpse, ...]]) -> None:
    assert look_of(before, before, MOVE) == Look(MOVE)


def test_a_body_that_stays_in_sight_is_carried_by_its_distance_alone() -> None:
    far = Glimpse("red:1/F", "auer/3.5f2b", 3, 8, 700, "arm", approaching=60)
    nearer = Glimpse("red:1/F", "auer/3.5f2b", 3, MOVE, 640, "arm", approaching=60)

    look = look_of({"auer": (far,)}, {"auer": (nearer,)}, MOVE)

    assert look == Look(MOVE, again={"auer": {"red:1/F": (640, 60)}})


def test_a_look_of_what_is_not_known_is_left_out() -> None:
    assert looked({}, Look(MOVE, again={"auer": {"red:1/F": (1, 0)}}, forgotten={"auer": ("red:1/F",)})) == {}
