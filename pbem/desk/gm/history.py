"""A campaign's past: what came to pass, as the GM reads it or as one role knows it, at any moment.

What a role is shown is numbered by its own count, and holds no seq and no hash: both count hidden things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from pbem.desk.books import dossiers, shown
from pbem.desk.books.correspondence import whom
from pbem.desk.books.dossiers import Dossier, log_of
from pbem.desk.books.ended import ending
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.sheets.sheets import standing_orders
from pbem.desk.turns import adjudicate, votes
from pbem.desk.turns.playing import Played, play
from pbem.desk.worlds import telling, worlds
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel import office as kinds
from pbem.kernel.errors import Refused
from pbem.kernel.event import Event, Outcome, Recorded, kind_of
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.numbers import whole
from pbem.rules.contract import apply, form
from pbem.rules.leafing import span
from pbem.storage import secrets
from pbem.storage.database import Connection
from pbem.storage.secrets import Seeds


class Entry(Struct, frozen=True, kw_only=True):
    """One line of a history."""

    number: int
    """The seq; for a role, its own count."""
    at: int
    moment: Moment
    kind: str
    what: str
    valid: bool = True
    """Not annulled since."""
    ruling: int = 0
    """The ruling of the umpire that it follows from; 0: from none."""
    told: bool = False
    """It is told in words: what has none is bookkeeping of the rules."""
    event: Event
    """As the reader may know it."""


def entries(
    office: Office,
    campaign: str,
    *,
    role: str | None = None,
    turn: int | None = None,
    at: Moment | None = None,
    upto: int | None = None,
) -> list[Entry]:
    """The history of *campaign*: all of it, or what *role* knows; of one *turn*, or all.

    As it stood when *at* had been resolved, or after event *upto*; else as it stands.

    :raises Refused: if there is no such role or moment.
    """
    with office.read() as connection:
        dossier = as_of(dossiers.load(office, connection, campaign), at, upto)
        wanted = dossier.role(role) if role else None
        found = known_to(dossier, wanted) if wanted else all_of(dossier, turn)
        return [one for one in found if turn in (None, one.moment.turn)]


def is_of(entry: Entry, turn: str) -> bool:
    """Whether it is of a turn, an exchange, or a stretch of them: `4`, `4B`, `3-5`.

    :raises Refused: if *turn* names none.
    """
    first, last, _ = span(turn)
    return first <= entry.moment.whole <= last


def all_of(dossier: Dossier, turn: int | None = None) -> Iterator[Entry]:
    """The history as the GM reads it; with words for the facts of *turn* alone, or of all."""
    valid, world = {one.seq for one in dossier.valid}, dossier.blank
    for one in dossier.log:
        words = ""
        if isinstance(one.event, Outcome) and one.seq in valid:
            words = _recounted(dossier, one, world) if turn in (None, one.moment.turn) else ""
            world = apply(dossier.system, world, one.event)
        yield Entry(
            number=one.seq,
            at=one.at,
            moment=one.moment,
            kind=kind_of(one.event),
            what=words or in_a_line(one.event),
            valid=one.seq in valid,
            told=bool(words),
            event=one.event,
        )


def known_to(dossier: Dossier, role: Role) -> list[Entry]:
    """The history as *role* knows it: what its reports told, and what passed between it and the office.

    What a report told stands where it was told: when it was decided, and in how many stretches, is no concern of his.
    """
    horizon = dossier.campaign.horizon(role)
    tellings = [(one.upto, one.at, _began(dossier, one.seq)) for one in dossier.campaign.reports.get(role, ())]
    found: list[tuple[int, Entry]] = []
    world, ruling, ruled = dossier.blank, 0, 0
    for one in dossier.valid:
        event: Event | None
        if isinstance(one.event, kinds.RulingMade):
            ruling, ruled = one.seq, one.seq + one.event.facts
        if isinstance(one.event, Outcome):
            event = form(dossier.system, one.event, role) if one.seq <= horizon else None
            words = _told(dossier, one, world, role) if event else ""
            if one.seq <= horizon:
                world = apply(dossier.system, world, one.event)
        else:
            event, words = _own(dossier, one, role), ""
        if event is not None:
            at, place = one.at, one.seq
            if isinstance(event, Outcome):
                at, place = next(((at, began) for upto, at, began in tellings if upto >= one.seq), (at, place))
            entry = Entry(
                number=0,
                at=at,
                moment=one.moment,
                kind=kind_of(event),
                what=words or in_a_line(event),
                ruling=ruling if isinstance(event, Outcome) and one.seq <= ruled else 0,
                told=bool(words),
                event=event,
            )
            found.append((place, entry))
    ordered = sorted(found, key=itemgetter(0))
    return [msgspec.structs.replace(entry, number=number) for number, (_, entry) in enumerate(ordered, start=1)]


def rulings(known: Sequence[Entry]) -> list[Entry]:
    """Of what a role knows, what the umpire ruled: what was told in words, and where nothing was, plain values.

    Beside what is told of a ruling, and where there are records within records, the rest is bookkeeping.
    """
    told = {one.ruling for one in known if one.told}
    return [one for one in known if one.ruling and (one.told or (one.ruling not in told and shown.is_flat(one.event)))]


def _began(dossier: Dossier, seq: int) -> int:
    """The first event of those by which the report issued at *seq* was made known."""
    issued = dossier.log[seq - 1]
    while seq > 1:
        before = dossier.log[seq - 2]
        if (before.at, before.actor) != (issued.at, issued.actor) or not isinstance(before.event, _OF_TELLING):
            break
        seq -= 1
    return seq


def moment_of(office: Office, campaign: str, text: str) -> Moment:
    """The moment that *text* names: `S0`, `4B`; where it names only a turn, the last of it that was resolved.

    :raises Refused: if it names none, or nothing of that turn was resolved.
    """
    turn = whole(text)
    if turn is None:
        return Moment.parse(text)
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    of_turn = [at for at, one in dossier.campaign.exchanges.items() if at.turn == turn and one.resolved]
    if not of_turn:
        raise Refused(f"nothing of turn {text.strip()} is resolved yet.")
    return max(of_turn)


def show(office: Office, campaign: str, seq: int) -> dict[str, Any]:
    """Event *seq* of *campaign* whole: every column of the log.

    :raises Refused: if there is none.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        if not 1 <= seq <= dossier.seq:
            raise Refused(f"{dossier.id} has no event {seq}: its log has 1 to {dossier.seq}.")
        log = log_of(office, connection, dossier.system)
        one = dossier.log[seq - 1]
        return {
            "campaign": dossier.id,
            "seq": one.seq,
            "kind": kind_of(one.event),
            "turn": str(one.moment),
            "actor": one.actor,
            "recorded_at": one.at,
            "annulled": one not in dossier.valid,
            "event": shown.plain(one.event),
            "prev_hash": log.hash_at(dossier.id, seq - 1) or "",
            "hash": log.hash_at(dossier.id, seq) or "",
        }


