"""One side's page: it holds what its reader must know, and nothing that he may not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.ground.honeycomb import middle
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import lines_of
from pbem.rules.registry import load
from pbem.rules.view import Table, Told, View
from pbem.systems.empire_1870.page.gathering import gathered
from pbem.systems.empire_1870.page.sentences import Line, Passage
from pbem.systems.empire_1870.page.telling import tell
from pbem.systems.empire_1870.scene.words import days
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.outcomes_combat import CombatJoined, CombatResolved, HqCasualtyCheck
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, SIDES
from tests.systems.play import Game

FRENCH_SHEET = """
MOBILIZE 1SP AT Paris
ACT F3
  SELF 10SP MARCH 2207
END
DIV 2107 3SP MARCH RAIL 2107 TO Chalons
DIV 2407 3SP MARCH 2406 IF ENEMY IN 2407 ELSE WAIT
DIV 2513 3SP MARCH 2512 IF ENEMY IN 2512
PASS
DIV 2108 3SP MARCH 2109
"""
GERMAN_SHEET = """
MOBILIZE 2SP AT Mainz
REACT ARTILLERY ATTACK NEVER
ACT A1
  SUB G8
    SELF 8SP MARCH 2306 ATTACK
  END
  SELF 12SP MARCH 2405
END
ACT A2
  SELF 12SP MARCH 2404 2405
END
ACT G12
  SELF 8SP MARCH 2805
