"""A number as somebody types it, or as his keyboard does, is read or refused: never a traceback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any

import pytest
from click import BadParameter

from pbem.cli.common import game_option
from pbem.ground.square import parse_square
from pbem.kernel.errors import BadMoment
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Line
from pbem.rules import registry
from pbem.rules.contract import Resolution
from pbem.rules.registry import BUILT_IN
from tests.systems.play import Game, scenarios
from tests.systems.secret import autoplay, plug

ODD = ("²", "①", "½", "٣", "３", "-", "--3", "+3", "−3", "1_0", "1e9", "9" * 30, "9" * 5000)
"""What is no number, though it looks like one; what is one in another script; and one too long."""


def with_odd_numbers(line: str) -> Iterator[str]:
    """The *line* with each of its numbers written otherwise, and with each of its words one."""
    for number in re.finditer(r"\d+", line):
        for odd in ODD:
            yield line[: number.start()] + odd + line[number.end() :]
    words = line.split()
    for place in range(1, len(words)):
        yield " ".join([*words[:place], "²", *words[place + 1 :]])


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_ruling_with_an_odd_number_is_refused_in_words(name: str) -> None:
    game = Game(registry.load(name), scenarios(name)[0])
    forms: Mapping[str, str] = import_module(registry.load(name).direct.__module__).FORMS
    more = ("open 3", "delay 1 2", "rule losses here x 3", "option dice_source 3")
    for line in (*forms.values(), *more):
        for odd in with_odd_numbers(line):
            game.system.direct(game.scene, game.world, [Line(1, odd)], {})


class AnsweredByHand(Game):
    """A game in which the GM answers every question with a word of his own."""

    answer, asked = "²", 0

    def resolve(self, orders: Mapping[Role, Sequence[Any]]) -> None:
        """Play on to the next pause."""
        answers: dict[str, str] = {}
        while True:
            resolution: Resolution[Outcome] = self.system.resolve(
                self.scene, self.world, orders, answers, self.dice(self.pause.moment), "pause"
            )
            if not resolution.asks:
                break
            self.asked += 1
            answers |= {query.key: self.answer for query in resolution.asks}
        self.add(resolution.facts)


@pytest.mark.parametrize("name", ["crossroads", "half-league"])
@pytest.mark.parametrize("answer", ["²", "9" * 5000, ""], ids=["superscript", "long", "nothing"])
def test_a_superscript_that_the_umpire_types_for_a_die_does_not_stop_the_turn(name: str, answer: str) -> None:
    game = AnsweredByHand(registry.load(name), scenarios(name)[0], options={"dice_source": "gm"})
    game.answer = answer
    for _ in autoplay(game, plug(name), Random(1870), 1):
        pass
    assert game.asked


@pytest.mark.parametrize("text", ["5İ", "5ſ", "5²", "²", "5 ½", "9" * 5000])
def test_a_turn_with_a_letter_that_is_none_is_no_turn(text: str) -> None:
    with pytest.raises(BadMoment):
        Moment.parse(text)


def test_a_square_with_a_letter_that_is_none_is_no_square() -> None:
    assert parse_square("İ5") is None
    assert parse_square("j5") == "J-5"


@pytest.mark.parametrize("odd", ODD)
def test_an_option_that_the_umpire_types_with_an_odd_number_is_a_word_or_a_number(odd: str) -> None:
    try:
        name, value = game_option(f"hits_on={odd}", "--option")
    except BadParameter:
        return
    assert name == "hits_on"
    assert isinstance(value, str | int)
