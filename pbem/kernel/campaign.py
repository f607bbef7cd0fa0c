"""A campaign as its log tells it: who plays what, what is open, what stands, what was promised and revealed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.deadlines import HOUR, StepHours
from pbem.kernel.event import Event, Recorded
from pbem.kernel.exchange import Exchange, Halt, Sheet
from pbem.kernel.log import fold, valid
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role, ThrowName
from pbem.kernel.office import (
    AbsenceBooked,
    AbsenceCancelled,
    CampaignEnded,
    CampaignOpened,
    CampaignPaused,
    CampaignResumed,
    CampaignStarted,
    CampaignUpgraded,
    DeadlineMoved,
    ExchangeAnnulled,
    ExchangeOpened,
    ExchangeReleased,
    ExchangeResolved,
    HaltAsked,
    HaltPassed,
    HaltReached,
    InvitationAnswered,
    NmrRecorded,
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
    SeedsRenewed,
    TermsSet,
    UmpireNoted,
    WaitSet,
)
from pbem.kernel.owed import PASSED, passed_key
from pbem.kernel.terms import Terms
from pbem.kernel.word import Word, heard

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


class Remark(Struct, frozen=True):
    """A word of the GM's for one role."""

    text: str
    at: int


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
    muster: Promises | None = None
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
    remarks: dict[Role, tuple[Remark, ...]] = {}
    """Of the GM's, for reports that are still to be issued."""
    ended: CampaignEnded | None = None
    last_seq: int = 0

    @property
    def status(self) -> Literal["enrolling", "running", "paused", "ended"]:
        """Before its start, in play, standing still, or over."""
        if self.ended:
            return "ended"
        return "paused" if self.paused_at else "running" if self.started else "enrolling"

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

    def roles_of(self, player: PlayerId) -> tuple[Role, ...]:
        """The roles that *player* fills."""
        return tuple(role for role, who in self.players.items() if who == player)


def _hearing(campaign: Campaign, recorded: Recorded) -> Campaign:
    """*campaign* with the word that an event is."""
    before, exchange = None, campaign.exchanges.get(recorded.moment.whole)
    if isinstance(recorded.event, OrdersAccepted):
        before = campaign.sheets.get((recorded.event.moment, recorded.event.role))
    schedule = campaign.terms.schedule(exchange.name if exchange else "")
    words = heard(campaign.words, recorded, schedule, again=before is not None and not before.kept)
    return campaign if words is campaign.words else replace(campaign, words=words)


def _sheet(campaign: Campaign, recorded: Recorded, event: OrdersAccepted | OrdersKept) -> Campaign:
    key = (event.moment, event.role)
    read = isinstance(event, OrdersAccepted)
    sheet = Sheet(
        role=event.role,
        moment=event.moment,
        receipt=event.receipt,
        text=event.text,
        digest=event.digest,
        seq=recorded.seq,
        at=recorded.at,
        orders=event.orders if isinstance(event, OrdersAccepted) else (),
        told=event.told if isinstance(event, OrdersAccepted) else (),
        beside=event.beside if isinstance(event, OrdersAccepted) else 0,
        kept=not read,
    )
    campaign = replace(campaign, sheets={**campaign.sheets, key: sheet})
    if isinstance(event, OrdersAccepted) and event.word and key not in campaign.given:
        campaign = replace(campaign, given={**campaign.given, key: event.word})
    return campaign


def _asked_for_words(campaign: Campaign, moment: Moment) -> Campaign:
    """The seeds of *moment* were promised now: what was given before was known, and is no word any more."""
    return replace(campaign, given={key: gave for key, gave in campaign.given.items() if key[0] != moment})


def _unsaid(campaign: Campaign, role: Role) -> Campaign:
    """Another player of *role* is invited, or none, as long as the campaign has not started: no answer of his came."""
    if campaign.started:
        return campaign
    return replace(campaign, given={key: gave for key, gave in campaign.given.items() if key[1] != role})


def _without(campaign: Campaign, moment: Moment, role: Role) -> Campaign:
    return replace(campaign, sheets={k: v for k, v in campaign.sheets.items() if k != (moment, role)})


