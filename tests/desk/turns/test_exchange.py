from __future__ import annotations

import pytest

from pbem.desk.office.office import HOUR
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul, extend, turn
from pbem.kernel.dice import promise
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, ReportIssued
from tests.kit.table import START, Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def states(table: Table) -> dict[str, str]:
    return {one.role: one.state for one in turn(table.office, "ford").roles}


def test_it_is_said_who_owes_what(ford: Table) -> None:
    assert states(ford) == {"smuggler": "owes orders", "guard": "free to send"}
    assert not turn(ford.office, "ford").complete
    ford.write("smuggler", "move s1 to 3\nmove s2 to 99")
    found = turn(ford.office, "ford")

    assert states(ford)["smuggler"] == "received"
    assert found.complete
    standing = next(one for one in found.roles if one.role == SMUGGLER)
    assert (standing.receipt, standing.lines, standing.refused, standing.owed) == (1, 2, 1, ("movement",))


def test_a_sheet_of_which_nothing_was_taken_is_no_sheet(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 99")

    assert states(ford)["smuggler"] == "refused"
    assert not turn(ford.office, "ford").complete


def test_a_campaign_that_has_not_started_has_no_turn(table: Table) -> None:
    table.open()
    with pytest.raises(Refused, match="has not come to 9A"):
        table.dossier.exchange(Moment(9, 1))


def test_more_time_is_told_to_everybody(ford: Table) -> None:
    moved = extend(ford.office, "ford", START + 96 * HOUR, "The smuggler travels.")

    assert moved.deadline == START + 96 * HOUR
    for role in ("smuggler", "guard"):
        assert "The smuggler travels." in ford.words_to(role)
        assert "Tuesday 24 November 2026, 22:00 UTC" in ford.words_to(role)


def test_a_deadline_is_not_moved_into_the_past(ford: Table) -> None:
    with pytest.raises(Refused, match="into the past"):
        extend(ford.office, "ford", START - HOUR, "No reason.")


def test_what_is_too_late_is_in_time_after_more_time_was_given(ford: Table) -> None:
    ford.clock.forward(73)
    assert ford.write("smuggler", "move s1 to 3").state == "refused"
    extend(ford.office, "ford", START + 96 * HOUR, "More time.")
    assert ford.write("smuggler", "move s1 to 3").state == "applied"


def test_nothing_resolved_nothing_annulled(ford: Table) -> None:
    with pytest.raises(Refused, match="nothing of ford has been resolved"):
        annul(ford.office, "ford", None, "A mistake.")


def test_what_was_staged_after_its_hour_is_annulled_in_silence_and_comes_again_the_same(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(73)
    first = adjudicate.run(ford.office, "ford").facts
    mails = len(ford.mails)
    now = annul(ford.office, "ford", None, "A ruling was forgotten.")

    assert (now.moment, now.state, len(ford.mails)) == (Moment(1, 1), "open", mails)
    assert adjudicate.run(ford.office, "ford", early=True).facts == first


def test_what_was_released_is_annulled_and_everybody_told(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    horizon = ford.dossier.campaign.horizon(GUARD)
    now = annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.")

    assert (now.moment, now.state) == (Moment(1, 1), "open")
    assert ford.dossier.campaign.horizon(GUARD) < horizon
    for role in ("smuggler", "guard"):
        assert "A cart was misplaced." in ford.words_to(role)
        assert "the same dice" in ford.words_to(role)


def test_the_report_that_follows_is_a_corrected_one(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.")
    ford.turn()

    issued = [one.event for one in ford.dossier.log if isinstance(one.event, ReportIssued) and one.event.role == GUARD]
    assert [(one.moment, one.version) for one in issued] == [(Moment(0, 0), 1), (Moment(1, 1), 1), (Moment(1, 1), 2)]
    assert "corrected (version 2)" in ford.last_to("guard")
    assert "A cart was misplaced." in ford.words_to("guard")


def test_orders_open_again_have_new_seeds_if_the_old_were_revealed(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    promises = ford.dossier.exchange().promises
    ford.turn()
    ford.clock.forward(80)
    now = annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)

    assert now.promises != promises
    assert now.deadline == START + 153 * HOUR
    assert ford.write("smuggler", "move s2 to 4").state == "applied"
    ford.turn()
    revealed = ford.dossier.exchange(Moment(1, 1)).open_seed
    assert promise(bytes.fromhex(revealed)) == now.promises.open


def test_orders_open_again_have_new_seeds_though_nobody_knows_the_old_and_everybody_has_the_promise(
    ford: Table,
) -> None:
    ford.write("smuggler", "move s1 to 3")
    promises = ford.dossier.exchange().promises
    adjudicate.run(ford.office, "ford", early=True)
    now = annul(ford.office, "ford", None, "Too early.", reopen=True)

    assert now.promises.open != promises.open
    assert now.promises.closed != promises.closed
    for role in ("smuggler", "guard"):
        assert f"open {now.promises.open} closed {now.promises.closed}" in ford.words_to(role)


def test_a_sheet_for_a_turn_that_was_annulled_stands_and_is_read_again(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.")
    ford.turn()

    again = ford.dossier.log[-1].event
    assert isinstance(again, OrdersAccepted)
    assert (again.role, again.moment, again.text) == (GUARD, Moment(1, 2), "fire g1 at 3")


def test_what_comes_after_the_annulled_is_void_too(ford: Table) -> None:
    ford.turn()
    ford.write("guard", "watch g1 3")
    ford.turn()
    annul(ford.office, "ford", Moment(1, 1), "All of it was wrong.")

    assert ford.dossier.campaign.now == Moment(1, 1)
    assert [one for one in ford.dossier.facts() if one.moment != Moment(0, 0)] == []
    publish_again = adjudicate.run(ford.office, "ford", early=True)
    assert publish_again.moment == Moment(1, 1)
    assert publish.release(ford.office, "ford").next == Moment(1, 2)
