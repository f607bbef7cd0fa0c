"""`pbem verify`: is the log what was written, and do the rules come to what it says."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.proof.proof import Row, Verified
    from pbem.desk.proof.resolving import Difference


_SHOWN = 20
"""How many of the faults of an office are printed."""


@click.command()
@click.argument("campaigns", nargs=-1)
@click.option("--head", default="", help="The log must hold this hash, printed in a report or below a receipt.")
@click.option("--fold", is_flag=True, help="Only the hash chain and the replay.")
@common.json_option
@click.pass_context
def verify(context: click.Context, campaigns: tuple[str, ...], head: str, fold: bool, as_json: bool) -> None:
    """Verify CAMPAIGNS, or all of the office: all that it keeps, and every campaign.

    Of a campaign: hash chain, heads, letters, mails, orders, dice, replay, resolve again, reports.

    \b
    Example:
      pbem verify stprivat-autumn
      pbem verify stprivat-autumn --head 3e1c7a9052d4…
    """
    from pbem.desk.proof import verify as desk

    if head and len(campaigns) != 1:
        raise click.UsageError("A head is of one campaign: pbem verify CAMPAIGN --head HASH")
    found = []
    with common.the_office(unguarded=True) as office:
        whole = [] if campaigns or fold else [desk.OFFICE]
        for campaign in (*(campaigns or desk.names(office)), *whole):
            began = time.monotonic()
            with common.progress(f"Verifying {campaign or 'the office'}", len(desk.CHECKS) + 1) as done:
                if campaign:
                    verified = desk.verify(office, campaign, head=head, fold=fold, progress=done)
                else:
                    verified = desk.verify_office(office, progress=done)
            found.append(verified)
            if not as_json:
                _print(verified, time.monotonic() - began)
    if as_json:
        common.print_json([_plain(one) for one in found])
    context.exit(0 if all(one.sound for one in found) else 1)


def _print(verified: Verified, seconds: float) -> None:
    for row in verified.rows:
        click.echo(f"  {row.name:<13}  {row.what:<{max(43, len(row.what))}}  {_state(row)}".rstrip())
    click.echo()
    if verified.sound:
        click.echo(common.strong(f"{verified.campaign or 'The office'} is sound.") + f" {seconds:.1f} s")
    if verified.campaign:
        shown = [verified.first] if verified.first else []
    else:
        shown = [one for row in verified.rows for one in row.found]
    for one in shown[:_SHOWN]:
        _print_difference(one)
    if len(shown) > _SHOWN:
        click.echo(f"  and {len(shown) - _SHOWN} more: pbem verify --json")
    if verified.pinned:
        click.echo(f"  {verified.pinned}")
    if not verified.sound and not verified.campaign:
        click.echo("  Bring it back as it was: pbem db restore.  If you know how it came about: pbem db accept")
    elif verified.first:
        click.echo("  The log was not changed.", nl=not verified.first.moment)
        if verified.first.moment:
            click.echo(" The whole turn, on a fork:")
            click.echo(
                f"      pbem campaign fork {verified.campaign} NAME --at {verified.first.moment} --with-installed"
            )
    click.echo()


def _state(row: Row) -> str:
    if row.skipped:
        return common.quiet(f"not checked, {row.skipped}")
    if not row.found:
        return "ok"
    return click.style(common.plural(len(row.found), "difference"), fg="red")


def _print_difference(one: Difference) -> None:
    where = [f"event {one.seq}"] if one.seq else []
    where += [one.kind.rpartition(".")[2]] if one.kind else []
    where += [str(one.moment)] if one.moment else []
    rules = f" ({' '.join(one.rules)})" if one.rules else ""
    click.echo(f"  {', '.join(where)}{rules}{': ' if where else ''}{one.why}")
    if one.fields:
        logged, now = common.parted(one.fields)
        click.echo(f"    logged     {logged}")
        click.echo(f"    now        {now}")


def _plain(verified: Verified) -> dict[str, object]:
    from pbem.desk.books import shown

    return {
        "campaign": verified.campaign,
        "sound": verified.sound,
        "pinned": verified.pinned or None,
        "rows": [
            {"name": row.name, "what": row.what, "skipped": row.skipped or None, "found": shown.plain(row.found)}
            for row in verified.rows
        ],
    }
