"""`pbem guide`: the guides, in a terminal or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.library.guides import Guide


@click.command()
@click.argument("name", required=False)
@click.option("--html", is_flag=True, help="As a page that stands alone, for a browser.")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write it there, not to the terminal."
)
@common.json_option
def guide(name: str | None, html: bool, output: Path | None, as_json: bool) -> None:
    """Read the guide NAME: player, gm, review, scenario and so on; without a name, list them.

    \b
    Example:
      pbem guide
      pbem guide gm
      pbem guide player --html -o player.html
    """
    from pbem.desk.library import guides

    if name is None:
        _list(as_json=as_json)
        return
    found = guides.find(name)
    if as_json:
        common.print_json({"name": found.name, "title": found.title, "says": found.says, "source": found.source})
        return
    text = _page(found) if html else _plain(found)
    if output:
        output.write_text(text, "utf-8")
        click.echo(f"{output} is written.")
    elif html:
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


def _list(*, as_json: bool) -> None:
    from pbem.desk.library import guides

    there = guides.listing()
    if as_json:
        common.print_json([{"name": one.name, "title": one.title, "says": one.says} for one in there])
        return
    for heading, books in (("Guides, each for its reader", True), ("What they lead to", False)):
        click.echo(common.strong(heading))
        common.table(("Name", "Title"), [(one.name, one.title) for one in there if one.is_book is books])
        click.echo()
    click.echo("Read one: pbem guide gm.  As a page: pbem guide gm --html -o gm.html")


def _page(found: Guide) -> str:
    from pbem.desk.library import guides
    from pbem.reports.pages.environment import environment
    from pbem.reports.pages.guide import guide_html
    from pbem.resources import resources

    office = common.office_if_any()
    own = office / "templates" if office else None
    return guide_html(guides.alone(found), environment(resources("templates"), own))


def _plain(found: Guide) -> str:
    """A guide as plain text, in which no line is broken that is there to be copied."""
    from pbem.desk.library import guides
    from pbem.reports.text import markdown

    return (
        "\n\n".join(
            "\n".join(f"    {line}".rstrip() for line in part.splitlines()[1:-1]) if fenced else markdown.text(part)
            for part, fenced in guides.pieces(guides.printed(found))
            if part.strip()
        )
        + "\n"
    )