def _called(campaign: Campaign, moment: Moment, roles: Collection[Role] | None) -> Campaign:
    """What waited for the next call of *roles* (None: of all) is now for *moment*; the newest counts."""
    sheets = dict(campaign.sheets)
    for (at, role), sheet in campaign.sheets.items():
        if at.waits and (roles is None or role in roles):
            del sheets[at, role]
            there = sheets.get((moment, role))
            if there is None or there.seq < sheet.seq:
                sheets[moment, role] = replace(sheet, moment=moment)
    return replace(campaign, sheets=sheets)


def _moved(halt: Halt, steps: tuple[StepHours, ...]) -> Halt:
    """A halt whose run has other hours now."""
    return replace(halt, until=halt.hour(steps)) if halt.until else halt


def _halted(campaign: Campaign, moment: Moment, **changes: object) -> Campaign:
    """*campaign* with changes to the halt *moment*, to which the run came last."""
    halts = campaign.exchanges[moment.whole].halts
    return _change(campaign, moment.whole, halts=(*halts[:-1], replace(halts[-1], **changes)))


def _change(campaign: Campaign, moment: Moment, **changes: object) -> Campaign:
    changed = replace(campaign.exchanges[moment], **changes)
    return replace(campaign, exchanges={**campaign.exchanges, moment: changed})


def _cut(absences: tuple[Absence, ...], player: PlayerId, at: int) -> tuple[Absence, ...]:
    """The absences without what *player* has of them after *at*."""
    standing = [one for one in absences if one.player != player or one.since < at]
    return tuple(replace(one, until=min(one.until, at)) if one.player == player else one for one in standing)


def _fill(players: Mapping[Role, PlayerId], role: Role, player: PlayerId | None) -> dict[Role, PlayerId]:
    rest = {one: who for one, who in players.items() if one != role}
    return rest if player is None else {**rest, role: player}


