"""Rules that are continued: each has a stored campaign, which is decided again to the byte and plays on."""

from __future__ import annotations

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.rules import registry
from tests.stored.make import Plan


def opened(office: Office, plan: Plan) -> Dossier:
    with office.read() as connection:
        return dossiers.load(office, connection, plan.campaign)


def pinned(dossier: Dossier) -> str:
    rules = dossier.campaign.rules
    assert rules is not None
    return rules.content


def test_every_rules_that_are_continued_are_those_of_a_stored_campaign(office: Office, plan: Plan) -> None:
    dossier = opened(office, plan)

    assert {pinned(dossier)} == registry.continued(dossier.system)


def test_a_campaign_of_rules_that_are_continued_plays_on_without_an_upgrade(office: Office, plan: Plan) -> None:
    before = opened(office, plan)
    assert before.campaign.exchange is not None

    while adjudicate.run(office, plan.campaign, early=True, defaults=True).halt:
        pass
    publish.release(office, plan.campaign, early=True)
    after = opened(office, plan)
    verified = verify(office, plan.campaign)

    assert pinned(after) == pinned(before)
    assert after.campaign.now != before.campaign.now
    assert verified.first is None
    assert "earlier rules" not in next(row.what for row in verified.rows if row.name == "resolve again")
