from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit import demos
from tests.kit.demos import copy_of
from tests.kit.room import Room, open_room

GAME = "stprivat-demo"
FRENCH, PRUSSIAN = "canrobert@player.example", "friedrich@player.example"
GM = "office@demo.example"


@pytest.fixture(scope="session")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The office of the demonstration of st-privat, as it was left; nobody writes into it."""
    return demos.played(tmp_path_factory, "st-privat")[1]


@pytest.fixture(scope="module")
def quiet(left: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A reading room for the tests of one file, which all read in it."""
    with open_room(copy_of(left, tmp_path_factory.mktemp("room") / "office")) as room:
        yield room


@pytest.fixture
def room(left: Path, tmp_path: Path) -> Iterator[Room]:
    """A reading room of a test's own."""
    with open_room(copy_of(left, tmp_path / "office")) as room:
        yield room
