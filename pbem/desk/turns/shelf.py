"""Reports that were issued, and those that wait to be: found, read again, written as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.pages import files, opened, pages
from pbem.desk.pages.pages import Report
from pbem.kernel.campaign import Issued
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.reports.pages.data import report_json
from pbem.reports.pages.report import Page
from pbem.storage import blobs, players
from pbem.storage.database import Connection


class Kept(Struct, frozen=True):
    """A report, and what is known of it."""

    campaign: CampaignId
    role: Role
    issued: Issued | None
    """None: it is staged, and the players have not seen it."""
    moment: Moment
    report: Report
    as_sent: bytes
    """The page with the very bytes that were sent; for a staged one, as it stands."""


class Listed(Struct, frozen=True):
    """A report that was issued."""

    role: Role
    issued: Issued
    annulled: bool
    """It holds no more."""


def listing(office: Office, campaign: str) -> list[Listed]:
    """Every report of *campaign* that was ever issued, in the order of the log."""
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    found = [
        Listed(role, one, annulled=dossier.voided_by(one.seq) > 0)
        for role in dossier.roles
        for one in pages.issued_to(dossier, role)
    ]
    return sorted(found, key=lambda one: one.issued.seq)


def find(office: Office, campaign: str, role: str, moment: Moment | None = None, *, version: int | None = None) -> Kept:
    """The report of *moment* (None: the newest, a staged one too) to *role*; of several the *version* (None: the last).

    :raises Refused: if there is none.
    """
    with office.read() as connection:
        dossier, page, issued = _found(office, connection, campaign, role, moment, version)
        report = pages.render(office, page)
        sent = blobs.fetch(connection, issued.page) if issued else report.html.encode()
    return Kept(dossier.id, page.view.role, issued, page.view.moment, report, sent)


def data(
    office: Office, campaign: str, role: str, moment: Moment | None = None, *, version: int | None = None
) -> bytes:
    """The same report as JSON (`docs/schema/report.json`).

    :raises Refused: if there is none.
    """
    with office.read() as connection:
        _, page, _ = _found(office, connection, campaign, role, moment, version)
    return report_json(page)


def _found(
    office: Office, connection: Connection, campaign: str, role: str, moment: Moment | None, version: int | None
) -> tuple[Dossier, Page, Issued | None]:
    """A campaign, the page of a report of it, and how it was issued; None: it is staged."""
    dossier = dossiers.load(office, connection, campaign)
    known, told = dossier.role(role), dossier.campaign
    player = players.get(connection, told.players[known]) if known in told.players else None
    zone = player.zone if player else told.terms.zone
    exchange, staged = told.exchange, None
    if exchange and exchange.resolved and exchange.state == "resolved" and moment in (None, exchange.moment):
        view = pages.read_view(blobs.fetch(connection, exchange.resolved.views[known]))
        earlier = pages.earlier_of(connection, dossier, known, exchange.moment)
        staged = pages.page_of(office, dossier, view, zone=zone, at=office.now(), earlier=earlier, head="")
        if version in (None, staged.version):
            return dossier, staged, None
    issued = [one for one in pages.issued_to(dossier, known, moment) if version or not dossier.voided_by(one.seq)]
    if version:
        newest = staged.view.moment if staged else issued[-1].moment if issued else None
        issued = [one for one in issued if (one.moment, one.version) == (moment or newest, version)]
    if not issued:
        which = f"{f' {moment}' if moment else ''}{f', version {version},' if version else ''}"
        raise Refused(f"there is no report{which} to {known} in {dossier.id}.")
    page = pages.issued_page(office, connection, dossier, known, issued[-1], zone=zone)
    return dossier, page, issued[-1]


def write(office: Office, kept: Kept, folder: Path) -> list[Path]:
    """Write one report as files into *folder*; gives its page.

    :raises Refused: if the folder cannot be written.
    """
    return files.write(office, kept.campaign, [kept.report], folder)


def export(
    office: Office,
    campaign: str,
    folder: Path | None,
    roles: Sequence[str],
    moment: Moment | None,
    *,
    progress: Callable[[int], None] = lambda count: None,
) -> list[Path]:
    """Write reports as files, into a folder of the campaign's name; of *roles* (empty: all) and *moment* (None: all).

    Of a game that is over, all of it, the page on which it is opened too.

    It lies in *folder*, or where the office keeps such; so no campaign writes over the reports of another.

    *progress* is told how many have been dealt with.

    :raises Refused: if there are none, or the folder cannot be written.
    """
    wanted = {role.casefold() for role in roles}
    written: list[Path] = []
    for count, one in enumerate(listing(office, campaign), start=1):
        progress(count)
        if one.annulled or (wanted and one.role not in wanted) or moment not in (None, one.issued.moment):
            continue
        kept = find(office, campaign, one.role, one.issued.moment)
        written += write(office, kept, inside(folder or office.folder / "reports", campaign))
    if not wanted and moment is None:
        written += opened.write(office, campaign, inside(folder or office.folder / "reports", campaign))
    if not written:
        raise Refused(f"there is no such report in {campaign} yet.")
    return written
