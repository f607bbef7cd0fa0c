"""Face-down cards on the move, and moves into them."""

from __future__ import annotations

import pytest

from pbem.kernel.names import FULL
from pbem.systems.st_privat.world.fact import PUBLIC, Fact
from pbem.systems.st_privat.world.outcomes import (
    CardMoved,
    CardsRevealed,
    DummiesRemoved,
    EntryBlocked,
    OrderPlayed,
    SiegeGunPlaced,
    SiegeRevealFailed,
    seen,
)
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Cards, Formation
from pbem.systems.st_privat.world.state import Battle, evolve
from tests.systems.st_privat.field import Position, as_known, of
from tests.systems.st_privat.sheets import given, moved, moving, refusals


def learnt(position: Position, facts: list[Fact]) -> Battle:
    """What the Prussian knows after facts."""
    mind = as_known(position.field, PRUSSIAN)
    for fact in facts:
        aspect = fact.known.get(PRUSSIAN)
        form = fact if aspect == FULL else seen(fact, aspect, PRUSSIAN) if aspect is not None else None
        if form is not None:
            mind = evolve(mind, form)
    return mind


def test_a_card_moves_within_its_town_and_only_its_owner_learns_which() -> None:
    position = moving(FRENCH).put("f1 f2", "J-8", "n", hidden=True).put("fd1 fd2", "I-8", "e", hidden=True)

    facts, battle = moved(position, FRENCH, "card f2 to I-8")

    (move,) = of(facts, CardMoved)
    shown = seen(move, PUBLIC, PRUSSIAN)
    assert isinstance(shown, CardMoved)
    assert (shown.card_count, shown.start, shown.end, shown.units, shown.changes) == (1, "J-8", "I-8", (), {})
    assert (battle.pieces["f2"].square, battle.pieces["f2"].facing, battle.pieces["f2"].hidden) == ("I-8", "e", True)
    assert learnt(position, facts).cards == {
        "I-8 outside": Cards(3, "e"), "J-8 outside": Cards(1, "n"),
    }  # fmt: skip


def test_a_dummy_and_a_company_that_move_alike_look_alike() -> None:
    seen_of = []
    for name in ("f1", "fd1"):
        position = moving(FRENCH).put(name, "J-8", "n", hidden=True).put("f2", "I-8", "e")
        facts, _ = moved(position, FRENCH, f"card {name} to I-8")
        seen_of.append([form for fact in of(facts, CardMoved) if (form := seen(fact, PUBLIC, PRUSSIAN))])

    assert seen_of[0] == seen_of[1]


@pytest.mark.parametrize(("names", "formation"), [("f3", "line"), ("f3 f4", "line"), ("f3 f4", "column")])
@pytest.mark.parametrize("hidden", ["line", "column"])
def test_open_stands_that_join_cards_show_nothing_of_what_those_are(
    names: str, formation: Formation, hidden: Formation
) -> None:
    told = []
    for cards in ("f1 f2", "fd1 fd2"):
        position = moving(FRENCH).put(cards, "J-8", "w", hidden, hidden=True).put(names, "K-8", "w", formation)
        facts, battle = moved(position, FRENCH, f"move {names.replace(' ', '+')} via J-8")
        assert battle.pieces["f3"].facing == "w"
        told.append([seen(fact, PUBLIC, PRUSSIAN) for fact in facts if PRUSSIAN in fact.known])

    assert told[0] == told[1]


def test_the_cards_of_a_place_turn_together_and_stay_down() -> None:
    position = moving(FRENCH).put("f1", "J-8", "n", hidden=True).put("fd1", "J-8", "n", hidden=True)

    assert [one.rule for one in refusals(given(position, FRENCH, "turn f1 e"))] == ["SP-FOR-01"]
    facts, battle = moved(position, FRENCH, "turn @J-8 e")

    assert [fact.card_count for fact in of(facts, CardMoved)] == [2]
    assert {battle.pieces[name].facing for name in ("f1", "fd1")} == {"e"}
    assert battle.pieces["f1"].hidden


def test_a_hidden_company_that_leaves_its_town_is_turned_up_first() -> None:
    position = moving(FRENCH).put("f1 f2", "J-8", "n", hidden=True)

    facts, battle = moved(position, FRENCH, "move f1 via K-8")

    assert [(fact.units, fact.cause) for fact in of(facts, CardsRevealed)] == [(("f1",), "left_town")]
    mind = learnt(position, facts)
    assert mind.pieces["f1"].square == "K-8"
    assert mind.cards == {"J-8 outside": Cards(1, "n")}
    assert battle.pieces["f2"].hidden


def test_who_steps_into_dummies_removes_them_and_stops() -> None:
    position = moving().put("p1", "H-7", "n").put("fd4 fd5", "H-8", "n", hidden=True)

    facts, battle = moved(position, PRUSSIAN, "move p1 via H-8 I-8")

    assert [(fact.square, fact.count, fact.cause) for fact in of(facts, DummiesRemoved)] == [("H-8", 2, "entered")]
    assert battle.pieces["p1"].square == "H-8"
    assert battle.pieces["fd4"].removed == "removed"
    assert learnt(position, facts).cards == {}


def test_who_steps_into_real_cards_stays_before_them_and_learns_no_more() -> None:
    position = moving().put("p1", "I-7", "n").put("f9", "I-8", "n", hidden=True).put("fd2", "I-8", "n", hidden=True)

    facts, battle = moved(position, PRUSSIAN, "move p1 via I-8")

    assert [(fact.start, fact.card_square) for fact in of(facts, EntryBlocked)] == [("I-7", "I-8")]
    assert battle.pieces["p1"].square == "I-7"
    assert [fact.result for fact in of(facts, OrderPlayed)] == ["not carried out"]
    assert learnt(position, facts).cards == {"I-8 outside": Cards(2, "n")}


def test_real_cards_that_bar_the_way_are_turned_up_where_the_option_says_so() -> None:
    position = moving(entry_block_reveals=True).put("p1", "I-7", "n")
    position.put("f9", "I-8", "n", hidden=True)

    facts, _ = moved(position, PRUSSIAN, "move p1 via I-8")

    assert [(fact.units, fact.cause) for fact in of(facts, CardsRevealed)] == [(("f9",), "entered")]


def hidden_gun(at: str = "H-15") -> Position:
    """The siege gun and its crew, unknown to the French."""
    position = moving().put("ps1 pk5", at, "s")
    return position.set("ps1", on_table=False).set("pk5", on_table=False)


def test_the_siege_gun_is_brought_on_before_anybody_moves() -> None:
    position = hidden_gun().put("pc1", "Q-12", "s")

    facts, battle = moved(position, PRUSSIAN, "move pc1 via Q-11\nsiege reveal")

    assert isinstance(facts[0], SiegeGunPlaced)
    assert {piece.id for piece in facts[0].shows} == {"ps1", "pk5"}
    assert battle.pieces["pk5"].on_table


def test_the_siege_gun_is_not_brought_on_where_the_french_dispute_its_square() -> None:
    position = hidden_gun().put("f1", "H-14", "n")

    facts, battle = moved(position, PRUSSIAN, "siege reveal")

    assert len(of(facts, SiegeRevealFailed)) == 1
    assert not battle.pieces["ps1"].on_table
    assert all(FRENCH not in fact.known for fact in facts)
