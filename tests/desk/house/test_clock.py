"""The clock of the office: early and late, held and given more time, awake and away."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.desk.house.clock import tick
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.players.changes import withdraw_player
from pbem.desk.players.enrol import add_player, new, set_terms, start
from pbem.desk.post.entries import Entry, commit
from pbem.desk.proof import transfer
from pbem.desk.turns import absences, adjudicate, nmr
from pbem.desk.turns.exchange import annul, extend
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import DeadlineMoved, ExchangeResolved, NmrRecorded
from pbem.kernel.owed import Call, Pause
from pbem.kernel.terms import Terms
from tests.kit.table import START, Table
from tests.kit.watching import MINUTE, look, stay

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
DEADLINE = START + 72 * HOUR


def terms(table: Table, **changes: object) -> None:
    set_terms(table.office, "ford", changes)


def events(table: Table, kind: type) -> list[object]:
    return [one.event for one in table.dossier.log if isinstance(one.event, kind)]


def causes(table: Table, word: str) -> list[str]:
    return [mail.cause for mail in table.mails if mail.cause.startswith(word)]


def test_when_all_orders_are_in_it_is_run_after_the_time_for_second_thoughts(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    assert look(ford) == []
    ford.clock.at += 29 * MINUTE
    assert look(ford) == []
    ford.write("smuggler", "move s2 to 4")
    ford.clock.at += 29 * MINUTE
    assert look(ford) == []
    ford.clock.at += MINUTE

    assert look(ford) == ["ford: 1A is resolved: 2 facts", "ford: 1A waits for its release"]
    assert look(ford) == []
    assert len(causes(ford, "resolved/")) == 1


def test_a_wait_holds_it_until_the_deadline_and_is_gone_in_the_next_exchange(ford: Table) -> None:
    terms(ford, release="auto", delay=0)
    ford.write("smuggler", "move s1 to 3\nwait on")
    assert stay(ford, DEADLINE) == []
    ford.clock.at += MINUTE
    assert look(ford) == ["ford: 1A is resolved and released: 2 facts"]
    ford.write("guard", "watch g1 3")
    assert look(ford)[0].startswith("ford: 1B is resolved and released")


def test_a_campaign_that_is_never_early_runs_at_its_hour(ford: Table) -> None:
    terms(ford, early=False)
    ford.write("smuggler", "move s1 to 3")
    assert stay(ford, DEADLINE) == []
    ford.clock.at += 1
    assert look(ford)[0] == "ford: 1A is resolved: 2 facts"


def test_what_is_missing_is_waited_for_reminded_of_daily_and_then_run(ford: Table) -> None:
    assert len(stay(ford, DEADLINE)) == 1  # the reminder four hours before
    ford.clock.at += MINUTE
    assert look(ford) == [
        "ford: 1A: nothing from smuggler; it waits for what is missing",
        "ford: 1A: a letter to smuggler, guard, for orders are missing",
    ]
    assert look(ford) == []
    for _ in range(2):
        ford.clock.forward(24)
        look(ford)
        look(ford)
    assert causes(ford, "late/") == [f"late/1A/{DEADLINE}/{day}/smuggler" for day in range(3)]
    assert causes(ford, "waits/") == [f"waits/1A/{DEADLINE}/guard"]
    assert "the orders of smuggler are missing" in ford.words_to("guard")

    assert ford.write("smuggler", "move s1 to 3").state == "applied"
    assert look(ford) == []
    ford.clock.at += 30 * MINUTE
    assert look(ford)[0] == "ford: 1A is resolved: 2 facts"
    assert nmr.record(ford.dossier) == (
        NmrRecorded(moment=Moment(1, 1), missing=(SMUGGLER,), policy="hold", did="held"),
    )


def test_who_is_late_is_not_told_where_nobody_is_to_know(ford: Table) -> None:
    terms(ford, press="anonymous")
    stay(ford, DEADLINE + MINUTE)

    assert "orders are missing" in ford.words_to("guard")
    assert "smuggler" not in ford.words_to("guard").partition("waits for orders")[2]


def test_what_is_taken_for_silence_is_taken_where_the_terms_say_so(ford: Table) -> None:
    terms(ford, nmr="standing")
    done = stay(ford, DEADLINE + MINUTE)

    assert done[-3:] == [
        "ford: 1A: nothing from smuggler; what is taken for silence is taken",
        "ford: 1A is resolved: 1 facts",
        "ford: 1A waits for its release",
    ]
    [resolved] = [one for one in events(ford, ExchangeResolved) if isinstance(one, ExchangeResolved)]
    assert resolved.defaults == (SMUGGLER,)


def test_more_time_is_given_while_the_budget_lasts(ford: Table) -> None:
    terms(ford, nmr="extend", excuses=1, extension=12)
    stay(ford, DEADLINE + MINUTE)
    assert ford.dossier.exchange().deadline == DEADLINE + 12 * HOUR
    assert "there is more time for them" in ford.words_to("guard")
    assert ford.write("guard", "watch g1 3").state == "applied"
    done = stay(ford, DEADLINE + 12 * HOUR + 2 * MINUTE)

    assert "ford: 1A: nothing from smuggler; what is taken for silence is taken" in done
    assert [one.did for one in nmr.record(ford.dossier)] == ["extended", "taken"]


def test_more_time_ends_when_deadlines_may_fall_by_the_terms(ford: Table) -> None:
    terms(ford, nmr="extend", excuses=1, extension=12, at="20:00", grace=2)
    stay(ford, DEADLINE + 2 * HOUR + MINUTE)
    exchange = ford.dossier.exchange()

    assert exchange.wall.endswith("T20:00")
    assert DEADLINE + 12 * HOUR <= exchange.deadline < DEADLINE + 36 * HOUR


def test_the_gm_is_asked_once_and_what_comes_is_still_taken(ford: Table) -> None:
    terms(ford, nmr="gm")
    stay(ford, DEADLINE + MINUTE)
    ford.clock.forward(25)
    look(ford)

    assert len(causes(ford, "nmr/")) == 1
    assert ford.dossier.exchange().state == "open"
    ford.write("smuggler", "move s1 to 3")
    ford.clock.at += 31 * MINUTE
    assert look(ford)[0] == "ford: 1A is resolved: 2 facts"


def test_the_gm_may_run_what_is_held_or_give_more_time(ford: Table) -> None:
    stay(ford, DEADLINE + MINUTE)
    extend(ford.office, "ford", DEADLINE + 24 * HOUR, "He travels.")
    assert not ford.dossier.exchange().held
    stay(ford, DEADLINE + 24 * HOUR + MINUTE)
    assert [one.did for one in nmr.record(ford.dossier)] == ["held", "held"]
    assert adjudicate.run(ford.office, "ford").silent == (SMUGGLER,)


@pytest.mark.parametrize(
    ("missing", "of", "wanted"),
    [(1, 1, "taken"), (1, 2, "taken"), (2, 2, "stopped"), (2, 4, "taken"), (3, 4, "stopped")],
)
def test_when_too_many_are_missing_nothing_is_run(ford: Table, missing: int, of: int, wanted: str) -> None:
    terms(ford, nmr="standing")
    roles = [Role(f"role{number}") for number in range(of)]
    calls = tuple(Call(role=role, sorts=("movement",)) for role in roles)
    pause = Pause(moment=Moment(1, 1), name="A", calls=calls)

    assert nmr.judge(ford.dossier, pause, roles[:missing]) == wanted


def test_in_the_grace_only_what_is_missing_is_taken(ford: Table) -> None:
    terms(ford, grace=6, nmr="standing")
    ford.write("guard", "watch g1 3")
    stay(ford, DEADLINE + HOUR)
    assert causes(ford, "grace/") == [f"grace/1A/{DEADLINE}/smuggler"]
    assert ford.write("guard", "watch g1 4").state == "refused"
    assert ford.write("smuggler", "move s1 to 3").state == "applied"
    assert ford.write("smuggler", "move s2 to 4").state == "applied"
    assert look(ford) == []
    ford.clock.at += 30 * MINUTE
    assert look(ford)[0] == "ford: 1A is resolved: 3 facts"
    assert nmr.record(ford.dossier) == ()


def test_after_the_grace_it_is_too_late(ford: Table) -> None:
    terms(ford, grace=6, nmr="gm")
    ford.clock.at = DEADLINE + 6 * HOUR
    assert ford.write("smuggler", "move s1 to 3").state == "refused"


def test_an_office_that_was_away_at_the_hour_finds_nobody_late_but_only_once(ford: Table) -> None:
    terms(ford, nmr="standing")
    look(ford)
    ford.clock.at = DEADLINE + 5 * HOUR
    done = look(ford)

    assert done[0] == "ford: 1A has more time, for the office was away"
    assert ford.dossier.exchange().deadline == DEADLINE + 6 * HOUR
    [moved] = [one for one in events(ford, DeadlineMoved) if isinstance(one, DeadlineMoved)]
    assert (moved.why, "away from its post" in moved.reason) == ("away", True)
    assert "away from its post" in ford.words_to("guard")
    assert ford.write("guard", "watch g1 3").state == "applied"
    ford.clock.at = DEADLINE + 12 * HOUR
    assert "what is taken for silence is taken" in " ".join(look(ford))


def test_an_office_that_was_away_runs_late_what_was_complete(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.at = DEADLINE + 90 * HOUR
    assert "ford: 1A is resolved: 2 facts" in look(ford)


def test_a_clock_that_leaps_forward_and_back_harms_nobody(ford: Table) -> None:
    terms(ford, nmr="standing")
    look(ford)
    ford.clock.at = DEADLINE + 240 * HOUR
    assert any("more time" in one for one in look(ford))
    ford.clock.at = START + HOUR
    assert look(ford) == [f"the clock went back by {(72 + 240 - 1) * 3600} seconds"]
    assert look(ford) == []
    assert ford.dossier.exchange().state == "open"


def test_who_has_sent_nothing_is_reminded_at_the_hours_of_the_terms_and_once(ford: Table) -> None:
    terms(ford, reminders="48,6")
    ford.clock.forward(23)
    assert look(ford) == []
    ford.clock.forward(1)
    for _ in range(3):
        look(ford)
    ford.clock.forward(45)
    look(ford)

    assert causes(ford, "reminder/") == [f"reminder/1A/{DEADLINE}/{hours}/smuggler" for hours in (48, 6)]
    assert {mail.expires_at for mail in ford.mails if mail.cause.startswith("reminder/")} == {DEADLINE}


def test_who_has_sent_orders_is_not_reminded(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nwait on")
    stay(ford, DEADLINE)
    assert causes(ford, "reminder/") == []


def test_a_deadline_in_an_absence_is_moved_behind_it_and_all_are_told(ford: Table) -> None:
    booked = absences.book_for(ford.office, "ford", "smuggler", date(2026, 11, 22), date(2026, 11, 25))

    assert (booked.absence.days, booked.left, booked.moved) == (4, 10, True)
    assert ford.dossier.exchange().deadline == START + (2 + 6 * 24) * HOUR  # the 26th has begun, and a day more
    assert "as was booked" in ford.words_to("guard")


def test_the_exchange_that_opens_next_is_due_after_the_absence(ford: Table) -> None:
    absences.book_for(ford.office, "ford", "guard", date(2026, 11, 22), date(2026, 11, 24))
    assert ford.dossier.exchange().deadline == DEADLINE  # the guard is not waited for now
    ford.write("smuggler", "move s1 to 3")
    ford.turn()

    assert ford.dossier.exchange().deadline == START + (2 + 5 * 24) * HOUR
    [moved] = [one for one in events(ford, DeadlineMoved) if isinstance(one, DeadlineMoved)]
    assert moved.why == "absence"


def test_absences_are_capped_listed_and_cancelled(ford: Table) -> None:
    absences.book_for(ford.office, "ford", "guard", date(2026, 12, 1), date(2026, 12, 10))
    with pytest.raises(Refused, match="of the 14 in a campaign, 4 are left"):
        absences.book_for(ford.office, "ford", "guard", date(2026, 12, 20), date(2026, 12, 24))
    with pytest.raises(Refused, match="booked already"):
        absences.book_for(ford.office, "ford", "guard", date(2026, 12, 9), date(2026, 12, 11))
    with pytest.raises(Refused, match="is past"):
        absences.book_for(ford.office, "ford", "guard", date(2026, 11, 1), date(2026, 11, 2))
    with pytest.raises(Refused, match="ends before it begins"):
        absences.book_for(ford.office, "ford", "guard", date(2026, 12, 30), date(2026, 12, 2))
    assert [one.days for one in absences.pending(ford.dossier, ford.clock.at)] == [10]

    absences.cancel_for(ford.office, "ford", "guard", "He stays.")
    assert absences.pending(ford.dossier, ford.clock.at) == ()
    assert absences.book_for(ford.office, "ford", "guard", date(2026, 12, 20), date(2026, 12, 24)).left == 9


def test_a_campaign_that_cannot_be_run_holds_up_nobody(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms(trust="address"))
    for role, address in (("smuggler", "cat@player.example"), ("guard", "dan@player.example")):
        add_player(ford.office, "bridge", role, name=role, address=address)
    start(ford.office, "bridge")
    ford.write("smuggler", "move s1 to 3")
    real = adjudicate.see_rules

    def refuses(office: object, dossier: object) -> None:
        if dossier.id == "bridge":  # type: ignore[attr-defined]  # it is a dossier
            raise Refused("other rules are installed")
        real(office, dossier)  # type: ignore[arg-type]  # they are office and dossier

    monkeypatch.setattr(adjudicate, "see_rules", refuses)
    set_terms(ford.office, "bridge", {"nmr": "standing"})
    done = stay(ford, DEADLINE + MINUTE)

    assert "bridge: failed: other rules are installed" in done
    assert "ford: 1A is resolved: 2 facts" in done
    assert len(causes(ford, "clock/")) == 1


def test_nobody_is_late_while_his_letters_cannot_be_fetched(ford: Table) -> None:
    def fetch() -> None:
        raise Refused("the mailbox cannot be reached")

    terms(ford, nmr="standing")
    stay(ford, DEADLINE)
    ford.clock.at += MINUTE
    for _ in range(2):
        [did] = tick(ford.office, before_late=fetch)
        assert (did.failed, did.what) == (True, "failed: the mailbox cannot be reached")
    assert len(causes(ford, "clock/")) == 1
    assert nmr.record(ford.dossier) == ()

    def fetch_at_last() -> None:
        ford.clock.at -= 2 * MINUTE
        ford.write("smuggler", "move s1 to 3")
        ford.clock.at += 2 * MINUTE

    done = [did.what for did in tick(ford.office, before_late=fetch_at_last)]
    assert done[0] == "1A is resolved: 2 facts"
    assert nmr.record(ford.dossier) == ()


def test_for_all_games_that_are_due_at_one_hour_letters_are_fetched_once(ford: Table) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms(trust="address", nmr="standing"))
    for role, address in (("smuggler", "cat@player.example"), ("guard", "dan@player.example")):
        add_player(ford.office, "bridge", role, name=role, address=address)
    start(ford.office, "bridge")
    terms(ford, nmr="standing")
    stay(ford, DEADLINE)
    ford.clock.at += MINUTE
    looks: list[int] = []

    done = [did.what for did in tick(ford.office, before_late=lambda: looks.append(ford.clock.at))]

    assert done.count("1A is resolved: 1 facts") == 2
    assert looks == [ford.clock.at]


def test_a_game_that_is_over_and_one_that_has_not_begun_are_left_alone(ford: Table) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms())
    enrol.end(ford.office, "ford", "Nobody comes.")
    ford.clock.at = DEADLINE + 90 * HOUR
    assert [one for one in look(ford) if ":" in one and one.startswith(("ford", "bridge"))] == []


def test_a_deadline_stays_by_its_wall_clock_when_the_rules_of_summer_time_change(ford: Table) -> None:
    wrong = DeadlineMoved(
        moment=Moment(1, 1), due=(DEADLINE + HOUR,), reason="By old rules.", wall="2026-11-23T22:00", zone="UTC"
    )
    entry = Entry(ford.dossier, ford.clock.at, "gm")
    entry.add(Moment(1, 1), wrong)
    with ford.office.write() as connection:
        commit(ford.office, connection, entry)

    assert look(ford) == ["ford: 1A is due at another instant: the rules of summer time have changed"]
    assert ford.dossier.exchange().deadline == DEADLINE
    assert look(ford) == []


def test_a_role_that_nobody_plays_is_not_waited_for_in_silence(ford: Table) -> None:
    withdraw_player(ford.office, "ford", "smuggler", reason="He resigned.")
    done = stay(ford, DEADLINE + MINUTE)

    assert "ford: 1A: nothing from smuggler; it waits for the GM" in done
    assert len(causes(ford, "nmr/")) == 1
    assert "smuggler" in ford.last_to("gm")


def test_terms_and_absences_outlive_an_annulment(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    terms(ford, grace=5)
    absences.book_for(ford.office, "ford", "guard", date(2026, 12, 1), date(2026, 12, 3))
    annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.")

    assert ford.dossier.campaign.terms.grace == 5
    assert len(ford.dossier.campaign.absences) == 1


def test_a_fork_is_left_alone(ford: Table) -> None:
    transfer.fork(ford.office, "ford", "copy")
    ford.clock.at = DEADLINE + 90 * HOUR
    assert not any(one.startswith("copy") for one in look(ford))


def test_a_phase_has_a_schedule_of_its_own(ford: Table) -> None:
    set_terms(ford.office, "ford", {"hours": 10, "at": "20:00"}, phase="B")
    ford.write("smuggler", "move s1 to 3")
    ford.turn()

    exchange = ford.dossier.exchange()
    assert (exchange.wall, exchange.zone) == ("2026-11-21T20:00", "UTC")
    assert exchange.deadline == START + 22 * HOUR
