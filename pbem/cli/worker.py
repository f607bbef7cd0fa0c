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
@common.metrics_option
@common.log_option
@common.systemd_option
def worker(queues: str, turns: int, metrics: str, systemd: bool) -> None:
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
    from contextlib import ExitStack

    from pbem.cli.run import tell_beside, until_stopped
    from pbem.desk.house import nodes
    from pbem.desk.house.saying import voice
    from pbem.desk.house.service import told
    from pbem.desk.house.worker import QUEUES, crew, see_woken

    asked = [name.strip() for name in queues.split(",") if name.strip()] or list(QUEUES)
    if unknown := sorted(set(asked) - {*QUEUES}):
        raise click.UsageError(f"There is no queue {unknown[0]}: one of {', '.join(QUEUES)}.")
    chosen: list[Queue] = [queue for queue in QUEUES if queue in asked]
    with common.the_office(on_duty=True) as office, ExitStack() as about:
        see_woken(office)
        say = voice(office.now, click.echo)
        service = about.enter_context(told(wanted=systemd))
        stop = until_stopped(service)
        about.enter_context(nodes.on_duty(office, "worker"))
        tell_beside(about, office, say, metrics)
        about.enter_context(crew(office.folder, chosen, turns=turns, say=say))
        say(f"at work: {', '.join(chosen)}")
        service.ready()
        stop.wait()
        say("off duty when what is begun is done")
