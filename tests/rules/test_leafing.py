"""To leaf through a reel: moments by their addresses, beats by what they are about."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import Moment, Role, RuleId
from pbem.rules.leafing import Wanted, address, at, chosen, span
from pbem.rules.reel import TRUTH, Beat, Reel, Seen
from pbem.rules.view import Told

FRENCH, RIFLES = Role("french"), RuleId("SP-RIF-01")


def beat(
    turn: int,
    exchange: int,
    number: int,
    phase: str,
    text: str,
    *,
    run: int = 1,
    annulled: bool = False,
    **seen: object,
) -> Beat:
    moment = Moment(turn, exchange)
    told = (Told(moment=moment, phase=phase, text=text),)
    made = Seen(told=told, **seen)  # type: ignore[arg-type]  # each as it is named
    return Beat(moment=moment, number=number, phase=phase, run=run, annulled=annulled, seen={TRUTH: made})


DONE = Told(moment=Moment(3, 2), phase="Melee", text="Done.", line=4, result="done")
BEATS = (
    beat(3, 1, 1, "Movement", "f7 went to H-8.", units=("f7",), places=("H-9", "H-8"), kinds=("unit_moved",)),
    beat(3, 2, 1, "Rifle fire, both sides at once", "f7 fired.", units=("f7", "f8"), annulled=True),
    beat(
        3, 2, 1, "Rifle fire, both sides at once", "f7 fired again.", run=2, units=("f7",), rules=(RuleId("SP-RIF-01"),)
    ),
    beat(3, 2, 2, "Melee", "The Prussians charged H-8.", run=2, places=("H-8",), lines={FRENCH: (DONE,)}),
    beat(3, 2, 3, "Melee", "And again.", run=2, places=("I-8",)),
    beat(4, 1, 1, "Movement", "f8 went off.", units=("f8",)),
)
REEL = Reel(
    campaign="c", title="", system="st-privat", game="", rules="1", sides=(), eyes=(TRUTH,), called={}, beats=BEATS
)


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("3", ["f7 went to H-8.", "f7 fired again.", "The Prussians charged H-8.", "And again."]),
        ("3b", ["f7 fired again.", "The Prussians charged H-8.", "And again."]),
        ("3B#1", ["f7 fired."]),
        ("3B#2/rifle", ["f7 fired again."]),
        ("3B/melee", ["The Prussians charged H-8.", "And again."]),
        ("3B/melee.2", ["And again."]),
        ("3B.2", ["The Prussians charged H-8."]),
        ("3/fire", ["f7 fired again."]),
        ("4A.1", ["f8 went off."]),
        ("5", []),
        ("3B/melee.9", []),
    ],
)
def test_a_moment_is_found_by_its_address(text: str, texts: list[str]) -> None:
    assert [one.seen[TRUTH].told[0].text for one in at(REEL, address(text))] == texts


def test_the_set_up_has_an_address_as_well() -> None:
    assert (address("S0").first, address("S2").last) == (Moment(0, 0), Moment(0, 2))


@pytest.mark.parametrize("text", ["", "melee", "3B.", "3B/", "three", "3.4", "3B#", "99999", "3B.4.5", "3B;drop"])
def test_what_names_no_moment_is_refused(text: str) -> None:
    with pytest.raises(PbemError):
        address(text)


def test_a_count_without_its_exchange_is_refused_with_what_may_be_meant() -> None:
    with pytest.raises(Refused, match=r"in which exchange: 3A\.4\?"):
        address("3.4")


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Wanted(), [0, 2, 3, 4, 5]),
        (Wanted(annulled=True), [0, 1, 2, 3, 4, 5]),
        (Wanted(moments=(Moment(4, 0), Moment(9, 26))), [5]),
        (Wanted(moments=(Moment(3, 2), Moment(3, 2))), [2, 3, 4]),
        (Wanted(run=1, phase="rifle"), [1]),
        (Wanted(unit="F7"), [0, 2]),
        (Wanted(unit="f7", place="h-8"), [0]),
        (Wanted(phase="melee", place="H-8"), [3]),
        (Wanted(kind="unit_moved"), [0]),
        (Wanted(rule="sp-rif-01"), [2]),
        (Wanted(words="CHARGED"), [3]),
        (Wanted(words="done"), [3]),
        (Wanted(orders=True), [3]),
        (Wanted(unit="f99"), []),
    ],
)
def test_what_is_asked_of_beats_must_all_hold(wanted: Wanted, numbers: list[int]) -> None:
    assert [BEATS.index(one) for one in chosen(REEL, wanted)] == numbers


@pytest.mark.parametrize("text", ["3.2", "3B/melee", "5-3", "-", "3-"])
def test_what_is_no_stretch_of_a_game_is_refused(text: str) -> None:
    with pytest.raises(PbemError):
        span(text)
