"""Marches as they are carried out."""

from __future__ import annotations

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from pbem.ground.square import Square, place, square
from pbem.systems.st_privat.world.game import Score
from pbem.systems.st_privat.world.outcomes import (
    FordCrossed,
    FordStarted,
    FordWaited,
    FormationChanged,
    MoveStopped,
    OrderPlayed,
    PlaceChanged,
    SiegeGunPlaced,
    UnitLost,
    UnitMoved,
    UnitTurned,
    WallCrossed,
)
from pbem.systems.st_privat.world.outcomes_combat import GunCaptured, UnitExited, UnitRemoved
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Facing, Formation
from tests.systems.st_privat.field import START, Position, of
from tests.systems.st_privat.sheets import given, moved, moving, played, refusals, said

# ------------------------------------------------------------------ rates and roads

MARCHES = {
    "SP-MOV-01 a column in the open": ("p1 p2", "Q-12", "s", "column", "via Q-11 Q-10 Q-9", "Q-9", 3, 3),
    "SP-MOV-02 out of the hills at once": ("pc1", "M-10", "s", "line", "via M-11 N-12 O-13 O-14 O-15", "O-15", 5, 5),
    "SP-MOV-06 a line that turns first": ("p1", "Q-10", "n", "line", "turn e via R-10", "R-10", 2, 2),
    "SP-MOV-07 five squares of road for three": (
        "p1 p2", "I-18", "s", "column", "via I-17 I-16 I-15 I-14 I-13", "I-13", 3, 3,
    ),
    "SP-FOR-04 a column that forms line at the end": (
        "p1 p2", "Q-12", "s", "column", "via Q-11 Q-10 form line at end", "Q-10", 2, 2,
    ),
    "SP-TER-06 out of a house and a square on": ("p1", "P-11", "s", "line", "via P-10", "P-10", 2, 2),
}  # fmt: skip


@pytest.mark.parametrize(
    ("names", "at", "face", "formation", "way", "end", "cost", "points"), MARCHES.values(), ids=MARCHES
)
def test_a_march_ends_where_it_was_ordered_for_its_price(
    names: str, at: str, face: Facing, formation: str, way: str, end: str, cost: int, points: int
) -> None:
    position = moving().put(
        names, at, face, "column" if formation == "column" else "line", "inside" if at == "P-11" else "outside"
    )

    facts, battle = moved(position, PRUSSIAN, f"move {names.replace(' ', '+')} {way}")

    (march,) = of(facts, UnitMoved)
    assert (march.cost, march.allowance) == (cost, points)
    assert {battle.pieces[name].square for name in names.split()} == {end}
    assert [fact.result for fact in of(facts, OrderPlayed)] == ["done"]


# ------------------------------------------------------------------ several orders

CHAINS = {
    "from the rear": ["move p1+p2+p7 via Q-11", "move p3+p4+p8 via Q-10", "move p5+p6+p9 via Q-9"],
    "from the front": ["move p5+p6+p9 via Q-9", "move p3+p4+p8 via Q-10", "move p1+p2+p7 via Q-11"],
}


@pytest.mark.parametrize("lines", CHAINS.values(), ids=CHAINS)
def test_columns_behind_one_another_march_in_whatever_order_they_are_written(lines: list[str]) -> None:
    position = moving()
    for names, at in (("p1 p2 p7", "Q-12"), ("p3 p4 p8", "Q-11"), ("p5 p6 p9", "Q-10")):
        position.put(names, at, "s", "column")

    facts, battle = moved(position, PRUSSIAN, "\n".join(lines))

    assert [battle.pieces[name].square for name in ("p1", "p3", "p5")] == ["Q-11", "Q-10", "Q-9"]
    assert {battle.pieces[name].formation for name in ("p1", "p3", "p5")} == {"column"}
    assert not of(facts, MoveStopped)


def test_two_full_squares_do_not_change_places() -> None:
    position = moving().put("p1 p2 p3 p4", "Q-12", "s").put("p5 p6 p7 p8", "Q-11", "s")

    facts, battle = moved(position, PRUSSIAN, "move p1+p2+p3+p4 via Q-11\nmove p5+p6+p7+p8 via Q-12")

    assert (battle.pieces["p1"].square, battle.pieces["p5"].square) == ("Q-12", "Q-11")
    assert [fact.reason for fact in of(facts, MoveStopped)] == ["capacity_full", "capacity_full"]


