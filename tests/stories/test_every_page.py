"""Every route in every state of a game, for everybody who may come to it: whatever is asked, nothing goes wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol, observers
from pbem.desk.turns import adjudicate, exchange, pausing
from pbem.kernel.terms import Terms
from pbem.storage import players
from pbem.web import guard
from pbem.web.rights import Route
from pbem.web.routes import ROUTES
from tests.kit.room import Room, open_room, seal_of
from tests.kit.table import PLAYERS, START, Table
from tests.kit.watching import MINUTE, stay
from tests.stories.test_standing_in import ANN, EVE, stands_in

OLGA = "olga@player.example"
DUE = START + 72 * HOUR


def enrolling(table: Table) -> None:
    """Nobody has begun it."""
    scenario = find_scenario(table.office.folder, "toy/ford")
    enrol.new(table.office, table.name, scenario, Terms(trust="address"))
    for role, address in PLAYERS.items():
        enrol.add_player(table.office, table.name, role, name=role.title(), address=address)


def begun(table: Table) -> None:
    """Somebody stands in for the smuggler, somebody looks on, and there are orders, letters, notes and votes."""
    table.open(release="gm", observers="guard")
    _company(table)


def _company(table: Table) -> None:
    stands_in(table, "proxy eve@player.example")
    observers.admit(table.office, table.name, name="Olga", address=OLGA)
    table.write(
        "smuggler", "note to self: The willows.\nletter to guard: A truce?\nwait on\nmove s1 to 3\nmove s9 to 3"
    )
    table.write("guard", "umpire: May I?\nwatch g9 4")
    table.write("guard", "propose draw: we are even")


def paused(table: Table) -> None:
    """It stands still."""
    begun(table)
    pausing.pause(table.office, table.name, "Christmas.")


def halted(table: Table) -> None:
    """A private halt is reached, and nobody has been asked yet."""
    table.open(options={"alarm": "step"}, release="auto", observers="guard")
    _company(table)
    table.write("guard", "watch g1 3")
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    stay(table, DUE + MINUTE)
    assert table.dossier.exchange().state == "halted"


def asked(table: Table) -> None:
    """Somebody was asked at it."""
    halted(table)
    stay(table, DUE + 6 * HOUR)
    assert table.dossier.exchange().halts[-1].asked


def resolved(table: Table) -> None:
    """It waits for its release."""
    begun(table)
    adjudicate.run(table.office, table.name, early=True)
    assert table.dossier.exchange().state == "resolved"


def released(table: Table) -> None:
    """The next is open."""
    begun(table)
    table.turn()


def annulled(table: Table) -> None:
    """It takes no more orders."""
    released(table)
    exchange.annul(table.office, table.name, None, "A cart was misplaced.")


def reopened(table: Table) -> None:
    """It is open again."""
    released(table)
    exchange.annul(table.office, table.name, None, "A cart was misplaced.", reopen=True)


def unmanned(table: Table) -> None:
    """Nobody plays the smuggler any more but who stands in for him."""
    released(table)
    table.write("smuggler", "resign ford")


def ended(table: Table) -> None:
    """It is over."""
    released(table)
    enrol.end(table.office, table.name, "The club has closed.")


WALKED = [one for one in ROUTES if one.method == "GET" or not re.match("/sign-|/me/end", one.path)]
"""Who guesses at a door is let in nowhere for a while, and who goes out is out."""

STATES = (enrolling, begun, paused, halted, asked, resolved, released, annulled, reopened, unmanned, ended)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_no_page_and_no_form_is_at_fault(
    table: Table, state: Callable[[Table], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "A_MINUTE", 100_000)
    state(table)
    with open_room(table.office.folder, at=table.clock.at + MINUTE) as room:
        everybody = visitors(room, table)
        seals = {who: seal(who) for who in everybody}
        for route in sorted(WALKED, key=lambda one: one.method):
            for who in everybody:
                for path in paths(route, table):
                    asks(table, who, seals[who], route, path)
        assert [line for line in room.log if line.startswith("fault") or re.search(r" 500 \d+ ms", line)] == []
        assert sum(bool(re.search(r" 200 \d+ ms", line)) for line in room.log) > 60, "they do come to pages"


def visitors(room: Room, table: Table) -> list[httpx.Client]:
    known = {ANN: "order", EVE: "read"}
    with room.office.read() as connection:
        there = {one.address for one in players.listing(connection)}
    people = [room.visitor(who) for who in (*PLAYERS.values(), EVE, OLGA) if who in there]
    programs = [room.program(who, scope) for who, scope in known.items() if who in there]
    return [room.stranger(), *people, room.visitor(table.office.gm), *programs]


def seal(who: httpx.Client) -> str:
    """What his forms bear, if he has any."""
    pages = [page.text for page in (who.get("/me"), who.get("/desk")) if page.status_code == 200]
    return seal_of(pages[0]) if pages and "authorization" not in who.headers else ""


def paths(route: Route, table: Table) -> list[str]:
    """The paths of a route, in the game at hand: of each moment, if it names one."""
    filled = {
        "campaign": table.name,
        "role": "smuggler",
        "number": "1",
        "secret": "nobody-has-this",
        "name": "ford",
        "id": "nothing",
        "system": "toy",
        "guide": "gm",
    }
    moments = ("1A", "1B", "1.1", "1+", "9Z", "soon") if "{moment}" in route.path else ("",)
    return [route.path.format(moment=moment, **filled) for moment in moments]


FORM = {
    "do": "send",
    "sheet": "move s1 to 3",
    "turn": "1A",
    "text": "So.",
    "reason": "So.",
    "early": "on",
    "role": "guard",
    "name": "Cora",
    "address": "cora@player.example",
    "zone": "UTC",
    "who": "Olga",
    "hours": "24",
    "since": "2026-12-01",
    "until": "2026-12-05",
    "term": "hours",
    "value": "48",
    "sure": "ford",
    "key": "V1",
    "what": "pause",
    "to": "guard",
    "language": "de",
}
"""What stands in the fields of whatever form."""


def asks(table: Table, who: httpx.Client, seal: str, route: Route, path: str) -> httpx.Response:
    if route.method == "GET":
        return who.get(path)
    if "authorization" in who.headers:
        return who.post(path, json={"sheet": "move s1 to 3", "text": "So."})
    return who.post(path, data={**FORM, "seal": seal, "seq": str(table.dossier.seq)})
