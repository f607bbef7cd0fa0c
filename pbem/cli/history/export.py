"""`pbem history export`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pbem.cli import common
from pbem.cli.history.common import AT, ROLE, TURN, entries, plain


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@ROLE
@TURN
@AT
def export(campaign: str, file: Path, role: str | None, turn: str | None, at: str | None) -> None:
    """Write what came to pass into FILE, one event a line, as JSON; - is standard output.

    \b
    Example:
      pbem history export stprivat-autumn french.jsonl --as french
    """
    found = entries(campaign, role, turn, at, None)
    lines = (json.dumps(plain(one, role), ensure_ascii=False) + "\n" for one in found)
    common.write_output(file, (line.encode() for line in lines))
    click.echo(f"{common.plural(len(found), 'event')} in {file}.", err=str(file) == "-")
