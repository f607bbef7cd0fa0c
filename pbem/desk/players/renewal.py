"""The dice of a campaign that comes from a copy are drawn anew, and promised anew.

    a fork · an office brought back from a backup · a campaign taken in from a file

Where a copy was made, play may have gone on: what falls next was perhaps thrown there, and read in a report.  So
nothing that still takes sheets is ever thrown with seeds that were promised before the copy was made; nor is the lot
of a sign-up, or the set-up of a game that has not begun.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.owed import Owed, ShortLetter
from pbem.desk.books.roster import people
from pbem.desk.books.seeds import asked_again
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import inviting, joining
from pbem.desk.post.entries import Entry, commit, tell
from pbem.desk.post.post import in_game, to_player
from pbem.desk.turns import adjudicate
from pbem.desk.turns.exchange import promised
from pbem.kernel.errors import PbemError
from pbem.kernel.event import Recorded
from pbem.kernel.exchange import Exchange
from pbem.kernel.lot import LOT
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import ExchangeAnnulled, Renewed, SeedsRenewed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.times import when
from pbem.storage import players, secrets
from pbem.storage.database import Connection
from pbem.storage.players import Player

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
    """Those of which something is still to be thrown with seeds that were promised, and of what moment that is."""
    unread: Mapping[CampaignId, str]
    """Those that cannot be read here, and so not be played either, and why not."""


def renew_all(office: Office, why: Renewed) -> Campaigns:
    """Draw new seeds for all that is open in the *office*; nobody is told yet."""
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
    """Enter new seeds for the exchange that is open, or for what a game begins with; gives of what moment, if any.

    Nobody is told yet.  A run that is not made known is void if a sheet in time could still void it, or if its seeds
    are not here.
    """
    campaign = entry.dossier.campaign
    exchange = campaign.exchange
    if campaign.ended:
        return None
    if not campaign.started:
        return _before_the_start(office, entry, why)
    if exchange is None or exchange.state == "released":
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
    if not dossier.campaign.started:
        _announce_before_the_start(connection, entry)
        return
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


def _before_the_start(office: Office, entry: Entry, why: Renewed) -> Moment | None:
    """Enter new seeds for the lot of a sign-up, and for the set-up, where they are promised before a game begins."""
    dossier, moment = entry.dossier, None
    campaign = dossier.campaign
    if campaign.copied:
        return None
    if campaign.sign_up and not campaign.drawn:
        moment = LOT
        entry.add(LOT, SeedsRenewed(moment=LOT, promises=entry.promise(joining.SEEDS, office.fresh_seeds()), why=why))
    if dossier.opened.muster:
        moment = SET_UP
        entry.add(SET_UP, SeedsRenewed(moment=SET_UP, promises=entry.promise("muster", office.fresh_seeds()), why=why))
    return moment


def _announce_before_the_start(connection: Connection, entry: Entry) -> None:
    """Owe whoever is on the list of a game, or invited to it, the promise of its new seeds, and why they are new."""
    dossier = entry.dossier
    last = {one.event.moment: one for one in dossier.own if isinstance(one.event, SeedsRenewed)}
    campaign = dossier.campaign
    if (lot := last.get(LOT)) and not campaign.drawn:
        for player in players.listing(connection):
            if player.id in campaign.candidates and player.address:
                entry.owe(_of_the_lot(entry, player, lot))
    if muster := last.get(SET_UP):
        for role, invited in people(connection, dossier).items():
            if invited:
                with speaking(campaign.language(role)):
                    again = " ".join(map(phrase, (WHY[_why(muster)], _KNOWN, _ANSWER_AGAIN)))
                inviting.invite(entry, role, invited, again=again)


_KNOWN = phrase_later("Dice that were promised before could be known by now. None of them is thrown any more.")
_ANSWER_AGAIN = phrase_later("Your answer is asked for once more.")


def _of_the_lot(entry: Entry, player: Player, renewed: Recorded) -> list[Owed]:
    """The letter to one who is on the list of a sign-up whose lot is thrown with new seeds."""
    dossier = entry.dossier
    sign_up = dossier.campaign.sign_up
    assert sign_up is not None, "there is a lot"
    with speaking(dossier.campaign.language_of(player.id)):
        heading = phrase("The dice of the lot are promised anew")
        stands = phrase(
            "You stay on the list. To give a word to the new dice, send `join {game}` again, even unchanged.",
            game=dossier.id,
        )
        notice = Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {heading}",
            heading=heading,
            summary=phrase(WHY[_why(renewed)]),
            body=f"{phrase(_KNOWN)} {stands}",
            quoted=(joining.promised(sign_up),),
            foot="",
        )
    reader, cause = in_game(dossier, None, player), f"renewed/{LOT}/{renewed.seq}/{player.id}"
    return to_player(reader, ShortLetter(notice), kind="notice", cause=cause, at=entry.at)


def _why(renewed: Recorded) -> Renewed:
    assert isinstance(renewed.event, SeedsRenewed), "it is one"
    return renewed.event.why


def named(moment: Moment) -> str:
    """Of what *moment* new dice are, in words."""
    return {LOT: "the lot", SET_UP: "the set-up"}.get(moment, str(moment))
