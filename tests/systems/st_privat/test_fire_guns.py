"""Artillery fire: which guns fire, where shells fall, what they kill and break, and what each option changes."""

from __future__ import annotations

from typing import Literal

import pytest

from pbem.ground.square import Edge, Square
from pbem.systems.st_privat.field.field import card_key
from pbem.systems.st_privat.fire.artillery import away_from, hit_max
from pbem.systems.st_privat.world.fact import Ammunition, FireReason
from pbem.systems.st_privat.world.game import Damage, Policy, Reactions, Score
from pbem.systems.st_privat.world.orders import Fire, HoldFire, Shoot
from pbem.systems.st_privat.world.outcomes import CardsRevealed, OrderPlayed, ReactionSet, UnitTurned
from pbem.systems.st_privat.world.outcomes_combat import (
    ArtilleryFireResolved,
    DemolitionDone,
    EquipmentDamaged,
    FireImpossible,
    LossesApplied,
    ManOrHorseRolled,
    StructureDamaged,
    StructureDestroyed,
    UnitRemoved,
)
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Facing, Place
from tests.systems.st_privat.field import START, Position, of

HOLD_ALL = HoldFire(line=9, text="hold fire all", units=("all",))
Kind = Literal["shot", "shell", "mg", "siege"]


def shoot(
    gun: str,
    ammunition: Kind,
    at: str,
    aim: Literal["troops", "structure", "equipment"] = "troops",
    *,
    place: Place | None = None,
    equipment: str = "",
    turn: Facing | None = None,
    danger: bool = False,
) -> Shoot:
    """`shoot GUN shell at SQ …`."""
    return Shoot(
        line=1, text=f"shoot {gun} {ammunition} at {at}", gun=gun, ammunition=ammunition, square=Square(at),
        place=place, aim=aim, equipment=equipment, turn=turn, danger=danger,
    )  # fmt: skip


def battery(**options: object) -> Position:
    """pg1 at I-12 looking south at St. Privat."""
    return Position("artillery", turn=2, **options).put("pg1 pk1", "I-12", "s", deployed=True)


def refused(position: Position, order: Shoot) -> FireReason | None:
    """Why an order was not carried out, by a gun that does nothing else instead."""
    nothing = Reactions(targets=(Policy(units=("all",), words=("none",)),))
    position.now(reactions={PRUSSIAN: nothing, FRENCH: nothing})
    facts, _ = position.play({}, prussian=[order])
    found = of(facts, FireImpossible)
    return found[0].reason if found else None


def test_shot_kills_infantry_by_the_natural_number() -> None:
    position = Position("artillery").put("pg1 pk1", "Q-11", "s", deployed=True).put("f1 f2 f3 f4", "Q-9", "n")
    facts, after = position.play({"artillery_hit": [3]}, prussian=[shoot("pg1", "shot", "Q-9")])
    assert (of(facts, ArtilleryFireResolved)[0].kills, after.pieces["f1"].removed) == (3, "killed")
    assert after.squares_fired_artillery == ("Q-9",)


def test_mitrailleuses_fire_at_five_in_six() -> None:
    position = Position("artillery").put("fm1 fk4", "Q-9", "n").put("p1 p2", "Q-10", "s")
    _, after = position.play({"artillery_hit": [5]}, french=[shoot("fm1", "mg", "Q-10")])
    assert after.pieces["p1"].removed == "killed"
    assert after.pieces["p2"].men == 1


@pytest.mark.parametrize(
    ("dice", "square", "sector"),
    [
        ((1, 1), "J-8", "far left"),
        ((2, 3), "I-8", "far"),
        ((6, 6), "H-8", "far right"),
        ((1, 2), "J-9", "left"),
        ((3, 4), "I-9", "centre"),
        ((5, 6), "H-9", "right"),
        ((2, 2), "J-10", "near left"),
        ((4, 5), "I-10", "near"),
        ((4, 6), "H-10", "near right"),
    ],
)
def test_shells_stray_as_the_gunners_look(dice: tuple[int, int], square: str, sector: str) -> None:
    position = battery().put("f9", "I-8", "n")
    facts, _ = position.play(
        {"artillery_deviation": dice, "artillery_hit": [6]}, prussian=[shoot("pg1", "shell", "I-9")]
    )
    (shot,) = of(facts, ArtilleryFireResolved)
    assert (shot.hit_square, shot.sector) == (square, sector)


