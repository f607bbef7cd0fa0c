"""`pbem history show` and `replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import AT, ROLE, SEQ

if TYPE_CHECKING:
    from pbem.desk.gm.history import Standing


@click.command()
@click.argument("campaign")
@click.argument("seq", type=int)
@common.json_option
def show(campaign: str, seq: int, as_json: bool) -> None:
    """Show event SEQ whole, every column of the log.

    \b
    Example:
      pbem history show stprivat-autumn 392
    """
    from pbem.desk.gm import history as past
    from pbem.reports.text.times import in_seconds

    with common.the_office() as office:
        found = past.show(office, campaign, seq)
    if as_json:
        common.print_json({**found, "recorded_at": common.iso(found["recorded_at"])})
        return
    voided = common.look("   annulled") if found["annulled"] else ""
    click.echo(common.strong(f"{found['campaign']}, event {found['seq']}, {found['kind']}") + voided)
    click.echo()
    common.pairs(
        [
            ("turn", found["turn"]),
            ("by", found["actor"]),
            ("at", f"{in_seconds(found['recorded_at'])} UTC"),
            ("hash", found["hash"]),
            ("before it", found["prev_hash"] or "nothing"),
        ]
    )
    click.echo()
    common.print_json(found["event"])


@click.command()
@click.argument("campaign")
@ROLE
@AT
@SEQ
@common.json_option
def replay(campaign: str, role: str | None, at: str | None, seq: int | None, as_json: bool) -> None:
    """Show the field as it stood at a moment: the truth, or what a role knew.

    \b
    Example:
      pbem history replay stprivat-autumn --at 4B --as french
    """
    from pbem.desk.books import shown
    from pbem.desk.gm import history as past

    with common.the_office() as office:
        moment = past.moment_of(office, campaign, at) if at else None
        found: Standing = past.replay(office, campaign, role=role, at=moment, upto=seq)
    if as_json:
        common.print_json(
            {
                "seq": found.seq or None,
                "turn": str(found.moment),
                "at": common.iso(found.at),
                "digest": found.digest or None,
                "state": shown.plain(found.state),
            }
        )
        return
    whose = f"as known to {role}" if role else f"after event {found.seq}"
    click.echo(common.strong(f"{campaign}, {found.moment}, {whose}"))
    if found.digest:
        click.echo(common.quiet(f"state {found.digest}"))
    click.echo()
    common.table(("What", "Is"), found.values.items())
