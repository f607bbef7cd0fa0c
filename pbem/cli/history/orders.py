"""`pbem history orders`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import TURN, columns, paged

if TYPE_CHECKING:
    from pbem.desk.reels.ordered import Sheet


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE, required=False)
@click.option("--as", "eyes", metavar="ROLE", help="Only the sheets of this role, with what it knows of them.")
@TURN
@click.option("--receipts", is_flag=True, help="Each sheet with its receipt, as it was sent.")
@common.json_option
def orders(campaign: str, role: str | None, eyes: str | None, turn: str | None, receipts: bool, as_json: bool) -> None:
    """List every sheet as it was sent, of one ROLE or of all: what stood in the end, and what came of each line.

    \b
    Example:
      pbem history orders stprivat-autumn french --turn 3
    """
    from pbem.desk.reels.ordered import sheets_of

    with common.the_office() as office:
        found = sheets_of(office, campaign, role, eyes=eyes, turn=turn, receipts=receipts)
        zone = office.settings.zone
    if as_json:
        from pbem.desk.books import shown

        common.print_json([shown.plain(one) for one in found])
        return
    paged(_in_words(found, zone))


def _in_words(found: list[Sheet], zone: str) -> Iterator[str]:
    from pbem.reports.text.times import in_zone

    for sheet in found:
        yield common.strong(f"{sheet.role}, {sheet.moment or 'for nothing that is open'}, receipt {sheet.receipt}")
        yield common.quiet(f"{in_zone(sheet.at, zone)}, by {sheet.source}: {_fate(sheet)}")
        yield from _lines(sheet)
        if sheet.answer:
            yield ""
            yield from (f"    | {line}".rstrip() for line in sheet.answer.splitlines())
        yield ""
    yield common.quiet(f"{common.plural(len(found), 'sheet')}.")


def _fate(sheet: Sheet) -> str:
    by = f", then receipt {sheet.by} took its place" if sheet.fate == "stood" else f" by receipt {sheet.by}"
    return f"{sheet.fate}{by if sheet.by else ''}{f': {sheet.why}' if sheet.why else ''}"


def _lines(sheet: Sheet) -> Iterator[str]:
    from pbem.reports.pages.receipt import echoed
    from pbem.reports.text.beats import outcome

    for line in sheet.lines:
        yield f"  {line.number:>3}  {echoed(line.text)}".rstrip()
        for said in line.judged:
            yield from map(common.look, columns([(said,)], indent=7))
        for run, some in line.came.items():
            for told in some:
                yield from columns([(f"{run}: {outcome(told).partition(': ')[2]}",)], indent=7)
