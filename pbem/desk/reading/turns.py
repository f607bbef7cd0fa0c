"""The reports of a role as they were issued, to be read at leisure, and the game so far through its eyes."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import issued_page, issued_to, read_view
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.published import drawn
from pbem.kernel.campaign import Issued
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.reports.maps.field import Field, field_of
from pbem.reports.pages.data import report_json
from pbem.reports.pages.environment import environment
from pbem.reports.pages.sliced import Sliced, sliced
from pbem.reports.replay.page import published_html
from pbem.reports.text.speech import phrase, phrase_later
from pbem.resources import resources
from pbem.rules.view import View
from pbem.storage import blobs, players
from pbem.storage.database import Connection


class Turn(Struct, frozen=True, kw_only=True):
    """A report, and those before and after it."""

    issued: Issued
    view: View
    page: Sliced
    field: Field
    steps: tuple[Moment, ...]
    """Of every report that holds, in their order."""
    versions: tuple[int, ...]
    """Of this moment."""

    @property
    def earlier(self) -> Moment | None:
        """The one before."""
        at = self.steps.index(self.issued.moment)
        return self.steps[at - 1] if at else None

    @property
    def later(self) -> Moment | None:
        """The one after."""
        return next(iter(self.steps[self.steps.index(self.issued.moment) + 1 :]), None)


def newest(dossier: Dossier, role: Role) -> Moment:
    """The moment of the newest report of *role*.

    :raises Refused: if there is none yet.
    """
    issued = dossier.campaign.reports.get(role, ())
    if not issued:
        text = phrase_later("{game} has not begun: your first report comes with its briefing.")
        raise Refused(phrase(text, game=dossier.title))
    return issued[-1].moment


def turn(office: Office, dossier: Dossier, role: Role, moment: Moment, version: int = 0) -> Turn:
    """The report of *moment* that *role* was issued: its newest, or that *version*.

    :raises Refused: if there is none.
    """
    every = issued_to(dossier, role, moment)
    found = [one for one in every if version in (0, one.version)]
    if not found:
        raise Refused(phrase("there is no report {moment} of yours.", moment=moment))
    issued = found[-1]
    with office.read() as connection:
        view = read_view(blobs.fetch(connection, issued.view))
        page = sliced(blobs.fetch(connection, issued.page).decode())
    steps = dict.fromkeys((*(one.moment for one in dossier.campaign.reports.get(role, ())), moment))
    return Turn(
        issued=issued,
        view=view,
        page=page,
        field=field_of(view.picture),
        steps=as_told(steps),
        versions=tuple(one.version for one in every),
    )


def as_told(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """Moments in the order in which their reports come: those of the halts of a run before that of the whole.

    >>> [str(one) for one in as_told([Moment(3), Moment(3, 1, 40), Moment(2), Moment(3, 1, 35)])]
    ['2A', '3.35', '3.40', '3A']
    """
    return tuple(sorted(moments, key=lambda one: (one.turn, one.exchange, not one.halt, one.halt)))


def titles(office: Office, dossier: Dossier, role: Role) -> list[tuple[Issued, str]]:
    """Every report of *role* that holds, with its headline."""
    with office.read() as connection:
        return [
            (one, read_view(blobs.fetch(connection, one.view)).title) for one in dossier.campaign.reports.get(role, ())
        ]


def newest_view(connection: Connection, dossier: Dossier, role: Role) -> tuple[Issued, View]:
    """The newest report of *role*, and what is on it.

    :raises Refused: if there is none yet.
    """
    newest(dossier, role)
    issued = dossier.campaign.reports[role][-1]
    return issued, read_view(blobs.fetch(connection, issued.view))


def reel_page(office: Office, campaign: str, eyes: tuple[str, ...], assets: str, home: str) -> bytes:
    """The game so far through those *eyes*, as a page that is served; it can take long.

    :raises Refused: if there is nothing to show yet.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    seen = reel_of(office, campaign, eyes)
    if not seen.beats:
        raise Refused(phrase("nothing has come to pass yet."))
    with office.read() as connection:
        record = drawn(office, connection, dossier, seen)
    env = environment(resources("templates"), office.templates)
    return published_html(record, env, home=home, assets=assets).encode()


def data_of(office: Office, dossier: Dossier, found: Turn) -> bytes:
    """A report that was issued as JSON (`docs/schema/report.json`)."""
    role = found.view.role
    with office.read() as connection:
        player = players.get(connection, dossier.campaign.players[role]) if role in dossier.campaign.players else None
        zone = player.zone if player else dossier.campaign.terms.zone
        return report_json(issued_page(office, connection, dossier, role, found.issued, zone=zone))
