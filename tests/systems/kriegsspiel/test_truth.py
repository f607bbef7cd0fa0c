"""The umpire's page: what is so beside what is believed; and that no page of a player holds any of it."""

from __future__ import annotations

import re

import msgspec
import pytest

from pbem.ground.bearing import COMPASS
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.orders.sheet import lines_of
from pbem.reports.pages.environment import environment
from pbem.reports.pages.umpire import UmpirePage, umpire_html
from pbem.reports.plane import ground as planeground
from pbem.resources import resources
from pbem.rules import registry
from pbem.rules.view import View
from pbem.systems.kriegsspiel import SYSTEM
from pbem.systems.kriegsspiel.gm import truth_told
from pbem.systems.kriegsspiel.gm.truth_map import papers_on_the_road
from pbem.systems.kriegsspiel.page.telling import paper_words
from pbem.systems.kriegsspiel.world import outcomes_knowledge
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.outcomes import FACTS, PaperBegun, PaperDeparted
from tests.systems.play import Game

SAMPLES = resources("campaigns") / "kriegsspiel" / "kreuzweg" / "sample-orders"
HEADS = ("game", "role", "turn")


@pytest.fixture(scope="module")
def played() -> Game:
    """The crossroads after its first run, by the sample orders."""
    game = Game(registry.load("kriegsspiel"), "kreuzweg")
    for exchange in ("s1", "t1a"):
        sheets = {role: (SAMPLES / f"{exchange}-{role}.txt").read_text() for role in game.roles}
        game.play(
            {
                role: "\n".join(line for line in text.splitlines() if not line.startswith(HEADS))
                for role, text in sheets.items()
            }
        )
    return game


@pytest.fixture(scope="module")
def page(played: Game) -> View:
    """The umpire's page of it."""
    assert played.system.umpire is not None
    return played.system.umpire(played.scene, played.world, (), played.facts, Moment(1))


def _table(page: View, caption: str) -> list[dict[str, str]]:
    [table] = [one for one in (*page.own, *page.enemy) if one.caption == caption]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_every_body_and_commander_of_both_sides_is_on_its_map(played: Game, page: View) -> None:
    war = played.world.truth
    labels = {troop.label for troop in page.picture.troops}

    assert labels >= {unit.id for unit in war.units.values() if unit.place.stand == "map"}
    assert labels >= {"Asmus", "Kessel"}


def test_its_entries_name_the_true_body_and_how_far_off_they_are(played: Game, page: View) -> None:
    for role, enemy in (("asmus", "blue"), ("kessel", "red")):
        entries = played.world.minds[Role(role)].entries
        rows = _table(page, f"{role}: the enemy as he has him, and as he is")
        assert [row["Entry"] for row in rows] == list(entries)
        seen = [row for row in rows if row["Source"] != "umpire"]
        assert seen
        assert all(row["Truly"].startswith(f"{enemy} ") for row in seen)
        assert all(row["Place wrong by"].endswith(" paces") for row in seen)


def test_its_troops_stand_where_they_truly_do(played: Game, page: View) -> None:
    rows = _table(page, "asmus: his own side as he has it, and as it is")

    assert rows
    for row in rows:
        at = played.world.truth.units[f"red:{row['Unit']}"].place.at
        assert row["Truly at"] == f"{at.x},{at.y}"


def test_papers_on_the_road_are_there_word_for_word(played: Game, page: View) -> None:
    rows = _table(page, "Papers that are not done with")

    assert len(rows) == len(played.world.truth.papers)
    assert all(row["Words"] or row["Paper"].startswith("receipt") for row in rows)


def test_who_sent_what_to_whom_and_when_is_told_in_words(played: Game) -> None:
    assert SYSTEM.umpire is not None
    whole = SYSTEM.umpire(
        played.scene, played.world, (), [one for one in played.facts if isinstance(one, Fact)], Moment(1)
    )
    told = [one for one in whole.happened if one.lead in ("Papers.", "Paper captured.")]
    said = " ".join(one.text for one in told)

    assert told
    assert all(one.text for one in told)
    assert not re.search(r"\bpaper \d+", said)
    begun = [fact for fact in played.facts if isinstance(fact, PaperBegun)]
    assert begun
    for fact in begun:
        assert fact.changes is not None
        paper = next(one for one in fact.changes.papers if one.id == fact.message_id)
        assert f"writes order {paper.no} to " in said
        written = paper_words(played.scene, paper.lines, paper.text).removesuffix(".")
        assert f"“{written}”" in said
    left = [fact for fact in played.facts if isinstance(fact, PaperDeparted)]
    assert said.count("A bearer sets out with ") == len(left) > 0


