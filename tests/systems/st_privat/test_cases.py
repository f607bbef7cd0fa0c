"""Every conformance case of St. Privat holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from tests.systems.cases import Cases


class TestCases(Cases):
    system = "st-privat"