def test_by_option_the_nine_squares_lie_by_the_board() -> None:
    position = battery(deviation_orientation="board_north")
    facts, _ = position.play(
        {"artillery_deviation": [1, 1], "artillery_hit": [6]}, prussian=[shoot("pg1", "shell", "I-9")]
    )
    assert of(facts, ArtilleryFireResolved)[0].hit_square == "H-10"
    assert away_from(Square("I-12"), Square("E-8"), "w", "away_from_gun") == "w"


def test_a_shell_off_the_board_throws_no_die_to_hit() -> None:
    position = Position("artillery").put("pg1 pk1", "R-12", "s", deployed=True)
    facts, _ = position.play({"artillery_deviation": [1, 2]}, prussian=[shoot("pg1", "shell", "R-9")])
    (shot,) = of(facts, ArtilleryFireResolved)
    assert (shot.hit_square, shot.hit) == (None, False)


def test_a_stray_shell_hits_with_the_range_of_the_aim_and_the_cover_of_the_fall() -> None:
    position = battery().put("f9", "I-8", "n")
    facts, after = position.play(
        {"artillery_deviation": [2, 3], "artillery_hit": [2]}, prussian=[shoot("pg1", "shell", "I-9")]
    )
    (shot,) = of(facts, ArtilleryFireResolved)
    assert (shot.hit_max, shot.modified, shot.hit) == (4, 3, True)
    assert after.pieces["f9"].men == 1


def test_a_stray_shell_goes_inside_where_nobody_is_outside() -> None:
    position = battery().put("f9", "I-8", "n", where="inside")
    order = shoot("pg1", "shell", "I-9")
    _, hit = position.play({"artillery_deviation": [2, 3], "artillery_hit": [2]}, prussian=[order])
    assert (hit.buildings[Square("I-8")].damage, hit.pieces["f9"].men) == (1, 2)
    _, missed = position.play({"artillery_deviation": [2, 3], "artillery_hit": [3]}, prussian=[order])
    assert missed.pieces["f9"].men == 3


def test_own_troops_bar_a_shell_unless_the_order_says_danger() -> None:
    position = battery().put("p1", "I-10", "n").put("f9", "I-8", "s")
    assert refused(position, shoot("pg1", "shell", "I-9")) == "own_troops"
    order = shoot("pg1", "shell", "I-9", danger=True)
    _, after = position.play({"artillery_deviation": [4, 5], "artillery_hit": [2]}, prussian=[order])
    assert after.pieces["p1"].men == 1


def test_shells_need_an_observer_and_shot_a_line_of_sight() -> None:
    position = battery().put("f1", "J-11", "w").put("f2", "I-11", "n")
    assert refused(position, shoot("pg1", "shell", "I-9")) == "not_spotted"
    assert refused(position, shoot("pg1", "shot", "I-10")) == "line_of_sight"


def test_a_gun_may_turn_a_quarter_and_fire() -> None:
    position = battery().put("f1", "H-12", "n")
    order = shoot("pg1", "shot", "H-12", turn="w")
    facts, after = position.play({"artillery_hit": [6]}, prussian=[order])
    assert [(fact.start, fact.end) for fact in of(facts, UnitTurned)] == [("s", "w")]
    assert after.pieces["pg1"].facing == "w"
    assert refused(position.set("pg1", turned_this_turn=True), order) == "moved"
    assert refused(position.set("pg1", turned_this_turn=False), shoot("pg1", "shot", "I-13", turn="n")) == "moved"


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"moved_this_turn": True}, "moved"),
        ({"unlimbered_this_turn": True, "moved_this_turn": True}, "unlimbered"),
        ({"deployed": False}, "limbered"),
    ],
)
def test_guns_that_do_not_fire(attributes: dict[str, object], reason: FireReason) -> None:
    position = battery().put("f1", "I-10", "n").set("pg1", **attributes)
    assert refused(position, shoot("pg1", "shot", "I-10")) == reason


