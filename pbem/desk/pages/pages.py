"""Pages: what one role is shown of a resolution, as a view, and that view as a report in every form.

A view is made when an exchange is resolved and kept by its digest; the report is made of the kept view when
it is released, and made again from it whenever somebody asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier, is_committed, log_of
from pbem.desk.office.office import Office
from pbem.desk.reels.reruns import lacking
from pbem.desk.worlds.telling import Account, Untold, tell
from pbem.desk.worlds.worlds import AnyWorld, world_at
from pbem.kernel.campaign import Campaign, Issued, issued_by
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange, Halt
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignEnded, CampaignStarted, ExchangeAnnulled, ReportIssued
from pbem.kernel.owed import Pause
from pbem.mail.leaving.compose import Attachment, Picture
from pbem.reports.maps.maps import as_png, sheet
from pbem.reports.pages.data import report_json
from pbem.reports.pages.environment import environment
from pbem.reports.pages.opened import opened_name
from pbem.reports.pages.report import Changes, Page, Sent, file_name, mail_body_html, report_html, report_text
from pbem.reports.replay.page import file_name as file_name_of_game
from pbem.reports.text.speech import ENGLISH, speaking
from pbem.resources import resources
from pbem.rules.contract import AnySystem, World
from pbem.rules.view import Told, View
from pbem.storage import blobs
from pbem.storage.database import Connection

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pbem.reports.maps.drawer import Drawer, Draws

SET_UP = Moment(0, 0)
"""The moment of the muster, and of the page that comes with the briefing: `S0`."""

MAP_WIDTH = 1200
"""Pixels of a map in a letter and in a file."""

DRAWER = "drawer"
"""Where an office keeps what draws its maps, while that is not itself."""

MOST_DRAWERS = 4
"""How many processes draw maps at most: each takes some 50 MB."""

_VIEW = msgspec.json.Decoder(View)


class Earlier(Struct, frozen=True):
    """The report of which another is a correction."""

    version: int
    reason: str
    """Why it holds no more, as its reader was told."""
    view: View | None
    """None: it is not kept."""
    sent: tuple[Sent, ...]
    """The sheets of its role that it told of."""


class Report(Struct, frozen=True):
    """A report in every form in which it leaves."""

    name: str
    """Without an ending: `report-4b-french`."""
    html: str
    text: str
    body: str
    """The HTML of the letter."""
    svg: str
    png: bytes
    data: bytes = b""
    """As JSON, if its reader wants that too."""


class Pages(Struct, frozen=True):
    """The pages of roles, and what the rules had no words for on them, which is for the GM alone."""

    views: dict[Role, View]
    untold: tuple[Untold, ...] = ()


def views(
    office: Office,
    connection: Connection,
    dossier: Dossier,
    moment: Moment,
    world: AnyWorld,
    roles: Sequence[Role] | None = None,
) -> Pages:
    """The page of each of *roles* (None: of all) after *moment* was resolved, or of a halt when it is asked.

    *world* is that at the end of *dossier*.

    :raises Refused: if the rules cannot make a page at all.
    """
    return views_of(dossier, moment, world, lambda seq: world_at(office, connection, dossier, seq), roles)


def views_of(
    dossier: Dossier,
    moment: Moment,
    world: AnyWorld,
    world_upto: Callable[[int], AnyWorld],
    roles: Sequence[Role] | None = None,
) -> Pages:
    """The same where earlier worlds are asked of *world_upto*, which is given the last event that counts."""
    account = told_in(dossier, moment, world_upto)
    pause = pause_of(dossier.system, world, moment)
    whose = dossier.roles if roles is None else roles
    made = {role: _view(dossier, moment, world, role, account.told[role], own_pause(pause, role)) for role in whose}
    return Pages(made, account.untold)


def _view(dossier: Dossier, moment: Moment, world: AnyWorld, role: Role, told: Sequence[Told], pause: Pause) -> View:
    system = dossier.system
    try:
        made: View = system.view(dossier.scene, world.minds[role], role, told, pause)
    except Exception as error:
        raise Refused(
            f"the rules {system.name} {system.version} cannot make the page of {role} for {moment}: "
            f"{type(error).__name__}: {error}.  Nothing was written."
        ) from error
    return replace(made, moment=moment)


def told_in(dossier: Dossier, moment: Moment, world_upto: Callable[[int], AnyWorld]) -> Account:
    """What each role was told of the turn of *moment* so far, up to the end of *dossier*.

    The page of the set-up tells of the muster; those after it do not repeat it.
    """
    opened = [one.opened for at, one in dossier.campaign.exchanges.items() if at.turn == moment.turn]
    of_turn = [
        one
        for one in dossier.facts(after=0 if moment == SET_UP else min(opened, default=0))
        if one.moment.turn == moment.turn and (one.moment.exchange > 0 or moment == SET_UP)
    ]
    if not of_turn:
        return Account({role: [] for role in dossier.roles})
    before = world_upto(of_turn[0].seq - 1)
    return tell(dossier, before, dossier.facts(after=of_turn[0].seq - 1))


def pause_of(system: AnySystem, world: World[Any, Any], moment: Moment) -> Pause:
    """Where play stands in *world*; with nobody called, if the game is over."""
    if system.verdict(world.truth) is None:
        return system.awaits(world.truth)
    return Pause(moment=moment, name="the game is over", calls=())


def pause_at(office: Office, connection: Connection, dossier: Dossier, upto: int, moment: Moment) -> Pause:
    """Where play stands after event *upto*.

    It is kept: who looks at all games asks for that of each, and most have not moved since.
    """
    kept, stamp = office.kept_of("campaigns", dossier.id), (upto, len(dossier.annulments), moment)
    if (held := kept.get("pause")) and held[0] == stamp:
        found: Pause = held[1]
        return found
    pause = pause_of(dossier.system, world_at(office, connection, dossier, upto), moment)
    if is_committed(office, dossier, upto):
        kept["pause"] = (stamp, pause)
    return pause


def own_pause(pause: Pause, role: Role) -> Pause:
    """The pause as *role* may see it: with its own calls alone."""
    calls = tuple(call for call in pause.calls if call.role == role)
    return Pause(
        moment=pause.moment, name=pause.name, calls=calls, step=pause.step, steps=pause.steps, urgent=pause.urgent
    )


def written(view: View) -> bytes:
    """A view as it is kept."""
    return msgspec.json.encode(view, order="deterministic")


def read_view(data: bytes) -> View:
    """A view as it was kept."""
    return _VIEW.decode(data)


def page_of(
    office: Office,
    dossier: Dossier,
    view: View,
    *,
    zone: str,
    at: int,
    earlier: Earlier | None,
    head: str,
) -> Page:
    """The page of a report: *dossier* is the campaign as it stands when the report is issued, *at* that time.

    *earlier* is the report of the same moment that it takes the place of.
    """
    campaign, opened = dossier.campaign, dossier.opened
    reported = campaign.exchanges.get(view.moment)
    halt = halt_of(campaign, view.moment)
    following = campaign.exchange if campaign.now != view.moment and not campaign.ended and not halt else None
    owes = bool(view.owed) and (following or halt) is not None
    opens = view.moment if halt else following.moment if following else None
    ended = campaign.ended
    seeds: Mapping[str, str] = ended.closed_seeds if ended else {}
    promised = reported.promises if reported else campaign.muster if view.moment == SET_UP else None
    set_up = _set_up(dossier) if view.moment == SET_UP else None
    rules = campaign.rules
    return Page(
        view=view,
        campaign=dossier.id,
        title=dossier.title,
        system=opened.system,
        rules=f"{rules.system} {rules.version}" if rules else opened.system,
        zone=zone,
        now=at,
        due=following.deadline if following else (halt.until or None) if halt else None,
        next=opens if owes else None,
        next_name=following.name if following else "",
        hours=hours_of(campaign.exchange, halt) if halt else hours_of(following),
        sent=_sent(dossier, view, reported),
        promised=promised,
        open_seed=reported.open_seed if reported else "",
        with_words=opened.words,
        words=tuple(sorted(made.words.items())) if (made := reported or set_up) else (),
        unanswered=set_up.unanswered if set_up else (),
        promises=following.promises if following else None,
        closed_seeds=_in_order(seeds),
        open_seeds=opened_at_the_end(ended) if ended else (),
        former_seeds=tuple(sorted(ended.former_seeds.items())) if ended else (),
        sealed=dossier.system.seals is not None and dossier.system.seals(dossier.blank.truth),
        opened=opened_name(dossier.id) if ended and ended.opened else "",
        replay=file_name_of_game(dossier.id) if ended and ended.replay else "",
        version=earlier.version + 1 if earlier else 1,
        correction=earlier.reason if earlier else "",
        changes=_changes(earlier.view, earlier.sent, view) if earlier and earlier.view else None,
        as_json=campaign.forms.get(view.role) == "json",
        head=head,
        reply=office.settings.address,
        remarks=tuple((said.text, said.at) for said in campaign.remarks.get(view.role, ())),
    )


def _set_up(dossier: Dossier) -> CampaignStarted | None:
    """How the field was set up, once it is."""
    event = dossier.log[dossier.campaign.started - 1].event if dossier.campaign.started else None
    return event if isinstance(event, CampaignStarted) else None


def opened_at_the_end(ended: CampaignEnded) -> tuple[tuple[str, str], ...]:
    """The open seeds that are revealed with the end of a game, by moment."""
    of_the_muster = (("muster", ended.muster_seed),) if ended.muster_seed else ()
    return (*of_the_muster, *_in_order(ended.open_seeds))


def _in_order(seeds: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Seeds by the moment that they were for, the muster's first: so a page is the same whenever it is made."""
    return tuple(sorted(seeds.items(), key=lambda one: Moment.parse(one[0]) if one[0] != "muster" else SET_UP))


