from __future__ import annotations

import pytest

from pbem.desk.sheets import check
from pbem.kernel.errors import Refused, UnknownRole
from tests.kit.table import Table

FILE = b"""\
# my orders
game ford
role smuggler
turn 1A

move s1 to 3
wait on
mvoe s2 to 4
move s2 to 99
wait maybe
"""


def test_a_file_is_judged_as_its_receipt_would_and_by_its_own_line_numbers(ford: Table) -> None:
    checked = check.in_campaign(ford.office, "ford", None, FILE)
    said = {one.number: one.word for one in checked.lines}

    assert said == {
        6: "accepted",
        7: "office word",
        8: "not understood",
        9: "not allowed",
        10: "not understood",
    }
    assert checked.refused == 3
    received = ford.submit("smuggler", FILE.decode())
    assert received.receipt is not None
    of_receipt = [(one.text, one.word, one.why) for one in received.receipt.lines if one.word != "office word"]
    assert [(one.text, one.word, one.why) for one in checked.lines if one.number != 7] == of_receipt


def test_nothing_is_entered(ford: Table) -> None:
    before = ford.dossier.seq
    check.in_campaign(ford.office, "ford", "smuggler", FILE)

    assert ford.dossier.seq == before


def test_for_a_later_turn_only_the_words_are_judged(ford: Table) -> None:
    checked = check.in_campaign(ford.office, "ford", "smuggler", b"turn 2A\nmove s1 to 6\nmvoe s1 to 2")

    assert [one.word for one in checked.lines] == ["accepted", "not understood"]
    assert "Only the words" in checked.says


def test_what_would_be_refused_as_a_whole_is(ford: Table) -> None:
    with pytest.raises(Refused, match="does not say whose"):
        check.in_campaign(ford.office, "ford", None, b"move s1 to 3")
    ford.turn()
    with pytest.raises(Refused, match="1A is over"):
        check.in_campaign(ford.office, "ford", "smuggler", b"turn 1A\nmove s1 to 3")
    with pytest.raises(Refused, match="asks nothing of smuggler"):
        check.in_campaign(ford.office, "ford", "smuggler", b"move s1 to 3")


def test_without_a_campaign_the_words_are_judged_by_the_scenario(ford: Table) -> None:
    checked = check.by_scenario(None, "toy/ford", "smuggler", FILE)

    assert {one.number: one.word for one in checked.lines}[8] == "not understood"
    assert "by the beginning of toy/ford" in checked.says
    with pytest.raises((Refused, UnknownRole), match="no role"):
        check.by_scenario(None, "toy/ford", "miller", FILE)
