"""`pbem rule`: the GM's word on the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.gm.ruling import Ruling


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("directives", nargs=-1, required=True, metavar="DIRECTIVE...")
@click.option("--reason", default="", help="Why; it stands in the log.")
@click.option("--known", multiple=True, metavar="ROLE[=ASPECT]", help="Who learns of it; else all whom it concerns.")
@click.option("--dry-run", is_flag=True, help="Only show what it would change.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common.json_option
def rule(
    campaign: str,
    directives: tuple[str, ...],
    reason: str,
    known: tuple[str, ...],
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Rule on CAMPAIGN: show what DIRECTIVES change and who learns of it, ask, and write it down.

    A directive is the rules' own, or forces a die.  All rules have place, set and
    remove; crossroads, empire-1870, half-league and st-privat have option too, the
    Kriegsspiel plays by the options of its start.  A word that is none is refused
    with those that there are.

    \b
    Example:
      pbem rule stprivat-autumn "set p7 men 2" --known prussian --reason "Counted wrongly in 4B."
      pbem rule stprivat-autumn "die 5B/melee/J-10 = 4" --reason "The players agreed."
    """
    from pbem.desk.gm import ruling
    from pbem.kernel.errors import Refused

    marks = {role: aspect for role, _, aspect in (one.partition("=") for one in known)}
    with common.the_office() as office:
        made = ruling.rule(office, campaign, directives, reason, known=marks)
        if not as_json:
            _print(made)
        if not dry_run:
            if not reason.strip():
                raise Refused("nothing was ruled: give a reason, which stands in the log.  --reason TEXT")
            if not yes and not click.confirm("Rule so?", err=as_json):
                raise Refused("nothing was ruled.")
            made = ruling.rule(office, campaign, directives, reason, known=marks, upon=made.before, make=True)
    if as_json:
        common.print_json(_plain(made))
    elif made.seq:
        click.echo(common.strong(f"Ruled: event {made.seq}."))
        if made.opens:
            click.echo(f"Open now: {made.opens}.")
            common.then_mail("the players are told")
    else:
        click.echo("Nothing was written.")


def _print(ruling: Ruling) -> None:
    click.echo(common.strong(f"A ruling on {ruling.campaign}, turn {ruling.moment}"))
    if ruling.changes:
        click.echo("\nChanges")
        common.table(
            ("What", "Is", "Becomes"), [(one.name, one.before or "–", one.after or "–") for one in ruling.changes]
        )
    elif ruling.facts:
        click.echo("\nNothing changes but what is known.")
    if ruling.forced:
        click.echo("\nDice")
        for die in ruling.forced:
            faces = " ".join(map(str, die.faces)) or "as its seed gives"
            click.echo(f"  {die.name}  {faces}: {die.says}")
    if ruling.facts:
        click.echo("\nLearns")
        for role, told in ruling.learns.items():
            common.pairs([(f"{role:<14}", "\n".join(told) or "nothing")])
    if ruling.opens:
        click.echo(common.look(f"\nPlay moves from {ruling.moment} to {ruling.opens}, and that is opened."))
    click.echo()


def _plain(ruling: Ruling) -> dict[str, object]:
    from pbem.desk.books import shown

    return {
        "campaign": ruling.campaign,
        "turn": str(ruling.moment),
        "directives": list(ruling.directives),
        "reason": ruling.reason,
        "changes": shown.plain(ruling.changes),
        "learns": {role: list(told) for role, told in ruling.learns.items()},
        "forced": shown.plain(ruling.forced),
        "opens": str(ruling.opens) if ruling.opens else None,
        "facts": shown.plain(ruling.facts),
        "seq": ruling.seq or None,
    }
