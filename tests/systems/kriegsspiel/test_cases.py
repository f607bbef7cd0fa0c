"""Every conformance case of the Kriegsspiel holds, and together they prove every rule of the ledger."""

from __future__ import annotations

import pytest

from pbem.suite.cases import Cases

pytestmark = pytest.mark.xdist_group("kriegsspiel-cases")


class TestCases(Cases):
    system = "kriegsspiel"
