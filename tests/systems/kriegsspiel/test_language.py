"""The grammar and its lexer: every form of the ledger's tables, names, fillers, places and conditions (KS-ORD-11)."""

from __future__ import annotations

from typing import get_args

import pytest

from pbem.ground.plane import Point
from pbem.orders.sheet import Line
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES, GRAMMAR, KEYWORDS
from pbem.systems.kriegsspiel.sheets.reading import CHECKS
from pbem.systems.kriegsspiel.world.orders import Condition, Dispatch, Intention, RideTo, Say, Verb
from tests.systems.kriegsspiel.minds import acts, knowing, mind_of, opening, order, paper, sighted, under_way

REHDEN, ASMUS, DORN = (mind_of(name) for name in ("rehden", "asmus", "dorn"))
BRANDT = mind_of("brandt")


# ------------------------------------------------------------------ forms


@pytest.mark.parametrize("verb", EXAMPLES)
def test_every_example_is_an_order_in_small_letters_and_in_capitals(verb: str) -> None:
    trees, complaints = GRAMMAR.read([Line(1, EXAMPLES[verb]), Line(2, EXAMPLES[verb].upper())])

    assert complaints == []
    assert len(trees) == 2


def test_every_verb_of_the_orders_has_an_example() -> None:
    assert {verb.replace("_", " ") for verb in get_args(Verb)} <= set(EXAMPLES)


def test_nothing_is_checked_that_is_no_verb() -> None:
    assert set(CHECKS) <= set(get_args(Verb))


@pytest.mark.parametrize("scenario", ["muehlrode", "kreuzweg", "weldau"])
def test_no_name_of_the_map_is_a_word_of_the_language(scenario: str) -> None:
    assert not {name for name in opening(scenario)[0].chart.names if name in KEYWORDS}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("form attack column", "form attack_column"),
        ("FORM LINE FACING N", "form line facing n"),
        ("advance to Kreuzweg", "march to Kreuzweg"),
        ("please go to the Kreuzweg", "march to Kreuzweg"),
        ("fall back to Kreuzweg", "retire to Kreuzweg"),
        ("retreat to Kreuzweg", "retire to Kreuzweg"),
        ("defend the Kreuzweg", "hold Kreuzweg"),
        ("march to muehlrode bridge", "march to Muehlrode_Bridge"),
        ("march to brick kiln", "march to Ziegelei"),
        ("attack Dornach bayonet", "attack Dornach with bayonet"),
        ("march to Kreuzweg in section column by heerstrasse", "march to Kreuzweg by heerstrasse in section_column"),
        ("skirmishers out 200 ahead 4 zugs", "skirmishers out 4 200 ahead"),
        ("march to Kreuzweg   # quickly", "march to Kreuzweg."),
    ],
)
def test_two_ways_to_write_one_order(one: str, other: str) -> None:
    first, second = order(f"to 1/F: {one}", REHDEN), order(f"to 1/F: {other}", REHDEN)

    assert (first.verb, first.formation, first.number, first.second, first.manner) == (
        second.verb, second.formation, second.number, second.second, second.manner,
    )  # fmt: skip
    assert [spot.at for spot in (*first.to, *first.by)] == [spot.at for spot in (*second.to, *second.by)]


def test_immediately_is_now() -> None:
    (line,) = paper("to 1/F: immediately halt", REHDEN)

    assert line.now
    assert line.order is not None
    assert line.order.text == "halt"


# ------------------------------------------------------------------ places


@pytest.mark.parametrize(
    ("written", "at", "feature"),
    [
        ("3700, 2600", (3700, 2600), ""),
        ("3700,2600", (3700, 2600), ""),
        ("Kreuzweg", (3620, 3900), ""),
        ("Kreuzweg+200NE", (3761, 4041), ""),
        ("muehlrode bridge+300N", (3700, 3450), ""),
        ("muehlrode_bridge", (3700, 3150), "muehlrode_bridge"),
        ("Neuwerk wooden bridge", (6350, 2750), "neuwerk_bridge"),
        ("nord_heer", (3000, 6000), "nord_heer"),
        ("here", (3000, 5700), ""),
        ("unit H5/1", (3050, 5200), ""),
    ],
)
def test_a_place_is_a_point_a_name_an_offset_a_unit_or_here(written: str, at: tuple[int, int], feature: str) -> None:
    (act,) = acts(f"ride to {written}", REHDEN)

    assert isinstance(act, RideTo)
    assert act.to.at == Point(*at)
    assert act.to.feature == feature


