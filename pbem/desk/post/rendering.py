"""What a mail that is owed says, rendered; of each sort as it should look, and in plain words where that cannot be."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import (
    Contents,
    Gathered,
    ObservedLetter,
    Owed,
    ReceiptLetter,
    ReportLetter,
    Says,
    ShortLetter,
)
from pbem.desk.books.spoken_to import language_of
from pbem.desk.office.office import Office
from pbem.desk.pages import opened, pages
from pbem.desk.post.letters import gathered_letter, in_plain_words, receipt_letter, report_letter, short_letter
from pbem.desk.post.observed import observed_letter
from pbem.kernel.errors import Refused, StorageError
from pbem.kernel.office import TurnShown
from pbem.reports.pages.report import Page
from pbem.reports.text.speech import ENGLISH, speaking
from pbem.storage.database import Connection
from pbem.storage.players import Player


def contents_of(office: Office, connection: Connection, owed: Owed, player: Player | None) -> Contents:
    """What a mail says, as it should look, in its reader's language; if that cannot be, in plain words.

    :raises StorageError: if the disk does not let it.
    :raises Refused: if the office is not in order.
    """
    try:
        with speaking(_language(office, connection, owed)):
            return _rendered(office, connection, owed, owed.says, player)
    except (StorageError, Refused):
        raise
    except Exception:
        # A template that fails costs the looks of an answer, and not the answer.
        if plain := in_plain_words(owed.says, owed.campaign):
            return plain
        raise


def _language(office: Office, connection: Connection, owed: Owed) -> str:
    """In which language a mail is written: that of its reader, in its game; of a letter to nobody known English."""
    if owed.player is None:
        return ENGLISH
    if not owed.campaign:
        return language_of(office, connection, owed.player)
    try:
        campaign = dossiers.load(office, connection, owed.campaign).campaign
    except Refused:
        return ENGLISH  # what is owed leaves, though nothing is known of its game
    return campaign.language(owed.role) if owed.role else campaign.language_of(owed.player)


def _rendered(office: Office, connection: Connection, owed: Owed, says: Says, player: Player | None) -> Contents:
    match says:
        case Contents():
            return says
        case ShortLetter(notice, attachments):
            return short_letter(office, notice, attachments)
        case Gathered(parts):
            zone = player.zone if player else office.settings.zone
            return gathered_letter(office, owed.campaign, parts, zone)
        case ReceiptLetter(receipt):
            return receipt_letter(office, receipt)
        case ObservedLetter(moment, eyes, upto):
            assert player is not None, "who looks on is a person"
            dossier = dossiers.load(office, connection, owed.campaign)
            shown = TurnShown(moment=moment, eyes=eyes, upto=upto)
            return observed_letter(office, connection, dossier, shown, player.zone)
        case ReportLetter():
            dossier, page = page_of(office, connection, owed, says, player)
            whole = opened.kept(connection, dossier) if says.whole else ()
            with speaking(ENGLISH):  # as the report that it brings
                return report_letter(office, page, pages.render(office, page), *says.more, *whole)


def page_of(
    office: Office, connection: Connection, owed: Owed, says: ReportLetter, player: Player | None
) -> tuple[Dossier, Page]:
    """The page that a report shows, and its campaign."""
    assert owed.role is not None, "a report is a role's"
    dossier = dossiers.load(office, connection, owed.campaign)
    issued = next(one for one in pages.issued_to(dossier, owed.role, says.moment) if one.version == says.version)
    zone = says.zone or (player.zone if player else dossier.campaign.terms.zone)
    return dossier, pages.issued_page(office, connection, dossier, owed.role, issued, zone=zone)