def issued_page(
    office: Office, connection: Connection, dossier: Dossier, role: Role, issued: Issued, *, zone: str
) -> Page:
    """The page of a report as it was issued, one that holds no more too, from what was kept of it."""
    view = read_view(blobs.fetch(connection, issued.view))
    then = dossier.upto(_last_before_reports(dossier, issued.seq))
    head = log_of(office, connection, dossier.system).hash_at(dossier.id, issued.upto) or ""
    earlier = earlier_of(connection, dossier, role, issued.moment, before=issued.seq)
    page = page_of(office, then, view, zone=zone, at=issued.at, earlier=earlier, head=head)
    return replace(page, as_json=dossier.campaign.forms.get(role) == "json")


def issued_to(dossier: Dossier, role: Role, moment: Moment | None = None) -> list[Issued]:
    """Every report (None: of any moment) that *role* was ever issued, those that hold no more too, in their order."""
    return [
        issued_by(one.event, one)
        for one in dossier.log.own
        if isinstance(one.event, ReportIssued) and one.event.role == role and moment in (None, one.event.moment)
    ]


def earlier_of(
    connection: Connection, dossier: Dossier, role: Role, moment: Moment, *, before: int | None = None
) -> Earlier | None:
    """The newest report of *moment* that *role* was issued *before* that event (None: at all), if there is one.

    It is there when another follows: then what it told was annulled.
    """
    there = [one for one in issued_to(dossier, role, moment) if before is None or one.seq < before]
    if not there:
        return None
    last = there[-1]
    voided = dossier.voided_by(last.seq)
    annulment = dossier.log[voided - 1].event if voided else None
    kept = blobs.state(connection, last.view) == "kept"
    view = read_view(blobs.fetch(connection, last.view)) if kept else None
    then = dossier.upto(_last_before_reports(dossier, last.seq))
    return Earlier(
        version=last.version,
        reason=annulment.reason if isinstance(annulment, ExchangeAnnulled) else "",
        view=view,
        sent=_sent(then, view, then.campaign.exchanges.get(moment)) if view else (),
    )


