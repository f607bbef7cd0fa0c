"""Sheets on receipt: what is refused, with which words, at which place of the line, and that nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement, lines_of
from pbem.orders.words import split_sheet
from pbem.resources import resources
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES
from pbem.systems.kriegsspiel.sheets.reading import read
from pbem.systems.kriegsspiel.world.mind import Sent
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import Dispatch, OnArrival, RideTo, Voice
from tests.systems.kriegsspiel.minds import (
    RUN,
    acts,
    doubts,
    knowing,
    mind_of,
    opening,
    order,
    reading,
    refusal,
    refusals,
    sighted,
    under_way,
)

REHDEN, ASMUS, DORN = (mind_of(name) for name in ("rehden", "asmus", "dorn"))
BRANDT, KESSEL, AUER = (mind_of(name) for name in ("brandt", "kessel", "auer"))
SAMPLES = sorted((resources("campaigns") / "kriegsspiel").glob("*/sample-orders/*.txt"))


# ------------------------------------------------------------------ whole sheets


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_the_sample_orders_are_read_without_a_complaint(path: Path) -> None:
    scenario, (exchange, role) = path.parts[-3], path.stem.split("-")
    sheet = split_sheet(lines_of(path.read_text("utf-8")), lambda line: True)
    mind = mind_of(role, scenario) if exchange == "s1" else under_way(role, scenario, move=5)
    text = "\n".join(line.text for line in sheet.orders)
    found = reading(text, mind, scenario, ("setup", "orders") if exchange == "s1" else RUN)

    assert found.complaints == ()
    assert found.items


def test_a_bad_line_is_dropped_alone() -> None:
    found = reading("to 1/F: march to Kreuzweg\nto 1/F: mrach to Dornach\nto 1/F: then form line", REHDEN)

    (act,) = found.items
    assert isinstance(act, Dispatch)
    assert [line.line for line in act.lines] == [1, 3]
    assert [(one.line, one.column, one.width) for one in found.complaints if one.judgement.refuses] == [(2, 9, 5)]


CHAINS = (
    "to 1/F: mrach to Kreuzweg\nto 1/F: then march to Dornach",
    "to 1/F: march to 99999,1\nto 1/F: then march to Dornach",
    "dispatch 1/F\nmrach to Kreuzweg\nthen march to Dornach\nend",
    "to Asmus: 1/I mrach to Kreuzweg\nto Asmus: 1/I then march to Dornach",
)


@pytest.mark.parametrize("text", CHAINS)
def test_a_tail_whose_head_is_refused_stands_and_its_writer_is_told(text: str) -> None:
    found = reading(text, REHDEN)

    assert len(found.items) == 1
    (said,) = [one.why for one in found.complaints if one.judgement is Judgement.DOUBTFUL]
    bad = min(one.line for one in found.complaints if one.judgement.refuses)
    unit = "1/I" if "1/I" in text else "1/F"
    assert said == f"line {bad}, after which it was to come, is refused: {unit} does it without that"


@pytest.mark.parametrize("head", ["if atacked: retire to Kreuzweg", "when at Nowhere: halt"])
def test_a_tail_that_was_to_wait_is_held_back_with_its_head(head: str) -> None:
    found = reading(f"to 1/F: {head}\nto 1/F: then march to Dornach\nto 1/F: then form line", REHDEN)

    assert found.items == ()
    assert [one.line for one in found.complaints if one.judgement.refuses] == [1, 2, 3]


def test_what_is_no_tail_of_a_refused_line_is_not_spoken_of() -> None:
    assert doubts("to 1/F: mrach to X\nto J1: then halt\nto 1/F: march to Dornach\nto 1/F: then halt", REHDEN) == []
    assert doubts("to 1/F: react atacked retire\nto 1/F: then halt", REHDEN) == []


def test_the_lines_of_a_dispatch_with_a_bad_head_go_nowhere_and_are_judged() -> None:
    found = reading("dispatch Nobody\n  1/F march to Kreuzweg\n  2/X halt\nend\nto J1: halt", REHDEN)

    assert [act.to for act in found.items if isinstance(act, Dispatch)] == ["J1"]
    assert [one.line for one in found.complaints] == [1, 3]


def test_without_a_call_only_words_are_judged() -> None:
    scene, _ = opening("muehlrode")
    text = "to 6F3: march to Kreuzweg at gallop\nmarch to Dornach\nwake at 05:00\nto 9/I: halt\nend"
    found = read(scene, lines_of(text), ASMUS, Role("asmus"), None)

    assert [(one.line, one.judgement) for one in found.complaints] == [(4, Judgement.NOT_UNDERSTOOD)]


@pytest.mark.parametrize("role", ["rehden", "asmus", "dorn", "brandt", "kessel", "auer"])
def test_whatever_is_sent_is_answered_in_its_own_lines(role: str) -> None:
    found = reading(
        "\n".join([*EXAMPLES.values(), "", "#", "\x00", "9" * 400, "to", ": : :", "(((", "e3 e3"]), mind_of(role)
    )

    assert {one.line for one in found.complaints} <= set(range(1, len(EXAMPLES) + 9))
    assert all(one.column >= 0 and one.width >= 1 for one in found.complaints)
    assert not any(mark in f"{one.why}{one.instead}" for one in found.complaints for mark in "\ue000\ue001\ue002\ue00f")


# ------------------------------------------------------------------ nothing is betrayed


def test_a_unit_of_the_enemy_and_one_that_is_not_get_the_same_words() -> None:
    enemy, nobody = (reading(f"to {name}: halt", BRANDT).complaints[0] for name in ("J1", "J9"))

    assert enemy.why.replace("J1", "J9") == nobody.why
    assert (enemy.rule, enemy.judgement, enemy.column) == (nobody.rule, nobody.judgement, nobody.column)


def test_so_do_commanders() -> None:
    enemy, nobody = (refusal(f"letter {name}: x", REHDEN) for name in ("Brandt", "Nobody"))

    assert enemy.replace("Brandt", "Nobody") == nobody


def test_only_own_names_and_names_of_the_map_are_suggested() -> None:
    scene, _ = opening("muehlrode")
    foreign = {plan.id for plan in scene.units.values() if plan.side == "blue"}
    foreign -= {plan.id for plan in scene.units.values() if plan.side == "red"}
    for unit in sorted(foreign):
        for one in reading(
            f"to {unit}x: halt\nto 1/F: follow {unit} at 100\nto 1/F: march to {unit}", REHDEN
        ).complaints:
            assert not any(f'"{name}"' in one.why.partition("did you mean")[2] for name in foreign)


def test_a_march_onto_an_enemy_unseen_is_accepted() -> None:
    assert acts("to 1/F: march to Dornach", REHDEN)


def test_a_detachment_may_bear_the_name_of_an_enemy() -> None:
    detach, march = acts("to 1/F: detach half right as U3/3\nto U3/3: march to Kreuzweg", REHDEN)

    assert isinstance(detach, Dispatch)
    assert isinstance(march, Dispatch)
    assert detach.lines[0].order is not None
    assert (detach.lines[0].order.unit, march.to) == ("U3/3", "U3/3")


def test_an_intact_bridge_is_intact_as_far_as_known() -> None:
    assert refusal("to PR: repair Neuwerk wooden bridge", REHDEN) == "Neuwerk wooden bridge is intact as far as known"

    known = mind_of("rehden", crossings={"neuwerk_bridge": ("plank_off", 12)})
    assert order("to PR: repair Neuwerk wooden bridge", known).verb == "repair"


# ------------------------------------------------------------------ order by order


@pytest.mark.parametrize(
    ("role", "line", "why", "rule"),
    [
        ("asmus", "voice 9/I: halt", '"9/I" is no unit of yours', "KS-ORD-02"),
        ("asmus", "ride to 9000,100", "off the map", "KS-ORD-04"),
        ("asmus", "to 6F3: march to Kreuzweg at gallop", "allowed: march, fast", "KS-ORD-03"),
        ("asmus", "to 1/I: march to Kreuzweg at trot", "allowed: march, run", "KS-ORD-03"),
        ("dorn", "to H5/1: form square", "square is no formation of cavalry", "KS-ORD-06"),
        ("dorn", "to H5/1: march to Kreuzweg in section_column", "no formation of cavalry", "KS-ORD-06"),
        ("asmus", "to 1/I: march to Erlenbruch", "in the swamp", "KS-ORD-04"),
        ("asmus", "to 1/I: march to 2200,2900", "in the water of Lohe", "KS-ORD-04"),
        ("asmus", "to 1/I: march to Tannendickicht", "inside the thick wood", "KS-ORD-04"),
        ("asmus", "to 1/I: march to Nowhere", "is no place of the map", "KS-ORD-02"),
        ("asmus", "to 1/I: march to Steinberg across", "no crossing on that line", "KS-ORD-08"),
        ("asmus", "to 6F3: march to 1500,2400 by weststrasse", "the ford Sandfurt does not take guns", "KS-ORD-09"),
        ("asmus", "to 6F3: march to 1500,2400 by Sandfurt", "the ford Sandfurt does not take guns", "KS-ORD-09"),
        ("asmus", "to 1/I: march to Kreuzweg by Lohe", "no road", "KS-ORD-08"),
        ("asmus", "to 1/II: follow 1/I at 1200", "too far", "KS-ORD-01"),
        ("asmus", "to 1/II: follow 1/II at 100", "is the unit that the order is for", "KS-ORD-01"),
        ("asmus", "to 1/II: cover 1/I", "is no battery", "KS-BAT-06"),
        ("asmus", "to 1/I: shift left 500", "at most 400", "KS-ORD-01"),
        ("asmus", "to 1/I: skirmishers out 13", "12 at most", "KS-FRM-08"),
        ("rehden", "to J1: skirmishers out 4", "3 at most", "KS-FRM-08"),
        ("asmus", "to 1/I: skirmishers out 4 150 ahead", "100, 200 or 300", "KS-FRM-09"),
        ("asmus", "to 6F3: skirmishers out", "is for infantry and cavalry", "KS-ORD-01"),
        ("asmus", "to 1/I: attack", "breaks off", "KS-ORD-11"),
        ("asmus", "to 1/I: attack e3", "no entry of your page", "KS-ORD-02"),
        ("asmus", "to 6F3: attack Dornach", "is for infantry and cavalry", "KS-ORD-01"),
        ("asmus", "to 1/I: charge Dornach", "is for cavalry", "KS-ORD-01"),
        ("dorn", "to H5/1: charge infantry at 2700,5400", "through a light wood", "KS-MOV-13"),
        ("rehden", "to PT: pursue nearest", "is for infantry and cavalry", "KS-ORD-01"),
        ("asmus", "to 1/I: limber", "is for guns", "KS-ORD-01"),
        ("asmus", "to 6F3: prolonge forward 400", "at most 300", "KS-ORD-01"),
        ("asmus", "to 1/I: signal 2", "is for guns", "KS-ORD-01"),
        ("asmus", "to 6F3: signal 5", "from 1 to 4", "KS-MSG-10"),
        ("kessel", "to 3/I: bombard Neuwerk", "has no howitzers", "KS-ORD-07"),
        ("kessel", "to 6F5: bombard Kreuzweg", "no houses", "KS-BOM-01"),
        ("kessel", "to 6F5: breach Lohe at 2320,2070", "is no wall", "KS-ORD-01"),
        ("kessel", "to 3/I: occupy Steinberg", "is no area, line, stronghold or crossing", "KS-ORD-01"),
        ("kessel", "to 6F5: occupy Altenfeld", "guns do not hold houses alone", "KS-ORD-01"),
        ("kessel", "to 3/I: fortify Steinberg", "is no area", "KS-ORD-01"),
        ("kessel", "to 3/I: barricade Altenfeld", "no crossing and no road", "KS-BRG-08"),
        ("kessel", "to 3/I: barricade heerstrasse", "say where on the road", "KS-BRG-08"),
        ("kessel", "to 3/I: clear muehlrode_bridge", "no obstacle is known", "KS-BRG-08"),
        ("kessel", "to 3/I: dig earthwork at 4500,900 facing N length 300", "takes 360 moves", "KS-BRG-10"),
        ("kessel", "to 3/I: build pontoon bridge at 5200,2700", "nothing for a pontoon bridge", "KS-BRG-01"),
        ("rehden", "to PT: build pontoon bridge at Steinberg", "not at the water", "KS-BRG-01"),
        ("rehden", "to PT: build floating bridge at 700,3340", "no town or village", "KS-BRG-02"),
        ("auer", "to PB: prepare Sandfurt for blowing", "is no bridge", "KS-BRG-04"),
        ("auer", "to PB: burn muehlrode_bridge", "does not burn", "KS-BRG-05"),
        ("auer", "to PB: prepare muehlrode_bridge for burning", "does not burn", "KS-BRG-05"),
        ("auer", "to PB: tear up muehlrode_bridge", "not torn up by hand", "KS-BRG-06"),
        ("auer", "to PB: when attacked: blow muehlrode_bridge when relieved", "use two lines", "KS-ORD-11"),
        ("auer", "to 3/F: embark at Kreuzweg to Dornach", "no boats are known", "KS-BOT-01"),
        ("auer", "to 3/F: take boats Kreuzweg to Dornach", "the name of no boats", "KS-BOT-01"),
        ("kessel", "to 6F5: swim to 3000,3050", "is for infantry and cavalry", "KS-ORD-01"),
        ("dorn", "to H5/4: patrol size 12 to Dornach", "there is not", "KS-ORD-01"),
        ("asmus", "to 6F3: patrol size 10 to Dornach", "is for infantry and cavalry", "KS-ORD-01"),
        ("asmus", "to 1/I: detach half right as 1/II", "already in your order of battle", "KS-ORD-01"),
        ("dorn", "to H5: detach squadron 5 as H5x", "has no squadron 5", "KS-ORD-01"),
        ("dorn", "to H5/1: dismount", "only dragoons", "KS-ORD-01"),
        ("auer", "to U3/1: guard left of 3/F at 1100", "too far", "KS-ORD-01"),
        ("auer", "to U3/1: outposts from Galgenberg to Dornach posts 9", "at most 8", "KS-ORD-01"),
        ("asmus", "to 1/I: rally", "on the spot", "KS-CMD-03"),
        ("asmus", "to 1/I: deploy 1/I facing S on 3000,5000", "is no group", "KS-CMD-11"),
        ("asmus", "to brigade_asmus: order of march 1/I, 1/F", "1/F is not of brigade_asmus", "KS-CMD-12"),
        ("asmus", "to brigade_asmus: deploy brigade_asmus in two lines", "facing which way", "KS-CMD-12"),
        ("asmus", "to 1/I: react attacked stay", 'cannot be "stay"', "KS-CMD-08"),
        ("asmus", "to 1/I: react losses retire at 3:2", "retire at P%", "KS-CMD-08"),
        ("asmus", "to 1/I: react victory pursue", "breaks off", "KS-ORD-11"),
        ("asmus", "to 1/I: march to Kreuzweg by heerstrasse at run at march", "stands twice", "KS-ORD-11"),
        ("asmus", "to 1/I: after march: halt", "no order march stands before it", "KS-CMD-15"),
        ("asmus", "to 1/I: after supper: halt", "is no order that could be finished", "KS-ORD-11"),
        ("asmus", "to brigade_asmus: deploy cavalry_dorn facing S on 3000,5000", "is not of it", "KS-ORD-01"),
        ("asmus", "to 1/I: 1/II halt", "is not of it", "KS-ORD-01"),
        ("rehden", "to Asmus: march to Kreuzweg", "say for which unit", "KS-ORD-01"),
        ("rehden", "to higher: halt", "letter higher: text", "KS-MSG-01"),
        ("asmus", "to 1/I: march to Kreuzweg by hagenweg, weststrasse", "do not meet", "KS-ORD-08"),
        ("asmus", "to 1/I: at 25:00: halt", "no time of day", "KS-ORD-05"),
        ("asmus", "wake at 05:00", "is past", "KS-ORD-05"),
        ("asmus", "to 1/I: hold until 05:30", "is past", "KS-ORD-05"),
        ("asmus", "wake off W4", "cannot be switched", "KS-TUR-08"),
        ("asmus", "wake off W14", "no interrupt", "KS-TUR-08"),
        ("asmus", "wake if enemy sings", "is not understood", "KS-ORD-11"),
        ("asmus", "take command of H5", "not of your chain", "KS-CMD-04"),
        ("asmus", "hand 1/F to Dorn", "not under your command", "KS-CMD-04"),
        ("asmus", "offer end", "only the commander-in-chief", "KS-ORD-01"),
        ("asmus", "note drop e4", "no entry of your page", "KS-SIT-08"),
        ("asmus", "cancel paper 3", "no paper 3", "KS-MSG-05"),
        ("asmus", "on arrival: voice 1/I: halt", "does not ride", "KS-CMD-01"),
        ("asmus", "on arrival: ride to Kreuzweg", "he can speak", "KS-CMD-01"),
        ("asmus", "dispatch 1/I copies 3", "one or 2 copies", "KS-MSG-07"),
        ("asmus", "text: alone", "stands in no dispatch", "KS-ORD-11"),
    ],
)  # fmt: skip
def test_what_is_refused(role: str, line: str, why: str, rule: str) -> None:
    found = [one for one in reading(line, mind_of(role)).complaints if one.judgement.refuses]

    assert found, "it was accepted"
    assert any(why in one.why and one.rule == rule for one in found), found


def test_a_refusal_points_at_its_word() -> None:
    (found,) = reading("to 6F3: march to Kreuzweg at gallop", ASMUS).complaints
    assert (found.column, found.width) == (30, 6)

    (found,) = reading("to 1/I: form   attack column on Nowhere", ASMUS).complaints
    assert (found.column, found.width) == (33, 7)


def test_a_word_that_was_mistyped_is_mended() -> None:
    (found,) = reading("to 1/I: mrach to Kreuzweg", ASMUS).complaints

    assert found.instead == "to 1/I: march to Kreuzweg"


def test_what_breaks_off_is_shown_in_full() -> None:
    (found,) = reading("to 1/I: attack", ASMUS).complaints

    assert found.example == "to 1/I: attack Altenfeld in attack_column with bayonet after 4 moves fire"


# ------------------------------------------------------------------ by the page


@pytest.mark.parametrize(("y", "heard"), [(5460, False), (5400, True), (5390, True)])
def test_voice_carries_two_hundred_paces_as_far_as_he_knows(y: int, heard: bool) -> None:
    mind = knowing(under_way("asmus", at=Point(3000, y)), "1/I", 3000, 5200)
    said = refusals("voice 1/I: halt", mind)

    assert said == ([] if heard else [f"{y - 5200} paces, voice carries 200"])


def test_on_arrival_he_may_call_to_whom_he_rides() -> None:
    ride, then = acts("ride to Kreuzweg\non arrival: voice 3/I: form line facing N", BRANDT)

    assert isinstance(ride, RideTo)
    assert isinstance(then, OnArrival)
    assert isinstance(then.then, Voice)
    assert then.then.order.unit == "3/I"


def test_rally_is_called_out() -> None:
    mind = knowing(under_way("asmus", at=Point(3000, 5100)), "1/I", 3000, 5200)

    assert acts("voice 1/I: rally", mind)


def test_a_comrade_too_far_off_gets_a_letter_and_it_is_said() -> None:
    assert doubts("say Dorn: come here", mind_of("rehden", at=Point(3050, 6000))) == []
    (said,) = doubts("say Dorn: come here", mind_of("rehden", at=Point(4051, 5250)))
    assert said == "he was 1001 paces away, and one talks within 1000: it goes as a letter"


@pytest.mark.parametrize(("x", "reached"), [(3620 + 1799, True), (3620 + 1801, False)])
def test_a_target_out_of_range_by_his_page_is_refused(x: int, reached: bool) -> None:
    mind = sighted(knowing(under_way("asmus"), "6F3", 3620, 3900), "e1", x, 3900)

    assert bool(refusals("to 6F3: fire on e1", mind)) is not reached


def test_the_range_counts_from_where_the_paper_leads_the_guns() -> None:
    mind = sighted(knowing(under_way("asmus"), "6F3", 3000, 5900), "e1", 3620, 3000)

    assert refusals("to 6F3: fire on e1", mind)
    assert not refusals("to 6F3: march to Kreuzweg\nto 6F3: fire on e1", mind)
    assert not refusals("to 6F3: when at Kreuzweg: fire on e1", mind)


@pytest.mark.parametrize(("far", "reached"), [(2000, True), (2001, False)])
def test_howitzers_carry_two_thousand_paces(far: int, reached: bool) -> None:
    mind = knowing(under_way("kessel"), "6F5", 4521, 286 + far)

    assert bool(refusals("to 6F5: bombard Altenfeld", mind)) is not reached


@pytest.mark.parametrize(
    ("at", "to", "why"),
    [
        ((2100, 2700), "3300,2700", "no way for infantry on that line: it goes through a swamp"),
        ((4600, 4500), "5400,4500", "it goes through houses"),
        ((4600, 4200), "4200,4200", ""),
        ((3600, 2600), "3600,2900", "churchyard"),
    ],
)
def test_straight_across_is_tried_against_the_map(at: tuple[int, int], to: str, why: str) -> None:
    said = refusals(f"to 3/I: march to {to} across", knowing(under_way("kessel"), "3/I", *at))

    assert any(why in one for one in said) if why else said == []


@pytest.mark.parametrize(("y", "steep"), [(1650, True), (2050, False)])
def test_cavalry_does_not_charge_a_slope_over_ten_degrees(y: int, steep: bool) -> None:
    """The north face of the Steinberg, from its foot to its top."""
    mind = knowing(under_way("auer"), "U3/1", 3350, 2400)

    assert refusals(f"to U3/1: charge infantry at 3350,{y}", mind) == (
        ["cavalry does not charge on that line: it goes over a slope of 12 degrees"] if steep else []
    )


def test_an_attack_of_cavalry_may_go_round_by_the_bridge() -> None:
    mind = knowing(under_way("dorn"), "H5/1", 3620, 3900)

    assert refusals("to H5/1: charge infantry at 3600,2300", mind)
    assert not refusals("to H5/1: attack infantry at 4600,2300", mind)


@pytest.mark.parametrize(("y", "deep"), [(5065, False), (5150, True)])
def test_zugs_go_into_the_edge_of_a_thick_wood_and_no_deeper(y: int, deep: bool) -> None:
    assert bool(refusals(f"to 1/I: skirmishers out 4 toward 5400,{y}", ASMUS)) is deep


def test_a_breach_needs_four_guns_by_his_page() -> None:
    near = knowing(under_way("kessel"), "6F5", 2320, 1700, guns=3)
    assert refusals("to 6F5: breach oberhofmauer at 2320,1950", near) == ["a breach needs 4 guns; 6F5 has 3"]

    near = knowing(under_way("kessel"), "6F5", 2320, 1700, guns=4)
    assert not refusals("to 6F5: breach oberhofmauer at 2320,1950", near)


def test_a_half_that_has_gone_is_not_detached_again() -> None:
    mind = knowing(under_way("kessel"), "3/I", 4500, 900, size="half_battalion")

    assert "no right half" in refusal("to 3/I: detach half right as 3/Ib", mind)


def test_a_retreat_toward_the_enemy_is_doubted_and_stands() -> None:
    mind = sighted(knowing(under_way("rehden"), "1/F", 3300, 4500), "e1", 3620, 3900)

    assert doubts("to 1/F: retire to Kreuzweg", mind) == ["Kreuzweg lies toward the nearest enemy on your page"]
    assert acts("to 1/F: retire to 3050,5200", mind)


def test_a_time_after_the_end_is_doubted() -> None:
    assert doubts("wake at 12:00", REHDEN) == ["12:00 is after the end, 11:00"]


def test_a_bridge_that_he_knows_to_be_gone_is_no_way() -> None:
    gone = dict.fromkeys(("muehlrode_bridge", "neuwerk_bridge"), ("destroyed", 10))

    assert not refusals("to 6F3: march to Steinberg", ASMUS)
    assert refusal("to 6F3: march to Steinberg", mind_of("asmus", crossings=gone)).startswith("no way for guns to")
    assert not refusals("to 1/I: march to Steinberg", mind_of("asmus", crossings=gone))


def test_a_paper_is_cancelled_while_it_is_written() -> None:
    sent = (Sent(1, "1/I", "order", 29, leaves=30), Sent(2, "1/I", "order", 30, leaves=32))
    mind = under_way("asmus", sent=sent)

    assert "no longer being written" in refusal("cancel paper 1", mind)
    assert acts("cancel paper 2", mind)


def test_options_shut_orders_out() -> None:
    assert refusals("to 6F3: signal 2", mind_of("asmus", options=Options(signals=False)))
    assert refusals("to 1/I: words: lure them on", mind_of("asmus", options=Options(orders_in_words=False)))
    near = knowing(under_way("asmus", at=Point(3000, 5100)), "1/I", 3000, 5200)
    assert not refusals("voice 1/I: rally", near)


# ------------------------------------------------------------------ the later of two


def test_of_two_lines_that_cannot_both_be_done_the_later_stands() -> None:
    found = reading(
        "ride to Kreuzweg\nstay\nto 1/F: react attacked stand\nto 1/F: react attacked countercharge", REHDEN
    )

    assert [(one.line, one.judgement) for one in found.complaints] == [
        (1, Judgement.SUPERSEDED), (3, Judgement.SUPERSEDED),
    ]  # fmt: skip
    paper = found.items[-1]
    assert isinstance(paper, Dispatch)
    assert [line.react for line in paper.lines] == [("attacked", "countercharge")]


# ------------------------------------------------------------------ reactions


@pytest.mark.parametrize(
    ("role", "unit", "written", "kept"),
    [
        ("asmus", "1/I", "attacked retire Kreuzweg", ("attacked", "retire 3620,3900")),
        ("asmus", "1/I", "attacked_by_cavalry square", ("attacked_by_cavalry", "square")),
        ("asmus", "1/I", "attacked by cavalry stand", ("attacked_by_cavalry", "stand")),
        ("asmus", "1/I", "skirmishers_attacked fall_back", ("skirmishers_attacked", "fall_back")),
        ("asmus", "1/I", "superior force retire at 3:2", ("superior_force", "retire at 3:2")),
        ("asmus", "1/I", "superior_force retire at 1.5", ("superior_force", "retire at 1.5")),
        ("asmus", "1/I", "losses retire at 20%", ("losses", "retire at 20%")),
        ("asmus", "1/I", "losses retire at 20 %", ("losses", "retire at 20%")),
        ("asmus", "1/I", "losses none", ("losses", "none")),
        ("asmus", "1/I", "victory pursue 3", ("victory", "pursue 3")),
        ("asmus", "1/I", "victory pursue without halt", ("victory", "pursue without halt")),
        ("asmus", "1/I", "defeat retreat to 3050,5200", ("defeat", "retreat to 3050,5200")),
        ("asmus", "1/I", "enemy_seen report_and_halt", ("enemy_seen", "report_and_halt")),
        ("asmus", "1/I", "fire policy hold until 100", ("fire_policy", "hold until 100")),
        ("asmus", "1/I", "lost_contact rejoin", ("lost_contact", "rejoin")),
        ("asmus", "1/I", "messenger_missing repeat", ("messenger_missing", "repeat")),
        ("asmus", "1/I", "prisoners leave", ("prisoners", "leave")),
        ("asmus", "6F3", "attacked until 300", ("attacked", "until 300")),
        ("asmus", "6F3", "attacked withdraw 3050,5200", ("attacked", "withdraw 3050,5200")),
        ("asmus", "6F3", "fired_on shift cover", ("fired_on", "shift cover")),
        ("asmus", "6F3", "fired on retire 200", ("fired_on", "retire 200")),
        ("asmus", "6F3", "fire_policy canister_only", ("fire_policy", "canister_only")),
        ("dorn", "H5", "attacked countercharge", ("attacked", "countercharge")),
        ("dorn", "H5/1", "victory return", ("victory", "return")),
    ],
)
def test_reactions_are_kept_with_their_places_as_points(
    role: str, unit: str, written: str, kept: tuple[str, str]
) -> None:
    (act,) = acts(f"to {unit}: react {written}", mind_of(role))

    assert isinstance(act, Dispatch)
    assert act.lines[0].react == kept
