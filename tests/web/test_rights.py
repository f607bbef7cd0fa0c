"""Who may open what: every route of the table, with every kind of session, from its own words."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from pbem.web import guard
from pbem.web.rights import Route
from pbem.web.routes import ROUTES
from tests.kit.room import Room
from tests.web.conftest import FRENCH, GAME, GM, PRUSSIAN

FILLED = {
    "campaign": GAME,
    "role": "french",
    "moment": "3B",
    "number": "1",
    "secret": "nobody-has-this",
    "name": "graveyard",
    "id": "nothing",
    "system": "st-privat",
    "guide": "gm",
}
"""What stands for each named part of a path."""

VISITORS = ("a stranger", "the French", "the Prussian", "the umpire", "a program of the French")


def path_of(route: Route) -> str:
    return route.path.format(**FILLED)


@pytest.fixture(autouse=True, scope="module")
def unhurried() -> Iterator[None]:
    """All that is asked here comes from one place, and within a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "A_MINUTE", 100_000)
        yield


@pytest.fixture(scope="module")
def visitors(quiet: Room) -> dict[str, httpx.Client]:
    """One of each kind, signed in as he is."""
    return {
        "a stranger": quiet.stranger(),
        "the French": quiet.visitor(FRENCH),
        "the Prussian": quiet.visitor(PRUSSIAN),
        "the umpire": quiet.visitor(GM),
        "a program of the French": quiet.program(FRENCH),
    }


def opens(route: Route, visitor: str) -> bool:
    """Whether the table lets *visitor* in: said here once more, by hand, for the paths of `FILLED`."""
    if route.who == "anybody":
        return True
    if visitor == "a program of the French":
        return "program" in route.by
    if "program" in route.by:
        return False
    return {
        "the public": visitor != "a stranger",
        "somebody": visitor != "a stranger",
        "a player": visitor in ("the French", "the Prussian"),
        "the role": visitor == "the French",
        "who looks on": False,
        "a gm": visitor == "the umpire",
        "gm": visitor == "the umpire",
    }[route.who]


def turned_away(answer: httpx.Response) -> bool:
    """Whether nothing was shown: as of a page that there is not."""
    if answer.status_code == 303:
        return str(answer.headers["location"]) == "/sign-in" and answer.request.url.path != "/"
    return answer.status_code in (401, 404)


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_route_lets_in_whom_its_line_names_and_nobody_else(
    visitors: dict[str, httpx.Client], visitor: str
) -> None:
    wrong = []
    for route in ROUTES:
        # A form without its seal is refused, but to whom it is open it is refused in other words.
        answer = visitors[visitor].request(route.method, path_of(route))
        if turned_away(answer) and opens(route, visitor) and not _lacks(route):
            wrong.append(f"{route.method} {route.path} is shut to {visitor}: {answer.status_code}")
        if not turned_away(answer) and not opens(route, visitor):
            wrong.append(f"{route.method} {route.path} is open to {visitor}: {answer.status_code}")

    assert wrong == []


def _lacks(route: Route) -> bool:
    """Whether what the path of `FILLED` names is not there, so that nobody sees it."""
    return route.path in (
        "/calendar/{name}",
        "/feed/{name}",
        "/public/",
        "/public/{name}",
        "/public/{campaign}/{name}",
        "/sign-up/{campaign}",
        "/sign-up/{campaign}/code",
        "/games/{campaign}/{role}/receipts/{number}",
    )


def test_a_page_of_another_game_and_one_that_there_is_not_look_the_same(visitors: dict[str, httpx.Client]) -> None:
    other = visitors["the French"].get(f"/games/{GAME}/prussian/orders")
    none = visitors["the French"].get("/games/no-such-game/french/orders")

    assert (other.status_code, other.text) == (none.status_code, none.text)


def test_a_program_that_may_read_may_not_order(quiet: Room) -> None:
    reads = quiet.program(FRENCH, scope="read")

    assert reads.get("/api/v1/games").status_code == 200
    assert reads.post(f"/api/v1/games/{GAME}/french/read", json={"sheet": "hold all"}).status_code == 200
    assert reads.post(f"/api/v1/games/{GAME}/french/orders", json={"sheet": "hold all"}).status_code == 404


def test_every_route_that_changes_something_is_of_post() -> None:
    assert {route.method for route in ROUTES if "/do/" in route.path} == {"POST"}
    assert [route.path for route in ROUTES if not route.safe and "program" not in route.by] == []