END
"""


@cache
def played(fog: str = "inspect", pulses: int = 2, exchanges: int = 1, german_setup: str = "") -> Game:
    """The first exchanges of the war, with the same sheets and the same luck."""
    game = Game(load("empire-1870"), "france-1870", options={"fog": fog, "pulses": pulses})
    game.play({})
    game.play({GERMAN: german_setup})
    game.play({FRENCH: FRENCH_SHEET, GERMAN: GERMAN_SHEET})
    for _ in range(exchanges - 1):
        game.play({})
    return game


def paragraphs(view: View, begins: str) -> list[Told]:
    """What happened under a lead or with a text that begins so."""
    return [one for one in view.happened if one.lead.startswith(begins) or one.text.startswith(begins)]


def table(tables: tuple[Table, ...], caption: str) -> Table:
    """The table whose caption begins so."""
    return next(one for one in tables if one.caption.startswith(caption))


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


# ------------------------------------------------------------------ what must be there


@pytest.mark.parametrize("side", SIDES)
def test_activations_stand_in_their_order_each_with_the_dice_of_its_initiative(side: Role) -> None:
    view = played().page(side)
    heads = [int(found[1]) for one in view.happened if (found := re.search(r"activation (\d+)", one.phase))]
    assert heads == sorted(heads)
    assert heads[0] == 1
    assert heads[-1] >= 5
    thrown = [one for one in view.happened if "initiative:" in one.lead]
    for one in thrown:
        faces = [face for note in one.notes for throw in note.dice for face in throw.faces]
        assert one.text.startswith(f"French {faces[0]}, German {faces[1]}")


def test_the_steps_of_a_march_are_one_sentence_with_their_costs_beneath() -> None:
    [march] = paragraphs(played().page(GERMAN), "A2 with 12 SP went")
    assert march.text.startswith("A2 with 12 SP went from Kaiserslautern 2504 by 2404 to Zweibruecken 2405: 2 of 5 MP.")
    costs = [note for note in march.notes if note.text.startswith("To ")]
    assert [note.text for note in costs] == ["To 2404: clear 1; 1 MP.", "To Zweibruecken 2405: clear 1; 1 MP."]
    assert all("WE-MOV-02" in note.rules for note in costs)


def test_a_march_goes_on_only_where_the_same_force_stopped() -> None:
    def went(who: str, *hexes: Hex) -> Line:
        return Line(moment=Moment(1, 1), phase="", text=who, passage=Passage(who, GERMAN, hexes, 1, 5))

    start, middle, end = Hex("2504"), Hex("2404"), Hex("2405")
    scene = played().scene

    assert len(gathered(scene, [went("A2", start, middle), went("A2", middle, end)])) == 1
    assert len(gathered(scene, [went("A2", start, middle), went("G8", middle, end)])) == 2
    assert len(gathered(scene, [went("A2", start, middle), went("A2", start, middle)])) == 2


def test_the_costs_of_french_stacks_are_told() -> None:
    [march] = paragraphs(played().page(FRENCH), "F3 with 10 SP went")
    assert march.notes[0].text == "To Faulquemont 2207: clear 1, into friends 1, out of friends 1; 3 MP."
    assert "WE-MOV-03" in march.notes[0].rules


@pytest.mark.parametrize("side", SIDES)
def test_a_battle_has_a_box_with_both_sides_and_the_rule_of_every_factor(side: Role) -> None:
    [battle] = paragraphs(played().page(side), "March combat at Saarbruecken 2306")
    [box] = battle.tables
    assert box.columns == ("Factor", "German", "French")
    assert box.caption.endswith(": German attack")
    rows = {row[0].partition(" (")[0]: row for row in box.rows}
    assert rows["HQs"][1:3] == ("G8", "F2")
    assert rows["Halved: march combat"][0].endswith("(WE-MCB-01)")
    assert rows["Ground"][2] == "town"
    assert rows["Total"][2] == "10"
    assert rows["HQ G8"] == ("HQ G8 (WE-HQ-01)", "+2", "–")
    assert rows["HQ F2"] == ("HQ F2 (WE-HQ-01)", "–", "+2")
    named = list(rows)
    wanted = ["Total", "Ratio", "CRM", "HQ G8", "Final DRM", "Dice", "FCS", "Won by", "LP", "SP after"]
    assert [name for name in named if name in wanted] == wanted
    assert all("(WE-" in row[0] for row in box.rows if row[0] != "HQs")
    scores = [int(rows["FCS"][at]) for at in (1, 2)]
    dice = [sum(map(int, rows["Dice"][at].split(" + "))) for at in (1, 2)]
    drms = [int(rows["Final DRM"][at].replace("−", "-")) for at in (1, 2)]
    assert scores == [thrown + drm for thrown, drm in zip(dice, drms, strict=True)]


@pytest.mark.parametrize("side", SIDES)
def test_a_fire_tells_firers_column_shifts_dice_and_losses(side: Role) -> None:
    fire = paragraphs(played().page(side), "Chassepot fire.")[0]
    assert fire.text.startswith("13 French SP at Saarbruecken 2306 and Sarreguemines 2406 fired at 8 SP")
    [box] = fire.tables
    rows = {row[0].partition(" (")[0]: row[1] for row in box.rows}
    assert rows["SP at Saarbruecken 2306"] == "10"
    assert rows["SP at Sarreguemines 2406"] == "3"
    assert rows["13 SP: column, up to 14 SP"] == rows["Column used"] == "4"
    assert any(name.startswith("Dice ") for name in rows)


def test_the_account_of_resource_points_comes_out() -> None:
    game = played()
    account = table(game.page(FRENCH).own, "Resource points in turn 1")
    rows = {name: int(points.replace("−", "-")) for name, points in account.rows}
    assert rows["Held at the beginning"] == 25
    assert rows["Collected"] == 10
    assert rows["Mobilization"] == -2
    assert rows["Railway"] == -3
    assert sum(rows.values()) == int(account.total[1]) == game.world.truth.resource_points[FRENCH]


def test_the_account_of_a_turn_goes_on_in_its_second_exchange() -> None:
    account = table(played(exchanges=2).page(FRENCH).own, "Resource points in turn 1")
    assert account.rows[0] == ("Held at the beginning", "25")


@pytest.mark.parametrize("side", SIDES)
def test_the_track_of_victory_gives_each_move_and_its_reason(side: Role) -> None:
    game = played()
    track = table(game.page(side).score, "National morale of the Empire")
    moves = [(reason, int(change.replace("−", "-")), int(vp)) for reason, change, vp in track.rows]
    assert moves[0][0] == "Major battle at Saarbruecken 2306"
    assert moves[-1][2] == game.world.truth.vp == 11 + sum(change for _, change, _ in moves)


def test_the_programme_stands_as_drop_and_insert_count_it_and_what_was_skipped_says_why() -> None:
    game = played()
    view = game.page(FRENCH)
    skipped = table(view.own, "What of it was skipped, and why")
    why = {row[2].split(" IF ")[0]: row[3] for row in skipped.rows}
    assert "condition_false" in why["DIV 2513 3SP MARCH 2512"]
    assert "it waits" in why["DIV 2407 3SP MARCH 2406"]
    left = table(view.own, "Your programme, as it still stands")
    assert [row[0] for row in left.rows] == [str(n) for n in range(1, len(left.rows) + 1)]
    assert left.rows[0][1:] == ("DIV 2407 3SP MARCH 2406 IF ENEMY IN 2407 ELSE WAIT", "waits for its condition")
    orders, complaints = game.read(FRENCH, "DROP 1")
    assert len(orders) == 1
    assert not complaints


@pytest.mark.parametrize("side", SIDES)
def test_the_table_of_forces_accounts_for_every_sp_and_hq(side: Role) -> None:
    game = played()
    view = game.page(side)
    forces = table(view.own, "By hex")
    mine = game.world.truth.stacks[side]
    assert int(forces.total[1]) == sum(one.count for stack in mine.values() for one in stack)
    assert {row[0][-4:] for row in forces.rows} >= set(mine)
    named = " ".join(row[3] for row in forces.rows)
    for hq in game.world.truth.hqs.values():
        if hq.side == side and hq.state == "map":
            assert re.search(rf"\b{hq.id} ", named), hq.id
    assert {row[4].split()[0] for row in forces.rows} <= {"LOC", "no"}


def test_what_is_spent_is_marked() -> None:
    forces = table(played().page(GERMAN).own, "By hex")
    [row] = [row for row in forces.rows if row[0] == "Zweibruecken 2405"]
    assert "A1" in row[6]
    assert "A2" in row[6]


def test_every_fortress_stands_with_its_sr() -> None:
    game = played()
    fortresses = table(game.page(FRENCH).score, "Fortresses")
    listed = " ".join(row[2] for row in fortresses.rows)
    for at in game.scene.fortresses:
        assert f"{game.scene.place_name(at)} SR {game.scene.cells[at].fortress}" in listed


def test_standing_orders_in_force_stand_as_lines_and_the_defaults_behind_a_mark() -> None:
    standing = played().page(GERMAN).standing
    assert standing[0] == "REACT ARTILLERY ATTACK NEVER"
    assert "# REACT REROLL LOW 3 LOSING" in standing
    assert "# REACT ARTILLERY DEFENCE RESERVE 5 ODDS 1:3 2:1" in standing
    assert not any("CHASSEPOT" in line for line in standing)


@pytest.mark.parametrize(
    ("exchange", "says"),
    [(1, "2 and 3 August 1870.  Turn 1 of 7, the first pulse of two."), (2, "the second pulse of two."),
     (3, "4 and 5 August 1870.  Turn 2 of 7")],
)  # fmt: skip
def test_the_dateline_follows_the_calendar(exchange: int, says: str) -> None:
    assert says in played(exchanges=exchange).page(FRENCH).dateline


def test_the_calendar_runs_over_the_end_of_the_month() -> None:
    assert days(played().scene, 15) == "30 and 31 August 1870"
    assert days(played().scene, 16) == "1 and 2 September 1870"


@pytest.mark.parametrize("side", SIDES)
def test_the_summary_has_at_most_eighty_words_and_the_headline_seven(side: Role) -> None:
    view = played().page(side)
    assert len(" ".join(view.brief).split()) <= 80
    assert len(view.title.split()) <= 7
    assert "G8 attacked at Saarbruecken" in view.brief[0]


@pytest.mark.parametrize("side", SIDES)
def test_what_comes_next_and_what_silence_means_are_told(side: Role) -> None:
    view = played().page(side)
    assert view.owed == "programme and standing orders for turn 1"
    assert "the rest of your programme stands" in view.otherwise.lower()
    assert "sieges and recovery end turn 1" in view.next


# ------------------------------------------------------------------ the map


@pytest.mark.parametrize("side", SIDES)
def test_the_map_shows_every_own_stack_with_its_strength_and_flags(side: Role) -> None:
    game = played()
    drawn = {one.at: one for one in game.page(side).picture.stacks if one.own}
    for at, stack in game.world.truth.stacks[side].items():
        one = drawn[middle(at)]
        assert one.strength == sum(group.count for group in stack)
        assert one.worn == sum(group.count for group in stack if group.status == "disrupted")
    flags = {flag.name for one in drawn.values() for flag in one.staff}
    assert flags == {hq.id for hq in game.world.truth.hqs.values() if hq.side == side and hq.state == "map"}


@pytest.mark.parametrize("side", SIDES)
def test_the_map_marks_the_battle_and_the_enlargement_holds_it(side: Role) -> None:
    picture = played().page(side).picture
    x, y = middle(Hex("2306"))
    assert any(mark.kind == "melee" and mark.at == (x, y) for mark in picture.marks)
    assert picture.focus is not None
    left, top, right, bottom = picture.focus
    assert left < x < right
    assert top < y < bottom


# ------------------------------------------------------------------ what must not be there


def test_the_page_of_one_side_names_nothing_of_the_other_that_it_may_not_know() -> None:
    french, german = (words(played().page(side)) for side in SIDES)
    assert "REACT ARTILLERY ATTACK NEVER" in german
    assert "REACT ARTILLERY ATTACK NEVER" not in french
    assert "ELSE WAIT" in french
    assert "ELSE WAIT" not in german
    assert "MOBILIZE 2SP" not in french
    assert "Mainz 2701 for" not in french
    # G12 marched far behind the German front: the French see troops move, not whose.
    assert "G12 with 8 SP went" in german
    assert not re.search(r"\bG12\b", french)
    held = played().world.truth.resource_points
    assert f"{held[GERMAN]} left" not in french
    assert f"hold {35 + 14}" not in french


def test_what_lies_beyond_inspection_changes_nothing_on_the_page() -> None:
    setups: Mapping[str, str] = {"as it is": "", "exchanged": "SETUP G4 AT 2603\nSETUP GD AT 2604"}
    pages = [msgspec.json.encode(played(german_setup=setup).page(FRENCH)) for setup in setups.values()]
    owners = [msgspec.json.encode(played(german_setup=setup).page(GERMAN)) for setup in setups.values()]
    assert pages[0] == pages[1]
    assert owners[0] != owners[1]


def test_an_enemy_never_inspected_stands_without_his_strength() -> None:
    game = played()
    [enemy] = game.page(FRENCH).enemy
    [dark] = [row for row in enemy.rows if "never inspected" in row[4]]
    assert "Mainz 2701" in dark[0]
    assert dark[1:4] == ("?", "not known", "")
    unknown = [one for one in game.page(FRENCH).picture.stacks if not one.own and one.strength is None]
    assert unknown
    assert all(not one.staff for one in unknown)


def test_under_blind_the_french_are_not_told_of_what_they_do_not_see() -> None:
    view = played(fog="blind").page(FRENCH)
    assert "Mainz 2701" not in " ".join(row[0] for row in view.enemy[0].rows)
    assert any("Nothing of it came to your knowledge." in one.text for one in view.happened)


def test_on_an_open_table_all_pieces_are_shown_and_no_plans() -> None:
    view = played(fog="open").page(FRENCH)
    assert all(row[4] == "Open, on the table" for row in view.enemy[0].rows)
    assert "REACT ARTILLERY ATTACK NEVER" not in words(view)


# ------------------------------------------------------------------ set-up, the end, the template


def test_the_page_of_the_set_up_speaks_of_no_turn() -> None:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    view = game.page(GERMAN)
    assert view.title == "The set-up"
    assert view.dateline.endswith("Set-up.")
    assert "to be set up" in words(view)


def test_the_page_of_the_end_says_who_has_won() -> None:
    game = Game(load("empire-1870"), "woerth", options={"turn_limit": 1})
    for _ in game.silence(9):
        pass
    assert game.over
    for side in SIDES:
        view = game.page(side)
        assert view.over
        assert view.next == "The game is over."
        assert not view.template
        assert any("won a" in one.lead or "drawn" in one.lead for one in view.happened)


@pytest.mark.parametrize("side", SIDES)
def test_the_template_names_the_forces_and_gives_no_order(side: Role) -> None:
    game = played(exchanges=2)
    template = game.page(side).template
    orders, complaints = game.read(side, "\n".join(template))
    assert not complaints
    assert all(type(order).__name__ == "React" for order in orders)
    written = "\n".join(template)
    army, lower = ("NAP", "IG") if side == FRENCH else ("A2", "G3")
    assert f"# ACT {army}" in written
    assert f"SUB {lower}" in written
    assert "MOBILIZE" in written
    assert len(lines_of(written)) == len(template)


@pytest.mark.parametrize("side", SIDES)
def test_sieges_are_told_with_ratio_dice_and_what_became_of_the_fortress(side: Role) -> None:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    rulings = "place french 3SP at 2105 inside\nplace german 42SP at 2105"
    game.add(game.system.direct(game.scene, game.world, lines_of(rulings), {}).items)
    game.play({})
    game.play({})
    view = game.page(side)
    told = [one for one in view.happened if one.phase == "Siege Phase"]
    assert told[0].text.startswith("Thionville 2105: 42 SP against SR 4 and 3 SP inside, 6:1: it is under siege.")
    notes = [note for one in told for note in one.notes if note.text.startswith("Die ")]
    assert "6:1 +3" in notes[0].text
    state = next(row[1] for row in table(view.score, "Fortresses").rows if "Thionville" in row[2])
    assert state == ("destroyed" if game.world.truth.fortresses[Hex("2105")].destroyed else "besieged")


def test_stops_and_skipped_lines_are_told_where_they_happened() -> None:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    game.play({FRENCH: "DIV 2513 3SP MARCH 2413 2312"})
    [stop] = [one for one in game.page(FRENCH).happened if "It went no further" in one.text]
    assert stop.text.endswith("It went no further: too few MP (mp_short).")
    assert not any("mp_short" in one.text for one in game.page(GERMAN).happened)


def test_a_stop_without_a_march_before_it_names_its_line() -> None:
    """G7 stands alone and may not enter a zone; nothing else is told of it in the activation of its army."""
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    rulings = "remove german 8SP at 2305"
    game.add(game.system.direct(game.scene, game.world, lines_of(rulings), {}).items)
    game.play({GERMAN: "ACT A1\n SUB G7\n SELF 0SP MARCH 2204\n END\n SELF 12SP MARCH 2303\nEND"})
    text = " ".join(one.text for one in game.page(GERMAN).happened)
    assert "Of “SELF 0SP MARCH 2204”: it went no further: halted by the enemy's ZOC (ezoc_stop)." in text


def test_a_fortress_that_cannot_be_looked_into_is_not_shown_as_empty() -> None:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    rows = table(game.page(GERMAN).score, "Fortresses").rows
    assert any("Metz 2107 SR 6 (16? French SP)" in row[2] for row in rows)


def test_the_summary_puts_first_what_cost_most_and_who_was_struck() -> None:
    """More happens than goes into eighty words: weights say what is left out."""
    game = played()
    [fight] = [one for one in game.facts if isinstance(one, CombatResolved)]
    [joined] = [one for one in game.facts if isinstance(one, CombatJoined)]

    def line(fact: Fact) -> Line:
        [told] = tell(game.scene, fact, game.world.minds[FRENCH], FRENCH)
        assert isinstance(told, Line)
        return told

    cheap, bloody = (replace(one, eliminated=dead) for one, dead in zip(fight.losses, (0, 4), strict=True))
    dear = line(replace(fight, losses=(cheap, bloody)))
    assert dear.weight > line(replace(fight, losses=(cheap, replace(bloody, eliminated=3)))).weight
    struck = {
        hq: line(HqCasualtyCheck(side=GERMAN, hq=hq, cause="combat", die=2, result="wounded")) for hq in ("A3", "G8")
    }
    assert struck["A3"].weight >= dear.weight > struck["G8"].weight
    assert [note.text for note in struck["A3"].notes] == ["HQ check of A3 after doubles in the combat: 2."]
    slaughter = line(replace(fight, losses=(cheap, replace(bloody, eliminated=40))))
    assert slaughter.weight == 9, "the end of the war weighs more"
    assert line(replace(joined, attacker_hqs=("A2", "G3", "G8", "G10"))).gist.startswith(
        "A2, G3 and 2 HQs more attacked at"
    )
    assert line(replace(fight, spread=0)).text.startswith("It was a tie, which is German: ")


@pytest.mark.parametrize("side", SIDES)
def test_before_the_set_up_the_frontier_is_enlarged(side: Role) -> None:
    picture = Game(load("empire-1870"), "france-1870").page(side).picture
    assert picture is not None
    assert picture.focus is not None
    x, y = middle(Hex("2405"))
    left, top, right, bottom = picture.focus
    assert left < x < right
    assert top < y < bottom


def test_a_place_is_taken_behind_the_march_that_took_it() -> None:
    game = Game(load("empire-1870"), "france-1870")
    game.play({})
    game.play({})
    game.play({GERMAN: "ACT G11\n SELF 8SP MARCH 2613\nEND"})
    for side in SIDES:
        text = " ".join(one.text for one in game.page(side).happened)
        assert text.index("went from 2612 to Neuf-Brisach 2613") < text.index(
            "The Germans took the hex of Neuf-Brisach"
        )


def test_the_learning_war_has_no_exit_and_no_sp_to_raise_at_first() -> None:
    """Nobody leaves its map, and both sides begin at their limit (WE-ADM-01)."""
    game = Game(load("empire-1870"), "woerth")
    assert "south-east" not in words(game.page(FRENCH))
    game.play({})
    game.play({})
    offered = game.page(FRENCH).template
    assert "# You have as many SP as you may raise; what is lost can be raised again." in offered
    assert not any("MOBILIZE 1SP" in line for line in offered)
    call = game.pause.call(FRENCH)
    read = game.system.read(game.scene, lines_of("MOBILIZE 1SP AT Strasbourg"), game.world.minds[FRENCH], FRENCH, call)
    assert [one.why for one in read.complaints] == ["cap: as things stand you have as many SP as you may raise"]
