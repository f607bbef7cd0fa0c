"""`pbem db`: the database of the office."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
    """Bring the database to the shape that this version of pbem reads and writes, and put its triggers back.

    \b
    Example:
      pbem db backup before.sqlite && pbem db upgrade
    """
    from pbem.desk.office.office import upgrade_office

    before, after = upgrade_office(common.office_folder())
    was = "already" if before == after else f"now, was {before or 'none'}"
    click.echo(f"The database is of version {after} {was}.  Its triggers are in place.")


@db.command()
@click.argument("file", type=FILE)
@click.option("--with-key", is_flag=True, help="An archive: settings and keys with the database.")
def backup(file: Path, with_key: bool) -> None:
    """Copy the whole office into FILE, while it goes on working.

    The copy holds addresses, letters and unrevealed seeds.  Without the key, every address of the office that a
    player has is void; --with-key puts it into the copy, which then lets whoever has it write as any player.

    \b
    Example:
      pbem db backup office-2026-11-21.sqlite
      pbem db backup office-2026-11-21.tar --with-key
    """
    from pbem.desk.proof.safekeeping import back_up

    with common.the_office() as office:
        copied = back_up(office, file, with_key=with_key)
    click.echo(f"The office is copied into {file}.")
    names = [path.name for path in copied.beside] + ["PBEM_KEY_HEX"] * (copied.given and not with_key)
    if names:
        beside = ", ".join(names)
        click.echo(f"It needs its key {copied.fingerprint}.  Keep beside it, for they are not in it: {beside}")
    if copied.given and with_key:
        click.echo("Its key, which PBEM_KEY_HEX gives, lies in it as a file.")


@db.command()
@click.argument("file", type=FILE)
@click.option("--upto", metavar="TIME", help="A copy as it stood then, like 2026-11-20T20:00; with --into.")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), help="The new folder of that copy.")
def restore(file: Path, upto: str | None, into: Path | None) -> None:
    """Bring an office back from the backup FILE, into one in which nothing happened yet, or that has no database.

    What is open in it has new dice, which are promised to the players anew.

    With --upto it is brought back nowhere: a copy is made in a new folder, without all that came after that time, by
    the clock of the office at hand or else UTC.  It says that it is a copy, has a key of its own, never mails and takes
    no letters; all that is thrown in it falls anew.

    \b
    Example:
      pbem db restore office-2026-11-21.sqlite
      pbem db restore office-2026-11-21.sqlite --upto 2026-11-20T20:00 --into friday
    """
    if (upto is None) != (into is None):
        raise click.UsageError("A copy wants both: --upto TIME --into FOLDER")
    if upto is not None and into is not None:
        _cut_copy(file, upto, into)
        return
    from pbem.desk.players.renewal import named
    from pbem.desk.proof.safekeeping import bring_back

    back = bring_back(common.office_folder(), file)
    click.echo(common.strong(f"The office is back, in {back.database}."))
    if back.files:
        click.echo(f"With it came {', '.join(path.name for path in back.files)}.")
    if back.before:
        click.echo(f"What was there before: {', '.join(path.name for path in back.before)}.")
    for campaign, now, then in back.lost:
        click.echo(f"{campaign} ends at event {now} again; it had come to {then}.")
    for campaign, moment in back.dice.renewed.items():
        click.echo(f"{campaign}: the dice of {named(moment)} are new, for those in the backup may have fallen since.")
    for campaign, why in back.dice.unread.items():
        click.echo(f"{common.look(campaign)} cannot be read here, so that its dice are not new: {why}")
    if back.dice.renewed:
        told = "not told, for the key is wrong; their next reports print the promise" if back.key else "owed letters"
        click.echo(f"The players are {told}.")
    if back.key:
        click.echo(f"{common.look('The key:')} {back.key}")
    click.echo("Next: pbem doctor, pbem verify")


def _cut_copy(file: Path, upto: str, into: Path) -> None:
    from pbem.desk.office.settings import read_settings
    from pbem.desk.players.renewal import named
    from pbem.desk.proof.cut_copy import cut_copy
    from pbem.reports.text.times import in_zone

    at_hand = common.office_if_any()
    settings = read_settings(at_hand) if at_hand else None
    zone = settings.zone if settings else "UTC"
    made = cut_copy(file, into, common.read_time(upto, zone), at_hand=settings)
    click.echo(common.strong(f"A copy of the office as it stood on {in_zone(made.upto, zone)} is in {into}."))
    click.echo("It never mails, opens no door, and has a key of its own.")
    for campaign, end in made.ends.items():
        if end.seq:
            cut = f"ends at event {end.seq:,} of {end.was:,}" if end.seq < end.was else f"is whole, {end.was:,} events"
            click.echo(f"{campaign} {cut}.")
        else:
            click.echo(f"{campaign} was not there yet.")
    for campaign, moment in made.dice.renewed.items():
        click.echo(f"{campaign}: the dice of {named(moment)} are new.")
    for campaign, why in made.dice.unread.items():
        click.echo(f"{common.look(campaign)} cannot be read here, so that its dice are not new: {why}")
    click.echo(f"Next: pbem --office {into} verify")


@db.command()
@click.argument("url")
@click.option("--over", is_flag=True, help="Also where this office lies as it was before it was moved, or half moved.")
def move(url: str, over: bool) -> None:
    """Move the office to the database at URL, and keep it there from now on.

    While it is copied nobody can write, and letters wait with the mail server.  Every row, every log and all bytes are
    compared; only then pbem.toml is changed.  What was left stays as it was, and nobody opens it any more.

    \b
    Example:
      pbem db move postgresql://pbem@db.example.org/autumn
      pbem db move sqlite:///office.sqlite --over
    """
    from pbem.desk.proof.moving import move as move_it

    with common.the_office() as office, _told_of_tables() as tell:
        moved = move_it(office, url, over=over, tell=tell)
    click.echo(common.strong(f"The office is kept in {moved.url} now.") + f"  {moved.before.name} is how it was.")
    if moved.replaced:
        texts = common.plural(moved.replaced, "text")
        click.echo(f"{texts} held the sign NUL, which no text may hold there: it is U+FFFD now.")
    click.echo(f"{moved.left} was left as it was, and is opened no more: delete it when you trust the new one.")
    click.echo("Next: start again what runs (pbem run, pbem web), then pbem doctor, pbem verify")


@contextmanager
def _told_of_tables() -> Iterator[Callable[[str, int, int], None]]:
    """Shows, on a terminal, how much of the table at hand is done."""
    with ExitStack() as bars:
        shown: dict[str, Callable[[int], None]] = {}

        def tell(table: str, done: int, total: int) -> None:
            if table not in shown:
                bars.close()
                shown[table] = bars.enter_context(common.progress(table, total))
            shown[table](done)

        yield tell


@db.command("accept-key")
def accept_key() -> None:
    """Take the key that lies in the folder for the office's own, where that is lost.

    The addresses that the players have are void; pbem player rekey CAMPAIGN tells them new ones.

    \b
    Example:
      pbem db accept-key
    """
    from pbem.desk.proof.safekeeping import accept_key as accept

    with common.the_office() as office:
        found = accept(office)
    click.echo(f"The key of the office is {found} from now on.  Next: pbem player rekey CAMPAIGN, for each.")


@db.command()
@click.option("--because", required=True, help="How it came about: kept in the file of the heads.")
def accept(because: str) -> None:
    """Take what pbem verify names as it now stands: rows, and where the logs end.

    \b
    Example:
      pbem db accept --because "zone of ann set by hand, she had moved"
    """
    from pbem.desk.proof.safekeeping import accept as accept_it

    with common.the_office() as office:
        count = accept_it(office, because)
    click.echo(f"{common.plural(count, 'row')} taken as they stand.  Next: pbem verify")
