"""Every conformance case of the Kriegsspiel holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from pbem.suite.cases import Cases


class TestCases(Cases):
    system = "kriegsspiel"
