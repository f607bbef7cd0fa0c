"""What the umpire's directives refuse: a body where none can stand or as none can form, a look without a name."""

from __future__ import annotations

import pytest

from pbem.orders.sheet import lines_of
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.world.troops import Unit
from tests.systems.play import Game

RIVER = "4813,2900"


@pytest.fixture(scope="module")
def game() -> Game:
    """Muehlrode at its opening."""
    game = Game(SYSTEM, "muehlrode")
    game.play({})
    return game


def complaints(game: Game, text: str) -> list[str]:
    return [one.why for one in SYSTEM.direct(game.scene, game.world, lines_of(text), {}).complaints]


def placed(game: Game, text: str) -> list[Unit]:
    facts = SYSTEM.direct(game.scene, game.world, lines_of(text), {}).items
    return [unit for fact in facts if fact.changes for unit in fact.changes.new_units]


@pytest.mark.parametrize(
    "text",
    [
        f"place red 6F3 at {RIVER}",
        f"place red 1/F at {RIVER} facing N in line",
        f"new red 3/Ia line half_battalion at {RIVER} facing N in line",
    ],
)
def test_a_body_is_put_into_a_river_only_if_the_umpire_will_have_it_so(game: Game, text: str) -> None:
    [why] = complaints(game, text)

    assert "lies in the water of Lohe" in why
    assert why.endswith("end the line with anyhow")
    assert complaints(game, f"{text} anyhow") == []
    assert [(unit.place.at.x, unit.place.at.y) for unit in placed(game, f"{text} anyhow")] == [(4813, 2900)]


def test_a_body_is_put_on_the_map(game: Game) -> None:
    assert complaints(game, "place red 1/F at 99000,2900") == [
        "99000,2900 is not on the map; to put it there all the same, end the line with anyhow"
    ]


def test_ground_that_takes_infantry_and_no_guns(game: Game) -> None:
    terrain = terrain_of(game.scene)
    inside = [
        at
        for area in terrain.chart.areas
        if area.kind == "wood_thick"
        for at in area.polygon
        if not terrain.water_at(at) and not terrain.road_at(at) and terrain.area(at)
    ]
    at = f"{inside[0].x},{inside[0].y}"

    assert complaints(game, f"place red 1/F at {at}") == []
    [why] = complaints(game, f"place red 6F3 at {at}")
    assert why.startswith(f"guns cannot stand at {at}, in ")


@pytest.mark.parametrize(
    ("kind", "size", "formation"),
    [("line", "battalion", "cav_line"), ("hussar", "squadron", "line"), ("line", "battalion", "phalanx")],
)
def test_a_new_body_is_in_a_formation_of_its_arm(game: Game, kind: str, size: str, formation: str) -> None:
    text = f"new red X1 {kind} {size} at 3700,2900"

    assert complaints(game, f"{text} in {formation}") == [f"{formation} is no formation of {kind}"]
    assert complaints(game, text) == []


@pytest.mark.parametrize("text", ["see", "see nobody"])
def test_a_look_needs_one_who_looks(game: Game, text: str) -> None:
    assert complaints(game, text) == [
        "it reads: see PERSON|UNIT, or see all: everybody looks about, and pages are made new"
    ]


@pytest.mark.parametrize("text", ["see all", "see auer", "see 1/F", "see red 1/F"])
def test_a_look_of_one_who_is_there_is_taken(game: Game, text: str) -> None:
    assert complaints(game, text) == []