def test_an_area_is_reached_where_a_body_can_stand() -> None:
    """The middle of the Hagen lies deep in its thick core."""
    found = order("to H5/1: march concealed to hagen by hagenweg", DORN)

    assert found.concealed
    assert found.to[0].feature == "hagen"
    assert found.by[0].feature == "hagenweg"


def test_a_list_holds_places_and_a_point_among_them() -> None:
    found = order("to H5/4: patrol size 10 to 3700, 2600, Ostberg return", DORN)

    assert [spot.at for spot in found.to] == [Point(3700, 2600), Point(7200, 3900)]
    assert found.number == 10
    assert found.manner == ("return",)


def test_of_two_numbers_the_one_before_ahead_is_the_distance() -> None:
    found = order("to 1/F: skirmishers out 4 200 ahead", REHDEN)

    assert (found.number, found.second) == (4, 200)


def test_a_name_means_a_stronghold_first_where_it_is_to_be_occupied() -> None:
    mind = knowing(mind_of("auer"), "3/F", 3700, 2950)

    assert order("to 3/F: occupy neuwerk bridge", mind).to[0].feature == "neuwerk_bruecke"
    assert order("to 3/F: march to neuwerk bridge", mind).to[0].feature == "neuwerk_bridge"


# ------------------------------------------------------------------ names that are words


def test_a_group_whose_name_is_a_word_is_a_group_where_a_name_can_stand() -> None:
    (line,) = paper("to reserve: march to Ziegelei", BRANDT)
    assert line.unit == "reserve"

    (line,) = paper("to outposts: halt", BRANDT)
    assert line.unit == "outposts"


def test_and_a_word_where_it_is_one() -> None:
    found = order("to U3/1: outposts from Galgenberg to Dornach posts 4", mind_of("auer"))
    assert (found.verb, found.number) == ("outposts", 4)

    found = order("to brigade_kessel: deploy brigade_kessel in two lines reserve 4/F facing N on 4200,1500", BRANDT)
    assert found.unit == "4/F"
    assert found.manner == ("two lines",)


# ------------------------------------------------------------------ targets


def test_a_target_is_an_entry_with_place_and_arm_of_the_page() -> None:
    found = order("to 1/F: attack e3", sighted(REHDEN, "e3", 3620, 4500, "artillery"))

    assert found.target is not None
    assert found.target.at is not None
    assert (found.target.at.at, found.target.arm, found.target.entry) == (Point(3620, 4500), "battery", "e3")


@pytest.mark.parametrize(
    ("written", "arm", "at", "own"),
    [
        ("enemy nearest", "", None, False),
        ("nearest cavalry", "cavalry", None, False),
        ("battery near Ostberg", "battery", Point(7200, 3900), False),
        ("infantry at 4400, 3300", "infantry", Point(4400, 3300), False),
        ("Ostberg", "", Point(7200, 3900), True),
    ],
)
def test_or_an_arm_at_a_place_the_nearest_or_a_place(written: str, arm: str, at: Point | None, own: bool) -> None:
    target = order(f"to 1/F: attack {written} in attack_column", REHDEN).target

    assert target is not None
    assert (target.arm, target.at.at if target.at else None, target.own) == (arm, at, own)


# ------------------------------------------------------------------ conditions


def condition(text: str) -> Condition:
    (line,) = paper(f"to 1/F: if {text}: halt", REHDEN)
    assert line.test is not None
    return line.test


def test_not_binds_closest_then_and_then_or() -> None:
    found = condition("attacked by cavalry and not at Kreuzweg or 08:30")

    assert found.kind == "or"
    assert [part.kind for part in found.parts] == ["and", "time"]
    assert [part.kind for part in found.parts[0].parts] == ["attacked", "not"]
    assert found.text == "attacked by cavalry and not at Kreuzweg or 08:30"


