"""Offices for tests, in several states, as fixtures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.table import Table, again
from tests.kit.table import table as make
from tests.systems.play import SIXTH


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A new office, with the toy installed."""
    monkeypatch.syspath_prepend(str(SIXTH))
    with make(tmp_path / "office") as made:
        yield made


@pytest.fixture
def careful(table: Table) -> Table:
    """A campaign that believes no From by itself."""
    table.open(trust="table")
    return table


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Table, Table]]:
    """Two new offices that are alike to the last byte."""
    monkeypatch.syspath_prepend(str(SIXTH))
    with make(tmp_path / "one") as one, make(tmp_path / "other") as other:
        yield one, other


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """An office in which the campaign `ford` has begun, and how often chance was asked for it."""
    folder = tmp_path_factory.mktemp("begun") / "office"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        with make(folder) as made:
            made.open()
            return folder, made.chance.drawn


@pytest.fixture
def ford(begun: tuple[Path, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """An office in which the campaign `ford` has begun; letters are believed."""
    monkeypatch.syspath_prepend(str(SIXTH))
    folder, drawn = begun
    shutil.copytree(folder, tmp_path / "office")
    with again(tmp_path / "office", drawn) as made:
        yield made
