"""The log as everyone below the disk sees it: read it, append to it, fold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from pbem.kernel.errors import StaleLog
from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import (
    AbsenceBooked,
    AbsenceCancelled,
    CampaignForked,
    CampaignPaused,
    CampaignResumed,
    CampaignUpgraded,
    ExchangeAnnulled,
    LetterSent,
    MessageReceived,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    ReadySaid,
    SeedsExported,
    SeedsRenewed,
    TermsSet,
    WaitSet,
)

Told = TypeVar("Told")

STAYS = (
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    LetterSent,
    MessageReceived,
    WaitSet,
    ReadySaid,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    AbsenceBooked,
    AbsenceCancelled,
    TermsSet,
    CampaignPaused,
    CampaignResumed,
    CampaignUpgraded,
    SeedsRenewed,
    CampaignForked,
    SeedsExported,
)
"""What an annulment leaves: what players wrote, who they are, by which rules, terms and seeds is played from then on,
whether it is played at all, and of what a copy was made."""


class Log(Protocol):
    """An append-only log of one office."""

    def read(self, campaign: CampaignId, *, after: int = 0) -> Iterator[Recorded]:
        """The events of *campaign* with a seq above *after*, in order."""
        ...

    def append(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> int:
        """Append all or nothing, if the log still ends at *expecting*; gives the new end.

        :raises StaleLog: if it does not.
        """
        ...


class MemoryLog:
    """A log without a disk: for conformance cases, dry runs and checks."""

    def __init__(self) -> None:
        self._events: dict[CampaignId, list[Recorded]] = {}

    def read(self, campaign: CampaignId, *, after: int = 0) -> Iterator[Recorded]:
        """The events of *campaign* with a seq above *after*, in order."""
        return iter(self._events.get(campaign, [])[after:])

    def append(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> int:
        """Append all or nothing, if the log still ends at *expecting*; gives the new end.

        :raises StaleLog: if it does not.
        """
        stored = self._events.setdefault(campaign, [])
        if len(stored) != expecting:
            raise StaleLog(campaign, expecting, len(stored))
        for seq, (moment, event) in enumerate(events, start=expecting + 1):
            stored.append(Recorded(seq, at, actor, moment, event))
        return len(stored)


def valid(log: Iterable[Recorded]) -> list[Recorded]:
    """The log without what was annulled.

    An annulment voids all that was decided from its *since* on: facts, questions, answers, rulings, openings,
    resolutions, releases and reports.  What players wrote, who fills which role and an upgrade of the rules stay
    (`STAYS`), and so does the annulment itself.
    """
    kept: list[Recorded] = []
    for recorded in log:
        if isinstance(recorded.event, ExchangeAnnulled):
            since = recorded.event.since
            kept = [one for one in kept if one.seq < since or isinstance(one.event, (*STAYS, ExchangeAnnulled))]
        kept.append(recorded)
    return kept


def fold(log: Iterable[Recorded], start: Told, step: Callable[[Told, Recorded], Told]) -> Told:
    """Apply *step* to each event in turn, beginning with *start*."""
    for recorded in log:
        start = step(start, recorded)
    return start
