"""What the commands of a history share: which part of it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.gm.history import Entry

ROLE = click.option("--as", "role", help="Only what this role knows, numbered by its own count.")
TURN = click.option("--turn", help="Only of this turn, like 4, or of this exchange, like 4B.")
AT = click.option("--at", metavar="TURN", help="As it stood when that was resolved, like 4B; S0 is before all.")
SEQ = click.option("--seq", type=click.IntRange(min=1), help="As it stood after this event.")


def entries(campaign: str, role: str | None, turn: str | None, at: str | None, seq: int | None) -> list[Entry]:
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
