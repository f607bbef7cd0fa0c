"""The umpire's language of 1870: what a directive changes, who learns of it, and what is said of a wrong one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.ground.hexes import Hex
from pbem.kernel.names import FULL, Aspect, Role
from pbem.orders.sheet import lines_of
from pbem.rules.contract import World, apply, form
from pbem.systems.empire_1870 import SYSTEM
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.mind.fog import sightings
from pbem.systems.empire_1870.scene.scene import Scene, parse_scene
from pbem.systems.empire_1870.world.orders import Act, SubLine
from pbem.systems.empire_1870.world.outcomes import GmRuling
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, SIDES
from pbem.systems.empire_1870.world.state import War
from tests.systems.play import files

Position = World[War, War]


@pytest.fixture(scope="module")
def scene() -> Scene:
    return parse_scene(files("empire-1870", "france-1870"))


def directed(
    scene: Scene, text: str, world: Position | None = None, known: Mapping[Role, Aspect] | None = None
) -> Position:
    world = world or SYSTEM.blank(scene, {})
    reading = SYSTEM.direct(scene, world, lines_of(text), known or {})
    assert not reading.complaints, reading.complaints[0].why
    for fact in reading.items:
        world = apply(SYSTEM, world, fact)
    return world


START = "set turn 2\nset phase action\n"


def test_the_owner_knows_what_was_placed_and_the_enemy_what_he_can_see(scene: Scene) -> None:
    world = directed(scene, START + "place german 2G+1D at 2405 spent\nplace G8 at 2405\nplace french 3SP at 2306")
    assert Field(scene, world.truth).sp(GERMAN, Hex("2405")) == 3
    assert world.minds[GERMAN].stacks[GERMAN] == world.truth.stacks[GERMAN]
    near = world.minds[FRENCH]
    assert [one.spent for one in near.stacks[GERMAN][Hex("2405")]] == [False, False]
    assert near.hqs["G8"].hex == "2405"


def test_out_of_sight_the_enemy_learns_the_hex_alone(scene: Scene) -> None:
    world = directed(scene, START + "place german 8SP at 2701\nplace G8 at 2701\nplace french 3SP at 2107")
    mind = world.minds[FRENCH]
    assert mind.occupied == ("2701",)
    assert "G8" not in mind.hqs
    assert not mind.stacks.get(GERMAN)


def test_what_is_taken_off_is_forgotten(scene: Scene) -> None:
    world = directed(scene, START + "place german 8SP at 2405\nplace G8 at 2405\nplace french 3SP at 2306")
    world = directed(scene, "remove german 2405\nremove G8 wounded", world)
    mind = world.minds[FRENCH]
    assert not mind.occupied
    assert not mind.stacks.get(GERMAN)
    assert "G8" not in mind.hqs
    assert world.truth.hqs["G8"].state == "wounded"


@pytest.mark.parametrize("fog", ["open", "inspect", "blind"])
def test_after_any_directive_nothing_is_left_to_be_seen(scene: Scene, fog: str) -> None:
    world = directed(scene, START + f"option fog {fog}")
    for line in (
        "place german 8SP at 2405 spent",
        "place french 10SP at 2306",
        "place G8+A1 at 2405",
        "set G8 spent true",
        "set G8 hex 2404",
        "set german 2405 status disrupted",
        "place french 3SP at 2009 inside",
        "place german 12SP at 2009",
        "remove french 4SP at 2306",
        "remove french 2306",
        "option fog inspect",
        "option fog open",
    ):
        world = directed(scene, line, world)
        assert sightings(scene, world.truth, world.minds, {}) == [], line


def test_what_a_side_sees_of_the_enemy_changes_nothing_in_truth(scene: Scene) -> None:
    world = directed(scene, START + "place french 3SP at 2306\nplace german 8SP at 2405 spent\nplace G8 at 2405 spent")
    assert all(one.spent for one in world.truth.stacks[GERMAN][Hex("2405")])
    assert world.truth.hqs["G8"].spent


def test_a_ruling_on_one_side_says_nothing_to_the_other(scene: Scene) -> None:
    world = SYSTEM.blank(scene, {})
    facts = SYSTEM.direct(scene, world, lines_of("set french resource_points 7\nplace german 8SP at 2701"), {}).items
    assert [dict(fact.known) for fact in facts if isinstance(fact, GmRuling)] == [{FRENCH: FULL}, {GERMAN: FULL}]
    world = directed(scene, "set french resource_points 7", world)
    assert world.minds[FRENCH].resource_points[FRENCH] == 7
    assert FRENCH not in world.minds[GERMAN].resource_points


def test_on_an_open_table_both_are_told_of_a_ruling_on_the_pieces_of_one(scene: Scene) -> None:
    world = directed(scene, START + "option fog open\nplace french 3SP at 2306")
    [ruling] = [
        fact
        for fact in SYSTEM.direct(scene, world, lines_of("place german 8SP at 2405"), {}).items
        if isinstance(fact, GmRuling)
    ]
    told = {}
    for side in SIDES:
        seen = form(SYSTEM, ruling, side)
        assert isinstance(seen, GmRuling)
        assert seen.stacks[GERMAN][Hex("2405")] == ruling.stacks[GERMAN][Hex("2405")]
        told[side] = [line.text for line in SYSTEM.tell(scene, seen, world.minds[side], side)]
    assert told[FRENCH] == told[GERMAN] == ["The umpire ruled: “place german 8SP at 2405”."]
    after = directed(scene, "place german 8SP at 2405", world)
    assert all(after.minds[side].stacks == after.truth.stacks for side in SIDES)


def test_on_an_open_table_the_orders_that_a_ruling_gives_stay_secret(scene: Scene) -> None:
    world = directed(scene, START + "option fog open\nplace german 8SP at 2405\nplace G8 at 2405")
    world = directed(scene, "german: ACT G8; SELF 8SP MARCH 2404; END", world)
    assert world.minds[GERMAN].programme[GERMAN]
    assert GERMAN not in world.minds[FRENCH].programme


def test_the_gm_may_mark_who_learns_of_his_ruling(scene: Scene) -> None:
    world = SYSTEM.blank(scene, {})
    marks = {FRENCH: Aspect(FULL)}
    [fact] = SYSTEM.direct(scene, world, lines_of("set german resource_points 7"), marks).items
    assert fact.known == {GERMAN: FULL, FRENCH: FULL}


def test_placing_takes_the_hex_and_scores_nothing(scene: Scene) -> None:
    world = directed(scene, START + "place german 3SP at 2109")
    assert world.truth.control[Hex("2109")] == GERMAN
    assert world.truth.vp == 11
    assert all(world.minds[side].control[Hex("2109")] == GERMAN for side in SIDES)


def test_a_face_brings_its_ratings(scene: Scene) -> None:
    world = directed(scene, "set G8 face replacement")
    assert (world.truth.hqs["G8"].ab, world.truth.hqs["G8"].db) == (1, 0)
    world = directed(scene, "set G8 face front", world)
    assert (world.truth.hqs["G8"].ab, world.truth.hqs["G8"].db) == (2, 1)


def test_orders_of_a_side_go_into_force_and_stay_secret(scene: Scene) -> None:
    text = "french: REACT CHASSEPOT NEVER; DIV 2107 3SP MARCH 2108\ngerman: ACT G8; SELF 8SP MARCH 2404; END"
    world = directed(scene, START + text)
    assert world.truth.standing[FRENCH].reactions[0].word == "never"
    assert [entry.number for entry in world.truth.programme[FRENCH]] == [1]
    assert world.minds[FRENCH].programme[FRENCH] == world.truth.programme[FRENCH]
    assert FRENCH not in world.minds[GERMAN].programme
    assert FRENCH not in world.minds[GERMAN].standing
    world = directed(scene, "french: INSERT 1; PASS\nfrench: DROP 2", world)
    assert [type(entry.order).__name__ for entry in world.truth.programme[FRENCH]] == ["Pass"]


def test_set_up_orders_of_the_ledger_place_anything_anywhere(scene: Scene) -> None:
    world = directed(scene, START + "SETUP G8 AT 2405\nSETUP 8SP OF A1 AT 2405\nfrench: SETUP 4SP AT 2107")
    field = Field(scene, world.truth)
    assert (field.sp(GERMAN, Hex("2405")), field.sp(FRENCH, scene.places["metz"])) == (8, 4)
    assert field.hq("G8").hex == "2405"


def test_the_umpire_may_end_the_game(scene: Scene) -> None:
    world = directed(scene, START + "end french minor")
    verdict = SYSTEM.verdict(world.truth)
    assert verdict is not None
    assert verdict.winner == "french"
    assert SYSTEM.awaits(world.truth).calls == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fire at will", "no directive; there are place"),
        ("place german 8SP at 9999", "no hex and no place"),
        ("place german 8SP at 2004", "neutral"),
        ("place german 8 at 2405", "no amount of SP"),
        ("place prussian 8SP at 2405", "no side"),
        ("place F99 at 2405", "no HQ F99"),
        ("set F99 spent true", "no HQ F99"),
        ("place G8+F1 at 2405", "one side"),
        ("place german 3SP at 2404 inside", "no fortress"),
        ("place german 3SP at 2405 sleepy", "none of disrupted"),
        ("set G8 mood good", "no attribute"),
        ("set german rp 20", "set german resource_points 7"),
        ("set G8 ma fast", "cannot be fast"),
        ("set vp 30", "from 0 to 20"),
        ("set weather rain", "no attribute of the game"),
        ("set 2404 destroyed true", "no fortress"),
        ("set german 2404 spent true", "no german SP"),
        ("remove G8 lost", "no cause"),
        ("remove german 2404", "no such german SP"),
        ("option fog thick", "fog"),
        ("option setup free", "with the campaign alone"),
        ("french: MARCH", "unknown_order"),
        ("french: MOBILIZE 1SP AT Metz", "ordered for a turn"),
        ("SETUP 8SP AT 2405", "whose SP"),
        ("end someone", "it reads: end"),
    ],
)
def test_a_wrong_directive_is_named_and_changes_nothing(scene: Scene, line: str, why: str) -> None:
    reading = SYSTEM.direct(scene, SYSTEM.blank(scene, {}), lines_of(line), {})
    assert reading.items == ()
    [complaint] = reading.complaints
    assert why in complaint.why
    assert complaint.judgement.refuses


def test_the_enemy_shares_a_hex_with_a_garrison_alone(scene: Scene) -> None:
    world = directed(scene, START + "place french 3SP at 2009")
    reading = SYSTEM.direct(scene, world, lines_of("place german 8SP at 2009"), {})
    assert "only a garrison" in reading.complaints[0].why
    world = directed(scene, "set french 2009 inside true\nplace german 8SP at 2009", world)
    assert world.truth.control[Hex("2009")] == FRENCH


def test_orders_of_a_ruling_stand_in_no_sheet(scene: Scene) -> None:
    """No line of the player's own sheet is answered for by what becomes of them."""
    world = directed(scene, START + "german: ACT A1; SUB G8; SELF 8SP MARCH 2404; END; END\ngerman: INSERT 1; PASS")
    [first, second] = world.truth.programme[GERMAN]
    assert isinstance(second.order, Act)
    [under] = second.order.lines
    assert isinstance(under, SubLine)
    assert [one.line for one in (first.order, second.order, under, *under.lines)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        ("place F1 at 2608", "place german 3SP at 2608"),
        ("place F1 at 2009\nplace french 3SP at 2009 inside\nplace german 8SP at 2009", "remove french 2009"),
        ("place french 3SP at 2009 inside\nplace german 8SP at 2009\nplace G3 at 2009", "remove german 8SP at 2009"),
    ],
)
def test_no_ruling_leaves_an_hq_alone_among_the_enemy(scene: Scene, position: str, wrong: str) -> None:
    world = directed(scene, START + position)
    [complaint] = SYSTEM.direct(scene, world, lines_of(wrong), {}).complaints
    assert "move or remove HQs first" in complaint.why
