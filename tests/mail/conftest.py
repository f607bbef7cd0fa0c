"""Servers and an office on disk for the tests that ask for them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.resources import resources
from pbem.storage import migrate
from tests.kit.dovecot import Dovecot, dovecot
from tests.kit.forks import Forks
from tests.kit.keeper import Keeper


@pytest.fixture(scope="session")
def imap_server() -> Iterator[Dovecot]:
    """A Dovecot; each test takes an account of its own, whatever its name."""
    with dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def empty_office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an office into which nothing has come yet."""
    path = tmp_path_factory.mktemp("office") / "empty.db"
    migrate.upgrade(f"sqlite:///{path}", resources("migrations"))
    return path


@pytest.fixture(scope="session")
def forks() -> Forks:
    """Whoever starts processes that are to be killed."""
    return Forks("tests.mail.doors.test_imap", "tests.mail.doors.test_serve", "sqlalchemy.dialects.sqlite")


@pytest.fixture
def keeper(tmp_path: Path, empty_office: Path) -> Iterator[Keeper]:
    """Whoever keeps the letters of an office."""
    shutil.copy(empty_office, tmp_path / "office.db")
    with Keeper(f"sqlite:///{tmp_path / 'office.db'}") as keeper:
        yield keeper
