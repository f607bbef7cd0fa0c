"""Lines of sight, arcs and observers."""

from __future__ import annotations

import pytest

from pbem.ground.square import Square
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.sight import can_be_hit, in_arc, in_sight, line_of_sight, open_enemies, sees, spotted
from pbem.systems.st_privat.fire.cover import facing_edges, wall_towards
from pbem.systems.st_privat.world.game import Damage
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Facing
from tests.systems.st_privat.field import Position, as_known


def clear(position: Position, start: str, end: str) -> bool:
    """Whether nothing blocks."""
    return line_of_sight(position.field, Square(start), Square(end))


def test_a_stand_between_blocks_and_one_beside_does_not() -> None:
    position = Position().put("f1", "Q-9", "n").put("p1", "R-11", "s")
    assert not clear(position.put("pc1", "R-10", "s"), "Q-9", "R-11")
    assert clear(position.put("pc1", "P-10", "s"), "Q-9", "R-11")


def test_a_farm_blocks_until_it_is_destroyed() -> None:
    position = Position()
    assert not clear(position, "O-9", "P-12")
    assert clear(position.now(buildings={Square("P-11"): Damage(10, destroyed=True)}), "O-9", "P-12")


def test_generals_do_not_block() -> None:
    assert clear(Position().put("fh1", "Q-10"), "Q-9", "Q-11")


def test_a_hidden_siege_gun_does_not_block() -> None:
    position = Position().put("ps1 pk5", "Q-10", "s").set("ps1", on_table=False).set("pk5", on_table=False)
    assert clear(position, "Q-9", "Q-11")
    assert not clear(position.set("ps1", on_table=True), "Q-9", "Q-11")


@pytest.mark.parametrize("blocks", [True, False])
def test_dummies_block_by_option(blocks: bool) -> None:
    position = Position(dummy_blocks_los=blocks).put("fd7", "J-8", "n", hidden=True)
    assert clear(position, "K-8", "I-8") is not blocks


def test_in_a_mind_any_card_blocks() -> None:
    position = Position(dummy_blocks_los=False).put("fd7", "J-8", "n", hidden=True)
    known = Field(position.scene, as_known(position.field, PRUSSIAN))
    assert not sees(known, Square("K-8"), Square("I-8"))


@pytest.mark.parametrize(("option", "blocked"), [(True, False), (False, True)])
def test_from_a_hill_nothing_blocks_unless_hills_do(option: bool, blocked: bool) -> None:
    position = Position(hill_sees_all=option).put("p5", "L-11", "s")
    assert clear(position, "L-9", "L-12") is not blocked
    assert clear(position, "L-10", "L-12")


def test_deep_woods_hide_from_all_but_neighbours_in_the_wood() -> None:
    field = Position().field
    assert not can_be_hit(field, Square("A-10"), Square("A-12"))
    assert can_be_hit(field, Square("A-11"), Square("A-12"))
    assert can_be_hit(field, Square("D-11"), Square("C-11"))


@pytest.mark.parametrize(
    ("arc", "facing", "target", "inside"),
    [
        ("half_plane", "n", "R-9", False),
        ("half_plane", "n", "O-10", True),
        ("quadrant", "n", "O-10", False),
        ("quadrant", "n", "R-10", True),
        ("half_plane", "s", "Q-8", True),
        ("half_plane", "e", "R-12", True),
        ("half_plane", "w", "R-9", False),
    ],
)
def test_the_arc_is_the_half_board_in_front(arc: str, facing: Facing, target: str, inside: bool) -> None:
    options = Options(fire_arc="quadrant" if arc == "quadrant" else "half_plane")
    assert in_arc(options, Square("Q-9"), facing, Square(target)) is inside


@pytest.mark.parametrize(("reach", "seen"), [("unlimited", True), (3, False), (4, True)])
def test_observers_see_as_far_as_the_option_says(reach: int | str, seen: bool) -> None:
    position = Position(spotting_range=reach).put("ph1", "Q-13").put("f1", "Q-9", "n")
    assert spotted(position.field, PRUSSIAN, Square("Q-9")) is seen


def test_dummies_and_guns_alone_observe_nothing() -> None:
    position = Position().put("fd7", "J-8", "n", hidden=True).put("fg1", "Q-9", "n")
    assert not spotted(position.field, FRENCH, Square("K-8"))


def test_walls_cover_on_the_side_of_fire() -> None:
    field = Position().field
    assert facing_edges(Square("H-12"), Square("H-9")) == ("H-9|H-10",)
    assert wall_towards(field, Square("G-10"), Square("H-9")) == "H-9|H-10"
    assert wall_towards(field, Square("K-8"), Square("J-8")) is None
    assert wall_towards(field, Square("L-9"), Square("K-9")) == "K-9|L-9"


def test_open_enemies_out_of_sight_are_not_shown_under_fog() -> None:
    far = Position(fog_of_war="los").put("f1", "Q-9", "n").put("p1", "Q-16", "s")
    assert open_enemies(far.field, FRENCH) == ()
    near = far.put("p1", "Q-12", "s")
    assert [piece.id for piece in open_enemies(near.field, FRENCH)] == ["p1"]
    assert in_sight(near.field, FRENCH) == {"Q-12"}
