"""What every scenario says of its roles."""

from __future__ import annotations

import msgspec
import pytest

from pbem.ground.picture import STYLES, Look
from pbem.kernel.errors import BadScenario
from pbem.rules.scene import commanders


def roles(*styles: str) -> dict[str, object]:
    return {
        "roles": [{"role": f"r{at}", "name": "R", "commander": "the R", "style": one} for at, one in enumerate(styles)]
    }


def test_a_game_of_two_sides_has_the_first_and_the_second() -> None:
    assert [one.style for one in commanders(roles("second", "first"))] == ["second", "first"]
    with pytest.raises(BadScenario, match="r1: style is one of first, second, and not third"):
        commanders(roles("first", "third"))


def test_a_game_of_more_has_those_that_its_system_says() -> None:
    assert [one.style for one in commanders(roles(*STYLES), STYLES)] == list(STYLES)
    assert commanders(roles("toy-red"), ("toy-red",))[0].style == "toy-red"


@pytest.mark.parametrize("style", ["", "Red", "a b", "x{color:red}", '"><script>'])
def test_a_style_is_a_plain_name(style: str) -> None:
    with pytest.raises(BadScenario):
        commanders(roles(style), (style,))


@pytest.mark.parametrize("look", [{"style": "red", "light": "red"}, {"style": "red", "dark": "#12345"}])
def test_a_colour_is_written_out(look: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(look, Look)
