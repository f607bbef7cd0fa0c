"""What a player wants of the mails to his role that answer nothing: some kinds of them he may stop.

Which kind a mail is of shows in how its cause begins.  What is of no kind comes always: receipts, reports, briefings,
questions, invitations, what the umpire writes, and the end.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.desk.books.owed import Owed
from pbem.kernel.campaign import Campaign
from pbem.kernel.office import MailSort
from pbem.reports.text.speech import phrase_later

SORTS: Mapping[str, MailSort] = {
    "letter": "letters",
    "reminder": "reminders",
    "grace": "reminders",
    "late": "reminders",
    "annulled": "notices",
    "answered": "notices",
    "deadline": "notices",
    "entered": "notices",
    "hours": "notices",
    "left": "notices",
    "opened": "notices",
    "paused": "notices",
    "renewed": "notices",
    "resumed": "notices",
    "waits": "notices",
}
"""By how the cause of a mail to a player begins."""

SAYS: Mapping[MailSort, str] = {
    "letters": phrase_later("letters of other players"),
    "reminders": phrase_later("reminders that your orders are missing"),
    "notices": phrase_later(
        "notices of how the game is run: of deadlines that were moved, of pauses, of who comes and goes"
    ),
}


_SORTS = (phrase_later("letters"), phrase_later("reminders"), phrase_later("notices"))
"""What they are called, for the catalogues."""


def sort_of(owed: Owed) -> MailSort | None:
    """Which kind a mail is of; None: it comes always."""
    if owed.kind != "notice" or owed.player is None or owed.role is None:
        return None
    return SORTS.get(owed.cause.partition("/")[0])


def as_wanted(campaign: Campaign, owed: Owed) -> Owed:
    """A mail that is owed now, as its reader wants it."""
    sort = sort_of(owed)
    if sort is None or owed.role is None or owed.player != campaign.players.get(owed.role):
        return owed
    if sort in campaign.stopped.get(owed.role, ()):
        return replace(owed, unwanted=f"its player wants no {sort}")
    return owed
