"""What was resolved is made known: seeds revealed, the next exchange opened, reports issued; or the game ended.

Everything of a release is one entry.  The files in `reports/` (`pages.files`) are written after it; they are copies,
and `pbem report export` writes them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Owed, Says
from pbem.desk.books.seeds import promises_of, words_of
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import Office, public_key
from pbem.desk.pages import opened, pages
from pbem.desk.pages.pages import SET_UP, Report
from pbem.desk.post import calendar, staging
from pbem.desk.post.entries import Entry, enter, hash_at
from pbem.desk.post.letters import Briefing, briefing_letter, in_its_form
from pbem.desk.post.post import in_game, report_cause, to_player
from pbem.desk.reels import closing
from pbem.desk.sheets import kept_sheets
from pbem.desk.turns import absences, lateness, showing, stand_ins
from pbem.desk.turns.meanwhile import see_as_found
from pbem.desk.turns.pausing import see_going
from pbem.desk.worlds.worlds import AnyWorld, world_at
from pbem.kernel.deadlines import due_after, steps
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import CampaignEnded, ExchangeOpened, ExchangeReleased, ReportIssued
from pbem.kernel.owed import Pause
from pbem.mail.leaving.compose import Attachment
from pbem.reports.text.speech import speaking
from pbem.reports.text.times import in_zone
from pbem.rules.contract import Verdict
from pbem.rules.view import View
from pbem.storage import blobs, players, secrets
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Released(Struct, frozen=True):
    """What a release made known."""

    campaign: CampaignId
    moment: Moment
    next: Moment | None
    due: int | None
    verdict: Verdict | None
    reports: Mapping[Role, Report]


class Made(Struct, frozen=True):
    """The pages of *moment* as they are issued: whoever is sent one may then know the log up to *upto*."""

    moment: Moment
    views: Mapping[Role, View]
    upto: int


def release(office: Office, campaign: str, *, early: bool = False, found: Exchange | None = None) -> Released:
    """Make known what was resolved; *early*, before the hour of its reports, if that was fixed.

    *found* is the exchange that is meant, as it stood when it was seen that it can be released.

    :raises Busy: if it was gone on with meanwhile.
    :raises Refused: if nothing waits to be released, or the hour has not come.
    """

    def build(connection: Connection) -> tuple[Entry, Released]:
        dossier = dossiers.load(office, connection, campaign)
        see_as_found(dossier, found)
        exchange = dossier.exchange()
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over: all of it was released.")
        see_going(dossier)
        if exchange.state != "resolved":
            raise Refused(f"turn {exchange.moment} is not resolved yet.  First: pbem turn run {dossier.id}")
        entry = Entry(dossier, office.now(), office.by)
        if entry.at < exchange.reports and not early:
            hour = in_zone(exchange.reports, office.settings.zone)
            raise Refused(
                f"the reports of {exchange.moment} leave {hour}, whoever was asked meanwhile.  "
                f"Now all the same: pbem turn release {dossier.id} --early --turn {exchange.moment}"
            )
        return entry, enter_release(office, connection, entry)

    return enter(office, build)


def enter_release(office: Office, connection: Connection, entry: Entry) -> Released:
    """Enter the release of the exchange that was resolved last."""
    exchange = entry.dossier.exchange()
    moment, resolved = exchange.moment, exchange.resolved
    assert resolved is not None, f"{moment} is resolved"
    upto = exchange.resolved_seq
    seeds = secrets.get(connection, entry.dossier.id, exchange.promises)
    system, world = entry.dossier.system, world_at(office, connection, entry.dossier)
    sealed = system.seals is not None and system.seals(world.truth)
    words = words_of(entry.dossier.campaign, moment, seeds.closed)
    out = tuple(sorted(system.out(world.truth))) if system.out is not None else ()
    open_seed = "" if sealed else seeds.open.hex()
    entry.add(moment, ExchangeReleased(moment=moment, open_seed=open_seed, words=words, out=out))
    verdict: Verdict | None = system.verdict(world.truth)
    whole: tuple[Attachment, ...] = ()
    if verdict is None:
        lateness.reckon(connection, entry)
        open_exchange(office, entry, world)
    else:
        whole = end(office, connection, entry, verdict)
    stand_ins.over(connection, entry, proxies=True)
    made = Made(moment, _views(connection, entry, resolved.views), upto)
    reports = issue(office, connection, entry, made, whole=verdict is not None)
    stand_ins.over(connection, entry, proxies=False)
    if entry.dossier.campaign.ended:
        showing.show_all(connection, entry, whole)
    else:
        showing.show(connection, entry)
    following = entry.dossier.campaign.exchange if verdict is None else None
    if following:
        kept_sheets.read_now(office, connection, entry)
    return Released(
        campaign=entry.dossier.id,
        moment=moment,
        next=following.moment if following else None,
        due=following.deadline if following else None,
        verdict=verdict,
        reports=reports,
    )


def open_play(office: Office, connection: Connection, entry: Entry) -> None:
    """Enter the beginning of play after the muster: the first exchange, and a briefing for every role."""
    upto = entry.dossier.seq
    world = world_at(office, connection, entry.dossier)
    entry.remember(world)
    made, _ = staging.stage(office, connection, entry, SET_UP, world)
    open_exchange(office, entry, world)
    issue(office, connection, entry, Made(SET_UP, made.views, upto))
    showing.show(connection, entry)


def open_exchange(office: Office, entry: Entry, world: AnyWorld) -> None:
    """Enter the opening of the exchange that *world* awaits, with fresh seeds, due as the terms say, from now on."""
    pause: Pause = entry.dossier.system.awaits(world.truth)
    promised = entry.promise(str(pause.moment), office.fresh_seeds())
    terms = entry.dossier.campaign.terms
    schedule = terms.schedule(pause.name)
    if hours := entry.dossier.campaign.next_hours:
        schedule = replace(schedule, hours=hours, least=None)
    due = due_after(entry.at, schedule, terms.zone)
    exchange = ExchangeOpened(
        moment=pause.moment,
        name=pause.name,
        due=(due.at,),
        promises=promised,
        wall=due.wall,
        zone=due.zone,
        steps=steps(due.at, pause.steps, schedule, terms.zone),
    )
    entry.add(pause.moment, exchange)
    absences.make_room(entry, pause)


def end(office: Office, connection: Connection, entry: Entry, verdict: Verdict) -> tuple[Attachment, ...]:
    """Enter the end of the game; every seed that was promised is revealed, if it is here, and everything is opened.

    Gives what goes to every player, and is kept: the page of the whole game, and the file in which it moves.
    """
    campaign = entry.dossier.campaign
    kept = {seeds.promises: seeds for seeds in secrets.listing(connection, entry.dossier.id)}
    closed: dict[str, str] = {}
    open_seeds: dict[str, str] = {}
    muster = kept.pop(campaign.muster, None) if campaign.muster else None
    if muster:
        closed["muster"] = muster.closed.hex()
    for place, exchange in sorted(campaign.exchanges.items()):
        seeds = kept.pop(exchange.promises, None)
        if seeds is None:
            continue
        closed[str(place)] = seeds.closed.hex()
        if exchange.released and not exchange.open_seed:
            open_seeds[str(place)] = seeds.open.hex()
    promised = {promises for _, promises in promises_of(entry.dossier)}
    former: dict[str, str] = {}
    for promises, seeds in kept.items():
        if promises in promised:
            former |= {promises.open: seeds.open.hex(), promises.closed: seeds.closed.hex()}
    moment = campaign.now or SET_UP
    whole = opened.made(office, connection, entry.dossier, verdict)
    ended = CampaignEnded(
        winner=verdict.winner,
        how=verdict.how,
        rules=tuple(verdict.rules),
        closed_seeds=closed,
        muster_seed=muster.open.hex() if muster else "",
        open_seeds=open_seeds,
        former_seeds=former,
        opened=entry.keep(whole) if whole else "",
    )
    game = closing.made(office, connection, entry.dossier.after([(moment, ended)], at=entry.at, actor=entry.actor))
    entry.add(moment, replace(ended, replay=entry.keep(game) if game else ""))
    return opened.attached(campaign.id, whole, game)


def issue(
    office: Office,
    connection: Connection,
    entry: Entry,
    made: Made,
    *,
    roles: Sequence[Role] | None = None,
    whole: bool = False,
) -> dict[Role, Report]:
    """Enter the reports that were *made*, to *roles* (None: all); gives them as they are read, their maps not drawn.

    With them goes the *whole* game, if it has ended.  They are owed with the entry, and written after it: a letter
    waits for its map, the game does not.
    """
    before, reports = entry.dossier, {}
    owes = calendar.owing(office, connection, before)
    head = hash_at(office, connection, entry, made.upto)
    for role in before.roles if roles is None else roles:
        player = players.get(connection, before.campaign.players[role]) if role in before.campaign.players else None
        page = pages.page_of(
            office,
            before,
            made.views[role],
            zone=player.zone if player else before.campaign.terms.zone,
            at=entry.at,
            earlier=pages.earlier_of(connection, before, role, made.moment),
            head=head,
        )
        report = pages.render(office, page, picture=False)
        reports[role] = report
        event = ReportIssued(
            role=role,
            moment=made.moment,
            upto=made.upto,
            view=blobs.digest_of(pages.written(made.views[role])),
            page=entry.keep(report.html.encode()),
            version=page.version,
        )
        entry.add(made.moment, event)
        if player is not None:
            due = calendar.deadline(office, before, role, owes=owes, at=entry.at)
            if made.moment == SET_UP:
                with speaking(before.campaign.language(role)):
                    first = briefing_letter(office, page, report, briefing(office, connection, before, role), *due)
                entry.write(office, connection, _owed(before, event, player, first, entry.at))
            else:
                says = in_its_form(office, before, page, due, whole=whole)
                entry.owe(_owed(before, event, player, says, entry.at))
    return reports


def _owed(before: Dossier, event: ReportIssued, player: Player, says: Says, at: int) -> list[Owed]:
    """The letter that brings a report, owed to its player: the first of all as a briefing."""
    return to_player(
        in_game(before, event.role, player),
        says,
        kind="briefing" if event.moment == SET_UP else "report",
        cause=report_cause(event.moment, event.role, event.version),
        at=at,
        moment=before.campaign.now,
    )


def _views(connection: Connection, entry: Entry, digests: Mapping[Role, str]) -> dict[Role, View]:
    """The views that were kept when the exchange was resolved, in this entry or before."""
    fresh = {kept.digest: kept for kept in entry.blobs}
    return {
        role: pages.read_view(blobs.bytes_of(fresh[digest]) if digest in fresh else blobs.fetch(connection, digest))
        for role, digest in digests.items()
    }


def briefing(office: Office, connection: Connection, dossier: Dossier, role: Role) -> Briefing:
    """What *role* is briefed with; without the scenario's own words if its files are no longer where they were."""
    key = public_key(office, connection)
    try:
        scenario = find_scenario(office.folder, dossier.opened.scenario)
    except (BadScenario, Refused):
        return Briefing("", "", key)
    return Briefing(scenario.briefing(role), scenario.rulebook(), key)
