"""After an annulment: who plays which role stays as it is, and with it whom the rules of the game lead."""

from __future__ import annotations

from pbem.desk.books.led_by_rules import directive
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry
from pbem.desk.worlds.worlds import as_written, world_at
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import PlayerEnrolled, PlayerWithdrew, RulingMade
from pbem.orders.sheet import Line
from pbem.storage.database import Connection

WHY = "Who plays it has changed since what was annulled."


def see_led(office: Office, connection: Connection, entry: Entry, moment: Moment, since: int) -> None:
    """Enter anew what was ruled of roles that changed hands from event *since* on: those rulings were annulled."""
    own = (one for one in entry.dossier.own if one.seq >= since)
    for role in dict.fromkeys(one.event.role for one in own if isinstance(one.event, PlayerEnrolled | PlayerWithdrew)):
        _see(office, connection, entry, moment, role)


def _see(office: Office, connection: Connection, entry: Entry, moment: Moment, role: Role) -> None:
    dossier = entry.dossier
    said = directive(dossier, role, played=role in dossier.campaign.players)
    if not said:
        return
    before = world_at(office, connection, dossier)
    reading = dossier.system.direct(dossier.scene, before, [Line(1, said)], {})
    facts = as_written(dossier.system, reading.items)
    if facts and not reading.complaints:  # else he is played by another way, or it is so already
        made = RulingMade(directives=(said,), reason=WHY, known={}, forced={}, facts=len(facts))
        entry.add(moment, made, *facts)
