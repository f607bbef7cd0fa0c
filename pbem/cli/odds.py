"""`pbem rules odds`: the chances of attacks as they stand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.gm.chances import Found

_MOST_ROWS = 14


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("orders", nargs=-1, required=True)
@click.option("--as", "role", required=True, help="Whose orders they are; reckoned by what this role knows.")
@click.option("--truth", is_flag=True, help="Reckon as things truly are: for the GM alone.")
@common.json_option
def odds(campaign: str, orders: tuple[str, ...], role: str, truth: bool, as_json: bool) -> None:
    """Say the chances of the attacks that the order lines ORDERS would come to now.

    Every fall of the dice is weighed, by the tables with which the game is played; where there are too many, some are
    thrown, always the same, and "about" says so.  Nothing is entered, and nobody is told.

    \b
    Example:
      pbem rules odds stprivat-autumn "charge p15+p16 at I-9" --as prussian
      pbem rules odds stprivat-autumn "charge p15+p16 at I-9" --as prussian --truth
      pbem rules odds france "ACT G3" "SELF 8SP ASSAULT 2206" "END" --as german
    """
    from pbem.desk.gm import chances as desk
    from pbem.kernel.errors import Refused

    with common.the_office() as office:
        found = desk.odds(office, campaign, role, orders, truth=truth)
    if as_json:
        common.print_json(_plain(found, truth=truth))
        return
    for wrong in found.complaints:
        said = "" if wrong.judgement.refuses else " (it stands all the same)"
        click.echo(common.look(f"line {wrong.line}: {wrong.why}{said}"), err=True)
    if not found.odds:
        raise Refused(f"by these lines {found.role} attacks nobody who is known and in reach.")
    by = "as things truly are" if truth else f"by what {found.role} knows"
    for one in found.odds:
        click.echo(f"{common.strong(one.what)}   {common.quiet(f'{one.kind}, {found.moment}, {by}')}")
        click.echo(f"  {one.clause}")
        rows = [(each.what, each.words, percent(each.chance)) for each in one.outcomes[:_MOST_ROWS]]
        common.table(("What may come of it", "Chance", "Percent"), rows, right=(2,))
        if left := len(one.outcomes) - len(rows):
            click.echo(f"  and {common.plural(left, 'thing')} less likely")
        click.echo()


def percent(chance: Fraction) -> str:
    """A chance in percent, to a tenth."""
    tenths = round(1000 * chance)
    return f"{tenths // 10}.{tenths % 10}"


def _plain(found: Found, *, truth: bool) -> dict[str, object]:
    return {
        "role": found.role,
        "moment": str(found.moment),
        "truth": truth,
        "complaints": [
            {"line": one.line, "why": one.why, "refused": one.judgement.refuses} for one in found.complaints
        ],
        "odds": [
            {
                "line": one.line,
                "kind": one.kind,
                "what": one.what,
                "for": one.good,
                "chance": float(one.chance),
                "lost": float(one.lost),
                "measure": one.measure,
                "given": one.given,
                "exact": one.exact,
                "outcomes": [
                    {"what": each.what, "chance": float(each.chance), "good": each.good} for each in one.outcomes
                ],
            }
            for one in found.odds
        ],
    }