def _changes(before: View, sent: tuple[Sent, ...], now: View) -> Changes:
    """What *now* tells otherwise than the view *before* it, of which the role *sent* the sheets."""
    return Changes(
        new=lacking(now.happened, before.happened),
        new_results=lacking(now.ordered, before.ordered),
        gone=tuple(before.happened[at] for at in lacking(before.happened, now.happened)),
        gone_results=tuple(before.ordered[at] for at in lacking(before.ordered, now.ordered)),
        sent=sent,
    )


def render(office: Office, page: Page, *, picture: bool = True) -> Report:
    """A page in every form; without *picture* its map is not drawn as a PNG, which takes most of the time.

    It is in the language of the game, whoever reads it and whoever has it made: the log says which page it is.
    """
    templates = resources("templates")
    env = environment(templates, office.templates)
    name = file_name(page).removesuffix(".html")
    drawn = sheet(page.view.picture)
    with speaking(ENGLISH):
        return Report(
            name=name,
            html=report_html(page, env),
            text=report_text(page, env),
            body=mail_body_html(page, env, map_cid=_cid(office, page)),
            svg=drawn,
            png=_draws(office)(page.view.picture, templates / "fonts", width=MAP_WIDTH) if picture else b"",
            data=report_json(page) if page.as_json else b"",
        )


