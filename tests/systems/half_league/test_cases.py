"""Every conformance case of Half a League holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from tests.systems.cases import Cases


class TestCases(Cases):
    system = "half-league"
