"""Whole games that play themselves, as the suite does it."""

from __future__ import annotations

from pbem.suite.games import Fault, Plan, Played, plans, play

__all__ = ["Fault", "Plan", "Played", "plans", "play"]
