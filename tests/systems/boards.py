"""The boards of all systems: those whose games are played to their end, and those that are too long for it."""

from __future__ import annotations

import pytest

from pbem.suite.boards import boards, together
from tests.systems.play import SYSTEMS

LARGE = boards(SYSTEMS, large=True)
"""What a system's `LARGE` names: `make soak` plays them to their end."""

BOARDS = boards(SYSTEMS)

every_system = pytest.mark.parametrize("name", [pytest.param(name, marks=together(name)) for name in SYSTEMS])
