"""What becomes of a sheet to which lines are added: refused lines go, mended ones take their places."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.desk.sheets.adding import joined
from pbem.desk.sheets.sheets import Judged, judge
from pbem.kernel.owed import Call
from pbem.systems.kriegsspiel import SYSTEM
from tests.systems.kriegsspiel.minds import mind_of, opening

REHDEN = mind_of("rehden")


def read(text: str) -> Judged:
    scene, _ = opening("muehlrode")
    call = Call(role=REHDEN.role, sorts=("setup", "orders"))
    return judge(SYSTEM, scene, REHDEN, REHDEN.role, text, call)


add = partial(joined, judge=read, opens=SYSTEM.opens)

CHAIN = "to 1/F: {} to Kreuzweg by heerstrasse\nto 1/F: then march to Dornach\nto J1: halt"


def test_a_mended_head_stands_before_its_tail_again() -> None:
    mended = add(CHAIN.format("mrach"), "to 1/F: march to Kreuzweg by heerstrasse")

    assert mended == CHAIN.format("march")
    assert read(mended).complaints == ()


def test_a_line_mended_in_a_block_stands_in_the_block() -> None:
    mended = add("dispatch 1/F\nmrach to Kreuzweg\nthen halt\nend", "march to Kreuzweg")

    assert mended == "dispatch 1/F\nmarch to Kreuzweg\nthen halt\nend"


def test_a_block_with_a_bad_head_goes_whole() -> None:
    new = "dispatch 1/F\nmarch to Kreuzweg\nend"

    assert add("dispatch 1/G\nmarch to Kreuzweg\nend\nto J1: halt", new) == f"to J1: halt\n{new}"


def test_the_newest_word_is_not_put_before_an_older_one_that_overtakes_it() -> None:
    sheet = "ride to Kreuzweg by hereweg\nride to Dornach"

    assert add(sheet, "ride to Kreuzweg") == "ride to Dornach\nride to Kreuzweg"


@pytest.mark.parametrize("sheet", ["to 1/F: halt", "to 1/F: halt\n# a comment"])
def test_where_nothing_was_refused_lines_come_behind(sheet: str) -> None:
    assert add(sheet, "to J1: halt") == f"{sheet}\nto J1: halt"


def test_of_very_many_lines_none_is_taken_for_a_mended_one() -> None:
    refused = [f"to 1/F: mrach to {x},100" for x in range(60)]
    new = [f"to 1/F: march to {x},100" for x in range(60)]

    assert add("\n".join([*refused, "to J1: halt"]), "\n".join(new)) == "\n".join(["to J1: halt", *new])
