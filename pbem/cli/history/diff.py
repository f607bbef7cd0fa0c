"""`pbem history diff`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import EYES, columns, paged

if TYPE_CHECKING:
    from pbem.desk.reels.differing import Difference


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("first", metavar="FROM")
@click.argument("second", metavar="[TO]", default="")
@EYES
@click.option("--with", "other", metavar="FORK", help="TO is a moment of this campaign, a fork; else like FROM.")
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), help="Write both maps, with rings, into this new file."
)
@common.json_option
def diff(
    campaign: str, first: str, second: str, eyes: tuple[str, ...], other: str | None, html: Path | None, as_json: bool
) -> None:
    """Say what differs between two moments, two runs of an exchange, or a game and its fork.

    Of two moments it says what came between; of two runs, 3B#1 and 3B#2, or of a fork, what was told in one alone; of
    both which units stand otherwise.  TO left out is the newest moment.

    \b
    Example:
      pbem history diff stprivat-autumn 3B#1 3B#2
      pbem history diff stprivat-autumn 3B --with what-if --html what-if.html
    """
    from pbem.desk.reels import differing

    common.see_free(html)
    with common.the_office() as office:
        found = differing.differ(office, campaign, eyes, first, second or (first if other else ""), other=other)
        if html is not None:
            common.write_output(html, [differing.page(office, found)])
            click.echo(str(html), err=str(html) == "-")
            return
    if as_json:
        from pbem.desk.books import shown

        common.print_json(shown.plain(found.seen))
    else:
        paged(_in_words(found))


def _in_words(found: Difference) -> Iterator[str]:
    from pbem.desk.reels.differing import both, tables
    from pbem.desk.reels.looking import seen_by, through
    from pbem.reports.text.beats import in_a_line, outcome, sentence, short
    from pbem.reports.text.plain import table

    reel, same = found.first.reel, found.first.reel.campaign == found.second.reel.campaign
    yield common.strong(", ".join((*([reel.campaign] if same else []), both(found), through(reel))))
    for eyes, seen in found.seen.items():
        whose = f", {seen_by(reel, eyes)}" if len(found.seen) > 1 else ""
        for heading, some in (("Told in the first alone", seen.gone), ("Told in the second alone", seen.new)):
            rows = [
                (one.beat.name, short(one.beat.phase), said)
                for one in some
                for said in (
                    *map(sentence, one.told),
                    *(f"{role} {outcome(line)}" for role, lines in one.lines.items() for line in lines),
                )
            ]
            if rows:
                yield f"\n{common.strong(heading)}{whose}"
                yield from columns(rows, indent=2)
        if seen.since:
            yield f"\n{common.strong('What came between')}{whose}"
            yield from columns(
                [(beat.name, short(beat.phase), said) for beat in seen.since if (said := in_a_line((eyes,), beat))],
                indent=2,
            )
        if not (seen.units or seen.figures or seen.gone or seen.new or seen.since):
            yield f"\nNothing differs{whose}."
    for data in tables(found):
        yield f"\n{common.strong(data.caption)}"
        yield table(data)