def test_a_gun_needs_its_gunners_outside() -> None:
    position = battery().put("f1", "I-10", "n").set("pk1", detached=True)
    assert refused(position, shoot("pg1", "shot", "I-10")) == "no_crew"


@pytest.mark.parametrize(("least", "fires"), [(1, True), (4, False)])
def test_how_many_gunners_it_needs_is_an_option(least: int, fires: bool) -> None:
    position = battery(gun_min_crew=least).put("f1", "I-10", "n").set("pk1", men=3)
    facts, _ = position.play({"artillery_hit": [6]} if fires else {}, prussian=[shoot("pg1", "shot", "I-10")])
    assert bool(of(facts, ArtilleryFireResolved)) is fires


def test_the_siege_gun_is_silent_and_unknown_until_it_is_on_the_table() -> None:
    position = Position("artillery").put("ps1 pk5", "Q-16", "s").put("f1 f2", "Q-9", "s").put("p1", "Q-11", "n")
    position.set("ps1", on_table=False).set("pk5", on_table=False)
    order = shoot("ps1", "siege", "Q-9")
    facts, _ = position.play({}, prussian=[order], french=[HOLD_ALL])
    assert [fact.reason for fact in of(facts, FireImpossible)] == ["hidden"]
    assert all(FRENCH not in fact.known for fact in facts if not isinstance(fact, ReactionSet | OrderPlayed))
    shown = position.set("ps1", on_table=True).set("pk5", on_table=True)
    _, after = shown.play({"artillery_deviation": [4, 3], "artillery_hit": [3]}, prussian=[order])
    assert after.pieces["f1"].removed == "killed"


@pytest.mark.parametrize(("value", "hits"), [(1, [True, False]), (-1, [True, True])])
def test_the_emplacement_shelters_as_the_option_says(value: int, hits: list[bool]) -> None:
    found = []
    for die in (3, 4):
        position = Position("artillery", fortified_fire_modifier=value).put("fg1 fk1", "Q-9", "n")
        position.put("ps1 pk5", "Q-11", "s")
        facts, after = position.play(
            {"artillery_deviation": [3, 4], "artillery_hit": [die]}, french=[shoot("fg1", "shell", "Q-11")]
        )
        found.append(of(facts, ArtilleryFireResolved)[0].hit)
        assert after.pieces["pk5"].men == (4 if found[-1] else 6)
    assert found == hits


def test_man_or_horse_is_thrown_for_each_hit_on_a_section() -> None:
    position = Position("artillery").put("pg1 pk1", "Q-11", "s", deployed=True)
    position.put("fg3 fk3 fl1 ft1", "Q-9", "n", deployed=False)
    facts, after = position.play({"artillery_hit": [3], "man_or_horse": [5, 2]}, prussian=[shoot("pg1", "shot", "Q-9")])
    assert (after.pieces["fk3"].men, after.pieces["ft1"].horses) == (5, 3)
    assert [fact.result for fact in of(facts, ManOrHorseRolled)] == ["man", "horse"]
    assert {die.seed for fact in of(facts, ManOrHorseRolled) for die in fact.dice} == {"open"}


def test_infantry_falls_before_gunners_die_by_die() -> None:
    position = Position("artillery").put("fg1 fk1", "Q-9", "n").put("f1", "Q-9", "n", men=2)
    position.put("pg1 pk1", "Q-11", "s", deployed=True).put("pg2 pk2", "R-11", "s", deployed=True)
    orders = [shoot("pg1", "shot", "Q-9"), shoot("pg2", "shot", "Q-9")]
    facts, after = position.play({"artillery_hit": [3, 3]}, prussian=orders, french=[HOLD_ALL])
    lost = {loss.unit: loss.figures_lost for loss in of(facts, LossesApplied)}
    assert lost == {"f1": 2, "fk1": 2}
    assert after.pieces["f1"].removed == "killed"


