"""Two things about time at once: a word of the GM, a vote, an absence, a pause, a deadline that the office moves."""

from __future__ import annotations

from datetime import date

from pbem.desk.house.clock import tick
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.players import enrol
from pbem.desk.players.changes import replace_player
from pbem.desk.players.enrol import set_terms
from pbem.desk.turns import absences, adjudicate, pausing
from pbem.desk.turns import asked as asked_for
from pbem.desk.turns.exchange import annul, extend
from pbem.desk.ways import arrivals
from pbem.kernel.deadlines import instant
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import QueryAnswered
from pbem.kernel.terms import Terms, changed
from tests.desk.turns.test_halts import begin, through
from tests.desk.turns.test_queries import asked, key
from tests.kit.table import START, Table
from tests.kit.watching import MINUTE, look, stay

__all__ = ["asked"]

DEADLINE = START + 72 * HOUR  # Mon 23 Nov 2026, 22:00 UTC
BACK = instant("2026-11-26T00:00", "UTC")
SMUGGLER, GUARD = Role("smuggler"), Role("guard")
ORDERS = "turn {turn}\nFR-1 none\n"


def test_a_run_that_was_asked_for_before_a_pause_is_not_asked_for_after_it(ford: Table) -> None:
    asked_for.run(ford.office, "ford", early=True)
    pausing.pause(ford.office, "ford", "Ill")
    ford.clock.forward(100)
    pausing.resume(ford.office, "ford")
    assert not [one for one in look(ford) if "resolved" in one]


def test_a_run_that_was_asked_for_is_not_done_before_an_hour_that_was_told_since(ford: Table) -> None:
    asked_for.run(ford.office, "ford", early=True)
    extend(ford.office, "ford", DEADLINE + 48 * HOUR, "He travels.")
    assert not [one for one in look(ford) if "resolved" in one]


def test_what_was_run_at_the_word_of_the_gm_and_annulled_waits_for_his_word(ford: Table) -> None:
    asked_for.run(ford.office, "ford", early=True)
    look(ford)
    annul(ford.office, "ford", None, "A cart was misplaced.")
    assert look(ford) == []
    assert ford.dossier.exchange().state == "open"


def test_what_was_run_at_the_word_of_the_gm_and_is_void_is_not_run_again_before_its_hour(ford: Table) -> None:
    asked_for.run(ford.office, "ford", early=True)
    look(ford)
    assert ford.dossier.exchange().state == "resolved"
    ford.write("smuggler", "move s1 to 3\nwait on")
    assert ford.dossier.exchange().state == "open"
    assert look(ford) == []
    assert ford.dossier.exchange().state == "open"


def test_what_lies_in_the_mailbox_and_changes_orders_in_time_is_fetched_before_they_are_played(ford: Table) -> None:
    set_terms(ford.office, "ford", {"release": "auto"})
    ford.write("smuggler", "move s1 to 3\nwait on")
    stay(ford, DEADLINE - 10 * MINUTE)
    lies = ford.letter("smuggler", "turn 1A\nmove s1 to 2")

    def fetch() -> None:
        arrivals.keep(ford.office, lies, way="imap", origin="1/1", laid=DEADLINE - 5 * MINUTE)
        list(arrivals.sweep(ford.office))

    ford.clock.at = DEADLINE + HOUR  # the office was switched off
    list(tick(ford.office, before_late=fetch))
    fetch()
    sheet = ford.dossier.campaign.sheets[Moment(1, 1), SMUGGLER]
    assert "move s1 to 2" in sheet.text


def test_the_clock_that_went_back_has_seen_what_is_to_come(table: Table) -> None:
    look(table)
    table.clock.at = START + 30 * 24 * HOUR
    look(table)
    table.clock.at = START
    look(table)
    begin(table)
    hours = table.dossier.exchange().steps
    through(table, DEADLINE)
    assert table.dossier.exchange().state == "halted"
    look(table)
    assert table.dossier.exchange().steps == hours


def booked(table: Table) -> None:
    """The smuggler is away on the two days after the deadline, which does not fall into them."""
    assert not absences.book_for(table.office, "ford", "smuggler", date(2026, 11, 24), date(2026, 11, 25)).moved


def test_more_time_for_who_was_silent_never_ends_while_he_is_away_as_was_booked(ford: Table) -> None:
    set_terms(ford.office, "ford", {"nmr": "extend", "extension": 24})
    booked(ford)
    stay(ford, DEADLINE + MINUTE)
    assert ford.dossier.exchange().deadline > BACK


def test_more_time_for_an_office_that_was_away_never_ends_in_an_absence(ford: Table) -> None:
    set_terms(ford.office, "ford", {"nmr": "standing"})
    booked(ford)
    look(ford)
    ford.clock.at = DEADLINE + 5 * HOUR
    assert "has more time" in look(ford)[0]
    assert ford.dossier.exchange().deadline > BACK


def test_more_time_that_was_voted_never_ends_in_an_absence(ford: Table) -> None:
    booked(ford)
    ford.write("guard", "propose extension 24h")
    ford.write("smuggler", "vote yes")
    look(ford)
    assert ford.dossier.exchange().deadline > BACK


