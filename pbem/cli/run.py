"""`pbem run`: the office as one process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.office.office import Office


@click.command()
@click.option("--once", is_flag=True, help="Do what is due now and end: for cron.")
@click.option("--web", is_flag=True, help="Serve the pages too, as pbem web does, in a process beside.")
@click.option("--bind", default="", metavar="ADDRESS:PORT", help="With --web: where, as for pbem web.")
@click.pass_context
def run(context: click.Context, once: bool, web: bool, bind: str) -> None:
    """Keep the office: receive, answer, keep the clock, resolve, send; until stopped by SIGTERM or Ctrl-C.

    Letters come in by every way that pbem.toml names, and leave as its [smtp] says.  One line is printed for each thing
    that is done, with its hour by UTC, whatever the clock of the machine shows.

    \b
    Example:
      pbem run
      pbem run --once
      pbem run --web
    """
    import signal
    import threading
    from contextlib import nullcontext

    if bind and not web:
        raise click.UsageError("--bind says where pages are served: it goes with --web.")
    if web and once:
        raise click.UsageError("With --once nothing stays to be served: leave out --web.")
    from pbem.desk.house import duty, nodes
    from pbem.reports.text.times import in_seconds

    stop = threading.Event()
    with common.the_office() as office:

        def say(what: str) -> None:
            click.echo(f"{in_seconds(office.now())} UTC  {' '.join(what.split())}")

        if once:
            nodes.see_key(office)
            context.exit(0 if duty.once(office, say) else 1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        with nodes.on_duty(office, "run"), _pages(office, bind, say) if web else nullcontext():
            duty.attend(office, stop, say)


def _pages(office: Office, bind: str, say: Callable[[str], None]) -> AbstractContextManager[None]:
    """The pages, served in a process beside until the block ends: no turn that is resolved holds them up."""
    from pbem.cli.web import room

    beside: AbstractContextManager[None] = room().beside(office, bind, say)
    return beside
