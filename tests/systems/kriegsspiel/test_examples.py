"""The examples that a player is given name what is his, and places of his map."""

from __future__ import annotations

import pytest

from pbem.orders.sheet import Judgement
from pbem.systems.kriegsspiel.sheets.examples import own_forms
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES
from tests.systems.kriegsspiel.minds import RUN, SETUP, mind_of, opening, reading

OF_A_BLOCK = {"text", "end", "rejoin"}
"""What is an order only below another."""


@pytest.mark.parametrize(("role", "scenario"), [("ried", "weldau"), ("stahr", "weldau"), ("kessel", "muehlrode")])
def test_every_example_is_an_order_of_the_role_itself(role: str, scenario: str) -> None:
    mind = mind_of(role, scenario)
    forms = own_forms(opening(scenario)[0], mind, mind.role)

    assert list(forms) == list(EXAMPLES)
    for verb, example in forms.items():
        said = reading(example, mind, scenario, (*RUN, *SETUP)).complaints
        refused = [one.why for one in said if one.judgement is Judgement.NOT_UNDERSTOOD]
        assert verb in OF_A_BLOCK or not refused, example


def test_no_example_names_what_another_scenario_has() -> None:
    mind = mind_of("ried", "weldau")
    said = " ".join(own_forms(opening("weldau")[0], mind, mind.role).values())

    assert not [name for name in ("Muehlrode", "Kreuzweg", "3/I", "Kessel", "advance_guard", "neuwerk") if name in said]


def test_what_a_complaint_gives_for_an_example_is_the_readers_own() -> None:
    (where, what) = reading(
        "to U12/1: march to Ahlheim at\nto U12/1: march to\n", mind_of("ried", "weldau"), "weldau", RUN
    ).complaints

    assert what.why.startswith("the order breaks off here; expected here, a place of the map, like Hirschfeld")
    assert where.example.startswith("to 14/F: march to ")
