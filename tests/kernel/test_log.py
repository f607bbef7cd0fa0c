"""What an annulment voids and what it leaves; the log without a disk."""

from __future__ import annotations

import pytest

from pbem.kernel.event import Event, Outcome, Recorded
from pbem.kernel.log import fold, valid
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import (
    CampaignPaused,
    CampaignResumed,
    ExchangeAnnulled,
    ExchangeOpened,
    ExchangeReleased,
    ExchangeResolved,
    LetterSent,
    MessageReceived,
    OrderFailed,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerReplaced,
    Promises,
    QueryAnswered,
    QueryPut,
    ReadySaid,
    ReportIssued,
    RulingMade,
    WaitSet,
)

AUTUMN = CampaignId("autumn")
FRENCH = Role("french")
NOW = Moment(5, 2)
OLD, NEW = PlayerId("old"), PlayerId("new")


class Shot(Outcome, frozen=True, kw_only=True, tag="test.shot"):
    """A fact of a game."""


DECIDED: tuple[Event, ...] = (
    Shot(),
    QueryPut(moment=NOW, key="5B/which", to=None, rule="SP-MEL-01", asks="which?"),
    QueryAnswered(moment=NOW, key="5B/which", answer="this", by="gm"),
    RulingMade(directives=("remove p1 cause",), reason="lost"),
    OrderFailed(role=FRENCH, moment=NOW, line=1, text="x", error="e"),
    ExchangeOpened(moment=NOW, name="B", due=(1,), promises=Promises("o", "c")),
    ExchangeResolved(moment=NOW, version="1", content="c", facts=1, state="s", views={}),
    ExchangeReleased(moment=NOW, open_seed="00"),
    ReportIssued(role=FRENCH, moment=NOW, upto=3, view="v", page="p"),
)
WRITTEN: tuple[Event, ...] = (
    OrdersAccepted(role=FRENCH, moment=NOW, receipt=1, text="t", orders=(), digest="d"),
    OrdersKept(role=FRENCH, moment=NOW, receipt=2, text="t", digest="d"),
    OrdersRefused(role=FRENCH, moment=NOW, receipt=3, text="t", reason="r", digest="d"),
    OrdersWithdrawn(role=FRENCH, moment=NOW, receipt=4),
    WaitSet(role=FRENCH, moment=NOW, on=True),
    ReadySaid(role=FRENCH, moment=NOW),
    CampaignPaused(reason="r"),
    CampaignResumed(reason="r", later=1),
    LetterSent(sender=FRENCH, to=None, text="t"),
    MessageReceived(digest="d", source="letter"),
    PlayerReplaced(role=FRENCH, former=OLD, player=NEW),
)


def log_of(*events: Event) -> list[Recorded]:
    return [Recorded(seq, seq, "office", NOW, event) for seq, event in enumerate(events, start=1)]


def annulled(since: int) -> ExchangeAnnulled:
    return ExchangeAnnulled(moment=NOW, since=since, reason="a wrong map")


def test_an_annulment_voids_all_that_was_decided_from_its_since_on() -> None:
    log = log_of(Shot(), *DECIDED, annulled(2))

    assert [one.seq for one in valid(log)] == [1, len(log)]


@pytest.mark.parametrize("event", WRITTEN, ids=lambda event: type(event).__name__)
def test_an_annulment_leaves_what_players_wrote_and_who_they_are(event: Event) -> None:
    log = log_of(Shot(), event, annulled(1))

    assert [one.event for one in valid(log)] == [event, annulled(1)]


def test_what_follows_an_annulment_is_valid() -> None:
    log = log_of(Shot(), annulled(1), Shot())

    assert [one.seq for one in valid(log)] == [2, 3]


def test_an_annulment_stays_when_another_reaches_back_past_it() -> None:
    log = log_of(Shot(), Shot(), annulled(2), Shot(), annulled(1), Shot())

    assert [one.seq for one in valid(log)] == [3, 5, 6]


def test_a_log_without_annulment_is_valid_as_it_stands() -> None:
    log = log_of(*DECIDED, *WRITTEN)

    assert valid(log) == log


def test_fold_applies_one_event_after_the_other() -> None:
    assert fold(log_of(Shot(), Shot(), Shot()), "", lambda told, one: f"{told}{one.seq}") == "123"
