"""A sheet restated: what its writer is told that it comes to."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.rules.contract import World, apply
from pbem.systems.empire_1870 import SYSTEM
from pbem.systems.empire_1870.scene.scene import Scene, parse_scene
from pbem.systems.empire_1870.sheets.forecast import NOT_KNOWN, forecast
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from pbem.systems.empire_1870.world.state import War
from tests.systems.play import files

POSITION = """
set turn 2
set phase administration
place F3 at 2107
place french 8SP at 2107
place A2 at 2605
place german 12SP at 2605
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return parse_scene(files("empire-1870", "france-1870"))


@pytest.fixture(scope="module")
def world(scene: Scene) -> World[War, War]:
    start = SYSTEM.blank(scene, {})
    for line in lines_of(POSITION):
        reading = SYSTEM.direct(scene, start, [line], {})
        assert not reading.complaints, reading.complaints[0].why
        for fact in reading.items:
            start = apply(SYSTEM, start, fact)
    return start


def restated(scene: Scene, world: World[War, War], side: Role, sheet: str) -> list[str]:
    mind = world.minds[side]
    reading = SYSTEM.read(scene, lines_of(sheet), mind, side, SYSTEM.awaits(world.truth).call(side))
    assert not [one for one in reading.complaints if one.judgement.refuses]
    return [text for _, text in forecast(scene, mind, side, reading.items)]


def test_what_mobilization_rallies_and_trains_cost_is_added_up(scene: Scene, world: World[War, War]) -> None:
    sheet = """
MOBILIZE 1SP AT Paris
MOBILIZE HQ CR12 AT Belfort
ACT F3
  FORCE 2107 3SP MARCH RAIL 2107 TO 2109
  SELF 5SP RALLY
END
"""
    told = " ".join(restated(scene, world, FRENCH, sheet))
    assert "RP: 35; of them 7 for mobilization, 1 for rally, 3 for rail: 11 in all." in told
    assert "At most 24 are left for artillery and recovery." in told


def test_germans_ride_for_nothing(scene: Scene, world: World[War, War]) -> None:
    told = " ".join(restated(scene, world, GERMAN, "DIV 2605 3SP MARCH 2604 RAIL 2604 TO 2705"))
    assert "RP: 49; of them none." in told


def test_what_is_not_known_is_said_of_a_sheet_that_activates_and_of_no_other(
    scene: Scene, world: World[War, War]
) -> None:
    assert NOT_KNOWN in restated(scene, world, GERMAN, "DIV 2605 3SP MARCH 2604")
    assert NOT_KNOWN not in restated(scene, world, FRENCH, "MOBILIZE 1SP AT Paris")


def test_an_empty_sheet_comes_to_nothing(scene: Scene, world: World[War, War]) -> None:
    assert restated(scene, world, GERMAN, "") == []