def test_those_left_behind_and_those_who_come_close_up() -> None:
    position = moving().put("p1 p2 p3 p4", "Q-12", "s").put("p5", "Q-11", "s")

    _, battle = moved(position, PRUSSIAN, "move p1+p4 via Q-11")

    assert {name: battle.pieces[name].slot for name in ("p2", "p3")} == {"p2": 2, "p3": 1}
    assert {name: battle.pieces[name].slot for name in ("p5", "p1", "p4")} == {"p5": 1, "p1": 2, "p4": 3}


def test_what_is_left_of_a_column_alone_is_a_line() -> None:
    position = moving().put("p1 p2 p3", "Q-12", "s", "column")

    _, battle = moved(position, PRUSSIAN, "move p1+p2 via Q-11 Q-10 Q-9")

    assert (battle.pieces["p3"].formation, battle.pieces["p3"].slot) == ("line", 1)


def test_a_column_that_joins_a_line_goes_at_the_line_rate_and_faces_as_it_does() -> None:
    position = moving().put("p1 p2", "Q-12", "s", "column").put("p3 p4", "Q-10", "e")

    facts, battle = moved(position, PRUSSIAN, "move p1+p2 via Q-11 Q-10")

    assert of(facts, UnitMoved)[0].allowance == 2
    assert (battle.pieces["p1"].formation, battle.pieces["p1"].facing) == ("line", "e")


def test_infantry_and_a_general_in_one_order_go_each_at_its_own_rate() -> None:
    position = moving().put("p1 p2", "Q-12", "s", "column").put("ph1", "Q-12")

    facts, battle = moved(position, PRUSSIAN, "move @Q-12 via Q-11 Q-10 Q-9")

    assert {fact.units: fact.allowance for fact in of(facts, UnitMoved)} == {("p1", "p2"): 3, ("ph1",): 5}
    assert battle.pieces["ph1"].square == battle.pieces["p1"].square == "Q-9"


def test_an_order_for_a_piece_that_is_gone_is_reported_and_the_others_go() -> None:
    position = moving().put("p1 p2", "Q-12", "s")
    orders = given(position, PRUSSIAN, "move p1+p2 via Q-11").items
    position.set("p2", square=None, removed="killed")

    facts, _ = played(position, PRUSSIAN, orders)

    assert [fact.unit for fact in of(facts, UnitLost)] == ["p2"]
    assert of(facts, UnitMoved)[0].units == ("p1",)


def test_an_order_whose_pieces_are_all_gone_is_not_carried_out() -> None:
    position = moving().put("p1", "Q-12", "s")
    orders = given(position, PRUSSIAN, "turn p1 e").items
    position.set("p1", square=None, removed="killed")

    facts, _ = played(position, PRUSSIAN, orders)

    assert [(fact.result, fact.text) for fact in of(facts, OrderPlayed)] == [("not carried out", "p1 is no more.")]


# ------------------------------------------------------------------ walls and water


def test_men_on_foot_cross_a_wall_from_in_front_of_it_and_stop_behind() -> None:
    position = moving().put("p1", "F-11", "s")

    facts, battle = moved(position, PRUSSIAN, "move p1 via F-10 E-10")

    assert [(fact.unit, fact.edge) for fact in of(facts, WallCrossed)] == [("p1", "F-10|F-11")]
    assert [fact.reason for fact in of(facts, MoveStopped)] == ["stopped_by_terrain"]
    assert battle.pieces["p1"].square == "F-10"


def test_infantry_fords_in_three_turns() -> None:
    position = moving().put("p1 p2", "H-14", "s", "column")

    facts, after = moved(position, PRUSSIAN, "move p1+p2 via H-13 H-12")
    assert {fact.unit for fact in of(facts, FordStarted)} == {"p1", "p2"}
    assert (after.pieces["p1"].square, after.pieces["p1"].bank, after.pieces["p1"].ford_wait) == ("H-13", "north", 0)

    position.battle = after
    assert [one.rule for one in refusals(given(position, PRUSSIAN, "move p1+p2 via H-12"))] == ["SP-TER-05"]
    facts, after = moved(position, PRUSSIAN, "")
    assert {fact.unit for fact in of(facts, FordWaited)} == {"p1", "p2"}

    position.battle = after
    facts, after = moved(position, PRUSSIAN, "move p1+p2 via H-12 H-11 H-10")
    assert {fact.unit for fact in of(facts, FordCrossed)} == {"p1", "p2"}
    assert (after.pieces["p1"].square, after.pieces["p1"].ford_wait) == ("H-10", None)


