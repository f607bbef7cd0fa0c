"""`pbem mail`: letters in, letters out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.receive import Received

PATH = click.Path(path_type=Path)
TEMPORARY_FAILURE = 75
"""EX_TEMPFAIL: the mail server keeps the letter and offers it again."""


@click.group(cls=Group)
def mail() -> None:
    """Letters in, letters out."""


@mail.command()
@click.argument("source", type=PATH, required=False)
@common.json_option
@click.pass_context
def receive(context: click.Context, source: Path | None, as_json: bool) -> None:
    """Take letters in: from SOURCE (a letter's file, a Maildir, an mbox), else one from standard input.

    In a pipe of a mail server it ends with 0 once the bytes are kept, and with 75 for everything else.

    \b
    Example:
      pbem mail receive < letter.eml
      pbem mail receive ~/Maildir
    """
    from pbem.desk import arrivals

    if source is None:
        try:
            with common.the_office() as office:
                letter = arrivals.keep(office, sys.stdin.buffer)
                received = [arrivals.try_to_deal(office, letter)]
        except Exception as error:
            click.echo(f"not kept: {error}", err=True)
            context.exit(TEMPORARY_FAILURE)
    else:
        with common.the_office() as office:
            received = list(arrivals.from_place(office, source))
    if as_json:
        common.print_json([_plain(one) for one in received])
        return
    for one in received:
        where = " ".join(filter(None, (one.campaign, one.role, str(one.moment or ""))))
        click.echo(f"  letter {one.letter}: {one.state}{f', {where}' if where else ''}: {one.reason or 'as before'}")
    if not received:
        click.echo("No letter there.")


@mail.command()
@click.option("--write", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write files instead.")
@click.pass_context
def send(context: click.Context, folder: Path | None) -> None:
    """Hand every letter that is due to the mail server.

    \b
    Example:
      pbem mail send
      pbem mail send --write /tmp/letters
    """
    from pbem.desk import delivery

    with common.the_office() as office:
        if folder is not None:
            for path in delivery.write_due(office, folder):
                click.echo(str(path))
            return
        with common.progress("Sending", delivery.due(office)) as done:
            sent = delivery.send_due(office, progress=done)
    click.echo(f"{len(sent.sent)} sent, {len(sent.later)} to be tried again, {len(sent.failed)} failed")
    for one in (*sent.later, *sent.failed):
        click.echo(common.look(f"  {one.id}  {one.subject}: {one.answer}"))
    context.exit(1 if sent.failed else 0)


@mail.command()
@click.option("--state", type=click.Choice(["queued", "sending", "sent", "failed", "dropped"]), help="Only these.")
@click.option("--retry", metavar="ID", help="Send this one after all.")
@click.option("--drop", metavar="ID", help="Never send this one.")
@common.json_option
def outbox(state: str | None, retry: str | None, drop: str | None, as_json: bool) -> None:
    """List what the office owes, and what became of it.

    \b
    Example:
      pbem mail outbox --state failed
      pbem mail outbox --retry k3v9q2m4x7h5t8wa
    """
    from pbem.desk import delivery
    from pbem.reports.times import in_zone

    with common.the_office() as office:
        if retry:
            delivery.again(office, retry)
        if drop:
            delivery.drop(office, drop)
        found = [one for one in delivery.listing(office) if state in (None, one.state)]
        zone = office.settings.zone
    if as_json:
        common.print_json(
            [
                {
                    "id": one.id,
                    "campaign": one.campaign,
                    "player": one.player,
                    "kind": one.kind,
                    "cause": one.cause,
                    "subject": one.subject,
                    "state": one.state,
                    "attempts": one.attempts,
                    "due": common.iso(one.due_at),
                    "sent": common.iso(one.sent_at),
                    "answer": one.answer,
                }
                for one in found
            ]
        )
        return
    if not found:
        click.echo("Nothing there.")
        return
    rows = [(one.id, one.subject, one.state, in_zone(one.sent_at or one.due_at, zone), one.answer) for one in found]
    common.table(("Id", "Subject", "State", "When", "The server's words"), rows)


@mail.command()
@click.argument("letter", type=int, required=False)
@click.option("--accept", is_flag=True, help="Take it as written by whom it names.")
@click.option("--drop", is_flag=True, help="Put it away for good.")
@click.option("--all", "everything", is_flag=True, help="List all that ever came.")
@common.json_option
def quarantine(letter: int | None, accept: bool, drop: bool, everything: bool, as_json: bool) -> None:
    """List the letters that wait for you; show, accept or drop one.

    \b
    Example:
      pbem mail quarantine
      pbem mail quarantine 17 --accept
    """
    from pbem.desk import quarantine as desk
    from pbem.reports.times import in_zone

    with common.the_office() as office:
        if letter is not None and accept:
            done = desk.accept(office, letter)
            click.echo(f"  letter {done.letter}: {done.state}: {done.reason}")
            return
        if letter is not None and drop:
            desk.drop(office, letter, "put away by the GM")
            click.echo(f"Letter {letter} is put away; its bytes are kept.")
            return
        if letter is not None:
            row, raw = desk.read(office, letter)
            click.echo(common.strong(f"Letter {row.id}, {row.state}: {row.reason}"), err=True)
            sys.stdout.buffer.write(raw)
            return
        found, zone = desk.listing(office, everything=everything), office.settings.zone
    if as_json:
        common.print_json(
            [
                {
                    "letter": one.id,
                    "received": common.iso(one.received_at),
                    "source": one.source,
                    "state": one.state,
                    "reason": one.reason,
                    "campaign": one.campaign,
                    "event": one.seq,
                    "player": one.player,
                    "digest": one.digest,
                }
                for one in found
            ]
        )
        return
    if not found:
        click.echo("No letter waits.")
        return
    rows = [(str(one.id), in_zone(one.received_at, zone), one.source, one.state, one.reason) for one in found]
    common.table(("Letter", "Received", "Way", "State", "Why"), rows, right=(0,))


def _plain(one: Received) -> dict[str, object]:
    return {
        "letter": one.letter,
        "state": one.state,
        "reason": one.reason,
        "campaign": one.campaign,
        "role": one.role,
        "turn": str(one.moment) if one.moment else None,
        "receipt": one.receipt.number if one.receipt else None,
    }
