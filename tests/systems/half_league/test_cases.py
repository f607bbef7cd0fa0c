"""Every conformance case of Half a League holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from pbem.suite.cases import Cases


class TestCases(Cases):
    system = "half-league"
