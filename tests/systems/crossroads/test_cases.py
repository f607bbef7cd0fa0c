"""Every conformance case of the crossroads holds, and together they prove every rule of the ledger."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import Refused
from pbem.suite.cases import Cases, cases_of, scene_of
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.world.options import Options


class TestCases(Cases):
    system = "crossroads"


def test_an_option_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refused, match="an option is wrong"):
        SYSTEM.blank(scene_of("crossroads/open-board"), {"level_four": True})
    with pytest.raises(Refused, match="max_rounds can be from 1 to 50"):
        SYSTEM.blank(scene_of("crossroads/open-board"), {"max_rounds": 0})


def test_every_option_is_tried_by_a_case() -> None:
    tried = {name for case in cases_of("crossroads").values() for name in case.options}
    fixed = {"level_rule", "deck_control"}  # each has one value

    assert sorted(set(Options.__struct_fields__) - tried - fixed) == []
