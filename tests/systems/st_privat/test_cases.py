"""Every conformance case of St. Privat holds, and together they prove every rule of the ledger."""

from __future__ import annotations

from tests.systems.cases import Cases, cases_of, played

__all__ = ["ALL", "TestCases", "played"]

ALL = tuple(cases_of("st-privat").values())


class TestCases(Cases):
    system = "st-privat"
