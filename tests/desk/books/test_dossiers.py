"""What campaigns have in common is kept once."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players.enrol import new
from pbem.kernel.terms import Terms
from tests.kit.table import Table


def dossier(table: Table, name: str) -> Dossier:
    with table.office.read() as connection:
        return load(table.office, connection, name)


def test_campaigns_that_are_played_on_the_same_scene_have_one_and_begin_in_one_world(ford: Table) -> None:
    for name in ("bridge", "mill"):
        new(ford.office, name, find_scenario(None, "toy/ford"), Terms())
    bridge, mill = dossier(ford, "bridge"), dossier(ford, "mill")

    assert bridge.scene is mill.scene
    assert bridge.blank is mill.blank


def test_those_of_other_options_begin_in_a_world_of_their_own(ford: Table) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms())
    new(ford.office, "mill", find_scenario(None, "toy/ford"), Terms(), options={"last_turn": 2})
    bridge, mill = dossier(ford, "bridge"), dossier(ford, "mill")

    assert bridge.scene is mill.scene
    assert bridge.blank.truth != mill.blank.truth
