from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

import msgspec

from pbem.desk.books.dossiers import installed, load
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.pages.pages import DRAWER
from pbem.desk.players import enrol
from pbem.desk.players.enrol import set_terms
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.desk.worlds import worlds
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import AnyWorld, fold, state_digest, world_at
from pbem.kernel.terms import Terms
from pbem.reports.maps.drawer import Drawer
from pbem.storage import snapshots
from tests.kit.table import Table, table


def in_order(world: AnyWorld) -> bytes:
    """All that is in a world, in the order in which it is there."""
    return msgspec.json.encode({"truth": world.truth, "minds": dict(world.minds)})


def test_a_world_is_the_same_to_the_order_of_what_is_in_it_however_it_was_come_by(tmp_path: Path) -> None:
    with table(tmp_path / "office") as made:
        office = made.office
        enrol.new(office, "autumn", find_scenario(None, "st-privat/graveyard"), Terms())
        for role in ("french", "prussian"):
            enrol.add_player(office, "autumn", role, name=role, address=f"{role}@player.example")
        enrol.start(office, "autumn")
        for _ in range(4):
            adjudicate.run(office, "autumn", early=True)
            publish.release(office, "autumn")
        with office.write() as connection:
            dossier = load(office, connection, "autumn")
            walk = Walk(dossier)
            walk.to(dossier.seq)
            office.kept.clear()
            dossier = load(office, connection, "autumn")
            from_snapshot = world_at(office, connection, dossier)
            snapshots.drop(connection, dossier.id)
            office.kept.clear()
            dossier = load(office, connection, "autumn")
            folded = world_at(office, connection, dossier)

        assert dossier.facts()
        assert in_order(from_snapshot) == in_order(walk.world())
        assert in_order(folded) == in_order(walk.world())


def test_a_fold_kept_unpacked_by_an_older_pbem_is_read(ford: Table) -> None:
    with ford.office.write() as connection:
        dossier = load(ford.office, connection, "ford")
        world = world_at(ford.office, connection, dossier)
        content = installed(ford.office, dossier.system)
        plain = in_order(world)
        snapshots.drop(connection, dossier.id)
        snapshots.keep(connection, dossier.id, seq=dossier.seq, system="toy", fold=content, data=plain)
    ford.office.kept_of("worlds", "ford").pop("worlds")
    with ford.office.read() as connection, patch.object(worlds, "fold_facts", _nothing_to_fold):
        assert in_order(world_at(ford.office, connection, ford.dossier)) == plain


def _nothing_to_fold(_: object, world: AnyWorld, facts: Iterable[object]) -> AnyWorld:
    assert not list(facts)
    return world


def test_what_comes_while_a_turn_is_made_known_is_never_taken_for_what_was_not_yet_written(ford: Table) -> None:
    """The events of letters bear the numbers that those of the turn would have had."""
    set_terms(ford.office, "ford", {"release": "auto"})
    ford.write("guard", "turn 1B\nwatch g1 3")
    ford.write("smuggler", "move s1 to 3")
    letters = [("guard", f"umpire: question {number}") for number in range(20)]

    def come() -> None:
        while letters:
            ford.write(*letters.pop())

    with Drawer() as drawer, drawer.meanwhile(come):
        ford.office.kept[DRAWER] = drawer
        adjudicate.run(ford.office, "ford", early=True)
    assert letters == []
    dossier = ford.dossier
    with ford.office.read() as connection:
        for seq in range(dossier.seq + 1):
            told = world_at(ford.office, connection, dossier, seq)
            assert state_digest(told) == state_digest(fold(dossier, dossier.blank, after=0, upto=seq))
    assert verify(ford.office, "ford").sound
    assert ford.write("guard", "watch g1 3").state == "applied"
