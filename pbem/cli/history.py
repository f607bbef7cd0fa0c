"""`pbem history`: what came to pass, for the GM or as one role knows it, at any moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.gm.history import Entry, Standing

ROLE = click.option("--as", "role", help="Only what this role knows, numbered by its own count.")
TURN = click.option("--turn", help="Only of this turn, like 4, or of this exchange, like 4B.")
AT = click.option("--at", metavar="TURN", help="As it stood when that was resolved, like 4B; S0 is before all.")
SEQ = click.option("--seq", type=click.IntRange(min=1), help="As it stood after this event.")


@click.group(cls=Group)
def history() -> None:
    """Look at what came to pass, at any moment, through anyone's eyes."""


@history.command()
@click.argument("campaign")
@ROLE
@TURN
@AT
@SEQ
@common.json_option
def log(campaign: str, role: str | None, turn: str | None, at: str | None, seq: int | None, as_json: bool) -> None:
    """List what came to pass, one line an event, cut off where it is too long.

    All of an event: `pbem history show`; of all events: --json.

    \b
    Example:
      pbem history log stprivat-autumn --turn 4 --as french
    """
    from pbem.reports.text.times import in_seconds

    found = _entries(campaign, role, turn, at, seq)
    if as_json:
        common.print_json([_plain(one, role) for one in found])
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


@history.command()
@click.argument("campaign")
@click.argument("seq", type=int)
@common.json_option
def show(campaign: str, seq: int, as_json: bool) -> None:
    """Show event SEQ whole, every column of the log.

    \b
    Example:
      pbem history show stprivat-autumn 392
    """
    from pbem.desk.gm import history as past
    from pbem.reports.text.times import in_seconds

    with common.the_office() as office:
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


@history.command()
@click.argument("campaign")
@ROLE
@AT
@SEQ
@common.json_option
def replay(campaign: str, role: str | None, at: str | None, seq: int | None, as_json: bool) -> None:
    """Show the field as it stood at a moment: the truth, or what a role knew.

    \b
    Example:
      pbem history replay stprivat-autumn --at 4B --as french
    """
    from pbem.desk.books import shown
    from pbem.desk.gm import history as past

    with common.the_office() as office:
        moment = past.moment_of(office, campaign, at) if at else None
        found: Standing = past.replay(office, campaign, role=role, at=moment, upto=seq)
    if as_json:
        common.print_json(
            {
                "seq": found.seq or None,
                "turn": str(found.moment),
                "at": common.iso(found.at),
                "digest": found.digest or None,
                "state": shown.plain(found.state),
            }
        )
        return
    whose = f"as known to {role}" if role else f"after event {found.seq}"
    click.echo(common.strong(f"{campaign}, {found.moment}, {whose}"))
    if found.digest:
        click.echo(common.quiet(f"state {found.digest}"))
    click.echo()
    common.table(("What", "Is"), found.values.items())


@history.command()
@click.argument("campaign")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@ROLE
@TURN
@AT
def export(campaign: str, file: Path, role: str | None, turn: str | None, at: str | None) -> None:
    """Write what came to pass into FILE, one event a line, as JSON; - is standard output.

    \b
    Example:
      pbem history export stprivat-autumn french.jsonl --as french
    """
    found = _entries(campaign, role, turn, at, None)
    lines = (json.dumps(_plain(one, role), ensure_ascii=False) + "\n" for one in found)
    common.write_output(file, (line.encode() for line in lines))
    click.echo(f"{common.plural(len(found), 'event')} in {file}.", err=str(file) == "-")


def _entries(campaign: str, role: str | None, turn: str | None, at: str | None, seq: int | None) -> list[Entry]:
    from pbem.desk.gm import history as past
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        moment = past.moment_of(office, campaign, at) if at else None
        found: list[Entry] = past.entries(office, campaign, role=role, at=moment, upto=seq)
    from pbem.kernel.numbers import whole

    number = whole(turn) if turn else None
    if number is not None:
        found = [one for one in found if one.moment.turn == number]
    elif turn:
        wanted = Moment.parse(turn)
        found = [one for one in found if one.moment == wanted]
    return found


def _what(one: Entry) -> str:
    return one.what if one.valid else f"(annulled) {one.what}"


def _plain(one: Entry, role: str | None) -> dict[str, Any]:
    from pbem.desk.books import shown

    known = {"number" if role else "seq": one.number}
    return {
        **known,
        "at": common.iso(one.at),
        "turn": str(one.moment),
        "kind": one.kind,
        "what": one.what,
        "annulled": not one.valid,
        "event": shown.plain(one.event),
    }
