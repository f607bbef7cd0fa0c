"""Setting up: areas, room, garrisons, what is filled in, what the enemy sees, and the seal."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from pbem.ground.square import place
from pbem.kernel.names import FULL, Role
from pbem.orders.sheet import Judgement, Line
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.turn import setup
from pbem.systems.st_privat.world.fact import PUBLIC
from pbem.systems.st_privat.world.game import Zone
from pbem.systems.st_privat.world.language import drafts
from pbem.systems.st_privat.world.outcomes import OrderPlayed, SetupCompleted, seen
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, SIDES, Cards
from pbem.systems.st_privat.world.state import Battle, evolve
from tests.systems.st_privat.field import Position, as_known, of, scene
from tests.systems.st_privat.sheets import given, refusals, said


def empty(side: Role) -> Position:
    """Nothing on the board, and *side* to set up."""
    position = Position("setup_french" if side == FRENCH else "setup_prussian", turn=0)
    return position.now(siege_zone=Zone("G-L", 14))


def set_up(side: Role, text: str = "") -> tuple[SetupCompleted, Battle, list[OrderPlayed]]:
    """The set-up that a sheet makes, the battle after it, and what became of each line."""
    position = empty(side)
    orders = given(position, side, text).items
    play = position.begun({side: orders})
    setup.set_up(play)
    return of(play.facts, SetupCompleted)[0], play.battle, of(play.facts, OrderPlayed)


@pytest.mark.parametrize("side", SIDES)
def test_who_sends_nothing_gets_the_default_set_up_whole(side: Role) -> None:
    fact, battle, _ = set_up(side)

    own = [piece for piece in battle.pieces.values() if piece.side == side]
    assert all(piece.square is not None for piece in own)
    assert set(fact.defaulted) == {piece.id for piece in own}


@pytest.mark.parametrize("side", SIDES)
def test_the_placements_make_the_same_set_up_again(side: Role) -> None:
    fact, battle, _ = set_up(side, "place f24 at O-7 face e" if side == FRENCH else "place p1 at A-18 face e")

    again, other, _ = set_up(side, "\n".join(fact.placements))

    assert again.placements == fact.placements
    assert not again.defaulted
    assert {p.id: (p.square, p.facing, p.hidden, p.formation, p.command) for p in battle.pieces.values()} == {
        p.id: (p.square, p.facing, p.hidden, p.formation, p.command) for p in other.pieces.values()
    }


def test_the_seal_is_the_digest_of_salt_and_placements() -> None:
    fact, battle, _ = set_up(FRENCH)

    text = "\n".join((fact.salt, *fact.placements))
    assert fact.seal == hashlib.sha256(text.encode()).hexdigest() == battle.sealed[FRENCH].seal


def test_the_enemy_learns_of_open_pieces_and_of_cards_by_number() -> None:
    fact, _, _ = set_up(FRENCH, "show f1+f2+f3")

    assert fact.known == {FRENCH: FULL, PRUSSIAN: PUBLIC}
    shown = seen(fact, PUBLIC, PRUSSIAN)
    assert isinstance(shown, SetupCompleted)
    assert (shown.placements, shown.defaulted, shown.salt, shown.game) == ((), (), "", None)
    mind = evolve(as_known(empty(FRENCH).field, PRUSSIAN), shown)
    assert {"f1", "f2", "f3", "fh2", "fc1", "fg3", "fk3"} <= set(mind.pieces)
    assert not {"f4", "fd1", "fm1", "fk4"} & set(mind.pieces)
    assert mind.cards["I-9 inside"] == Cards(3, "n")
    assert "H-9 inside" not in mind.cards
    assert mind.cards["H-9 outside"] == Cards(1, "n")


def test_the_french_learn_nothing_of_the_siege_gun() -> None:
    fact, battle, _ = set_up(PRUSSIAN, "siege at K-14")

    shown = seen(fact, PUBLIC, FRENCH)
    assert shown is not None
    assert not {"ps1", "pk5"} & {*shown.changes, *(piece.id for piece in shown.shows)}
    assert (battle.pieces["ps1"].square, battle.pieces["ps1"].on_table, battle.pieces["pk5"].square) == (
        "K-14",
        False,
        "K-14",
    )


def test_a_piece_that_is_placed_leaves_its_place_in_the_default_set_up() -> None:
    fact, battle, played = set_up(FRENCH, "place f24 at J-8 face e")

    assert (battle.pieces["f24"].square, battle.pieces["f24"].facing) == ("J-8", "e")
    assert [order.result for order in played] == ["done"]
    assert "f24" not in fact.defaulted


def test_the_default_set_up_gives_way_to_a_piece_that_is_ordered_where_it_has_no_room_left() -> None:
    assert refusals(given(empty(FRENCH), FRENCH, "dummy fd1 at H-9")) == []
    fact, battle, _ = set_up(FRENCH, "dummy fd1 at H-9")

    assert (battle.pieces["fd1"].square, battle.pieces["fm1"].square) == ("H-9", "H-8")
    assert "fm1" in fact.defaulted


def test_cards_of_a_place_face_one_way_as_the_order_says() -> None:
    _, battle, _ = set_up(FRENCH, "dummy fd16 at O-7 face e")

    assert {battle.pieces[name].facing for name in ("f24", "fd15", "fd16")} == {"e"}


def test_sections_are_given_limbers_and_the_guns_without_stand_deployed() -> None:
    text = "section fg1 limbered with limber 1\nplace fg1 at K-7\nplace fg3 at K-6"
    position = empty(FRENCH)
    assert [(line, rule) for line, _, rule in said(given(position, FRENCH, text))] == [(3, "SP-SET-01")]

    _, battle, _ = set_up(FRENCH, "section fg1 limbered with limber 1\nplace fg1 at K-7\nplace fg3 at J-9 face n")

    assert (battle.pieces["fg1"].limber_id, battle.pieces["fg1"].deployed) == ("fl1", False)
    assert (battle.pieces["fg3"].limber_id, battle.pieces["fg3"].deployed) == ("", True)
    assert {battle.pieces[name].square for name in ("fg1", "fk1", "fl1", "ft1")} == {"K-7"}
    assert battle.pieces["fg3"].hidden


WRONG: dict[str, tuple[Role, str, str]] = {
    "SP-SET-01 horse in a town": (FRENCH, "place fc1 at J-9", "SP-SET-01"),
    "SP-SET-01 too far forward": (FRENCH, "place fc1 at P-11", "SP-SET-01"),
    "SP-SET-01 foot outside the towns": (FRENCH, "place f1 at K-8", "SP-SET-01"),
    "SP-SET-01 a fourth deployed": (
        FRENCH, "section fg3 deployed\nsection fg1 deployed\nsection fm1 deployed\nsection fg2 deployed", "SP-SET-01",
    ),
    "SP-SET-01 a limber twice": (
        FRENCH, "section fg1 limbered with limber 1\nsection fg2 limbered with limber 1", "SP-SET-01",
    ),
    "SP-PCE-01 part of a section": (FRENCH, "place fk1 at J-9", "SP-PCE-01"),
    "SP-PCE-01 no gun": (FRENCH, "section f1 deployed", "SP-PCE-01"),
    "SP-HID-02 a dummy in the open": (FRENCH, "dummy fd1 at K-9", "SP-HID-02"),
    "SP-HID-02 no dummy": (FRENCH, "dummy f1 at J-9", "SP-HID-02"),
    "SP-HID-01 open already": (FRENCH, "show fc1", "SP-HID-01"),
    "SP-CAP-02 a small house": (FRENCH, "place f1+f2+f3+f4 at I-9 in", "SP-CAP-02"),
    "SP-TER-06 a gun in a house": (FRENCH, "place fg1 at J-9 in", "SP-TER-06"),
    "SP-FOR-01 a column in a house": (FRENCH, "place f7+f8 at J-9 in column", "SP-FOR-01"),
    "SP-PCE-03 four command stands": (FRENCH, "command f1+f2+f3+f4", "SP-PCE-03"),
    "SP-SET-04 too far forward": (PRUSSIAN, "place p1 at H-16", "SP-SET-04"),
    "SP-CAP-01 five in a square": (PRUSSIAN, "place p1+p2+p3+p4+p5 at A-18", "SP-CAP-01"),
    "SP-CAP-03 two generals": (PRUSSIAN, "place ph1+ph3 at A-18", "SP-CAP-03"),
    "SP-FOR-01 a column of one": (PRUSSIAN, "place p1 at A-18 column", "SP-FOR-01"),
    "SP-SET-03 the wrong row": (PRUSSIAN, "siege at H-15", "SP-SET-03"),
    "SP-SET-03 a house": (PRUSSIAN, "siege at I-14", "SP-SET-03"),
    "SP-SET-03 a wood": (PRUSSIAN, "siege at L-14", "SP-SET-03"),
    "SP-SET-03 placed as others are": (PRUSSIAN, "place ps1 at H-14", "SP-SET-03"),
    "SP-HID-02 the Prussians have none": (PRUSSIAN, "dummy fd1 at J-9", "SP-GEN-02"),
}  # fmt: skip


@pytest.mark.parametrize(("side", "text", "rule"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_set_up_is_refused_by_its_rule(side: Role, text: str, rule: str) -> None:
    assert [one.rule for one in refusals(given(empty(side), side, text))] == [rule]


def test_a_garrison_too_small_refuses_the_whole_set_up_and_names_the_town() -> None:
    moves = [f"dummy fd{number} at N-8" for number in (4, 5, 6)]

    reading = given(empty(FRENCH), FRENCH, "\n".join(["place f19+f20+f21 at H-8", "initiative first", *moves]))

    whole = reading.complaints[0]
    assert (whole.line, whole.judgement, whole.rule) == (0, Judgement.NOT_ALLOWED, "SP-SET-02")
    assert "Roncourt has 3 of 4" in whole.why
    assert [order.line for order in reading.items] == [2]


LINES = st.builds(
    "{} {} at {}-{}{}".format,
    st.sampled_from(("place", "dummy", "place fg1 +", "siege")),
    st.sampled_from(("f1", "f2+f3", "fc1+fc2", "fd3", "fg1", "fm2", "fh1", "p1+p2", "pc1", "pg1", "pg4", "ph2", "")),
    st.sampled_from("ACDGHIJKNOQ"),
    st.integers(1, 18),
    st.sampled_from(("", " in", " face e", " column")),
)


@for_all(st.lists(LINES, max_size=12), st.sampled_from(SIDES))
def test_any_sheet_ends_in_a_lawful_set_up_with_everybody_on_the_board(lines: list[str], side: Role) -> None:
    _, battle, played = set_up(side, "\n".join(lines))

    field = Field(scene(), battle)
    own = [piece for piece in battle.pieces.values() if piece.side == side]
    assert not [piece.id for piece in own if piece.square is None]
    for at in field.by_square:
        assert field.overfull(at, field.at(at, side)) is None
    low, high = scene().numbers.french_rows if side == FRENCH else scene().numbers.prussian_rows
    assert all(low <= place(p.square)[1] <= high for p in own if p.square is not None and p.on_table)
    assert {order.result for order in played} <= {"done"}


def test_the_default_set_ups_are_lawful_orders() -> None:
    for side in SIDES:
        lines = [Line(number, text) for number, text in enumerate(scene().setup[side].splitlines(), start=1)]
        found, complaints = drafts(scene().board, lines, ())
        assert found
        assert not complaints
        assert not given(empty(side), side, scene().setup[side]).complaints
