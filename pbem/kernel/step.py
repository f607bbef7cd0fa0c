"""What each event of the log makes of a campaign: one function for each kind, and `MAKES`, the table of them.

Facts of the game stand in no entry, and change nothing here; `step` is done for every one of them, and is kept quick.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from pbem.kernel import proposal
from pbem.kernel.campaign import SHEET_RECEIPTS, Campaign, Remark, issued_by
from pbem.kernel.deadlines import HOUR, StepHours
from pbem.kernel.event import Event, Recorded
from pbem.kernel.exchange import Exchange, Halt, Sheet
from pbem.kernel.log import fold, valid
from pbem.kernel.lot import LOT
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    CampaignCut,
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
    HoursSet,
    NmrRecorded,
    OrderFailed,
    OrdersAccepted,
    OrdersKept,
    OrdersWithdrawn,
    ProposalClosed,
    ProposalMade,
    QueryAnswered,
    QueryPut,
    ReportIssued,
    RulesPinned,
    RulingMade,
    RunAsked,
    SeedsRenewed,
    TermsSet,
    UmpireNoted,
    VoteCast,
    WaitingCut,
    WaitSet,
)
from pbem.kernel.owed import PASSED, passed_key
from pbem.kernel.taking_part import OF_PEOPLE, Makes
from pbem.kernel.terms import Terms
from pbem.kernel.word import heard


def campaign_of(log: Iterable[Recorded]) -> Campaign:
    """Fold a whole log, annulments respected, into the campaign that it tells of."""
    events = list(log)
    campaign = fold(valid(events), Campaign(), step)
    return replace(campaign, last_seq=events[-1].seq if events else 0)


def step(campaign: Campaign, recorded: Recorded) -> Campaign:
    """What one event of the log makes of a campaign."""
    event: Event = recorded.event
    campaign = _hearing(replace(campaign, last_seq=recorded.seq), recorded)
    if isinstance(event, SHEET_RECEIPTS):
        campaign = replace(campaign, receipts={**campaign.receipts, event.role: event.receipt})
    makes = MAKES.get(type(event))
    return makes(campaign, recorded, event) if makes else campaign


def _hearing(campaign: Campaign, recorded: Recorded) -> Campaign:
    """*campaign* with the word that an event is."""
    before, exchange = None, campaign.exchanges.get(recorded.moment.whole)
    if isinstance(recorded.event, OrdersAccepted):
        before = campaign.sheets.get((recorded.event.moment, recorded.event.role))
    schedule = campaign.terms.schedule(exchange.name if exchange else "")
    words = heard(campaign.words, recorded, schedule, again=before is not None and not before.kept)
    return campaign if words is campaign.words else replace(campaign, words=words)


# The campaign, its rules and its players.


def _opened(campaign: Campaign, recorded: Recorded, event: CampaignOpened) -> Campaign:
    terms = Terms(release=event.release, trust=event.trust, hours=event.hours, zone=event.zone)
    campaign = replace(campaign, opened_at=recorded.at, promised_at=recorded.at)
    return replace(campaign, terms=terms, id=event.campaign, opened=event, muster=event.muster)


def _terms_set(campaign: Campaign, recorded: Recorded, event: TermsSet) -> Campaign:
    cut_short = campaign.cut_short if event.terms.late_after else frozenset()
    campaign = replace(campaign, terms=event.terms, cut_short=cut_short)
    exchange = campaign.exchange
    if exchange is None:
        return campaign
    return _change(campaign, exchange.moment, grace=event.terms.schedule(exchange.name).grace * HOUR)


def _pinned(campaign: Campaign, recorded: Recorded, event: RulesPinned) -> Campaign:
    return replace(campaign, rules=event)


def _upgraded(campaign: Campaign, recorded: Recorded, event: CampaignUpgraded) -> Campaign:
    if campaign.rules is None:
        return campaign
    return replace(campaign, rules=replace(campaign.rules, version=event.version, content=event.content))


def _started(campaign: Campaign, recorded: Recorded, event: CampaignStarted) -> Campaign:
    return replace(campaign, started=recorded.seq, muster=event.promises)


def _cut_off(campaign: Campaign, recorded: Recorded, event: CampaignCut) -> Campaign:
    return replace(campaign, cut=event)


def _paused(campaign: Campaign, recorded: Recorded, event: CampaignPaused) -> Campaign:
    campaign = replace(campaign, paused_at=recorded.at, paused=event.reason)
    return _change(campaign, campaign.now, asked=None) if campaign.now else campaign


def _resumed(campaign: Campaign, recorded: Recorded, event: CampaignResumed) -> Campaign:
    queries = {
        key: replace(one, until=one.until + event.later) if one.until > campaign.paused_at else one
        for key, one in campaign.queries.items()
    }
    proposals = proposal.resumed(campaign.proposals, campaign.paused_at, event.later)
    campaign = replace(campaign, queries=queries, proposals=proposals)
    return replace(campaign, paused_at=0, paused="", resumed_at=recorded.at)


def _ended(campaign: Campaign, recorded: Recorded, event: CampaignEnded) -> Campaign:
    return replace(campaign, ended=event)


# An exchange, from its opening to its release.


def _exchange_opened(campaign: Campaign, recorded: Recorded, event: ExchangeOpened) -> Campaign:
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
        observers=campaign.terms.observers,
        observers_delay=campaign.terms.observers_delay,
    )
    campaign = _asked_for_words(campaign, event.moment)
    exchanges, sheets = {**campaign.exchanges, event.moment: exchange}, _of_those_who_play(campaign, event.moment)
    campaign = replace(campaign, exchanges=exchanges, sheets=sheets, now=event.moment, next_hours=0)
    return _called(campaign, event.moment, None)


def _seeds_renewed(campaign: Campaign, recorded: Recorded, event: SeedsRenewed) -> Campaign:
    campaign, before = _asked_for_words(campaign, event.moment), campaign
    if event.moment == LOT and campaign.sign_up:
        return replace(campaign, sign_up=replace(campaign.sign_up, promises=event.promises))
    if not event.moment.exchange:
        return replace(campaign, muster=event.promises, promised_at=recorded.at)
    if event.moment not in campaign.exchanges:
        return before
    return _change(campaign, event.moment, promises=event.promises, promised_at=recorded.at, known=0)


def _deadline_moved(campaign: Campaign, recorded: Recorded, event: DeadlineMoved) -> Campaign:
    spared = campaign.exchanges[event.moment].spared or event.why == "away"
    halts = tuple(_moved(halt, event.steps) for halt in campaign.exchanges[event.moment].halts)
    asked = None if event.why == "gm" else campaign.exchanges[event.moment].asked  # his newest word counts
    moved = {"due": event.due, "wall": event.wall, "zone": event.zone, "silence": "", "spared": spared}
    return _change(campaign, event.moment, steps=event.steps, halts=halts, asked=asked, **moved)


def _nmr_recorded(campaign: Campaign, recorded: Recorded, event: NmrRecorded) -> Campaign:
    nmr = (*campaign.exchanges[event.moment].nmr, event)
    return _change(campaign, event.moment, nmr=nmr, silence="" if event.did == "extended" else event.did)


def _halt_reached(campaign: Campaign, recorded: Recorded, event: HaltReached) -> Campaign:
    halts = campaign.exchanges[event.moment.whole].halts
    halt = Halt(event.moment, recorded.seq, event.step, event.urgent, event.roles)
    return _change(campaign, event.moment.whole, halts=(*halts, halt), asked=None)


def _halt_asked(campaign: Campaign, recorded: Recorded, event: HaltAsked) -> Campaign:
    asked = {"asked": recorded.seq, "asked_at": recorded.at, "until": event.until, "views": event.views}
    campaign = _change(_halted(campaign, event.moment, **asked), event.moment.whole, asked=None)
    return campaign if event.again else _called(campaign, event.moment, event.views)


def _halt_passed(campaign: Campaign, recorded: Recorded, event: HaltPassed) -> Campaign:
    answers = {**campaign.answers, passed_key(event.moment): PASSED}
    return _halted(replace(campaign, answers=answers), event.moment, passed=True)


def _run_asked(campaign: Campaign, recorded: Recorded, event: RunAsked) -> Campaign:
    return _change(campaign, event.moment, asked=event)


def _resolved(campaign: Campaign, recorded: Recorded, event: ExchangeResolved) -> Campaign:
    return _change(campaign, event.moment, resolved=event, resolved_seq=recorded.seq, asked=None)


def _released(campaign: Campaign, recorded: Recorded, event: ExchangeReleased) -> Campaign:
    change = {"open_seed": event.open_seed, "words": event.words, "out": event.out}
    return _change(campaign, event.moment, **change, released=True)


def _annulled(campaign: Campaign, recorded: Recorded, event: ExchangeAnnulled) -> Campaign:
    if event.moment not in campaign.exchanges:
        return campaign
    campaign = _change(campaign, event.moment, asked=None)  # what was asked for was done
    if event.stays_open:
        return replace(campaign, sheets=_of_those_who_play(campaign, event.moment))
    return _change(campaign, event.moment, known=recorded.seq)


# What its roles wrote.


def _sheet(campaign: Campaign, recorded: Recorded, event: OrdersAccepted | OrdersKept) -> Campaign:
    key = (event.moment, event.role)
    sheet = Sheet(
        role=event.role,
        moment=event.moment,
        receipt=event.receipt,
        text=event.text,
        digest=event.digest,
        seq=recorded.seq,
        at=recorded.at,
        kept=True,
    )
    if isinstance(event, OrdersKept):
        return replace(campaign, sheets={**campaign.sheets, key: sheet})
    sheet = replace(sheet, orders=event.orders, told=event.told, beside=event.beside, kept=False)
    given = {**campaign.given, key: event.word} if event.word and key not in campaign.given else campaign.given
    return replace(campaign, sheets={**campaign.sheets, key: sheet}, given=given)


def _withdrawn(campaign: Campaign, recorded: Recorded, event: OrdersWithdrawn) -> Campaign:
    gone = (event.moment, event.role)
    return replace(campaign, sheets={key: sheet for key, sheet in campaign.sheets.items() if key != gone})


def _wait_set(campaign: Campaign, recorded: Recorded, event: WaitSet) -> Campaign:
    return replace(campaign, waits={**campaign.waits, (event.moment, event.role): event.on})


def _query_put(campaign: Campaign, recorded: Recorded, event: QueryPut) -> Campaign:
    if event.moment.whole in campaign.exchanges:
        campaign = _change(campaign, event.moment.whole, asked=None)
    return replace(campaign, queries={**campaign.queries, event.key: event})


def _query_answered(campaign: Campaign, recorded: Recorded, event: QueryAnswered) -> Campaign:
    still_open = {key: query for key, query in campaign.queries.items() if key != event.key}
    return replace(campaign, queries=still_open, answers={**campaign.answers, event.key: event.answer})


# What its roles vote on, and by what terms they are waited for.


def _proposed(campaign: Campaign, recorded: Recorded, event: ProposalMade) -> Campaign:
    proposals = proposal.made(campaign.proposals, event, seq=recorded.seq, at=recorded.at)
    return replace(campaign, proposals=proposals)


def _voted(campaign: Campaign, recorded: Recorded, event: VoteCast) -> Campaign:
    return replace(campaign, proposals=proposal.voted(campaign.proposals, event.key, event.role, yes=event.yes))


def _closed(campaign: Campaign, recorded: Recorded, event: ProposalClosed) -> Campaign:
    return replace(campaign, proposals=proposal.closed(campaign.proposals, event, at=recorded.at))


def _waiting_cut(campaign: Campaign, recorded: Recorded, event: WaitingCut) -> Campaign:
    others = campaign.cut_short - {event.role}
    return replace(campaign, cut_short=others | {event.role} if event.on else others)


def _hours_set(campaign: Campaign, recorded: Recorded, event: HoursSet) -> Campaign:
    return replace(campaign, next_hours=event.hours)


# What was decided, and what its roles were told.


def _order_failed(campaign: Campaign, recorded: Recorded, event: OrderFailed) -> Campaign:
    return replace(campaign, failed=(*campaign.failed, event))


def _ruled(campaign: Campaign, recorded: Recorded, event: RulingMade) -> Campaign:
    return replace(campaign, forced={**campaign.forced, **event.forced})


def _report_issued(campaign: Campaign, recorded: Recorded, event: ReportIssued) -> Campaign:
    issued = issued_by(event, recorded)
    earlier = campaign.reports.get(event.role, ())
    remarks = {role: said for role, said in campaign.remarks.items() if role != event.role}
    return replace(campaign, reports={**campaign.reports, event.role: (*earlier, issued)}, remarks=remarks)


def _noted(campaign: Campaign, recorded: Recorded, event: UmpireNoted) -> Campaign:
    said = (*campaign.remarks.get(event.role, ()), Remark(event.text, recorded.at))
    return replace(campaign, remarks={**campaign.remarks, event.role: said})


MAKES: Mapping[type[Event], Makes] = {
    **OF_PEOPLE,
    CampaignOpened: _opened,
    TermsSet: _terms_set,
    RulesPinned: _pinned,
    CampaignUpgraded: _upgraded,
    CampaignStarted: _started,
    CampaignPaused: _paused,
    CampaignResumed: _resumed,
    CampaignEnded: _ended,
    ExchangeOpened: _exchange_opened,
    SeedsRenewed: _seeds_renewed,
    CampaignCut: _cut_off,
    DeadlineMoved: _deadline_moved,
    NmrRecorded: _nmr_recorded,
    RunAsked: _run_asked,
    HaltReached: _halt_reached,
    HaltAsked: _halt_asked,
    HaltPassed: _halt_passed,
    ExchangeResolved: _resolved,
    ExchangeReleased: _released,
    ExchangeAnnulled: _annulled,
    OrdersAccepted: _sheet,
    OrdersKept: _sheet,
    OrdersWithdrawn: _withdrawn,
    WaitSet: _wait_set,
    QueryPut: _query_put,
    QueryAnswered: _query_answered,
    OrderFailed: _order_failed,
    RulingMade: _ruled,
    ReportIssued: _report_issued,
    UmpireNoted: _noted,
    ProposalMade: _proposed,
    VoteCast: _voted,
    ProposalClosed: _closed,
    WaitingCut: _waiting_cut,
    HoursSet: _hours_set,
}
"""By the kind of the event; one that is not here changes nothing of a campaign."""


def _asked_for_words(campaign: Campaign, moment: Moment) -> Campaign:
    """The seeds of *moment* were promised now: what was given before was known, and is no word any more."""
    return replace(campaign, given={key: gave for key, gave in campaign.given.items() if key[0] != moment})


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


def _of_those_who_play(campaign: Campaign, moment: Moment) -> dict[tuple[Moment, Role], Sheet]:
    """The sheets that stand when *moment* takes orders again: none from before its role changed hands."""
    afresh = campaign.afresh
    return {
        key: sheet for key, sheet in campaign.sheets.items() if key[0] != moment or sheet.seq > afresh.get(key[1], 0)
    }
