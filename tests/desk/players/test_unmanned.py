"""Roles without a player: where the rules of the game can lead them, play goes on without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import changes, enrol
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, exchange, publish
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Option, RulingMade
from pbem.kernel.terms import Terms, changed
from tests.kit.table import Table
from tests.kit.table import table as make
from tests.kit.watching import look

CHIEFS = ("rehden", "brandt")


@pytest.fixture
def kriegsspiel(tmp_path: Path) -> Iterator[Table]:
    """An office with a campaign of the two commanders-in-chief of Muehlrode, not started."""
    with make(tmp_path / "office") as table:
        table.name = "lohe"
        scenario = find_scenario(table.office.folder, "kriegsspiel/muehlrode")
        terms = changed(Terms(trust="address"), {"votes": "replacement majority open 24h"})
        short: dict[str, Option] = {"interrupts": "off", "turn_moves": 2, "step_moves": 2}
        enrol.new(table.office, table.name, scenario, terms, options=short)
        yield table


def add(table: Table, *roles: str) -> None:
    """Enrol a player for each of *roles*."""
    for role in roles:
        enrol.add_player(table.office, table.name, role, name=role.title(), address=f"{role}@player.example")


def persons(table: Table) -> dict[str, str]:
    """Which role plays whom, of the commanders of the order of battle; empty: nobody."""
    with table.office.read() as connection:
        return {one.id: one.role for one in world_at(table.office, connection, table.dossier).truth.persons.values()}


def play(table: Table) -> None:
    """A whole exchange, and its reports."""
    adjudicate.run(table.office, table.name, early=True)
    publish.release(table.office, table.name)


def test_two_commanders_in_chief_are_enough_and_the_others_are_led_by_the_rules(kriegsspiel: Table) -> None:
    add(kriegsspiel, "rehden")
    with pytest.raises(Refused, match=r"nobody plays brandt\."):
        enrol.start(kriegsspiel.office, "lohe")
    add(kriegsspiel, "brandt")
    enrol.start(kriegsspiel.office, "lohe")

    assert {name for name, role in persons(kriegsspiel).items() if role} == set(CHIEFS)
    assert kriegsspiel.words_to("rehden").count(", without a player") == 2

    play(kriegsspiel)
    standing = exchange.turn(kriegsspiel.office, "lohe").roles
    assert {one.role for one in standing if one.must} == set(CHIEFS)
    play(kriegsspiel)
    assert verify(kriegsspiel.office, "lohe").sound


def test_who_is_voted_out_of_a_role_that_the_rules_lead_from_then_on_is_told_so_with_the_vote(
    kriegsspiel: Table,
) -> None:
    add(kriegsspiel, *CHIEFS, "asmus", "dorn")
    enrol.start(kriegsspiel.office, "lohe")
    kriegsspiel.write("rehden@player.example", "propose replacement of dorn: he has not written for weeks")
    for role in ("brandt", "asmus"):
        kriegsspiel.write(f"{role}@player.example", "vote yes")
    look(kriegsspiel)

    assert not persons(kriegsspiel)["dorn"]
    told = kriegsspiel.words_to("rehden")
    assert "Nobody plays dorn for now; the rules of the game lead it. The umpire is asked for another." in told


def test_a_role_whose_player_withdraws_owes_no_orders_and_is_asked_again_when_it_has_one(kriegsspiel: Table) -> None:
    add(kriegsspiel, *CHIEFS, "asmus", "dorn", "kessel", "auer")
    enrol.start(kriegsspiel.office, "lohe")
    play(kriegsspiel)
    changes.withdraw_player(kriegsspiel.office, "lohe", "dorn", reason="He travels.")

    assert not persons(kriegsspiel)["dorn"]
    assert not any(one.must for one in exchange.turn(kriegsspiel.office, "lohe").roles if one.role == Role("dorn"))
    assert "Nobody plays dorn for now; the rules of the game lead it" in kriegsspiel.words_to("rehden")

    play(kriegsspiel)
    add(kriegsspiel, "dorn")
    assert persons(kriegsspiel)["dorn"] == "dorn"
    play(kriegsspiel)
    assert any(one.must for one in exchange.turn(kriegsspiel.office, "lohe").roles if one.role == Role("dorn"))
    assert verify(kriegsspiel.office, "lohe").sound


def test_a_commander_in_chief_who_withdraws_is_still_waited_for(kriegsspiel: Table) -> None:
    add(kriegsspiel, *CHIEFS)
    enrol.start(kriegsspiel.office, "lohe")
    changes.withdraw_player(kriegsspiel.office, "lohe", "brandt", reason="He travels.")

    assert any(one.must for one in exchange.turn(kriegsspiel.office, "lohe").roles if one.role == Role("brandt"))
    assert sum(isinstance(one.event, RulingMade) for one in kriegsspiel.dossier.log) == 1
