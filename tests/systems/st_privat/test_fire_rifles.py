"""Rifle fire: who fires at what, what the dice bring, and what each option changes."""

from __future__ import annotations

import pytest

from pbem.ground.square import Square
from pbem.systems.st_privat.world.game import Policy, Reactions, Score
from pbem.systems.st_privat.world.orders import Fire, HoldFire, Targets
from pbem.systems.st_privat.world.outcomes import CardsRevealed, FormationChanged, OrderPlayed, ScoreUpdated, seen
from pbem.systems.st_privat.world.outcomes_combat import (
    FireDeclared,
    FireDiverted,
    FireImpossible,
    LossesApplied,
    RifleFireResolved,
    UnitRemoved,
)
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Place
from tests.systems.st_privat.field import START, Position, of


def fire(units: str, at: str, place: Place | None = None, otherwise: str = "", line: int = 1) -> Fire:
    """`fire UNITS at SQ [in|out] [else SQ]`."""
    return Fire(
        line=line,
        text=f"fire {units} at {at}",
        units=tuple(units.split("+")),
        square=Square(at),
        place=place,
        otherwise=Square(otherwise) if otherwise else None,
    )


HOLD_ALL = HoldFire(line=9, text="hold fire all", units=("all",))


def duel() -> Position:
    """A French pair facing a Prussian pair two squares off, in the open."""
    return Position().put("f1 f2", "Q-9", "n").put("p1 p2", "Q-11", "s")


def test_a_hit_kills_the_natural_number_and_stands_fall_one_after_another() -> None:
    facts, after = duel().play({"rifle": [3, 4]}, french=[fire("f1+f2", "Q-11")], prussian=[HOLD_ALL])
    (shot,) = of(facts, RifleFireResolved)
    assert (shot.hits, shot.kills, [die.hit_max for die in shot.fire]) == (1, 3, [3, 3])
    assert after.pieces["p1"].removed == "killed"
    assert after.pieces["p2"].men == 3
    assert after.vp == Score(french=START, prussian=0)


def test_the_chassepot_reaches_three_squares() -> None:
    position = Position().put("f1 f2", "Q-9", "n").put("p1 p2", "Q-12", "s")
    facts, after = position.play({"rifle": [2, 3]}, french=[fire("@Q-9", "Q-12")])
    assert after.pieces["p1"].men == 1
    assert [fact.shooters for fact in of(facts, FireDeclared)] == [("f1", "f2")]


def test_the_needle_gun_does_not() -> None:
    position = Position().put("f1 f2", "Q-9", "n").put("p1 p2", "Q-12", "s")
    facts, _ = position.play({}, prussian=[fire("p1", "Q-9")], french=[HOLD_ALL])
    (sorry,) = of(facts, FireImpossible)
    assert (sorry.shooter, sorry.reason) == ("p1", "range")
    assert set(sorry.known) == {PRUSSIAN}


def test_a_column_throws_one_die() -> None:
    position = Position().put("f1 f2 f3 f4", "Q-9", "n", "column").put("p1", "Q-10", "n")
    facts, _ = position.play({"rifle": [6]})
    assert [len(shot.fire) for shot in of(facts, RifleFireResolved)] == [1]


@pytest.mark.parametrize(
    ("frontage", "dice"), [(2, 2), (3, 3)], ids=["two abreast as printed", "three abreast by option"]
)
def test_a_line_of_four_throws_a_die_for_each_stand_abreast(frontage: int, dice: int) -> None:
    position = Position(line_frontage=frontage).put("p1 p2 p3 p4", "Q-10", "s").put("f1 f2", "Q-9", "s")
    facts, _ = position.play({"rifle": [6] * dice}, french=[HOLD_ALL])
    assert [len(shot.fire) for shot in of(facts, RifleFireResolved)] == [dice]


def test_weak_stands_throw_whole_dice() -> None:
    position = Position().put("p1 p2 p3", "Q-10", "s", men=1).put("f1 f2", "Q-9", "n")
    facts, _ = position.play({"rifle": [6, 6]}, french=[HOLD_ALL])
    (shot,) = of(facts, RifleFireResolved)
    assert len(shot.fire) == 2
    assert "SP-GEN-04" in shot.rules


def test_both_sides_fall_at_once() -> None:
    position = Position().put("f1", "Q-9", "n").put("p1", "Q-10", "s")
    _, after = position.play({"rifle": [3, 3]})
    assert {after.pieces[name].removed for name in ("f1", "p1")} == {"killed"}
    assert after.vp == Score(french=START, prussian=2)


