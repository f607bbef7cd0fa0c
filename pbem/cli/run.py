"""`pbem run`: the office as one process."""

from __future__ import annotations

import click

from pbem.cli import common


@click.command()
@click.option("--once", is_flag=True, help="Do what is due now and end: for cron.")
@click.pass_context
def run(context: click.Context, once: bool) -> None:
    """Keep the office: receive, answer, keep the clock, resolve, send; until stopped by SIGTERM or Ctrl-C.

    Letters come in by every way that pbem.toml names, and leave as its [smtp] says.  One line is printed for each thing
    that is done, with its hour by UTC, whatever the clock of the machine shows.

    \b
    Example:
      pbem run
      pbem run --once
    """
    import signal
    import threading

    from pbem.desk.house import duty
    from pbem.reports.text.times import in_seconds

    stop = threading.Event()
    with common.the_office() as office:

        def say(what: str) -> None:
            click.echo(f"{in_seconds(office.now())} UTC  {' '.join(what.split())}")

        if once:
            context.exit(0 if duty.once(office, say) else 1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        duty.attend(office, stop, say)
