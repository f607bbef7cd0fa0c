"""`pbem mail`: letters in, letters out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common, outbox, quarantine
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.intake.fates import Received
    from pbem.desk.office.office import Office
    from pbem.desk.ways.doors import Way

PATH = click.Path(path_type=Path)
_PLAIN = ("letter", "state", "reason", "campaign", "role", "turn", "receipt")
"""What is said of a letter as JSON."""
_ON_DUTY = "the office on duty deals with it"
TEMPORARY_FAILURE = 75
"""EX_TEMPFAIL: the mail server keeps the letter and offers it again."""


@click.group(cls=Group)
def mail() -> None:
    """Letters in, letters out."""


for _command in (outbox.send, outbox.outbox, outbox.resume, quarantine.quarantine):
    mail.add_command(_command)


@mail.command()
@click.argument("source", type=PATH, required=False)
@click.option("--recipient", metavar="ADDRESS", default="", help="Whom the envelope named, if the letter does not say.")
@common.json_option
@click.pass_context
def receive(context: click.Context, source: Path | None, recipient: str, as_json: bool) -> None:
    """Take letters in: from SOURCE (a letter's file, a Maildir, an mbox), else one from standard input.

    In a pipe of a mail server it ends with 0 once the bytes are kept: in the office's folder `incoming` for the office
    that is on duty beside, else in the database or, while that is down, in the folder `emergency`; and with 75 for
    everything else.

    \b
    Example:
      pbem mail receive < letter.eml
      pbem mail receive --recipient "$RECIPIENT" < letter.eml
      pbem mail receive ~/Maildir
    """
    if source is not None:
        from pbem.desk.ways import arrivals

        with common.the_office() as office:
            _print_received(list(arrivals.from_place(office, source, recipient=recipient)), as_json)
        return
    from pbem.desk.ways import piped

    try:
        folder, raw = common.office_folder(), piped.taken_off(sys.stdin.buffer, recipient)
        if piped.laid_down(folder, raw):
            if as_json:
                common.print_json([{**dict.fromkeys(_PLAIN), "state": "kept", "reason": _ON_DUTY}])
            else:
                click.echo(f"  kept: {_ON_DUTY}")
            return
        from pbem.desk.ways import arrivals

        kept = arrivals.by_pipe(folder, raw)
    except Exception as error:
        click.echo(f"not kept: {error}", err=True)
        context.exit(TEMPORARY_FAILURE)
    if isinstance(kept, arrivals.SetAside):
        click.echo(f"set aside as {kept.place}, for the database does not take it: {kept.why}", err=True)
        return
    _print_received(kept, as_json)


@mail.command()
@click.option("--follow", is_flag=True, help="Go on taking letters in as they come, until stopped.")
@common.json_option
@click.pass_context
def fetch(context: click.Context, follow: bool, as_json: bool) -> None:
    """Fetch letters from the mailbox that [imap] in pbem.toml names.

    A letter is looked at without a mark, kept, and then moved to the folder of those that were taken in.

    \b
    Example:
      pbem mail fetch
      pbem mail fetch --follow
    """
    from pbem.desk.ways import arrivals, doors

    if follow:
        _stay_open(doors.FETCHED, as_json)
        return
    with common.the_office() as office:
        _see_set(office, doors.FETCHED, "mailbox")
        left = [why for looked in doors.fetch(office) for why in looked.left]
        received = list(arrivals.sweep(office))
    _print_received(received, as_json)
    for why in left:
        click.echo(common.look(f"  {why}"), err=True)
    context.exit(1 if left else 0)


@mail.command()
@common.json_option
def serve(as_json: bool) -> None:
    """Take letters in from a mail server of this machine, by LMTP or SMTP as [listen] in pbem.toml says.

    A letter is answered with 250 only when it is safe on the disk.

    \b
    Example:
      pbem mail serve
      PBEM_LISTEN__LMTP=127.0.0.1:2424 pbem mail serve
    """
    from pbem.desk.ways import doors

    _stay_open(doors.BROUGHT, as_json)


def _see_set(office: Office, ways: Sequence[Way], called: str) -> None:
    """See that the settings name one of *ways*.

    :raises Refused: if not.
    """
    from pbem.desk.ways import doors
    from pbem.kernel.errors import Refused

    if office.cut:
        raise Refused("this office is a copy that was cut from a backup: it opens no door.")
    if not doors.ways_of(office, ways):
        entries = " or ".join(dict.fromkeys(doors.WAYS[way].entry for way in ways))
        raise Refused(f"no {called} is set: give {entries} in {office.folder / 'pbem.toml'}")


def _stay_open(ways: Sequence[Way], as_json: bool) -> None:
    """Take letters in by *ways* until a signal says that it is enough."""
    import signal

    from pbem.desk.house.stopping import until_stopped
    from pbem.desk.ways import doors

    with common.the_office() as office:
        _see_set(office, ways, "way in")

        def told(words: str) -> None:
            click.echo(common.look(words), err=True)

        def did(received: Received) -> None:
            _print_received([received], as_json)

        stop = until_stopped(signal.SIGTERM, signal.SIGINT)
        with doors.open_doors(office, ways=ways, told=told) as opened:
            for way in opened.ways:
                port = f" on port {opened.ports[way]}" if way in opened.ports else ""
                click.echo(f"{way} is open{port}.", err=True)
            doors.read_on(office, opened, stop, did, told)


def _print_received(received: Sequence[Received], as_json: bool) -> None:
    if as_json:
        common.print_json([_plain(one) for one in received])
        return
    for one in received:
        where = " ".join(filter(None, (one.campaign, one.role, str(one.moment or ""))))
        again = f"the office has it already, as letter {one.letter}: " if one.again else ""
        said = f"{again}{one.state}{f', {where}' if where else ''}: {one.reason or 'as before'}"
        click.echo(f"  {said}" if again else f"  letter {one.letter}: {said}")
    if not received:
        click.echo("No letter there.")


def _plain(one: Received) -> dict[str, object]:
    turn, receipt = str(one.moment) if one.moment else None, one.receipt.number if one.receipt else None
    said = (one.letter, one.state, one.reason, one.campaign, one.role, turn, receipt)
    return dict(zip(_PLAIN, said, strict=True))
