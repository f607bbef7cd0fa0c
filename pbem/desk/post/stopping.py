"""Who wants no more letters gets none, and stays in his game; a letter from him, and they come again.

The address that stops them stands in `List-Unsubscribe` (RFC 2369) of every letter to a player.  Whoever has it can
use it: so the player is told, at his own address, and one word from him undoes it.
"""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.allowance import STOPPED
from pbem.desk.books.owed import ShortLetter
from pbem.desk.office.office import Office
from pbem.desk.post import addresses
from pbem.desk.post.addresses import NO_GAME
from pbem.desk.post.post import REPORT, Addressee, report_cause, to_gm, to_player
from pbem.desk.post.writing import owe
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import CampaignId, PlayerId
from pbem.mail.reading.letter import Head
from pbem.mail.wire.reply_address import Purpose
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase_later
from pbem.storage import outbox, players
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.outbox import Mail
from pbem.storage.players import Player


def asked_by(office: Office, connection: Connection, letter: Letter, head: Head) -> Player | None:
    """The player to whose address for stopping his letters *letter* came, unless that has been made void.

    Nothing else is asked of such a letter: mail programs and mail houses write it, in whatever form.
    """
    for meaning in addresses.said(office, connection, (*letter.envelope, *head.recipients)):
        if meaning.purpose is Purpose.STOP:
            try:
                player = players.get(connection, PlayerId(meaning.name))
            except Refused:
                continue
            if player.epoch == meaning.epoch and player.erased_at is None:
                return player
    return None


def stop(office: Office, connection: Connection, player: Player, *, at: int) -> None:
    """Send *player* no more letters but answers to his own; he and the GM are told."""
    players.stop(connection, player.id, at=at)
    outbox.drop_waiting(connection, player.id, why=STOPPED)
    notice = Notice(
        campaign="",
        subject=phrase_later("you get no more letters"),
        heading=phrase_later("You get no more letters"),
        summary=phrase_later("You, or somebody with a letter of yours, asked for that. You are still in your games."),
        body=phrase_later("Write anything to this address, and they come again, the newest report first."),
        foot="",
    )
    now = office.now()
    told = to_player(
        Addressee(player),
        ShortLetter(notice),
        kind="receipt",
        cause=_cause(player, at),
        at=now,
    )
    text = (
        f"{player.name or player.id} wants no more letters.  He stays in his games, and is answered when he writes.\n"
        f"They come again when he writes, or by: pbem mail resume {player.id}\n"
    )
    for owed in (
        *told,
        to_gm(NO_GAME, "a player wants no more letters", text, cause=f"gm/{_cause(player, at)}", at=now),
    ):
        owe(connection, owed)


def resume(office: Office, connection: Connection, player: Player) -> bool:
    """Let letters go to *player* again, the newest report of each role first; says whether they had been stopped."""
    if player.stopped_at is None:
        return False
    players.stop(connection, player.id, at=None)
    missed = [
        mail
        for mail in outbox.of_player(connection, player.id)
        if mail.state == "dropped" and mail.answer == STOPPED and mail.kind in ("report", "briefing")
    ]
    missed = [mail for mail in missed if _holds(office, connection, mail)]
    newest = {_of(mail): mail.created_at for mail in missed}
    for mail in missed:
        if mail.created_at == newest[_of(mail)]:
            outbox.again(connection, mail.id, at=office.now())
    return True


def _of(mail: Mail) -> tuple[CampaignId, str]:
    """Of which game and role a report or a briefing is; who looks on has no role."""
    head, *rest = mail.cause.split("/")
    role = rest[:1] if head == "briefing" else [] if head == "observed" else rest[1:2]
    return mail.campaign, "".join(role)


def _holds(office: Office, connection: Connection, mail: Mail) -> bool:
    """Whether a report holds still: what was annulled meanwhile is not sent as if it had come to pass."""
    if mail.kind != "report" or not mail.cause.startswith(REPORT):
        return True
    try:
        reports = dossiers.load(office, connection, mail.campaign).campaign.reports
    except PbemError:
        return True
    return any(
        mail.cause == report_cause(one.moment, role, one.version) for role, issued in reports.items() for one in issued
    )


def resume_by_gm(office: Office, id: PlayerId) -> Player:
    """Let letters go to a player again, by the GM's word.

    :raises Refused: if they had not been stopped, or there is no such player.
    """
    with office.write() as connection:
        player = players.get(connection, id)
        if not resume(office, connection, player):
            raise Refused(f"letters to {player.name or player.id} have not been stopped.")
        return players.get(connection, id)


def _cause(player: Player, at: int) -> str:
    return f"stopped/{player.id}/{at}"
