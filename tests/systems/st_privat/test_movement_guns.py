"""Guns, their crews, limbers and teams on the move."""

from __future__ import annotations

import pytest

from pbem.systems.st_privat.world.outcomes import (
    CrewDetached,
    GunLimbered,
    GunManned,
    GunProlonged,
    GunUnlimbered,
    OrderPlayed,
    UnitMoved,
)
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from tests.systems.st_privat.field import Position, of
from tests.systems.st_privat.sheets import given, moved, moving, refusals


def limbered(at: str = "Q-12") -> Position:
    """A Prussian section on its limber."""
    return moving().put("pg1 pk1 pl1 pt1", at, "s").set("pg1", deployed=False)


def deployed(at: str = "Q-12", **options: object) -> Position:
    """The same section, deployed with its limber and team beside it."""
    return moving(**options).put("pg1 pk1 pl1 pt1", at, "s").set("pg1", deployed=True)  # type: ignore[arg-type]


def test_a_section_unlimbers_at_the_end_of_its_march_and_does_not_fire_this_turn() -> None:
    facts, battle = moved(limbered(), PRUSSIAN, "move pg1 via Q-11 Q-10 unlimber e")

    assert [(fact.units, fact.cost) for fact in of(facts, UnitMoved)] == [(("pg1", "pk1", "pl1", "pt1"), 3)]
    assert [(fact.gun, fact.square, fact.facing) for fact in of(facts, GunUnlimbered)] == [("pg1", "Q-10", "e")]
    gun = battle.pieces["pg1"]
    assert (gun.square, gun.deployed, gun.unlimbered_this_turn, gun.facing) == ("Q-10", True, True, "e")


def test_a_section_limbers_up_and_marches_in_one_order() -> None:
    facts, battle = moved(deployed(), PRUSSIAN, "move pg1 limber via Q-11 Q-10 Q-9")

    assert [fact.gun for fact in of(facts, GunLimbered)] == ["pg1"]
    assert of(facts, UnitMoved)[0].cost == 4
    assert {battle.pieces[name].square for name in ("pg1", "pk1", "pl1", "pt1")} == {"Q-9"}


def test_limbering_in_place() -> None:
    facts, battle = moved(deployed(), PRUSSIAN, "limber pg1")

    assert [fact.gun for fact in of(facts, GunLimbered)] == ["pg1"]
    assert not battle.pieces["pg1"].deployed
    assert battle.pieces["pg1"].moved_this_turn


def test_a_gun_pushed_leaves_limber_and_team_behind() -> None:
    facts, battle = moved(deployed(), PRUSSIAN, "prolong pg1 to Q-11 face e")

    assert [(fact.gun, fact.start, fact.square, fact.facing) for fact in of(facts, GunProlonged)] == [
        ("pg1", "Q-12", "Q-11", "e")
    ]
    assert not of(facts, UnitMoved)
    assert {name: battle.pieces[name].square for name in ("pg1", "pk1", "pl1", "pt1")} == {
        "pg1": "Q-11", "pk1": "Q-11", "pl1": "Q-12", "pt1": "Q-12",
    }  # fmt: skip


def test_limber_and_team_follow_as_limbered_artillery_does() -> None:
    position = deployed()

    facts, battle = moved(position, PRUSSIAN, "move pl1 via Q-11 Q-10 Q-9 Q-8")

    assert [(fact.units, fact.allowance) for fact in of(facts, UnitMoved)] == [(("pl1", "pt1"), 4)]
    assert battle.pieces["pt1"].square == "Q-8"


def test_a_crew_leaves_its_gun_for_a_house_and_takes_to_it_again() -> None:
    position = moving().put("pg4 pk4", "P-11", "s").set("pg4", deployed=True)

    facts, apart = moved(position, PRUSSIAN, "detach pg4 in")
    assert [(fact.crew, fact.place) for fact in of(facts, CrewDetached)] == [("pk4", "inside")]

    position.battle = apart
    facts, again = moved(position, PRUSSIAN, "man pg4")
    assert [(fact.gun, fact.crew) for fact in of(facts, GunManned)] == [("pg4", "pk4")]
    assert (again.pieces["pk4"].place, again.pieces["pk4"].detached) == ("outside", False)