def test_a_full_time_for_a_newcomer_never_ends_in_the_absence_of_another(ford: Table) -> None:
    booked(ford)
    ford.clock.forward(24)
    replace_player(ford.office, "ford", "guard", name="Cy", address="cy@player.example", reason="Ill.")
    assert ford.dossier.exchange().deadline > BACK


def test_what_was_played_before_its_hour_can_be_written_anew_for_as_long_after_a_pause(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(2)
    look(ford)
    assert ford.dossier.exchange().state == "resolved"
    pausing.pause(ford.office, "ford", "Ill")
    ford.clock.forward(100)
    pausing.resume(ford.office, "ford")
    ford.clock.forward(1)
    ford.write("smuggler", "move s1 to 2")
    assert ford.dossier.exchange().state == "open"


def test_second_thoughts_are_kept_though_who_is_not_waited_for_is_silent(table: Table) -> None:
    scenario = find_scenario(table.office.folder, "crossroads/golden-bremm")
    table.name = "bremm"
    terms = {"release": "auto", "trust": "address", "grace": 12, "late_after": 1, "nmr": "standing"}
    enrol.new(table.office, "bremm", scenario, changed(Terms(), terms))
    enrol.add_player(table.office, "bremm", "french", name="Ann", address="ann@player.example")
    enrol.add_player(table.office, "bremm", "german", name="Ben", address="ben@player.example")
    enrol.start(table.office, "bremm")
    table.write("ann@player.example", ORDERS.format(turn="1A"))
    stay(table, table.dossier.exchange().deadline + 12 * HOUR + MINUTE)
    assert table.dossier.campaign.cut_short == {Role("german")}

    now = table.dossier.exchange()
    stay(table, now.deadline - 5 * MINUTE)
    table.clock.at = now.deadline + SECOND  # and the next second, before the clock is looked at
    table.write("ann@player.example", ORDERS.format(turn=str(now.moment)))
    assert "the turn may be run from" in table.words_to("french")
    look(table)
    assert table.dossier.exchange().moment == now.moment


def test_a_question_is_answered_as_long_as_the_deadline_that_was_moved(asked: Table) -> None:
    table, name = asked, asked.name
    set_terms(table.office, name, {"release": "auto"})
    query = table.dossier.campaign.queries[key(table)]
    extend(table.office, name, table.dossier.exchange().deadline + 96 * HOUR, "The guard travels.")
    deadline = table.dossier.exchange().deadline
    assert query.until < deadline
    stay(table, query.until + HOUR)
    assert not [one for one in table.dossier.log if isinstance(one.event, QueryAnswered)]


def test_who_wants_no_reminders_is_told_that_he_is_not_waited_for(ford: Table) -> None:
    set_terms(ford.office, "ford", {"release": "auto", "grace": 12, "late_after": 1, "nmr": "hold"})
    ford.write("smuggler", "stop reminders")
    stay(ford, ford.dossier.exchange().deadline + HOUR)
    ford.write("smuggler", "move s1 to 3")
    stay(ford, ford.clock.at + 2 * HOUR)
    assert ford.dossier.campaign.cut_short == {SMUGGLER}
    [told] = [
        m for m in ford.mails if "no more waiting" in m.subject and m.player == ford.dossier.campaign.players[SMUGGLER]
    ]
    assert told.state == "queued"


def test_no_vote_tells_that_a_turn_was_run_of_which_nobody_knows(ford: Table) -> None:
    ford.write("smuggler", "propose extension 24h")
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(1)
    look(ford)
    assert ford.dossier.exchange().state == "resolved"
    assert ford.dossier.campaign.proposals["V1"].closed is None
    assert "not open any more" not in ford.words_to("guard")
    ford.write("smuggler", "move s1 to 2\nwait on")
    ford.write("guard", "vote yes")
    look(ford)
    assert ford.dossier.exchange().deadline == DEADLINE + 24 * HOUR


def test_a_vote_that_stood_still_in_a_pause_has_what_was_left_of_its_time_though_a_turn_was_opened_anew(
    ford: Table,
) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("smuggler", "propose draw")
    until = ford.dossier.campaign.proposals["V1"].until
    ford.clock.forward(1)
    left = until - ford.clock.at
    pausing.pause(ford.office, "ford", "Ill")
    ford.clock.forward(100)
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)
    ford.clock.forward(1)
    pausing.resume(ford.office, "ford")
    assert ford.dossier.campaign.proposals["V1"].until == ford.clock.at + left
    assert not any("V1" in one for one in look(ford))


def test_an_extension_that_is_voted_in_a_pause_is_of_so_many_hours(ford: Table) -> None:
    pausing.pause(ford.office, "ford", "Ill")
    ford.clock.forward(90)
    ford.write("guard", "propose extension 24h")
    ford.write("smuggler", "vote yes")
    look(ford)
    ford.clock.forward(10)
    pausing.resume(ford.office, "ford")
    assert ford.dossier.exchange().deadline <= DEADLINE + (24 + 101) * HOUR


def test_of_what_is_annulled_no_hour_is_told_when_a_pause_is_over(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", None, "A cart was misplaced.")
    pausing.pause(ford.office, "ford", "Ill")
    ford.clock.forward(10)
    pausing.resume(ford.office, "ford")
    assert "Due" not in ford.words_to("smuggler")
    assert "VEVENT" not in ford.last_to("smuggler")
