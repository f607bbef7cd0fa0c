"""What a letter says to the campaign that it is for: the message that it is, and whether it says anything at all."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.owed import Answered
from pbem.desk.intake.attached import files_of
from pbem.desk.intake.fates import sentence_for
from pbem.desk.intake.intake import Message
from pbem.desk.intake.recipient import Addressed, Place, of_a_game, where
from pbem.desk.intake.refusals import Astray
from pbem.desk.intake.unread import aside
from pbem.desk.intake.writers import Graded
from pbem.desk.office.office import Office
from pbem.desk.sheets import sheets
from pbem.desk.sheets.own_lines import own_lines, unread
from pbem.mail.trust.confirm import confirm_lines
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Understood(Struct, frozen=True):
    """A letter that was addressed, and what it says there; None where that is not asked."""

    addressed: Addressed
    message: Message | None = None


def understood(office: Office, connection: Connection, addressed: Addressed) -> Understood:
    """A letter with what it says to its campaign, if the manual lets it enter there."""
    player, place = addressed.letter.known.player, addressed.place
    if player is None or place is None or sentence_for(addressed.case).fate != "entered":
        return Understood(addressed)
    return Understood(addressed, _message(office, connection, addressed.letter, place, player))


def says_orders(office: Office, connection: Connection, whole: Graded) -> bool:
    """Whether what a player says in a letter besides codes is anything but courtesies."""
    letter, player = whole.seen.letter, whole.known.player
    if letter is None or player is None:
        return False
    if any(file.lines for file in letter.files):
        return True
    try:
        dossier, role = where(office, connection, player, letter, of_a_game(whole.known.proof))
    except Astray:
        return True
    system, mind, own = dossier.system, dossier.blank.minds[role], own_lines(letter)
    sheet = sheets.part(system, dossier.scene, role, mind, own, player.name or "", alone=False)
    return bool(sheet.orders or sheet.commands or sheet.complaints)


def without_codes(letter: Graded) -> Graded:
    """A letter without the lines that give codes back."""
    there = letter.seen.letter
    if there is None:
        return letter
    return replace(letter, seen=replace(letter.seen, letter=replace(there, lines=confirm_lines(there.lines)[1])))


def _message(office: Office, connection: Connection, whole: Graded, place: Place, player: Player) -> Message:
    """The letter as its campaign takes it."""
    row, seen, letter = whole.kept.row, whole.seen, place.letter
    with speaking(place.dossier.campaign.language(place.role)):
        told = unread(connection, place.dossier, place.role, player, letter, office.now())
        if seen.whose:
            text = phrase_later("This came from {address}, and the umpire took it as yours.")
            told = (*told, phrase(text, address=seen.head.sender.address))
        told = (*told, *((phrase(_TWIN),) if row.twin else ()))
    return Message(
        digest=row.digest,
        number=row.id,
        source="letter",
        received=row.received_at,
        sent=letter.date,
        lines=own_lines(letter),
        files=files_of(letter.files),
        aside=aside(letter.ignored),
        subject=letter.subject,
        answers=Answered(letter.message_id, letter.references),
        replies_to=letter.in_reply_to,
        warnings=(*letter.warnings, *told),
        grade=place.grade,
        confirmed=bool(whole.kept.vouched.by),
    )


_TWIN = phrase_later(
    "Another letter came before under the same Message-ID as this, and said something else.  Both are kept, and each "
    "was taken for itself."
)
