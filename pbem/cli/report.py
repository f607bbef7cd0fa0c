"""`pbem report`: read reports, open them, write them as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.desk.turns.shelf import Listed
    from pbem.kernel.names import Moment

FOLDER = click.Path(file_okay=False, path_type=Path)
VERSION = click.option(
    "--version", type=click.IntRange(min=1), help="Of a report that was corrected: 1 is the first; else the last."
)


@click.group(cls=Group)
def report() -> None:
    """Read reports, open them, write them as files."""


@report.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--as", "role", help="Whose report; without it, all are listed.")
@click.option("--turn", help="Of this turn, like 5A; else the newest, a staged one too.")
@VERSION
@click.option("--html", is_flag=True, help="Print the page, byte for byte as it was sent.")
@common.json_option
def show(campaign: str, role: str | None, turn: str | None, version: int | None, html: bool, as_json: bool) -> None:
    """Print a report as text; without --as, list those that were issued.

    With --as and --json: all that is on its page, as the file of a player who asked for `format json`.

    \b
    Example:
      pbem report show stprivat-autumn --as french --turn 4B
      pbem report show stprivat-autumn --as french --turn 4B --version 1 --json
    """
    from pbem.desk.turns import shelf

    with common.the_office() as office:
        if role is None:
            _list(shelf.listing(office, campaign), office.settings.zone, as_json=as_json)
            return
        if as_json:
            click.echo(shelf.data(office, campaign, role, _moment(turn), version=version))
            return
        kept = shelf.find(office, campaign, role, _moment(turn), version=version)
    if html:
        sys.stdout.buffer.write(kept.as_sent)
    else:
        if kept.issued is None:
            click.echo(common.look("Staged: the players have not seen this."), err=True)
        click.echo(kept.report.text)


def _list(found: Sequence[Listed], zone: str, *, as_json: bool) -> None:
    from pbem.reports.text.times import in_zone

    if as_json:
        common.print_json(
            [
                {
                    "role": one.role,
                    "turn": str(one.issued.moment),
                    "version": one.issued.version,
                    "annulled": one.annulled,
                    "issued": common.iso(one.issued.at),
                    "upto": one.issued.upto,
                    "view": one.issued.view,
                    "page": one.issued.page,
                }
                for one in found
            ]
        )
        return
    rows = [
        (
            str(one.issued.moment),
            one.role,
            str(one.issued.version),
            in_zone(one.issued.at, zone),
            "annulled" if one.annulled else "",
        )
        for one in found
    ]
    common.table(("Turn", "Role", "Version", "Issued", ""), rows, right=(2,))


@report.command("open")
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--as", "role", required=True, help="Whose report.")
@click.option("--turn", help="Of this turn, like 5A; else the newest, a staged one too.")
@VERSION
def open_report(campaign: str, role: str, turn: str | None, version: int | None) -> None:
    """Open a report in the browser.

    \b
    Example:
      pbem report open stprivat-autumn --as prussian --turn 5A
    """
    from pbem.desk.office.inside import inside
    from pbem.desk.turns import shelf

    with common.the_office() as office:
        kept = shelf.find(office, campaign, role, _moment(turn), version=version)
        folder = inside(office.folder, "reports", kept.campaign, *(["staged"] if kept.issued is None else []))
        [path] = shelf.write(office, kept, folder)
    click.echo(str(path))
    click.launch(path.as_uri())


@report.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--as", "roles", multiple=True, help="Whose reports; else everybody's.")
@click.option("--turn", help="Of this turn, like 5A; else of all.")
@click.option(
    "--to", "folder", type=FOLDER, help="Into a folder of the campaign's name in this one; else in the office's own."
)
@common.json_option
def export(campaign: str, roles: tuple[str, ...], turn: str | None, folder: Path | None, as_json: bool) -> None:
    """Write reports as files: page, text, map as SVG and PNG.

    \b
    Example:
      pbem report export stprivat-autumn --turn 4B --to /tmp/reports
    """
    from pbem.desk.turns import shelf

    with common.the_office() as office:
        total = len(shelf.listing(office, campaign))
        with common.progress("Rendering reports", total) as done:
            written = shelf.export(office, campaign, folder, roles, _moment(turn), progress=done)
    if as_json:
        common.print_json([str(path) for path in written])
        return
    for path in written:
        click.echo(str(path))


def _moment(turn: str | None) -> Moment | None:
    from pbem.kernel.names import Moment

    return Moment.parse(turn) if turn else None
