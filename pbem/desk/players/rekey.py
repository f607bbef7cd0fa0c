"""Secret addresses are made void, or a player gets another address of his own; whom it concerns is told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import ShortLetter
from pbem.desk.office.office import Office
from pbem.desk.players import changes
from pbem.desk.players.enrol import checked_address
from pbem.desk.post.post import in_game, to_player, to_stranger
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase_later
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Rekeyed(Struct, frozen=True):
    """A player with new secret addresses, and the address that was his until now, if that changed."""

    player: Player
    former: str = ""


def rekey(office: Office, who: str, *, address: str = "") -> list[Rekeyed]:
    """Make the secret addresses void of a player (by id or address) or of all who play a campaign.

    With *address*, letters to the one player go there from now on.  Each is told where he plays; so is the former
    address.

    :raises Refused: if there is neither, or *address* is none, is another's, or is given for a campaign.
    """
    checked = checked_address(office, address) if address else ""
    at = office.now()
    with office.read() as connection:
        there = dossiers.is_there(connection, who)
        whole = dossiers.load(office, connection, who) if there else None
    if whole is not None and checked:
        raise Refused(f"{who} is a campaign: an address is one player's.")
    found = _players_of(whole) if whole else [changes.find_player(office, who).id]
    with office.read() as connection:
        played = {id: dossiers.played_by(office, connection, id) for id in found}
    with office.write(whole=True) as connection:
        return [make_anew(connection, id, played[id], checked, at=at) for id in found]


def _players_of(dossier: Dossier) -> list[PlayerId]:
    return sorted(set(dossier.campaign.players.values()))


def make_anew(
    connection: Connection,
    id: PlayerId,
    played: Sequence[Dossier],
    address: str = "",
    *,
    at: int,
    gone: Notice | None = None,
) -> Rekeyed:
    """Make the secret addresses of a player void who has *played* these; with *address*, that is his from now on.

    He is told where he plays, and his former address, if he had another, in the words of *gone*.

    :raises Refused: if he was erased, or *address* is another's.
    """
    before = players.get(connection, id)
    former = before.address or ""
    if address and address != former:
        players.change(connection, id, address=address)
    player = players.rekey(connection, id)
    moved = bool(address) and address != former
    for dossier in played:
        if dossier.campaign.copied or dossier.campaign.ended:
            continue
        for role in dossier.campaign.roles_of(id)[:1]:
            notice = _notice(dossier, moved=moved)
            mails = to_player(
                in_game(dossier, role, player),
                ShortLetter(notice),
                kind="notice",
                cause=f"rekey/{id}/{player.epoch}",
                at=at,
                moment=dossier.campaign.now,
            )
            for mail in mails:
                owe(connection, mail)
    if moved and former:
        told, cause = ShortLetter(gone or _GONE), f"{changes.left(id)}{player.epoch}"
        owe(connection, to_stranger(former, told, cause=cause, at=at))
    return Rekeyed(player, former if moved else "")


def _notice(dossier: Dossier, *, moved: bool) -> Notice:
    why = (
        phrase_later("Your letters come to this address from now on, and are answered to another.")
        if moved
        else phrase_later("The address that you answer to is another from now on.")
    )
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {_NEW_ADDRESS}",
        heading=phrase_later("A new address to answer to"),
        summary=why,
        body=phrase_later(
            "Answer this letter, or one that comes after it. What answers an older letter waits until you have said "
            "that it is yours. Keep the address to yourself: whoever has it can write as you."
        ),
    )


_NEW_ADDRESS = phrase_later("a new address to answer to")

_GONE = Notice(
    campaign="",
    subject=phrase_later("letters come here no more"),
    heading=phrase_later("Letters come here no more"),
    summary=phrase_later("The umpire has entered another address for you: the letters of this office go there."),
    body=phrase_later("If that is not your wish, write to the umpire."),
    foot="",
)
