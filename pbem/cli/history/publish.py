"""`pbem history publish`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--as", "roles", multiple=True, metavar="ROLE", help="Through its eyes; several times for several.")
@click.option("--all", "everything", is_flag=True, help="The truth, and what every role knew: of a game that is over.")
@click.option("--gm", "alone", is_flag=True, help="For your own eyes: also of a game that is not over.")
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write pages for the web into it, one a turn, with an index of all games there and an Atom feed.",
)
def publish(
    campaign: str, file: Path | None, roles: tuple[str, ...], *, everything: bool, alone: bool, site: Path | None
) -> None:
    """Write the game into FILE, one page that moves and needs nothing else; - is standard output.

    It has a timeline, the map, what was told and ordered, and throws every die again in its reader's browser.  Of a
    game that is over it is the truth and all roles, if you name none.

    \b
    Example:
      pbem history publish stprivat-autumn french.html --as french
      pbem history publish stprivat-autumn --as french --site public
    """
    from pbem.kernel.errors import Refused

    if file is None and site is None:
        raise Refused("say where to: a FILE, or --site FOLDER.")
    if alone and site is not None:
        raise Refused("a site is for everybody: what is for your own eyes goes into a FILE.")
    if file is not None:
        _one_file(campaign, file, roles, everything=everything, alone=alone)
    if site is not None:
        from pbem.desk.reels import site as pages

        with common.the_office() as office:
            written = pages.write(office, campaign, site, roles, everything=everything)
        click.echo(f"{common.plural(len(written), 'file')} in {site}; begin with {site / 'index.html'}.")


def _one_file(campaign: str, file: Path, roles: tuple[str, ...], *, everything: bool, alone: bool) -> None:
    from pbem.desk.reels.published import publish as published

    with common.the_office() as office:
        made = published(office, campaign, roles, everything=everything, alone=alone)
    common.write_output(file, [made.html])
    told = f"{common.plural(made.moments, 'moment')} through {', '.join(made.eyes)}"
    dice, size = common.plural(made.dice, "die", "dice"), f"{len(made.html) / 1_000_000:.2f} MB"
    click.echo(f"{file}: {told}; {dice}; {size}.", err=str(file) == "-")
    if made.alone:
        click.echo("For your eyes alone: it shows what no player may know yet.", err=str(file) == "-")
