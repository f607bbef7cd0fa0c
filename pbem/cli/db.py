"""`pbem db`: the database of the office."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common
from pbem.cli.lazy import Group

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(cls=Group)
def db() -> None:
    """Look after the database."""


@db.command()
def upgrade() -> None:
    """Bring the database to the shape that this version of pbem reads and writes.

    \b
    Example:
      pbem db backup before.sqlite && pbem db upgrade
    """
    from pbem.desk.office import upgrade_office

    before, after = upgrade_office(common.office_folder())
    was = "already" if before == after else f"now, was {before or 'none'}"
    click.echo(f"The database is of version {after} {was}.")


@db.command()
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Copy the whole office into FILE, while it goes on working.

    The copy holds addresses, letters and unrevealed seeds.

    \b
    Example:
      pbem db backup office-2026-11-21.sqlite
    """
    from pbem.desk.office import back_up

    with common.the_office() as office:
        back_up(office, file)
    click.echo(f"The office is copied into {file}.")


@db.command()
@click.argument("file", type=FILE)
def restore(file: Path) -> None:
    """Bring an office back from the backup FILE; its database must not be there.

    \b
    Example:
      pbem db restore office-2026-11-21.sqlite
    """
    from pbem.desk.office import bring_back

    at = bring_back(common.office_folder(), file)
    click.echo(f"The office is back, in {at}.")
