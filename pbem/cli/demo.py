"""`pbem demo`: a shipped campaign, from its letters to its reports."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--system", help="Of which rules; else of those to begin with.")
@click.option("--scenario", help="Which of several, by the name of its folder.")
@common.json_option
def demo(folder: Path | None, system: str | None, scenario: str | None, as_json: bool) -> None:
    """Play a shipped campaign from sample letters, in an office of its own in FOLDER.

    Nothing is mailed.  The same letters give the same reports every time.

    \b
    Example:
      pbem demo
      pbem demo /tmp/demo --system st-privat
      pbem demo --system kriegsspiel --scenario muehlrode
    """
    from pbem.desk.house import demo as desk
    from pbem.reports.pages.receipt import tally
    from pbem.reports.text.times import in_zone

    found, manifest, letters = desk.find_demo(system, scenario)
    place = (folder or _free(Path("pbem-demo"))).absolute()
    pages: list[Path] = []
    told: list[dict[str, object]] = []
    if not as_json:
        click.echo(f"{common.strong(found.card.title)}   {common.quiet(found.name)}\n{found.card.summary}\n")
    for one in desk.play(place, found, manifest, letters):
        pages += one.reports
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


def _free(folder: Path) -> Path:
    """The folder, or the next of that name that is not there."""
    place, number = folder, 2
    while place.exists():
        place, number = folder.with_name(f"{folder.name}-{number}"), number + 1
    return place
