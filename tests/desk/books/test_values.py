"""A state in names and values: as the game writes them, where it has a way of its own."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from pbem.desk.books.values import changes, flat
from pbem.ground.plane import Point
from pbem.systems import crossroads, half_league, kriegsspiel
from tests.systems.toy import SYSTEM as TOY


class Unit(Struct, frozen=True, omit_defaults=True, rename={"front": "ahead"}):
    front: Point | None = None
    men: int = 0


class State(Struct, frozen=True):
    units: dict[str, Unit]
    seen: tuple[tuple[str, Point, int], ...] = ()
    scores: tuple[int, int] = (3, 4)


STATE = State({"PR-1": Unit(Point(250, 262), 12), "PR-2": Unit()}, seen=(("FO-1", Point(380, 150), 2),))


@pytest.mark.parametrize(
    ("system", "place", "seen"),
    [
        (crossroads.SYSTEM, "25.0,26.2", "FO-1 38.0,15.0 2"),
        (half_league.SYSTEM, "0.3,0.3", "FO-1 0.4,0.2 2"),
        (kriegsspiel.SYSTEM, "250,262", "FO-1 380,150 2"),
        (TOY, "250 262", "FO-1 380 150 2"),
    ],
    ids=["crossroads", "half-league", "kriegsspiel", "as it is kept"],
)
def test_places_stand_as_the_game_writes_them(system: Any, place: str, seen: str) -> None:
    assert flat(system, STATE) == {
        "units.PR-1.ahead": place,
        "units.PR-1.men": "12",
        "units.PR-2": "none",
        "seen": seen,
        "scores": "3 4",
    }


def test_a_place_that_is_another_is_shown_as_both() -> None:
    moved = State({**STATE.units, "PR-1": Unit(Point(380, 150), 12)}, seen=STATE.seen)
    [change] = changes(crossroads.SYSTEM, STATE, moved)

    assert (change.name, change.before, change.after) == ("units.PR-1.ahead", "25.0,26.2", "38.0,15.0")
