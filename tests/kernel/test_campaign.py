"""A campaign is what its log tells of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw

from pbem.kernel.campaign import Campaign
from pbem.kernel.event import Event, Outcome, Recorded
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role, ThrowName
from pbem.kernel.office import (
    CampaignEnded,
    CampaignOpened,
    CampaignStarted,
    CampaignUpgraded,
    DeadlineMoved,
    DryRunAsked,
    ExchangeAnnulled,
    ExchangeOpened,
    ExchangeReleased,
    ExchangeResolved,
    OrderFailed,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    Promises,
    QueryAnswered,
    QueryPut,
    ReportIssued,
    RulesPinned,
    RulingMade,
    WaitSet,
)
from pbem.kernel.step import campaign_of

FRENCH, PRUSSIAN = Role("french"), Role("prussian")
ANNE, BERND, CLARA = PlayerId("anne"), PlayerId("bernd"), PlayerId("clara")
S1, A1, B1 = Moment(0), Moment(1), Moment(1, 2)
SET_UP, FIRST, SECOND = Promises("s", "S"), Promises("o", "O"), Promises("p", "P")


class Shot(Outcome, frozen=True, kw_only=True, tag="test.shot"):
    """A fact of a game."""


OPENED = CampaignOpened(
    campaign=CampaignId("autumn"),
    system="st-privat",
    scenario="graveyard",
    title="Autumn",
    roles=(FRENCH, PRUSSIAN),
    scene="d",
)
ENROLLED: tuple[Event, ...] = (
    OPENED,
    RulesPinned(system="st-privat", version="1.0", content="c1"),
    PlayerEnrolled(role=FRENCH, player=ANNE),
    PlayerEnrolled(role=PRUSSIAN, player=BERND),
)
STARTED: tuple[Event, ...] = (
    *ENROLLED,
    CampaignStarted(promises=SET_UP),
    ExchangeOpened(moment=A1, name="A", due=(50, 100), promises=FIRST),
)


def told(*events: Event) -> Campaign:
    return campaign_of(recorded(events))


def recorded(events: Sequence[Event]) -> list[Recorded]:
    return [Recorded(seq, 10 * seq, "office", A1, event) for seq, event in enumerate(events, start=1)]


def sheet(
    text: str = "move p1 to J-10", *, role: Role = FRENCH, moment: Moment = A1, receipt: int = 1
) -> OrdersAccepted:
    orders = (Raw(b'{"do":"move"}'),)
    return OrdersAccepted(role=role, moment=moment, receipt=receipt, text=text, orders=orders, digest="d")


def resolved(moment: Moment = A1) -> ExchangeResolved:
    return ExchangeResolved(moment=moment, version="1.0", content="c1", facts=1, state="t", views={FRENCH: "v"})


def report(upto: int, role: Role = FRENCH, version: int = 1) -> ReportIssued:
    return ReportIssued(role=role, moment=A1, upto=upto, view="v", page="p", version=version)


def test_an_empty_log_tells_of_an_empty_campaign() -> None:
    assert told() == Campaign()


def test_a_campaign_enrols_runs_and_ends() -> None:
    ended = CampaignEnded(winner="french", how="by points")

    assert told(*ENROLLED).status == "enrolling"
    assert told(*STARTED).status == "running"
    assert told(*STARTED, ended).status == "ended"
    assert told(*STARTED, ended).ended == ended


def test_it_knows_how_it_was_opened_and_by_which_rules_it_is_played() -> None:
    campaign = told(*ENROLLED, CampaignUpgraded(version="1.1", content="c2", reason="a rule mended"))

    assert (campaign.id, campaign.opened, campaign.opened_at) == ("autumn", OPENED, 10)
    assert campaign.rules == RulesPinned(system="st-privat", version="1.1", content="c2")
    assert told(*STARTED).started == 5
    assert told(*STARTED).muster == SET_UP


def test_roles_are_filled_replaced_and_left() -> None:
    replaced = told(*STARTED, PlayerReplaced(role=PRUSSIAN, former=BERND, player=ANNE))
    left = told(*STARTED, PlayerWithdrew(role=PRUSSIAN, player=BERND))

    assert told(*STARTED).players == {FRENCH: ANNE, PRUSSIAN: BERND}
    assert set(replaced.roles_of(ANNE)) == {FRENCH, PRUSSIAN}
    assert left.players == {FRENCH: ANNE}


def test_an_exchange_is_open_then_resolved_then_released() -> None:
    states = [
        campaign.exchange.state
        for campaign in (
            told(*STARTED),
            told(*STARTED, Shot(), resolved()),
            told(*STARTED, Shot(), resolved(), ExchangeReleased(moment=A1, open_seed="00")),
        )
        if campaign.exchange
    ]

    assert states == ["open", "resolved", "released"]


def test_the_exchange_opened_last_is_the_one_that_counts() -> None:
    campaign = told(*STARTED, ExchangeOpened(moment=B1, name="B", due=(200,), promises=SECOND))

    assert campaign.now == B1
    assert campaign.exchange is campaign.exchanges[B1]
    assert campaign.exchanges[A1].promises == FIRST
    assert (campaign.exchanges[B1].opened, campaign.exchanges[B1].opened_at) == (7, 70)


def test_the_deadline_is_the_last_hour_as_it_was_moved() -> None:
    moved = told(*STARTED, DeadlineMoved(moment=A1, due=(60, 300), reason="a holiday"))

    assert [campaign.exchanges[A1].deadline for campaign in (told(*STARTED), moved)] == [100, 300]


def test_the_newest_sheet_stands_and_each_role_has_its_own() -> None:
    campaign = told(*STARTED, sheet("one"), sheet("two", receipt=2), sheet("three", role=PRUSSIAN))

    assert {role: one.text for (_, role), one in campaign.sheets.items()} == {FRENCH: "two", PRUSSIAN: "three"}
    assert campaign.sheets[A1, FRENCH].orders == (Raw(b'{"do":"move"}'),)
    assert (campaign.sheets[A1, FRENCH].seq, campaign.sheets[A1, FRENCH].at) == (8, 80)
    assert campaign.receipts == {FRENCH: 2, PRUSSIAN: 1}


def test_a_refused_sheet_leaves_the_one_before_and_counts_as_a_receipt() -> None:
    refused = OrdersRefused(role=FRENCH, moment=A1, receipt=2, text="x", reason="too late", digest="d")
    campaign = told(*STARTED, sheet("one"), refused)

    assert campaign.sheets[A1, FRENCH].text == "one"
    assert campaign.receipts == {FRENCH: 2}


def test_a_sheet_for_later_waits_and_one_withdrawn_is_gone() -> None:
    kept = OrdersKept(role=FRENCH, moment=B1, receipt=1, text="later", digest="d")
    withdrawn = OrdersWithdrawn(role=FRENCH, moment=A1, receipt=3)
    campaign = told(*STARTED, kept, sheet(receipt=2), withdrawn)

    assert list(campaign.sheets) == [(B1, FRENCH)]
    assert campaign.sheets[B1, FRENCH].kept
    assert campaign.receipts == {FRENCH: 3}


def test_a_wait_is_on_until_it_is_off() -> None:
    on, off = (WaitSet(role=FRENCH, moment=A1, on=value) for value in (True, False))

    assert told(*STARTED, on).waits == {(A1, FRENCH): True}
    assert told(*STARTED, on, off).waits == {(A1, FRENCH): False}


def test_a_question_is_open_until_it_is_answered() -> None:
    put = QueryPut(moment=A1, key="1A/which", to=FRENCH, rule="SP-MEL-01", asks="which?")
    answered = QueryAnswered(moment=A1, key="1A/which", answer="left", by="role")

    assert told(*STARTED, put).queries == {"1A/which": put}
    assert told(*STARTED, put, answered).queries == {}
    assert told(*STARTED, put, answered).answers == {"1A/which": "left"}


def test_rulings_force_dice_and_broken_orders_are_remembered() -> None:
    name = ThrowName("1A/melee/J-10")
    ruling = RulingMade(directives=(), reason="by hand", forced={name: (6,)})
    failed = OrderFailed(role=FRENCH, moment=A1, line=2, text="x", error="ZeroDivisionError")
    campaign = told(*STARTED, ruling, failed)

    assert campaign.forced == {name: (6,)}
    assert campaign.failed == (failed,)


def test_a_role_knows_up_to_its_newest_report() -> None:
    campaign = told(*STARTED, report(4), report(6, version=2), report(5, role=PRUSSIAN))

    assert [campaign.horizon(role) for role in (FRENCH, PRUSSIAN, Role("nobody"))] == [6, 5, 0]
    assert [issued.version for issued in campaign.reports[FRENCH]] == [1, 2]


def test_an_annulled_run_opens_the_exchange_again_with_the_sheets_that_stood() -> None:
    run: tuple[Event, ...] = (sheet("one"), Shot(), resolved(), ExchangeReleased(moment=A1, open_seed="00"), report(9))
    annulled = ExchangeAnnulled(moment=A1, since=8, reason="a wrong map")
    campaign = told(*STARTED, *run, annulled)

    assert campaign.exchanges[A1].state == "open"
    assert campaign.sheets[A1, FRENCH].text == "one"
    assert campaign.horizon(FRENCH) == 0


def test_a_player_replaced_in_an_annulled_exchange_keeps_the_role() -> None:
    replaced = PlayerReplaced(role=FRENCH, former=ANNE, player=CLARA)
    campaign = told(*STARTED, Shot(), replaced, ExchangeAnnulled(moment=A1, since=7, reason="a wrong map"))

    assert campaign.players[FRENCH] == CLARA


def test_the_last_seq_counts_every_event_also_annulled_ones() -> None:
    assert told(*STARTED, Shot(), ExchangeAnnulled(moment=A1, since=7, reason="r")).last_seq == 8
    assert told(*STARTED, DryRunAsked(moment=A1)).last_seq == 7
    assert told(*STARTED, Shot(), ExchangeAnnulled(moment=A1, since=7, reason="r"), Shot()).last_seq == 9


def test_a_fact_of_the_game_changes_nothing_but_the_last_seq() -> None:
    before, after = told(*STARTED), told(*STARTED, Shot())

    assert (before.exchanges, before.sheets, before.players) == (after.exchanges, after.sheets, after.players)
    assert after.last_seq == before.last_seq + 1
