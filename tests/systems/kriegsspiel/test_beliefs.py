"""Where a unit should be by its commander's page: the latest word of it, and what is left of its orders (KS-SIT-09)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.kernel.names import Moment
from pbem.kernel.owed import Pause
from pbem.systems.kriegsspiel.mind.beliefs import believed
from pbem.systems.kriegsspiel.mind.coming import awaited
from pbem.systems.kriegsspiel.page.view import view
from pbem.systems.kriegsspiel.sheets.forecast import forecast
from pbem.systems.kriegsspiel.world.dispatches import OwnState
from pbem.systems.kriegsspiel.world.mind import Known, Mind, Sent
from pbem.systems.kriegsspiel.world.orders import Order
from tests.systems.kriegsspiel.minds import acts, knowing, mind_of, opening, paper, under_way

SCENE, _ = opening("muehlrode")
OPEN = Point(2600, 4600)
"""A place in the open field; from there 1000 paces of even ground to the north, the south and the west."""

NORTH, SOUTH = "march to 2600,5400 across", "march to 2600,4000 across"


def ordered(mind: Mind, unit: str, *sheets: tuple[int, str]) -> Mind:
    """A mind that has ordered a unit so, in force from these moves."""
    chain = tuple((since, paper(text, mind)) for since, text in sheets)
    return replace(mind, orders={**mind.orders, unit: chain})


def last_known(doing: str = "", at: Point = OPEN, *, seen: int = 30, **changes: object) -> Mind:
    """Rehden's mind; of 1/F he knows this since *seen*."""
    return knowing(under_way("rehden", move=seen), "1/F", at.x, at.y, doing=doing, formation="line", **changes)


def supposed(mind: Mind, move: int, unit: str = "1/F") -> Point:
    found = believed(SCENE, mind, unit, move)
    assert found is not None
    return found[0]


CHAIN = f"to 1/F: {NORTH}\nto 1/F: then {SOUTH}"


def test_a_unit_whose_orders_are_done_stays_where_it_is_known() -> None:
    mind = ordered(last_known(), "1/F", (10, CHAIN))

    assert believed(SCENE, mind, "1/F", 60) == (OPEN, False)


def test_what_it_says_it_does_is_gone_on_with_and_what_is_before_that_is_done() -> None:
    north = ordered(last_known(NORTH), "1/F", (10, CHAIN))
    south = ordered(last_known(SOUTH), "1/F", (10, CHAIN))

    assert supposed(north, 32).y > OPEN.y > supposed(south, 32).y
    assert supposed(south, 60) == Point(2600, 4000)


def test_one_march_follows_another_in_the_time_of_the_table() -> None:
    """800 paces at 200 are four moves; the next begins in the fifth."""
    mind = ordered(last_known(), "1/F", (31, CHAIN))

    assert supposed(mind, 32) == Point(2600, 5000)
    assert supposed(mind, 34) == Point(2600, 5400)
    assert supposed(mind, 35) == Point(2600, 5200)
    assert supposed(mind, 60) == Point(2600, 4000)


def test_a_later_paper_takes_the_place_of_what_is_left() -> None:
    mind = ordered(last_known(), "1/F", (31, f"to 1/F: {NORTH}"), (33, f"to 1/F: {SOUTH}"))

    assert supposed(mind, 32) == Point(2600, 5000)
    assert supposed(mind, 34) == Point(2600, 4600)


@pytest.mark.parametrize(
    ("first", "begins"),
    [("halt", 31), ("hold until 07:10", 35), ("hold", None), ("rest", None), ("form line", 31)],
)
def test_what_comes_before_a_march_keeps_it_as_long_as_is_known(first: str, begins: int | None) -> None:
    mind = ordered(last_known(), "1/F", (31, f"to 1/F: {first}\nto 1/F: then {NORTH}"))

    moved = next((move for move in range(31, 50) if supposed(mind, move) != OPEN), None)
    assert moved == begins