def test_brackets_bind_closer() -> None:
    found = condition("attacked and (not at Kreuzweg or 08:30)")

    assert found.kind == "and"
    assert [part.kind for part in found.parts] == ["attacked", "or"]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("at Kreuzweg", "at"),
        ("08:30", "time"),
        ("1/I at Kreuzweg", "unit_at"),
        ("word from Asmus", "word_from"),
        ("attacked", "attacked"),
        ("attacked by superior force", "attacked"),
        ("fired on by canister", "fired_on"),
        ("enemy within 800", "enemy_within"),
        ("enemy within 800 of Kreuzweg", "enemy_within"),
        ("enemy at Dornach", "enemy_at"),
        ("enemy crosses muehlrode_bridge", "crosses"),
        ("losses over 20%", "losses"),
        ("1/I retires", "unit_does"),
        ("muehlrode_bridge destroyed", "crossing"),
        ("relieved", "relieved"),
        ("fire seen at Neuwerk", "fire_seen"),
        ("signal gun 3", "signal"),
        ("not attacked by 09:00", "not_attacked"),
        ("not attacked by cavalry", "not"),
    ],
)
def test_every_condition(written: str, kind: str) -> None:
    assert condition(written).kind == kind


def test_the_order_behind_a_condition_waits_and_what_follows_it_is_appended() -> None:
    first, second, third = paper(
        "to 1/F: march to Kreuzweg\nto 1/F: when at Kreuzweg: form line facing S\n"
        "to 1/F: then skirmishers out 4 200 ahead",
        REHDEN,
    )

    assert first.test is None
    assert second.test is not None
    assert second.order is not None
    assert second.order.text == "form line facing S"
    assert third.then


def test_a_time_before_an_order_and_a_verb_of_the_paper() -> None:
    at, after, lapse = paper(
        "to 1/F: at 08:30: march to Kreuzweg\nto 1/F: after march: halt\nto 1/F: cancel when relieved", REHDEN
    )

    assert at.test is not None
    assert (at.test.kind, at.test.move) == ("time", 75)
    assert after.test is not None
    assert (after.test.kind, after.test.arm) == ("after", "march")
    assert lapse.lapse


# ------------------------------------------------------------------ papers and texts


def test_a_dispatch_goes_on_with_the_unit_of_the_line_before() -> None:
    mind = under_way("brandt")
    (act,) = acts(
        "dispatch Kessel by weststrasse copies 2 urgent\n"
        "  3/I march to Muehlrode by heerstrasse\n"
        "  occupy muehlrode_sued\n"
        "  if attacked by superior force: retire to Ziegelei\n"
        "  text: Hold until the 12-pounders are up.\n"
        "  no receipt\n"
        "end",
        mind,
    )

    assert isinstance(act, Dispatch)
    assert [line.unit for line in act.lines] == ["3/I", "3/I", "3/I"]
    assert (act.to, act.copies, act.urgent, act.receipt) == ("kessel", 2, True, False)
    assert act.text == "Hold until the 12-pounders are up."
    assert act.by[0].feature == "weststrasse"


def test_lines_that_follow_each_other_to_one_addressee_are_one_paper() -> None:
    found = acts("to 1/F: halt\nto 1/F urgent: react losses retire at 20%\nto J1: halt\nto 1/F: face S", REHDEN)

    assert [(act.to, len(act.lines), act.urgent) for act in found if isinstance(act, Dispatch)] == [
        ("1/F", 2, True), ("J1", 1, False), ("1/F", 1, False),
    ]  # fmt: skip


def test_a_letter_runs_over_its_lines_and_nothing_in_it_is_an_order() -> None:
    (act,) = acts("letter Asmus\n  Come up by the highway.\n  ride to nowhere\nend", REHDEN)

    assert isinstance(act, Dispatch)
    assert act.letter
    assert act.text == "Come up by the highway.\nride to nowhere"


def test_a_text_keeps_its_words_and_names() -> None:
    said, meant = acts(
        "say Dorn: Take the Kreuzweg, with your hussars: at 08:30.\nintention: Go for the bridge.", REHDEN
    )

    assert isinstance(said, Say)
    assert said.text == "Take the Kreuzweg, with your hussars: at 08:30."
    assert isinstance(meant, Intention)
    assert meant.text == "Go for the bridge."


def test_orders_in_words_go_to_the_end_of_the_line() -> None:
    found = order("to 1/F: words: lure them toward the gardens, then turn", REHDEN)

    assert found.verb == "words"
    assert found.text == "words: lure them toward the gardens, then turn"
