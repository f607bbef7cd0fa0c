"""An office on disk for every test that asks for one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.storage import migrate
from pbem.storage.database import open_office, transaction
from pbem.storage.databases.connection import Connection, Engine
from tests.kit.facts import MIGRATIONS
from tests.kit.server import Server, drop


@pytest.fixture(autouse=True, scope="module")
def quick() -> None:
    """Here offices are made and kept as everywhere but in tests."""


@pytest.fixture(scope="session")
def empty_office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an office in which nothing has happened yet."""
    path = tmp_path_factory.mktemp("office") / "empty.db"
    migrate.upgrade(f"sqlite:///{path}", MIGRATIONS)
    return path


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path, empty_office: Path) -> Iterator[str]:
    """The url of an office of its own, in the database that the tests are run on."""
    if request.config.getoption("database") == "postgresql":
        postgres: Server = request.getfixturevalue("postgres")
        made = postgres.database(postgres.empty)
        yield made
        drop(made)
        return
    shutil.copy(empty_office, tmp_path / "office.db")
    yield f"sqlite:///{tmp_path / 'office.db'}"


@pytest.fixture
def office(url: str, tmp_path: Path) -> Iterator[Engine]:
    """That office, open."""
    engine = open_office(url, tmp_path)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(office: Engine) -> Iterator[Connection]:
    """A transaction in that office."""
    with transaction(office) as connection:
        yield connection
