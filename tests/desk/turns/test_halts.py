"""A private halt: who is called is asked by letter at hours that are fixed, and nobody else can tell."""

from __future__ import annotations

import pytest

from pbem.desk.gm import history, ruling
from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul, extend, turn
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeResolved, HaltAsked, HaltPassed, OrdersAccepted, OrdersKept
from pbem.storage import heartbeat
from tests.kit.table import START, Table
from tests.kit.watching import MINUTE, look, stay

DUE = START + 72 * HOUR
FIRST, ANSWERS, REPORTS = DUE + 6 * HOUR, DUE + 24 * HOUR, DUE + 30 * HOUR
URGENT = FIRST - 15 * MINUTE
GUARD, SMUGGLER = Role("guard"), Role("smuggler")


def begin(table: Table, alarm: str = "step", *, watch: int = 3, **terms: object) -> Table:
    """Begin a game in which g1 watches a place, and the carts go to 3 and then to 4."""
    table.open(options={"alarm": alarm}, release="auto", **terms)
    table.write("guard", f"watch g1 {watch}")
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    return table


def through(table: Table, *hours: int) -> None:
    """Let the time pass, looking at the clock around each of *hours* and at no other."""
    for hour in hours:
        table.clock.at = max(table.clock.at, hour - 15 * MINUTE)
        with table.office.write() as connection:
            heartbeat.look(connection, table.clock.at, away_after=10_000 * HOUR)
        stay(table, hour)
        stay(table, hour + MINUTE)


def asked(table: Table) -> list[tuple[str, int]]:
    """The halts at which somebody was asked, and until when."""
    events = [one.event for one in table.dossier.log]
    return [(str(event.moment), event.until) for event in events if isinstance(event, HaltAsked)]


def sent(table: Table, role: Role, kind: str = "report") -> list[tuple[int, str]]:
    """The hour and the subject of each report to a role."""
    player = table.dossier.campaign.players[role]
    return [(mail.created_at, mail.subject) for mail in table.mails if (mail.player, mail.kind) == (player, kind)]


def test_all_hours_are_fixed_and_told_when_the_exchange_opens(table: Table) -> None:
    begin(table)
    [one, two] = table.dossier.exchange().steps

    assert (one.interim, one.until, two.interim, two.until) == (FIRST, ANSWERS, REPORTS, REPORTS)
    player = table.dossier.campaign.players[GUARD]
    briefing = next(mail for mail in table.mails if mail.player == player)
    assert "Interim pages 1" in table.text_of(briefing)


def test_who_is_called_gets_his_page_at_its_hour_and_play_goes_on_at_the_hour_of_his_answer(table: Table) -> None:
    begin(table)
    assert stay(table, DUE) == []
    assert stay(table, DUE + MINUTE)[-1] == "ford: 1A is played to 1.1: guard will be asked"
    assert sent(table, GUARD) == []
    stay(table, FIRST)
    [(hour, subject)] = sent(table, GUARD)
    assert (hour, subject.split(".")[1]) == (FIRST, "1 interim report, guard")
    assert asked(table) == [("1.1", ANSWERS)]
    text = table.words_to("guard")
    assert "g1 hears s1 at 3" in text
    assert "turn 1 halt 1" in text
    assert "s2 went" not in text
    assert sent(table, SMUGGLER) == []

    table.write("guard", "turn 1 halt 1\nwatch g1 4")
    assert "1.1, the alarm" in table.last_to("guard").lower()
    stay(table, ANSWERS)
    assert table.dossier.exchange().state == "halted"
    stay(table, ANSWERS + MINUTE)
    assert table.dossier.exchange().state == "resolved"
    stay(table, REPORTS)
    assert [hour for hour, _ in sent(table, SMUGGLER)] == [REPORTS]
    assert [hour for hour, _ in sent(table, GUARD)] == [FIRST, REPORTS]
    assert table.dossier.exchange().moment == Moment(1, 2)
    assert "g1 watches 4" in table.words_to("guard")
    assert verify(table.office, "ford").first is None


