"""When a game is over, everything is opened: each player is sent how things truly stood, and how it came to that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.desk.books import correspondence, dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.office.office import Office
from pbem.desk.pages.gms_page import page_in, truth_of
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import LetterSent, NoteMade, QueryAnswered, RulingMade
from pbem.mail.leaving.compose import Attachment
from pbem.orders.prose import listed
from pbem.reports.pages.environment import environment
from pbem.reports.pages.opened import Chapter, OpenedPage, Sent, Sheet, opened_html, opened_name
from pbem.reports.replay.page import file_name
from pbem.resources import resources
from pbem.rules.contract import Verdict
from pbem.rules.view import Told
from pbem.storage import blobs
from pbem.storage.database import Connection

SOMEBODY = Role("somebody")
"""Who wrote a letter without his name: his readers were not told, and are not told now."""


def kept(connection: Connection, dossier: Dossier) -> tuple[Attachment, ...]:
    """The files of the whole game that its players were sent, as far as they are kept; none before its end."""
    ended = dossier.campaign.ended
    sent = (ended.opened, ended.replay) if ended else ("", "")
    there = [one if one and blobs.state(connection, one) == "kept" else "" for one in sent]
    whole, game = (blobs.fetch(connection, one) if one else b"" for one in there)
    return attached(dossier.id, whole, game)


def attached(campaign: CampaignId, whole: bytes, game: bytes) -> tuple[Attachment, ...]:
    """The page of the whole game, and the *game* that moves, as they go with a letter, where they are there."""
    named = {opened_name(campaign): whole, file_name(campaign): game}
    return tuple(Attachment(name, "text/html", html) for name, html in named.items() if html)


def made(office: Office, connection: Connection, dossier: Dossier, verdict: Verdict) -> bytes:
    """The page of the whole game, as it stands at the end of *dossier*; empty if it has not begun.

    A page that the rules cannot make shows what they could: a game ends whatever becomes of its last page.
    """
    if not dossier.campaign.started:
        return b""
    wrong: tuple[str, ...] = ()
    try:
        page = page_in(office, connection, dossier)
    except Refused as broken:
        page = page_in(office, connection, dossier, whole=False)
        wrong = (f"The rules could not show the truth.  {broken}",)
    exchanges = dossier.campaign.exchanges
    played = {moment for moment, one in exchanges.items() if one.resolved}
    written = {one.moment.whole for one in dossier.own if isinstance(one.event, LetterSent | NoteMade)}
    made = (_chapter(office, connection, dossier, moment, exchanges.get(moment)) for moment in sorted(played | written))
    opened = OpenedPage(
        campaign=page.campaign,
        title=page.title,
        rules=page.rules,
        moment=page.moment,
        zone=dossier.campaign.terms.zone,
        now=page.now,
        truth=page.truth,
        views=page.views,
        notes=wrong,
        head=page.head,
        how=f"{(how := ending(verdict))[:1].upper()}{how[1:]}.",
        chapters=tuple(one for one in made if one.moment in played or one.letters or one.notes),
    )
    return opened_html(opened, environment(resources("templates"), office.templates)).encode()


def write(office: Office, campaign: str, folder: Path) -> list[Path]:
    """Write what the players of *campaign* were sent of the whole game, if they were, into *folder*; gives the files.

    :raises Refused: if the folder cannot be written.
    """
    with office.read() as connection:
        found = kept(connection, dossiers.load(office, connection, campaign))
    files = {folder / one.name: one.content for one in found}
    try:
        for path, html in files.items():
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(html)
    except OSError as error:
        raise Refused(f"the page of the whole game cannot be written to {folder}: {error.strerror}.") from None
    return list(files)


def _chapter(
    office: Office, connection: Connection, dossier: Dossier, moment: Moment, exchange: Exchange | None
) -> Chapter:
    own, played = [one for one in dossier.valid if one.moment.whole == moment], bool(exchange and exchange.resolved)
    sheets = sorted(one for one in dossier.campaign.sheets.items() if one[0][0].whole == moment and not one[1].kept)
    return Chapter(
        moment=moment,
        name=exchange.name if exchange else "",
        told=_told(office, connection, dossier, moment, exchange) if played and exchange else (),
        sheets=tuple(Sheet(role, at, sheet.text) for (at, role), sheet in sheets if played),
        letters=tuple(
            Sent(one.sent.sender if one.sent.signed else SOMEBODY, listed(one.readers), one.recorded.at, one.sent.text)
            for one in correspondence.letters(own)
        ),
        notes=tuple(
            Sent(one.event.role, "himself", one.at, one.event.text)
            for one in own
            if isinstance(one.event, NoteMade) and dossier.campaign.leave.get((one.event.player, "diary"))
        ),
        rulings=tuple(said for one in own for said in _ruled(one.event)),
    )


def _told(
    office: Office, connection: Connection, dossier: Dossier, moment: Moment, exchange: Exchange
) -> tuple[Told, ...]:
    """What truly happened in it; nothing, if the rules have no words for the truth."""
    try:
        world = world_at(office, connection, dossier, exchange.resolved_seq)
        truth = truth_of(dossier, world, moment, exchange.resolved_seq)
    except Refused:
        return ()
    return truth.happened if truth else ()


def _ruled(event: object) -> Iterator[str]:
    match event:
        case RulingMade():
            yield f"The umpire ruled: {'; '.join(event.directives)}.  {event.reason}".rstrip()
        case QueryAnswered(by="gm"):
            yield f"The umpire answered {event.key}: {event.answer}."