def step(campaign: Campaign, recorded: Recorded) -> Campaign:
    """What one event of the log makes of a campaign.  Facts of the game change nothing here."""
    campaign = replace(campaign, last_seq=recorded.seq)
    event: Event = recorded.event
    campaign = _hearing(campaign, recorded)
    if isinstance(event, SHEET_RECEIPTS):
        campaign = replace(campaign, receipts={**campaign.receipts, event.role: event.receipt})
    match event:
        case CampaignOpened():
            terms = Terms(release=event.release, trust=event.trust, hours=event.hours, zone=event.zone)
            opened = {"id": event.campaign, "opened": event, "opened_at": recorded.at, "muster": event.muster}
            return replace(campaign, terms=terms, **opened)
        case TermsSet():
            campaign = replace(campaign, terms=event.terms)
            exchange = campaign.exchange
            if exchange is None:
                return campaign
            return _change(campaign, exchange.moment, grace=event.terms.schedule(exchange.name).grace * HOUR)
        case RulesPinned():
            return replace(campaign, rules=event)
        case CampaignUpgraded() if campaign.rules:
            return replace(campaign, rules=replace(campaign.rules, version=event.version, content=event.content))
        case PlayerEnrolled() | PlayerReplaced():
            return _unsaid(replace(campaign, players=_fill(campaign.players, event.role, event.player)), event.role)
        case PlayerWithdrew():
            return _unsaid(replace(campaign, players=_fill(campaign.players, event.role, None)), event.role)
        case InvitationAnswered():
            return replace(campaign, given={**campaign.given, (recorded.moment, event.role): event.word})
        case AbsenceBooked():
            booked = Absence(event.player, event.since, event.until, event.days, recorded.seq)
            return replace(campaign, absences=(*campaign.absences, booked))
        case AbsenceCancelled():
            return replace(campaign, absences=_cut(campaign.absences, event.player, recorded.at))
        case CampaignStarted():
            return replace(campaign, started=recorded.seq, muster=event.promises)
        case CampaignPaused():
            return replace(campaign, paused_at=recorded.at, paused=event.reason)
        case CampaignResumed():
            queries = {
                key: replace(one, until=one.until + event.later) if one.until > campaign.paused_at else one
                for key, one in campaign.queries.items()
            }
            return replace(campaign, paused_at=0, paused="", resumed_at=recorded.at, queries=queries)
        case ExchangeOpened():
            exchange = Exchange(
                moment=event.moment,
                name=event.name,
                opened=recorded.seq,
                opened_at=recorded.at,
                promised_at=recorded.at,
                due=event.due,
                promises=event.promises,
                wall=event.wall,
                zone=event.zone,
                grace=campaign.terms.schedule(event.name).grace * HOUR,
                steps=event.steps,
            )
            campaign = _asked_for_words(campaign, event.moment)
            campaign = replace(campaign, exchanges={**campaign.exchanges, event.moment: exchange}, now=event.moment)
            return _called(campaign, event.moment, None)
        case SeedsRenewed() if event.moment in campaign.exchanges:
            campaign = _asked_for_words(campaign, event.moment)
            return _change(campaign, event.moment, promises=event.promises, promised_at=recorded.at, known=0)
        case DeadlineMoved():
            spared = campaign.exchanges[event.moment].spared or event.why == "away"
            halts = tuple(_moved(halt, event.steps) for halt in campaign.exchanges[event.moment].halts)
            moved = {"due": event.due, "wall": event.wall, "zone": event.zone, "silence": "", "spared": spared}
            return _change(campaign, event.moment, steps=event.steps, halts=halts, **moved)
        case NmrRecorded():
            nmr = (*campaign.exchanges[event.moment].nmr, event)
            silence = "" if event.did == "extended" else event.did
            return _change(campaign, event.moment, nmr=nmr, silence=silence)
        case OrdersAccepted() | OrdersKept():
            return _sheet(campaign, recorded, event)
        case OrdersWithdrawn():
            return _without(campaign, event.moment, event.role)
        case WaitSet():
            return replace(campaign, waits={**campaign.waits, (event.moment, event.role): event.on})
        case QueryPut():
            return replace(campaign, queries={**campaign.queries, event.key: event})
        case QueryAnswered():
            open_queries = {key: query for key, query in campaign.queries.items() if key != event.key}
            return replace(campaign, queries=open_queries, answers={**campaign.answers, event.key: event.answer})
        case OrderFailed():
            return replace(campaign, failed=(*campaign.failed, event))
        case RulingMade():
            return replace(campaign, forced={**campaign.forced, **event.forced})
        case HaltReached():
            halts = campaign.exchanges[event.moment.whole].halts
            halt = Halt(event.moment, recorded.seq, event.step, event.urgent, event.roles)
            return _change(campaign, event.moment.whole, halts=(*halts, halt))
        case HaltAsked():
            asked = {"asked": recorded.seq, "asked_at": recorded.at, "until": event.until, "views": event.views}
            campaign = _halted(campaign, event.moment, **asked)
            return campaign if event.again else _called(campaign, event.moment, event.views)
        case HaltPassed():
            answers = {**campaign.answers, passed_key(event.moment): PASSED}
            return _halted(replace(campaign, answers=answers), event.moment, passed=True)
        case ExchangeResolved():
            return _change(campaign, event.moment, resolved=event, resolved_seq=recorded.seq)
        case ExchangeReleased():
            return _change(campaign, event.moment, open_seed=event.open_seed, words=event.words, released=True)
        case ExchangeAnnulled() if event.moment in campaign.exchanges and not event.stays_open:
            return _change(campaign, event.moment, known=recorded.seq)
        case ReportIssued():
            issued = Issued(event.moment, event.upto, event.view, event.page, recorded.seq, recorded.at, event.version)
            earlier = campaign.reports.get(event.role, ())
            remarks = {role: said for role, said in campaign.remarks.items() if role != event.role}
            return replace(campaign, reports={**campaign.reports, event.role: (*earlier, issued)}, remarks=remarks)
        case UmpireNoted():
            said = (*campaign.remarks.get(event.role, ()), Remark(event.text, recorded.at))
            return replace(campaign, remarks={**campaign.remarks, event.role: said})
        case CampaignEnded():
            return replace(campaign, ended=event)
        case _:
            return campaign


def campaign_of(log: Iterable[Recorded]) -> Campaign:
    """Fold a whole log, annulments respected, into the campaign that it tells of."""
    events = list(log)
    campaign = fold(valid(events), Campaign(), step)
    return replace(campaign, last_seq=events[-1].seq if events else 0)
