"""`pbem report`: read reports, open them, write them as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.kernel.names import Moment

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(cls=Group)
def report() -> None:
    """Read reports, open them, write them as files."""


@report.command()
@click.argument("campaign")
@click.option("--as", "role", help="Whose report; without it, all are listed.")
@click.option("--turn", help="Of this turn, like 5A; else the newest, a staged one too.")
@click.option("--html", is_flag=True, help="Print the page, byte for byte as it was sent.")
@common.json_option
def show(campaign: str, role: str | None, turn: str | None, html: bool, as_json: bool) -> None:
    """Print a report as text; without --as, list those that were issued.

    \b
    Example:
      pbem report show stprivat-autumn --as french --turn 4B
    """
    from pbem.desk.turns import shelf
    from pbem.reports.text.times import in_zone

    with common.the_office() as office:
        if role is None:
            found = shelf.listing(office, campaign)
            if as_json:
                common.print_json(
                    [
                        {
                            "role": who,
                            "turn": str(one.moment),
                            "version": one.version,
                            "issued": common.iso(one.at),
                            "upto": one.upto,
                            "view": one.view,
                            "page": one.page,
                        }
                        for who, one in found
                    ]
                )
                return
            zone = office.settings.zone
            rows = [(str(one.moment), who, str(one.version), in_zone(one.at, zone)) for who, one in found]
            common.table(("Turn", "Role", "Version", "Issued"), rows, right=(2,))
            return
        kept = shelf.find(office, campaign, role, _moment(turn))
    if as_json:
        staged = kept.issued is None
        common.print_json({"role": kept.role, "turn": str(kept.moment), "staged": staged, "text": kept.report.text})
    elif html:
        sys.stdout.buffer.write(kept.as_sent)
    else:
        if kept.issued is None:
            click.echo(common.look("Staged: the players have not seen this."), err=True)
        click.echo(kept.report.text)


@report.command("open")
@click.argument("campaign")
@click.option("--as", "role", required=True, help="Whose report.")
@click.option("--turn", help="Of this turn, like 5A; else the newest, a staged one too.")
def open_report(campaign: str, role: str, turn: str | None) -> None:
    """Open a report in the browser.

    \b
    Example:
      pbem report open stprivat-autumn --as prussian --turn 5A
    """
    from pbem.desk.office.inside import inside
    from pbem.desk.turns import shelf

    with common.the_office() as office:
        kept = shelf.find(office, campaign, role, _moment(turn))
        folder = inside(office.folder, "reports", kept.campaign, *(["staged"] if kept.issued is None else []))
        [path] = shelf.write(office, kept, folder)
    click.echo(str(path))
    click.launch(path.as_uri())


@report.command()
@click.argument("campaign")
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