def test_infantry_waits_in_a_ford_once_and_is_not_told_again() -> None:
    position = moving().put("p1", "H-13", "s", bank="north", ford_wait=1)

    facts, _ = moved(position, PRUSSIAN, "")

    assert not of(facts, FordWaited)


def test_infantry_on_a_bridge_waits_for_nothing() -> None:
    position = moving().put("p1 p2", "I-13", "s", "column", bank="north")

    facts, battle = moved(position, PRUSSIAN, "move p1+p2 via I-12")

    assert not of(facts, FordCrossed)
    assert battle.pieces["p1"].square == "I-12"


def test_cavalry_with_just_the_points_for_the_water_ends_on_the_far_bank() -> None:
    position = moving().put("pc1", "H-16", "s")

    facts, battle = moved(position, PRUSSIAN, "move pc1 via H-15 H-14 H-13 H-12")

    assert [(fact.square, fact.points_paid) for fact in of(facts, FordCrossed)] == [("H-13", 2)]
    assert (battle.pieces["pc1"].square, battle.pieces["pc1"].bank) == ("H-13", "south")


def test_cavalry_without_the_points_for_the_water_stops_in_it() -> None:
    position = moving().put("pc1", "H-17", "s")

    facts, battle = moved(position, PRUSSIAN, "move pc1 via H-16 H-15 H-14 H-13 H-12")

    assert [fact.reason for fact in of(facts, MoveStopped)] == ["ford"]
    assert (battle.pieces["pc1"].bank, battle.pieces["pc1"].ford_owed) == ("north", True)


# ------------------------------------------------------------------ the enemy


def test_an_enemy_met_by_surprise_ends_the_march_before_him() -> None:
    position = moving().put("pc1", "Q-12", "s")
    orders = given(position, PRUSSIAN, "move pc1 via Q-11 Q-10 Q-9").items
    position.put("fc1", "Q-9", "n")

    facts, battle = played(position, PRUSSIAN, orders)

    assert [fact.reason for fact in of(facts, MoveStopped)] == ["enemy_met"]
    assert battle.pieces["pc1"].square == "Q-10"


def test_a_gun_that_nobody_serves_is_taken_in_passing() -> None:
    position = moving().put("pc1", "Q-11", "s").put("fg1", "Q-9", "n").set("fk1", square=None)

    facts, battle = moved(position, PRUSSIAN, "move pc1 via Q-10 Q-9 Q-8")

    assert [fact.gun for fact in of(facts, GunCaptured)] == ["fg1"]
    assert [(fact.unit, fact.cause, fact.points) for fact in of(facts, UnitRemoved)] == [("fg1", "captured", 5)]
    assert battle.vp == Score(french=START, prussian=5)
    assert battle.pieces["pc1"].square == "Q-8"


def test_the_hidden_siege_gun_is_found_by_who_comes_next_to_it() -> None:
    position = moving(FRENCH).put("ps1 pk5", "P-14", "s").put("fc1", "P-10", "n")
    position.set("ps1", on_table=False).set("pk5", on_table=False)

    facts, battle = moved(position, FRENCH, "move fc1 via P-11 P-12 P-13 P-14")

    (found,) = of(facts, SiegeGunPlaced)
    assert (found.square, found.cause, [piece.id for piece in found.shows]) == ("P-14", "found", ["ps1", "pk5"])
    assert battle.pieces["fc1"].square == "P-13"
    assert battle.pieces["ps1"].on_table


def test_the_order_that_finds_the_siege_gun_could_be_given_because_nobody_knew_of_it() -> None:
    position = moving(FRENCH).put("ps1 pk5", "P-14", "s").put("fc1", "P-10", "n")
    position.set("ps1", on_table=False).set("pk5", on_table=False)

    assert said(given(position, FRENCH, "move fc1 via P-11 P-12 P-13 P-14")) == []


