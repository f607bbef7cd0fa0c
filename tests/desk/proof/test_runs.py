"""`dice audit`: which throw is of which run of an exchange, for the GM and for a role."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.desk.proof.audit import audit
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul
from pbem.kernel.names import Moment
from tests.kit.table import Table

A1, B1 = Moment(1, 1), Moment(1, 2)


def runs(table: Table, role: str | None = None) -> Sequence[tuple[int, bool, str]]:
    return [(one.run, one.annulled, one.fall) for one in audit(table.office, "ford", role).throws if one.moment == B1]


def to_1b(table: Table) -> None:
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.write("guard", "fire g1 at 3")


@pytest.mark.parametrize("reopen", [False, True])
def test_both_runs_that_a_role_was_told_of_are_told_apart(ford: Table, reopen: bool) -> None:
    to_1b(ford)
    ford.turn()
    annul(ford.office, "ford", B1, "A shot too many.", reopen=reopen)
    ford.turn()

    for role in (None, "guard"):
        assert runs(ford, role) == [(1, True, "fits"), (2, False, "fits")]


def test_a_run_of_which_no_player_was_told_is_counted_for_the_gm_alone(ford: Table) -> None:
    to_1b(ford)
    ford.clock.forward(200)
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", B1, "A shot too many.")
    adjudicate.run(ford.office, "ford", early=True)
    publish.release(ford.office, "ford")

    assert runs(ford) == [(1, True, "fits"), (2, False, "fits")]
    assert runs(ford, "guard") == [(1, False, "fits")]
    assert all(one.seq == 0 for one in audit(ford.office, "ford", "guard").throws)