def what_if(
    office: Office, connection: Connection, dossier: Dossier, *, other: tuple[bytes, bytes] | None = None
) -> Played:
    """What the open exchange of *dossier* would come to; of one that nobody wrote down, too.

    Open questions get the answers that are taken when nobody answers.  With two *other* seeds nothing is told of the
    dice to come.

    :raises Refused: if nothing is open, or the rules cannot play it.
    """
    exchange = adjudicate.open_to_run(dossier)
    world = worlds.world_at(office, connection, dossier)
    if other is None:
        seeds = secrets.get(connection, dossier.id, exchange.promises)
    else:
        seeds = Seeds(str(exchange.moment), *other, made_at=0)
    orders, answers = standing_orders(dossier, exchange.address), dict(dossier.campaign.answers)
    while True:
        played = play(dossier, world, orders, answers, exchange.address, seeds)
        if not played.resolution.asks:
            return played
        answers |= {query.key: query.otherwise for query in played.resolution.asks}


def as_of(dossier: Dossier, at: Moment | None, upto: int | None) -> Dossier:
    """The dossier as it stood when *at* had been resolved (and released, if it was before anything else was run)."""
    if upto is not None:
        if not 1 <= upto <= dossier.seq:
            raise Refused(f"{dossier.id} has no event {upto}: its log has 1 to {dossier.seq}.")
        return dossier.upto(upto)
    if at is None:
        return dossier
    if at == SET_UP:
        ends = [one.opened - 1 for one in dossier.campaign.exchanges.values()]
        end = min(ends, default=dossier.seq)
    else:
        exchange = dossier.exchange(at)
        if not exchange.resolved:
            raise Refused(f"turn {at} is not resolved yet.")
        end = exchange.resolved_seq
    while end < dossier.seq and isinstance(dossier.log[end].event, _OF_RELEASE):
        end += 1
    return dossier.upto(end)