def test_silence_is_standing_orders(table: Table) -> None:
    begin(table)
    through(table, DUE, FIRST, ANSWERS, REPORTS)

    assert table.dossier.exchange().moment == Moment(1, 2)
    assert "g1 watches 3" in table.words_to("guard")


def test_an_urgent_halt_is_asked_at_once_and_goes_on_when_it_is_answered(table: Table) -> None:
    begin(table, "urgent")
    stay(table, DUE + MINUTE)
    assert asked(table) == [("1.1", URGENT)]
    table.write("guard", "watch g1 4")
    stay(table, table.clock.at + 15 * MINUTE)
    assert asked(table) == [("1.1", URGENT)], "there is time for second thoughts"
    stay(table, table.clock.at + 20 * MINUTE)
    assert asked(table) == [("1.1", URGENT), ("1.2", URGENT + 24 * HOUR)]
    through(table, FIRST, ANSWERS, REPORTS)
    assert sent(table, SMUGGLER)[0][0] == REPORTS
    assert verify(table.office, "ford").first is None


@pytest.mark.parametrize("mended", ["ready", "watch g1 4"])
def test_an_urgent_halt_does_not_go_on_early_while_lines_of_its_answer_are_refused(table: Table, mended: str) -> None:
    begin(table, "urgent")
    stay(table, DUE + MINUTE)
    table.write("guard", "watch g1 4\nwatch g9 4")
    assert "Play goes on at Tue 24 Nov 2026, 03:45 UTC, and not before" in table.words_to("guard")
    stay(table, table.clock.at + 60 * MINUTE)
    assert asked(table) == [("1.1", URGENT)]
    table.write("guard", mended)
    assert "Play may go on from Mon 23 Nov 2026, 23:31 UTC" in table.words_to("guard")
    stay(table, table.clock.at + 35 * MINUTE)
    assert len(asked(table)) == 2


def test_an_urgent_halt_does_not_go_on_early_while_who_is_asked_has_his_wait_on(table: Table) -> None:
    begin(table, "urgent")
    stay(table, DUE + MINUTE)
    table.write("guard", "wait on\nwatch g1 4")
    assert "Play goes on at Tue 24 Nov 2026, 03:45 UTC, and not before" in table.words_to("guard")
    stay(table, table.clock.at + 60 * MINUTE)
    assert asked(table) == [("1.1", URGENT)]
    table.write("guard", "status")
    assert "your wait: on" in table.words_to("guard")
    table.write("guard", "wait off")
    assert "Your wait for 1.1 is off" in table.words_to("guard")
    stay(table, table.clock.at + 35 * MINUTE)
    assert len(asked(table)) == 2


def test_nobody_is_asked_when_too_little_time_is_left_and_his_page_says_so(table: Table) -> None:
    begin(table, "urgent", urgent=1)
    stay(table, DUE + 90 * MINUTE)

    assert asked(table) == []
    passed = [one.event.moment for one in table.dossier.log if isinstance(one.event, HaltPassed)]
    assert passed == [Moment(1, 1, 1)]
    through(table, *(hour for step in table.dossier.exchange().steps for hour in (step.interim, step.until)))
    assert "There was no time to ask you" in table.words_to("guard")
    assert verify(table.office, "ford").first is None


def test_he_is_asked_where_the_game_wants_no_hours_to_be_left(table: Table) -> None:
    table.open(options={"alarm": "urgent", "urgent_min": 0}, release="auto", urgent=1)
    table.write("guard", "watch g1 3")
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    stay(table, DUE + 30 * MINUTE)

    assert [moment for moment, _ in asked(table)] == ["1.1"]


def test_what_comes_during_a_run_waits_for_the_next_call_be_it_a_halt_or_an_exchange(table: Table) -> None:
    begin(table)
    stay(table, DUE + MINUTE)
    table.write("guard", "watch g2 5")
    table.write("smuggler", "move s1 to 5")
    receipts = {role: table.words_to(role) for role in ("guard", "smuggler")}
    for said in receipts.values():
        assert "wait for your next call" in said
        assert "its reports leave Wed 25 Nov 2026, 04:00" in said
    stay(table, FIRST)
    accepted = [one.event for one in table.dossier.log if isinstance(one.event, OrdersAccepted)]
    assert [(one.role, str(one.moment), one.text) for one in accepted[2:]] == [("guard", "1.1", "watch g2 5")]
    through(table, ANSWERS, REPORTS)
    kept = table.dossier.campaign.sheets[Moment(1, 2), SMUGGLER]
    assert kept.text == "move s1 to 5"
    assert verify(table.office, "ford").first is None


