"""`pbem orders`: check a file, enter it for a role, read what stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.kernel.office import Source

FILE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


@click.group(cls=Group)
def orders() -> None:
    """Check, enter and read orders."""


@orders.command()
@click.argument("file", type=FILE)
@click.option("--campaign", help="Judge it as the receipt of this campaign would; else as the sheet says.")
@click.option("--as", "role", help="Whose orders they are; else as the sheet says.")
@click.option("--scenario", help="Without a campaign: judge the words by this scenario.")
@common.json_option
@click.pass_context
def check(
    context: click.Context, file: Path, campaign: str | None, role: str | None, scenario: str | None, as_json: bool
) -> None:
    """Say of each line of FILE what the receipt would say.

    In an office it is judged by what its role knows; with --scenario by the words alone. Campaign and role are those
    of its lines `game` and `role`, where you do not say them.

    \b
    Example:
      pbem orders check t5.txt
      pbem orders check t5.txt --campaign stprivat-autumn --as french
      pbem orders check t5.txt --scenario st-privat/graveyard --as french
    """
    from pbem.desk.sheets import check as desk
    from pbem.reports.pages.receipt import check_lines

    raw = common.read_input(file)
    if scenario and campaign:
        raise click.UsageError("Say one of --campaign and --scenario.")
    if scenario:
        checked = desk.by_scenario(common.office_if_any(), scenario, role, raw, file.name)
    else:
        with common.the_office() as office:
            checked = desk.in_campaign(office, campaign, role, raw, file.name)
    if as_json:
        lines = [
            {
                "line": one.number,
                "text": one.text,
                "word": one.word,
                "why": one.why,
                "rule": one.rule,
                "column": one.column,
                "instead": one.instead,
                "example": one.example,
            }
            for one in checked.lines
        ]
        common.print_json({"lines": lines, "refused": checked.refused, "says": checked.says})
    else:
        click.echo(check_lines(file.name, checked.lines, says=checked.says))
    context.exit(1 if checked.refused else 0)


@orders.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("file", type=FILE)
@click.option("--as", "role", help="Whose orders they are; else as the sheet says.")
@click.option("--upload", is_flag=True, help="The player handed the file in himself: he did it, and not you.")
@click.option("--dry-run", is_flag=True, help="Say what his receipt would say; nothing is entered, nobody is told.")
@click.pass_context
def submit(context: click.Context, campaign: str, file: Path, role: str | None, upload: bool, dry_run: bool) -> None:
    """Enter the orders of FILE for a role; its player gets the receipt, which says that you entered them.

    A sheet that says another `game` or `role` is refused, as is what is no plain text.

    \b
    Example:
      pbem orders submit stprivat-autumn t5.txt --as french --dry-run
      pbem orders submit stprivat-autumn t5.txt --as french
    """
    from pbem.desk.intake.receive import submit as enter
    from pbem.reports.pages.receipt import check_lines

    raw = common.read_input(file)
    source: Source = "upload" if upload else "gm"
    if dry_run:
        context.exit(_rehearse(campaign, role, raw, source, file.name))
    with common.the_office() as office:
        received = enter(office, campaign, role, raw, source=source, name=file.name)
    if received.receipt:
        says = f"Receipt {received.receipt.number} for {received.moment}: {received.reason}."
        click.echo(check_lines(file.name, received.receipt.lines, says=says))
    else:
        click.echo(f"{received.reason}.")
    context.exit(1 if received.state == "refused" else 0)


def _rehearse(campaign: str, role: str | None, raw: bytes, source: Source, name: str) -> int:
    """Print what would come of a file; gives what the command ends with."""
    from pbem.desk.intake.handed import rehearse

    with common.the_office() as office:
        done = rehearse(office, campaign, role, raw, source=source, name=name)
    for subject, text in done.answers:
        click.echo(f"{common.strong(subject)}\n\n{text}")
    click.echo(f"A dry run: nothing was entered, and nobody was told.  It would be {done.outcome}.")
    return 1 if done.refused else 0


@orders.command("list")
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--turn", help="Only for this turn, like 5A.")
@common.json_option
def list_orders(campaign: str, turn: str | None, as_json: bool) -> None:
    """List the sheets of CAMPAIGN as they stand.

    \b
    Example:
      pbem orders list stprivat-autumn --turn 5A
    """
    from pbem.reports.text.times import in_zone

    found, zone = _sheets(campaign, turn, None)
    if as_json:
        common.print_json([_plain(one) for one in found])
        return
    common.table(
        ("Turn", "Role", "Receipt", "Received", "Lines", "State"),
        [
            (
                str(one.moment),
                one.role,
                str(one.receipt),
                in_zone(one.at, zone),
                str(len(one.text.splitlines())),
                "kept for later" if one.kept else "accepted",
            )
            for one in found
        ],
        right=(2, 4),
    )


@orders.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--as", "role", required=True, help="Whose orders.")
@click.option("--turn", help="For this turn, like 5A; else the newest.")
@common.json_option
def show(campaign: str, role: str, turn: str | None, as_json: bool) -> None:
    """Show one sheet as it stands.

    \b
    Example:
      pbem orders show stprivat-autumn --as french --turn 5A
    """
    from pbem.kernel.errors import Refused
    from pbem.reports.pages.receipt import echoed

    found, _ = _sheets(campaign, turn, role)
    if not found:
        raise Refused(f"{role} has no orders{f' for {turn}' if turn else ''} in {campaign}.")
    sheet = found[-1]
    if as_json:
        common.print_json(_plain(sheet))
        return
    click.echo(common.strong(f"{sheet.role}, {sheet.moment}, receipt {sheet.receipt}"))
    lines = sheet.text.splitlines()
    for number, line in enumerate(lines, start=1):
        click.echo(f"{number:>4}  {echoed(line)}")
    if any(line != echoed(line) for line in lines):
        click.echo(common.quiet("      A line is cut here.  Whole: --json"))
    for told in sheet.told:
        click.echo(common.look(f"  line {told.line}: {told.judgement}: {told.why}"))


def _sheets(campaign: str, turn: str | None, role: str | None) -> tuple[list[Any], str]:
    from pbem.desk.books import dossiers
    from pbem.kernel.names import Moment

    with common.the_office() as office, office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        zone = office.settings.zone
    at = Moment.parse(turn) if turn else None
    wanted = dossier.role(role) if role else None
    return [
        sheet
        for (moment, one), sheet in sorted(dossier.campaign.sheets.items())
        if at in (None, moment) and wanted in (None, one)
    ], zone


def _plain(sheet: Any) -> dict[str, Any]:
    return {
        "turn": str(sheet.moment),
        "role": sheet.role,
        "receipt": sheet.receipt,
        "received": common.iso(sheet.at),
        "text": sheet.text,
        "digest": sheet.digest,
        "kept": sheet.kept,
        "told": [{"line": one.line, "judgement": one.judgement, "why": one.why} for one in sheet.told],
    }