def test_what_happened_is_told_move_by_move_with_the_rules_of_each(played: Game, page: View) -> None:
    phases = list(dict.fromkeys(told.phase for told in page.happened))
    clock = played.world.truth.clock

    assert phases[-1].endswith(f"move {clock.move}")
    marched = [told for told in page.happened if told.lead == "Marches."]
    assert marched
    assert all(note.rules for told in marched for note in told.notes)


def test_sightings_say_their_rules_where_they_change(page: View) -> None:
    sighted = [told for told in page.happened if told.lead == "Sightings."]

    assert all(told.notes[0].rules for told in sighted)
    assert any(len(told.notes) > 1 and not told.notes[1].rules for told in sighted)


def test_the_ground_is_drawn_once_on_the_page(played: Game, page: View) -> None:
    views = tuple(played.page(role) for role in played.roles)
    umpires = UmpirePage(
        campaign=CampaignId("c"), title="T", rules="r", moment=Moment(1), zone="UTC", now=0, truth=page, views=views
    )
    html = umpire_html(umpires, environment(resources("templates")))
    drawn = planeground.ground(page.picture, "truth")

    assert html.count(drawn) == 1
    assert html.count('<g id="truth-ground">') == 1
    assert html.count('<use href="#truth-ground"/>') == len(views)


def test_every_kind_of_truth_can_be_told() -> None:
    told = {kind for kinds in (*truth_told.TOGETHER.values(), truth_told.ALONE) for kind in kinds}

    assert told <= {*FACTS}
    assert not {kind for kind in told if kind.__module__ == outcomes_knowledge.__name__}


def test_a_body_that_no_commander_knows_of_is_said_to_be_unknown(played: Game, page: View) -> None:
    war = played.world.truth
    for role, enemy in (("asmus", "blue"), ("kessel", "red")):
        [table] = [one for one in page.enemy if one.caption.startswith(f"{role}: the enemy")]
        known = " ".join(row[2] for row in table.rows)
        for unit in war.units.values():
            if unit.side == enemy and unit.place.stand == "map":
                assert f"{enemy} {unit.id}:" in known or unit.id in table.note


def test_what_stands_in_it_stands_on_no_page_of_a_player(played: Game, page: View) -> None:
    assert page.role not in played.roles
    for role in played.roles:
        written = msgspec.json.encode(played.page(role)).decode()
        assert page.title not in written
        for paper in played.world.truth.papers.values():
            if paper.side != played.world.minds[role].side and paper.text:
                assert paper.text not in written


def test_riders_are_on_its_map_without_a_label(played: Game, page: View) -> None:
    riders = [troop for troop in page.picture.troops if troop.arm == "rider" and not troop.label]

    assert len(riders) == len(papers_on_the_road(played.world.truth))
    assert not page.picture.tracks


def test_fronts_are_told_as_points_of_the_compass(played: Game) -> None:
    facts = [fact for fact in played.facts if isinstance(fact, Fact)]
    told = truth_told.happened(played.scene, facts, Moment(1), {})
    fronts = [found for one in told for found in re.findall(r"facing (\S+)", one.text)]

    assert fronts
    assert all(front.rstrip(";.") in COMPASS for front in fronts)


# ------------------------------------------------------------------ who are nearest to each other

NEAREST = """
place red 1/F at 6000,600 facing E in line
place blue 3/I at 6500,600 facing W in line
"""


def umpires(ruled: str) -> View:
    """The umpire's page of Muehlrode at its opening, ruled so."""
    game = Game(SYSTEM, "muehlrode")
    game.play({})
    for line in ruled.strip().splitlines():
        reading = SYSTEM.direct(game.scene, game.world, lines_of(line), {})
        assert not reading.complaints
        game.add(reading.items)
    assert SYSTEM.umpire is not None
    return SYSTEM.umpire(game.scene, game.world, (), (), Moment(1))


@pytest.mark.parametrize(
    "nearer",
    [
        "new blue PX line picket10 at 6200,600 facing W in line under kessel\nset blue PX duty.parent 3/I",
        "place blue 3/II at 6200,600 facing W in line\nset blue 3/II place.stand off",
    ],
    ids=["a detachment", "a body that is off the map"],
)
def test_the_nearest_are_the_nearest_formed_bodies_on_the_map(nearer: str) -> None:
    page = umpires(f"{NEAREST}{nearer}")

    assert any("red 1/F and blue 3/I are nearest to each other: 500 paces." in line for line in page.brief)
    assert page.picture.focus is not None
    left, _, right, _ = page.picture.focus
    assert left + right == 6000 + 6500
