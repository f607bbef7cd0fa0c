"""Several who run games, each with his rights: what is open to whom, who stands in the log, who is out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from pbem.desk.access.people import Right
from pbem.desk.books.dossiers import load
from pbem.kernel.names import Role
from pbem.web.rights import Route
from pbem.web.routes import ROUTES
from tests.kit.demos import copy_of
from tests.kit.room import Room, open_room, seal_of
from tests.web.conftest import FRENCH, GAME
from tests.web.test_rights import path_of, turned_away

ALL = frozenset[Right](("look", "run", "rule", "people", "post"))
GMS = f"""
[[gm]]
name = "Anna"
address = "anna@gm.example"

[[gm]]
name = "Bert"
address = "bert@gm.example"
rights = "run"

[[gm]]
name = "Cleo"
address = "cleo@gm.example"
rights = "read"

[[gm]]
name = "Dora"
address = "dora@gm.example"
rights = {{ elsewhere = "all" }}

[[gm]]
name = "Emil"
address = "emil@gm.example"
rights = {{ {GAME} = "run" }}

[[gm]]
name = "Canrobert"
address = "{FRENCH}"
"""

MAY: Mapping[str, tuple[frozenset[Right], frozenset[Right]]] = {
    "anna@gm.example": (ALL, ALL),
    "bert@gm.example": (frozenset(("look", "run", "post")), frozenset(("look", "run", "post"))),
    "cleo@gm.example": (frozenset(("look",)), frozenset(("look",))),
    "dora@gm.example": (frozenset(), frozenset()),
    "emil@gm.example": (frozenset(("look", "run", "post")), frozenset()),
    FRENCH: (frozenset(), frozenset(("look",))),
}
"""What each may do in the game, and in what is the office's: said here once more, by hand."""


def kept_by(folder: Path, gms: str) -> None:
    """Have games run by *gms* from now on."""
    settings = folder / "pbem.toml"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("gm =")]
    settings.write_text("\n".join(lines).partition("[[gm]]")[0] + gms)


@pytest.fixture(scope="module")
def shared(left: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A room in which all of them run games."""
    folder = copy_of(left, tmp_path_factory.mktemp("gms") / "office")
    kept_by(folder, GMS)
    with open_room(folder) as room:
        yield room


def opens(route: Route, address: str) -> bool:
    game, whole = MAY[address]
    return route.right in (game if "{campaign}" in route.path else whole)


@pytest.mark.parametrize("address", MAY)
def test_every_page_of_the_desk_is_open_to_whom_his_rights_name(shared: Room, address: str) -> None:
    visitor, wrong = shared.visitor(address), []
    for route in ROUTES:
        if route.who == "gm":
            shut = turned_away(visitor.request(route.method, path_of(route)))
            if shut is opens(route, address):
                wrong.append(f"{route.method} {route.path} is {'shut' if shut else 'open'}")

    assert wrong == []
    assert visitor.get("/desk").status_code == 200


@pytest.mark.parametrize("address", MAY)
def test_a_desk_shows_the_games_at_which_one_may_look(shared: Room, address: str) -> None:
    game, _ = MAY[address]
    for page in ("/desk", "/desk/campaigns"):
        assert (f"/desk/games/{GAME}" in shared.visitor(address).get(page).text) is ("look" in game)


def pause(browser: httpx.Client, reason: str) -> httpx.Response:
    page = browser.get(f"/desk/games/{GAME}")
    return browser.post(
        f"/desk/games/{GAME}/do/pause", data={"seal": seal_of(page.text), "once": reason, "reason": reason}
    )


def test_the_log_says_which_of_them_it_was(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    assert pause(room.visitor("bert@gm.example"), "Christmas.").status_code == 303

    with room.office.read() as connection:
        last = load(room.office, connection, GAME).own[-1]
    assert last.actor == "gm/Bert"


def test_who_runs_games_no_more_is_out_at_once(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    bert = room.visitor("bert@gm.example")
    assert bert.get(f"/desk/games/{GAME}").status_code == 200

    kept_by(room.office.folder, GMS.replace('"bert@gm.example"', '"karl@gm.example"'))
    assert turned_away(bert.get(f"/desk/games/{GAME}"))
    assert turned_away(bert.get("/desk"))


def test_who_has_a_side_has_his_rights_again_when_the_game_is_over(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    french, anna = room.visitor(FRENCH), room.visitor("anna@gm.example")
    assert turned_away(french.get(f"/desk/games/{GAME}/truth"))

    page = anna.get(f"/desk/games/{GAME}").text
    fields = {"seal": seal_of(page), "once": "end", "reason": "It is late.", "sure": GAME, "seq": str(seq(room))}
    assert anna.post(f"/desk/games/{GAME}/do/end", data=fields).status_code == 303
    assert french.get(f"/desk/games/{GAME}/truth").status_code == 200


def test_who_has_a_side_makes_no_way_in_for_his_enemy(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    french = room.visitor(FRENCH)
    with room.office.read() as connection:
        enemy = load(room.office, connection, GAME).campaign.players[Role("prussian")]
    seal = seal_of(french.get("/desk").text)

    for deed in ("link", "rekey", "add-address"):
        fields = {"seal": seal, "once": deed, "who": enemy, "address": "canrobert@elsewhere.example"}
        assert turned_away(french.post(f"/desk/do/{deed}", data=fields))


def seq(room: Room) -> int:
    with room.office.read() as connection:
        return load(room.office, connection, GAME).seq


@pytest.mark.parametrize("address", MAY)
def test_a_desk_has_no_form_that_one_may_not_send(shared: Room, address: str) -> None:
    visitor, (game, whole) = shared.visitor(address), MAY[address]
    pages = [
        "/desk",
        "/desk/people",
        "/desk/post",
        "/desk/campaigns",
        f"/desk/games/{GAME}",
        f"/desk/games/{GAME}/players",
    ]
    offered = set(re.findall(r'action="([^"]*/do/[^"]*)"', "".join(visitor.get(page).text for page in pages)))
    may = {
        path_of(route)
        for route in ROUTES
        if route.who == "gm" and route.right in (game if "{campaign}" in route.path else whole)
    }
    assert offered <= may
    assert bool(offered) is bool((game | whole) - {"look"})


def test_who_runs_games_is_said_and_changed_on_the_page_of_people(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    anna = room.visitor("anna@gm.example")

    def does(deed: str, **fields: str) -> int:
        sent = {"seal": seal_of(anna.get("/desk/people").text), "once": deed + fields.get("games", ""), **fields}
        return anna.post(f"/desk/do/{deed}", data=sent).status_code

    assert "run in" in anna.get("/desk/people").text
    new = {"name": "Fritz", "address": "fritz@gm.example", "rights": "run", "games": GAME}
    assert does("add-gm", **new) == 303
    assert opens_game(room, "fritz@gm.example")
    assert does("renew-gm", who="fritz@gm.example") == 303
    assert "epoch = 2" in (room.office.folder / "pbem.toml").read_text()
    assert does("remove-gm", who="fritz@gm.example") == 303
    assert "fritz@gm.example" not in anna.get("/desk/people").text
    assert does("add-gm", **{**new, "games": "nowhere"}) != 303


def opens_game(room: Room, address: str) -> bool:
    return room.visitor(address).get(f"/desk/games/{GAME}").status_code == 200
