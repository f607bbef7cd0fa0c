"""The stored campaigns: whatever becomes of the code, they are taken in, play on, and resolve again to the byte."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.office import ExchangeResolved
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN
from tests.stored.make import PLANS, Plan


def opened(office: Office, plan: Plan) -> Dossier:
    with office.read() as connection:
        return dossiers.load(office, connection, plan.campaign)


def pinned(dossier: Dossier) -> str:
    rules = dossier.campaign.rules
    assert rules is not None
    return rules.content


def resolved(dossier: Dossier) -> int:
    return sum(isinstance(one.event, ExchangeResolved) for one in dossier.own)


def test_a_stored_campaign_plays_on_without_an_upgrade_and_resolves_again_to_the_byte(
    office: Office, plan: Plan
) -> None:
    """What is verified is all that was stored and the exchange after it: once is enough for both."""
    before = opened(office, plan)
    # The rules that are continued are those of stored campaigns, and no others.
    assert {pinned(before)} == registry.continued(before.system)
    assert before.campaign.exchange is not None

    while adjudicate.run(office, plan.campaign, early=True, defaults=True).halt:
        pass
    publish.release(office, plan.campaign, early=True)
    after = opened(office, plan)
    verified = verify(office, plan.campaign)
    said = {row.name: row for row in verified.rows}

    assert pinned(after) == pinned(before)
    assert after.campaign.now != before.campaign.now
    assert resolved(after) == resolved(before) + 1 == plan.exchanges + 1
    assert verified.first is None
    assert not said["resolve again"].skipped
    assert "earlier rules" not in said["resolve again"].what
    assert "without seeds" not in said["resolve again"].what


def test_each_system_has_one() -> None:
    assert PLANS.keys() == BUILT_IN.keys()
