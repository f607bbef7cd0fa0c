"""The ``pbem`` command, one module per group of commands.

Imports :mod:`pbem.desk`, :mod:`pbem.kernel` and :mod:`pbem.reports`, and those only inside a command, so that
``pbem --help`` stays fast.  Start at ``main``; `COMMANDS` says where each command lives.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import click

from pbem.cli.lazy import LazyGroup

COMMANDS = {
    "init": ("pbem.cli.house:init", "Make an office in a folder."),
    "doctor": ("pbem.cli.house:doctor", "See whether the office is in order."),
    "status": ("pbem.cli.status:status", "Show how the office stands."),
    "completion": ("pbem.cli.books.completion:completion", "Let a shell complete commands, campaigns and roles."),
    "guide": ("pbem.cli.books.guide:guide", "Read the guide for players, for GMs, for whoever looks back."),
    "demo": ("pbem.cli.demo:demo", "Play a shipped campaign from sample letters."),
    "scenario": ("pbem.cli.scenario:scenario", "What can be played."),
    "campaign": ("pbem.cli.campaign:campaign", "Open, start, show, carry, fork, upgrade and end campaigns."),
    "player": ("pbem.cli.people.player:player", "Who plays."),
    "observer": ("pbem.cli.people.observer:observer", "Who looks on without a side."),
    "gm": ("pbem.cli.people.gm:gm", "Who runs games."),
    "orders": ("pbem.cli.orders:orders", "Check, enter and read orders."),
    "turn": ("pbem.cli.turn:turn", "Resolve a turn and make it known."),
    "report": ("pbem.cli.report:report", "Read reports, open them, write them as files."),
    "history": ("pbem.cli.history:history", "Look at what came to pass, at any moment, through anyone's eyes."),
    "rule": ("pbem.cli.rule:rule", "Rule on CAMPAIGN: the GM's word."),
    "verify": ("pbem.cli.verify:verify", "Verify CAMPAIGNS, or all of the office."),
    "dice": ("pbem.cli.dice:dice", "Check throws against seeds, and seeds against promises."),
    "run": ("pbem.cli.run:run", "Keep the office: receive, answer, keep the clock, resolve, send."),
    "worker": ("pbem.cli.worker:worker", "Keep an office in PostgreSQL together with others."),
    "web": ("pbem.cli.web:web", "Serve the reading room: reports, orders and your desk as pages."),
    "mail": ("pbem.cli.mail:mail", "Letters in, letters out."),
    "rules": ("pbem.cli.rules:rules", "Rules, and the cases that prove them."),
    "db": ("pbem.cli.db:db", "Look after the database."),
}
"""Every command: where it is, and what it does in a line, so that help need not load it."""


@click.group(cls=LazyGroup, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--office",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the office.  Else PBEM_OFFICE, else the next one from here upwards.",
)
@click.option("--by", envvar="PBEM_BY", default="", metavar="NAME", help="Of several GMs, the one who does it.")
@click.version_option(package_name="pbem")
@click.pass_context
def main(context: click.Context, office: Path | None, by: str) -> None:
    """A campaign office for war games played by mail.

    \b
    Example:
      pbem demo
      pbem turn show stprivat-autumn
    """
    # A turn makes very many small records and hardly a ring of them: to look for rings less often saves a tenth of it.
    gc.set_threshold(20_000)
    # What an office writes is its owner's alone: orders, addresses and seeds stand in it.
    before = os.umask(0o077)
    context.call_on_close(lambda: os.umask(before))
    context.obj = office
    context.meta["by"] = by
    if os.environ.get("NO_COLOR"):
        context.color = False
