"""What those are shown who look on without a side: the report of a role, as it got it, or the truth of a turn.

It is made of the log as it stood when the turn was resolved, so that nothing of what came after can be in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.pages.gms_page import page_in
from pbem.desk.pages.pages import issued_to, read_view
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import TurnShown
from pbem.reports.pages.environment import environment
from pbem.reports.pages.umpire import UmpirePage, observed_html
from pbem.resources import resources
from pbem.rules.reel import TRUTH
from pbem.rules.view import View
from pbem.storage import blobs
from pbem.storage.database import Connection


class Observed(Struct, frozen=True, kw_only=True):
    """One page that an observer reads."""

    eyes: str
    name: str
    """Of the file that it is: `3b-truth.html`."""
    title: str
    view: View | None
    """What is told on it; None: the rules tell no truth, and it shows the roles' pages alone."""
    html: str


def pages_of(
    office: Office, connection: Connection, dossier: Dossier, shown: TurnShown, zone: str, *, only: str = ""
) -> list[Observed]:
    """The pages that are shown of a moment, or that of *only* those eyes, hours by the clock of *zone*.

    :raises Refused: if the rules cannot make the truth.
    """
    through = [eyes for eyes in shown.eyes if only in ("", eyes)]
    return [one for eyes in through for one in _through(office, connection, dossier, shown, eyes, zone)]


def find(dossier: Dossier, moment: Moment | None = None) -> TurnShown:
    """What observers were shown of *moment*, or (None) of the newest.

    :raises Refused: if they were shown nothing of it.
    """
    there = dossier.campaign.shown
    if not there:
        raise Refused(f"nothing of {dossier.title} is shown to those who look on yet.")
    if (moment := moment or max(there)) not in there:
        raise Refused(f"{moment} is not shown to those who look on.")
    return there[moment]


def _through(
    office: Office, connection: Connection, dossier: Dossier, shown: TurnShown, eyes: str, zone: str
) -> Iterator[Observed]:
    name = f"{str(shown.moment).lower()}-{eyes.replace('.', '-')}.html"
    if eyes == TRUTH:
        page = _truth(office, connection, dossier, shown, zone)
        html = observed_html(page, environment(resources("templates"), office.templates))
        title = page.truth.title if page.truth else dossier.title
        yield Observed(eyes=eyes, name=name, title=title, view=page.truth, html=html)
        return
    for issued in issued_to(dossier, Role(eyes), shown.moment):
        if issued.upto == shown.upto:
            view = read_view(blobs.fetch(connection, issued.view))
            html = blobs.fetch(connection, issued.page).decode()
            yield Observed(eyes=eyes, name=name, title=view.title, view=view, html=html)
            return


def _truth(office: Office, connection: Connection, dossier: Dossier, shown: TurnShown, zone: str) -> UmpirePage:
    """The truth as it stood then, without what the umpire did: his notes to a role are its own."""
    then = dossier.upto(shown.upto)
    return replace(page_in(office, connection, then, shown.moment), zone=zone, notes=(), head="")
