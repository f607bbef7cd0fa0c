"""The toy is installed for all tests of systems."""

from __future__ import annotations

import pytest

from tests.systems.play import SIXTH


@pytest.fixture(autouse=True)
def sixth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy's entry point on the path."""
    monkeypatch.syspath_prepend(str(SIXTH))
