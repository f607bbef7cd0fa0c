"""The stored campaigns: whatever becomes of the code, they are taken in, fold to their states, and resolve again."""

from __future__ import annotations

from pbem.desk.office.office import Office
from pbem.desk.proof.verify import verify
from pbem.rules.registry import BUILT_IN
from tests.stored.make import PLANS, Plan


def test_a_stored_campaign_resolves_again_to_the_byte(office: Office, plan: Plan) -> None:
    verified = verify(office, plan.campaign)
    said = {row.name: row for row in verified.rows}

    assert verified.first is None
    assert not said["resolve again"].skipped
    assert "earlier rules" not in said["resolve again"].what
    assert "without seeds" not in said["resolve again"].what


def test_each_system_has_one() -> None:
    assert PLANS.keys() == BUILT_IN.keys()
