"""`pbem scenario`: what can be played."""

from __future__ import annotations

import click

from pbem.cli import common
from pbem.cli.lazy import Group


@click.group(cls=Group)
def scenario() -> None:
    """What can be played."""


@scenario.command("list")
@common.json_option
def list_scenarios(as_json: bool) -> None:
    """List the scenarios that ship with pbem, and the office's own.

    Your own lie in the office, as campaigns/SYSTEM/NAME; they are listed once their files can be read.

    \b
    Example:
      pbem scenario list
    """
    from pbem.desk.library.scenarios import listing

    found = [one.card for one in listing(common.office_if_any())]
    if as_json:
        fields = ("system", "name", "title", "place", "date", "summary")
        common.print_json([{field: getattr(card, field) for field in fields} for card in found])
        return
    common.table(
        ("Scenario", "Title", "What it is"),
        [(f"{card.system}/{card.name}", card.title, card.summary) for card in found],
    )


@scenario.command()
@click.argument("name")
@common.json_option
def show(name: str, as_json: bool) -> None:
    """Show one scenario: its roles, its options, its briefings.

    \b
    Example:
      pbem scenario show st-privat/graveyard
    """
    from pbem.desk.library.scenarios import find_scenario

    found = find_scenario(common.office_if_any(), name)
    card, options = found.card, found.files["scenario"].get("options", {})
    if as_json:
        roles = [{"role": part.role, "name": part.name, "commander": part.commander} for part in card.roles]
        common.print_json(
            {
                "system": card.system,
                "name": card.name,
                "title": card.title,
                "place": card.place,
                "date": card.date,
                "summary": card.summary,
                "roles": roles,
                "options": options,
                "folder": str(found.folder),
                "digest": found.digest,
            }
        )
        return
    click.echo(f"{common.strong(card.title)}   {common.quiet(found.name)}")
    click.echo(f"{card.place}, {card.date}.  {card.summary}\n")
    common.table(
        ("Role", "Commander", "Briefing"),
        [(part.role, part.commander, "yes" if found.briefing(part.role) else "none") for part in card.roles],
    )
    if options:
        click.echo("\n  Options, with --option NAME=VALUE at pbem campaign new")
        common.table(("Option", "Value"), common.option_rows(options))
    click.echo(f"\nNext: pbem campaign new NAME {found.name}")


@scenario.command()
@click.argument("names", nargs=-1)
def check(names: tuple[str, ...]) -> None:
    """See whether scenarios can be opened and are as they are meant: those named, or all.

    What is wrong is named with its file and table.  What may be meant so, and can be played, begins with "look".

    \b
    Example:
      pbem scenario check
      pbem scenario check st-privat/graveyard
    """
    from pbem.desk.library.scenarios import find_folder, folders
    from pbem.desk.study.checked import faults
    from pbem.kernel.errors import Refused

    if names:
        found = [find_folder(common.office_if_any(), name) for name in names]
    else:
        found = [folder for _, _, folder in folders(common.office_if_any())]
    bad = 0
    for folder in found:
        said = faults(folder)
        wrong = sum(not fault.look for fault in said)
        bad += bool(wrong)
        how = f"{wrong} {'fault' if wrong == 1 else 'faults'}, in {folder}" if wrong else "ok"
        click.echo(f"  {f'{folder.parent.name}/{folder.name}':<36}  {how}")
        for fault in sorted(said, key=lambda one: one.look):
            line = f"{fault.where}: {fault.why}"
            click.echo(common.look(f"    look: {line}") if fault.look else f"    {line}")
    if bad:
        raise Refused(f"there are faults in {bad} of {len(found)}." if len(found) > 1 else "there are faults in it.")


@scenario.command()
@click.argument("name")
@click.argument("new")
def copy(name: str, new: str) -> None:
    """Copy the scenario NAME into the office as NEW, to make one of your own of it.

    \b
    Example:
      pbem scenario copy st-privat/ste-marie my-village
    """
    from pbem.desk.library.copied import copy_scenario

    folder = copy_scenario(common.office_folder(), name, new)
    click.echo(f"Its files are in {folder}.")
    click.echo(f"Next: pbem scenario check {folder.parent.name}/{folder.name}")