def test_dice_fall_for_the_first_mover_first_by_square_and_slot() -> None:
    position = Position().put("f2 f1", "Q-9", "n").put("f3", "P-9", "n").put("p1", "Q-10", "s")
    facts, _ = position.play({"rifle": [6, 6, 6, 6]})
    thrown = [die.name for fact in of(facts, RifleFireResolved) for die in fact.dice]
    assert thrown == ["2B/rifle/p1", "2B/rifle/f3", "2B/rifle/f2", "2B/rifle/f1"]


@pytest.mark.parametrize(
    ("add", "modified", "value"), [(False, [3, 4], [2]), (True, [4, 5], [2, 1])], ids=["the largest", "all of them"]
)
def test_a_wall_before_a_town_covers(add: bool, modified: list[int], value: list[int]) -> None:
    position = Position(cover_modifiers_add=add).put("p1 p2", "H-10", "s").put("f1", "H-9", "n")
    facts, _ = position.play({"rifle": [1, 2]}, french=[HOLD_ALL])
    (shot,) = of(facts, RifleFireResolved)
    assert [die.modified for die in shot.fire] == modified
    assert [one.value for one in shot.fire[0].modifiers] == value


@pytest.mark.parametrize(("covers", "modified"), [(True, 3), (False, 2)])
def test_a_wall_covers_at_the_gap_of_a_road_by_option(covers: bool, modified: int) -> None:
    position = Position(wall_cover_at_gap=covers).put("p1", "I-10", "s").put("f1", "I-9", "n")
    facts, _ = position.play({"rifle": [1]}, french=[HOLD_ALL])
    (shot,) = of(facts, RifleFireResolved)
    assert shot.fire[0].modified == modified


@pytest.mark.parametrize(("by", "kills"), [("natural", 2), ("modified", 3)])
def test_kills_follow_the_number_that_the_option_names(by: str, kills: int) -> None:
    position = Position(kills_by=by).put("p1", "K-8", "w").put("f1", "J-8", "n")
    facts, _ = position.play({"rifle": [2]}, french=[HOLD_ALL])
    assert of(facts, RifleFireResolved)[0].kills == kills


def test_horsemen_fall_by_half_rounded_up() -> None:
    position = Position().put("f1 f2", "Q-9", "n").put("pc1 pc2", "Q-10", "s")
    _, after = position.play({"rifle": [3, 4]})
    assert after.pieces["pc1"].removed == after.pieces["pc2"].removed == "killed"


def test_what_is_left_of_a_die_is_lost_and_the_next_kind_suffers_the_next() -> None:
    position = Position().put("f1", "Q-9", "n", men=1).put("fh1", "Q-9").put("p1 p2", "Q-10", "s")
    facts, after = position.play({"rifle": [2, 3]}, french=[HOLD_ALL])
    assert after.pieces["f1"].removed == after.pieces["fh1"].removed == "killed"
    assert after.vp.prussian == 2
    assert [(loss.unit, loss.figures_lost) for loss in of(facts, LossesApplied)] == [("f1", 1), ("fh1", 2)]


def test_rifles_of_several_squares_make_one_fire() -> None:
    position = Position().put("f1", "Q-9", "n").put("f2", "R-9", "n").put("p1 p2", "Q-11", "s")
    facts, after = position.play(
        {"rifle": [1, 3]}, french=[fire("f1", "Q-11"), fire("f2", "Q-11")], prussian=[HOLD_ALL]
    )
    assert [shot.kills for shot in of(facts, RifleFireResolved)] == [4]
    assert after.pieces["p1"].removed == "killed"
    assert after.pieces["p2"].men == 2
    assert after.squares_fired_rifle == ("Q-11",)


def test_by_option_only_one_square_fires_at_a_square() -> None:
    position = Position(one_fire_per_square="single_square").put("f1 f3", "Q-9", "n").put("f2", "R-9", "n")
    position.put("p1 p2", "Q-11", "s")
    facts, _ = position.play({"rifle": [6, 6]}, french=[fire("f2", "Q-11", line=1)], prussian=[HOLD_ALL])
    (shot,) = of(facts, RifleFireResolved)
    assert {die.shooter for die in shot.fire} == {"f1", "f3"}
    assert [sorry.reason for sorry in of(facts, FireImpossible)] == ["square_fired_on"]


