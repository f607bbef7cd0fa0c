"""`pbem player`: who plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.players.aliases import Alias


@click.group(cls=Group)
def player() -> None:
    """Who plays."""


@player.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
@click.option("--name", required=True, help="What he is called.")
@click.option("--address", required=True, help="Where he reads and writes letters.")
@click.option("--zone", help="His time zone, like Europe/Paris; else the office's.")
def add(campaign: str, role: str, name: str, address: str, zone: str | None) -> None:
    """Enrol a person for ROLE of CAMPAIGN.

    \b
    Example:
      pbem player add stprivat-autumn french --name "M. Canrobert" --address canrobert@player.example
    """
    from pbem.desk.books import dossiers
    from pbem.desk.books.led_by_rules import lacking, led
    from pbem.desk.players import enrol

    with common.the_office() as office:
        added = enrol.add_player(office, campaign, role, name=name, address=address, zone=zone)
        with office.read() as connection:
            dossier = dossiers.load(office, connection, campaign)
    click.echo(f"{added.name} plays {role} in {dossier.id}; letters come from {added.address}.")
    if free := led(dossier):
        click.echo(f"Without a player, to be led by the rules: {', '.join(free)}.")
    if missing := lacking(dossier):
        click.echo(f"Next: pbem player add {dossier.id} {missing[0]} --name NAME --address ADDRESS")
    elif not dossier.campaign.started:
        click.echo(f"Next: pbem campaign start {dossier.id}")


@player.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
@click.option("--name", required=True, help="What he is called.")
@click.option("--address", required=True, help="Where he reads and writes letters.")
@click.option("--zone", help="His time zone, like Europe/Paris; else the office's.")
@click.option("--reason", required=True, help="Stands in the log, and is told to the one who leaves, word for word.")
def replace(campaign: str, role: str, name: str, address: str, zone: str | None, reason: str) -> None:
    """Give ROLE of CAMPAIGN to another person, who is briefed.

    \b
    Example:
      pbem player replace stprivat-autumn french --name "M. Cissey" --address cissey@player.example \\
        --reason "M. Canrobert travels."
    """
    from pbem.desk.players.changes import replace_player

    with common.the_office() as office:
        new = replace_player(office, campaign, role, name=name, address=address, zone=zone, reason=reason)
    click.echo(f"{new.name} plays {role} in {campaign} now; letters come from {new.address}.")
    common.then_mail("he is briefed, the others are told")


@player.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
@click.option("--reason", required=True, help="Stands in the log, and is told to the one who leaves, word for word.")
def withdraw(campaign: str, role: str, reason: str) -> None:
    """Let nobody play ROLE for now.

    \b
    Example:
      pbem player withdraw stprivat-autumn french --reason "He was called away."
    """
    from pbem.desk.players.changes import withdraw_player

    with common.the_office() as office:
        left = withdraw_player(office, campaign, role, reason=reason)
    click.echo(f"{left.name or left.id} no longer plays {role} in {campaign}; nobody does.")
    click.echo(f"Next: pbem player add {campaign} {role} --name NAME --address ADDRESS")


@player.command("resend-briefing")
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
def resend_briefing(campaign: str, role: str) -> None:
    """Send the player of ROLE his briefing again, with his newest report and the orders that stand.

    \b
    Example:
      pbem player resend-briefing stprivat-autumn french
    """
    from pbem.desk.players.changes import resend_briefing as resend

    with common.the_office() as office:
        briefed = resend(office, campaign, role)
    click.echo(f"The briefing of {role} waits to leave for {briefed.address}.")
    common.then_mail()


@player.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE, metavar="ROLE|all")
@click.argument("text")
@click.option("--subject", default="", help="What stands above it; else that it is a letter from the umpire.")
def write(campaign: str, role: str, text: str, subject: str) -> None:
    """Write TEXT to the player of ROLE, or to each of CAMPAIGN, from the address of the office; - reads it from stdin.

    It stands in the log, where its reader finds it again.  TEXT may be Markdown.

    \b
    Example:
      pbem player write stprivat-autumn french "Your third line names a square that is not on the board."
      pbem player write stprivat-autumn all - --subject "Over the holidays" < letter.md
    """
    from pbem.desk.gm.letter import write_to

    if text == "-":
        text = common.read_input(Path(text)).decode("utf-8", "replace")
    with common.the_office() as office:
        reached = write_to(office, campaign, role, text, subject=subject)
    for one, who in reached:
        stopped = "; it does not leave, for he wants no letters" if who.stopped_at is not None else ""
        click.echo(f"A letter to {who.name or who.id}, who plays {one}{stopped}.")
    common.then_mail()


@player.command()
@click.argument("player")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(player: str, yes: bool) -> None:
    """Destroy what is known of PLAYER (his id, or his address): name, address, letters, mails.

    His orders stay in the logs, under an id that says nothing; pbem verify calls the rest erased.
    Backups that were made before still hold it.

    \b
    Example:
      pbem player erase canrobert@player.example
    """
    from pbem.desk.players import changes
    from pbem.kernel.errors import Refused

    with common.the_office() as office:
        found = changes.find_player(office, player)
        said = f"{found.name} <{found.address}>" if found.address else found.id
        if not yes and not click.confirm(f"Erase {said} for ever?"):
            raise Refused("nothing was erased.")
        changes.erase_player(office, found.id)
    click.echo(f"{found.id} is erased; no name, address, letter or mail of that person is left in the office.")


@player.command()
@click.argument("who", metavar="CAMPAIGN|PLAYER")
@click.option("--address", default="", help="Where this player reads and writes letters from now on.")
def rekey(who: str, address: str) -> None:
    """Make the secret addresses void that PLAYER (his id, or his address), or all of CAMPAIGN, answer to.

    Use it when a letter fell into wrong hands, or when a player has a new address: the old one is told too.

    \b
    Example:
      pbem player rekey stprivat-autumn
      pbem player rekey canrobert@player.example --address canrobert@elsewhere.example
    """
    from pbem.desk.players.rekey import rekey as make_new

    with common.the_office() as office:
        done = make_new(office, who, address=address)
    for one in done:
        moved = f"; letters go to {one.player.address}, and no more to {one.former}" if one.former else ""
        click.echo(f"{one.player.name or one.player.id} answers to a new address{moved}.")
    if not done:
        click.echo(f"Nobody plays {who} yet.")
        return
    common.then_mail("they are told")


@player.command("add-address")
@click.argument("player")
@click.argument("address")
def add_address(player: str, address: str) -> None:
    """Let PLAYER (his id, or his address) write from ADDRESS too, once he has said that it is his.

    The first letter from there waits for a code that goes to his own address, as all that the office sends.

    \b
    Example:
      pbem player add-address canrobert@player.example canrobert@work.example
    """
    from pbem.desk.players import aliases

    with common.the_office() as office:
        who = aliases.add_address(office, player, address)
    click.echo(f"{who.name or who.id} may write from {address} too; the first letter from there asks him for a code.")
    common.then_mail("he is told")


@player.command("drop-address")
@click.argument("player")
@click.argument("address")
def drop_address(player: str, address: str) -> None:
    """Let letters from ADDRESS no longer count as those of PLAYER; his own stays (see `player rekey`).

    \b
    Example:
      pbem player drop-address canrobert@player.example canrobert@work.example
    """
    from pbem.desk.players import aliases

    with common.the_office() as office:
        who = aliases.drop_address(office, player, address)
    click.echo(f"What comes from {address} is no longer taken for that of {who.name or who.id}.")
    common.then_mail("he is told")


@player.command("list")
@click.argument("campaign", type=common.CAMPAIGN, required=False)
@common.json_option
def list_players(campaign: str | None, as_json: bool) -> None:
    """List the people of the office, or those of CAMPAIGN, with what they play.

    Below a player's address stand others that he writes from, in brackets until he has said that they are his.
    Under Mail stands whether what the office sends arrives, comes back again and again, or was stopped by him.
    Under Standing: how often his orders were in time, and what became of his games, by the logs of this office.

    \b
    Example:
      pbem player list stprivat-autumn
    """
    from pbem.desk.books.roster import parts
    from pbem.desk.books.shown import whole
    from pbem.desk.books.standing import in_words, standings
    from pbem.desk.players.aliases import others
    from pbem.desk.post.bounces import reached

    with common.the_office() as office:
        found, by_mail, also = parts(office, campaign), reached(office), others(office)
        stands = standings(office, [who for who, _ in found])
    if as_json:
        common.print_json(
            [
                {
                    "player": who.id,
                    "name": who.name,
                    "address": who.address,
                    "others": [
                        {"address": one.address, "confirmed": common.iso(one.confirmed_at)}
                        for one in also.get(who.id, ())
                    ],
                    "zone": who.zone,
                    "erased": common.iso(who.erased_at),
                    "mail": by_mail[who.id],
                    "plays": [{"campaign": where, "role": role} for where, role in played],
                    "standing": whole(stands[who.id]) if who.id in stands else None,
                }
                for who, played in found
            ]
        )
        return
    common.table(
        ("Player", "Name", "Address", "Mail", "Zone", "Plays"),
        [
            (
                who.id,
                who.name or "erased",
                "\n".join((who.address or "", *map(_other, also.get(who.id, ())))),
                by_mail[who.id] if who.address else "",
                who.zone,
                ", ".join(f"{role} in {where}" for where, role in played),
            )
            for who, played in found
        ],
    )
    standing = [(who.id, in_words(stands[who.id])) for who, _ in found if who.id in stands]
    if standing:
        click.echo()
        common.table(("Player", "Standing"), standing)


def _other(alias: Alias) -> str:
    return alias.address if alias.confirmed_at else f"({alias.address})"
