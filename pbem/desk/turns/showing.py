"""What observers are shown is entered with the release that makes it due, and owed to each of them with it."""

from __future__ import annotations

from pbem.desk.books import observing
from pbem.desk.books.ended import ending
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post import observed
from pbem.desk.post.entries import Entry
from pbem.mail.leaving.compose import Attachment
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase_later
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player


def show(connection: Connection, entry: Entry, *, mailed: bool = True) -> None:
    """Enter what is to be shown to observers by now, if there are any; *mailed*: and owe it to them."""
    there = watchers(connection, entry)
    if not there:
        return
    for shown in observing.due(entry.dossier):
        entry.add(entry.dossier.campaign.now or SET_UP, shown)
        for player in there if mailed else ():
            entry.owe(observed.owed(entry.dossier, shown, player, at=entry.at))


def show_all(connection: Connection, entry: Entry, whole: tuple[Attachment, ...]) -> None:
    """The game is over: enter all that was not shown yet, and owe the *whole* game to those who look on."""
    ended = entry.dossier.campaign.ended
    assert ended is not None, "it is over"
    show(connection, entry, mailed=False)
    body = phrase_later("With this letter comes the whole game: how things truly stood, and how it came to that.")
    notice = Notice(
        campaign=entry.dossier.id,
        subject=f"[{entry.dossier.id}] the game is over",
        heading=phrase_later("The game at which you looked on is over"),
        summary=f"{cap(ending(ended))}.",
        body=body if whole else "",
        foot="",
    )
    for player in watchers(connection, entry):
        entry.owe(
            observed.told(entry.dossier, player, notice, *whole, cause=f"observed/ended/{player.id}", at=entry.at)
        )


def watchers(connection: Connection, entry: Entry) -> list[Player]:
    """Those who look on in the campaign."""
    return [players.get(connection, one) for one in entry.dossier.campaign.observers]