def test_the_place_named_by_more_stands_is_fired_at() -> None:
    position = Position().put("p1 p2", "I-10", "s").put("p3", "H-10", "e").put("f1", "I-9", "n").put("f2", "I-9", "n")
    position.put("f3", "I-9", "n", where="inside")
    orders = [fire("p1+p2", "I-9", "inside"), fire("p3", "I-9", "outside")]
    facts, _ = position.play({"rifle": [6, 6, 6]}, prussian=orders, french=[HOLD_ALL])
    assert [(shot.place, len(shot.fire)) for shot in of(facts, RifleFireResolved)] == [("inside", 3)]


def test_fire_goes_inside_where_nobody_is_outside() -> None:
    position = Position().put("p1 p2", "N-9", "s").put("f19", "N-8", "n", where="inside", hidden=True)
    facts, after = position.play({"rifle": [1, 2]})
    (shot,) = of(facts, RifleFireResolved)
    assert (shot.place, shot.kills, after.pieces["f19"].men) == ("inside", 1, 2)


def test_a_stand_without_orders_fires_at_the_nearest() -> None:
    position = Position().put("f1", "Q-9", "n").put("p1", "Q-10", "n").put("p2", "R-10", "n")
    facts, _ = position.play({"rifle": [6]})
    (declared,) = of(facts, FireDeclared)
    assert (declared.target, declared.source) == ("Q-10", "policy")


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (("cavalry",), "R-10"),
        (("generals", "nearest"), "P-10"),
        (("R-10",), "R-10"),
        (("infantry", "cavalry"), "Q-10"),
        (("open",), "Q-10"),
    ],
)
def test_policies_choose(words: tuple[str, ...], target: str) -> None:
    position = Position().put("f1", "Q-9", "n").put("p1", "Q-10", "n").put("pc1", "R-10", "n").put("ph1", "P-10")
    facts, _ = position.play({"rifle": [6]}, french=[Targets(line=1, text="", units=("all",), words=words)])
    assert [declared.target for declared in of(facts, FireDeclared)] == [target]


def test_an_order_that_cannot_be_carried_out_takes_its_else_then_the_policy() -> None:
    position = Position().put("f1 f2", "Q-9", "n").put("p1", "Q-10", "n").put("p2", "R-10", "n")
    orders = [fire("f1", "P-9", otherwise="R-10", line=1), fire("f2", "R-9", otherwise="A-1", line=2)]
    facts, _ = position.play({"rifle": [6, 6]}, french=orders)
    diverted = {fact.shooter: (fact.to, fact.reason) for fact in of(facts, FireDiverted)}
    assert diverted == {"f1": ("R-10", "arc"), "f2": ("Q-10", "arc")}
    assert {fact.line: fact.result for fact in of(facts, OrderPlayed)} == {1: "done", 2: "not carried out"}


def test_the_later_line_wins() -> None:
    position = Position().put("f1", "Q-9", "n").put("p1", "Q-10", "n").put("p2", "R-10", "n")
    orders = [fire("f1", "Q-10", line=1), fire("f1", "R-10", line=2)]
    facts, _ = position.play({"rifle": [6]}, french=orders)
    assert {fact.line: fact.result for fact in of(facts, OrderPlayed)} == {1: "superseded", 2: "done"}


def test_who_demolishes_does_not_fire() -> None:
    position = Position().put("f1", "Q-9", "n", demolishes="wall Q-9|Q-10").put("p1", "Q-10", "n")
    facts, _ = position.play({})
    assert not of(facts, RifleFireResolved)


def test_a_card_that_fires_turns_up_alone() -> None:
    position = Position().put("f24", "O-7", "n", hidden=True).put("fd15 fd16", "O-7", "n", hidden=True)
    position.put("p1", "O-9", "n")
    facts, after = position.play({"rifle": [6]}, french=[fire("f24", "O-9")])
    (up,) = of(facts, CardsRevealed)
    assert (up.units, up.cause) == (("f24",), "fired")
    assert [shown.id for shown in up.shows] == ["f24"]
    assert up.cards["O-7 outside"].count == 2
    assert not after.pieces["f24"].hidden
    assert after.pieces["fd15"].hidden


def test_cards_never_fire_by_policy() -> None:
    position = Position().put("f24", "O-7", "n", hidden=True).put("p1", "O-8", "n")
    facts, _ = position.play({}, prussian=[HOLD_ALL])
    assert not of(facts, RifleFireResolved)