def test_a_section_that_marches_off_scores_every_part() -> None:
    position = moving(FRENCH, 10).put("fg3 fk3 fl1 ft1", "D-2", "s").set("fg3", deployed=False)

    facts, battle = moved(position, FRENCH, "move fg3 via D-1 exit")

    assert [fact.points for fact in of(facts, UnitExited)] == [12]
    assert battle.vp.french == START + 12
    assert {battle.pieces[name].removed for name in ("fg3", "fk3", "fl1", "ft1")} == {"exited"}


# ------------------------------------------------------------------ in place


def test_a_group_regroups_in_the_order_named() -> None:
    position = moving().put("p1 p2 p3 p4", "Q-10", "s")

    facts, battle = moved(position, PRUSSIAN, "form @Q-10 column order p4+p1")

    assert [(fact.start, fact.end, fact.cost) for fact in of(facts, FormationChanged)] == [("line", "column", 1)]
    assert [battle.pieces[name].slot for name in ("p4", "p1", "p2", "p3")] == [1, 2, 3, 4]


def test_infantry_goes_into_a_house_and_comes_out_again() -> None:
    position = moving().put("p1 p2", "P-11", "s")

    facts, inside = moved(position, PRUSSIAN, "enter p1+p2")
    position.battle = inside
    more, outside = moved(position, PRUSSIAN, "leave p2")

    assert [fact.place for fact in (*of(facts, PlaceChanged), *of(more, PlaceChanged))] == ["inside", "outside"]
    assert (inside.pieces["p2"].slot, outside.pieces["p2"].slot, outside.pieces["p1"].place) == (2, 1, "inside")


def test_a_deployed_gun_that_turns_a_quarter_has_not_moved_one_that_turns_about_has() -> None:
    position = moving().put("pg1 pk1", "Q-10", "s").put("pg2 pk2", "Q-12", "s")
    position.set("pg1", deployed=True).set("pg2", deployed=True)

    facts, battle = moved(position, PRUSSIAN, "turn pg1 e\nturn pg2 n")

    assert len(of(facts, UnitTurned)) == 2
    assert (battle.pieces["pg1"].turned_this_turn, battle.pieces["pg1"].moved_this_turn) == (True, False)
    assert battle.pieces["pg2"].moved_this_turn


# ------------------------------------------------------------------ what holds for every march

BOARD = st.builds(square, st.integers(1, 18), st.integers(5, 18))
FACINGS = st.sampled_from(("n", "e", "s", "w"))
ARMS = st.sampled_from((("p1 p2", "column"), ("p1 p2", "line"), ("p1", "line"), ("pc1 pc2", "line"), ("ph1", "line")))


@st.composite
def walks(draw: st.DrawFn) -> list[Square]:
    """A start and up to six squares, each next to the one before."""
    path = [draw(BOARD)]
    for _ in range(draw(st.integers(1, 6))):
        x, y = place(path[-1])
        step = st.builds(square, st.integers(max(1, x - 1), min(18, x + 1)), st.integers(max(1, y - 1), min(18, y + 1)))
        path.append(draw(step.filter(lambda at: at != path[-1])))
    return path


@for_all(walks(), ARMS, FACINGS, st.dictionaries(BOARD, FACINGS, max_size=4))
def test_a_path_accepted_without_doubt_from_full_knowledge_is_marched_to_its_end(
    path: list[Square], arm: tuple[str, str], face: Facing, enemies: dict[Square, Facing]
) -> None:
    names, formation = arm
    position = moving().put(names, path[0], face, "column" if formation == "column" else "line")
    for number, (at, looks) in enumerate(sorted(enemies.items()), start=1):
        if at != path[0]:
            position.put(f"f{number}", at, looks)

    reading = given(position, PRUSSIAN, f"move {names.replace(' ', '+')} via {' '.join(path[1:])}")
    facts, battle = played(position, PRUSSIAN, reading.items)

    if not reading.complaints:
        assert not of(facts, MoveStopped)
        assert battle.pieces[names.split()[0]].square == path[-1]
        assert [fact.result for fact in of(facts, OrderPlayed)] == ["done"]


