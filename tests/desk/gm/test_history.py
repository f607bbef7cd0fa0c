from __future__ import annotations

import json

import pytest

from pbem.desk.books import shown, values
from pbem.desk.gm import history
from pbem.desk.gm.ruling import rule
from pbem.desk.reels.moments import values_at
from pbem.desk.turns import adjudicate, exchange, publish
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment, Role
from pbem.storage.codec import Codec
from pbem.storage.log import SqlLog
from tests.kit.table import Table


def play(table: Table) -> None:
    """Two exchanges, of which the second is run and not yet released."""
    table.open()
    table.write("smuggler", "move s1 to 3")
    table.write("guard", "watch g1 3")
    table.clock.forward(1)
    table.turn()
    table.clock.forward(1)
    adjudicate.run(table.office, "ford", early=True)


def test_the_gm_reads_all_of_the_log(table: Table) -> None:
    play(table)

    found = history.entries(table.office, "ford")

    assert [one.number for one in found] == list(range(1, table.dossier.seq + 1))
    assert [one.kind for one in found] == table.kinds
    [moved] = [one.what for one in found if one.kind == "toy.cart_moved"]
    assert moved == "guard: s1 went from 1 to 3."
    assert all(one.what for one in found)


def test_a_role_reads_what_it_knows_numbered_by_its_own_count(table: Table) -> None:
    play(table)

    found = history.entries(table.office, "ford", role="guard")

    assert [one.number for one in found] == list(range(1, len(found) + 1))
    kinds = [one.kind for one in found]
    assert kinds.count("toy.piece_placed") == 4
    assert "toy.cart_loaded" not in kinds  # which cart is laden he must not know
    assert "toy.patrol_fired" not in kinds  # it was run, and he has no report of it
    assert "exchange_resolved" not in kinds
    assert [one.what for one in found if one.kind == "orders_accepted"] == ["guard, 1A, receipt 1: 1 line"]
    assert "s1 went from 1 to 3." in [one.what for one in found]


def test_what_a_role_reads_holds_no_seq_no_hash_and_nothing_of_the_others(table: Table) -> None:
    play(table)
    with table.office.read() as connection:
        log = SqlLog(connection, Codec())
        hashes = {log.hash_at(table.dossier.id, seq) for seq in range(1, table.dossier.seq + 1)}

    found = history.entries(table.office, "ford", role="guard")

    said = json.dumps(shown.plain(found))
    assert not any(hash in said for hash in hashes if hash)
    assert "receipt 1: 1 line" in said
    assert not any(getattr(one.event, "upto", 0) for one in found)
    assert "move s1" not in said
    smuggler = table.dossier.campaign.players[Role("smuggler")]
    assert smuggler not in said


def test_what_a_role_reads_is_the_same_whatever_is_staged(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 3")
    before = history.entries(table.office, "ford", role="guard")

    table.clock.forward(1)
    adjudicate.run(table.office, "ford", early=True)

    assert history.entries(table.office, "ford", role="guard") == before


def test_a_role_is_told_when_it_learnt_a_thing_not_when_it_was_run(table: Table) -> None:
    table.open()
    adjudicate.run(table.office, "ford", early=True)
    table.clock.forward(5)
    publish.release(table.office, "ford")

    [began] = [
        one for one in history.entries(table.office, "ford", role="guard", turn=1) if one.kind == "toy.phase_began"
    ]

    assert began.at == table.clock()


def test_one_turn_alone(table: Table) -> None:
    play(table)

    assert {one.moment.turn for one in history.entries(table.office, "ford", turn=0)} == {0}


def test_the_log_as_it_stood_then(table: Table) -> None:
    table.open()
    table.turn()
    then = history.entries(table.office, "ford")
    table.clock.forward(1)
    table.turn()

    assert history.entries(table.office, "ford", at=Moment(1, 1)) == then
    assert [one.number for one in history.entries(table.office, "ford", upto=4)] == [1, 2, 3, 4]


def test_what_was_annulled_stays_and_is_marked(table: Table) -> None:
    table.open()
    table.turn()
    exchange.annul(table.office, "ford", None, "A letter was lost.")

    marked = {one.kind for one in history.entries(table.office, "ford") if not one.valid}

    assert "exchange_resolved" in marked
    assert "exchange_annulled" in [one.kind for one in history.entries(table.office, "ford", role="guard")]


def test_one_event_whole(table: Table) -> None:
    table.open()

    first, second = history.show(table.office, "ford", 1), history.show(table.office, "ford", 2)

    assert first["event"]["title"] == "The ford"
    assert (first["prev_hash"], second["prev_hash"]) == ("", first["hash"])
    with pytest.raises(Refused, match="ford has no event 99"):
        history.show(table.office, "ford", 99)


def test_the_field_at_any_moment(table: Table) -> None:
    play(table)

    start, then, now = (values_at(table.office, "ford", (), where) for where in ("S0", "1A", ""))

    assert [one.state.pieces["s1"].square for one in (start, then, now)] == [1, 3, 3]
    assert [one.state.phase for one in (start, then, now)] == ["move", "fire", "move"]
    resolved = table.dossier.campaign.exchanges[Moment(1, 1)].resolved
    assert resolved is not None
    assert then.digest == resolved.state


def test_the_field_as_a_role_knew_it(table: Table) -> None:
    play(table)

    knew = values_at(table.office, "ford", ["guard"], "1A")

    assert knew.state.pieces["s1"].men is None
    assert (knew.events, knew.digest) == (None, "")
    assert values_at(table.office, "ford", ["guard"]).state == knew.state  # what is staged he does not know


def test_the_past_is_as_it_was_also_where_it_was_annulled_later(table: Table) -> None:
    play(table)
    exchange.annul(table.office, "ford", Moment(1, 1), "A letter was lost.")

    assert values_at(table.office, "ford", (), "1A#1").state.pieces["s1"].square == 3
    adjudicate.run(table.office, "ford", early=True)
    assert values_at(table.office, "ford", (), "1A#2").state.pieces["s1"].square == 3


def test_what_is_not_resolved_has_no_past(table: Table) -> None:
    table.open()

    with pytest.raises(Refused, match="turn 1A is not resolved yet"):
        history.entries(table.office, "ford", at=Moment(1, 1))


def test_what_would_be_is_not_written(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 3")
    seq = table.dossier.seq

    with table.office.read() as connection:
        played = history.what_if(table.office, connection, table.dossier)

    assert played.world.truth.pieces["s1"].square == 3
    assert table.dossier.seq == seq


def test_changes_name_each_value_that_differs(table: Table) -> None:
    table.open()
    before = values_at(table.office, "ford", ()).state
    rule(table.office, "ford", ["set s1 men 1", "remove s2 lost"], "Both were wrong.", make=True)

    found = values.changes(table.dossier.system, before, values_at(table.office, "ford", ()).state)

    assert ("pieces.s1.men", "2", "1") in [(one.name, one.before, one.after) for one in found]
    assert ("pieces.s2.side", "smuggler", None) in [(one.name, one.before, one.after) for one in found]


def test_a_turn_that_the_umpire_asks_for_by_an_odd_number_is_refused_in_words(table: Table) -> None:
    table.open()
    for odd in ("²", "--3", "9" * 5000):
        with pytest.raises(BadMoment):
            history.moment_of(table.office, "ford", odd)