def begin_map(page: Page, drawer: Drawer) -> Future[bytes | None]:
    """Have the map of a page drawn, which `render` will ask for."""
    return drawer.begin(page.view.picture, resources("templates") / "fonts", width=MAP_WIDTH)


@contextmanager
def drawer_of(office: Office) -> Iterator[Drawer]:
    """Have the maps of an office drawn in processes of their own until the block ends."""
    from pbem.reports.maps.drawer import Drawer

    with Drawer(min(os.cpu_count() or 1, MOST_DRAWERS)) as drawer:
        office.kept[DRAWER] = drawer
        try:
            yield drawer
        finally:
            office.kept.pop(DRAWER, None)


def _draws(office: Office) -> Draws:
    """What draws maps: processes of their own (`drawer_of`), or the office itself."""
    drawer: Drawer | None = office.kept.get(DRAWER)
    return drawer.png if drawer else as_png


def pictures(office: Office, page: Page, report: Report) -> tuple[Picture, ...]:
    """The map, as the letter shows it."""
    return (Picture(_cid(office, page), report.png, f"{report.name}.png"),)


def attached(report: Report) -> tuple[Attachment, ...]:
    """The report as files that go with the letter: the page, and its JSON if its reader wants it."""
    data = (Attachment(f"{report.name}.json", "application/json", report.data),) if report.data else ()
    return (Attachment(f"{report.name}.html", "text/html", report.html.encode()), *data)


def _cid(office: Office, page: Page) -> str:
    return f"map-{str(page.view.moment).lower()}@{office.settings.host}"


def _sent(dossier: Dossier, view: View, reported: Exchange | None) -> tuple[Sent, ...]:
    """The role's own sheets of this turn that have been played."""
    return tuple(
        Sent(
            moment=moment,
            name="" if moment.halt else dossier.campaign.exchanges[moment].name,
            receipt=sheet.receipt,
            at=sheet.at,
            text=sheet.text,
        )
        for (moment, role), sheet in sorted(dossier.campaign.sheets.items())
        if role == view.role
        and not sheet.kept
        and (moment in dossier.campaign.exchanges or halt_of(dossier.campaign, moment) is not None)
        and _is_played(moment, view.moment, reported)
    )


def _is_played(moment: Moment, of: Moment, reported: Exchange | None) -> bool:
    """Whether what was ordered for *moment* was played when the report *of* was made; that asks for it yet."""
    if moment.turn != of.turn:
        return False
    return moment < of if of.halt else reported is not None and moment.whole <= reported.moment


def halt_of(campaign: Campaign, moment: Moment) -> Halt | None:
    """The halt *moment*, if it is one to which a run came."""
    exchange = campaign.exchanges.get(moment.whole) if moment.halt else None
    return next((one for one in exchange.halts if one.moment == moment), None) if exchange else None


def hours_of(exchange: Exchange | None, halt: Halt | None = None) -> tuple[tuple[str, int], ...]:
    """The hours of the run of *exchange*, each with what it is for; from *halt* on that of the reports alone."""
    if exchange is None or not exchange.steps:
        return ()
    interim = [
        (f"Interim pages {number}", hours.interim, f"Answers due {number}", hours.until)
        for number, hours in enumerate(exchange.steps[:-1], start=1)
    ]
    said = [] if halt else [pair for first, at, then, until in interim for pair in ((first, at), (then, until))]
    return (*said, ("All reports", exchange.reports))


def _last_before_reports(dossier: Dossier, seq: int) -> int:
    """The last event before the reports that were issued together with that of event *seq*."""
    while seq and isinstance(dossier.log[seq - 1].event, ReportIssued):
        seq -= 1
    return seq
