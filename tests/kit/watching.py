"""Time passes under the eyes of the office, or behind its back."""

from __future__ import annotations

from pbem.desk.house.clock import tick
from pbem.desk.office.office import HOUR, SECOND
from tests.kit.table import Table

MINUTE = 60 * SECOND


def look(table: Table) -> list[str]:
    """Look at the clock once; gives what was done, but for its word that time had passed unseen."""
    told = [f"{did.campaign}: {did.what}" if did.campaign else did.what for did in tick(table.office)]
    return [one for one in told if not one.startswith("nothing was seen")]


def stay(table: Table, until: int) -> list[str]:
    """Let the time pass until then, looking at the clock each quarter of the hour before it, and once at the end."""
    done = []
    table.clock.at = max(table.clock.at, until - 3 * HOUR)
    while table.clock.at < until:
        done += look(table)
        table.clock.at = min(table.clock.at + 15 * MINUTE, until)
    return done + look(table)
