"""`pbem history log`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import AT, ROLE, SEQ, TURN, entries, plain

if TYPE_CHECKING:
    from pbem.desk.gm.history import Entry


@click.command()
@click.argument("campaign")
@ROLE
@TURN
@AT
@SEQ
@common.json_option
def log(campaign: str, role: str | None, turn: str | None, at: str | None, seq: int | None, as_json: bool) -> None:
    """List what came to pass, one line an event, cut off where it is too long.

    All of an event: `pbem history show`; of all events: --json.

    \b
    Example:
      pbem history log stprivat-autumn --turn 4 --as french
    """
    from pbem.reports.text.times import in_seconds

    found = entries(campaign, role, turn, at, seq)
    if as_json:
        common.print_json([plain(one, role) for one in found])
        return
    common.lines(
        ("#" if role else "Seq", "When (UTC)", "Kind", "What"),
        [(str(one.number), in_seconds(one.at), one.kind.rpartition(".")[2], _what(one)) for one in found],
        right=(0,),
    )
    of_turn = f" of turn {turn}" if turn else ""
    if role:
        click.echo(f"\n{common.plural(len(found), 'event')}{of_turn} known to {role}.")
    elif found:
        click.echo(f"\n{common.plural(len(found), 'event')}{of_turn}.")
        click.echo(f"One event: pbem history show {campaign} {found[-1].number}")


def _what(one: Entry) -> str:
    return one.what if one.valid else f"(annulled) {one.what}"