def test_losses_of_cards_are_their_owners_secret_and_a_stand_removed_is_shown() -> None:
    position = Position().put("f4 f5", "J-8", "n", hidden=True).put("fd9", "J-8", "n", hidden=True)
    position.put("p1 p2", "K-8", "w")
    facts, after = position.play({"rifle": [2, 1]}, prussian=[fire("@K-8", "J-8")])
    assert {frozenset(fact.known) for fact in of(facts, LossesApplied)} == {frozenset({FRENCH})}
    (gone,) = of(facts, UnitRemoved)
    assert (gone.unit, gone.points, after.vp.prussian) == ("f4", 2, 2)
    (up,) = of(facts, CardsRevealed)
    assert (up.units, up.cards["J-8 outside"].count) == (("f4",), 2)
    (closing,) = of(facts, FormationChanged)
    assert "f5" in closing.changes
    form = seen(closing, closing.known[PRUSSIAN], PRUSSIAN) if PRUSSIAN in closing.known else None
    assert form is None or "f5" not in str(form)


def test_two_hits_on_a_garrison_stay_hidden() -> None:
    position = Position().put("f1 f2 f3", "H-9", "n", where="inside", hidden=True).put("p1 p2", "H-10", "s")
    facts, after = position.play({"rifle": [1, 1]}, prussian=[fire("p1+p2", "H-9", "inside")])
    assert after.pieces["f1"].men == 1
    assert not of(facts, CardsRevealed)
    assert not of(facts, UnitRemoved)


def test_dummies_are_not_told_from_troops() -> None:
    def prussian_view(pieces: str) -> list[str]:
        position = Position().put(pieces, "H-8", "n", hidden=True).put("p1 p2", "H-7", "n")
        facts, _ = position.play({"rifle": [1, 1]}, prussian=[fire("p1+p2", "H-8")])
        forms = [seen(fact, fact.known[PRUSSIAN], PRUSSIAN) for fact in facts if PRUSSIAN in fact.known]
        return [str(form) for form in forms]

    assert prussian_view("fd4 fd5 fd6") == prussian_view("f4 f5 f6")


def test_policies_do_not_show_in_what_the_enemy_gets() -> None:
    def prussian_forms(orders: list[Fire]) -> list[str]:
        position = Position().put("f1 f2", "Q-9", "n").put("p1", "Q-10", "n")
        facts, _ = position.play({"rifle": [1, 6]}, french=orders)
        known = [fact for fact in facts if PRUSSIAN in fact.known]
        return [
            str(fact if fact.known[PRUSSIAN] == "full" else seen(fact, fact.known[PRUSSIAN], PRUSSIAN))
            for fact in known
        ]

    assert prussian_forms([]) == prussian_forms([fire("f1", "Q-10"), fire("f2", "A-1", otherwise="Q-10", line=2)])


@pytest.mark.parametrize(
    ("how", "men"), [("concentrate", [0, 2, 3, 3]), ("spread", [2, 2, 2, 2])], ids=["one by one", "one each"]
)
def test_losses_are_allocated_by_option(how: str, men: list[int]) -> None:
    position = Position(loss_allocation=how).put("p1 p2 p3 p4", "Q-11", "s").put("f1 f2", "Q-9", "n")
    _, after = position.play({"rifle": [1, 3]}, prussian=[HOLD_ALL])
    assert [after.pieces[name].men for name in ("p1", "p2", "p3", "p4")] == men


def test_a_stand_hit_before_is_finished_first_then_the_owner_chooses() -> None:
    position = Position().put("f1 f2 f3 f4", "Q-9", "n").set("f4", men=2).put("p1 p2", "Q-10", "s")
    reaction = Reactions(losses=(Policy(units=("f3",), words=()),))
    _, plain = position.play({"rifle": [3, 6]}, french=[HOLD_ALL])
    _, chosen = position.now(reactions={FRENCH: reaction}).play({"rifle": [3, 6]}, french=[HOLD_ALL])
    assert (plain.pieces["f4"].removed, plain.pieces["f1"].men, plain.pieces["f3"].men) == ("killed", 2, 3)
    assert (chosen.pieces["f4"].removed, chosen.pieces["f1"].men, chosen.pieces["f3"].men) == ("killed", 3, 2)


def test_a_group_closes_up() -> None:
    position = Position().put("f1 f2 f3 f4", "Q-9", "n").put("p1 p2", "Q-10", "s")
    _, after = position.play({"rifle": [3, 6]}, french=[HOLD_ALL])
    assert {name: after.pieces[name].slot for name in ("f3", "f2", "f4")} == {"f3": 1, "f2": 2, "f4": 3}


def test_points_are_scored_at_once() -> None:
    position = Position().put("f1 f2", "Q-9", "n").put("p1 p2", "Q-10", "s")
    facts, _ = position.play({"rifle": [3, 3]}, french=[HOLD_ALL])
    assert [fact.prussian for fact in of(facts, ScoreUpdated)] == [2, 4]