def test_a_shell_deals_its_points_to_the_building_first() -> None:
    position = Position("artillery").put("pg1 pk1", "H-12", "s", deployed=True)
    position.put("f1 f2 f3", "H-9", "n", where="inside")
    order = shoot("pg1", "shell", "H-9", place="inside")
    facts, after = position.play({"artillery_deviation": [3, 4], "artillery_hit": [2]}, prussian=[order])
    (shot,) = of(facts, ArtilleryFireResolved)
    assert (shot.points_to_structure, shot.points_to_unit) == (1, 1)
    assert (after.buildings[Square("H-9")].damage, after.pieces["f1"].men) == (1, 2)


def test_a_wall_is_shot_down_without_modifier() -> None:
    position = Position("artillery").put("pg1 pk1", "H-12", "s", deployed=True)
    position.now(walls={Edge("H-9|H-10"): Damage(2)})
    order = shoot("pg1", "shell", "H-9", "structure")
    facts, after = position.play({"artillery_deviation": [3, 4], "artillery_hit": [4]}, prussian=[order])
    assert after.walls[Edge("H-9|H-10")] == Damage(6, destroyed=True)
    assert [(fact.points, fact.total, fact.value) for fact in of(facts, StructureDamaged)] == [(4, 6, 5)]


def test_a_fallen_building_turns_its_garrison_out_face_down() -> None:
    position = battery().now(buildings={Square("I-9"): Damage(8)}).put("f6", "I-9", "n")
    position.put("f4 f5", "I-9", "n", where="inside", hidden=True)
    order = shoot("pg1", "shell", "I-9", "structure")
    # The wall with its gap comes first; without it the building is struck.
    position.now(walls={Edge("I-9|I-10"): Damage(5, destroyed=True)})
    facts, after = position.play({"artillery_deviation": [3, 4], "artillery_hit": [3]}, prussian=[order])
    (fallen,) = of(facts, StructureDestroyed)
    assert (fallen.total, after.pieces["f4"].place, after.pieces["f5"].place) == (11, "outside", "outside")
    assert (after.pieces["f4"].slot, after.pieces["f5"].slot) == (2, 3)
    assert fallen.cards[card_key(Square("I-9"), "inside")].count == 0
    assert fallen.cards[card_key(Square("I-9"), "outside")].count == 2
    assert fallen.secret == ("f4", "f5")
    assert after.pieces["f4"].hidden


def test_a_gun_destroyed_leaves_its_crew_on_foot() -> None:
    position = battery().put("fg1 fk1", "I-9", "n", damage=4)
    order = shoot("pg1", "shell", "I-9", "equipment", equipment="fg1")
    facts, after = position.play(
        {"artillery_deviation": [3, 4], "artillery_hit": [2]}, prussian=[order], french=[HOLD_ALL]
    )
    assert (after.pieces["fg1"].removed, after.pieces["fk1"].men, after.vp) == ("destroyed", 6, Score(START, 5))
    assert [(fact.id, fact.total) for fact in of(facts, EquipmentDamaged)] == [("fg1", 6)]


def test_damage_to_a_face_down_gun_is_its_owners_secret() -> None:
    position = battery().put("fg1 fk1", "I-9", "n", hidden=True)
    order = shoot("pg1", "shell", "I-9", "equipment")
    facts, _ = position.play({"artillery_deviation": [3, 4], "artillery_hit": [2]}, prussian=[order])
    assert [set(fact.known) for fact in of(facts, EquipmentDamaged)] == [{FRENCH}]


