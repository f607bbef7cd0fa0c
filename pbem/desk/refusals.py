"""Answers to messages that reach no campaign, and what the GM is told of them.

A stranger is not answered; a player is told at his registered address, and of no game that is not his.
"""

from __future__ import annotations

from pbem.desk.dossiers import Dossier
from pbem.desk.entries import owe
from pbem.desk.letters import notice_letter
from pbem.desk.office import HOUR, Office
from pbem.desk.post import Answered, to_gm, to_player
from pbem.kernel.names import CampaignId, Role
from pbem.mail.letter import Head
from pbem.reports.notice import Notice, refusal
from pbem.reports.times import when
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.players import Player

DAY = 24 * HOUR
NO_GAME = CampaignId("")


class Astray(Exception):
    """A player's message that cannot be put to a campaign and a role of his."""

    def __init__(self, player: Player, reason: str, instead: str, campaign: str = "") -> None:
        super().__init__(reason)
        self.player, self.reason, self.instead, self.campaign = player, reason, instead, campaign


def say_astray(office: Office, connection: Connection, astray: Astray, head: Head, row: Letter) -> None:
    """Tell the player why his message went nowhere."""
    about = f"[{astray.campaign}] " if astray.campaign else ""
    notice = refusal(
        campaign=astray.campaign,
        subject=f"{about}no orders taken",
        why=f"{astray.reason[:1].upper()}{astray.reason[1:]}.",
        instead=astray.instead,
        received=row.received_at,
        zone=astray.player.zone,
    )
    _answer(office, connection, astray.player, notice, head, f"astray/{row.digest[:16]}")


def say_unreadable(
    office: Office, connection: Connection, player: Player, head: Head, row: Letter, reason: str
) -> None:
    """Tell the player that his letter could not be read, unless a machine wrote it; and tell the GM."""
    if not head.auto:
        notice = refusal(
            campaign="",
            subject="your letter could not be read",
            why=reason,
            instead="It is kept. Send the orders again as plain text.",
            received=row.received_at,
            zone=player.zone,
        )
        _answer(office, connection, player, notice, head, f"unreadable/{row.digest[:16]}")
    text = f"Letter {row.id} from {player.name} could not be read: {reason}\nSee: pbem mail quarantine\n"
    notice_gm = to_gm(
        office, NO_GAME, "a letter could not be read", text, cause=f"gm/{row.digest[:16]}", at=office.now()
    )
    owe(office, connection, NO_GAME, notice_gm, at=office.now())


def say_unchanged(office: Office, connection: Connection, player: Player, head: Head, row: Letter) -> None:
    """Tell the player, once, that his letter came twice."""
    notice = Notice(
        campaign="",
        subject="your letter came twice",
        heading="Your letter came twice",
        summary="The same letter came before. It was dealt with then, and nothing has changed.",
        facts=(("It came again", when(row.received_at, player.zone)),),
    )
    _answer(office, connection, player, notice, head, f"unchanged/{row.digest[:16]}")


def tell_of_stranger(office: Office, connection: Connection, head: Head, row: Letter) -> None:
    """Tell the GM, once a day for each address, that somebody unknown wrote."""
    day = row.received_at // DAY
    address = head.sender.address
    cause = f"stranger/{digest_of((address or 'no address').encode())[:16]}/{day}"
    sender = f"from {address}, and no player writes from there" if address else "without a sender that could be read"
    text = f"Letter {row.id} came {sender}.  It was kept and not answered.\n"
    owed = to_gm(office, NO_GAME, "a letter from a stranger", text, cause=cause, at=office.now())
    owe(office, connection, NO_GAME, owed, at=office.now())


def tell_of_held(office: Office, connection: Connection, dossier: Dossier, role: Role, row: Letter) -> None:
    """Tell the GM that a letter waits for his word."""
    text = (
        f"Letter {row.id} seems to be from {role}, but only its From line says so.\n"
        f"Read it: pbem mail quarantine {row.id}\n"
        f"Take it as his: pbem mail quarantine {row.id} --accept\n"
    )
    owed = to_gm(office, dossier.id, "a letter is held", text, cause=f"held/{row.digest[:16]}", at=office.now())
    owe(office, connection, dossier.id, owed, at=office.now())


def _answer(office: Office, connection: Connection, player: Player, notice: Notice, head: Head, cause: str) -> None:
    mails = to_player(
        office,
        NO_GAME,
        "",
        player,
        None,
        notice_letter(office, notice),
        kind="receipt",
        cause=cause,
        at=office.now(),
        answers=Answered(head.message_id, head.references),
    )
    for mail in mails:
        owe(office, connection, NO_GAME, mail, at=office.now())