def test_a_crew_that_takes_to_another_gun_serves_that_one() -> None:
    position = moving().put("pg4 pk4", "Q-12", "s").set("pg4", deployed=True)
    position.put("pg1", "Q-12", "s").set("pg1", deployed=True)
    position.set("pk4", detached=True)

    _, battle = moved(position, PRUSSIAN, "man pg1")

    assert (battle.pieces["pg1"].crew_id, battle.pieces["pg4"].crew_id) == ("pk4", "")


NO = {
    "SP-MOV-08 deployed": (deployed(), "move pg1 via Q-11", "SP-MOV-08"),
    "SP-MOV-08 limbered already": (limbered(), "limber pg1", "SP-MOV-08"),
    "SP-MOV-08 deployed already": (deployed(), "unlimber pg1 e", "SP-MOV-08"),
    "SP-MOV-08 one horse": (deployed().set("pt1", horses=1), "limber pg1", "SP-MOV-08"),
    "SP-MOV-08 no crew": (limbered().set("pk1", men=0, square=None), "move pg1 via Q-11", "SP-MOV-08"),
    "SP-MOV-09 three gunners": (deployed().set("pk1", men=3), "prolong pg1 to Q-11", "SP-MOV-09"),
    "SP-MOV-09 on its limber": (limbered(), "prolong pg1 to Q-11", "SP-MOV-09"),
    "SP-TER-04 a wall": (limbered("J-10"), "move pg1 via J-9", "SP-TER-04"),
    "SP-TER-02 deep in the woods": (limbered("A-10"), "move pg1 via A-11 A-12", None),
    "SP-MOV-08 aboard": (limbered(), "move pk1 via Q-11", "SP-MOV-08"),
    "SP-MOV-08 no gun": (moving().put("p1", "Q-12", "s"), "move p1 via Q-11 unlimber s", "SP-MOV-08"),
    "SP-CAP-05 no crew to leave": (
        deployed().set("pk1", square=None), "detach pg1", "SP-CAP-05",
    ),
    "SP-CAP-05 manned": (deployed(), "man pg1", "SP-CAP-05"),
}  # fmt: skip


@pytest.mark.parametrize(("position", "line", "rule"), NO.values(), ids=NO)
def test_what_guns_cannot_do_is_refused_by_its_rule(position: Position, line: str, rule: str | None) -> None:
    reading = given(position, PRUSSIAN, line)

    assert [one.rule for one in refusals(reading)] == ([rule] if rule else [])


def test_a_path_through_the_edge_of_a_wood_is_cut_there() -> None:
    facts, battle = moved(limbered("A-10"), PRUSSIAN, "move pg1 via A-11 A-12")

    assert battle.pieces["pg1"].square == "A-11"
    assert [fact.result for fact in of(facts, OrderPlayed)] == ["in part"]


STILL = {
    "move ps1 via H-14": ["SP-SGE-01"],
    "prolong ps1 to H-14": ["SP-SGE-05"],
    "limber ps1": ["SP-SGE-05"],
    "turn ps1 n": ["SP-SGE-05"],
    "turn ps1 e": [],
}


@pytest.mark.parametrize(("line", "rules"), STILL.items(), ids=STILL)
def test_the_siege_gun_never_moves_and_turns_a_quarter(line: str, rules: list[str]) -> None:
    position = moving().put("ps1 pk5", "H-15", "s").set("ps1", deployed=True)

    assert [one.rule for one in refusals(given(position, PRUSSIAN, line))] == rules


def test_a_hidden_section_that_is_pushed_without_a_card_order_is_turned_up() -> None:
    position = moving(FRENCH).put("fg1 fk1", "J-9", "n", hidden=True)

    facts, battle = moved(position, FRENCH, "prolong fg1 to J-8")

    assert [type(fact).__name__ for fact in facts][:2] == ["CardsRevealed", "GunProlonged"]
    assert not battle.pieces["fg1"].hidden
