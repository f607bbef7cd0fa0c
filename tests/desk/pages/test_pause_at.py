"""Where play stands is kept, and asked anew when it has moved."""

from __future__ import annotations

from unittest.mock import patch

from pbem.desk.books.dossiers import load
from pbem.desk.pages import pages
from pbem.desk.pages.pages import pause_at
from pbem.desk.turns import exchange
from pbem.kernel.owed import Pause
from tests.kit.table import Table


def asked(table: Table) -> Pause:
    with table.office.read() as connection:
        dossier = load(table.office, connection, "ford")
        now = dossier.exchange()
        return pause_at(table.office, connection, dossier, now.stands, now.address)


def test_it_is_folded_once(ford: Table) -> None:
    first = asked(ford)
    with patch.object(pages, "world_at", side_effect=AssertionError("folded again")):
        assert asked(ford) is first


def test_it_is_another_after_a_turn_and_as_before_when_that_is_annulled(ford: Table) -> None:
    first = asked(ford)
    ford.turn()
    second = asked(ford)
    assert second.moment != first.moment

    exchange.annul(ford.office, "ford", first.moment, "An error.", reopen=True)
    assert asked(ford) == first
