"""Order files that are handed in for a role of a campaign, and what would become of one."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import taking
from pbem.desk.intake.intake import Intake, Message
from pbem.desk.office.office import Office
from pbem.desk.post import writing
from pbem.desk.post.entries import Entry
from pbem.desk.sheets import files
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Source
from pbem.orders.sheet import Line
from pbem.orders.words import command_of
from pbem.storage import players
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.players import Player

_BY_LETTER = ("resign", "stop")
"""Words that concern the player and not his orders: nobody says them for him."""


class HandedIn(Struct, frozen=True):
    """A file of orders and whose it is."""

    dossier: Dossier
    role: Role
    player: Player
    lines: tuple[Line, ...]


class Rehearsed(Struct, frozen=True, kw_only=True):
    """What would become of a file: in a phrase, and the answers that its player would get, as a subject and a text."""

    outcome: str
    refused: bool
    answers: tuple[tuple[str, str], ...]


def handed_in(
    office: Office, connection: Connection, campaign: str, role: str | None, raw: bytes, name: str = ""
) -> HandedIn:
    """A file, called *name*, as orders of *role* in *campaign*; without a role, of that which its sheet says.

    :raises Refused: if there is no such campaign or role, nobody plays it, or the file is no text, or another's.
    """
    dossier = dossiers.load(office, connection, campaign)
    lines = files.order_lines(raw, name)
    known = files.role_of(files.head_of(lines), role, dossier.id, dossier.roles)
    for line in lines:
        if (command := command_of(line.text)) and command.word in _BY_LETTER:
            raise Refused(f'line {line.number}, "{command.word}", is taken from a letter of its player alone.')
    if known not in dossier.campaign.players:
        raise Refused(f"nobody plays {known} in {dossier.id}.")
    return HandedIn(dossier, known, players.get(connection, dossier.campaign.players[known]), lines)


def rehearse(
    office: Office, campaign: str, role: str | None, raw: bytes, *, source: Source = "gm", name: str = ""
) -> Rehearsed:
    """What `receive.submit` would do with a file, done to the end and never written down.

    :raises Refused: as `handed_in`.
    """
    now = office.now()
    with office.read() as connection:
        handed = handed_in(office, connection, campaign, role, raw, name)
        entry = Entry(handed.dossier, now, "gm" if source == "gm" else handed.player.id)
        message = Message(digest=digest_of(raw), source=source, received=now, lines=handed.lines)
        intake = Intake(office, connection, entry, message, handed.role, handed.player)
        taking.deal_with(intake)
        mails = [writing.written(office, connection, one) for one in entry.mails if one.player == handed.player.id]
    answers = tuple((one.draft.subject, one.draft.text) for one in mails if one)
    return Rehearsed(outcome=intake.outcome, refused=intake.refused, answers=answers)
