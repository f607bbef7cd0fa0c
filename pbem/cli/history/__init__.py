"""`pbem history`: what came to pass, for the GM or as one role knows it, at any moment.  One file a command."""

from __future__ import annotations

import click

from pbem.cli.lazy import LazyGroup

COMMANDS = {
    "log": ("pbem.cli.history.log:log", "List what came to pass, one line an event, cut off where it is too long."),
    "show": ("pbem.cli.history.show:show", "Show event SEQ whole, every column of the log."),
    "replay": (
        "pbem.cli.history.show:replay",
        "Show the field as it stood at a moment: the truth, or what a role knew.",
    ),
    "export": ("pbem.cli.history.export:export", "Write what came to pass into FILE, one event a line, as JSON."),
}


@click.group(cls=LazyGroup, commands_at=COMMANDS)
def history() -> None:
    """Look at what came to pass, at any moment, through anyone's eyes."""