@for_all(walks(), ARMS, FACINGS, st.dictionaries(BOARD, FACINGS, max_size=4))
def test_a_way_found_by_the_office_is_marched_as_found(
    path: list[Square], arm: tuple[str, str], face: Facing, enemies: dict[Square, Facing]
) -> None:
    names, formation = arm
    position = moving().put(names, path[0], face, "column" if formation == "column" else "line")
    for number, (at, looks) in enumerate(sorted(enemies.items()), start=1):
        if at != path[0]:
            position.put(f"f{number}", at, looks)

    reading = given(position, PRUSSIAN, f"move {names.replace(' ', '+')} to {path[-1]}")
    facts, battle = played(position, PRUSSIAN, reading.items)

    assert not [one for one in reading.complaints if one.rule == "SP-MOV-01" and one.judgement.refuses]
    if not reading.complaints:
        assert battle.pieces[names.split()[0]].square == path[-1]
        assert not of(facts, MoveStopped)


@for_all(walks(), ARMS, FACINGS, st.dictionaries(BOARD, FACINGS, max_size=4))
def test_no_march_ends_beyond_its_points_nor_among_enemies(
    path: list[Square], arm: tuple[str, str], face: Facing, enemies: dict[Square, Facing]
) -> None:
    names, formation = arm
    position = moving().put(names, path[0], face, "column" if formation == "column" else "line")
    orders = given(position, PRUSSIAN, f"move {names.replace(' ', '+')} via {' '.join(path[1:])}").items
    for number, (at, looks) in enumerate(sorted(enemies.items()), start=1):
        if at != path[0]:
            position.put(f"f{number}", at, looks)

    facts, battle = played(position, PRUSSIAN, orders)

    for march in of(facts, UnitMoved):
        assert march.cost <= march.allowance
        assert len(march.cost_steps) == len(march.path) - 1
    assert battle.pieces[names.split()[0]].square not in {at for at in enemies if at != path[0]}


# ------------------------------------------------------------------ barred at the first step


def barred_corner(names: str, formation: Formation = "line") -> Position:
    """Prussians at P-10 who cannot slip through to Q-9."""
    return moving().put(names, "P-10", "s", formation).put("f1", "P-9", "n").put("f2", "Q-10", "n")


def test_who_can_take_no_step_still_turns() -> None:
    facts, battle = moved(barred_corner("p1"), PRUSSIAN, "move p1 turn e via Q-9")

    assert [(fact.units, fact.end, fact.cost) for fact in of(facts, UnitTurned)] == [(("p1",), "e", 1)]
    assert (battle.pieces["p1"].square, battle.pieces["p1"].facing) == ("P-10", "e")
    assert [fact.result for fact in of(facts, OrderPlayed)] == ["not carried out"]


def test_who_can_take_no_step_still_forms() -> None:
    facts, battle = moved(barred_corner("p1 p2", "column"), PRUSSIAN, "move p1+p2 form line via Q-9")

    assert [(fact.start, fact.end) for fact in of(facts, FormationChanged)] == [("column", "line")]
    assert {battle.pieces[name].formation for name in ("p1", "p2")} == {"line"}


def test_part_of_a_group_that_can_take_no_step_does_not_turn_alone() -> None:
    _, battle = moved(barred_corner("p1 p2"), PRUSSIAN, "move p1 turn e via Q-9")

    assert battle.pieces["p1"].facing == "s"


# ------------------------------------------------------------------ demolition and standing still


def test_stands_set_about_a_wall_and_only_their_side_knows() -> None:
    position = moving().put("p1 p2", "H-10", "s")

    facts, battle = moved(position, PRUSSIAN, "demolish p1+p2 wall H-9|H-10")

    assert {battle.pieces[name].demolishes for name in ("p1", "p2")} == {"wall H-9|H-10"}
    assert battle.pieces["p1"].demolishes
    assert all(FRENCH not in fact.known for fact in facts)


def test_who_is_told_to_hold_holds() -> None:
    facts, battle = moved(moving().put("p1", "Q-10", "s"), PRUSSIAN, "hold @Q-10")

    assert [(fact.result, fact.text) for fact in of(facts, OrderPlayed)] == [("done", "p1 held.")]
    assert battle.pieces["p1"].square == "Q-10"


def test_who_names_the_wrong_place_of_a_square_is_told_the_right_one() -> None:
    position = moving().put("p1 p2", "P-11", "s", where="inside")
    [wrong] = refusals(given(position, PRUSSIAN, "move @P-11 to P-10"))

    assert "those inside are @P-11 in" in wrong.why
