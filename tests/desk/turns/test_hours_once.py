"""The hours of one exchange alone, and `ready` taken back."""

from __future__ import annotations

from pbem.desk.office.office import HOUR
from pbem.desk.proof.verify import verify
from pbem.desk.turns import exchange
from pbem.kernel.names import Role
from pbem.kernel.office import ReadySaid
from tests.kit.table import START, Table
from tests.kit.watching import look, stay

GUARD = Role("guard")


def test_what_is_opened_next_has_its_own_hours_and_what_comes_after_it_those_of_the_terms(ford: Table) -> None:
    exchange.hours_of_next(ford.office, "ford", 240, "Easter")
    assert ford.dossier.exchange().deadline == START + 72 * HOUR
    ford.turn()
    now = ford.dossier.exchange()
    assert 0 <= now.deadline - now.opened_at - 240 * HOUR < HOUR
    ford.turn()
    after = ford.dossier.exchange()
    assert after.deadline - after.opened_at <= 73 * HOUR
    assert ford.dossier.campaign.terms.hours == 72
    assert verify(ford.office, "ford").sound


def test_the_open_exchange_gets_hours_from_its_opening_and_all_are_told(ford: Table) -> None:
    ford.clock.forward(10)
    moved = exchange.hours_of_open(ford.office, "ford", 240, "It is Easter.")
    assert moved.deadline == START + 240 * HOUR
    assert "It is Easter." in ford.words_to("guard")
    assert ford.dossier.campaign.terms.hours == 72


def test_ready_is_taken_back_and_what_was_refused_holds_the_turn_again(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmoove s2 to 4")
    ford.write("smuggler", "ready")
    assert "may be run from" in ford.words_to("smuggler")
    ford.write("smuggler", "ready off")
    assert "Your ready for 1A is taken back" in ford.words_to("smuggler").replace("`", "").replace('"', "")
    assert "is not run before its deadline" in ford.words_to("smuggler")
    assert stay(ford, START + 20 * HOUR) == []
    said = [one.event.on for one in ford.dossier.log if isinstance(one.event, ReadySaid)]
    assert said == [True, False]
    assert verify(ford.office, "ford").sound


def test_ready_is_taken_back_after_the_run_and_before_the_deadline(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmoove s2 to 4")
    ford.write("smuggler", "ready")
    ford.clock.forward(2)
    look(ford)
    assert ford.dossier.exchange().state == "resolved"
    ford.write("smuggler", "ready off")
    assert ford.dossier.exchange().state == "open"


def test_orders_that_all_were_taken_stay_a_word_when_ready_is_taken_back(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    before = ford.dossier.campaign.words
    ford.write("smuggler", "ready off")
    assert ford.dossier.campaign.words == before
