"""`pbem campaign open`, `candidates` and `draw`: a campaign that anybody may join."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.office.office import Office

Command = TypeVar("Command", bound=Callable[..., Any])


def sign_up_options(command: Command) -> Command:
    """Give *command* the options of a sign-up."""
    until = click.option("--until", metavar="TIME", help="When the lot is drawn; else as soon as all can be filled.")
    start = click.option(
        "--start", type=click.Choice(["gm", "auto"]), default="gm", help="Who begins the game when roles are given."
    )
    return until(start(command))


def opened(office: Office, name: str, until: str | None, start: str) -> None:
    """Open the sign-up, and say how one joins."""
    from pbem.desk.players import joining

    closes = common.read_time(until, office.settings.zone) if until else 0
    dossier = joining.open_sign_up(office, name, closes=closes, by_itself=start == "auto")
    click.echo(f"Anybody may join {dossier.id}.  {joining.closing(dossier, office.settings.zone)}")
    click.echo(
        f"By a letter to {office.settings.address} that begins:  join {dossier.id} as {' or '.join(dossier.roles)}"
    )
    if url := office.settings.web.url:
        click.echo(f"Or on its page:  {url}/sign-up/{dossier.id}")
    click.echo(f"Next: pbem campaign candidates {dossier.id}")


@click.command("open")
@click.argument("name")
@sign_up_options
def open_up(name: str, until: str | None, start: str) -> None:
    """Let anybody join a campaign that has not begun; its free roles are given by lot.

    \b
    Example:
      pbem campaign open stprivat-autumn --until 2026-12-01T20:00 --start auto
    """
    with common.the_office() as office:
        opened(office, name, until, start)


@click.command()
@click.argument("name")
@common.json_option
def candidates(name: str, as_json: bool) -> None:
    """List who would play a campaign that anybody may join, and who waits.

    \b
    Example:
      pbem campaign candidates stprivat-autumn
    """
    from pbem.desk.books import dossiers
    from pbem.desk.players import joining

    with common.the_office() as office, office.read() as connection:
        dossier = dossiers.load(office, connection, name)
        people = joining.people(connection, dossier)
        zone = office.settings.zone
    if as_json:
        plain = [{"number": one.number, "player": one.player, "wishes": list(one.wishes)} for one, _ in people]
        common.print_json({"campaign": dossier.id, "drawn": dossier.campaign.drawn is not None, "candidates": plain})
        return
    if dossier.campaign.sign_up is None:
        click.echo(f"Nobody can join {dossier.id} by himself.  Next: pbem campaign open {dossier.id}")
        return
    rows = [(str(one.number), joining.wished(one), who.name or "erased", who.address or "") for one, who in people]
    if rows:
        common.table(("Number", "Would play", "Name", "Address"), rows, right=(0,))
    else:
        click.echo("Nobody is on the list." if not dossier.campaign.drawn else "Nobody waits.")
    click.echo(f"\n{joining.closing(dossier, zone)}")


@click.command()
@click.argument("name")
def draw(name: str) -> None:
    """Close the sign-up of a campaign now, and give its roles by lot.

    \b
    Example:
      pbem campaign draw stprivat-autumn
    """
    from pbem.desk.books import dossiers
    from pbem.desk.books.led_by_rules import lacking
    from pbem.desk.players import joining

    with common.the_office() as office:
        drawn = joining.draw(office, name)
        with office.read() as connection:
            missing = lacking(dossiers.load(office, connection, name))
    click.echo(common.strong("The lot is drawn."))
    common.table(("Role", "Number"), [(role, str(number)) for role, number in drawn.roles.items()], right=(1,))
    if missing:
        click.echo(f"Nobody has {', '.join(missing)}: who joins now and wishes for it gets it.")
    else:
        click.echo(f"Next: pbem campaign start {name}\n      pbem dice audit {name}")
