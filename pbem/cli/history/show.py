"""`pbem history show`: a moment of a game, or an event of its log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import EYES, columns, paged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.desk.office.office import Office
    from pbem.desk.reels.moments import Look, Seen

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("moment", required=False, default="")
@click.option("--at", metavar="MOMENT", help="The same; here a number is a turn, and not an event of the log.")
@EYES
@click.option("--raw", is_flag=True, help="The values of the state as it stood then, or with --json all of it.")
@click.option("--open", "opened", is_flag=True, help="Open the page of the moment in the browser.")
@click.option("--html", type=FILE, help="Write its page into this new file.")
@click.option("--svg", type=FILE, help="Write its map into this new file.")
@click.option("--png", type=FILE, help="Write its map as a picture into this new file.")
@common.json_option
def show(
    campaign: str,
    moment: str,
    at: str | None,
    eyes: tuple[str, ...],
    raw: bool,
    opened: bool,
    as_json: bool,
    **files: Path | None,
) -> None:
    """Show a MOMENT of a game: what was told of it, and how things stood after it.

    A moment reads 3B, 3B/melee, 3B/melee.4, or 3B.22 as `history log` counts, 3B#1 for a run that was annulled; with
    --at also 3 (a turn), 06:14 (an hour of the game), 2026-11-24T20:00 (a date).  Nothing said: the newest.  A number
    is an event of the log, and is shown whole, with every column.

    \b
    Example:
      pbem history show stprivat-autumn 3B/melee.4 --as french --open
    """
    where = at if at is not None else moment
    wanted = {name: path for name, path in files.items() if path is not None}
    for path in wanted.values():
        common.see_free(path)
    with common.the_office() as office:
        if at is None and moment.isdecimal():
            if not (wanted or opened):
                _event(office, campaign, int(moment), as_json=as_json)
                return
            from pbem.desk.reels.moments import beat_of

            where = beat_of(office, campaign, int(moment))
        if raw:
            _values(office, campaign, eyes, where, as_json=as_json)
            return
        from pbem.desk.reels.moments import look

        found = look(office, campaign, eyes, where)
        if as_json:
            from pbem.desk.books import shown

            common.print_json(shown.plain(found))
        elif wanted or opened:
            _written(office, found, wanted, opened=opened)
        else:
            paged(_in_words(found))


def _event(office: Office, campaign: str, seq: int, *, as_json: bool) -> None:
    from pbem.desk.gm import history as past
    from pbem.reports.text.times import in_seconds

    found = past.show(office, campaign, seq)
    if as_json:
        common.print_json({**found, "recorded_at": common.iso(found["recorded_at"])})
        return
    voided = common.look("   annulled") if found["annulled"] else ""
    click.echo(common.strong(f"{found['campaign']}, event {found['seq']}, {found['kind']}") + voided)
    click.echo()
    common.pairs(
        [
            ("turn", found["turn"]),
            ("by", found["actor"]),
            ("at", f"{in_seconds(found['recorded_at'])} UTC"),
            ("hash", found["hash"]),
            ("before it", found["prev_hash"] or "nothing"),
        ]
    )
    click.echo()
    common.print_json(found["event"])


def _values(office: Office, campaign: str, eyes: tuple[str, ...], where: str, *, as_json: bool) -> None:
    from pbem.desk.books import shown
    from pbem.desk.reels.moments import values_at

    found = values_at(office, campaign, eyes, where)
    if as_json:
        common.print_json(shown.plain(found))
        return
    whose = f"as known to {eyes[0]}" if found.events is None else f"after events {found.events[0]} to {found.events[1]}"
    click.echo(common.strong(f"{campaign}, {found.beat}, {whose}"))
    if found.digest:
        click.echo(common.quiet(f"state {found.digest}"))
    click.echo()
    common.table(("What", "Is"), found.values.items())


def _written(office: Office, found: Look, wanted: dict[str, Path], *, opened: bool) -> None:
    from pbem.desk.reels import looking

    drawn = {"html": looking.page, "svg": looking.svg, "png": looking.png}
    for name, path in wanted.items():
        common.write_output(path, [drawn[name](office, found)])
        click.echo(str(path), err=str(path) == "-")
    if opened:
        path = looking.kept(office, found)
        click.echo(str(path))
        click.launch(path.as_uri())


def _in_words(found: Look) -> Iterator[str]:
    from pbem.desk.reels import looking
    from pbem.reports.text.plain import table

    reel, several = found.reel, len(found.reel.eyes) > 1
    yield common.strong(f"{reel.campaign}, {found.where}, {looking.through(reel)}")
    yield common.quiet(looking.dateline(found))
    for beat in reel.beats:
        for eyes, seen in beat.seen.items():
            yield ""
            yield common.strong(f"{beat.name}  {beat.phase}{f' [{eyes}]' * several}{'  (annulled)' * beat.annulled}")
            yield from _told(seen)
    for data in looking.figures(found):
        yield f"\n{table(data)}"
    for eyes, shown in found.shown.items():
        yield ""
        yield common.strong(f"{shown.picture.title}{f', {looking.seen_by(reel, eyes)}' * several}")
        yield from columns([(heading, said) for heading, said in shown.picture.words], indent=2)


def _told(seen: Seen) -> Iterator[str]:
    from pbem.reports.text.beats import outcome, small_print

    lines = [(f"{role} ", line) for role, some in seen.lines.items() for line in some]
    for whose, told in (*(("", told) for told in seen.told), *lines):
        yield from columns([(f"{whose}{outcome(told)}",)], indent=2)
        for note in told.notes:
            yield from map(common.quiet, columns([(small_print(note),)], indent=6))