def test_what_is_ordered_for_an_hour_is_begun_in_it() -> None:
    mind = ordered(last_known(), "1/F", (31, f"to 1/F: at 07:10: {NORTH}\nto 1/F: then {SOUTH}"))

    assert supposed(mind, 34) == OPEN
    assert supposed(mind, 35) == Point(2600, 4800)
    assert supposed(mind, 60) == Point(2600, 4000)


def test_what_waits_for_a_chance_is_not_begun() -> None:
    mind = ordered(last_known(), "1/F", (31, f"to 1/F: if attacked: {NORTH}"))

    assert supposed(mind, 60) == OPEN


def test_a_receipt_says_since_when_it_acts_and_a_paper_not_sent_off_does_nothing() -> None:
    mind = ordered(last_known(), "1/F", (31, f"to 1/F: {NORTH}"))
    lines = mind.orders["1/F"][0][1]

    def sent(**changes: object) -> Mind:
        one = Sent(1, "1/F", "order", 28, lines=lines, written=28, leaves=29, likely=29)
        return replace(mind, sent=(replace(one, **changes),))

    assert supposed(sent(), 32) == Point(2600, 5000)
    assert supposed(sent(received=38), 39) == OPEN
    assert supposed(sent(received=38), 40) == Point(2600, 4800)
    assert supposed(sent(leaves=33), 35) == Point(2600, 4800)
    assert supposed(sent(cancelled=True), 60) == OPEN
    assert supposed(sent(waiting=True), 60) == OPEN


def test_from_afar_one_sees_where_it_is_and_not_what_it_does() -> None:
    """What it did was told in move 20; in move 30 it was seen from afar, at the end of its first march."""
    end = Point(2600, 5400)
    mind = ordered(last_known(NORTH, end, told=20), "1/F", (10, CHAIN))
    assert supposed(mind, 32) == Point(2600, 5000)

    idle = ordered(last_known("", told=20), "1/F", (25, f"to 1/F: {NORTH}"))
    assert supposed(idle, 32) == Point(2600, 5000)


def test_of_a_group_each_comes_to_stand_behind_the_one_before() -> None:
    """Squadrons in threes: 100 paces each; between them 100, 100 and 200."""
    mind = under_way("dorn", move=30)
    for unit in ("H5/1", "H5/2", "H5/3", "H5/4"):
        mind = knowing(mind, unit, 2600, 5600, formation="cav_threes")
    lines = paper("to H5: march to 2600,4000 across", mind)
    by_paper = replace(mind, orders=dict.fromkeys(mind.own, ((31, lines),)))
    assert [supposed(by_paper, 60, f"H5/{number}").y for number in (1, 2, 3, 4)] == [4000, 4200, 4400, 4700]

    # In dispositions each has its own part of the order: to follow the one before.
    (lead,) = lines
    parts = {"H5/1": replace(lead, unit="H5/1")}
    for number in (2, 3, 4):
        follow = Order("follow", lead.order.text if lead.order else "", unit=f"H5/{number - 1}", number=100)
        parts[f"H5/{number}"] = replace(lead, unit=f"H5/{number}", order=follow)
    told = replace(mind, orders={unit: ((31, (line,)),) for unit, line in parts.items()})
    assert [supposed(told, 60, unit).y for unit in parts] == [4000, 4200, 4400, 4700]


# ------------------------------------------------------------------ those who are to come


WELDAU, _ = opening("weldau")
SQUADRONS = tuple(f"{regiment}/{number}" for regiment in ("H14", "D13") for number in (1, 2, 3, 4))


def perl(orders: str = "") -> Mind:
    """Perl's mind in the hour of his cavalry, with these orders in force from the opening."""
    mind = mind_of("perl", "weldau", phase="run")
    for act in acts(orders, mind, "weldau") if orders else ():
        units = {unit for line in act.lines for unit in WELDAU.units_of("blue", line.unit)}  # type: ignore[union-attr]
        mind = replace(mind, orders={**mind.orders, **dict.fromkeys(units, ((0, act.lines),))})  # type: ignore[union-attr]
    return mind


