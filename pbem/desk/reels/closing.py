"""When a game is over its players are sent all of it: the file that goes with the last letter."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.reels.published import drawn
from pbem.desk.reels.reel import reel
from pbem.kernel.event import Outcome
from pbem.reports.pages.environment import environment
from pbem.reports.replay.page import published_html
from pbem.resources import resources
from pbem.rules.reel import TRUTH
from pbem.storage.database import Connection

LIMIT = 1_500_000
"""Bytes of the file: with it and the page of the whole game a letter stays below what servers of mail take."""

MOST = 20_000
"""Facts, for each pair of eyes that looks at them, that are drawn while a release waits for it."""


def made(office: Office, connection: Connection, dossier: Dossier) -> bytes:
    """The game that ended with the last event of *dossier*, as large as a letter may be; else empty.

    That is through all eyes, or, where that is too much, the truth alone.  What only a player's word lets be shown is
    not in it: it is kept as it was sent, and could not be taken back.  A game ends whatever becomes of its file.
    """
    facts = sum(isinstance(one.event, Outcome) for one in dossier.log)
    for eyes in ((TRUTH, *dossier.roles), (TRUTH,)):
        if not dossier.campaign.started or facts * len(eyes) > MOST:
            continue
        try:
            record = drawn(office, connection, dossier, reel(dossier, eyes), by_leave=False)
            html = published_html(record, environment(resources("templates"), office.templates)).encode()
        except Exception:
            return b""
        if len(html) <= LIMIT:
            return html
    return b""
