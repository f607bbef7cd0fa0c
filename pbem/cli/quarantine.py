"""`pbem mail quarantine`: letters that wait for the GM."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.gm.waiting import Letter
    from pbem.desk.intake.fates import Received

LETTER = click.argument("letter", type=int)


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def quarantine(context: click.Context) -> None:
    """Letters that wait for you: held, not read, or not dealt with.

    \b
    Example:
      pbem mail quarantine list
      pbem mail quarantine accept 17
    """
    if context.invoked_subcommand is None:
        context.invoke(list_letters)


@quarantine.command("list")
@click.option("--all", "everything", is_flag=True, help="All letters that ever came, and what became of each.")
@common.json_option
def list_letters(everything: bool, as_json: bool) -> None:
    """List the letters that wait, and why.

    \b
    Example:
      pbem mail quarantine list
      pbem mail quarantine list --all --json
    """
    from pbem.desk.gm import waiting
    from pbem.reports.text.times import in_zone

    with common.the_office() as office:
        found, zone = waiting.listing(office, everything=everything), office.settings.zone
    if as_json:
        common.print_json([_plain(one) for one in found])
        return
    if not found:
        click.echo("No letter waits." if not everything else "No letter came yet.")
        return
    rows = [(str(one.id), in_zone(one.received_at, zone), one.source, one.state, _why(one)) for one in found]
    common.table(("Letter", "Received", "Way", "State", "Why"), rows, right=(0,))


@quarantine.command()
@LETTER
@click.option("--raw", is_flag=True, help="The bytes as they came, and nothing else.")
@common.json_option
def show(letter: int, raw: bool, as_json: bool) -> None:
    """Show LETTER and what is known of it; what proves who wrote it is blotted out.

    \b
    Example:
      pbem mail quarantine show 17
      pbem mail quarantine show 17 --raw > letter.eml
    """
    from pbem.desk.gm import waiting
    from pbem.reports.text.times import in_zone

    with common.the_office() as office:
        row, data = waiting.read(office, letter)
        zone = office.settings.zone
    text = waiting.blotted(data)
    if raw:
        sys.stdout.buffer.write(data)
    elif as_json:
        common.print_json({**_plain(row), "text": text})
    else:
        click.echo(common.strong(f"Letter {row.id}, {row.state}{f': {_why(row)}' if _why(row) else ''}"))
        click.echo(f"  came      {in_zone(row.received_at, zone)}, by {row.source}")
        for what, said in (("evidence", row.evidence), ("campaign", row.campaign), ("player", row.player)):
            if said:
                click.echo(f"  {what:<8}  {said}")
        click.echo(f"\n{text}")


@quarantine.command()
@LETTER
@click.option("--as", "who", help="Whose it is, whatever address it came from: a player's id, name, address or role.")
@click.option("--campaign", help="Of the game in which he is called so.")
@click.option("--and-address", is_flag=True, help="He may write from there from now on, once he has said so himself.")
@common.json_option
def accept(letter: int, who: str | None, campaign: str | None, and_address: bool, as_json: bool) -> None:
    """Take LETTER as written by whom it seems to be from, or by whom you say; it counts as come when it came.

    What the office sends goes to the player's own address all the same: the receipt tells him that you did this.

    \b
    Example:
      pbem mail quarantine accept 17
      pbem mail quarantine accept 18 --as anna --and-address
    """
    from pbem.desk.gm import waiting
    from pbem.desk.players import aliases
    from pbem.desk.ways import quarantine as desk

    if who is None and (campaign or and_address):
        raise click.UsageError("Say whose it is: --as WHO.")
    with common.the_office() as office:
        if who is None:
            _done(desk.accept(office, letter), as_json)
            return
        player = aliases.meant_by(office, who, campaign)
        sender = waiting.sender_of(office, letter) if and_address else ""
        _done(desk.accept_as(office, letter, player), as_json)
        if sender:
            aliases.add_address(office, player.id, sender)
    if sender and not as_json:
        click.echo(f"  {sender} is entered for {player.name}: the next letter from there asks him whether it is his.")


@quarantine.command()
@LETTER
@common.json_option
def retry(letter: int, as_json: bool) -> None:
    """Read LETTER once more, as if it had just come; it counts as come when it came.

    \b
    Example:
      pbem mail quarantine retry 17
    """
    from pbem.desk.ways import quarantine as desk

    with common.the_office() as office:
        _done(desk.retry(office, letter), as_json)


@quarantine.command()
@LETTER
@click.option("--reason", required=True, help="Stands beside the letter for ever.")
def discard(letter: int, reason: str) -> None:
    """Put LETTER away for good; its bytes are kept.

    \b
    Example:
      pbem mail quarantine discard 17 --reason "He did not write it."
    """
    from pbem.desk.gm import waiting

    with common.the_office() as office:
        waiting.discard(office, letter, reason)
    click.echo(f"Letter {letter} is put away; its bytes are kept.")


def _done(done: Received, as_json: bool) -> None:
    if as_json:
        common.print_json(
            {"letter": done.letter, "state": done.state, "reason": done.reason, "campaign": done.campaign}
        )
        return
    click.echo(f"  letter {done.letter}: {done.state}: {done.reason}")


def _why(one: Letter) -> str:
    twin = f"its Message-ID was that of letter {one.twin}, which says something else" if one.twin else ""
    return "; ".join(filter(None, (one.reason, twin)))


def _plain(one: Letter) -> dict[str, object]:
    return {
        "letter": one.id,
        "received": common.iso(one.received_at),
        "source": one.source,
        "state": one.state,
        "reason": one.reason,
        "campaign": one.campaign,
        "event": one.seq,
        "player": one.player,
        "grade": one.grade,
        "evidence": one.evidence,
        "twin": one.twin,
        "tries": one.tries,
        "digest": one.digest,
    }
