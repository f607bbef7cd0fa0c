"""The manual of mail, walked: every case that can be has one fate, and no sentence stands there for nothing."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from pbem.desk.intake.fates import MANUAL, Asks, Bytes, Case, Code, Game, Part, Proof, Sentence, Who, sentence_for

CASES = [
    Case(part=part, who=who, code=code, came_before=before, bytes=read, game=game, proof=proof, asks=asks)
    for part, who, code, before, read, game, proof, asks in product(
        get_args(Part),
        get_args(Who),
        get_args(Code),
        (False, True),
        get_args(Bytes),
        get_args(Game),
        get_args(Proof),
        get_args(Asks),
    )
]


def those(**said: object) -> list[Case]:
    return [case for case in CASES if all(getattr(case, field) == value for field, value in said.items())]


def test_every_case_has_a_fate() -> None:
    assert all(isinstance(sentence_for(case), Sentence) for case in CASES)


@pytest.mark.parametrize("sentence", MANUAL, ids=lambda one: one.why)
def test_each_sentence_decides_some_case_and_says_why(sentence: Sentence) -> None:
    assert any(sentence_for(case) is sentence for case in CASES)
    assert sentence.why


def test_nothing_enters_the_books_of_which_it_is_not_sure_who_wrote_it() -> None:
    entered = [case for case in CASES if sentence_for(case).fate == "entered"]

    assert {case.proof for case in entered} == {"vouched", "sure"}
    assert {case.who for case in entered if case.part != "join"} == {"a player"}
    assert not any(case.came_before for case in entered if case.part != "join")


def test_what_cannot_be_undone_is_done_by_its_players_word_alone() -> None:
    asked = [case for case in those(asks="what is always asked back") if case.part != "join"]
    done = [case for case in asked if sentence_for(case).fate == "entered"]

    assert {case.proof for case in done} == {"vouched"}


@pytest.mark.parametrize("who", ["the post", "a machine", "who stops his letters"])
def test_no_machine_is_answered(who: Who) -> None:
    assert {(sentence_for(case).fate, sentence_for(case).answer) for case in those(who=who)} == {("ignored", "nothing")}


def test_a_code_counts_whoever_gives_it_back_and_a_stranger_is_told_nothing_of_any_game() -> None:
    strangers = those(who="nobody known")

    assert {sentence_for(case).fate for case in strangers if case.part == "codes" and case.code == "good"} == {
        "confirmed"
    }
    others = [case for case in strangers if case.part == "words"]
    assert {sentence_for(case).answer for case in others} == {"who is not known"}


def test_every_letter_of_a_player_is_answered_unless_it_is_tried_again() -> None:
    silent = {sentence_for(case).fate for case in those(who="a player") if sentence_for(case).answer == "nothing"}

    assert silent == {"confirmed", "put off"}  # a letter that confirms another is answered by what becomes of that
