"""`pbem rules`: what is played, and what proves it."""

from __future__ import annotations

from itertools import groupby, zip_longest
from pathlib import Path

import click

from pbem.cli import common, odds, study
from pbem.cli.lazy import Group

PATH = click.Path(exists=True, path_type=Path)


@click.group(cls=Group)
def rules() -> None:
    """Rules, and the cases that prove them."""


rules.add_command(study.study)
rules.add_command(odds.odds)


def _in_lines(says: str) -> str:
    """What a rule says: its sentences wrapped, the rows of its tables, which begin with a bar, in columns."""
    found: list[str] = []
    for is_table, lines in groupby(says.strip().splitlines(), lambda line: line.startswith("|")):
        if is_table:
            rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
            widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
            found += [
                "  ".join(["", *(cell.ljust(width) for cell, width in zip(row, widths, strict=False))]).rstrip()
                for row in rows
            ]
        else:
            found.append(click.wrap_text(" ".join(lines), common.WIDTH, "  ", "  "))
    return "\n".join(found)


@rules.command("list")
@click.argument("system", required=False)
@common.json_option
def list_rules(system: str | None, as_json: bool) -> None:
    """List the rules systems, or the rules of one.

    \b
    Example:
      pbem rules list
      pbem rules list st-privat
    """
    from pbem.desk.library import rulebooks

    if system is None:
        systems = rulebooks.systems()
        for why in rulebooks.broken():
            click.echo(common.look(why), err=True)
        if as_json:
            common.print_json(
                [{"system": name, "title": title, "version": at, "rules": n} for name, title, at, n in systems]
            )
            return
        rows = [(name, title, at, str(count)) for name, title, at, count in systems]
        common.table(("System", "Title", "Version", "Rules"), rows, right=(3,))
        return
    entries = rulebooks.ledger(system).rules.values()
    if as_json:
        common.print_json([{"rule": one.id, "title": one.title, "source": one.source} for one in entries])
        return
    common.table(("Rule", "Title", "Where it is printed"), [(one.id, one.title, one.source) for one in entries])


@rules.command()
@click.argument("name")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The folder in which it is begun; else the one at hand.",
)
def new(name: str, folder: Path) -> None:
    """Begin a rules system of your own: a small game that plays, in a package of its own, to be made another.

    NAME is of small letters, digits and hyphens.  The author's book says how to go on.

    \b
    Example:
      pbem rules new mine
      pbem rules new three-crowns --to games
    """
    from pbem.desk.library import skeleton

    begun = skeleton.begin(name, folder)
    for path in begun.files:
        click.echo(f"  {path}")
    click.echo(f"\n{common.strong(begun.title)} is begun; its rules are called {begun.head}-….  To play it:\n")
    click.echo(f"  pip install -e {begun.folder}")
    click.echo(f"  pbem rules check {begun.folder / begun.package / 'suite'}")
    click.echo(f"  pytest --pyargs pbem.suite --system {name}     (it takes the extra: pip install 'pbem[suite]')")


@rules.command()
@click.argument("rule")
@common.json_option
def show(rule: str, as_json: bool) -> None:
    """Show one rule: what it says, where it comes from, how it is read.

    \b
    Example:
      pbem rules show SP-MEL-04
    """
    from pbem.desk.library import rulebooks

    system, entry = rulebooks.rule(rule)
    if as_json:
        common.print_json(
            {
                "system": system,
                "rule": entry.id,
                "title": entry.title,
                "source": entry.source,
                "says": entry.says,
                "reading": entry.reading,
                "options": list(entry.options),
            }
        )
        return
    click.echo(f"{common.strong(entry.id)}   {entry.title}   {common.quiet(f'{system}: {entry.source}')}\n")
    click.echo(_in_lines(entry.says))
    if entry.reading:
        click.echo("\n" + click.wrap_text(f"Read so: {entry.reading}", common.WIDTH, "  ", "  "))
    if entry.options:
        click.echo(f"\n  Options: {', '.join(entry.options)}")


@rules.command()
@click.argument("paths", nargs=-1, required=True, type=PATH)
@common.json_option
@click.pass_context
def check(context: click.Context, paths: tuple[Path, ...], as_json: bool) -> None:
    """Run conformance cases: files, and folders with files in them.

    \b
    Example:
      pbem rules check tests/cases/st-privat
    """
    from pbem.desk.library import rulebooks

    files = rulebooks.case_files(paths)
    results = list(rulebooks.run_files(common.office_if_any(), files))
    failed = [(file, result) for file, result in results if not result.passed]
    if as_json:
        common.print_json(
            [
                {"file": str(file), "case": result.case.id, "passed": result.passed, "failures": list(result.failures)}
                for file, result in results
            ]
        )
    else:
        for file, result in failed:
            click.echo(f"{file}: {common.strong(result.case.id)}: {result.case.title}")
            for failure in result.failures:
                click.echo(f"    {failure}")
        click.echo(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    context.exit(1 if failed else 0)


@rules.command()
@click.argument("system")
@click.argument("paths", nargs=-1, required=True, type=PATH)
@common.json_option
@click.pass_context
def coverage(context: click.Context, system: str, paths: tuple[Path, ...], as_json: bool) -> None:
    """Say which rules of SYSTEM the engine plays and which the cases of PATHS prove.

    \b
    Example:
      pbem rules coverage st-privat tests/cases/st-privat
    """
    from pbem.desk.library import rulebooks

    found = rulebooks.coverage(common.office_if_any(), system, rulebooks.case_files(paths))
    if as_json:
        common.print_json(
            {
                "played": {rule: list(places) for rule, places in found.played.items()},
                "proven": {rule: list(cases) for rule, cases in found.proven.items()},
                "unplayed": list(found.unplayed),
                "unproven": list(found.unproven),
                "unknown": [list(one) for one in found.unknown],
                "vain": [list(one) for one in found.vain],
            }
        )
    else:
        total = len(rulebooks.ledger(system).rules)
        click.echo(f"{system}: {total} rules, {len(found.played)} played, {len(found.proven)} proven by a case")
        if found.unplayed:
            click.echo(click.wrap_text(f"not played: {', '.join(found.unplayed)}", common.WIDTH, "  ", "    "))
        if found.unproven:
            click.echo(click.wrap_text(f"not proven: {', '.join(found.unproven)}", common.WIDTH, "  ", "    "))
        for rule, place in found.unknown:
            click.echo(common.look(f"  {rule} stands in no ledger: {place}"))
        for what, place in found.vain:
            click.echo(common.look(f"  {what} comes about in no case, and is wanted absent: {place}"))
    context.exit(1 if found.unplayed or found.unproven or found.unknown or found.vain else 0)
