"""A line is read as its writer meant it, or he is told in words why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree

from pbem.orders.grammar import Grammar, bare, written
from pbem.orders.sheet import Complaint, Judgement, Line, lines_of

LANGUAGE = Grammar(
    r"""
    order: "move" units ("to" SQUARE | "via" SQUARE+) ["turn" DIRECTION] -> move
         | "show" units                      -> show
         | "shoot" PIECE "at" SQUARE         -> shoot
         | "hold" units                      -> hold
         | "hold" "fire" "all"               -> hold_fire
         | "demolish" "wall" SQUARE "|"? SQUARE -> demolish
         | "letter" NAME                     -> letter
    units: unit ("+" unit)*
    unit: PIECE | "@" SQUARE
    DIRECTION: /[nesw]/
    PIECE: /[a-z]{1,2}\d+/
    SQUARE: /[a-r]-?\d\d?/
    NAME: /[^\W\d]+/
    """,
    examples={
        "move": "move p1+p2 to L-6",
        "show": "show f5",
        "shoot": "shoot pg1 at H-9",
        "hold": "hold p1",
        "hold fire": "hold fire all",
        "demolish": "demolish wall H-9|H-10",
        "letter": "letter Brandt",
    },
    words={
        "DIRECTION": "n, e, s or w",
        "PIECE": "a piece, like p1",
        "SQUARE": "a square, like J-9",
        "NAME": "a name",
    },
)


def tree(text: str) -> Tree[Token]:
    parsed = LANGUAGE.parse(Line(1, text))
    assert isinstance(parsed, Tree), parsed
    return parsed


def complaint(text: str, *names: str) -> Complaint:
    parsed = LANGUAGE.parse(Line(7, text), names)
    assert isinstance(parsed, Complaint), parsed
    return parsed


@pytest.mark.parametrize(
    "text",
    [
        "MOVE P1 TO Q-9",
        "  move p1   to Q-9  ",
        "move, p1, to, Q-9.",
        "move\u00a0p1 to Q\u20139",
        "mov p1 to Q9",
        "move p1 to q-9  # the hill",
    ],
    ids=["case", "blanks", "commas", "other keyboards", "abbreviation", "comment"],
)
def test_one_order_is_read_however_it_is_typed(text: str) -> None:
    words = [str(token).lower().replace("-", "") for token in tree(text).scan_values(lambda _: True)]

    assert tree(text).data == "move"
    assert words == ["p1", "q9", "none"] or words == ["p1", "q9"]


def test_a_token_is_what_the_place_takes_not_what_it_looks_like() -> None:
    assert [token.type for token in tree("shoot pg1 at h9").scan_values(lambda one: isinstance(one, Token))] == [
        "PIECE",
        "SQUARE",
    ]


def test_a_token_has_the_column_that_was_typed() -> None:
    _, square = tree("shoo  pg1,  at h9").scan_values(lambda one: isinstance(one, Token))

    assert square.column == 16


def test_a_whole_word_beats_a_name_and_a_beginning() -> None:
    assert tree("show f5").data == "show"
    assert tree("letter show").children == ["show"]


def test_a_pattern_that_reaches_farther_beats_a_whole_word() -> None:
    language = Grammar(
        """
        order: "retreat" ("e" | SQUARE)+
        SQUARE: /[a-r]-?\\d\\d?/
        """,
        examples={"retreat": "retreat e E-1"},
        words={"SQUARE": "a square, like E-1"},
    )
    parsed = language.parse(Line(1, "retreat e E-1 e1"))

    assert isinstance(parsed, Tree)
    assert [str(token) for token in parsed.children] == ["E-1", "e1"]


def test_the_beginning_of_two_words_is_not_clear_and_names_both() -> None:
    said = complaint("sho f1")

    assert said.judgement is Judgement.NOT_CLEAR
    assert '"shoot" or "show"' in said.why
    assert (said.line, said.column, said.width) == (7, 1, 3)


def test_two_letters_are_no_abbreviation() -> None:
    assert complaint("mo p1 to Q-9").judgement is Judgement.NOT_UNDERSTOOD


def test_an_unknown_verb_is_refused_with_the_line_as_it_was_perhaps_meant() -> None:
    said = complaint("mvoe p1 to Q-9")

    assert said.judgement is Judgement.NOT_UNDERSTOOD
    assert 'did you mean "move"?' in said.why
    assert said.instead == "move p1 to Q-9"


@pytest.mark.parametrize("text", ["mvoe p1 Q-9", "mvoe it", "move p1 too Q-9 Q-8"])
def test_a_word_is_suggested_only_where_the_line_is_an_order_with_it(text: str) -> None:
    said = complaint(text)

    assert "did you mean" not in said.why
    assert not said.instead
    assert said.example in ("", *LANGUAGE.examples.values())


def test_of_the_words_that_are_like_it_that_is_suggested_with_which_the_line_is_an_order() -> None:
    assert 'did you mean "show"?' in complaint("shoe f1").why
    assert 'did you mean "shoot"?' in complaint("shoet f1 at J-9").why


WIDE = Grammar(
    """
    order: "go" "to" PLACE ("at" RATE | "by" PLACE)* | "tell" NAME ":" NAME
    RATE: "fast" | "slow"
    PLACE: /[a-z]{4,}/
    NAME: /[a-z]+/
    """,
    examples={"go": "go to hill at fast"},
    words={"RATE": "a rate", "PLACE": "a place", "NAME": "a name"},
    vague=("PLACE", "NAME"),
)


def test_the_one_word_without_which_another_does_not_fit_is_suggested() -> None:
    said = WIDE.parse(Line(1, "go to hill fast"))

    assert isinstance(said, Complaint)
    assert said.why == '"fast" does not fit here; did you mean "at fast"?'
    assert said.instead == "go to hill at fast"


def test_a_sign_that_is_missing_is_named() -> None:
    said = WIDE.parse(Line(1, "tell ann hallo"))

    assert isinstance(said, Complaint)
    assert (said.why, said.instead) == ('"hallo" does not fit here; a ":" is missing before it', "tell ann: hallo")


def test_no_word_is_wanted_where_any_word_would_do() -> None:
    said = WIDE.parse(Line(1, "go to hill road"))

    assert isinstance(said, Complaint)
    assert said.why == '"road" does not fit here; expected "at", "by" or the end of the order'


def test_of_many_words_that_could_stand_at_a_place_the_likeliest_are_named() -> None:
    verbs = [f"{a}{b}ing" for a in "klmn" for b in "aeio"]
    language = Grammar(
        "order: " + " | ".join(f'"{verb}"' for verb in verbs),
        examples={"noing": "noing", "kaing": "kaing"},
        words={},
    )
    said = language.parse(Line(1, "xyzzy"))

    assert isinstance(said, Complaint)
    assert said.why == (
        '"xyzzy" is no order; orders begin with "noing", "kaing", "keing", "kiing", "koing", "laing" and others'
    )


def test_a_verb_that_is_like_none_is_answered_with_all_of_them() -> None:
    assert 'orders begin with "demolish", "hold"' in complaint("xyzzy").why


def test_a_word_in_the_wrong_place_says_what_could_stand_there_and_gives_an_example() -> None:
    said = complaint("move p1 Q-9")

    assert said.column == 9
    assert said.why == '"Q-9" does not fit here; expected "+", "to" or "via"'
    assert (said.instead, said.example) == ("", "move p1+p2 to L-6")


def test_an_order_that_breaks_off_is_marked_at_its_end() -> None:
    said = complaint("move p1 to  # where?")

    assert said.column == len("move p1 to") + 1
    assert "expected a square, like J-9" in said.why


def test_the_longest_verb_gives_the_example() -> None:
    assert complaint("hold fire").example == "hold fire all"


def test_only_names_that_the_writer_may_know_are_suggested() -> None:
    assert '"pg1"' in complaint("shoot pgl at H-9", "pg1", "pg2").why
    assert "did you mean" not in complaint("shoot pgl at H-9").why


UNITS = Grammar(
    """
    order: ID "halt" | ID "joins" ID | "hail"
    ID: /[a-z]{2}-\\d{1,2}/
    """,
    examples={"halt": "UK-7 halt"},
    words={"ID": "a unit"},
)


@pytest.mark.parametrize(
    ("text", "why", "instead"),
    [
        ("UK23 halt", '"UK23" is no name; did you mean "UK-23"?', "UK-23 halt"),
        ("uk23 joins uk7", '"uk23" is no name; did you mean "UK-23"?', "UK-23 joins UK-7"),
        ("UK-23 joins UK7", '"UK7" is no name; did you mean "UK-7"?', "UK-23 joins UK-7"),
        ("UK-23 jions UK7", '"jions" does not fit here; did you mean "joins"?', "UK-23 joins UK-7"),
        ("hial", '"hial" is no order; did you mean "hail"?', "hail"),
    ],
)
def test_a_line_that_begins_with_a_name_is_told_which_was_meant(text: str, why: str, instead: str) -> None:
    said = UNITS.parse(Line(1, text), ("UK-7", "UK-23", "HA-IL"))

    assert isinstance(said, Complaint)
    assert (said.why, said.instead) == (why, instead)


def test_a_name_that_the_writer_may_not_know_is_offered_at_no_place() -> None:
    for text in ("UK23 halt", "UK-7 joins UK23"):
        said = UNITS.parse(Line(1, text), ("UK-7",))

        assert isinstance(said, Complaint)
        assert "23" not in said.why.replace("UK23", "")
        assert "UK-23" not in said.instead


def test_signs_are_read_with_and_without_blanks() -> None:
    assert tree("demolish wall H-9|H-10") == tree("demolish wall H-9 | H-10") == tree("dem wall H-9 H-10")


def test_a_grammar_whose_terminals_have_no_words_is_refused_at_its_first_line() -> None:
    grammar = Grammar(r"""order: "move" SQUARE """ "\n" r"""SQUARE: /[a-r]\d/""", examples={}, words={})

    with pytest.raises(ValueError, match="SQUARE"):
        grammar.parse(Line(1, "move a1"))


def test_every_example_is_an_order() -> None:
    assert all(isinstance(LANGUAGE.parse(Line(1, text)), Tree) for text in LANGUAGE.examples.values())


def test_one_bad_line_costs_no_good_one() -> None:
    trees, complaints = LANGUAGE.read(lines_of("# first\nmove p1 to Q-9\n\nmvoe p2 to Q-9\nshow f5"))

    assert [line.number for line, _ in trees] == [2, 5]
    assert [one.line for one in complaints] == [4]


def test_comments_and_blank_lines_say_nothing() -> None:
    assert not list(written(lines_of("# a\n   \n\u00a0\n ,\n.")))


@given(st.text())
def test_whatever_is_typed_is_an_order_or_a_complaint_within_the_line(text: str) -> None:
    parsed = LANGUAGE.parse(Line(1, text))

    if isinstance(parsed, Complaint):
        assert 1 <= parsed.column <= len(bare(text)) + 1
        assert parsed.judgement.refuses


@given(st.lists(st.sampled_from([*" ,.+@|#'", "move", "mov", "to", "via", "p1", "Q-9", "ß", "²", "\x00"])))
def test_words_in_any_order_are_an_order_or_a_complaint(words: list[str]) -> None:
    assert LANGUAGE.parse(Line(1, " ".join(words))) is not None


def test_work_grows_with_the_length_of_the_sheet_and_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens cut are the unit of work; a thousand lines, no two alike, cut ten times those of a hundred."""
    from pbem.orders import lexing

    cut = 0
    original = lexing.token_of

    def counting(kind: str, value: str, at: int, end: int) -> Token:
        nonlocal cut
        cut += 1
        return original(kind, value, at, end)

    monkeypatch.setattr(lexing, "token_of", counting)
    LANGUAGE.read(lines_of("".join(f"move p{number}+p2 via Q-9 Q-8\n" for number in range(100))))
    hundred, cut = cut, 0
    LANGUAGE.read(lines_of("".join(f"move p{number}+p3 via Q-9 Q-8\n" for number in range(1000))))

    assert cut == 10 * hundred > 0
