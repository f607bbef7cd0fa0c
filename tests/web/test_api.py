"""The endpoints for programs, tried by a program that takes the document at its word, and does what it does not say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.kit.room import Room
from tests.web.conftest import FRENCH, GAME

HOME = f"/api/v1/games/{GAME}/french"


@pytest.fixture
def program(room: Room) -> httpx.Client:
    return room.program(FRENCH)


def test_every_endpoint_keeps_to_the_document(room: Room, program: httpx.Client, tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{room.address}/api/v1/openapi.json",
        "--header",
        f"Authorization: {program.headers['authorization']}",
        "--max-examples=12",
        "--seed=1",
        "--workers=1",
        "--no-color",
    ]
    tried = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert tried.returncode == 0, tried.stdout[-6000:]
    assert not [line for line in room.log if line.startswith("fault")]


def test_what_a_program_reads_is_what_the_page_shows(program: httpx.Client) -> None:
    [game] = program.get("/api/v1/games").json()
    asked = program.get(HOME).json()
    turns = program.get(f"{HOME}/turns").json()
    report = program.get(f"{HOME}/turns/{turns[-1]['turn']}").json()

    assert (game["state"], game["turn"], asked["turn"]) == ("due", "4A", "4A")
    assert report["role"] == "french"
    assert report["view"]["happened"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", game["due"])


def test_a_program_orders_and_takes_it_back(program: httpx.Client) -> None:
    sent = program.post(f"{HOME}/orders", json={"sheet": "hold fc1-4", "once": "1"}).json()
    again = program.post(f"{HOME}/orders", json={"sheet": "hold fc1-4", "once": "1"}).json()
    stands = program.get(HOME).json()["stands"]
    program.post(f"{HOME}/withdraw")

    assert (sent["state"], sent["again"], again["again"], again["letter"]) == ("applied", False, True, sent["letter"])
    assert "hold fc1-4" in stands
    assert program.get(HOME).json()["stands"] == ""


def test_a_fault_says_what_is_wrong(program: httpx.Client) -> None:
    answers = (
        program.post(f"{HOME}/read", content=b"{"),
        program.post(f"{HOME}/orders", json={"sheet": " "}),
        program.get("/api/v1/nothing"),
        program.post("/api/v1/me"),
    )

    assert [one.status_code for one in answers] == [422, 409, 404, 405]
    assert all(one.json()["error"] for one in answers)
    assert "sheet" in program.post(f"{HOME}/read", json={}).json()["error"]


def test_without_a_token_it_is_asked_for(room: Room) -> None:
    answer = room.stranger().get("/api/v1/me")

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_session_of_a_browser_opens_no_endpoint(room: Room) -> None:
    assert room.visitor(FRENCH).get("/api/v1/me").status_code == 401
