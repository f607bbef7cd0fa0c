"""`pbem history log`: a game in words, a line a beat; or the log of its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import AT, EYES, SEQ, TURN, columns, entries, paged, plain

if TYPE_CHECKING:
    from pbem.desk.gm.history import Entry
    from pbem.desk.reels.chosen import Chosen


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@EYES
@TURN
@click.option("--phase", default="", help="Only of the phase whose heading begins so, or a word of it: melee.")
@click.option("--unit", default="", help="Only what befell this unit, or what it did: f7.")
@click.option("--place", default="", help="Only what happened there, as orders write it: H-8.")
@click.option("--kind", default="", help="Only with a fact of this kind: melee_resolved.")
@click.option("--rule", default="", help="Only what followed from this rule: SP-MEL-09.")
@click.option("--grep", "words", default="", help="Only what was told in these words.")
@click.option("--orders", is_flag=True, help="Only what became of lines of sheets, and say it.")
@click.option("--annulled", is_flag=True, help="Runs that were annulled as well.")
@click.option("--raw", is_flag=True, help="The events of the log, one a line, cut off where it is too long.")
@AT
@SEQ
@common.json_option
def log(
    campaign: str,
    eyes: tuple[str, ...],
    turn: str | None,
    at: str | None,
    seq: int | None,
    raw: bool,
    as_json: bool,
    **asked: str | bool,
) -> None:
    """List what came to pass, in words, a line a beat; what is asked of it must all hold.

    Wrapped to the terminal and paged; elsewhere no line is cut.  A beat has a name, like 3B.22, by which `history show`
    and `why` find it.  With --raw it is the log of events, as `history export` has it, and --at and --seq say up to
    where.

    \b
    Example:
      pbem history log stprivat-autumn --turn 3-5 --phase melee --unit f7 --as french
    """
    if raw:
        _raw(campaign, eyes, turn, at, seq, as_json=as_json)
        return
    if at or seq:
        raise click.UsageError("--at and --seq are of the log of events: they go with --raw.")
    from pbem.desk.reels.chosen import choose

    with common.the_office() as office:
        found = choose(office, campaign, eyes, turn, asked, pictures=as_json)
    if as_json:
        from pbem.desk.books import shown

        common.print_json(shown.plain(found.reel))
        return
    paged(_lines(found))


def _lines(found: Chosen) -> Iterator[str]:
    from pbem.reports.text.beats import in_a_line, short

    reel = found.reel
    rows = [(beat, said) for beat in reel.beats if (said := in_a_line(reel.eyes, beat, orders=found.orders))]
    turn = None
    for (beat, _), line in zip(
        rows, columns([(beat.name, short(beat.phase), said) for beat, said in rows]), strict=True
    ):
        if turn not in (None, beat.moment.turn):
            yield ""
        turn = beat.moment.turn
        yield line
    whose = " beside ".join("the truth" if one == "truth" else f"what {one} knows" for one in reel.eyes)
    yield ""
    yield common.quiet(f"{common.plural(len(rows), 'beat')} of {found.of:,}; {whose}.")


def _raw(
    campaign: str, eyes: tuple[str, ...], turn: str | None, at: str | None, seq: int | None, *, as_json: bool
) -> None:
    from pbem.reports.text.times import in_seconds

    if len(eyes) > 1:
        raise click.UsageError("--raw is of one role, or of the whole log.")
    role = next((one for one in eyes if one != "truth"), None)
    found = entries(campaign, role, turn, at, seq)
    if as_json:
        common.print_json([plain(one, role) for one in found])
        return
    common.lines(
        ("#" if role else "Seq", "When (UTC)", "Kind", "What"),
        [(str(one.number), in_seconds(one.at), one.kind.rpartition(".")[2], _what(one)) for one in found],
        right=(0,),
    )
    of_turn = f" of turn {turn}" if turn else ""
    if role:
        click.echo(f"\n{common.plural(len(found), 'event')}{of_turn} known to {role}.")
    elif found:
        click.echo(f"\n{common.plural(len(found), 'event')}{of_turn}.")
        click.echo(f"One event: pbem history show {campaign} {found[-1].number}")


def _what(one: Entry) -> str:
    return one.what if one.valid else f"(annulled) {one.what}"
