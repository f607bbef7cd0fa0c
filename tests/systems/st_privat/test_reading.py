"""Sheets on receipt: what is understood, refused, doubted, superseded, kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from pbem.kernel.owed import Call
from pbem.orders.sheet import Judgement, Line, Order, lines_of
from pbem.resources import resources
from pbem.systems.st_privat.play.pauses import awaits
from pbem.systems.st_privat.sheets.reading import read
from pbem.systems.st_privat.turn.setup import set_up
from pbem.systems.st_privat.world.game import Zone
from pbem.systems.st_privat.world.language import EXAMPLES, GRAMMAR
from pbem.systems.st_privat.world.orders import (
    Charge,
    Demolish,
    Fire,
    HoldFire,
    Move,
    Movement,
    Retreat,
    Shoot,
    SiegeReveal,
    TurnAt,
)
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, SIDES
from tests.systems.st_privat.field import Position, as_known, scene
from tests.systems.st_privat.sheets import EVERYTHING, given, moving, played, said

REFUSED = Judgement.NOT_ALLOWED
UNCLEAR = Judgement.NOT_CLEAR
STRANGE = Judgement.NOT_UNDERSTOOD
DOUBT = Judgement.DOUBTFUL
UNUSED = Judgement.NOT_USED
LATER = Judgement.SUPERSEDED


# ------------------------------------------------------------------ words


def one(text: str) -> Order:
    """The order that a line is, by its words alone."""
    reading = read(scene(), [Line(1, text)], Position().battle, PRUSSIAN, None)
    assert not reading.complaints
    return reading.items[0]


SPELLINGS = [
    "move p1 via J-9 I-9",
    "MOVE P1 VIA j9, i9.",
    "mov p1 via J9 I-9   # along the wall",
    "move p1 via J–9 I–9",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_line_is_read_however_it_is_spelt(text: str) -> None:
    order = one(text)

    assert isinstance(order, Move)
    assert (order.units, order.via) == (("p1",), ("J-9", "I-9"))


def test_options_stand_in_any_order() -> None:
    first = one("move p5+p6 turn e via J-17 K-17 form line at end in turn s at J-17")
    second = one("move p5+p6 via J-17 K-17 turn s at J-17 in form line at end turn e")

    assert isinstance(first, Move)
    assert isinstance(second, Move)
    assert (first.turn, first.turns, first.form_at_end, first.place) == (
        "e",
        (TurnAt("s", first.via[0]),),
        "line",
        "inside",
    )
    assert (second.turn, second.turns, second.form_at_end, second.place) == (
        first.turn, first.turns, first.form_at_end, first.place,
    )  # fmt: skip


def test_a_name_that_is_piece_and_square_is_what_its_place_asks_for() -> None:
    order = one("fire @f1+p2 at f3 else f4")

    assert isinstance(order, Fire)
    assert (order.units, order.square, order.otherwise) == (("@F-1", "p2"), "F-3", "F-4")


@pytest.mark.parametrize("text", ["demolish p7+p8 wall H-9|H-10", "demolish p7+p8 wall h10 H-9"])
def test_a_wall_is_named_by_its_two_squares(text: str) -> None:
    order = one(text)

    assert isinstance(order, Demolish)
    assert (order.what, order.at) == ("wall", "H-9|H-10")


def test_a_long_line_keeps_all_its_words() -> None:
    shot = one("shoot pg1 shell at H-9 in equipment fg1 turn w danger")
    charge = one("charge @H-10+@G-9 in at H-9 with ph1 if odds 2-1 after J-9")
    back = one("retreat all toward e d1 off form column face away")

    assert isinstance(shot, Shoot)
    assert isinstance(charge, Charge)
    assert isinstance(back, Retreat)
    assert (shot.place, shot.aim, shot.equipment, shot.turn, shot.danger) == ("inside", "equipment", "fg1", "w", True)
    assert (charge.units, charge.general, charge.if_odds, charge.after) == (("@H-10", "@G-9 in"), "ph1", "2-1", "J-9")
    assert (back.units, back.toward, back.form, back.face) == (("all",), ("e", "D-1", "off"), "column", "away")


def test_hold_and_hold_fire_are_two_orders() -> None:
    assert isinstance(one("hold fire p1"), HoldFire)
    assert one("hold p1") != one("hold fire p1")


@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_order_has_an_example_that_is_read(verb: str) -> None:
    assert not hasattr(GRAMMAR.parse(Line(1, EXAMPLES[verb])), "judgement")


WORDS = {
    "no verb": ("mvoe p1 to Q-9", STRANGE, 1, 4, "move p1 to Q-9"),
    "two verbs": ("sho pg4 shell at E-12", UNCLEAR, 1, 3, "shoot pg4 shell at E-12"),
    "no such piece": ("move p99 to Q-9", STRANGE, 6, 3, ""),
    "no such square": ("move p1 to D-19", STRANGE, 12, 4, ""),
    "no such direction": ("turn p1 nrth", STRANGE, 9, 4, ""),
    "no neighbours": ("demolish p1 wall H-9|J-9", STRANGE, 22, 3, ""),
}


@pytest.mark.parametrize(("text", "judgement", "column", "width", "instead"), WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("called", [True, False], ids=["now", "for later"])
def test_a_word_that_is_not_understood_is_pointed_at(
    text: str, judgement: Judgement, column: int, width: int, instead: str, called: bool
) -> None:
    position = moving().put("p1", "H-10", "s").put("pg4 pk4", "E-17", "s")
    call = awaits(position.battle).call(PRUSSIAN) if called else None

    (complaint,) = read(scene(), [Line(7, text)], as_known(position.field, PRUSSIAN), PRUSSIAN, call).complaints

    assert (complaint.line, complaint.judgement, complaint.column, complaint.width) == (7, judgement, column, width)
    assert complaint.instead == instead


def test_a_sheet_for_later_is_judged_by_its_words_alone() -> None:
    reading = read(
        scene(), lines_of("move p1 via A-1 R-18\ncharge f1 at Q-9\nmove p99 to A-1"), Position().battle, PRUSSIAN, None
    )

    assert len(reading.items) == 2
    assert said(reading) == [(3, STRANGE, "SP-GEN-02")]


# ------------------------------------------------------------------ whose, what, where


def line_up() -> Position:
    """A few of everything, Prussians to move first."""
    position = moving()
    position.put("p1 p2", "Q-12", "s", "column").put("p3", "Q-10", "s").put("pc1", "P-12", "s").put("ph1", "Q-12")
    position.put("p5 p6", "L-12", "s").put("p9", "K-10", "s")
    position.put("pc2", "N-10", "s").put("p10", "I-10", "s").put("f6", "I-9", "n", hidden=True)
    position.put("f1", "N-9", "n").put("f4 f5", "J-9", "n", hidden=True)
    return position.set("p8", square=None, removed="killed")


LINES: dict[str, tuple[str, Judgement, str, int]] = {
    "SP-GEN-02 not yours": ("move f1 to Q-9", REFUSED, "SP-GEN-02", 6),
    "SP-GEN-02 a card of the enemy's": ("move f4 to Q-9", REFUSED, "SP-GEN-02", 6),
    "SP-GEN-02 fallen": ("move p8 to Q-9", REFUSED, "SP-GEN-02", 6),
    "SP-GEN-02 not on the board": ("move p20 to Q-9", REFUSED, "SP-GEN-02", 6),
    "SP-GEN-02 nobody there": ("turn @A-1 e", REFUSED, "SP-GEN-02", 7),
    "SP-MOV-01 too far": ("move p3 via Q-9 Q-8 Q-7", REFUSED, "SP-MOV-01", 21),
    "SP-MOV-03 not adjacent": ("move p3 via Q-9 Q-7", REFUSED, "SP-MOV-03", 17),
    "SP-MOV-03 diagonal column": ("move p1+p2 via P-11", REFUSED, "SP-MOV-03", 16),
    "SP-MOV-05 against its facing": ("move p1+p2 via R-12", REFUSED, "SP-MOV-05", 16),
    "SP-MOV-06 about on the way": ("move p1+p2 via Q-11 turn n at Q-11", REFUSED, "SP-MOV-06", 16),
    "SP-MOV-06 off the path": ("move p1+p2 via Q-11 turn e at Q-9", REFUSED, "SP-MOV-06", 31),
    "SP-MOV-06 a general faces nowhere": ("move ph1 turn e via Q-11", REFUSED, "SP-MOV-06", 6),
    "SP-MOV-04 an enemy": ("move pc2 via N-9", REFUSED, "SP-MOV-04", 14),
    "SP-TER-04 across a corner of a wall": ("move p9 via L-9", REFUSED, "SP-TER-04", 13),
    "SP-CAP-04 among infantry": ("move pc1 via Q-11 Q-10", REFUSED, "SP-CAP-04", 19),
    "SP-MOV-05 two squares at once": ("move p1+p3 via Q-11", REFUSED, "SP-MOV-05", 6),
    "SP-FOR-01 a column of one": ("move p3 form column via Q-9", REFUSED, "SP-FOR-01", 6),
    "SP-FOR-01 part of a group": ("turn p5 e", REFUSED, "SP-FOR-01", 6),
    "SP-MOV-06 faces so already": ("turn p3 s", REFUSED, "SP-MOV-06", 6),
    "SP-FOR-01 formed so already": ("form @L-12 line", REFUSED, "SP-FOR-01", 7),
    "SP-FOR-01 a column of one in place": ("form @Q-10 column", REFUSED, "SP-FOR-01", 7),
    "SP-FOR-01 a stranger in the ranks": ("form @L-12 column order p3", REFUSED, "SP-FOR-01", 7),
    "SP-FOR-01 horse has no formation": ("move pc1 form line via P-11", REFUSED, "SP-FOR-01", 6),
    "SP-MOV-06 twice in a square": ("move p1+p2 via Q-11 turn e at Q-11 face s", REFUSED, "SP-MOV-06", 6),
    "SP-MOV-08 a gun on foot": ("move p3 limber via Q-9", REFUSED, "SP-MOV-08", 6),
    "SP-GEN-02 nobody who could": ("demolish @P-12 building G-8", REFUSED, "SP-GEN-02", 11),
    "SP-TER-06 no house": ("enter p3", REFUSED, "SP-TER-06", 7),
    "SP-TER-06 no house at the end": ("move p3 via Q-9 in", REFUSED, "SP-TER-06", 6),
    "SP-MOV-03 no way": ("move p3 to Q-10", REFUSED, "SP-MOV-03", 12),
    "SP-HID-03 no card": ("card p3 to Q-9", REFUSED, "SP-HID-03", 6),
    "SP-SGE-02 no gun": ("siege reveal", REFUSED, "SP-SGE-02", 1),
    "SP-MOV-10 not a Frenchman": ("exit p3", REFUSED, "SP-MOV-10", 6),
    "SP-DMG-03 out of reach": ("demolish p3 wall H-9|H-10", REFUSED, "SP-DMG-03", 10),
    "SP-DMG-03 horse": ("demolish pc1 building G-8", REFUSED, "SP-DMG-03", 10),
    "SP-ZOC-02 into a zone": ("move pc1 via O-11 O-10 O-9", DOUBT, "SP-ZOC-02", 1),
    "SP-TER-01 onto a hill": ("move pc1 via Q-13 Q-14", DOUBT, "SP-TER-01", 1),
    "SP-MOV-01 a goal out of reach": ("move p3 to Q-5", DOUBT, "SP-MOV-01", 1),
    "SP-HID-06 into cards": ("move p10 via I-9", DOUBT, "SP-HID-06", 1),
    "SP-MEL-01 charge of the first mover": ("charge p3 at Q-9", REFUSED, "SP-MEL-01", 1),
    "fire in exchange A": ("fire p3 at Q-9", UNUSED, "SP-GEN-02", 1),
    "set-up in play": ("place p3 at Q-18", UNUSED, "SP-GEN-02", 1),
}


@pytest.mark.parametrize(("text", "judgement", "rule", "column"), LINES.values(), ids=LINES)
def test_a_line_is_judged_by_what_its_writer_knows(text: str, judgement: Judgement, rule: str, column: int) -> None:
    (complaint,) = given(line_up(), PRUSSIAN, text).complaints

    assert (complaint.judgement, complaint.rule, complaint.column) == (judgement, rule, column)
    assert complaint.why


def test_a_refusal_offers_the_part_of_the_path_that_can_be_marched() -> None:
    (complaint,) = given(line_up(), PRUSSIAN, "move p3 via Q-9 Q-8 Q-7").complaints

    assert complaint.instead == "move p3 via Q-9 Q-8"
    assert complaint.why == "p3 has two points this turn; to Q-7 the way costs 3"


def test_a_refused_line_costs_the_others_nothing() -> None:
    reading = given(line_up(), PRUSSIAN, "move p3 via Q-7\nmove pc1 via P-11\nnonsense")

    assert [order.line for order in reading.items] == [2]


# ------------------------------------------------------------------ twice


def test_the_later_of_two_lines_for_a_piece_counts() -> None:
    reading = given(line_up(), PRUSSIAN, "move p3 via Q-9\nturn p3 e")

    assert [order.line for order in reading.items] == [2]
    assert said(reading) == [(1, LATER, "SP-GEN-02")]


def test_a_line_keeps_the_pieces_that_no_later_line_orders() -> None:
    reading = given(line_up(), PRUSSIAN, "move p5+p6 via L-11\nmove p6 via L-13")

    first, second = reading.items
    assert isinstance(first, Move)
    assert isinstance(second, Move)
    assert (first.units, second.units) == (("p5",), ("p6",))
    assert said(reading) == [(1, DOUBT, "SP-GEN-02")]


def test_a_refused_line_supersedes_nothing() -> None:
    reading = given(line_up(), PRUSSIAN, "move p3 via Q-9\nmove p3 via Q-9 Q-8 Q-7")

    assert [order.line for order in reading.items] == [1]
    assert said(reading) == [(2, REFUSED, "SP-MOV-01")]


def test_of_two_charges_on_a_square_the_second_is_refused() -> None:
    position = Position("melee").now(first_mover=FRENCH, second_mover=PRUSSIAN)
    position.put("p1", "Q-10", "s").put("p2", "R-9", "w").put("f1", "Q-9", "n")

    reading = given(position, PRUSSIAN, "charge p1 at Q-9\ncharge p2 at Q-9", sorts=EVERYTHING)

    assert [order.line for order in reading.items] == [1]
    assert said(reading) == [(2, REFUSED, "SP-MEL-03")]


def test_charges_that_wait_for_each_other_are_refused() -> None:
    position = Position("melee").now(first_mover=FRENCH, second_mover=PRUSSIAN)
    position.put("p1", "Q-10", "s").put("p2", "Q-7", "n").put("f1", "Q-9", "n").put("f2", "Q-8", "n")

    reading = given(position, PRUSSIAN, "charge p1 at Q-9 after Q-8\ncharge p2 at Q-8 after Q-9", sorts=EVERYTHING)

    assert not reading.items
    assert [rule for _, _, rule in said(reading)] == ["SP-MEL-03", "SP-MEL-03"]


# ------------------------------------------------------------------ after the moves of the same mail


def second() -> Position:
    """Prussians who move second, and all kinds of lines that count for them."""
    position = Position("move_second").now(first_mover=FRENCH, second_mover=PRUSSIAN)
    position.put("p1 p2", "Q-12", "s").put("pg1 pk1", "K-12", "s").set("pg1", deployed=True).put("ph1", "Q-12")
    return position.put("f1", "Q-9", "n").put("f4", "J-9", "n", hidden=True).put("p7 p8", "J-10", "s")


AFTER: dict[str, tuple[str, list[tuple[int, Judgement, str]]]] = {
    "fire from where they go": ("move p1+p2 via Q-11\nfire @Q-11 at Q-9", []),
    "fire from where they went from": ("move p1+p2 via Q-11\nfire @Q-12 at Q-10", []),
    "fire from where nobody is": ("fire @Q-11 at Q-9", [(1, REFUSED, "SP-GEN-02")]),
    "SP-RIF-02 the needle gun reaches two": ("fire p1 at Q-9", [(1, REFUSED, "SP-RIF-02")]),
    "SP-RIF-01 a gun has no rifles": ("fire pg1 at K-10", [(1, REFUSED, "SP-RIF-01")]),
    "SP-ART-01 shell has no range two": ("shoot pg1 shell at K-10", [(1, REFUSED, "SP-ART-01")]),
    "SP-ART-02 no such load": ("shoot pg1 mg at K-10", [(1, REFUSED, "SP-ART-02")]),
    "SP-ART-03 about": ("shoot pg1 shot at K-10 turn n", [(1, REFUSED, "SP-ART-03")]),
    "SP-ART-03 twice a quarter": ("turn pg1 e\nshoot pg1 shot at K-10 turn s", []),
    "SP-ART-03 pushed and fired": (
        "prolong pg1 to J-12\nshoot pg1 shot at J-11", [(2, DOUBT, "SP-ART-03")],
    ),
    "SP-DMG-02 a thing unseen": ("shoot pg1 shell at K-9 equipment fg1", [(1, REFUSED, "SP-DMG-02")]),
    "SP-MEL-10 odds against cards": ("charge @J-10 at J-9 if odds 2-1", [(1, REFUSED, "SP-MEL-10")]),
    "SP-MEL-02 not in front": ("charge p1 at Q-9", [(1, DOUBT, "SP-MEL-02")]),
    "a charge from where the move ends": ("move p1+p2 via Q-11 Q-10\ncharge @Q-10 at Q-9", []),
    "SP-MEL-01 a gun charges nobody": ("charge pg1 at K-11", [(1, REFUSED, "SP-MEL-01")]),
    "SP-MEL-06 a general elsewhere": ("charge @J-10 at J-9 with ph1", [(1, REFUSED, "SP-MEL-06")]),
    "SP-MEL-06 a general that is none": ("charge @J-10 at J-9 with ph9", [(1, STRANGE, "SP-GEN-02")]),
    "SP-ART-02 no gun": ("shoot p1 shot at Q-11", [(1, REFUSED, "SP-ART-02")]),
    "SP-DMG-02 no such thing": ("shoot pg1 shell at K-9 equipment fg9", [(1, STRANGE, "SP-GEN-02")]),
    "SP-MEL-06 no general": ("charge @J-10 at J-9 with p1", [(1, REFUSED, "SP-MEL-06")]),
    "SP-HID-04 nothing to turn up": ("reveal p1", [(1, REFUSED, "SP-HID-04")]),
    "SP-MOV-10 off the board": ("retreat all toward off", [(1, REFUSED, "SP-MOV-10")]),
    "reactions": ("targets all infantry\nlosses p2+p1\nadvance @J-10 none\ninitiative first\nreset all", []),
    "initiative twice": ("initiative first\ninitiative second", [(1, LATER, "SP-GEN-02")]),
    "fire and hold fire": ("fire p7 at J-9\nhold fire p7", [(1, LATER, "SP-GEN-02")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), AFTER.values(), ids=AFTER)
def test_fire_and_charges_are_judged_after_the_moves_of_the_same_mail(
    text: str, told: list[tuple[int, Judgement, str]]
) -> None:
    assert [one for one in said(given(second(), PRUSSIAN, text)) if one[1] is not DOUBT or told] == told


def test_an_exposed_end_of_a_march_is_doubted_only_by_who_moves_first() -> None:
    doubts = []
    for side in SIDES:
        position = moving().put("pc1", "O-12", "s").put("f1", "N-9", "n").now(first_mover=side)
        doubts.append(
            [one.why for one in given(position, PRUSSIAN, "move pc1 via N-11 N-10", sorts=EVERYTHING).complaints]
        )

    french_first, prussian_first = doubts
    assert french_first == []
    assert prussian_first == ["N-10 lies in the zone of control of f1 at N-9; the French move second and may charge"]


# ------------------------------------------------------------------ the way to a square


def way(position: Position, text: str) -> Move:
    """The march that a `move … to` is."""
    (order,) = given(position, PRUSSIAN, text, sorts=EVERYTHING).items
    assert isinstance(order, Move)
    return order


WAYS = {
    "straight": (("pc1", "Q-12", "s"), "Q-8", "Q-11 Q-10 Q-9 Q-8"),
    "the bend first, to the lower file": (("pc1", "Q-12", "s"), "P-8", "P-11 P-10 P-9 P-8"),
    "round a hill": (("pc1", "Q-16", "s"), "P-12", "P-15 P-14 P-13 P-12"),
    "by the road": (("p1 p2", "I-18", "s"), "I-13", "I-17 I-16 I-15 I-14 I-13"),
    "round the corner, turned at the start": (("p1 p2", "Q-12", "s"), "R-11", "Q-11 R-11"),
    "round the corner": (("p1 p2", "Q-12", "s"), "P-11", "Q-11 P-11"),
    "as far as it goes": (("p1 p2", "Q-12", "s"), "Q-5", "Q-11 Q-10 Q-9"),
}


@pytest.mark.parametrize(("who", "goal", "path"), WAYS.values(), ids=WAYS)
def test_the_office_finds_the_way(who: tuple[str, str, str], goal: str, path: str) -> None:
    names, at, _ = who
    column = "column" if names.startswith("p1") else "line"
    position = moving().put(names, at, "s", "column" if column == "column" else "line")

    order = way(position, f"move {names.replace(' ', '+')} to {goal}")

    assert " ".join(order.via) == path
    assert order.to == goal


def test_a_column_turns_on_its_way_where_it_must() -> None:
    order = way(moving().put("p1 p2", "Q-12", "s", "column"), "move p1+p2 to P-11")

    assert [(turn.square, turn.facing) for turn in order.turns] == [("Q-11", "w")]


def test_cards_are_gone_round_unless_they_are_the_goal() -> None:
    position = moving().put("pc1", "K-7", "n").put("f4", "J-7", "n", hidden=True)

    assert "J-7" not in way(position, "move pc1 to I-7").via
    assert way(position, "move pc1 to J-7").via == ("J-7",)


# ------------------------------------------------------------------ whole sheets

SAMPLES = sorted((resources("campaigns") / "st-privat").rglob("*.txt"))


def board(name: str = "graveyard") -> Position:
    """The default set-up of both sides."""
    position = Position(turn=0).now(siege_zone=Zone("M-R", 15))
    position.scene = scene(name)
    for side in SIDES:
        play = position.now(phase=f"setup_{side}").begun({})
        set_up(play)
        position.battle = play.battle
    return position.now(phase="move_first", turn=1)


WORDS_OF_ORDERS = (
    *EXAMPLES.values(), "move", "via", "to", "at", "in", "p1", "p2+p3", "f1", "@I-17", "@J-9 in", "pg1", "fd1",
    "ps1", "I-16", "I-15", "i14", "R-18", "A-1", "turn e", "form line", "at end", "limber", "unlimber s", "exit",
    "all", "none", "face n", "charge", "fire", "shoot", "shell", "if odds 2-1", "after J-9", "with ph1", "card",
    "place", "9", "|", "+", "@",
)  # fmt: skip
LINES_AT_RANDOM = st.lists(st.sampled_from(WORDS_OF_ORDERS), min_size=1, max_size=7).map(" ".join)


@for_all(st.lists(LINES_AT_RANDOM | st.text(max_size=20), max_size=8), st.sampled_from(SIDES))
def test_no_sheet_makes_the_reader_raise_nor_its_orders_the_movement(lines: list[str], side: str) -> None:
    position = BOARD
    role = FRENCH if side == "french" else PRUSSIAN
    call = Call(role=role, sorts=EVERYTHING)
    sheet = [Line(number, text) for number, text in enumerate(lines, start=1)]

    reading = read(scene(), sheet, as_known(position.field, role), role, call)

    movement = [order for order in reading.items if isinstance(order, Movement | SiegeReveal)]
    played(position, role, movement)
    assert {one.line for one in reading.items} <= {line.number for line in sheet}


BOARD = board()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.parent.name} {path.stem}")
def test_the_sample_sheets_are_understood_but_for_their_mistakes(path: Path) -> None:
    heads = ("game", "role", "turn  ")
    lines = [line for line in lines_of(path.read_text()) if not line.text.startswith(heads)]
    reading = read(scene(path.parent.parent.name), lines, Position().battle, FRENCH, None)

    refused = [one for one in reading.complaints if one.judgement.refuses]
    assert bool(refused) == ("mistakes" in path.stem)
