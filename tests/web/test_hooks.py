"""A player has a program of his told, by the page of his data."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.office.office import clock, make_office
from pbem.desk.post.hooks_due import tell_due
from tests.kit.room import Room, open_room, send
from tests.kit.told import Program, program
from tests.web.conftest import FRENCH
from tests.web.test_desk import PLAYERS, SETTINGS, Desk, begun


@pytest.fixture
def there() -> Iterator[Program]:
    with program() as it:
        yield it


@pytest.fixture
def club(tmp_path: Path, there: Program) -> Iterator[Room]:
    """An office that tells programs of its own machine."""
    web = f'[web]\nhooks_to = ["127.0.0.0/8", "::1/128"]\nhooks_authorities = "{there.authorities(tmp_path)}"\n'
    make_office(tmp_path / "office", SETTINGS + web)
    with open_room(tmp_path / "office", at=clock(), mails=True) as room:
        yield room


def test_it_is_given_told_and_ended(club: Room, there: Program) -> None:
    begun(Desk(club))
    player = club.visitor(PLAYERS["french"])
    made = send(player, "/me/hooks", page="/me", address=there.address, report="on", message="on")

    assert made.status_code == 200
    assert "whsec_" in made.text
    page = player.get("/me").text
    assert "whsec_" not in page
    assert "report, message" in page
    assert "waits to be told" in page
    assert len(tell_due(club.office).sent) == 1
    assert "test, " in player.get("/me").text
    assert len(there.posted) == 1

    other = club.visitor(PLAYERS["prussian"])
    assert there.address not in other.get("/me").text
    id = re.search(r'name="id" value="([a-z2-7]{16})"', page)
    assert id is not None
    assert send(other, "/me/hooks/end", page="/me", id=id[1]).status_code == 409
    assert send(player, "/me/hooks/end", page="/me", id=id[1]).status_code == 303
    assert there.address not in player.get("/me").text


@pytest.mark.parametrize(
    "address", ["http://bot.example/", "https://localhost/", "https://169.254.169.254/latest", "https://[::1]/", "x"]
)
def test_an_address_within_is_refused_in_words(quiet: Room, address: str) -> None:
    answer = send(quiet.visitor(FRENCH), "/me/hooks", page="/me", address=address, report="on")

    assert answer.status_code == 409
    assert "a program cannot be told at" in answer.text.lower()
    assert "No program is told" in quiet.visitor(FRENCH).get("/me").text


def test_whether_a_host_is_there_within_is_not_told(quiet: Room) -> None:
    said = []
    for host in (socket.gethostname(), "no-such-host.invalid"):
        answer = send(quiet.visitor(FRENCH), "/me/hooks", page="/me", address=f"https://{host}/", report="on")
        said.append(answer.text.replace(host, "HOST"))

    assert re.sub(r'value="[^"]*"', "", said[0]) == re.sub(r'value="[^"]*"', "", said[1])
