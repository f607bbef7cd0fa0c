"""`pbem observer`: who looks on without a side."""

from __future__ import annotations

import click

from pbem.cli import common
from pbem.cli.lazy import Group


@click.group(cls=Group)
def observer() -> None:
    """Who looks on without a side."""


@observer.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--name", required=True, help="What he is called.")
@click.option("--address", required=True, help="Where he reads letters.")
@click.option("--zone", help="His time zone, like Europe/Paris; else the office's.")
def add(campaign: str, name: str, address: str, zone: str | None) -> None:
    """Let a person look on at CAMPAIGN, as its terms say (`pbem campaign set --observers`).  All players are told.

    \b
    Example:
      pbem observer add stprivat-autumn --name "W. Russell" --address russell@paper.example
    """
    from pbem.desk.books import dossiers
    from pbem.desk.players.observers import admit
    from pbem.reports.text.terms import observers

    with common.the_office() as office:
        added = admit(office, campaign, name=name, address=address, zone=zone)
        with office.read() as connection:
            terms = dossiers.load(office, connection, campaign).campaign.terms
    click.echo(f"{added.name} looks on at {campaign} from {added.address}: {observers(terms)}.")
    common.then_mail("he and the players are told")


@observer.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("who")
@click.option("--reason", default="", help="Stands in the log, and is told to him.")
def remove(campaign: str, who: str, reason: str) -> None:
    """Let WHO, by his id or his address, look on no more.

    \b
    Example:
      pbem observer remove stprivat-autumn russell@paper.example
    """
    from pbem.desk.players import observers

    with common.the_office() as office:
        gone = observers.remove(office, campaign, who, reason=reason)
    click.echo(f"{gone.name or gone.id} looks on at {campaign} no more.")
    common.then_mail("he is told")


@observer.command("list")
@click.argument("campaign", type=common.CAMPAIGN)
@common.json_option
def listed(campaign: str, as_json: bool) -> None:
    """List those who look on at CAMPAIGN.

    \b
    Example:
      pbem observer list stprivat-autumn
    """
    from pbem.desk.players import observers

    with common.the_office() as office:
        found = observers.there(office, campaign)
    if as_json:
        common.print_json([{"player": one.id, "name": one.name, "address": one.address} for one in found])
        return
    rows = [(one.id, one.name or "erased", one.address or "", one.zone) for one in found]
    common.table(("Player", "Name", "Address", "Zone"), rows)
