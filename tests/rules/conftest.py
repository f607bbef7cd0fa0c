"""The toy as an installed system."""

from __future__ import annotations

import pytest

from pbem.rules import registry
from pbem.rules.contract import AnySystem
from tests.systems.play import SIXTH


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> AnySystem:
    """The toy, found by its entry point."""
    monkeypatch.syspath_prepend(str(SIXTH))
    return registry.load("toy")
