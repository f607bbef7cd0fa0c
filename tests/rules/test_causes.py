"""What a fact rests on: by its units and places, its deed, and what the system says may lead to it."""

from __future__ import annotations

import dataclasses
from typing import Any

from msgspec.structs import replace

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role, RuleId
from pbem.rules.causes import Counted, Piece, Web, counted
from pbem.rules.past import ALONE, ANY_DEED, Leads, Rests
from tests.systems.toy.past import PAST


class Fired(Outcome, frozen=True, kw_only=True, tag="test.fired"):
    """Somebody fired."""


class Lost(Outcome, frozen=True, kw_only=True, tag="test.lost"):
    """Somebody fell."""


class Ran(Outcome, frozen=True, kw_only=True, tag="test.ran"):
    """Somebody ran."""


HERE, LATER = Moment(1, 1), Moment(1, 2)


def piece(fact: Outcome, *units: str, at: Moment = HERE, told: bool = True, **rests: Any) -> Piece:
    return Piece(fact, at, 1, Rests(units, **rests), told)


def web(*pieces: Piece, **leads: Any) -> Web:

    return Web(dataclasses.replace(PAST, leads=leads.get("leads", {})), pieces)


def test_a_fact_rests_on_the_last_that_befell_each_of_its_units() -> None:
    of = web(piece(Lost(), "a"), piece(Lost(), "b"), piece(Lost(), "a"), piece(Ran(), "a", "b"))

    assert of.rests_on(3) == (2, 1)


def test_what_befell_it_in_another_exchange_or_phase_is_no_cause() -> None:
    of = web(piece(Lost(), "a"), piece(Lost(phase="fire"), "a", at=LATER), piece(Ran(phase="move"), "a", at=LATER))

    assert of.rests_on(2) == ()


def test_of_one_deed_are_those_that_the_system_says() -> None:
    of = web(piece(Lost(phase="fire"), "a", deed="7"), piece(Lost(), "a", deed="8"), piece(Ran(), "a", deed="7"))

    assert of.rests_on(2) == (0,)


def test_who_fired_was_not_hit_by_it() -> None:
    of = web(piece(Fired(), "a", "b", did=("a",)), piece(Lost(), "a"), piece(Lost(), "b"))

    assert of.rests_on(1) == ()
    assert of.rests_on(2) == (0,)


def test_every_volley_on_a_place_counts_for_what_fell_there() -> None:
    leads = {Lost: Leads((Fired,), every=True)}
    volleys = [piece(Fired(), name, places=("X-1",), did=(name,)) for name in ("f", "g")]
    of = web(*volleys, piece(Ran(), "a", places=("X-1",)), piece(Lost(), "a", places=("X-1",)), leads=leads)

    assert of.rests_on(3) == (1, 0)


def test_what_may_rest_on_any_fact_reaches_back_over_exchanges_and_what_stands_alone_on_none() -> None:
    of = web(
        piece(Fired(), "a"), piece(Ran(), "a", at=LATER, deed=ANY_DEED), piece(Lost(), "a", at=LATER, deed=ALONE),
        leads={Ran: Leads((Fired,))},
    )  # fmt: skip

    assert of.rests_on(1) == (0,)
    assert of.rests_on(2) == ()


def test_causes_are_followed_up_to_what_was_ordered_and_consequences_to_the_end_of_the_exchange() -> None:
    of = web(piece(Fired(), "a"), piece(Lost(), "a"), piece(Ran(), "a"), piece(Ran(), "a"), piece(Ran(), "a", at=LATER))

    assert set(of.led_to(3, lambda place: place == 1)) == {3, 2, 1}
    assert of.followed([1]) == (2, 3)


def test_the_line_of_a_deed_is_the_next_that_is_told_of_in_it() -> None:
    lines = [
        piece(Ran(), told=False, role=Role("red"), line=number, deed=deed) for number, deed in ((2, "6"), (4, "7"))
    ]
    of = web(piece(Lost(), "a", deed="7"), *lines)

    found = of.line_of_deed(0)
    assert found is not None
    assert (found.role, found.line) == ("red", 4)


class Modifier(Outcome, frozen=True, kw_only=True, tag="test.modifier"):
    """What was added to a die."""

    name: str
    value: int
    rule_id: str


class Threw(Outcome, frozen=True, kw_only=True, tag="test.threw"):
    """A die with what was added."""

    added: tuple[Modifier, ...]


def test_modifiers_are_found_wherever_they_stand_with_their_rules() -> None:
    wall = Modifier(name="soft_cover", value=2, rule_id="XX-1")
    fact = Threw(added=(wall, replace(wall), Modifier(name="moved", value=-1, rule_id="XX-2")))

    assert counted(fact) == (Counted("soft cover", "+2", RuleId("XX-1")), Counted("moved", "-1", RuleId("XX-2")))
