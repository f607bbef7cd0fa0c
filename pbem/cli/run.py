"""`pbem run`: the office as one process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    import threading

    from pbem.desk.house.service import Service
    from pbem.desk.office.office import Office


@click.command()
@click.option("--once", is_flag=True, help="Do what is due now and end: for cron.")
@click.option("--web", is_flag=True, help="Serve the pages too, as pbem web does, in a process beside.")
@click.option("--bind", default="", metavar="ADDRESS:PORT", help="With --web: where, as for pbem web.")
@common.metrics_option
@common.log_option
@common.systemd_option
@click.pass_context
def run(context: click.Context, once: bool, web: bool, bind: str, metrics: str, systemd: bool) -> None:
    """Keep the office: receive, answer, keep the clock, resolve, send; until stopped by SIGTERM or Ctrl-C.

    Letters come in by every way that pbem.toml names, and leave as its [smtp] says.  One line is printed for each thing
    that is done, with its hour by UTC, whatever the clock of the machine shows.

    \b
    Example:
      pbem run
      pbem run --once
      pbem run --web --metrics 127.0.0.1:9150
    """
    if bind and not web:
        raise click.UsageError("--bind says where pages are served: it goes with --web.")
    if once and (web or metrics):
        raise click.UsageError(f"With --once nothing stays to be served: leave out {'--web' if web else '--metrics'}.")
    from pbem.desk.house import duty, nodes
    from pbem.desk.house.saying import voice
    from pbem.desk.house.service import told

    with common.the_office(on_duty=True) as office:
        say = voice(office.now, click.echo, flat=True)
        if once:
            nodes.see_key(office)
            context.exit(0 if duty.once(office, say) else 1)
        with ExitStack() as about:
            service = about.enter_context(told(wanted=systemd))
            stop = until_stopped(service)
            about.enter_context(nodes.on_duty(office, "run"))
            tell_beside(about, office, say, metrics)
            if web:
                from pbem.cli.web import room

                # By a process of its own, which no turn holds up.
                about.enter_context(room().beside(office, bind, say))
            duty.attend(office, stop, say, service.ready)


def until_stopped(service: Service) -> threading.Event:
    """What is set by a signal to end, of which *service* tells at once."""
    import signal

    from pbem.desk.house import stopping

    return stopping.until_stopped(signal.SIGTERM, signal.SIGINT, told=service.stopping)


def tell_beside(about: ExitStack, office: Office, say: Callable[[str], None], metrics: str) -> None:
    """Tell at the address *metrics*, if one is given, how the office stands, until *about* ends."""
    if metrics:
        from pbem.desk.house.watched import serve_metrics

        port = about.enter_context(serve_metrics(office, metrics))
        say(f"how the office stands is told at {metrics.rpartition(':')[0]}:{port}")
