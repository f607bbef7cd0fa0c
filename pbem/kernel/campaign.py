"""A campaign as its log tells it: who plays what, what is open, what stands, what was promised and revealed.

What each event makes of it stands in `step`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.event import Recorded
from pbem.kernel.exchange import Exchange, Sheet
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role, ThrowName
from pbem.kernel.office import (
    CampaignCut,
    CampaignEnded,
    CampaignOpened,
    MailSort,
    OrderFailed,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    Promises,
    QueryPut,
    ReportForm,
    ReportIssued,
    RolesDrawn,
    RulesPinned,
    SignUpOpened,
    TurnShown,
)
from pbem.kernel.proposal import Proposal
from pbem.kernel.terms import Terms
from pbem.kernel.word import Word

SHEET_RECEIPTS = (OrdersAccepted, OrdersKept, OrdersRefused, OrdersWithdrawn)


class Absence(Struct, frozen=True):
    """A time for which a player is away."""

    player: PlayerId
    since: int
    until: int
    days: int
    """How many days of those that he may be absent it takes."""
    seq: int


class Issued(Struct, frozen=True):
    """A report that a role was sent."""

    moment: Moment
    upto: int
    view: str
    page: str
    seq: int
    at: int
    version: int


def issued_by(event: ReportIssued, recorded: Recorded) -> Issued:
    """The report that an event issued."""
    return Issued(event.moment, event.upto, event.view, event.page, recorded.seq, recorded.at, event.version)


class Remark(Struct, frozen=True):
    """A word of the GM's for one role."""

    text: str
    at: int


class StandIn(Struct, frozen=True):
    """Somebody who sends orders for a role beside its player, or was asked whether he would."""

    player: PlayerId
    turns: int
    since: Moment | None = None
    """The exchange that was open when he said yes; None: he has not."""

    def serves(self, moment: Moment) -> bool:
        """Whether his time is not over in the exchange *moment*."""
        if self.since is None:
            return True
        if not self.turns:
            return moment.whole == self.since
        return moment.turn < self.since.turn + self.turns


class Candidate(Struct, frozen=True):
    """Somebody who would play."""

    player: PlayerId
    number: int
    wishes: tuple[Role, ...]
    """The best first; none: any."""


