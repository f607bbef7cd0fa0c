"""A game of four in two sides, for what players write to each other."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake.fates import Received
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import enrol
from pbem.kernel.names import Role
from pbem.kernel.terms import Terms, changed
from pbem.storage.outbox import Mail
from tests.kit.table import Table

ALLIED, GUARDS, RUSSIAN, RIGHT = map(Role, ("allied", "allied.guards", "russian", "russian.right"))
ADDRESSES = {
    ALLIED: "ann@player.example",
    GUARDS: "bea@player.example",
    RUSSIAN: "cyn@player.example",
    RIGHT: "dan@player.example",
}


def begin(table: Table, **terms: object) -> Dossier:
    """Open the great redoubt, enrol all four, and start it."""
    table.name = "redoubt"
    scenario = find_scenario(table.office.folder, "half-league/great-redoubt")
    enrol.new(table.office, table.name, scenario, changed(Terms(trust="address"), terms))
    for role, address in ADDRESSES.items():
        enrol.add_player(table.office, table.name, role, name=role.title(), address=address)
    return enrol.start(table.office, table.name)


def write(table: Table, role: Role, text: str) -> Received:
    """A letter of *role* comes in."""
    return table.write(ADDRESSES[role], text)


def since(table: Table, before: int, role: Role) -> list[Mail]:
    """The mails to *role* after the first *before* of all."""
    who = table.dossier.campaign.players[role]
    return [mail for mail in table.mails[before:] if mail.player == who]
