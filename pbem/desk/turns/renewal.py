"""The dice of a campaign that comes from a copy are drawn anew, and promised anew.

    a fork · an office brought back from a backup · a campaign taken in from a file

Where a copy was made, play may have gone on: what falls next was perhaps thrown there, and read in a report.  So
nothing that still takes sheets is ever thrown with seeds that were promised before the copy was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.roster import people
from pbem.desk.books.seeds import asked_again
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry, commit, tell
from pbem.desk.turns import adjudicate
from pbem.desk.turns.exchange import promised
from pbem.kernel.errors import PbemError
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import ExchangeAnnulled, Renewed, SeedsRenewed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.times import when
from pbem.storage import secrets
from pbem.storage.database import Connection

WHY: Mapping[Renewed, str] = {
    "forked": phrase_later("This is a copy of another campaign."),
    "restored": phrase_later(
        "The office was brought back from a backup. What you sent it since that was made is lost: "
        "the line `status` asks what it has."
    ),
    "imported": phrase_later("The campaign was carried over from another office."),
}
"""What the players are told of it."""


class Campaigns(Struct, frozen=True):
    """What came of all campaigns of an office."""

    renewed: Mapping[CampaignId, Moment]
    """Those of which an exchange is open, and which."""
    unread: Mapping[CampaignId, str]
    """Those that cannot be read here, and so not be played either, and why not."""


def renew_all(office: Office, why: Renewed) -> Campaigns:
    """Draw new seeds for every exchange of the *office* that is open; nobody is told yet."""
    renewed: dict[CampaignId, Moment] = {}
    unread: dict[CampaignId, str] = {}
    with office.write(whole=True) as connection:
        for name in dossiers.campaigns(connection):
            try:
                entry = Entry(dossiers.load(office, connection, name), office.now(), office.by)
            except PbemError as error:
                unread[name] = f"{error}"
                continue
            if moment := renew(office, connection, entry, why):
                commit(office, connection, entry)
                renewed[name] = moment
    return Campaigns(renewed, unread)


def announce_all(office: Office, names: Iterable[CampaignId]) -> None:
    """Owe every player of the campaigns *names* the promise of their new seeds."""
    with office.write(whole=True) as connection:
        for name in names:
            entry = Entry(dossiers.load(office, connection, name), office.now(), office.by)
            announce(connection, entry)
            commit(office, connection, entry)


def renew(office: Office, connection: Connection, entry: Entry, why: Renewed) -> Moment | None:
    """Enter new seeds for the exchange that is open; gives which, if one is.  Nobody is told yet.

    A run that is not made known is void if a sheet in time could still void it, or if its seeds are not here.
    """
    campaign = entry.dossier.campaign
    exchange = campaign.exchange
    if exchange is None or campaign.ended or exchange.state == "released":
        return None
    moment = exchange.moment
    if exchange.state == "resolved":
        if not exchange.takes(entry.at, None) and _are_here(connection, entry, exchange):
            return None
        since = adjudicate.began(entry.dossier, exchange)
        entry.add(moment, ExchangeAnnulled(moment=moment, since=since, reason=WHY[why], stays_open=True))
    promises = entry.promise(str(moment), office.fresh_seeds())
    entry.add(moment, SeedsRenewed(moment=moment, promises=promises, why=why))
    return moment


def announce(connection: Connection, entry: Entry) -> None:
    """Owe every player the newest promise of new seeds, and why they are new; nothing, if there is none."""
    dossier = entry.dossier
    renewed = next((one for one in reversed(dossier.own) if isinstance(one.event, SeedsRenewed)), None)
    if renewed is None or not isinstance(renewed.event, SeedsRenewed) or dossier.campaign.copied:
        return
    why, exchange = renewed.event.why, dossier.exchange(renewed.event.moment)
    for role, player in people(connection, dossier).items():
        if player is None:
            continue
        with speaking(dossier.campaign.language(role)):
            heading = phrase("The dice of {moment} are promised anew", moment=exchange.moment)
            stands = phrase("The orders that the office has of you stand")
            if exchange.takes(entry.at, None):
                until = when(exchange.deadline, player.zone, long=True)
                stands += phrase(", and can be changed until {until}", until=until) + asked_again(dossier.campaign)
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {heading}",
                heading=heading,
                summary=phrase(WHY[why]),
                body=phrase(
                    "Dice that were promised before could be known by now. None of them is thrown any more. {stands}.",
                    stands=stands,
                ),
                quoted=(promised(renewed.event.promises),),
            )
        tell(entry, role, player, notice, cause=f"renewed/{exchange.moment}/{renewed.seq}/{role}")


def _are_here(connection: Connection, entry: Entry, exchange: Exchange) -> bool:
    return any(one.promises == exchange.promises for one in secrets.listing(connection, entry.dossier.id))