_OF_RELEASE = (kinds.ExchangeReleased, kinds.ExchangeOpened, kinds.CampaignEnded, kinds.ReportIssued)
_OF_TELLING = (*_OF_RELEASE, kinds.HaltAsked, kinds.DeadlineMoved)


def _recounted(dossier: Dossier, recorded: Recorded, world: AnyWorld) -> str:
    """A fact in words for the GM: as it was, else as the first of the roles was told of it, who is named."""
    system, fact = dossier.system, recorded.event
    assert isinstance(fact, Outcome)
    try:
        whole = system.recount(dossier.scene, fact, world.truth) if system.recount else ()
    except Exception:
        whole = ()  # its fields say it, if no words do
    said = " ".join(filter(None, (shown.in_words(one) for one in whole)))
    for role in sorted(fact.known):
        told = telling.words(dossier, recorded, world, role) if not said else ()
        if not isinstance(told, Untold) and (words := " ".join(filter(None, map(shown.in_words, told)))):
            said = f"{role}: {words}"
    return said


def _told(dossier: Dossier, fact: Recorded, world: AnyWorld, role: Role) -> str:
    found = telling.words(dossier, fact, world, role)
    told = (telling.without_words(fact.moment),) if isinstance(found, Untold) else found
    said = [shown.in_words(one) for one in told if not one.line] or [shown.in_words(one) for one in told]
    return " ".join(one for one in said if one)


_KNOWN_TO_ALL = (
    *(kinds.CampaignOpened, kinds.CampaignStarted, kinds.RulesPinned, kinds.TermsSet, kinds.CampaignPaused),
    *(kinds.CampaignResumed, kinds.CampaignEnded, kinds.SignUpOpened, kinds.RolesDrawn, kinds.SeedsRenewed),
    *(kinds.ExchangeOpened, kinds.DeadlineMoved, kinds.ExchangeReleased, kinds.HoursSet, kinds.ProposalClosed),
)
_OF_ONE = (
    *(kinds.OrdersAccepted, kinds.OrdersKept, kinds.OrdersRefused, kinds.OrdersWithdrawn, kinds.WaitSet),
    *(
        kinds.ReadySaid,
        kinds.InvitationAnswered,
        kinds.FormChosen,
        kinds.LanguageChosen,
        kinds.StopSaid,
        kinds.DigestSet,
        kinds.LeaveSaid,
    ),
    *(kinds.WaitingCut, kinds.StandInNamed, kinds.StandInAnswered, kinds.StandInEnded),
)
"""Events that whoever plays their role knows of, and nobody else."""


def _own(dossier: Dossier, recorded: Recorded, role: Role) -> Event | None:
    """An event of the office, if *role* knows of it, as it does."""
    event = recorded.event
    if isinstance(event, _KNOWN_TO_ALL):
        return event
    if isinstance(event, _OF_ONE):
        return event if getattr(event, "role", None) == role else None
    match event:
        case kinds.ProposalMade():
            hidden = event.ballot.secret and event.by != role
            return msgspec.structs.replace(event, by=Role("") if hidden else event.by, message="")
        case kinds.VoteCast(role=whose) if whose == role or not event.secret:
            return msgspec.structs.replace(event, secret=False, message="")
        case kinds.ObserverAdmitted() | kinds.ObserverLeft():
            return msgspec.structs.replace(event, player=PlayerId(""))  # that somebody looks on, and not who
        case kinds.CampaignUpgraded():
            return msgspec.structs.replace(event, reason="")  # it may say what only the GM knows
        case kinds.CampaignCut():
            return msgspec.structs.replace(event, upto=0)  # it counts what he does not know of
        case kinds.HaltAsked(views=views) if role in views:
            return msgspec.structs.replace(event, views={role: views[role]})
        case kinds.ReportIssued(role=whose) if whose == role:
            return msgspec.structs.replace(event, upto=0)
        case kinds.ExchangeAnnulled() if _had_report(dossier, recorded.seq, event, role):
            return msgspec.structs.replace(event, since=0)
        case kinds.LetterSent(sender=sender) if sender == role:
            return event
        case kinds.LetterSent(to=to) if to == role:
            if event.signed:
                return msgspec.structs.replace(event, message="")
            return msgspec.structs.replace(event, sender=Role(""), message="", addressed=())
        case kinds.NoteMade(role=whose, player=player) if whose == role:
            # Who comes after him has his role, and not his diary.
            return event if dossier.campaign.players.get(role) == player else None
        case kinds.QueryPut(to=to) if to == role:
            return event
        case kinds.QueryAnswered(key=key) if _asked(dossier, key, role):
            return event
        case _:  # what is not named here is the GM's alone
            return None


