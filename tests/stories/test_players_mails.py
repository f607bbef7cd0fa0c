"""What players were told wrongly: hours within a run, lines of a letter of before, letters that came twice."""

from __future__ import annotations

import pytest

from pbem.desk.intake.receive import receive
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.turns import exchange
from pbem.kernel.errors import Refused
from tests.desk.turns.test_halts import begin
from tests.kit.table import START, Table


def test_who_is_away_is_told_what_is_not_moved(table: Table) -> None:
    begin(table)
    table.write("guard", "vacation 22 nov to 25 nov")

    told = table.words_to("guard")
    assert "What you may be asked while a turn is being played is not moved: there it is as if you were silent." in told


def test_where_nobody_is_asked_within_a_run_absence_says_nothing_of_it(ford: Table) -> None:
    ford.write("smuggler", "vacation 22 nov to 25 nov")

    assert "while a turn is being played" not in ford.words_to("smuggler")


def test_a_new_deadline_brings_new_hours_of_the_run_and_they_are_told(table: Table) -> None:
    begin(table)
    exchange.extend(table.office, "ford", START + 96 * HOUR, "A player asked for it.")
    told = table.words_to("guard")

    assert "Interim pages 1 Wed 25 Nov 2026, 04:00 UTC" in told
    assert "Answers due 1 Wed 25 Nov 2026, 22:00 UTC" in told
    assert "All reports Thu 26 Nov 2026, 04:00 UTC" in told


def test_of_an_addition_that_comes_too_late_only_its_own_lines_are_shown(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(80)
    ford.write("smuggler", "add\nmove s2 to 4")

    told = ford.words_to("smuggler").partition("no orders taken")[2] or ford.words_to("smuggler")
    assert "move s2 to 4" in told
    assert "move s1 to 3" not in told


@pytest.mark.parametrize("line", ["report: all well", "report all well", "Report, please come soon"])
def test_who_reports_asks_for_no_report(ford: Table, line: str) -> None:
    ford.write("smuggler", f"move s1 to 3\n{line}")

    assert "done by the office" not in ford.words_to("smuggler")
    assert not [mail for mail in ford.mails if mail.cause.startswith("again/")]


def test_a_letter_that_comes_twice_is_said_to_have_been_there(ford: Table) -> None:
    letter = ford.letter("smuggler", "move s1 to 3")
    first, then = (receive(ford.office, letter, way="file", origin="one.eml") for _ in range(2))

    assert (first.letter, first.state, first.again) == (1, "applied", False)
    assert (then.letter, then.state, then.again) == (1, "applied", True)


def test_a_player_has_an_address_that_mail_finds(table: Table) -> None:
    with pytest.raises(Refused, match="no dot"):
        enrol.checked_address(table.office, "quast@player")
