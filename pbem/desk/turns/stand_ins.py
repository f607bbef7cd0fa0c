"""Who stands in for the player of a role does so for a time, and no longer: it ends by itself."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.post.entries import Entry, tell
from pbem.desk.post.post import to_gm
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import StandInEnded
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage import players
from pbem.storage.database import Connection

OVER = phrase_later("His time is over.")


def end(connection: Connection, entry: Entry, role: Role, why: str) -> bool:
    """Enter that nobody stands in for *role* any more, or is asked to; both are told, and the GM.

    Says whether one did.  What waits for him of the game never leaves, unless he has another part in it.
    """
    dossier = entry.dossier
    one, owner = dossier.campaign.stand_ins.get(role), dossier.campaign.players.get(role)
    if one is None:
        return False
    entry.add(dossier.campaign.now or dossier.exchange().moment, StandInEnded(role=role, stand_in=one.player, why=why))
    if why != OVER:
        entry.left.append((one.player, role))
    for who in (one.player, owner):
        _tell(connection, entry, role, who, one.player, why)
    subject, text = f"nobody stands in for {role} any more", f"{one.player} sends nothing for {role} any more.  {why}\n"
    cause = f"stand-in/gm/{role}/{entry.dossier.seq}"
    entry.owe([to_gm(dossier.id, subject, text, cause=cause, at=entry.at)])
    return True


def _tell(connection: Connection, entry: Entry, role: Role, who: PlayerId | None, stand_in: PlayerId, why: str) -> None:
    if who is None:
        return
    dossier = entry.dossier
    with speaking(dossier.campaign.language(role)):
        notice = _no_more(dossier, role, why, own=who != stand_in)
    # Who was named in the same letter is known to the entry alone.
    named = next((one for one in entry.people if one.id == who), None)
    tell(entry, role, named or players.get(connection, who), notice, cause=f"stand-in/end/{role}/{dossier.seq}/{who}")


def _no_more(dossier: Dossier, role: Role, why: str, *, own: bool) -> Notice:
    """The letter that says that nobody stands in any more, to the player of the role himself (*own*) or who did."""
    if own:
        head = phrase("Nobody stands in for you as {role} any more", role=role)
        then = phrase("What was sent stands; from now on your letters alone count.")
    else:
        head = phrase("You no longer stand in for {role}", role=role)
        then = phrase("No more of it comes to you.")
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {head[0].lower()}{head[1:]}",
        heading=head,
        summary=phrase(why),
        body=then,
        foot="",
    )


def over(connection: Connection, entry: Entry, *, proxies: bool) -> None:
    """When what was run is made known: end what has served its time.

    A proxy is told nothing of what came of his orders: his time is over before the reports; that of others after them.
    """
    campaign = entry.dossier.campaign
    for role, one in list(campaign.stand_ins.items()):
        asked_for_turns = one.since is None and one.turns > 0
        if asked_for_turns or (one.turns == 0) is not proxies:
            continue
        if proxies or campaign.ended or (campaign.now is not None and not one.serves(campaign.now)):
            end(connection, entry, role, OVER)
