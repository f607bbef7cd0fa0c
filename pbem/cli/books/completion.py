"""`pbem completion`: what a shell reads to complete commands, campaigns and roles."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Let a shell complete commands, campaigns and roles: print what SHELL reads for that.

    \b
    Example:
      pbem completion bash > ~/.local/share/bash-completion/completions/pbem
      pbem completion zsh > ~/.zfunc/_pbem
      pbem completion fish > ~/.config/fish/completions/pbem.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None, "each of them has one"
    click.echo(kind(context.find_root().command, {}, "pbem", "_PBEM_COMPLETE").source())
