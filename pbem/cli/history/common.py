"""What the commands of a history share: which part of it is asked for."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.gm.history import Entry

EYES = click.option(
    "--as", "eyes", multiple=True, metavar="ROLE", help="Only what this role knows; truth, and more than one, go too."
)
ROLE = click.option("--as", "role", help="Only what this role knows, numbered by its own count.")
TURN = click.option("--turn", help="Only of this turn, like 4, this exchange, like 4B, or from one to another: 3-5.")
AT = click.option("--at", metavar="TURN", help="As it stood when that was resolved, like 4B; S0 is before all.")
SEQ = click.option("--seq", type=click.IntRange(min=1), help="As it stood after this event.")


def columns(rows: Sequence[tuple[str, ...]], *, indent: int = 0) -> Iterator[str]:
    """Rows in columns, the last of them text: wrapped on a terminal, and elsewhere each one line, uncut."""
    widths = [max((len(row[place]) for row in rows), default=0) for place in range(len(rows[0]) - 1)] if rows else []
    room = common.width() if sys.stdout.isatty() else 0
    for row in rows:
        head = "".join(f"{cell.ljust(wide)}  " for cell, wide in zip(row, widths, strict=False))
        hang = indent + len(head)
        if not room:
            yield f"{' ' * indent}{head}{row[-1]}"
            continue
        wide = max(room - hang, 24)
        first, *rest = textwrap.wrap(row[-1], wide, break_on_hyphens=False) or [""]
        yield "\n".join([f"{' ' * indent}{common.quiet(head)}{first}", *(f"{' ' * hang}{one}" for one in rest)])


def paged(lines: Iterable[str]) -> None:
    """Print *lines*: on a terminal in a pager, as long as they do not fit into it."""
    if not sys.stdout.isatty():
        for line in lines:
            click.echo(line)
        return
    said = "\n".join(lines)
    if said.count("\n") < shutil.get_terminal_size().lines - 1:
        click.echo(said)
    else:
        click.echo_via_pager(f"{said}\n", color=common.coloured())


def entries(campaign: str, role: str | None, turn: str | None, at: str | None, seq: int | None) -> list[Entry]:
    from pbem.desk.gm import history as past

    with common.the_office() as office:
        moment = past.moment_of(office, campaign, at) if at else None
        found: list[Entry] = past.entries(office, campaign, role=role, at=moment, upto=seq)
    return [one for one in found if past.is_of(one, turn)] if turn else found


def plain(one: Entry, role: str | None) -> dict[str, Any]:
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


def hung(lead: str, text: str) -> Iterator[str]:
    """A text behind *lead*, whose further lines stand under its first, as wide as the terminal lets it."""
    room = min(common.width(), common.WIDTH)
    for line in filter(str.strip, text.splitlines()):
        under = " " * len(lead)
        yield from textwrap.wrap(
            line, room, initial_indent=lead, subsequent_indent=under, break_long_words=False, break_on_hyphens=False
        )
        lead = under
