"""A grammar turned about says all that it takes, and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from pbem.orders.sheet import Complaint, Line
from pbem.rules.registry import BUILT_IN
from tests.player.speech import Speech, values
from tests.systems.secret import plug

SYSTEMS = sorted(BUILT_IN)


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_said_is_an_order_of_the_language(system: str) -> None:
    grammar, random = plug(system).GRAMMAR, Random(1870)
    speech, understood = Speech(grammar), 0
    for number in range(300):
        said = speech.say(random, lambda terminal, before: None)
        understood += not isinstance(grammar.parse(Line(number, said.text)), Complaint)

        assert said.parts <= speech.parts
    # A word of the line may be another where it stands: `s` is a place and a point of the compass.
    assert understood > 120


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_never_taken_is_said_before_what_often_was(system: str) -> None:
    speech, random = Speech(plug(system).GRAMMAR), Random(4)
    for _ in range(2_000):
        said = speech.say(random, lambda terminal, before: None)
        speech.heard(said, "now", taken=True)
        speech.ordered(said.text)

    verbs = {part for part in speech.parts if "/" not in part}
    assert all(speech.taken[verb] for verb in verbs)
    assert sum(speech.taken[part] > 0 for part in speech.parts) > 0.6 * len(speech.parts)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("left|right", ("left", "right")),
        (r"two[\s_]+lines", ("two lines",)),
        ("[1-4]-1|1-[2-4]", ("1-1", "2-1", "3-1", "4-1", "1-2", "1-3", "1-4")),
        (r"\d{1,3}", None),
        ("[a-z]+", None),
    ],
)
def test_a_pattern_that_is_a_list_of_words_is_known_for_one(pattern: str, found: tuple[str, ...] | None) -> None:
    assert values(pattern) == found


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_line_that_is_read_has_the_parts_that_it_was_said_with(system: str) -> None:
    speech, random, alike = Speech(plug(system).GRAMMAR), Random(6), 0
    for _ in range(200):
        said = speech.say(random, lambda terminal, before: None)
        speech.taken.clear()
        speech.ordered(said.text)
        alike += said.parts == set(speech.taken)

    assert alike > 80
