"""Entries of a page: what is lost from sight stays where it was last seen."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.knowing.knowledge import enter
from pbem.systems.kriegsspiel.world.dispatches import Tiding
from tests.systems.kriegsspiel.minds import mind_of

SEEN = Tiding(ref="H5/1/3.ab", side="blue", seen=3, at=Point(4000, 1500), source="H5/1", arm="infantry", blocks=2)
GONE = replace(SEEN, seen=9, at=Point(3200, 4800), gone=True)
"""As an officer tells it who no longer sees it: the place is his own."""


def test_a_body_out_of_sight_keeps_its_place_and_its_hour() -> None:
    mind = mind_of("dorn")
    entries, _ = enter(mind, [SEEN], 4, own_eyes=False)
    after, told = enter(replace(mind, entries=entries), [GONE], 10, own_eyes=False)

    assert told == ["e1"]
    assert after["e1"].tiding == replace(SEEN, gone=True)


def test_of_a_body_that_was_never_reported_to_him_nothing_is_lost() -> None:
    assert enter(mind_of("dorn"), [GONE], 10, own_eyes=False) == ({}, [])


def test_what_comes_in_sight_again_is_where_it_is_then() -> None:
    mind = mind_of("dorn")
    entries, _ = enter(mind, [SEEN, GONE], 9, own_eyes=False)
    again, _ = enter(replace(mind, entries=entries), [replace(SEEN, seen=12, at=Point(4100, 1900))], 12, own_eyes=False)

    assert (again["e1"].tiding.at, again["e1"].tiding.gone) == (Point(4100, 1900), False)