def _asked(dossier: Dossier, key: str, role: Role) -> bool:
    """Whether a question was put to *role*."""
    return any(
        isinstance(one.event, kinds.QueryPut) and (one.event.key, one.event.to) == (key, role)
        for one in dossier.log.own
    )


def _had_report(dossier: Dossier, seq: int, annulled: kinds.ExchangeAnnulled, role: Role) -> bool:
    """Whether *role* had been sent a report of what was annulled at *seq*."""
    return any(
        isinstance(one.event, kinds.ReportIssued) and one.event.role == role
        for one in dossier.log.own
        if annulled.since <= one.seq < seq
    )


def in_a_line(event: Event) -> str:
    """What an event says, in one line."""
    say = WORDS.get(type(event))
    if say is not None:
        return say(event)
    said = [f"{name} {value}" for name, value in shown.fields(event)]
    if isinstance(event, Outcome) and event.dice:
        said.append("dice " + " ".join(str(face) for throw in event.dice for face in throw.faces))
    return ", ".join(said)


def _sheet(event: kinds.OrdersAccepted | kinds.OrdersKept) -> str:
    lines = len(event.text.splitlines())
    return f"{event.role}, {event.moment}, receipt {event.receipt}: {lines} line{'' if lines == 1 else 's'}"


def _ruling(event: kinds.RulingMade) -> str:
    said = "; ".join(event.directives)
    return f"{said} ({event.reason})" if event.reason else said


def _proposed(event: kinds.ProposalMade) -> str:
    by = "" if event.ballot.secret else f", by {event.by}"
    return f"{event.key}: {votes.what(event)}{by}" + (f": {event.reason}" if event.reason else "")


def _closed(event: kinds.ProposalClosed) -> str:
    counts = f", {event.yes} for it, {event.no} against" if event.yes is not None else ""
    return f"{event.key}, {event.what}: {event.how}{counts}" + (f", {event.why}" if event.why else "")


