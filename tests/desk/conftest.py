from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.table import Table
from tests.desk.table import table as make
from tests.systems.play import SIXTH


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A new office, with the toy installed."""
    monkeypatch.syspath_prepend(str(SIXTH))
    with make(tmp_path / "office") as made:
        yield made
