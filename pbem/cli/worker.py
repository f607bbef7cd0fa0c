"""`pbem worker`: one of several that keep an office together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.house.worker import Queue


@click.command()
@click.option("--queues", default="", metavar="NAMES", help="What it does: mail, post, turns, clock; else all of it.")
@click.option("--turns", default=1, type=click.IntRange(1, 64), help="How many turns it works out at a time.")
def worker(queues: str, turns: int) -> None:
    """Keep an office in PostgreSQL together with others: until stopped by SIGTERM or Ctrl-C.

    Any number of workers may be on duty, on any machines that have the same pbem, the same key and the same templates
    (pbem doctor says where they differ).  One reads and answers letters (mail), sends (post), looks at the clock
    (clock), and works turns out and draws reports (turns), in processes of its own.  What one that dies was at another
    does.  Letters come in by pbem run.

    \b
    Example:
      pbem worker
      pbem worker --queues turns --turns 4
    """
    import signal
    import threading

    from pbem.desk.house.worker import QUEUES, crew, see_woken
    from pbem.reports.text.times import in_seconds

    asked = [name.strip() for name in queues.split(",") if name.strip()] or list(QUEUES)
    if unknown := sorted(set(asked) - {*QUEUES}):
        raise click.UsageError(f"There is no queue {unknown[0]}: one of {', '.join(QUEUES)}.")
    chosen: list[Queue] = [queue for queue in QUEUES if queue in asked]
    stop = threading.Event()
    with common.the_office() as office:
        see_woken(office)

        def say(what: str) -> None:
            click.echo(f"{in_seconds(office.now())} UTC  {what}")

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        with crew(office.folder, chosen, turns=turns, say=say):
            say(f"at work: {', '.join(chosen)}")
            stop.wait()
        say("off duty")
