"""`pbem gm`: who runs games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.office.gm import Share

_SHARES = ("all", "run", "read")


@click.group(cls=Group)
def gm() -> None:
    """Who runs games."""


@gm.command("list")
@common.json_option
def listed(as_json: bool) -> None:
    """List who runs games, and how much of them.

    \b
    Example:
      pbem gm list
    """
    with common.the_office() as office:
        found = office.gms
    if as_json:
        common.print_json([{"name": one.name, "address": one.address, "rights": one.rights} for one in found])
        return
    common.table(("name", "address", "rights"), [(one.name, one.address, _in_words(one.rights)) for one in found])


@gm.command()
@click.argument("name")
@click.option("--address", required=True, help="Where he reads and writes letters.")
@click.option(
    "--rights",
    multiple=True,
    metavar="[GAME=]all|run|read",
    help="How much he may do: all; run turns and deal with letters; or look.  For one game with its name before it,"
    " once for each; `*` stands for all others.",
)
def add(name: str, address: str, rights: tuple[str, ...]) -> None:
    """Have NAME run games too, at once.

    \b
    Example:
      pbem gm add Anna --address anna@example.org
      pbem gm add Bert --address bert@example.org --rights stprivat-autumn=run
    """
    from pbem.desk.office import gms_written
    from pbem.desk.office.gm import Gm

    shares = _shares(rights)
    _see_games(shares)
    added = gms_written.add(common.office_folder(), Gm(name=name, address=address, rights=shares))
    click.echo(f"{added.name} runs games from {added.address}: {_in_words(added.rights)}.")
    click.echo(f"Next: pbem web link {added.address}\n      pbem --by {added.name!r} turn show CAMPAIGN")


@gm.command()
@click.argument("who")
def remove(who: str) -> None:
    """Let WHO, by his name or his address, run games no more, at once.

    \b
    Example:
      pbem gm remove Bert
    """
    from pbem.desk.office import gms_written

    gone = gms_written.remove(common.office_folder(), who)
    click.echo(f"{gone.name} runs games no more; what he did stands in the logs under his name.")


@gm.command()
@click.argument("who")
def renew(who: str) -> None:
    """Make void the secret addresses to which WHO answers; letters to him bear new ones from now on.

    \b
    Example:
      pbem gm renew Anna
    """
    from pbem.desk.office import gms_written

    found = gms_written.renew(common.office_folder(), who)
    click.echo(f"{found.name} answers to new addresses; what comes to the old ones is asked back.")


def _shares(rights: tuple[str, ...]) -> Share | dict[str, Share]:
    """What --rights says.

    :raises Refused: if it is none.
    """
    from pbem.kernel.errors import Refused

    shares: dict[str, Share] = {}
    for one in rights:
        game, sign, share = one.rpartition("=")
        known = next((each for each in _SHARES if each == share), None)
        if known is None or (sign and not game):
            raise Refused(f'"{one[:60]}" is no right: write all, run or read, or GAME=run.')
        shares[game or "*"] = known  # type: ignore[assignment]  # one of the words
    if not shares:
        return "all"
    return shares["*"] if list(shares) == ["*"] else shares


def _see_games(shares: Share | dict[str, Share]) -> None:
    """See that there are the games that are named.

    :raises Refused: if one is not there.
    """
    from pbem.desk.books import dossiers

    named = [] if isinstance(shares, str) else [game for game in shares if game != "*"]
    if named:
        with common.the_office() as office, office.read() as connection:
            for game in named:
                dossiers.load(office, connection, game)


def _in_words(rights: str | dict[str, Share]) -> str:
    if isinstance(rights, str):
        return f"{rights}, in all games"
    return ", ".join(f"{share} in {'all others' if game == '*' else game}" for game, share in rights.items())
