"""To whom a throw of the apparatus was good: by what is printed on the die."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.ground.plane import Point
from pbem.kernel.event import Throw
from pbem.kernel.names import ThrowName
from pbem.rules import registry
from pbem.rules.reel import Cast
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.outcomes import PaperCaptured
from pbem.systems.kriegsspiel.world.outcomes_fire import CanisterTested, FireResolved

PAST = registry.load("kriegsspiel").past


def cast(fact: Fact, purpose: str, die: str, face: int) -> Cast:
    throw = Throw(ThrowName(f"3A/{purpose}/m12/{die}/red:1/F"), "closed", 6, (face,))
    assert PAST is not None
    favour = PAST.favour(None, fact, throw)
    assert favour is not None
    return Cast(throw, (), favour.side, favour.good, favour.worth)


@pytest.mark.parametrize("face", range(1, 7))
def test_fire_is_worth_the_number_that_is_printed_for_who_fires(face: int) -> None:
    numbers = [one.left[1] for one in DICE["I"] if one.left is not None]
    fact = FireResolved(
        firer="red:1/F", target="blue:2/F", weapon="musket", die="I", face=face, band=2, table_number=numbers[face - 1]
    )  # fmt: skip
    found = cast(fact, "gunfire", "I", face)

    assert found.side == "red"
    assert found.luck == numbers[face - 1] - Fraction(sum(numbers), 6)


@pytest.mark.parametrize(("face", "luck"), [(1, 0), (2, Fraction(-3, 5)), (3, Fraction(2, 5))])
def test_black_is_good_for_whom_it_favours_and_a_blank_is_nobody_s(face: int, luck: Fraction) -> None:
    fact = CanisterTested(battery="blue:6F5", target="red:H5/1", die="II", face=face, result="stays")
    found = cast(fact, "canister_test", "II", face)

    assert (found.side, found.luck) == ("blue", luck)


def test_a_rider_who_is_taken_was_unlucky_for_his_side() -> None:
    fact = PaperCaptured(message_id=7, captor="blue:U3/1", at=Point(0, 0))

    assert cast(fact, "messenger", "II", 2).side == "red"
    assert cast(fact, "messenger", "II", 2).luck < 0


@pytest.mark.parametrize("die", DICE)
def test_what_is_to_be_expected_of_a_die_comes_to_nothing(die: str) -> None:
    fact = CanisterTested(battery="blue:6F5", target="red:H5/1", die=die, face=1, result="stays")

    assert sum(cast(fact, "canister_test", die, face).luck for face in range(1, 7)) == 0
