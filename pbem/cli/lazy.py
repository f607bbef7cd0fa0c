"""Groups of commands: they load a command when it is called, and say what was perhaps meant.

A user's mistake never shows a traceback.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import IO, Any

import click

from pbem.kernel.errors import PbemError

REFUSED = 1


LIKE = 0.7
"""How alike, of 1, what was written and a command must be for the one to be taken for the other misspelt."""


class Refusal(click.ClickException):
    """What was asked cannot be done; one or two lines, exit code 1."""

    exit_code = REFUSED

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it, the first word red."""
        click.echo(f"{click.style('refused:', fg='red')} {self.message}", file=file, err=True)


class Misspelt(click.UsageError):
    """A command that there is not, and the one that was perhaps meant."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it in one line."""
        click.echo(f"usage: {self.message}", file=file, err=True)


def in_short(command: click.Command) -> str:
    """What a list of commands says of one: the beginning of its help, as far as that stands alone; never cut."""
    first = " ".join((command.help or "").partition("\n\n")[0].split())
    return f"{_STANDS_ALONE.split(first, maxsplit=1)[0].rstrip('.')}."


_STANDS_ALONE = re.compile(r"[:;]\s|\.\s")


class Group(click.Group):
    """A group whose commands may refuse."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each in a sentence."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, in_short(command)) for name, command in found if command])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what the office refuses becomes a line."""
        try:
            return super().invoke(ctx)
        except PbemError as error:
            raise Refusal(str(error)) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which was perhaps meant."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            path = " ".join(ctx.command_path.split()[1:])
            asked = f"{path} {args[0]}".strip()
            like = get_close_matches(args[0], self.list_commands(ctx), n=1, cutoff=LIKE)
            meant = f"Did you mean: {ctx.command_path} {like[0]}" if like else f"See: {ctx.command_path} --help"
            raise Misspelt(f'there is no "{asked}".  {meant}', ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """A group that loads nothing until one of its commands is called.

    *commands_at* has for each command its place (`module:name`) and its short help.
    """

    def __init__(self, *args: Any, commands_at: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self._at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in self._at:
            return None
        module, _, name = self._at[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in self._at.items()])
