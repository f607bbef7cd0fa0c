"""Options are the scenario's with the campaign's over them, and what cannot be is refused in words."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from pbem.rules.options import read_options


class Caps(Struct, frozen=True, forbid_unknown_fields=True):
    french: int = 0
    german: int = 0


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    pulses: int = 2
    fog: bool = True
    side: Literal["french", "german"] = "french"
    caps: Caps = Caps()


LIMITS = {"pulses": (1, 4)}


def test_the_campaign_stands_over_the_scenario_and_that_over_the_game() -> None:
    read = read_options(Options, {"pulses": 3, "fog": False}, {"fog": True})

    assert read == Options(pulses=3, fog=True)


def test_a_part_of_an_option_is_set_and_its_other_parts_stay() -> None:
    read = read_options(Options, {"caps": {"german": 7}}, {"caps.french": 5})

    assert read.caps == Caps(french=5, german=7)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("pulse", 2, "an option is wrong: there is no pulse; did you mean pulses"),
        ("pulses", "two", "an option is wrong: pulses is a whole number, not two"),
        ("pulses", 5, "the option pulses can be from 1 to 4"),
        ("fog.french", 1, 'the option "fog" has no parts'),
        ("fog", "on", "an option is wrong: fog is true or false, not on"),
        ("side", "both", "an option is wrong: side is french or german, not both"),
        ("caps.austrian", 1, "an option is wrong: there is no caps.austrian"),
        ("caps.french", "all", "an option is wrong: caps.french is a whole number, not all"),
        ("caps", 3, "an option is wrong: caps is made of parts: french and german, not 3"),
    ],
)
def test_what_cannot_be_is_refused(name: str, value: Option, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_options(Options, {"fog": True}, {name: value}, LIMITS)
