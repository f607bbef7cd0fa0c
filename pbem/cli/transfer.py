"""`pbem campaign export`, `import` and `fork`: a campaign in a file, in another office, beside itself."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("name")
@click.argument("file", type=FILE)
@click.option("--with-secrets", is_flag=True, help="With the seeds that wait to be revealed.")
@click.option("--with-players", is_flag=True, help="With names and addresses.")
@click.option("--with-letters", is_flag=True, help="With the letters as they came; addresses stand in them.")
def export(name: str, file: Path, with_secrets: bool, with_players: bool, with_letters: bool) -> None:
    """Write the campaign NAME into FILE, signed by the office, one event a line, as JSON; - is standard output.

    \b
    Example:
      pbem campaign export stprivat-autumn stprivat-autumn.jsonl
      pbem campaign export stprivat-autumn whole.jsonl --with-secrets --with-players
    """
    from pbem.desk.proof import transfer

    with common.the_office() as office:
        lines = transfer.export(office, name, seeds=with_secrets, people=with_players, letters=with_letters)
        common.write_output(file, lines)
    if str(file) == "-":
        return
    click.echo(common.strong(f"{name} is in {file}."))
    if not with_secrets:
        click.echo("It can be read and verified.  To play it on elsewhere: --with-secrets --with-players")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def take_in(file: Path) -> None:
    """Take in a campaign from FILE, to the same hashes; - is standard input.

    Says by which office's key the file is signed, and refuses one that was altered.

    \b
    Example:
      pbem campaign import stprivat-autumn.jsonl
    """
    from pbem.desk.players.renewal import named
    from pbem.desk.proof import transfer
    from pbem.desk.proof.exported import lines_of

    with common.the_office() as office, click.open_file(str(file), "rb") as lines:
        called = "standard input" if str(file) == "-" else str(file)
        came = transfer.take_in(office, lines_of(lines, called), called)
    click.echo(common.strong(f"{came.campaign} is here: {common.plural(came.events, 'event')}."))
    if came.own:
        click.echo("It is signed by this office itself.")
    elif came.key:
        click.echo(f'It is as "{came.office}" signed it, with the key that its briefings print:\n  {came.key}')
    else:
        click.echo(f"{common.look('It is not signed')}, for it is of an earlier version: nothing says whose it is.")
    if came.strangers:
        click.echo(f"{common.plural(len(came.strangers), 'player')} known by id alone: letters cannot reach them.")
    if not came.seeds:
        click.echo("Its seeds did not come with it: dice that were not revealed cannot be checked here.")
    if came.renewed:
        click.echo(f"The dice of {named(came.renewed)} are new here, and promised anew: pbem mail outbox list")
    click.echo(f"Next: pbem verify {came.campaign}")


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("name")
@click.option("--at", "moment", metavar="TURN", help="Up to before this was run, like 5A; else all of it.")
@click.option("--with-installed", is_flag=True, help="Played by the rules that are installed.")
def fork(campaign: str, name: str, moment: str | None, with_installed: bool) -> None:
    """Copy CAMPAIGN under another NAME, to see what else might have come.

    A fork never mails, and its dice are others than those to come; CAMPAIGN logs that it was made.

    \b
    Example:
      pbem campaign fork stprivat-autumn what-if --at 5A
    """
    from pbem.desk.proof import transfer
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        at = Moment.parse(moment) if moment else None
        forked = transfer.fork(office, campaign, name, at=at, with_installed=with_installed)
    now = forked.campaign.exchange
    stands = f" It stands at {common.called(now.moment, now.name)}." if now else ""
    click.echo(common.strong(f"{forked.id} is a fork of {campaign}.{stands}"))
    click.echo(f"Next: pbem turn run {forked.id} --dry-run")
