"""`pbem dice`: throws and seeds, checked."""

from __future__ import annotations

import click

from pbem.cli import common
from pbem.cli.lazy import Group


@click.group(cls=Group)
def dice() -> None:
    """Check throws against seeds, and seeds against promises."""


@dice.command()
@click.argument("campaign")
@click.option("--as", "role", help="Only what this role was told, by the seeds revealed.")
@click.option("--turn", help="Only of this exchange, like 4B.")
@common.json_option
@click.pass_context
def audit(context: click.Context, campaign: str, role: str | None, turn: str | None, as_json: bool) -> None:
    """Check every throw of CAMPAIGN, and every seed.

    \b
    Example:
      pbem dice audit stprivat-autumn --turn 4B
      pbem dice audit stprivat-autumn --as french
    """
    from pbem.desk import shown
    from pbem.desk.audit import audit as check
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        found = check(office, campaign, role)
    wanted = Moment.parse(turn) if turn else None
    throws = [one for one in found.throws if wanted in (None, one.moment)]
    promises = [one for one in found.promises if wanted in (None, one.moment)]
    if as_json:
        common.print_json(
            {
                "throws": [
                    {
                        **({} if role else {"seq": one.seq}),
                        "turn": str(one.moment),
                        **shown.plain(one.throw),
                        "faces": list(one.throw.faces),
                        "falls": one.fall,
                    }
                    for one in throws
                ],
                "promises": [
                    {
                        "turn": str(one.moment),
                        "open": one.promises.open,
                        "closed": one.promises.closed,
                        "open_seed": one.open,
                        "closed_seed": one.closed,
                    }
                    for one in promises
                ],
            }
        )
    else:
        common.table(
            ("Throw", "Seed", "Dice", ""),
            [
                (
                    one.throw.name,
                    "by ruling" if one.throw.by == "ruling" else one.throw.seed,
                    " ".join(map(str, one.throw.faces)),
                    one.fall,
                )
                for one in throws
            ],
        )
        click.echo()
        common.table(
            ("Turn", "Promised open", "Seed", "Promised closed", "Seed"),
            [
                (str(one.moment), f"{one.promises.open[:8]}…", one.open, f"{one.promises.closed[:8]}…", one.closed)
                for one in promises
            ],
        )
        wrong = found.wrong
        said = common.plural(len(throws), "throw")
        if wrong:
            click.echo(click.style(f"\n{said}; {wrong} do not fit.", fg="red"))
        else:
            click.echo(f"\n{said}; all that is known fits.")
    context.exit(1 if found.wrong else 0)