class Campaign(Struct, frozen=True):
    """Everything about a campaign that is not of its game."""

    id: CampaignId = CampaignId("")
    opened: CampaignOpened | None = None
    opened_at: int = 0
    terms: Terms = Terms()
    rules: RulesPinned | None = None
    absences: tuple[Absence, ...] = ()
    """In the order in which they were booked, without what was cancelled."""
    players: dict[Role, PlayerId] = {}
    observers: tuple[PlayerId, ...] = ()
    """Who looks on without a role, in the order in which they came."""
    shown: Mapping[Moment, TurnShown] = {}
    """What they have been shown."""
    stand_ins: Mapping[Role, StandIn] = {}
    afresh: Mapping[Role, int] = {}
    """Of roles that changed hands, at which event: of an exchange that is opened again no sheet from before counts."""
    muster: Promises | None = None
    promised_at: int = 0
    """When the seeds of the set-up were promised, where that was done before the game began."""
    sign_up: SignUpOpened | None = None
    candidates: Mapping[PlayerId, Candidate] = {}
    """Who would play, in the order in which they came: all, until the lot is drawn, and then who has no role."""
    signed: int = 0
    """How many numbers were given to candidates."""
    drawn: RolesDrawn | None = None
    started: int = 0
    """The seq of `campaign_started`; 0 before."""
    exchanges: dict[Moment, Exchange] = {}
    now: Moment | None = None
    """The exchange opened last."""
    sheets: dict[tuple[Moment, Role], Sheet] = {}
    given: dict[tuple[Moment, Role], str] = {}
    """What roles gave to the dice of an exchange since its seeds were promised (`kernel.dice.given`)."""
    receipts: dict[Role, int] = {}
    waits: dict[tuple[Moment, Role], bool] = {}
    words: Mapping[tuple[Moment, Role], Word] = {}
    """What each role said last of its orders; nothing of those that another sent, or for an earlier opening."""
    leave: Mapping[tuple[PlayerId, str], bool] = {}
    """Whether a player's `name`, his `letters` and his `diary` may be shown to others, as he said last."""
    paused_at: int = 0
    """Since when nothing is run; 0: it is played."""
    paused: str = ""
    """Why."""
    resumed_at: int = 0
    """When it went on the last time."""
    queries: dict[str, QueryPut] = {}
    answers: dict[str, str] = {}
    forced: dict[ThrowName, tuple[int, ...]] = {}
    failed: tuple[OrderFailed, ...] = ()
    reports: dict[Role, tuple[Issued, ...]] = {}
    forms: Mapping[Role, ReportForm] = {}
    """In what form reports come, to roles whose players want more or less than the page."""
    stopped: Mapping[Role, tuple[MailSort, ...]] = {}
    """The kinds of mails that roles' players want none of."""
    digests: Mapping[Role, str] = {}
    """The time of day at which what is gathered leaves, to roles whose players want it so."""
    languages: Mapping[Role, str] = {}
    """The language that a role has chosen, by its code; whoever is not in it has that of the terms."""
    remarks: dict[Role, tuple[Remark, ...]] = {}
    """Of the GM's, for reports that are still to be issued."""
    ended: CampaignEnded | None = None
    cut: CampaignCut | None = None
    """Where its log was cut, if it is a copy from a backup."""
    proposals: Mapping[str, Proposal] = {}
    """What was put to the vote, by its name, in order."""
    since: Mapping[Role, int] = {}
    """The seq with which whoever plays a role came to it."""
    cut_short: frozenset[Role] = frozenset()
    """Who is not waited for beyond a deadline, as long as the terms have such a rule."""
    next_hours: int = 0
    """Hours from the opening of the next exchange to its deadline; 0: as the terms say."""
    last_seq: int = 0

    @property
    def status(self) -> Literal["enrolling", "running", "paused", "ended"]:
        """Before its start, in play, standing still, or over."""
        if self.ended:
            return "ended"
        return "paused" if self.paused_at else "running" if self.started else "enrolling"

    @property
    def copied(self) -> bool:
        """Whether it is a copy, a fork or one that was cut: it never mails, and no letter reaches it."""
        return self.cut is not None or bool(self.opened and self.opened.forked)

    @property
    def exchange(self) -> Exchange | None:
        """The exchange opened last."""
        return self.exchanges[self.now] if self.now else None

    def address(self, role: Role, at: int) -> Moment | None:
        """The address of what comes from *role* at the instant *at* and does not say; None before the first exchange.

        Where nothing is taken from it any more until the exchange that is played in steps is made known, that is its
        next call: the same for all who are not asked.
        """
        exchange, hour = self.exchange, self.hour(at)
        if exchange is None:
            return None
        if exchange.halt and exchange.halt.takes(role, hour):
            return exchange.halt.moment
        there = self.sheets.get((exchange.moment, role))
        if exchange.steps and not self.ended and not exchange.takes(hour, there):
            return exchange.moment.then
        return exchange.moment

    def hour(self, at: int) -> int:
        """The hour that counts for what comes *at*: while the game is paused its clock stands still."""
        return min(at, self.paused_at) if self.paused_at else at

    def horizon(self, role: Role) -> int:
        """How far *role* may know: the *upto* of its newest report, or the start before there is one."""
        issued = self.reports.get(role, ())
        return issued[-1].upto if issued else 0

    def lapsing(self, role: Role) -> tuple[Moment, ...]:
        """For what *role* has sent sheets that were not run yet, and are not to be run as they were."""
        return tuple(sorted(moment for moment, whose in self.sheets if whose == role and not self._was_run(moment)))

    def _was_run(self, moment: Moment) -> bool:
        exchange = self.exchanges.get(moment.whole)
        if exchange is None or moment.waits:
            return False
        if moment.halt:
            return exchange.halt is None or exchange.halt.moment != moment
        return exchange.state != "open" or exchange.known > 0

    def language(self, role: Role) -> str:
        """The language in which *role* is written to, by its code."""
        return self.languages.get(role) or self.terms.language

    def language_of(self, player: PlayerId) -> str:
        """The language in which *player* is written to: that of his first role, or as the terms say."""
        roles = self.roles_of(player)
        return self.language(roles[0]) if roles else self.terms.language

    def roles_of(self, player: PlayerId) -> tuple[Role, ...]:
        """The roles that *player* fills, or stands in for."""
        for_others = (role for role in self.stand_ins if self.stands_in(role, player))
        return (*(role for role, who in self.players.items() if who == player), *for_others)

    def stands_in(self, role: Role, player: PlayerId) -> bool:
        """Whether *player* sends orders for *role* beside its own player."""
        one = self.stand_ins.get(role)
        return one is not None and one.player == player and one.since is not None

    def both(self, role: Role) -> tuple[PlayerId, ...]:
        """Who is told what *role* is told: its player, and who stands in for him."""
        there = self.players.get(role), self.stand_ins.get(role)
        if there[0] is None or there[1] is None or there[1].since is None:
            return tuple(filter(None, there[:1]))
        return there[0], there[1].player
