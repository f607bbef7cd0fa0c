"""An office with a stored campaign in it."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.proof.transfer import take_in
from tests.stored.make import PLANS, Plan


@pytest.fixture(params=list(PLANS.values()), ids=list(PLANS))
def plan(request: pytest.FixtureRequest) -> Plan:
    found: Plan = request.param
    return found


@pytest.fixture
def office(plan: Plan, tmp_path: Path) -> Iterator[Office]:
    make_office(tmp_path / "office", 'address = "office@office.example"\n')
    with open_office(tmp_path / "office", mails=False) as opened:
        take_in(opened, BytesIO(lzma.decompress(plan.path.read_bytes())), plan.path.name)
        yield opened