def test_a_sheet_for_the_closed_turn_or_for_a_halt_that_nobody_called_is_refused(table: Table) -> None:
    begin(table)
    stay(table, DUE + MINUTE)
    for head in ("turn 1A", "turn 1"):
        table.write("smuggler", f"{head}\nmove s1 to 2")
        assert "1A is closed" in table.text_of([mail for mail in table.mails if "no orders" in mail.subject][-1])
    table.write("smuggler", "turn 1 halt 1\nmove s1 to 2")

    refused = [mail for mail in table.mails if "no orders" in mail.subject]
    assert "nothing is asked of you for 1.1" in table.text_of(refused[-1]).casefold()
    assert not any(isinstance(one.event, OrdersKept) for one in table.dossier.log)


def test_a_late_answer_waits_for_the_next_call(table: Table) -> None:
    begin(table)
    stay(table, ANSWERS)
    table.clock.at += SECOND
    assert str(table.write("guard", "watch g1 5").moment) == "1+"


def test_status_tells_of_a_halt_to_him_alone_who_is_asked(table: Table) -> None:
    begin(table)
    stay(table, FIRST)
    table.write("guard", "status")
    assert "you are asked at 1.1" in table.words_to("guard")
    table.write("smuggler", "status")
    said = table.words_to("smuggler")
    assert "1.1" not in said
    assert "its reports leave" in said
    assert "nothing is asked of you" in said


def test_his_history_holds_it_and_that_of_others_does_not(table: Table) -> None:
    begin(table)
    stay(table, FIRST)
    kinds = {role: {one.kind for one in history.entries(table.office, "ford", role=role)} for role in (GUARD, SMUGGLER)}

    assert "halt_asked" in kinds[GUARD]
    assert not {kind for kind in kinds[SMUGGLER] if kind.startswith("halt") or kind == "report_issued"} - {
        "report_issued"
    }


def test_the_gm_steps_through_by_hand_and_sees_whom_play_waits_for(table: Table) -> None:
    table.open(options={"alarm": "step"})
    table.write("guard", "watch g1 3")
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    with pytest.raises(Refused, match="its hours are fixed"):
        adjudicate.run(table.office, "ford")
    ran = adjudicate.run(table.office, "ford", early=True)
    assert ran.halt
    assert (str(ran.halt.moment), ran.halt.roles, ran.halt.asked > 0) == ("1.1", (GUARD,), True)
    shown = turn(table.office, "ford")
    assert shown.halt == ran.halt
    assert {one.role: one.state for one in shown.roles} == {"guard": "owes orders", "smuggler": "nothing asked"}
    with pytest.raises(Refused, match=r"guard may answer 1\.1 until"):
        adjudicate.run(table.office, "ford")
    with pytest.raises(Refused, match="not resolved"):
        publish.release(table.office, "ford")
    with pytest.raises(Refused, match="fixed"):
        extend(table.office, "ford", DUE + 90 * HOUR, "No.")
    table.write("guard", "watch g1 4")
    assert adjudicate.run(table.office, "ford", early=True).halt is None
    with pytest.raises(Refused, match="whoever was asked"):
        publish.release(table.office, "ford")
    publish.release(table.office, "ford", early=True)
    assert "g1 watches 4" in table.words_to("guard")
    assert verify(table.office, "ford").first is None


def test_a_run_that_stands_at_a_halt_can_be_annulled_and_opened_and_comes_to_it_again(table: Table) -> None:
    begin(table)
    stay(table, FIRST)
    annul(table.office, "ford", None, "A cart was misplaced.", reopen=True)

    assert table.dossier.exchange().state == "open"
    assert "1A is annulled" in table.words_to("guard")
    assert "What report 1A told" in table.words_to("guard")
    stay(table, table.dossier.exchange().steps[0].interim)
    halt = table.dossier.exchange().halt
    assert halt is not None
    assert (str(halt.moment), halt.asked > 0, halt.until > table.clock.at) == ("1.1", True, True)
    assert verify(table.office, "ford").first is None


