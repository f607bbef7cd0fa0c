"""Reports that were issued, and those that wait to be: found, read again, written as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.pages import opened, pages
from pbem.desk.pages.pages import Report
from pbem.desk.turns import publish
from pbem.kernel.campaign import Issued
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.storage import blobs, players


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


def listing(office: Office, campaign: str) -> list[tuple[Role, Issued]]:
    """Every report of *campaign* that was issued and not annulled, in the order of the log."""
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    found = [(role, one) for role, issued in dossier.campaign.reports.items() for one in issued]
    return sorted(found, key=lambda one: one[1].seq)


def find(office: Office, campaign: str, role: str, moment: Moment | None = None) -> Kept:
    """The report of *moment* (None: the newest, a staged one too) to *role*.

    :raises Refused: if there is none.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        known = dossier.role(role)
        told = dossier.campaign
        player = players.get(connection, told.players[known]) if known in told.players else None
        zone = player.zone if player else dossier.campaign.terms.zone
        exchange = told.exchange
        if exchange and exchange.resolved and exchange.state == "resolved" and moment in (None, exchange.moment):
            view = pages.read_view(blobs.fetch(connection, exchange.resolved.views[known]))
            page = pages.page_of(office, dossier, view, zone=zone, at=office.now(), version=1, head="")
            report = pages.render(office, page)
            return Kept(dossier.id, known, None, exchange.moment, report, report.html.encode())
        issued = [one for one in told.reports.get(known, ()) if moment in (None, one.moment)]
        if not issued:
            raise Refused(f"there is no report {f'{moment} ' if moment else ''}to {known} in {dossier.id}.")
        page = pages.issued_page(office, connection, dossier, known, issued[-1], zone=zone)
        sent = blobs.fetch(connection, issued[-1].page)
        return Kept(dossier.id, known, issued[-1], issued[-1].moment, pages.render(office, page), sent)


def write(office: Office, kept: Kept, folder: Path) -> list[Path]:
    """Write one report as files into *folder*; gives its page.

    :raises Refused: if the folder cannot be written.
    """
    return publish.write_files(office, kept.campaign, {kept.role: kept.report}, folder)


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
    for count, (role, issued) in enumerate(listing(office, campaign), start=1):
        progress(count)
        if (wanted and role not in wanted) or moment not in (None, issued.moment):
            continue
        kept = find(office, campaign, role, issued.moment)
        written += write(office, kept, inside(folder or office.folder / "reports", campaign))
    if not wanted and moment is None:
        whole = opened.write(office, campaign, inside(folder or office.folder / "reports", campaign))
        written += [whole] if whole else []
    if not written:
        raise Refused(f"there is no such report in {campaign} yet.")
    return written
