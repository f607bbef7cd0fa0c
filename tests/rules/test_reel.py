"""The reel: pictures as differences, keys that are unique, luck, names of moments."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from msgspec import UNSET

from pbem.ground.picture import Block, Look, Picture, Province, Stack, Troop, unkeyed
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, ThrowName
from pbem.rules.reel import VERSION, Beat, Cast, Change, Reel, after, between, key_of, keyed

F1, F2 = Block("infantry", "first", (50, 50), parts=("f1", "f2")), Block("card", "second", (150, 50), count=3)
BEFORE = Picture(title="Turn 3", whose="as it is", box=(0, 0, 300, 300), blocks=(F1, F2))


def test_a_picture_is_what_its_difference_makes_of_the_one_before() -> None:
    gone = Picture(
        title="Turn 4", whose="as it is", box=(0, 0, 300, 300), blocks=(msgspec.structs.replace(F1, at=(9, 9)),)
    )
    change = between(BEFORE, gone)

    assert change == Change(blocks={"f1": gone.blocks[0]}, gone=("?second@150,50",), title="Turn 4")
    assert after(BEFORE, change) == gone


def test_the_first_is_the_difference_to_none() -> None:
    assert after(None, between(None, BEFORE)) == BEFORE
    assert between(BEFORE, BEFORE) == Change()
    with pytest.raises(ValueError, match="no picture before the first"):
        after(None, Change(title="Turn 4"))


def test_a_province_is_told_when_it_has_another_owner_and_when_it_is_there_no_more() -> None:
    ring = ((0, 0), (9, 0), (9, 9))
    bel, hol = Province("Bel", (ring,), (5, 5), side="third"), Province("Hol", (ring,), (6, 6))
    before = msgspec.structs.replace(BEFORE, provinces=(bel, hol), looks=(Look("first"), Look("red", letter="R")))
    taken = msgspec.structs.replace(before, provinces=(msgspec.structs.replace(bel, side="none"),))
    change = between(before, taken)

    assert change == Change(provinces={"Bel": taken.provinces[0]}, gone=("province Hol",))
    assert after(before, change) == taken
    assert after(None, between(None, before)) == before
    assert (between(None, BEFORE).looks, between(None, BEFORE).provinces) == (UNSET, {})


def test_a_key_that_another_bears_gets_a_number() -> None:
    assert list(keyed([F1, F1, F2, F2])) == ["f1", "f1#2", "?second@150,50", "?second@150,50#2"]
    assert key_of(Stack("first", (1, 2), 4, key="F1")) == "F1"
    assert key_of(Troop("rider", "none", (3, 4))) == "?none@3,4"


def test_a_page_has_no_keys() -> None:
    assert unkeyed(BEFORE).blocks == (msgspec.structs.replace(F1, parts=()), F2)


@pytest.mark.parametrize(("good", "luck"), [("high", Fraction(2)), ("low", Fraction(-2)), ("", Fraction(0))])
def test_luck_is_what_came_less_what_was_to_be_expected(good: str, luck: Fraction) -> None:
    cast = msgspec.structs.replace(Cast(Throw(ThrowName("3B/melee/H-8"), "open", 6, (5, 4))), side="french", good=good)

    assert cast.luck == luck


@pytest.mark.parametrize(("run", "annulled", "name"), [(1, False, "3B.4"), (1, True, "3B#1.4"), (2, False, "3B#2.4")])
def test_a_moment_is_named_by_its_exchange_its_run_and_its_count(run: int, annulled: bool, name: str) -> None:
    assert Beat(moment=Moment(3, 2), number=4, phase="", run=run, annulled=annulled, seen={}).name == name


def test_a_reel_leaves_the_house_as_json_and_comes_back() -> None:
    made = Reel(campaign="c", title="", system="toy", game="", rules="1", sides=(), eyes=("truth",), called={})

    assert msgspec.json.decode(msgspec.json.encode(made), type=Reel) == made
    assert msgspec.json.decode(msgspec.json.encode(made))["v"] == VERSION
