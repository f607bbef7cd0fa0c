"""The log as everyone below the disk sees it: what of it is valid, and how it is folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from pbem.kernel.event import Recorded
from pbem.kernel.office import (
    AbsenceBooked,
    AbsenceCancelled,
    CampaignCut,
    CampaignForked,
    CampaignPaused,
    CampaignResumed,
    CampaignUpgraded,
    CandidateLeft,
    CandidateSigned,
    DeadlineMoved,
    DigestSet,
    ExchangeAnnulled,
    FormChosen,
    HoursSet,
    LanguageChosen,
    LeaveSaid,
    LetterSent,
    MessageReceived,
    NoteMade,
    ObserverAdmitted,
    ObserverLeft,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    ProposalClosed,
    ProposalMade,
    ReadySaid,
    SeedsExported,
    SeedsRenewed,
    StandInAnswered,
    StandInEnded,
    StandInNamed,
    StopSaid,
    TermsSet,
    TurnShown,
    UmpireNoted,
    VoteCast,
    WaitSet,
)

Told = TypeVar("Told")

STAYS = (
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    LetterSent,
    NoteMade,
    MessageReceived,
    WaitSet,
    ReadySaid,
    FormChosen,
    StopSaid,
    DigestSet,
    LanguageChosen,
    LeaveSaid,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    ObserverAdmitted,
    ObserverLeft,
    TurnShown,
    AbsenceBooked,
    AbsenceCancelled,
    CandidateSigned,
    CandidateLeft,
    StandInNamed,
    StandInAnswered,
    StandInEnded,
    TermsSet,
    CampaignPaused,
    CampaignResumed,
    CampaignUpgraded,
    SeedsRenewed,
    CampaignForked,
    CampaignCut,
    SeedsExported,
    ProposalMade,
    VoteCast,
    ProposalClosed,
    HoursSet,
)
"""What an annulment leaves: what players wrote, voted and agreed, who they are, who looks on and what he was shown, by
which rules, terms and seeds is played from then on, whether it is played at all, and of what a copy was made, or that
it is one."""


STAYS_OPEN = (DeadlineMoved, UmpireNoted)
"""What stays besides, where the exchange that was run is open still: its hours, of which all were told, and notes."""


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
            stays = (*STAYS, ExchangeAnnulled, *(STAYS_OPEN if recorded.event.stays_open else ()))
            kept = [one for one in kept if one.seq < since or isinstance(one.event, stays)]
        kept.append(recorded)
    return kept


def fold(log: Iterable[Recorded], start: Told, step: Callable[[Told, Recorded], Told]) -> Told:
    """Apply *step* to each event in turn, beginning with *start*."""
    for recorded in log:
        start = step(start, recorded)
    return start
