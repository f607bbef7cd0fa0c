from __future__ import annotations

import pytest

from pbem.desk.gm.ruling import rule
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, exchange, publish, shelf
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.errors import BadRuling, PbemError, Refused
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeOpened, ExchangeResolved, RulingMade
from tests.kit.table import Table
from tests.systems.toy.outcomes import PatrolFired
from tests.systems.toy.state import Field

WHY = "The figure was misplaced."


def field(table: Table) -> Field:
    with table.office.read() as connection:
        truth: Field = world_at(table.office, connection, table.dossier).truth
    return truth


def test_a_ruling_is_shown_and_nothing_is_written(table: Table) -> None:
    before = table.open().seq

    shown = rule(table.office, "ford", ["set s1 men 1"])

    assert [(one.name, one.before, one.after) for one in shown.changes] == [("pieces.s1.men", "2", "1")]
    assert shown.learns == {Role("smuggler"): ("pieces.s1.men: 2 → 1",), Role("guard"): ()}
    assert table.dossier.seq == before


def test_a_ruling_stands_in_the_log_with_its_reason_and_its_facts_after_it(table: Table) -> None:
    table.open()

    made = rule(table.office, "ford", ["set s1 men 1", "set s2 square 3"], WHY, make=True)

    ruling = table.dossier.log[made.seq - 1].event
    assert isinstance(ruling, RulingMade)
    assert (ruling.directives, ruling.reason, ruling.facts) == (("set s1 men 1", "set s2 square 3"), WHY, 2)
    assert all(isinstance(one.event, Outcome) for one in table.dossier.log[made.seq :])
    assert (field(table).pieces["s1"].men, field(table).pieces["s2"].square) == (1, 3)
    assert verify(table.office, "ford").sound


def test_a_ruling_is_known_to_whom_it_is_marked_for(table: Table) -> None:
    table.open()

    rule(table.office, "ford", ["set s2 square 3"], WHY, known={"guard": ""}, make=True)
    table.turn()

    minds = field(table), shelf.find(table.office, "ford", "guard").report.text
    assert "s2" in minds[1]
    with table.office.read() as connection:
        world = world_at(table.office, connection, table.dossier)
    assert world.minds[Role("guard")].pieces["s2"].square == 3
    assert world.minds[Role("smuggler")].pieces["s2"].square == 2


@pytest.mark.parametrize(
    ("directives", "words"),
    [
        (["swim s1"], '"swim" is no directive; there are place, set, remove.  As in: set s1 men 1.'),
        (["set s1 men 1", "fly"], 'directive 2, "fly"'),
        ([], "there is no directive to rule by"),
        (["die 1A/fire = 4"], '"1A/fire" names no throw'),
        (["die nine/fire/g1 = 4"], '"nine/fire/g1" names no throw'),
        (["die 1B/fire/g1 = high"], '"high" are no faces for 1B/fire/g1'),
        (["die 1B/fire/g1"], "directive 1: it reads die 5B/melee/J-10 = 4"),
    ],
)
def test_a_directive_that_cannot_be_understood_is_named_and_nothing_is_done(
    table: Table, directives: list[str], words: str
) -> None:
    before = table.open().seq

    with pytest.raises(Refused) as refused:
        rule(table.office, "ford", directives, WHY, make=True)

    assert words in str(refused.value)
    assert table.dossier.seq == before


def test_a_ruling_needs_a_reason(table: Table) -> None:
    table.open()

    with pytest.raises(Refused, match="a ruling needs a reason"):
        rule(table.office, "ford", ["set s1 men 1"], " ", make=True)


def test_a_ruling_is_not_made_upon_a_log_that_has_grown_since_it_was_shown(table: Table) -> None:
    table.open()
    shown = rule(table.office, "ford", ["set s1 men 1"])
    table.write("smuggler", "move s1 to 3")

    with pytest.raises(Refused, match="has grown since this was shown"):
        rule(table.office, "ford", ["set s1 men 1"], WHY, upon=shown.before, make=True)


def fire(table: Table) -> None:
    """The carts have moved, and the guard has ordered to fire."""
    table.open()
    table.turn()
    table.write("guard", "fire g1 at 1")


