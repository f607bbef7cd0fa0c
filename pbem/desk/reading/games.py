"""The games of a player, as he may know them: what is due from him and when, what he has sent, what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, observing
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages.pages import read_view
from pbem.desk.sheets import receipts, sheets
from pbem.kernel.campaign import Campaign, Issued
from pbem.kernel.exchange import Sheet
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import LetterSent
from pbem.orders.prose import listed
from pbem.orders.sheet import Judgement
from pbem.reports.pages.sliced import detail_of
from pbem.reports.text.terms import observers
from pbem.rules.view import View
from pbem.storage import blobs
from pbem.storage.database import Connection
from pbem.storage.players import Player

State = Literal["due", "sent", "in part", "free", "waiting", "paused", "enrolling", "over"]
"""How a role stands: it owes orders, has sent them, all or in part; it may send some; nothing is asked of it."""

_REFUSALS = {one.value for one in Judgement if one.refuses}

NEWS = 14 * 24 * HOUR
"""How long something counts as news."""


class Sheetly(Struct, frozen=True):
    """A sheet that stands, in short."""

    receipt: int
    at: int
    lines: int
    refused: tuple[int, ...]
    """Lines of it that are no orders, by their numbers."""


class Mine(Struct, frozen=True, kw_only=True):
    """One role of a player's, as it stands."""

    campaign: CampaignId
    title: str
    role: Role
    addressed: str
    """`the Prussian commander, Prince Frederick Charles`; the role, before the game begins."""
    state: State
    moment: Moment | None = None
    """What its orders are for now."""
    owed: str = ""
    """What it may send, in a phrase."""
    due: int | None = None
    otherwise: str = ""
    """What is taken for silence."""
    sheet: Sheetly | None = None
    report: Issued | None = None
    headline: str = ""
    brief: str = ""
    over: str = ""
    ended_at: int = 0


class News(Struct, frozen=True):
    """Something that came to a player."""

    at: int
    campaign: CampaignId
    title: str
    role: Role
    what: Literal["report", "letter"]
    moment: Moment | None
    text: str
    """The headline of a report; of a letter, who wrote."""


def games(office: Office, player: Player) -> list[Mine]:
    """All roles that *player* fills: what is due from him first, by its hour, then the rest; what is over, last."""
    with office.read() as connection:
        found = [
            mine(office, connection, dossier, role)
            for dossier in _played(office, connection, player.id)
            for role in dossier.campaign.roles_of(player.id)
        ]
    return sorted(found, key=_rank)


class Looked(Struct, frozen=True):
    """A game at which a person looks on."""

    campaign: CampaignId
    title: str
    sees: str
    """By its terms, in words."""
    newest: Moment | None
    over: str


def observed(office: Office, player: Player) -> list[Looked]:
    """The games at which *player* looks on."""
    with office.read() as connection:
        found = observing.observed_by(office, connection, player.id)
    return [
        Looked(
            one.id,
            one.title,
            observers(one.campaign.terms),
            max(one.campaign.shown, default=None),
            f"{ending(one.campaign.ended)}." if one.campaign.ended else "",
        )
        for one in found
    ]


def closed(office: Office, player: Player) -> Sequence[CampaignId]:
    """The games of *player* that cannot be opened now; who runs them is told why."""
    with office.read() as connection:
        return list(dossiers.sorted_out(office, connection, dossiers.names_played(connection, player.id))[1])


def plate(office: Office, one: Mine | None) -> tuple[str, str]:
    """The picture on top of a role's newest report, and what it is called; both empty, if there is none."""
    if one is None or one.report is None:
        return "", ""
    with office.read() as connection:
        return detail_of(blobs.fetch(connection, one.report.page).decode())


def _rank(one: Mine) -> tuple[int, int, str, str]:
    order: Sequence[State] = ("due", "free", "sent", "in part", "waiting", "paused", "enrolling", "over")
    first = 0 if one.state == "due" else 3 if one.state == "over" else 1
    hour = one.due or 0
    return (first, -one.ended_at if first == 3 else hour or 2**62, f"{order.index(one.state)}", one.campaign)


def _played(office: Office, connection: Connection, player: PlayerId) -> list[Dossier]:
    """The campaigns in which somebody plays, copies that never mail left out."""
    every = dossiers.played_by(office, connection, player)
    return [one for one in every if one.campaign.roles_of(player) and not one.campaign.copied]


def mine(office: Office, connection: Connection, dossier: Dossier, role: Role) -> Mine:
    """How *role* stands in its game."""
    campaign = dossier.campaign
    newest = campaign.reports.get(role, ())[-1:]
    if not newest:
        return Mine(campaign=dossier.id, title=dossier.title, role=role, addressed=role, state="enrolling")
    report = newest[0]
    view = read_view(blobs.fetch(connection, report.view))
    known = Mine(
        campaign=dossier.id,
        title=dossier.title,
        role=role,
        addressed=view.addressed,
        state="over",
        report=report,
        headline=view.title,
        brief=view.brief[0] if view.brief else "",
    )
    if campaign.ended:
        return replace(known, over=view.over or f"{ending(campaign.ended)}.", ended_at=_ended_at(dossier))
    at = receipts.standpoint(office, connection, dossier, role)
    there = campaign.sheets.get((at.moment, role))
    return replace(
        known,
        state=_state(campaign, at, there),
        moment=at.moment,
        owed=_owed(at, view),
        due=None if campaign.paused_at else at.due if at.due else at.exchange.deadline,
        otherwise=at.call.otherwise if at.call else "",
        sheet=_sheet(there),
    )


def _owed(at: receipts.Standpoint, view: View) -> str:
    if at.call is None:
        return ""
    # The report says it in the game's own words, if nothing has come since.
    return view.owed if view.owed and not at.moment.halt else listed(at.call.sorts)


def _state(campaign: Campaign, at: receipts.Standpoint, there: Sheet | None) -> State:
    if campaign.paused_at:
        return "paused"
    if there is not None and not there.kept:
        return "in part" if any(one.judgement in _REFUSALS for one in there.told) else "sent"
    if at.call is None:
        return "waiting"
    return "due" if at.call.must else "free"


def _sheet(there: Sheet | None) -> Sheetly | None:
    if there is None:
        return None
    refused = sorted({one.line for one in there.told if one.judgement in _REFUSALS})
    return Sheetly(there.receipt, there.at, len(sheets.in_force(there)), tuple(refused))


def _ended_at(dossier: Dossier) -> int:
    return next((one.at for one in reversed(dossier.own) if one.event is dossier.campaign.ended), 0)


def news(office: Office, player: Player, *, most: int = 12) -> list[News]:
    """What came to *player* of late, the newest first."""
    now = office.now()
    with office.read() as connection:
        found = [
            one
            for dossier in _played(office, connection, player.id)
            for role in dossier.campaign.roles_of(player.id)
            for one in _news_of(connection, dossier, role)
            if now - one.at <= NEWS
        ]
    return sorted(found, key=lambda one: (-one.at, one.campaign, one.role))[:most]


def _news_of(connection: Connection, dossier: Dossier, role: Role) -> list[News]:
    found = []
    for report in dossier.campaign.reports.get(role, ()):
        title = read_view(blobs.fetch(connection, report.view)).title
        found.append(News(report.at, dossier.id, dossier.title, role, "report", report.moment, title))
    for one in dossier.own:
        if isinstance(one.event, LetterSent) and one.event.to == role:
            who = one.event.sender if one.event.signed else ""
            found.append(News(one.at, dossier.id, dossier.title, role, "letter", None, who))
    return found
