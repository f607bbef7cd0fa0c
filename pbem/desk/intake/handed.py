"""Order files that are handed in for a role of a campaign, and what becomes of one, or would.

Whose a file is whoever hands it in has said: of a letter's way it goes the end alone, decided and carried out.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import fates
from pbem.desk.intake.carrying_out import carried_out
from pbem.desk.intake.deciding import entered
from pbem.desk.intake.fates import Decision, Received
from pbem.desk.intake.intake import Message
from pbem.desk.library.readied import decoded
from pbem.desk.office.office import Office
from pbem.desk.post import writing
from pbem.desk.sheets import files
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.office import Source
from pbem.orders.sheet import Line
from pbem.orders.words import Command, command_of
from pbem.storage import letters, players
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.players import Player

_BY_LETTER = ("resign", "stop", "propose", "vote", "zone", "address", "also", "substitute", "proxy")
"""Words that concern the player and not his orders: nobody says them for him."""


UPLOAD = "upload"
"""The way of a file of orders that was handed in."""


class Upload(Struct, frozen=True):
    """For whom a file was handed in: what stands in the place of its envelope."""

    campaign: str
    role: str | None
    source: Source
    name: str
    himself: bool = False
    """Its player has handed it in himself."""
    by: str = ""
    """Who did: its player, or who stands in for him; empty: its player."""
    turn: str = ""
    """Of what he was asked when he wrote it, as a `Moment` is written; empty: that is not known."""

    @property
    def moment(self) -> Moment | None:
        """Of what he was asked.

        :raises Refused: if that is no moment.
        """
        try:
            return Moment.parse(self.turn) if self.turn else None
        except BadMoment as error:
            raise Refused(f"{error}.") from None


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


def handed_in(office: Office, connection: Connection, meant: Upload, raw: bytes) -> HandedIn:
    """A file as the orders for which it is *meant*; without a role, of that which its sheet says.

    Its player himself, or who stands in for him, may say what else is taken from letters alone.

    :raises Refused: if there is no such campaign or role, nobody plays it, or the file is no text, or another's.
    """
    dossier, by = dossiers.load(office, connection, meant.campaign), PlayerId(meant.by)
    lines = files.order_lines(raw, meant.name)
    known = files.role_of(files.head_of(lines), meant.role, dossier.id, dossier.roles)
    for line in lines:
        if not meant.himself and (command := command_of(line.text)) and _is_his_own(command):
            raise Refused(f'line {line.number}, "{command.word}", is taken from a letter of its player alone.')
    if known not in dossier.campaign.players:
        raise Refused(f"nobody plays {known} in {dossier.id}.")
    if by and known not in dossier.campaign.roles_of(by):
        raise Refused(f"{known} in {dossier.id} is played by somebody else by now.")
    return HandedIn(dossier, known, players.get(connection, by or dossier.campaign.players[known]), lines)


def _is_his_own(command: Command) -> bool:
    return command.word in _BY_LETTER or (command.word == "withdraw" and bool(command.argument))


def rehearse(
    office: Office, campaign: str, role: str | None, raw: bytes, *, source: Source = "gm", name: str = ""
) -> Rehearsed:
    """What `receive.submit` would do with a file, done to the end and never written down.

    :raises Refused: as `handed_in`.
    """
    with office.read() as connection:
        file = handed_in(office, connection, Upload(campaign, role, source, name), raw)
        message = Message(digest=digest_of(raw), source=source, received=office.now(), lines=file.lines)
        done = entered(office, connection, file.dossier, file.role, file.player, message)
        mails = [writing.written(office, connection, one) for one in done.entry.mails if one.player == file.player.id]
    answers = tuple((one.draft.subject, one.draft.text) for one in mails if one)
    return Rehearsed(outcome=done.reason, refused=done.refused, answers=answers)


def dealt_with(office: Office, row: letters.Letter, raw: bytes) -> Received:
    """Deal with a file that was handed in.

    :raises Refused: if it is for nobody, or no file of orders.
    """
    meant = decoded(row.recipients, Upload)

    def decide(connection: Connection) -> Decision:
        file = handed_in(office, connection, meant, raw)
        message = Message(
            digest=row.digest,
            number=row.id,
            source=meant.source,
            received=row.received_at,
            lines=file.lines,
            asked=meant.moment,
        )
        return Decision((entered(office, connection, file.dossier, file.role, file.player, message),))

    return carried_out(office, row, decide)


def dealt_with_before(office: Office, row: letters.Letter, raw: bytes) -> Received:
    """Deal with a file that was handed in to an office that died over it: nobody waits for its word any more."""
    try:
        return dealt_with(office, row, raw)
    except Refused as refused:
        fate = fates.Refused(reason=str(refused))
        return carried_out(office, row, lambda connection: Decision((fate,)))
