"""A commander's page: what became of his lines, how far play goes on, and what is told first."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from pbem.ground.plane import Point
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import Option
from pbem.kernel.owed import Call, Pause
from pbem.reports.pages.environment import environment
from pbem.reports.pages.report import Page, report_html
from pbem.resources import resources
from pbem.rules.view import Told, View
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.page.ordered import ordered, told_of
from pbem.systems.kriegsspiel.page.view import view
from pbem.systems.kriegsspiel.scene.wording import body_form, order_text, who
from pbem.systems.kriegsspiel.scene.words import condition_words, spot_words, wake_words
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Tiding
from pbem.systems.kriegsspiel.world.mind import Comrade, Entry, Known, Mind
from pbem.systems.kriegsspiel.world.orders import Condition, Spot
from pbem.systems.kriegsspiel.world.outcomes_knowledge import SheetTaken, Taken
from tests.systems.kriegsspiel.minds import doubts, knowing, mind_of, opening, under_way
from tests.systems.play import Game

ASMUS, DORN = Role("asmus"), Role("dorn")


SCENE = opening("muehlrode")[0]


def page_of(mind: Mind) -> View:
    """The page of a commander who may give orders, with nothing told."""
    pause = Pause(moment=Moment(2), name="", calls=(Call(role=mind.role, sorts=("orders",)),))
    return view(SCENE, mind, mind.role, (), pause)


def game(scenario: str = "kreuzweg", **options: Option) -> Game:
    """A game before its first move."""
    return Game(SYSTEM, scenario, options=options)


def of_line(told: tuple[Told, ...]) -> dict[tuple[str, int], tuple[str | None, str]]:
    """What became of each line, by the moment of the sheet and its number."""
    return {(str(one.moment), one.line): (one.result, one.text) for one in told}


# ------------------------------------------------------------------ his orders


def test_every_line_that_he_sent_stands_there_with_what_he_can_know_of_it() -> None:
    played = game("muehlrode")
    played.play({})
    sheet = (
        "voice H5/1: march to Kreuzweg\nto H5/2: march to Kreuzweg\nto H5/2: then halt\nletter asmus: come\n"
        "say rehden: I go\nwake at 09:30\nride to Kreuzweg"
    )
    assert not played.read(DORN, sheet)[1]
    played.play({DORN: sheet})
    page = played.page(DORN)
    found = of_line(page.ordered)

    assert [line for _, line in found] == [1, 2, 3, 4, 5, 6, 7]
    assert {moment for moment, _ in found} == {"1A"}
    assert found["1A", 1] == ("given", "Said to H5/1, which obeys in the next move.")
    assert found["1A", 2][0] == "sent"
    assert found["1A", 2][1].startswith("Paper 1 to H5/2: ")
    assert found["1A", 3] == found["1A", 2]
    assert found["1A", 4][1].startswith("Paper 2 to Colonel Asmus: ")
    assert found["1A", 5] == ("done", "You said it to Major-General von Rehden.")
    assert found["1A", 6] == ("standing", "In force.")
    assert found["1A", 7][0] in ("standing", "done", "in part")
    assert not {"sent", "given"} & {one.result for one in page.happened}


def test_a_sheet_of_a_halt_stands_under_its_halt_and_the_later_ride_in_the_place_of_the_first() -> None:
    played = game("muehlrode")
    played.play({})
    clock = played.scene.clock
    played.play({DORN: f"wake at {clock(2)}\nride to Kreuzweg"})
    while played.pause.call(DORN) is None:
        played.play({})
    halt = str(played.pause.moment)
    played.play({DORN: "stay"})
    while played.pause.moment.halt:
        played.play({})
    found = of_line(played.page(DORN).ordered)

    assert found["1A", 2] == ("superseded", "A later line of yours took its place.")
    assert found[halt, 1][0] == "done"


def test_the_lines_of_the_dispositions_are_told_with_the_first_page() -> None:
    played = game()
    played.play({ASMUS: "intention: to hold the crossroads\nto 1/F: march to Kreuzweg"})

    assert of_line(played.page(ASMUS).ordered) == {
        ("S1", 1): ("done", "The umpire has it."), ("S1", 2): ("given", "Known to 1/F at the opening."),
    }  # fmt: skip


def test_what_cannot_be_done_is_not_carried_out_and_the_reason_stands_there() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: "ride to 3000,6000\non arrival: voice H5/1: halt"})
    while played.pause.moment.halt:
        played.play({})
    page = played.page(DORN)

    assert of_line(page.ordered)["1A", 2] == ("not carried out", "“halt”: not within voice.")
    assert any(one.lead == "Not done." for one in page.happened)


def test_what_he_meant_to_do_at_the_end_of_a_ride_that_was_cut_off_is_not_carried_out() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: "ride to Kreuzweg\non arrival: voice H5/4: halt"})
    played.play({})

    assert ("not carried out", "The enemy barred your way.") in of_line(played.page(DORN).ordered).values()


def test_a_commander_who_is_down_is_told_that_nothing_was_done() -> None:
    told = told_of(SheetTaken(lines=(Taken(3, "nothing", why="you can give no orders"),)), under_way("dorn"))

    assert of_line(ordered(opening("muehlrode")[0], under_way("dorn"), told)) == {
        ("S1", 3): ("not carried out", "You can give no orders."),
    }  # fmt: skip


# ------------------------------------------------------------------ how far play goes on


def minutes(text: str) -> int:
    """A clock in minutes."""
    hours, past = text.split(":")
    return int(hours) * 60 + int(past)


@pytest.mark.parametrize(
    ("options", "moves"),
    [({}, 15), ({"turn_moves": 10}, 10), ({"interrupts": "off"}, 15), ({"interrupts": "shared"}, 15)],
)
def test_the_page_says_to_what_hour_play_goes_on_from_where_it_stands(options: dict[str, Option], moves: int) -> None:
    played = game("muehlrode", **options)
    assert played.page(DORN).next == "Play opens."
    for _ in range(3):
        played.play({})
        played.settle(DORN)
        mind = played.world.minds[DORN]
        if played.over:
            return
        page = played.page(DORN)
        found = re.search(r"(\d+) moves are played, to (\d\d:\d\d)", page.next)
        assert found is not None, page.next
        begun = mind.run_from if played.pause.moment.halt else mind.move + 1
        assert int(found[1]) == begun + moves - 1 - mind.move
        assert minutes(found[2]) == minutes(played.scene.clock(mind.move)) + 2 * int(found[1])


def test_at_a_halt_it_is_the_rest_of_the_run() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: f"wake at {played.scene.clock(3)}"})

    while played.pause.call(DORN) is None:
        played.play({})
    assert played.pause.moment == Moment(1, 1, 5)
    assert played.page(DORN).next.startswith(f"10 moves are played, to {played.scene.clock(15)}")


# ------------------------------------------------------------------ words


def test_the_figures_at_the_top_count_his_own_troops_and_those_still_to_come() -> None:
    mind = knowing(under_way("rehden", turn=1, near=("dorn",)), "1/F", 3000, 5700, seen=30)
    mind = replace(mind, own={**mind.own, "X": Known(OwnState("X", 30, Point(0, 0), "X"), 30, in_sight=True)})
    fact = page_of(mind).strip[1]
    still = sum(name in mind.entry_of and name not in mind.own for name in mind.command)
    there = len([name for name in mind.command if name in mind.own])

    assert "X" not in mind.command
    assert (fact.label, fact.figure) == ("Your troops", f"0 of {there} in sight")
    assert fact.note == f"{still} still to come; you can talk to Dorn"
    assert page_of(replace(mind, near=())).strip[1].note.endswith("no commander is near enough to talk to")


def test_who_is_within_call_can_be_talked_to_and_nobody_else() -> None:
    mind = under_way("rehden", at=Point(3000, 5700))
    comrades = {"dorn": Comrade("dorn", Point(3000, 4000), mind.move), "asmus": Comrade("asmus", Point(3000, 5600), 2)}
    mind = replace(mind, comrades=comrades, near=("dorn",))
    lines = page_of(mind).template

    assert any(line.startswith("# say Dorn: TEXT") for line in lines)
    assert any(line.startswith("# letter Asmus: TEXT") for line in lines)
    assert doubts("say Dorn: come", mind) == []
    assert doubts("say Asmus: come", mind) == ["he is not within call, and one talks within 1000: it goes as a letter"]


def test_before_the_first_move_no_voice_is_offered() -> None:
    mind = mind_of("dorn")
    call = Call(role=DORN, sorts=("setup", "orders"))
    lines = view(SCENE, mind, DORN, (), Pause(moment=Moment(0, 1), name="", calls=(call,))).template

    assert any(line.startswith("# to H5/1: ...") for line in lines)
    assert not any(line.startswith("# voice") for line in lines)


@pytest.mark.parametrize(
    ("size", "called"), [("staff", "staff officer"), ("picket25", "patrol of 25"), ("troop10", "patrol of 10")]
)
def test_a_body_without_a_formation_is_called_by_what_it_is(size: str, called: str) -> None:
    state = OwnState("N", 1, Point(0, 0), "N", formation="line", size=size)
    mind = replace(under_way("dorn"), own={"N": Known(state, 30)}, command=("N",))
    made = page_of(mind)

    assert body_form(state) == called
    assert made.own[0].rows[0][1] == called
    assert any(f"N, {called}, " in words for _, words in made.picture.words)


def test_freed_prisoners_say_what_they_are() -> None:
    assert body_form(OwnState("freed1", 1, Point(0, 0), "", formation="line", size="remnant")) == "freed prisoners"


def test_a_thing_too_far_off_has_one_name_everywhere() -> None:
    tiding = Tiding("a", "unknown", 30, Point(4500, 700), "own eyes", blocks=1)
    mind = replace(under_way("rehden"), entries={"e1": Entry("e1", tiding, 30, 30, in_sight=True)})
    made = page_of(mind)

    assert made.enemy[0].rows[0][1] == "A dark mass in dust, about one block"
    assert any("e1: a dark mass in dust, " in line for line in made.template)
    assert any("e1: a dark mass in dust, " in words for _, words in made.picture.words)


def test_ids_are_told_as_the_names_of_the_map() -> None:
    scene = SCENE
    crossing = next(iter(scene.chart.crossings.values()))
    name = crossing.name.partition("(")[0].strip()

    assert order_text(scene, f"march to {crossing.id} in attack_column") == f"march to {name} in attack column"
    assert spot_words(scene, Spot(Point(0, 0), "kreuzweg")) == "Kreuzweg"
    assert spot_words(scene, Spot(Point(0, 0), "4500,700")) == "4500,700"
    assert who(opening("weldau")[0], "lindau") == "General von Lindau"


def test_a_wake_tells_of_him_and_not_of_it() -> None:
    near = Condition("enemy_within", number=600)

    assert wake_words(SCENE, near) == "an enemy is within 600 paces of you"
    assert wake_words(SCENE, Condition("not", parts=(near,))) == "not (an enemy is within 600 paces of you)"
    assert condition_words(SCENE, near) == "an enemy is within 600 paces of it"


def test_a_paper_leaves_at_the_hour_that_was_said_when_it_was_written() -> None:
    played = game("muehlrode")
    played.play({})
    played.play({DORN: "to H5/2: halt"})
    played.settle(DORN)
    (sent,) = played.world.minds[DORN].sent

    texts = [line.text for line in played.told[DORN] if line.lead == "Papers."]
    assert texts[0] == f"Your paper 1 to H5/2 left at {played.scene.clock(sent.leaves - 1)}."


def test_the_first_page_says_how_many_of_his_troops_are_on_the_field() -> None:
    played = game("weldau")
    page = played.page(Role("stahr"))

    assert (page.strip[1].figure, page.strip[1].note) == ("8 on the field", "7 still to come")
    assert page.brief[0] == "What you know at the opening stands below."


@pytest.mark.parametrize("width", [390, 1200])
def test_what_is_told_before_the_first_move_does_not_run_into_its_heading(chromium: Browser, width: int) -> None:
    page = Page(
        view=game("weldau").page(Role("stahr")), campaign=CampaignId("weldau-1"), title="Weldau",
        system="kriegsspiel", rules="kriegsspiel 1", zone="Europe/Berlin", now=0,
    )  # fmt: skip
    shown = chromium.new_page(viewport={"width": width, "height": 900})
    shown.set_content(report_html(page, environment(resources("templates"), None)))
    over = shown.evaluate(
        """() => [...document.querySelectorAll('ol.diary > li')].filter(li => {
            const range = document.createRange();
            range.selectNodeContents(li.querySelector('time'));
            const head = range.getBoundingClientRect(), text = li.querySelector('div').getBoundingClientRect();
            return head.right > text.left && head.bottom > text.top + 1;
        }).length"""
    )
    shown.close()

    assert over == 0
