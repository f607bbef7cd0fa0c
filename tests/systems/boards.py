"""The boards of all systems: those whose games are played to their end, and those that are too long for it."""

from __future__ import annotations

from tests.systems.play import SYSTEMS, scenarios
from tests.systems.secret import plug

LARGE = tuple((system, scenario) for system in SYSTEMS for scenario in getattr(plug(system), "LARGE", ()))
"""What a system's `LARGE` names: `make soak` plays them to their end."""

BOARDS = tuple(
    board for system in SYSTEMS for scenario in scenarios(system) if (board := (system, scenario)) not in LARGE
)
