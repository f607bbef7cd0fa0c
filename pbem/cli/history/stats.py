"""`pbem history stats`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common
from pbem.cli.history.common import paged


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--as", "role", help="As this role knows it.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw losses and score into this new file, as SVG."
)
@common.json_option
def stats(campaign: str, role: str | None, plot: Path | None, as_json: bool) -> None:
    """Count a game: losses and score over the turns, the luck of the sides, and how they wrote.

    Luck is what came of dice that are good for one side, less what was to be expected of them at that throw.

    \b
    Example:
      pbem history stats stprivat-autumn --plot course.svg
    """
    from pbem.desk.reels.stats import drawn, stats_of, tables
    from pbem.reports.text.plain import table

    common.see_free(plot)
    with common.the_office() as office:
        found = stats_of(office, campaign, role)
    if plot is not None:
        common.write_output(plot, [drawn(found)])
        click.echo(str(plot), err=str(plot) == "-")
    elif as_json:
        from pbem.desk.books import shown

        common.print_json(shown.plain(found))
    else:
        whose = "the truth" if role is None else f"as known to {found.eyes}"
        paged(
            [
                common.strong(f"{found.campaign}, {whose}"),
                *(f"\n{common.strong(data.caption)}\n{table(data, width=common.WIDTH)}" for data in tables(found)),
            ]
        )