def test_a_crew_wiped_out_under_cards_leaves_its_gun_face_up() -> None:
    position = battery().put("fg1 fk1", "I-9", "n", hidden=True).set("fk1", men=1)
    facts, after = position.play(
        {"artillery_deviation": [3, 4], "artillery_hit": [2]}, prussian=[shoot("pg1", "shell", "I-9")]
    )
    (up,) = of(facts, CardsRevealed)
    assert (up.cause, set(up.units)) == ("crew_lost", {"fg1", "fk1"})
    assert (after.pieces["fg1"].hidden, after.pieces["fg1"].stands) == (False, True)
    assert [(gone.unit, gone.points) for gone in of(facts, UnitRemoved)] == [("fk1", 7)]


def test_left_to_itself_a_gun_takes_the_best_chance_and_spares_its_own() -> None:
    position = Position("artillery").put("pg1 pk1", "Q-12", "s", deployed=True).put("f1", "Q-9", "n")
    facts, _ = position.play({"artillery_deviation": [3, 4], "artillery_hit": [6]})
    assert [shot.ammunition for shot in of(facts, ArtilleryFireResolved)] == ["shell"]
    silent, _ = position.put("p9", "Q-10", "s").play({})
    assert not of(silent, ArtilleryFireResolved)


@pytest.mark.parametrize(("one", "fires"), [("combined", True), ("combined_all_weapons", False)])
def test_by_option_rifles_and_guns_share_one_fire(one: str, fires: bool) -> None:
    position = battery(one_fire_per_square=one).put("f1", "I-10", "n").now(squares_fired_rifle=(Square("I-10"),))
    facts, _ = position.play({"artillery_hit": [6]} if fires else {}, prussian=[shoot("pg1", "shot", "I-10")])
    assert bool(of(facts, ArtilleryFireResolved)) is fires


def test_guns_of_one_square_alone_fire_at_a_square_by_option() -> None:
    position = battery(one_fire_per_square="single_square").put("f1", "I-10", "n")
    position.put("pg2 pk2", "J-12", "s", deployed=True)
    facts, _ = position.play({"artillery_hit": [6]})
    assert [shot.gun for shot in of(facts, ArtilleryFireResolved)] == ["pg1"]


def test_infantry_demolishes_when_the_guns_have_fired() -> None:
    position = Position("artillery").put("p1 p2 p3", "H-10", "s", demolishes="wall H-9|H-10")
    facts, after = position.play({})
    assert [(fact.units, fact.points) for fact in of(facts, DemolitionDone)] == [(("p1", "p2", "p3"), 3)]
    _, again = position.now(walls=after.walls).play({})
    assert again.walls[Edge("H-9|H-10")] == Damage(6, destroyed=True)


@pytest.mark.parametrize(("reach", "damage"), [("own_square_and_edges", 1), ("own_square", 0)])
def test_deserted_equipment_beside_is_in_reach_by_option(reach: str, damage: int) -> None:
    position = Position("artillery", demolition_reach=reach).put("fg1", "Q-9", "n")
    position.put("p1", "Q-10", "s", demolishes="equipment fg1")
    _, after = position.play({})
    assert after.pieces["fg1"].damage == damage


def test_lines_say_what_became_of_them() -> None:
    position = battery().put("f1", "I-10", "n")
    orders = [shoot("pg1", "shot", "I-10"), Fire(line=2, text="", units=("p1",), square=Square("I-10"))]
    facts, _ = position.play({"artillery_hit": [3]}, prussian=orders)
    (played,) = of(facts, OrderPlayed)
    assert (played.line, played.result, played.text) == (1, "done", "pg1 fired shot at I-10: it hit.")


@pytest.mark.parametrize(
    ("ammunition", "away", "most"), [("siege", 3, 0), ("siege", 8, 3), ("siege", 9, 0), ("shell", 2, 0), ("mg", 1, 0)]
)
def test_the_chart_ends_where_it_ends(ammunition: Ammunition, away: int, most: int) -> None:
    assert hit_max(PRUSSIAN, ammunition, away) == most
