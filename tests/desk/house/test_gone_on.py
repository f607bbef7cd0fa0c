"""What two look after at a time: who found that something is due, and stood still while it was done, does nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.desk.books.dossiers import Dossier
from pbem.desk.house import clock
from pbem.desk.office.office import HOUR
from pbem.desk.players.enrol import set_terms
from pbem.desk.turns import adjudicate, asked, next_step, publish
from pbem.kernel.errors import Busy
from pbem.kernel.owed import Pause
from tests.kit.table import START, Table
from tests.kit.watching import look

DEADLINE = START + 72 * HOUR

Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Has something done by another, once, when the next look has found what is due and has not done it yet."""
    waits = list[Callable[[], object]]()

    def found(dossier: Dossier, pause: Pause, at: int) -> next_step.Step:
        step = next_step.next_step(dossier, pause, at)
        if waits:
            waits.pop()()
        return step

    monkeypatch.setattr(clock, "next_step", found)
    return waits.append


def nothing_is_told_of_it(table: Table) -> bool:
    return not [mail.subject for mail in table.mails if "stuck" in mail.subject]


def test_what_is_due_is_run_once_and_what_comes_after_it_not_at_all(ford: Table, meanwhile: Meanwhile) -> None:
    set_terms(ford.office, "ford", {"release": "auto", "delay": 0})
    ford.write("smuggler", "move s1 to 3")
    meanwhile(lambda: look(ford))

    assert look(ford) == []
    assert ford.kinds.count("exchange_released") == 1
    assert str(ford.dossier.exchange().moment) == "1B"
    assert nothing_is_told_of_it(ford)


def test_the_word_of_the_gm_is_for_one_exchange_and_runs_no_other_early(ford: Table, meanwhile: Meanwhile) -> None:
    set_terms(ford.office, "ford", {"release": "auto", "delay": 0})
    ford.write("smuggler", "move s1 to 3\nwait on")
    asked.run(ford.office, "ford", early=True)
    meanwhile(lambda: look(ford))

    assert look(ford) == []
    assert (str(ford.dossier.exchange().moment), ford.dossier.exchange().state) == ("1B", "open")
    assert nothing_is_told_of_it(ford)
    assert look(ford) == [], "1B waits for the guard"


def test_a_release_is_of_what_was_found_resolved(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    found = ford.dossier.exchange()
    publish.release(ford.office, "ford")
    ford.write("guard", "watch g1 4")
    adjudicate.run(ford.office, "ford", early=True)

    with pytest.raises(Busy, match="has gone on from 1A"):
        publish.release(ford.office, "ford", found=found)
    assert ford.dossier.exchange().state == "resolved"


def test_a_player_who_asks_for_time_at_the_last_moment_stops_it_and_no_clock(ford: Table, meanwhile: Meanwhile) -> None:
    set_terms(ford.office, "ford", {"delay": 0})
    ford.write("smuggler", "move s1 to 3")
    meanwhile(lambda: ford.write("smuggler", "move s1 to 3\nwait on"))

    assert look(ford) == []
    assert nothing_is_told_of_it(ford)
    assert look(ford) == []
    ford.clock.at = DEADLINE + 1
    assert look(ford) == ["ford: 1A is resolved: 2 facts", "ford: 1A waits for its release"]


def test_nobody_is_reminded_of_what_is_done_by_now(ford: Table, meanwhile: Meanwhile) -> None:
    ford.clock.at = DEADLINE - HOUR
    meanwhile(lambda: ford.write("smuggler", "move s1 to 3"))

    assert look(ford) == []
    assert not [mail for mail in ford.mails if mail.cause.startswith("reminder/")]
