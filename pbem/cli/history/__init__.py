"""`pbem history`: what came to pass, for the GM or as one role knows it, at any moment.  One file a command."""

from __future__ import annotations

import gc

import click

from pbem.cli.lazy import LazyGroup

COMMANDS = {
    "log": ("pbem.cli.history.log:log", "List what came to pass, in words, a line a beat."),
    "show": ("pbem.cli.history.show:show", "Show a MOMENT of a game, or an event of its log."),
    "diff": (
        "pbem.cli.history.diff:diff",
        "Say what differs between two moments, two runs of an exchange, or a game and its fork.",
    ),
    "orders": (
        "pbem.cli.history.orders:orders",
        "List every sheet as it was sent, what stood, and what came of each line.",
    ),
    "stats": (
        "pbem.cli.history.stats:stats",
        "Count a game: losses and score over the turns, the luck of the sides, and how they wrote.",
    ),
    "witness": (
        "pbem.cli.history.witness:witness",
        "Hold reports and mails that people kept to the log: whether it still has every head that they print.",
    ),
    "publish": (
        "pbem.cli.history.publish:publish",
        "Write the game into FILE, one page that moves and needs nothing else.",
    ),
    "why": (
        "pbem.cli.history.why:why",
        "Say why something came to pass: the order, what led to it, the rules and dice, what followed.",
    ),
    "knew": (
        "pbem.cli.history.knew:knew",
        "Say what a role knew of a unit or a place, since when, and how wrong it was.",
    ),
    "export": ("pbem.cli.history.export:export", "Write what came to pass into FILE, one event a line, as JSON."),
}


@click.group(cls=LazyGroup, commands_at=COMMANDS)
@click.pass_context
def history(context: click.Context) -> None:
    """Look at what came to pass, at any moment, through anyone's eyes."""
    # A long game is a million small records without a ring: to look for rings among them is most of the time it takes.
    gc.disable()
    context.call_on_close(gc.enable)