def test_without_orders_the_first_keeps_the_entry_and_those_behind_are_still_to_come() -> None:
    mind = perl()
    first = min(SQUADRONS, key=lambda unit: mind.entry_of[unit])
    hour = mind.entry_of[first][0] + 30

    assert [unit for unit in SQUADRONS if believed(WELDAU, mind, unit, hour) is not None] == [first]


def test_with_orders_they_come_one_behind_another_by_the_length_of_each() -> None:
    mind = perl("to H14: march to 10800,3000\nto 6H11: march to 10800,2000\nto D13: march to 10800,1700")
    enters = mind.entry_of["H14/1"][0]
    came = {
        unit: next(move for move in range(enters, enters + 40) if believed(WELDAU, mind, unit, move) is not None)
        for unit in SQUADRONS
    }
    assert came["H14/1"] == enters
    assert sorted(came.values()) == list(came.values())
    assert came["D13/4"] > enters + 3

    soon = [found[0] for unit in SQUADRONS if (found := believed(WELDAU, mind, unit, enters + 4)) is not None]
    assert len(set(soon)) == len(soon) > 2
    later = [believed(WELDAU, mind, unit, enters + 60) for unit in SQUADRONS]
    assert all(one and two and distance(one[0], two[0]) >= 100 for one, two in pairwise(later))


def test_what_another_player_leads_comes_in_one_behind_another_as_far_as_all_need() -> None:
    """Adler does not know what Perl orders his cavalry: an hour after its hour the whole column is on the road."""
    mind = mind_of("adler", "weldau", phase="run")
    hour = mind.entry_of["H14/1"][0] + 30
    found = [believed(WELDAU, mind, unit, hour) for unit in SQUADRONS]

    places = [one[0] for one in found if one is not None]
    assert len(places) == len(SQUADRONS)
    assert all(distance(one, two) >= 100 for one, two in pairwise(places))
    entry = WELDAU.chart.entries[mind.entry_of["H14/1"][1]].at
    assert [distance(at, entry) for at in places] == sorted((distance(at, entry) for at in places), reverse=True)
    last = believed(WELDAU, mind, "C12/4", hour)
    assert last is not None
    assert last[0] == entry


def test_one_that_is_known_to_have_gone_on_keeps_nobody_from_the_entry() -> None:
    mind = perl()
    enters = mind.entry_of["H14/1"][0]
    away = Known(OwnState("H14/1", enters + 10, Point(10800, 2000), "H14/1", formation="cav_threes"), enters + 11)
    mind = replace(mind, own={"H14/1": away})

    assert believed(WELDAU, mind, "H14/2", enters + 10) is not None
    assert believed(WELDAU, mind, "H14/3", enters + 10) is None


def test_a_paper_to_one_who_is_to_come_is_in_hand_when_he_comes() -> None:
    mind = mind_of("rehden", phase="run", at=Point(3050, 8700))
    assert mind.entry_of["1/I"][0] == 15
    assert awaited(SCENE, mind, "1/I") == 15
    assert awaited(SCENE, replace(mind, move=15), "1/I") is None

    (_, head), *_ = forecast(SCENE, mind, mind.role, acts("to 1/I: halt", replace(mind, phase="run")))
    assert "1/I comes at 06:30, and the rider waits at the entry; likely in hand by 06:30; acted on from 06:32" in head


def test_the_page_says_who_should_be_in_and_who_has_no_room_to_come_in() -> None:
    def coming(mind: Mind) -> list[tuple[str, ...]]:
        page = view(WELDAU, mind, mind.role, (), Pause(moment=Moment(2), name="", calls=()))
        return [row for table in page.own for row in table.rows if row[4] == "schedule" and "H14" in row[0]]

    hour = mind_of("perl", "weldau").entry_of["H14/1"][0]
    early, late = (replace(perl(), move=move, turn=2) for move in (hour - 1, hour + 30))

    assert ["expected by" in row[1] for row in coming(early)] == [True]
    assert [(row[0].split(",")[0], row[1].split(",")[0], row[2]) for row in coming(late)] == [
        ("H14/1", "should be in", "believed 10800,0"),
        ("H14/2", "no room yet to come in", ""),
    ]
