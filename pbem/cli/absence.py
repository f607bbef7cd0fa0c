"""`pbem campaign absence`: who is away, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common, terms

if TYPE_CHECKING:
    from datetime import datetime

DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.argument("name")
@click.option("--book", "away", metavar="ROLE", help="Book whoever plays ROLE absent, with --since and --until.")
@click.option("--since", type=DAY, help="The first day, by the clock of the campaign.")
@click.option("--until", type=DAY, help="The last day.")
@click.option("--cancel", "back", metavar="ROLE", help="Cancel what whoever plays ROLE has booked.")
@click.option("--reason", default="", help="What stands in the log of a cancelled absence.")
@common.json_option
def absence(
    name: str,
    away: str | None,
    since: datetime | None,
    until: datetime | None,
    back: str | None,
    reason: str,
    as_json: bool,
) -> None:
    """List the absences of a campaign that are not over, book one for a player, or cancel his.

    Players book theirs by letter: vacation 2026-12-24 to 2027-01-02.  Deadlines that fall into them are moved.

    \b
    Example:
      pbem campaign absence stprivat-autumn
      pbem campaign absence stprivat-autumn --book french --since 2026-12-24 --until 2027-01-02
      pbem campaign absence stprivat-autumn --cancel french --reason "He stays."
    """
    from pbem.desk.books import dossiers
    from pbem.desk.turns import absences
    from pbem.reports.text.times import in_zone

    if away and not (since and until):
        raise click.UsageError("Say from when and until when: --since DAY --until DAY.")
    with common.the_office() as office:
        zone = office.settings.zone
        if away and since and until:
            booked = absences.book_for(office, name, away, since.date(), until.date())
            click.echo(f"{away} is absent until {in_zone(booked.absence.until, zone)}; {booked.left} days are left.")
            if booked.moved:
                click.echo("The open exchange is due later now.")
                common.then_mail("the players are told")
            return
        if back:
            gone = absences.cancel_for(office, name, back, reason)
            click.echo(f"Cancelled: {common.plural(len(gone), 'absence')}.  Deadlines that were moved stay.")
            return
        with office.read() as connection:
            dossier = dossiers.load(office, connection, name)
        now = office.now()
    if as_json:
        common.print_json(terms.plain(dossier, now)["absences"])
        return
    common.pairs(terms.away(dossier, now, zone) or [("absent", "nobody")])
