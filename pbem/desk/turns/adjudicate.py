"""An exchange is resolved: orders and dice become facts, and the facts pages, which wait until they are released.

One that is played in steps is resolved in stretches, from one private halt to the next (`halts`).

Nothing is written before all of it is known, and then all of it at once; if somebody wrote meanwhile, it is
worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.early import why_not
from pbem.desk.books.ended import ending
from pbem.desk.books.led_by_rules import missing
from pbem.desk.books.values import Change, changes
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.post import staging
from pbem.desk.post.entries import Entry, enter
from pbem.desk.reels.runs import standing_run
from pbem.desk.sheets.sheets import in_force, standing_orders
from pbem.desk.turns import deadline_moves, halts, publish, queries
from pbem.desk.turns.meanwhile import alone, entered, see_as_found
from pbem.desk.turns.pausing import see_going
from pbem.desk.turns.playing import Played, Plays
from pbem.desk.turns.publish import Released
from pbem.desk.worlds.foretold import Foretold, foretold
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.worlds import AnyWorld, fold, state_digest, world_at
from pbem.kernel.deadlines import HOUR, due_at
from pbem.kernel.errors import Refused
from pbem.kernel.event import Event, Outcome
from pbem.kernel.exchange import TO_PLAY, Exchange, Halt
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import (
    DryRunAsked,
    ExchangeResolved,
    HaltReached,
    OrderFailed,
    QueryAnswered,
    QueryPut,
)
from pbem.kernel.owed import Pause, Query
from pbem.orders.prose import listed
from pbem.reports.text.speech import phrase_later
from pbem.reports.text.times import in_zone
from pbem.rules.contract import Verdict
from pbem.rules.view import View
from pbem.storage import secrets
from pbem.storage.database import Connection

Settles = Literal["all", "the umpire's", "what nobody can answer"]
"""Which questions are answered at once by what is taken for silence; the wider ones take in the narrower."""


class Run(Struct, frozen=True, kw_only=True):
    """What a run came to."""

    campaign: CampaignId
    moment: Moment
    name: str
    number: int = 1
    """Which run of its exchange it is."""
    orders: Mapping[Role, int]
    """How many order lines of each role were played; a role that sent no sheet is not there."""
    facts: tuple[Outcome, ...] = ()
    failed: tuple[OrderFailed, ...] = ()
    """Orders that broke the engine and were left out."""
    asks: tuple[Query, ...] = ()
    """Questions that must be answered first; then nothing was resolved."""
    halt: Halt | None = None
    """The private halt at which the run now stands; then not all of it is resolved."""
    silent: tuple[Role, ...] = ()
    """Who was waited for and sent nothing."""
    views: Mapping[Role, View] = {}
    untold: tuple[Untold, ...] = ()
    """What the rules had no words for on these pages."""
    verdict: Verdict | None = None
    early: bool = False
    """Before the deadline: a sheet that comes in time voids it."""
    fixed: bool = False
    """It is played in steps, by hours that are fixed."""
    first: int = 0
    """The first event written; 0 for a dry run."""
    last: int = 0
    released: Released | None = None
    """What was made known at once; of a dry run, what would be made known."""
    told: tuple[Foretold, ...] = ()
    """Of a dry run, what would come to pass, in words."""
    changes: tuple[Change, ...] = ()
    """Of a dry run, what would differ in the truth."""


def run(
    office: Office,
    campaign: str,
    *,
    dry: bool = False,
    early: bool = False,
    defaults: bool = False,
    umpire: bool = True,
    found: Exchange | None = None,
) -> Run:
    """Resolve the open exchange of *campaign*; with release `auto`, make it known as well.

    One that is played in steps goes on to the next private halt, or those called at it are asked.  *dry* writes
    nothing but that it was asked.  *early* runs before the deadline though something is owed or a wait is on, and
    asks or goes on at a halt before its hour.  *defaults* takes for every open question what is taken when nobody
    answers, and without an *umpire* for those to him.  *found* is the exchange that is meant, as it stood when it was
    seen that it can be run.

    :raises Busy: if another run goes on, or has gone on meanwhile from what was *found*.
    :raises Refused: if there is nothing to run or not yet, or if the rules that are installed are not those of the
        campaign.
    """
    settles: Settles = "all" if defaults else "what nobody can answer" if umpire else "the umpire's"
    plays = Plays()

    def worked_out(connection: Connection) -> tuple[Entry, tuple[Run, Moment]]:
        dossier = dossiers.load(office, connection, campaign)
        see_as_found(dossier, found)
        see_rules(office, dossier)
        exchange = to_run(office, connection, dossier, early=early, dry=dry)
        entry = Entry(dossier, office.now(), "office")
        result = _go_on(office, connection, entry, exchange, plays, early=early, settles=settles)
        if dry:
            world, played = world_at(office, connection, dossier), entry.dossier
            result = replace(result, told=foretold(dossier, world, played), changes=_differs(dossier, world, played))
        reached = entry.dossier.exchange()
        due = entry.dossier.campaign.terms.release == "auto" and entry.at >= reached.reports
        if reached.state == "resolved" and (due or dry):
            result = replace(result, released=publish.enter_release(office, connection, entry))
        return entry, (result, exchange.moment)

    with alone(office, CampaignId(campaign)):
        if dry:
            with office.read() as connection:
                _, (done, moment) = worked_out(connection)
            _note_dry(office, campaign, moment)
            return done
        entry, (done, moment) = entered(office, worked_out, plays)
    if not entry.events:
        return done
    first = entry.dossier.seq - len(entry.events) + 1
    return replace(done, number=standing_run(entry.dossier, moment), first=first, last=entry.dossier.seq)


def _note_dry(office: Office, campaign: str, moment: Moment) -> None:
    """Write down that it was asked how *moment* would be run."""

    def build(connection: Connection) -> tuple[Entry, None]:
        entry = Entry(dossiers.load(office, connection, campaign), office.now(), office.by)
        entry.add(moment, DryRunAsked(moment=moment))
        return entry, None

    enter(office, build)


def _differs(dossier: Dossier, world: AnyWorld, played: Dossier) -> tuple[Change, ...]:
    """What is other in the truth when all is *played*."""
    return changes(dossier.system, world.truth, fold(played, world, after=dossier.seq).truth)


def answer(office: Office, campaign: str, key: str, text: str) -> QueryPut:
    """Answer an open question of the rules in the name of the GM.

    :raises Refused: if there is no such question, or *text* is none of the answers that it takes.
    """

    def build(connection: Connection) -> tuple[Entry, QueryPut]:
        dossier = dossiers.load(office, connection, campaign)
        query = dossier.campaign.queries.get(key)
        if query is None:
            there = ", ".join(dossier.campaign.queries) or "none"
            raise Refused(f'there is no open question "{key}".  Open: {there}.')
        if query.options and text not in query.options:
            raise Refused(f'"{text}" does not answer it.  One of: {", ".join(query.options)}.')
        entry = Entry(dossier, office.now(), office.by)
        entry.add(query.moment, QueryAnswered(moment=query.moment, key=key, answer=text, by="gm"))
        queries.answered_for(connection, entry, query, text)
        return entry, query

    return enter(office, build)


def see_rules(office: Office, dossier: Dossier) -> None:
    """See that the rules installed are those that the campaign is pinned to, or continue them.

    :raises Refused: if they are not.
    """
    pinned = dossier.campaign.rules
    if pinned is None or pinned.content in dossiers.alike(office, dossier.system):
        return
    there = dossiers.installed(office, dossier.system)
    raise Refused(
        f"{dossier.id} is pinned to {pinned.system} {pinned.version}, content {pinned.content[:8]}…; the installed "
        f"{dossier.system.version} is {there[:8]}….  What that would change: pbem campaign upgrade {dossier.id}"
    )


def began(dossier: Dossier, exchange: Exchange) -> int:
    """The first event of the run that resolved *exchange*, if only in part: what an annulment of it voids from.

    :raises Refused: if it was not run.
    """
    if exchange.state == "open":
        raise Refused(f"turn {exchange.moment} is not resolved.")
    resolved = next(
        one
        for one in dossier.own
        if one.seq > exchange.opened and isinstance(one.event, ExchangeResolved | HaltReached)  # rulings may follow it
    )
    before = {one.seq: one for one in dossier.log.own}  # what is not in it is a fact
    seq = max(resolved.seq - getattr(resolved.event, "facts", 0), 1)
    while (earlier := before.get(seq - 1)) and isinstance(earlier.event, OrderFailed | QueryPut | QueryAnswered):
        if (earlier.at, earlier.actor) != (resolved.at, resolved.actor):
            break
        seq -= 1
    return seq


def open_to_run(dossier: Dossier) -> Exchange:
    """The exchange that can be resolved, or resolved further.

    :raises Refused: if there is none.
    """
    if dossier.campaign.ended:
        raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
    exchange = dossier.exchange()
    if exchange.state not in ("open", "halted"):
        raise Refused(
            f"turn {exchange.moment} is resolved already.  Look: pbem turn show {dossier.id}; "
            f"send: pbem turn release {dossier.id}"
        )
    return exchange


def to_run(office: Office, connection: Connection, dossier: Dossier, *, early: bool, dry: bool = False) -> Exchange:
    """The exchange that can be run now: its hour has come, or nothing more is waited for, or it is run *early*.

    :raises Refused: if there is none.
    """
    exchange = open_to_run(dossier)
    see_going(dossier)
    if early or exchange.known:
        return exchange
    if exchange.halt:
        _see_halt(office, dossier, exchange, exchange.halt)
        return exchange
    if dry or office.now() > exchange.deadline:
        return exchange
    pause = dossier.system.awaits(world_at(office, connection, dossier).truth)
    if reasons := why_not(dossier, pause, office.now(), office.settings.zone):
        raise Refused(
            f"the deadline of {exchange.moment} has not come, and {', '.join(reasons)}.  "
            f"Run it all the same: pbem turn run {dossier.id} --early --turn {exchange.moment}"
        )
    return exchange


def _see_halt(office: Office, dossier: Dossier, exchange: Exchange, halt: Halt) -> None:
    """See that the hour has come at which the run goes on from *halt*, or those called at it are asked.

    :raises Refused: if it has not.
    """
    at, zone = office.now(), office.settings.zone
    anyhow = f"All the same: pbem turn run {dossier.id} --early --turn {exchange.moment}"
    if not halt.asked and not halt.passed and at < exchange.steps[halt.step - 1].interim and not halt.urgent:
        hour = in_zone(exchange.steps[halt.step - 1].interim, zone)
        raise Refused(f"{listed(halt.roles)} will be asked at {halt.moment}, {hour}.  {anyhow}")
    if halt.asked and halt.until and not halts.goes_on(dossier, halt, at):
        hour = in_zone(halt.until, zone)
        raise Refused(f"{listed(halt.roles)} may answer {halt.moment} until {hour}.  {anyhow}")


def _go_on(
    office: Office,
    connection: Connection,
    entry: Entry,
    exchange: Exchange,
    plays: Plays,
    *,
    early: bool,
    settles: Settles,
) -> Run:
    """Enter what the exchange comes to, up to a halt at which somebody is asked, or will be.

    Of one whose dice are known nobody is asked anew, at a halt or by the rules.
    """
    late = exchange.state == "open" and exchange.steps and entry.at >= exchange.steps[0].interim
    if late and not early and not exchange.known:
        due = due_at(-(-entry.at // HOUR) * HOUR, entry.dossier.campaign.terms.zone)
        deadline_moves.move(office, connection, entry, due, LATE, "late")
    parts: list[Run] = []
    while True:
        now = entry.dossier.exchange()
        if now.halt and not now.halt.asked and not now.halt.passed:
            if now.known:
                halts.as_before(office, connection, entry)
                continue
            pause = entry.dossier.system.awaits(world_at(office, connection, entry.dossier).truth)
            verdict = halts.judge(now, now.halt, pause, entry.at)
            if verdict == "pass" and not early:
                halts.pass_over(entry)
                continue
            if verdict == "ask" or early:
                halts.ask(office, connection, entry, by_hand=early)
            return _joined(entry, now, parts)
        parts.append(_resolve(office, connection, entry, now, settles, plays))
        if parts[-1].asks or entry.dossier.exchange().resolved:
            return _joined(entry, now, parts)


LATE = phrase_later("Play could not begin at its hour; all hours that follow are counted anew.")
"""Why the hours of a run were moved that began late."""


def _joined(entry: Entry, exchange: Exchange, parts: Sequence[Run]) -> Run:
    """What one run came to, of the stretches that it played."""
    halt = entry.dossier.exchange().halt
    if not parts:
        return Run(campaign=entry.dossier.id, moment=exchange.moment, name=exchange.name, orders={}, halt=halt)
    facts = tuple(fact for part in parts for fact in part.facts)
    failed = tuple(one for part in parts for one in part.failed)
    return replace(parts[-1], orders=parts[0].orders, facts=facts, failed=failed, silent=parts[0].silent, halt=halt)


def _resolve(
    office: Office, connection: Connection, entry: Entry, exchange: Exchange, settles: Settles, plays: Plays
) -> Run:
    """Enter all that the exchange comes to, up to its next halt; if the rules ask, only their questions."""
    dossier = entry.dossier
    world = world_at(office, connection, dossier)
    orders = standing_orders(dossier, exchange.address)
    seeds = secrets.get(connection, dossier.id, exchange.promises)

    def attempt(answers: Mapping[str, str]) -> Played:
        return plays.play(dossier, world, orders, answers, exchange.address, seeds)

    played, settled = _settled(entry, exchange, settles, attempt)
    ran = Run(
        campaign=dossier.id,
        moment=exchange.moment,
        name=exchange.name,
        orders={role: len(in_force(dossier.campaign.sheets[exchange.address, role])) for role in orders},
        failed=played.failed,
        asks=played.resolution.asks,
        silent=missing(dossier, dossier.system.awaits(world.truth)),
        early=entry.at <= exchange.deadline and not exchange.known,
        fixed=bool(exchange.steps),
    )
    if ran.asks:
        _enter_questions(connection, entry, exchange, settled, ran.asks)
        return ran
    ran = replace(ran, facts=played.resolution.facts)
    entry.add(exchange.moment, *settled, *played.failed, *ran.facts)
    entry.remember(played.world)
    verdict = dossier.system.verdict(played.world.truth)
    reached = dossier.system.awaits(played.world.truth) if verdict is None else None
    if reached and reached.moment.halt:
        _enter_halt(office, entry, exchange, reached, played)
        return ran
    made, digests = staging.stage(office, connection, entry, exchange.moment, played.world)
    resolved = ExchangeResolved(
        moment=exchange.moment,
        version=dossier.system.version,
        content=dossiers.installed(office, dossier.system),
        facts=len(ran.facts),
        state=state_digest(played.world),
        views=digests,
        defaults=_silent(office, connection, dossier, exchange) if exchange.halts else ran.silent,
    )
    entry.add(exchange.moment, resolved)
    return replace(ran, views=made.views, untold=made.untold, verdict=verdict)


def _settled(
    entry: Entry, exchange: Exchange, settles: Settles, attempt: Callable[[Mapping[str, str]], Played]
) -> tuple[Played, list[Event]]:
    """What play comes to by *attempt*, each question answered that is settled at once; and these answers, as events."""
    asked, answers = entry.dossier.campaign.queries, dict(entry.dossier.campaign.answers)
    settled: list[Event] = []
    while True:
        played = attempt(answers)
        silent = [query for query in played.resolution.asks if _is_settled(entry, exchange, query, settles)]
        if not silent:
            return played, settled
        for query in silent:
            answered = _as_before(entry.dossier, exchange, query)
            answers[query.key] = answered.answer
            if query.key not in asked:
                settled.append(_put(entry, exchange, query))
            settled.append(answered)


def _enter_questions(
    connection: Connection, entry: Entry, exchange: Exchange, settled: Sequence[Event], asks: Sequence[Query]
) -> None:
    """Enter the questions that are open, after what is *settled*, and ask those that were not put before."""
    put = [_put(entry, exchange, one) for one in asks if one.key not in entry.dossier.campaign.queries]
    entry.add(exchange.moment, *settled, *put)
    for asked in put:
        queries.ask(connection, entry, asked)


def _enter_halt(office: Office, entry: Entry, exchange: Exchange, reached: Pause, played: Played) -> None:
    """Enter that play has come to a private halt."""
    system = entry.dossier.system
    halt = HaltReached(
        moment=reached.moment,
        version=system.version,
        content=dossiers.installed(office, system),
        facts=len(played.resolution.facts),
        state=state_digest(played.world),
        roles=tuple(call.role for call in reached.calls),
        step=reached.step,
        urgent=reached.urgent,
    )
    halts.see_reached(exchange, halt)
    entry.add(exchange.moment, halt)


def _silent(office: Office, connection: Connection, dossier: Dossier, exchange: Exchange) -> tuple[Role, ...]:
    """Who was waited for when *exchange* was run, and had sent nothing."""
    world = world_at(office, connection, dossier, exchange.opened)
    return missing(dossier, pages.pause_of(dossier.system, world, exchange.moment))


def _is_settled(entry: Entry, exchange: Exchange, query: Query, settles: Settles) -> bool:
    """Whether what is taken for silence answers *query* at once: where nobody is there to ask, or no time is left."""
    if settles == "all":
        return True
    if query.to is None:
        return settles == "the umpire's"
    if exchange.known:
        return True
    return query.to not in entry.dossier.campaign.players or _until(entry, exchange) < entry.at


def _as_before(dossier: Dossier, exchange: Exchange, query: Query) -> QueryAnswered:
    """What settles *query*: silence; where the dice are known, what its role answered in the run that was annulled."""
    given = [
        one.event
        for one in dossier.log.own
        if isinstance(one.event, QueryAnswered) and one.event.key == query.key and exchange.opened < one.seq
    ]
    if exchange.known and query.to is not None and given:
        return replace(given[-1], moment=exchange.address)
    return QueryAnswered(moment=exchange.address, key=query.key, answer=query.otherwise, by="default")


def _until(entry: Entry, exchange: Exchange) -> int:
    """The hour at which a role that is asked a question is no longer waited for.

    In a run by steps it is that of the step, so that no hour of anybody else depends on it.
    """
    if exchange.steps:
        step = exchange.halts[-1].step - (1 if exchange.halts[-1].urgent else 0) if exchange.halts else 0
        return exchange.steps[min(step, len(exchange.steps) - 1)].interim - TO_PLAY
    return max(exchange.closes, entry.at + entry.dossier.campaign.terms.extension * HOUR)


def _put(entry: Entry, exchange: Exchange, query: Query) -> QueryPut:
    return QueryPut(
        moment=exchange.address,
        key=query.key,
        to=query.to,
        rule=query.rule,
        asks=query.asks,
        options=query.options,
        otherwise=query.otherwise,
        until=_until(entry, exchange) if query.to in entry.dossier.campaign.players else 0,
    )
