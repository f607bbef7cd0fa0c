"""The stored campaigns: whatever becomes of the code, they are taken in, fold to their states, and resolve again."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.proof.transfer import take_in
from pbem.desk.proof.verify import verify
from pbem.rules.registry import BUILT_IN
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


def test_a_stored_campaign_resolves_again_to_the_byte(office: Office, plan: Plan) -> None:
    verified = verify(office, plan.campaign)
    said = {row.name: row for row in verified.rows}

    assert verified.first is None
    assert not said["resolve again"].skipped
    assert "earlier rules" not in said["resolve again"].what
    assert "without seeds" not in said["resolve again"].what


def test_each_system_has_one() -> None:
    assert PLANS.keys() == BUILT_IN.keys()
