"""`pbem campaign upgrade` and `end`: a campaign goes over to other rules, or is broken off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.proof.upgrade import Stretch, Upgrade


@click.command()
@click.argument("name")
@click.option("--reason", default="", help="Why; it stands in the log.")
@click.option("--dry-run", is_flag=True, help="Only show what it would change.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common.json_option
def upgrade(name: str, reason: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Let the campaign NAME be played by the installed rules from now on, while no exchange of its turn has been run.

    Shows first what they would have decided otherwise; what was played stays as it is, and so do sheets that are in.

    \b
    Example:
      pbem campaign upgrade stprivat-autumn --dry-run
      pbem campaign upgrade stprivat-autumn --reason "SP-MEL-09 was misread."
    """
    from pbem.desk.proof import upgrade as desk
    from pbem.kernel.errors import Refused

    with common.the_office() as office:
        shown = desk.upgrade(office, name)
        if not as_json:
            _print(shown)
        if not dry_run:
            if not reason.strip():
                raise Refused("nothing was upgraded: give a reason, which stands in the log.  --reason TEXT")
            if not yes and not click.confirm("Upgrade?", err=as_json):
                raise Refused("nothing was upgraded.")
            shown = desk.upgrade(office, name, reason, upon=shown.before, make=True)
    if as_json:
        common.print_json(_plain(shown))
    elif shown.seq:
        click.echo(common.strong(f"Upgraded: event {shown.seq}."))
    else:
        click.echo("Nothing was written.  To play on by them and look:")
        click.echo(f"  pbem campaign fork {name} NAME --with-installed")


@click.command()
@click.argument("name")
@click.option("--reason", required=True, help="How it came to its end; the players are told.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def end(name: str, reason: str, yes: bool) -> None:
    """Break the campaign NAME off: nobody has won, all seeds are revealed, the players are told.

    \b
    Example:
      pbem campaign end stprivat-autumn --reason "Both players have resigned."
    """
    from pbem.desk.players import enrol
    from pbem.kernel.errors import Refused

    with common.the_office() as office:
        if not yes and not click.confirm(f"End {name} for good?"):
            raise Refused("nothing was ended.")
        ended = enrol.end(office, name, reason)
    click.echo(common.strong(f"{name} is over: {ended.how}."))
    common.then_mail("the players are told")


def _print(shown: Upgrade) -> None:
    pinned, installed = shown.pinned, shown.installed
    common.pairs(
        [
            ("pinned", f"{pinned.system} {pinned.version}, content {pinned.content[:8]}…"),
            ("installed", f"{installed.system} {installed.version}, content {installed.content[:8]}…"),
        ]
    )
    click.echo(f"\n{common.strong('What was played, by the installed rules')}")
    common.pairs([(_called(one), _said(one)) for one in shown.stretches])
    if not shown.stretches:
        click.echo("  nothing yet")
    if shown.sealed:
        click.echo(f"  {common.plural(shown.sealed, 'stretch', 'stretches')} cannot be decided again without seeds.")
    if shown.would is not None:
        facts = common.plural(shown.would, "fact")
        click.echo(
            f"  {shown.moment}, open, could come to {facts} as the orders stand: with other dice than those to come."
        )
    click.echo("What was played stays as it is.\n")


def _called(one: Stretch) -> str:
    return {"muster": "set-up", "ruling": f"ruling in {one.moment}", "run": str(one.moment)}[one.how]


def _said(one: Stretch) -> str:
    found = one.difference
    if found is None:
        return f"the same, {common.plural(one.facts, 'fact')}"
    where = f"event {found.seq}" + (f", {found.kind.rpartition('.')[2]}" if found.kind else "")
    rules = f" ({' '.join(found.rules)})" if found.rules else ""
    lines = [f"{where}{rules}: {found.why}"]
    if found.fields:
        logged, now = common.parted(found.fields)
        lines += [f"logged  {logged}", f"now     {now}"]
    return "\n".join(lines)


def _plain(shown: Upgrade) -> dict[str, object]:
    from pbem.desk.books.shown import plain

    return {
        "campaign": shown.campaign,
        "turn": str(shown.moment),
        "pinned": {"version": shown.pinned.version, "content": shown.pinned.content},
        "installed": {"version": shown.installed.version, "content": shown.installed.content},
        "played": [
            {"turn": str(one.moment), "how": one.how, "facts": one.facts, "difference": plain(one.difference)}
            for one in shown.stretches
        ],
        "sealed": shown.sealed,
        "would": shown.would,
        "seq": shown.seq or None,
    }