def test_a_forced_die_falls_as_ruled_and_is_told_as_a_ruling(table: Table) -> None:
    fire(table)

    shown = rule(table.office, "ford", ["die 1B/fire/g1 = 6"])
    assert shown.forced[0].says.startswith("falls 6")

    rule(table.office, "ford", ["die 1B/fire/g1 = 6"], "A die lay on the floor.", make=True)
    table.turn()

    [fired] = [one.event for one in table.dossier.valid if isinstance(one.event, PatrolFired)]
    assert [(throw.faces, throw.by) for throw in fired.dice] == [((6,), "ruling")]
    assert "[6] (by ruling)" in shelf.find(table.office, "ford", "guard").report.text
    assert verify(table.office, "ford").sound


def test_a_forced_die_that_nobody_throws_is_said_to_be_none(table: Table) -> None:
    fire(table)

    shown = rule(table.office, "ford", ["die 1B/fire/g7 = 6", "die 2B/fire/g1 = 6"])

    assert [one.says for one in shown.forced] == ["nobody throws it, as the orders stand", "not open yet"]


def test_a_ruling_on_a_die_can_be_taken_back(table: Table) -> None:
    fire(table)
    rule(table.office, "ford", ["die 1B/fire/g1 = 6"], WHY, make=True)
    rule(table.office, "ford", ["die 1B/fire/g1 = seed"], "It lay well after all.", make=True)

    table.turn()

    [fired] = [one.event for one in table.dossier.valid if isinstance(one.event, PatrolFired)]
    assert [throw.by for throw in fired.dice] == ["seed"]
    assert verify(table.office, "ford").sound


@pytest.mark.parametrize("faces", ["7", "3 4"])
def test_faces_that_a_throw_does_not_have_are_refused_and_blame_no_order(table: Table, faces: str) -> None:
    fire(table)

    with pytest.raises(BadRuling, match=f"1B/fire/g1 is 1 dice of 6 sides, and the ruling gives it {faces}"):
        rule(table.office, "ford", [f"die 1B/fire/g1 = {faces}"], WHY, make=True)


def test_a_die_of_what_is_resolved_cannot_be_ruled(table: Table) -> None:
    fire(table)
    adjudicate.run(table.office, "ford", early=True)

    with pytest.raises(Refused, match="1B is resolved"):
        rule(table.office, "ford", ["die 1B/fire/g1 = 6"])


def test_a_ruling_on_what_waits_for_its_release_is_told_in_its_reports(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 3")
    adjudicate.run(table.office, "ford", early=True)
    table.clock.forward(1)

    rule(table.office, "ford", ["set s2 square 4"], WHY, known={"guard": "", "smuggler": ""}, make=True)
    publish.release(table.office, "ford")

    report = shelf.find(table.office, "ford", "guard").report.text
    assert "place 4" in report
    assert [isinstance(one.event, ExchangeResolved) for one in table.dossier.valid].count(True) == 2
    assert verify(table.office, "ford").sound


def test_an_annulment_of_a_run_that_was_ruled_upon_takes_the_ruling_with_it(table: Table) -> None:
    table.open()
    table.write("smuggler", "move s1 to 3")
    adjudicate.run(table.office, "ford", early=True)
    table.clock.forward(1)
    rule(table.office, "ford", ["set s2 square 4"], WHY, make=True)

    exchange.annul(table.office, "ford", None, "It was right after all.")

    assert table.dossier.exchange().state == "open"
    assert {name: piece.square for name, piece in field(table).pieces.items()} == {"s1": 1, "s2": 2, "g1": 5, "g2": 6}
    table.turn()
    assert verify(table.office, "ford").sound


def test_a_ruling_that_moves_play_opens_what_it_moves_to_and_tells_the_players(table: Table) -> None:
    table.open()

    made = rule(table.office, "ford", ["set phase fire"], "The carts are stuck.", make=True)

    assert made.opens == Moment(1, 2)
    assert table.dossier.exchange().moment == Moment(1, 2)
    assert isinstance(table.dossier.log[-1].event, ExchangeOpened)
    assert "1B is open" in table.last_to("smuggler")
    table.write("guard", "fire g1 at 1")
    table.turn()
    assert verify(table.office, "ford").sound


def test_a_campaign_that_has_not_started_cannot_be_ruled_upon(table: Table) -> None:
    with pytest.raises(PbemError):
        rule(table.office, "ford", ["set s1 men 1"])