WORDS: dict[type[Event], Callable[[Any], str]] = {
    kinds.CampaignOpened: lambda event: f"{event.title}, {event.scenario}, roles {', '.join(event.roles)}",
    kinds.TermsSet: lambda event: event.reason or "new terms",
    kinds.RulesPinned: lambda event: f"{event.system} {event.version}, content {event.content[:8]}…",
    kinds.PlayerEnrolled: lambda event: f"{event.role}: {event.player}",
    kinds.PlayerReplaced: lambda event: f"{event.role}: {event.player} instead of {event.former}. {event.reason}",
    kinds.PlayerWithdrew: lambda event: f"{event.role}: {event.player}. {event.reason}",
    kinds.StandInNamed: lambda event: (
        f"{event.role}: {event.stand_in}, {f'{event.turns} turns' if event.turns else 'this exchange'}"
    ),
    kinds.StandInAnswered: lambda event: f"{event.role}: {event.stand_in} says {'yes' if event.accepts else 'no'}",
    kinds.StandInEnded: lambda event: f"{event.role}: {event.stand_in}. {event.why}",
    kinds.AbsenceBooked: lambda event: f"{event.player}: {event.days} days",
    kinds.AbsenceCancelled: lambda event: f"{event.player}. {event.reason}",
    kinds.SignUpOpened: lambda event: f"promised {event.promises.open[:8]}… {event.promises.closed[:8]}…",
    kinds.CandidateSigned: lambda event: f"{event.number}: {' or '.join(event.wishes) or 'any'}",
    kinds.CandidateLeft: lambda event: f"{event.player}. {event.reason}".rstrip(),
    kinds.RolesDrawn: lambda event: ", ".join(f"{role}: {number}" for role, number in event.roles.items()),
    kinds.InvitationAnswered: lambda event: f"{event.role}, word {event.word[:8]}…",
    kinds.CampaignStarted: lambda event: f"promised {event.promises.open[:8]}… {event.promises.closed[:8]}…",
    kinds.CampaignPaused: lambda event: event.reason,
    kinds.CampaignResumed: lambda event: event.reason or "it goes on",
    kinds.ExchangeOpened: lambda event: (
        f"{event.name}, promised {event.promises.open[:8]}… {event.promises.closed[:8]}…"
    ),
    kinds.SeedsRenewed: lambda event: (
        f"{event.moment} {event.why}, promised {event.promises.open[:8]}… {event.promises.closed[:8]}…"
    ),
    kinds.DeadlineMoved: lambda event: f"{event.moment}: {event.reason}",
    kinds.NmrRecorded: lambda event: f"{event.moment}: {', '.join(event.missing)}, {event.did}",
    kinds.MessageReceived: lambda event: f"{event.source} {event.digest[:8]}…",
    kinds.OrdersAccepted: _sheet,
    kinds.OrdersKept: _sheet,
    kinds.OrdersRefused: lambda event: f"{event.role}, receipt {event.receipt}: {event.reason}",
    kinds.OrdersWithdrawn: lambda event: f"{event.role}, {event.moment}, receipt {event.receipt}",
    kinds.WaitSet: lambda event: f"{event.role}, {event.moment}: {'on' if event.on else 'off'}",
    kinds.ReadySaid: lambda event: f"{event.role}, {event.moment}",
    kinds.ObserverAdmitted: lambda event: event.player or "somebody looks on",
    kinds.ObserverLeft: lambda event: f"{event.player or 'an observer'}. {event.reason}".rstrip(),
    kinds.TurnShown: lambda event: f"{event.moment}, {', '.join(event.eyes)}, up to event {event.upto}",
    kinds.FormChosen: lambda event: f"{event.role}: {event.form}",
    kinds.StopSaid: lambda event: f"{event.role}: {'no more' if event.on else 'again'} {event.what}",
    kinds.NoteMade: lambda event: f"{event.role} to himself: {event.text}",
    kinds.DigestSet: lambda event: f"{event.role}: a digest {f'at {event.at}' if event.at else 'no more'}",
    kinds.LanguageChosen: lambda event: f"{event.role}: {event.language}",
    kinds.LeaveSaid: lambda event: f"{event.role}: {event.what} {'may' if event.on else 'may not'} be shown",
    kinds.QueryPut: lambda event: f"{event.key}: {event.asks}",
    kinds.QueryAnswered: lambda event: f"{event.key}: {event.answer}, by {event.by}",
    kinds.OrderFailed: lambda event: f"{event.role}, line {event.line}: {event.text} ({event.error})",
    kinds.LetterSent: lambda event: (
        f"{event.sender or 'somebody'} to {event.to or 'the umpire'}"
        f"{f' (a letter to {whom(event)})' if event.addressed else ''}: {event.text}"
    ),
    kinds.RulingMade: _ruling,
    kinds.UmpireNoted: lambda event: f"to {event.role}: {event.text}",
    kinds.DryRunAsked: lambda event: f"{event.moment}",
    kinds.RunAsked: lambda event: f"{event.moment}" + (", open questions as for silence" if event.defaults else ""),
    kinds.CampaignForked: lambda event: f"{event.copy}, up to event {event.upto}",
    kinds.CampaignCut: lambda event: f"a copy, cut behind event {event.upto}",
    kinds.SeedsExported: lambda event: f"{event.moment}",
    kinds.HaltReached: lambda event: f"{event.moment}: {', '.join(event.roles)}, {event.facts} facts",
    kinds.HaltAsked: lambda event: f"{event.moment}: {', '.join(event.views)}",
    kinds.HaltPassed: lambda event: f"{event.moment}: too little time was left",
    kinds.ExchangeResolved: lambda event: f"{event.moment}, rules {event.version}, {event.facts} facts",
    kinds.ExchangeReleased: lambda event: (
        f"{event.moment}, seed {event.open_seed[:8]}… open" if event.open_seed else f"{event.moment}"
    ),
    kinds.ExchangeAnnulled: lambda event: (
        f"{event.moment}" + (f", from event {event.since}" if event.since else "") + f": {event.reason}"
    ),
    kinds.ReportIssued: lambda event: (
        f"{event.role}, {event.moment}" + (f", version {event.version}" if event.version > 1 else "")
    ),
    kinds.CampaignUpgraded: lambda event: (
        f"rules {event.version}, content {event.content[:8]}… {event.reason}".rstrip()
    ),
    kinds.CampaignEnded: ending,
    kinds.ProposalMade: _proposed,
    kinds.VoteCast: lambda event: (
        f"{event.key}: a vote" if event.secret else f"{event.key}: {event.role}, {'yes' if event.yes else 'no'}"
    ),
    kinds.ProposalClosed: _closed,
    kinds.WaitingCut: lambda event: (
        f"{event.role} is {'not ' if event.on else ''}waited for{'' if event.on else ' again'}, late {event.late} times"
    ),
    kinds.HoursSet: lambda event: f"the next exchange is due after {event.hours} hours. {event.reason}".rstrip(),
}
"""What is said of each kind of event of the office."""