def test_whoever_has_read_on_after_a_halt_is_not_asked_there_again_with_the_same_dice(table: Table) -> None:
    begin(table)
    through(table, FIRST)
    table.write("guard", "turn 1 halt 1\nwatch g1 4")
    through(table, ANSWERS, REPORTS)
    assert table.dossier.exchange().moment == Moment(1, 2)
    annul(table.office, "ford", Moment(1), "A cart was misplaced.")
    turn(table.office, "ford")

    assert "takes no others" in table.words_to("guard")
    table.write("guard", "turn 1 halt 1\nwatch g1 3")
    table.write("guard", "watch g1 3")
    table.write("guard", "withdraw")
    mails = len([mail for mail in table.mails if mail.kind == "report"])
    ran = adjudicate.run(table.office, "ford")
    assert (ran.halt, ran.released is not None) == (None, True)
    [first, again] = [one.event for one in table.dossier.log if isinstance(one.event, HaltAsked)]
    assert (first.again, again.again, again.views) == (False, True, first.views)
    assert table.dossier.campaign.sheets[Moment(1, 1, 1), GUARD].text == "watch g1 4"
    assert len([mail for mail in table.mails if mail.kind == "report"]) == mails + 2
    states = [one.event.state for one in table.dossier.log if isinstance(one.event, ExchangeResolved)]
    assert states[0] == states[1]
    assert verify(table.office, "ford").first is None


def test_at_a_halt_to_which_only_the_run_with_known_dice_comes_nobody_is_asked(table: Table) -> None:
    begin(table)
    ruling.rule(table.office, "ford", ["set s2 square 3"], "It stands in the way.", make=True)
    through(table, FIRST, ANSWERS, REPORTS)
    annul(table.office, "ford", Moment(1), "A patrol was misplaced.")
    ruling.rule(table.office, "ford", ["set s2 square 2"], "It did not.", make=True)
    ran = adjudicate.run(table.office, "ford")

    assert ran.halt is None
    assert [kind for kind in table.kinds if kind.startswith("halt_")] == ["halt_reached", "halt_passed"]
    assert verify(table.office, "ford").first is None


@pytest.mark.parametrize("watch", [3, 6])
def test_hours_that_the_office_missed_come_later_for_all_be_somebody_asked_or_not(table: Table, watch: int) -> None:
    begin(table, watch=watch)
    stay(table, DUE + MINUTE)
    table.clock.at = FIRST + 5 * HOUR
    look(table)

    assert table.dossier.exchange().reports == REPORTS + 5 * HOUR
    for role in ("guard", "smuggler"):
        assert "are later" in table.words_to(role)


@pytest.mark.parametrize("watch", [3, 6])
def test_a_run_that_begins_late_has_all_its_hours_later(table: Table, watch: int) -> None:
    begin(table, watch=watch)
    table.write("smuggler", "withdraw")
    stay(table, DUE + MINUTE)
    table.clock.at = DUE + 40 * HOUR
    look(table)
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    table.clock.at += HOUR
    look(table)

    assert table.dossier.exchange().deadline == DUE + 42 * HOUR
    assert table.dossier.exchange().reports == REPORTS + 42 * HOUR


def test_seeds_are_shown_only_at_the_end_where_the_game_says_so(table: Table) -> None:
    table.open(options={"reveal_seed": "end", "last_turn": 1})
    table.write("smuggler", "move s1 to 2")
    table.turn()
    exchange = table.dossier.campaign.exchanges[Moment(1, 1)]
    assert (exchange.state, exchange.open_seed) == ("released", "")
    assert "Open seed of" not in table.last_to("guard")
    table.write("guard", "fire g1 at 2")
    table.turn()
    ended = table.dossier.campaign.ended
    assert ended
    assert list(ended.open_seeds) == ["1A", "1B"]
    assert ended.open_seeds["1A"] in table.last_to("guard")
    assert verify(table.office, "ford").first is None
