"""One side's page: it holds what its reader must know, and nothing that he may not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pbem.ground.bearing import COMPASS
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Pause
from pbem.orders.sheet import lines_of
from pbem.resources import resources
from pbem.rules.registry import load
from pbem.rules.telling import WORDS
from pbem.rules.view import Told, View
from pbem.systems.crossroads.page.sentences import gathered, told
from pbem.systems.crossroads.page.telling import TELLERS
from pbem.systems.crossroads.page.view import SENTENCES, clock
from pbem.systems.crossroads.scene.words import card, compass, inches, place
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world.outcomes import FACTS
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.crossroads.ground import field, scene
from tests.systems.play import Game

SIDES = (FRENCH, GERMAN)


@cache
def sheet(name: str) -> str:
    """The orders of a sample, without what says whose they are."""
    folder = resources("campaigns") / "crossroads" / "la-folie" / "sample-orders"
    return (folder / f"{name}.txt").read_text("utf-8").split("\n\n", 1)[1]


@cache
def played(turns: int = 1, scenario: str = "la-folie") -> Game:
    """The first turns, the first by the sample orders."""
    game = Game(load("crossroads"), scenario)
    sheets = {FRENCH: sheet("t1a-french"), GERMAN: sheet("t1a-german")} if scenario == "la-folie" else {}
    game.play(sheets)
    for _ in range(turns - 1):
        for told_so_far in game.told.values():
            told_so_far.clear()
        game.play({})
    return game


@cache
def page(side: Role, turns: int = 1, scenario: str = "la-folie") -> View:
    return played(turns, scenario).page(side)


def words(view: View) -> str:
    """Everything on a page that is read, in one string."""

    def strings(value: object) -> Iterator[str]:
        match value:
            case str():
                yield value
            case dict():
                for one in value.values():
                    yield from strings(one)
            case list() | tuple():
                for one in value:
                    yield from strings(one)

    return "\n".join(strings(msgspec.to_builtins(view)))


def cards(view: View) -> list[Told]:
    return [one for one in view.happened if one.phase == "The cards"]


# ------------------------------------------------------------------ what must be there


def test_every_kind_of_fact_is_told() -> None:
    assert set(TELLERS) == set(FACTS)


@pytest.mark.parametrize("side", SIDES)
def test_every_card_of_the_deck_is_told_once_in_its_order(side: Role) -> None:
    numbers = [
        int(number)
        for one in cards(page(side))
        for number in re.findall(r"\d+", re.split(r"[,:]? (?:red|black|the Joker|Joker)", one.lead)[0])
    ]
    assert numbers == list(range(1, 19))


@pytest.mark.parametrize("side", SIDES)
def test_the_deck_opens_the_turn_with_the_dice_of_its_control(side: Role) -> None:
    [deck] = [one for one in page(side).happened if one.text.startswith("The deck: ")]
    assert deck.phase == "The start of turn 1"
    faces = [face for note in deck.notes for throw in note.dice for face in throw.faces]
    assert deck.notes[0].text == f"French {faces[0]}, German {faces[1]}."
    assert "eight red and eight black cards and two jokers" in deck.text


def test_a_group_that_an_officer_leads_is_one_paragraph_with_what_each_move_cost() -> None:
    [led] = [one for one in cards(page(GERMAN)) if "KO-1, Oberst von Rex, led" in one.text]
    assert "led PR-1, PR-2 and PR-3 on one card: move S 8." in led.text
    assert re.search(r"PR-1 went 8 inches to 52,52\. .*PR-2 went 8 inches to 43,48\. .*PR-3 went 8 inches", led.text)
    costs = [note.text for note in led.notes if "inches to spend" in note.text]
    assert costs[0] == "PR-1: 9 inches to spend; walked 8; 1 left."
    assert len(costs) == 3


@pytest.mark.parametrize("side", SIDES)
def test_dice_and_rules_stand_below_and_not_in_the_text(side: Role) -> None:
    for one in page(side).happened:
        assert "GC-" not in one.text
        assert one.notes, one.text
    volleys = [one for one in cards(page(side)) if re.search(r"\d inches off: \w+ hits?\.", one.text)]
    assert volleys
    for one in volleys:
        assert any(throw.sides == 10 for note in one.notes for throw in note.dice)
        assert any("GC-FIR-02" in note.rules for note in one.notes)


def test_what_became_of_each_line_says_on_which_card() -> None:
    ordered = page(GERMAN).ordered
    assert {one.line for one in ordered} == {
        line.number for line in lines_of(sheet("t1a-german")) if line.text.strip() and line.text[:1] != "#"
    }
    done = [one for one in ordered if one.result == "done"]
    assert done
    assert all(re.fullmatch(r"Carried out on card \d+(, by its (first|second) else)?\.", one.text) for one in done), (
        done
    )
    assert {one.text for one in ordered if one.result == "standing"} == {"In force."}


@pytest.mark.parametrize("side", SIDES)
def test_the_numbers_on_the_map_are_the_cards_of_the_text(side: Role) -> None:
    view = page(side)
    badges = {troop.label: troop.badge.split("·") for troop in view.picture.troops if troop.badge and troop.own}
    assert badges
    for unit, numbers in badges.items():
        for number in numbers:
            assert any(
                re.match(rf"Cards? (?:[\d, and]*\b)?{number}\b", one.lead) and unit in one.lead + one.text
                for one in cards(view)
            ), (unit, number)


@pytest.mark.parametrize("side", SIDES)
def test_the_summary_is_short_and_tells_the_weightiest(side: Role) -> None:
    view = page(side, 3)
    assert len(" ".join(view.brief).split()) <= WORDS
    assert len(view.brief[0].split(". ")) <= SENTENCES + 6
    heaviest = max(view.happened, key=lambda one: one.weight)
    assert view.title == heaviest.headline
    assert len(view.title.split()) <= 7


@pytest.mark.parametrize("side", SIDES)
def test_the_forces_add_up(side: Role) -> None:
    table = page(side, 2).own[0]
    left = [int(row[3].split(" of ")[0]) for row in table.rows]
    lost = [int(row[5]) for row in table.rows]
    assert table.total[3].split(" of ")[0] == str(sum(left))
    assert int(table.total[5]) >= sum(lost)
    assert len(table.rows) == sum(one.side == side and one.stands for one in played(2).world.truth.units.values())


@pytest.mark.parametrize("side", SIDES)
def test_reserves_are_listed_with_the_turn_on_which_they_come(side: Role) -> None:
    due = {unit.id: unit.arrive for unit in scene().units.values() if unit.side == side and unit.arrive}
    coming = page(side).own[1]
    assert {row[1]: int(row[0].removeprefix("turn ")) for row in coming.rows} == due


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", ["la-folie", "golden-bremm", "open-board"])
def test_the_template_gives_no_order_and_reads_without_fault(side: Role, scenario: str) -> None:
    game, view = played(1, scenario), page(side, 1, scenario)
    items, complaints = game.read(side, "\n".join(view.template))
    assert complaints == []
    assert {type(item).__name__ for item in items} <= {"Policy"}


@pytest.mark.parametrize("side", SIDES)
def test_lines_of_the_template_can_be_ordered_as_they_stand(side: Role) -> None:
    game, view = played(), page(side)
    lines = [line.removeprefix("# ") for line in view.template if re.match(r"# [A-Z]{2}-\w+ ", line)]
    assert len(lines) == len(view.own[0].rows)
    items, complaints = game.read(side, "\n".join(lines))
    assert complaints == []
    assert len(items) == len(lines)


@pytest.mark.parametrize("side", SIDES)
def test_halfway_through_the_cards_only_those_who_have_not_acted_are_asked(side: Role) -> None:
    game = Game(load("crossroads"), "la-folie", options={"exchanges_per_turn": 2})
    game.play({})
    view = game.page(side)
    assert view.moment == Moment(1, 1)
    assert view.owed == "second half of turn 1"
    asked = {line.split()[1] for line in view.template if re.match(r"# [A-Z]{2}-\w+ ", line)}
    units = [unit for unit in game.world.truth.units.values() if unit.side == side and unit.stands]
    assert asked == {unit.id for unit in units if not unit.acted}
    assert len(asked) < len(units)
    lines = [line.removeprefix("# ") for line in view.template if re.match(r"# [A-Z]{2}-\w+ ", line)]
    assert game.read(side, "\n".join(lines))[1] == []


def test_the_clock_runs_ten_minutes_a_turn() -> None:
    assert [clock(scene(), turn) for turn in (0, 1, 2, 10)] == ["14:00", "14:00", "14:10", "15:30"]
    assert "14:00. The first turn of ten." in page(GERMAN).dateline


def test_the_last_turn_says_who_has_won_and_for_what() -> None:
    game = played(6, "golden-bremm")
    assert game.over
    for side in SIDES:
        view = page(side, 6, "golden-bremm")
        assert view.over
        assert view.title in ("The battle is won", "The battle is lost", "The battle is drawn")
        [counted] = [one for one in view.happened if one.tables]
        points = {
            name: sum(int(row[2]) for row in counted.tables[0].rows if row[0] == name) for name in ("French", "German")
        }
        assert counted.text == f"French {points['French']}, German {points['German']}."


SAMPLES = [
    path
    for scenario in ("la-folie", "golden-bremm")
    for path in sorted((resources("campaigns") / "crossroads" / scenario / "sample-orders").iterdir())
]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_sample_orders_are_read_without_fault(path: Path) -> None:
    head, orders = path.read_text("utf-8").split("\n\n", 1)
    scenario, role, turn = (line.split()[1] for line in head.splitlines())
    game = Game(load("crossroads"), scenario)
    call = game.pause.call(Role(role)) if turn == "1" else None
    mind = game.world.minds[Role(role)]
    reading = game.system.read(game.scene, lines_of(orders), mind, Role(role), call)
    assert list(reading.complaints) == []
    assert reading.items


# ------------------------------------------------------------------ what must not


def hidden(game: Game, side: Role) -> list[str]:
    """The names of enemies that a side has not identified."""
    known = game.world.truth.watch[side].identified
    return [
        unit.name
        for unit in game.world.truth.units.values()
        if unit.side != side and unit.id not in known and unit.name
    ]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_no_enemy_is_named_who_has_not_been_identified(side: Role, turns: int) -> None:
    game, text = played(turns), words(page(side, turns))
    for name in hidden(game, side):
        assert not re.search(rf"(?<!I){re.escape(name)}", text), name


@pytest.mark.parametrize("side", SIDES)
def test_the_orders_of_the_enemy_are_not_told(side: Role) -> None:
    other = sheet("t1a-german" if side == FRENCH else "t1a-french")
    text = words(page(side))
    for line in other.splitlines():
        if line.strip() and not line.startswith("#"):
            assert line.strip() not in text


@pytest.mark.parametrize("side", SIDES)
def test_the_faces_of_enemy_cards_are_told_only_of_known_units(side: Role) -> None:
    game = played()
    for one in cards(page(side)):
        faces = [note.text for note in one.notes if re.match(r"The (ace|\d+|jack|queen|king) of", note.text)]
        if faces and ("red" if side == GERMAN else "black") in one.lead:
            unit = re.search(r": ([A-Z]{2}-\w+),", one.lead)
            assert unit is not None, one.lead
            assert unit[1] in game.world.truth.watch[side].identified


# ------------------------------------------------------------------ sentences


def test_cards_of_which_nothing_is_known_are_told_together() -> None:
    battle = field().battle
    unseen = [o.CardTurned(turn=1, seq=seq, side=FRENCH, phase="card") for seq in (3, 4, 6)]
    lines = [replace(told(fact, battle, "?", lead=f"Card {fact.seq}").opening(), colour="red") for fact in unseen]
    [one] = gathered(lines)
    assert (one.lead, one.text) == ("Cards 3, 4 and 6, red.", "Units that you do not see.")


def test_a_fact_that_follows_joins_its_card_and_the_heaviest_makes_the_headline() -> None:
    battle = field().battle
    turned = o.CardTurned(turn=1, seq=2, side=GERMAN, unit="PR-1", phase="card")
    [one] = gathered(
        [
            replace(told(turned, battle, "", lead="Card 2.").opening(), colour="black"),
            replace(told(turned, battle, "PR-1 stood."), stood="PR-1"),
            told(turned, battle, "FR-4 surrenders.", weight=7, headline="FR-4 surrenders"),
        ]
    )
    assert (one.text, one.weight, one.headline) == ("PR-1 stood. FR-4 surrenders.", 7, "FR-4 surrenders")
    assert one.colour == ""


@pytest.mark.parametrize("degrees", range(0, 360, 5))
def test_a_bearing_is_named_by_the_nearest_of_sixteen_points(degrees: int) -> None:
    named = COMPASS.index(compass(degrees)) * 22.5
    assert min(abs(named - degrees), 360 - abs(named - degrees)) <= 11.25


def test_lengths_places_and_cards_in_words() -> None:
    assert [inches(one) for one in (10, 45, 90, 0)] == ["1 inch", "4.5 inches", "9 inches", "0 inches"]
    assert place(field().unit("PR-1").pos or (0, 0)) == "52,60"  # type: ignore[arg-type]  # it stands
    assert [card(one) for one in ("H1", "D11", "S13", "C10b", "Joker")] == [
        *("ace of hearts", "jack of diamonds", "king of spades", "10 of clubs (second pack)", "Joker"),
    ]


def test_a_page_at_the_beginning_says_that_both_stand_as_they_came() -> None:
    game = Game(load("crossroads"), "la-folie")
    view = game.page(GERMAN)
    assert view.brief == ("Both sides stand as they came.",)
    assert view.title == "Turn 1"
    assert view.owed == "orders for turn 1"
    assert view.picture.tracks == ()
    assert game.pause == Pause(moment=Moment(1, 1), name="orders for turn 1", calls=game.pause.calls)
