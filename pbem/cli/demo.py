"""`pbem demo`: a shipped campaign, from its letters to its reports."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--system", help="Of which rules; else of those to begin with.")
@click.option("--scenario", help="Which of several, by the name of its folder.")
@click.option("--web", is_flag=True, help="Serve its pages then, until you stop it: needs pbem[web].")
@common.json_option
def demo(folder: Path | None, system: str | None, scenario: str | None, web: bool, as_json: bool) -> None:
    """Play a shipped campaign from sample letters, in an office of its own in FOLDER.

    Nothing is mailed.  The same letters give the same reports every time.

    \b
    Example:
      pbem demo
      pbem demo /tmp/demo --system st-privat
      pbem demo --system kriegsspiel --scenario muehlrode
      pbem demo --web
    """
    if web:
        from pbem.cli.web import room

        room()  # what lacks is said before anything is played
    from pbem.desk.house import demo as desk
    from pbem.reports.pages.receipt import tally
    from pbem.reports.text.times import in_zone

    found, manifest, letters = desk.find_demo(system, scenario)
    place = (folder or _free(Path("pbem-demo"))).absolute()
    pages: list[Path] = []
    told: list[dict[str, object]] = []
    last = 0
    if not as_json:
        click.echo(f"{common.strong(found.card.title)}   {common.quiet(found.name)}\n{found.card.summary}\n")
    for one in desk.play(place, found, manifest, letters):
        pages += one.reports
        last = one.at
        said = f"{one.what}: {one.received.reason}" if one.received else one.what
        if one.received and one.received.receipt:
            said += f" ({tally(one.received.receipt.lines)})"
        told.append({"at": common.iso(one.at), "what": said, "state": one.received.state if one.received else None})
        if not as_json:
            click.echo(f"  {common.quiet(in_zone(one.at, manifest.zone))}  {said}")
    if as_json:
        common.print_json({"office": str(place), "steps": told, "reports": [str(path) for path in pages]})
        return
    click.echo(f"\n{common.strong('The reports')}")
    for path in pages:
        click.echo(str(path))
    if manifest.look:
        click.echo(f"\n{common.strong('Look at')}")
        for line in manifest.look:
            click.echo(f"  {line}")
    click.echo(f"\nThe office stays in {place}.  Try:")
    click.echo(f"  pbem --office {place} turn show {manifest.campaign}")
    click.echo(f"  pbem --office {place} mail outbox list")
    if web:
        _serve(place, [(one.name, one.address) for one in manifest.player], told_last=last)


def _serve(place: Path, players: list[tuple[str, str]], *, told_last: int) -> None:
    """Serve the pages of the office in *place*, at the hour at which it was left, and say who comes in how."""
    from pbem.cli.web import free, served
    from pbem.desk.access import sign_in
    from pbem.desk.access.people import known_by
    from pbem.desk.office.office import HOUR, clock, open_office

    behind, bind = clock() - told_last - HOUR, free()
    click.echo(f"\n{common.strong('Its pages')}   each link lets one browser in, as whom it says")
    with open_office(place, now=lambda: clock() - behind, mails=False) as office:
        for name, address in (*players, ("The umpire", office.gm)):
            with office.read() as connection:
                whose = known_by(office, connection, address)
            secret = sign_in.handed_on(office, whose)
            click.echo(f"  {name:<24}  http://{bind}/sign-in/link/{secret}")
    click.echo("\nStop it with Ctrl-C.")
    served(place, bind, behind=behind, mails=False)


def _free(folder: Path) -> Path:
    """The folder, or the next of that name that is not there."""
    place, number = folder, 2
    while place.exists():
        place, number = folder.with_name(f"{folder.name}-{number}"), number + 1
    return place
