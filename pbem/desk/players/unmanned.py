"""Roles without a player that the rules of the game lead: they are left to them, and taken from them, by a ruling."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.desk.books.led_by_rules import directive
from pbem.desk.gm.ruling import ruled
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry
from pbem.desk.worlds.worlds import as_written, world_at
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import RulingMade
from pbem.orders.sheet import Line
from pbem.storage.database import Connection

NOBODY = "Nobody plays it: the rules of the game lead it."
SOMEBODY = "It is played from now on."


def leave(office: Office, connection: Connection, entry: Entry, at: Moment, roles: Sequence[Role]) -> None:
    """Before play opens: the rules lead *roles*."""
    if not roles:
        return
    dossier = entry.dossier
    said = directive(dossier, *roles, played=False)
    before = world_at(office, connection, dossier)
    reading = dossier.system.direct(dossier.scene, before, [Line(1, said)], {})
    assert not reading.complaints, reading.complaints
    facts = as_written(dossier.system, reading.items)
    made = RulingMade(directives=(said,), reason=NOBODY, known={}, forced={}, facts=len(facts))
    entry.add(at, made, *facts)


def change(office: Office, connection: Connection, entry: Entry, role: Role, *, played: bool) -> bool:
    """In the course of play: the rules lead *role* from now on, or a player does; gives whether it can be so."""
    dossier = entry.dossier
    text = directive(dossier, role, played=played)
    if not text or not dossier.campaign.started or dossier.campaign.ended:
        return False
    try:
        ruled(office, connection, entry, [text], SOMEBODY if played else NOBODY)
    except Refused:
        return False  # he is played by another way: taken, or gone on as somebody else
    return True
