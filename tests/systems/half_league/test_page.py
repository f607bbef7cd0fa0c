"""One side's page: it holds what its reader must know, and nothing that he may not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role
from pbem.orders import prose
from pbem.orders.sheet import lines_of
from pbem.resources import resources
from pbem.rules.contract import form
from pbem.rules.registry import load
from pbem.rules.telling import weightiest
from pbem.rules.view import Table, Told, View
from pbem.systems.half_league.page import sentences, telling
from pbem.systems.half_league.page.gathering import gathered
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.reasons import REASONS
from pbem.systems.half_league.tables import combat, printed
from pbem.systems.half_league.world import outcomes, outcomes_combat
from pbem.systems.half_league.world.outcomes import FACTS, UnitMoved
from pbem.systems.half_league.world.pieces import ENEMY, Unit, side_of
from pbem.systems.half_league.world.state import Battle
from tests.systems.play import Game

GUARDS, RIGHT = Role("allied.guards"), Role("russian.right")
ALLIED, RUSSIAN = Role("allied"), Role("russian")
ROLES = (ALLIED, GUARDS, RUSSIAN, RIGHT)

SHEETS: tuple[dict[Role, str], ...] = (
    {
        ALLIED: """initiative take
flank east
UK-RB move S 9
UK-7 move S 12
UK-33, UK-23 move S 10
BG-COD attach UK-33
UK-33 spend fire
policy cp B-COD morale if-charged
""",
        GUARDS: "UK-GG, UK-SG, UK-CG move S 9\nBG-GDS attach UK-SG\npolicy cp B-GDS fire_save when-hits >= 2\n",
        RUSSIAN: "flank west\nRU-9 hold\nRU-A1 fire UK-33\nBG-KAZ attach RU-1\npolicy cp B-KAZ morale if-charged\n",
        RIGHT: "RU-6 move N 8\nRU-5 move N 4\n",
    },
    {
        ALLIED: "UK-7, UK-33, UK-23 move S 8\nUK-RB hold\nUK-A3 hold\nbrigadier BG-COD fire_save\n",
        GUARDS: "UK-GG, UK-SG, UK-CG move S 9\n",
        RUSSIAN: "RU-1 charge UK-33 else nearest\nRU-2 charge UK-RB else nearest\nRU-9 charge UK-7 else nearest\n",
        RIGHT: "RU-6 charge UK-RB else nearest\nRU-5 move N 6\n",
    },
    {
        ALLIED: "UK-7, UK-33, UK-23 charge RU-1 else nearest\nUK-RB pull\n",
        GUARDS: "UK-GG, UK-SG, UK-CG move S 9\n",
        RUSSIAN: "RU-1, RU-2 charge UK-33 else nearest\nRU-3, RU-4 move N 6\n",
        RIGHT: "RU-5, RU-6 charge UK-23 else nearest\n",
    },
)


@cache
def played(turns: int = 3, exchanges: int = 1) -> Game:
    """The first turns of the Great Redoubt, with the same sheets and the same luck."""
    game = Game(load("half-league"), "great-redoubt", options={"exchanges_per_turn": exchanges}, luck="river")
    for sheet in SHEETS[:turns]:
        game.play(sheet)
        for _ in range(exchanges - 1):
            game.play({})
    return game


def facts(game: Game, kind: type[Outcome], turn: int = 0) -> list[Outcome]:
    """What came to pass, of a kind."""
    return [one for one in game.facts if isinstance(one, kind) and (not turn or getattr(one, "turn", 0) == turn)]


def everything(view: View) -> str:
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


def rows(tables_: tuple[Table, ...]) -> list[tuple[str, ...]]:
    return [row for one in tables_ for row in one.rows]


def fires(view: View) -> list[Told]:
    return [one for one in view.happened if one.lead.startswith("Fire at ")]


def truth(game: Game) -> Battle:
    battle: Battle = game.world.truth
    return battle


# ------------------------------------------------------------------ what must be there


@pytest.mark.parametrize("role", ROLES)
def test_moves_stand_segment_by_segment_in_the_order_of_the_turn(role: Role) -> None:
    game = played(1)
    heads = list(dict.fromkeys(one.phase for one in game.page(role).happened if re.match(r"Moves, \d", one.phase)))
    [rolled] = facts(game, outcomes.InitiativeRolled, 1)
    assert isinstance(rolled, outcomes.InitiativeRolled)
    first, other = rolled.chosen_side, ENEMY[rolled.chosen_side]
    half, opposite = rolled.flank, {"west": "east", "east": "west"}[rolled.flank]
    whole = [
        f"Moves, 1: {words.ADJECTIVE[first]}, in the {half}, outwards",
        f"Moves, 2: {words.ADJECTIVE[other]}, in the {opposite}, inwards",
        f"Moves, 3: {words.ADJECTIVE[first]}, in the {opposite}, outwards",
        f"Moves, 4: {words.ADJECTIVE[other]}, in the {half}, outwards",
    ]
    assert heads
    assert heads == [head for head in whole if head in heads]


@pytest.mark.parametrize("role", ROLES)
def test_every_move_of_ones_own_is_told_with_its_dice(role: Role) -> None:
    game = played(1)
    view, side = game.page(role), side_of(role)
    told = [
        row
        for one in view.happened
        for table in one.tables
        for row in rows((table,))
        if {"What it did", "Dice"} <= set(table.columns)
    ]
    for fact in facts(game, UnitMoved, 1):
        assert isinstance(fact, UnitMoved)
        if fact.side == side and fact.natural:
            [row] = [row for row in told if row[0].startswith(f"{fact.unit} (")]
            assert row[2].startswith(" ".join(map(str, fact.natural)))
            assert row[3] == words.inches(fact.walked)


def test_a_line_of_a_sheet_says_what_its_unit_did() -> None:
    view = played(1).page(ALLIED)
    by_line = {one.line: one.text for one in view.ordered}
    assert re.match(r"UK-RB \(2nd Battalion Rifle Brigade\) moved \d", by_line[3])
    assert "joined UK-33" in by_line[6]
    assert by_line[8] == "In force."


@pytest.mark.parametrize("role", ROLES)
def test_the_shots_at_a_target_stand_in_one_table_with_a_die_for_each_stand(role: Role) -> None:
    game = played(2)
    for told in fires(game.page(role)):
        [table] = told.tables
        dice = sum(len(row[table.columns.index("Dice")].split()) for row in table.rows)
        number = re.match(r"(\S+) di", told.text)
        assert number is not None
        assert number[1].casefold() in (prose.number(dice), str(dice))


def test_losses_are_told_as_they_fell() -> None:
    game = played(1)
    lost = {
        unit.id: sum(unit.full) - unit.figures for unit in truth(game).units.values() if unit.figures < sum(unit.full)
    }
    assert lost
    seen: Counter[str] = Counter()
    for role in (ALLIED, RUSSIAN):
        for told in fires(game.page(role)):
            for name, many in re.findall(r"([A-Z]+-\w+) lost (\w+) figure", told.text):
                if truth(game).units[name].side == role:
                    seen[name] += prose.NUMBERS.index(many)
    assert seen == lost


def test_a_close_combat_has_a_box_whose_sums_come_out() -> None:
    game = played(3)
    fights = facts(game, outcomes_combat.MeleeResolved)
    assert fights
    last = fights[-1]
    assert isinstance(last, outcomes_combat.MeleeResolved)
    [told] = [
        one for one in game.page(ALLIED).happened if one.phase == "Melee" and one.tables and " against " in one.lead
    ][-1:]
    [table] = told.tables
    sums = [int(row[-1]) for row in table.rows if row[0].endswith(("attacking", "defending"))]
    assert sums == [last.att_total, last.def_total]
    counted = [row for row in table.rows if not row[0].endswith(("attacking", "defending"))]
    for row in counted:
        assert sum(int(number) for number in row[3].replace("/", " ").split()) == int(row[4])


@pytest.mark.parametrize("role", ROLES)
def test_the_tables_of_forces_hold_every_unit_with_chits_points_and_place(role: Role) -> None:
    game = played(3)
    listed = {row[0]: row for row in rows(game.page(role).own) if len(row) == 8}
    for unit in truth(game).of(side_of(role)):
        row = listed[unit.id]
        assert row[3] == f"{words.at(unit.front)} {words.facing(unit)}"
        assert row[4] == f"{unit.stands} ({unit.figures})"
        assert row[5].startswith(f"{unit.chits} of ")
        assert row[6] == str(unit.command_points)


def test_ones_own_brigades_come_first_and_say_whose_the_others_are() -> None:
    view = played(1).page(GUARDS)
    brigades = [table.caption for table in view.own if table.caption.startswith("B-")]
    assert brigades[0].startswith("B-GDS, Guards Brigade, 1st Division: Bentinck (BG-GDS), with UK-SG")
    assert brigades[1].startswith("B-COD")
    assert "another’s command" in brigades[1]


@pytest.mark.parametrize("role", ROLES)
def test_the_places_that_count_stand_with_their_points(role: Role) -> None:
    game = played(1)
    [table] = game.page(role).score
    assert {row[0].partition("(")[2].rstrip(")"): int(row[1]) for row in table.rows} == {
        aim.place: aim.points for aim in game.scene.aims
    }


def test_the_first_page_stands_before_anything_was_played() -> None:
    game = Game(load("half-league"), "kourgane")
    view = game.page(RUSSIAN)
    assert view.title == "The armies in sight of each other"
    assert view.owed == "orders for turn 1"
    assert view.dateline == "The Alma, 20 September 1854, 13:30.  Before the first turn."
    assert view.picture.title == "The field before the battle"


def test_with_two_exchanges_a_turn_the_first_page_is_of_the_moves_alone() -> None:
    game = Game(load("half-league"), "great-redoubt", options={"exchanges_per_turn": 2}, luck="river")
    game.play(SHEETS[1])
    view = game.page(ALLIED)
    assert view.moment == Moment(1, 1)
    assert view.picture.title == "The field after the moves of turn 1"
    assert {one.phase.partition(",")[0] for one in view.happened} <= {"Initiative", "Moves", "Set-up"}
    assert view.owed == "fire, points and melee for turn 1"
    marked = {unit.id for unit in truth(game).units.values() if unit.charge_target}
    assert marked
    assert any(track.kind == "marker" for track in view.picture.tracks)


# ------------------------------------------------------------------ what must not


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("role", ROLES)
def test_a_page_names_no_enemy_that_its_reader_has_not_identified(role: Role, turns: int) -> None:
    game = played(turns)
    mind: Battle = game.world.minds[role]
    named = set()
    for fact in game.told[role]:
        named |= set(re.findall(r"\b(?:UK|RU)-\w+\b", fact.text + fact.lead))
    page = everything(game.page(role))
    theirs = [unit for unit in truth(game).units.values() if unit.side == ENEMY[side_of(role)]]
    unknown = [unit for unit in theirs if unit.id not in mind.units and unit.id not in named]
    for unit in unknown:
        assert not re.search(rf"\b{unit.id}\b", page), unit.id


@pytest.mark.parametrize("role", ROLES)
def test_the_table_of_the_enemy_has_only_what_is_known_of_him(role: Role) -> None:
    game = played(2)
    mind: Battle = game.world.minds[role]
    [table] = game.page(role).enemy
    listed = {row[0].casefold() for row in table.rows}
    known = {unit.id for unit in mind.units.values() if unit.side == ENEMY[side_of(role)] and unit.there}
    leaders = {one.id for one in mind.leaders.values() if one.side == ENEMY[side_of(role)]}
    assert listed == {name.casefold() for name in known | leaders}
    for row in table.rows:
        if row[0].startswith("Contact"):
            assert row[1] == "not known"
            assert "(" not in row[4]


@pytest.mark.parametrize("role", ROLES)
def test_points_and_benefits_of_the_enemy_stand_nowhere(role: Role) -> None:
    game = played(3)
    view = game.page(role)
    for told in view.happened:
        for table in told.tables:
            if "Benefit" in table.columns:
                for row in table.rows:
                    unit: Unit = truth(game).units[row[0].partition(" (")[0]]
                    assert unit.side == side_of(role)
    assert not any(one.startswith("policy") and "B-KAZ" in one for one in game.page(ALLIED).standing)


# ------------------------------------------------------------------ the map


@pytest.mark.parametrize("role", ROLES)
def test_every_known_unit_is_drawn_on_the_ground_that_it_covers(role: Role) -> None:
    game = played(2)
    mind: Battle = game.world.minds[role]
    picture = game.page(role).picture
    drawn = {troop.label: troop for troop in picture.troops}
    for unit in mind.units.values():
        if unit.there:
            troop = drawn[unit.id.replace("contact ", "c")]
            assert troop.at == (unit.front.x, game.scene.height - unit.front.y)
            assert troop.bearing == unit.facing
            assert (troop.certainty == "now") == (not unit.last_seen)
            assert troop.badge == (str(unit.chits) if unit.chits else "")


def test_fields_of_fire_are_those_of_own_guns() -> None:
    game = played(1)
    allied, russian = game.page(ALLIED).picture, game.page(RUSSIAN).picture
    assert [arc.side for arc in allied.arcs] == ["first"]
    assert [arc.side for arc in russian.arcs] == ["second", "second"]


@pytest.mark.parametrize("role", ROLES)
def test_the_map_in_words_names_every_body(role: Role) -> None:
    picture = played(2).page(role).picture
    said = " ".join(text for _, text in picture.words)
    assert all(troop.words in said for troop in picture.troops)


# ------------------------------------------------------------------ orders to begin from


@pytest.mark.parametrize("turns", [0, 1, 3])
@pytest.mark.parametrize("role", ROLES)
def test_a_template_sent_back_whole_is_read_and_gives_no_new_order(role: Role, turns: int) -> None:
    game = played(turns)
    orders, complaints = game.read(role, "\n".join(game.page(role).template))
    assert not complaints
    assert {type(order).__name__ for order in orders} <= {"SetInitiative", "SetFlank", "SetPolicy"}


@pytest.mark.parametrize("role", ROLES)
def test_each_line_of_a_template_is_an_order_once_its_mark_is_gone(role: Role) -> None:
    game = played(1)
    for line in game.page(role).template:
        order = line.removeprefix("# ").partition(" # ")[0].strip()
        if re.match(r"(UK|RU)-\S+ (move|hold|pull)", order):
            assert not game.read(role, order)[1], order


def test_the_reserve_is_offered_to_stand_until_its_turn_and_to_move_from_then_on() -> None:
    game, offered = Game(load("half-league"), "kourgane", luck="b"), []
    for _ in range(3):
        offered += [line for line in game.page(RUSSIAN).template if line.startswith("# RU-10 ")]
        game.play({})
    held, _, free = offered

    assert held.startswith("# RU-10 hold ")
    assert held.endswith(", held until turn 3")
    assert free.startswith("# RU-10 move ")
    assert "held" not in free


def test_standing_orders_stand_as_lines_that_can_be_sent_again() -> None:
    game = played(1)
    standing = [line for line in game.page(ALLIED).standing if not line.startswith("#")]
    assert "policy cp B-COD morale if-charged" in standing
    assert not game.read(ALLIED, "\n".join(standing))[1]
    assert lines_of("\n".join(standing))


# ------------------------------------------------------------------ words


def test_every_kind_of_fact_has_a_teller() -> None:
    assert set(telling.TELLERS) == set(FACTS)


def test_everything_that_is_named_has_words() -> None:
    assert set(words.BENEFITS) == set(printed.BENEFITS)
    assert set(words.CHITS) == {"", *printed.CHITS}
    assert set(words.MODIFIERS) >= {*combat.MELEE, *combat.FIRE_MODIFIERS, *printed.INITIATIVE}
    assert set(words.FORMATIONS) == {one for formations in printed.FORMATIONS.values() for one in formations}
    assert all(text and not text.endswith(".") for text in REASONS.values())


@pytest.mark.parametrize("role", ROLES)
def test_titles_are_seven_words_at_most(role: Role) -> None:
    for turns in (1, 2, 3):
        assert len(played(turns).page(role).title.split()) <= 7


@pytest.mark.parametrize("role", ROLES)
def test_the_summary_is_eighty_words_at_most(role: Role) -> None:
    for turns in (1, 2, 3):
        assert len(" ".join(played(turns).page(role).brief).split()) <= 80


# ------------------------------------------------------------------ sample orders

SAMPLES = sorted((resources("campaigns") / "half-league").glob("*/sample-orders/*.txt"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_sample_orders_are_read_whole_and_played(path: Path) -> None:
    game = Game(load("half-league"), path.parts[-3], luck="sample")
    role = Role(path.stem.partition("-")[2])
    _, sheet = path.read_text("utf-8").split("\n\n", 1)
    orders, complaints = game.read(role, sheet)
    assert not complaints
    assert len(orders) >= 9
    game.play({role: sheet})
    assert game.pause.moment == Moment(2, 1)
    # Dice may fall short; nothing of a sample is out of the question.
    assert not [one.text for one in game.page(role).ordered if one.result == "not carried out"]


def test_contacts_are_counted_from_the_west() -> None:
    """Their numbers would else tell the order of their ids, and so who they are."""
    mind: Battle = Game(load("half-league"), "kourgane").world.minds[ALLIED]
    contacts = {name: unit.front for name, unit in mind.units.items() if name.startswith("contact ")}

    assert len(contacts) > 9
    assert sorted(contacts, key=lambda name: contacts[name]) == [f"contact {n + 1}" for n in range(len(contacts))]


def test_a_line_that_was_not_used_is_told_of_the_turn_for_which_it_was_sent() -> None:
    game = Game(load("half-league"), "kourgane")
    game.play({ALLIED: "UK-7 spend morale\n"})
    (unused,) = [one for one in game.facts if isinstance(one, outcomes.OrderPlayed) and one.result == "not used"]
    (line,) = [one for one in telling.tell(game.scene, unused, game.world.minds[ALLIED], ALLIED) if one.line]

    assert line.moment == Moment(1, 1)


def test_an_enemy_who_took_no_step_is_not_said_to_have_moved() -> None:
    game = played(1)
    unit = next(one for one in game.world.minds[ALLIED].units.values() if one.side == RUSSIAN)
    stood = UnitMoved(
        side=RUSSIAN, unit=unit.id, how="move", start=unit.front, end=unit.front, facing_from=0, facing_to=0,
        stopped_by="enemy",
    )  # fmt: skip
    turned = msgspec.structs.replace(stood, facing_to=9000)

    assert telling.tell(game.scene, stood, game.world.minds[ALLIED], ALLIED) == []
    assert telling.tell(game.scene, turned, game.world.minds[ALLIED], ALLIED) != []


def test_a_quiet_turn_in_which_some_fell_is_not_called_bloodless() -> None:
    game = Game(load("half-league"), "kourgane", luck="b")
    game.play({ALLIED: "UK-RB move S 6\n"})
    fell = [one for one in game.facts if isinstance(one, outcomes.FigureLost)]
    said = game.page(ALLIED).brief[0]

    assert [one.side for one in fell].count(ALLIED) == 4
    assert "Nobody fell" not in said
    assert said.startswith("You lost four figures, the enemy, as far as you saw, one;")


def test_the_summary_has_the_weightiest_of_a_long_paragraph() -> None:
    """What is too long for it as a whole is said in part."""
    lines = [
        sentences.Line(
            moment=Moment(1, 1),
            phase="Melee",
            text="So it was.",
            about=("UK-7",),
            weight=weight,
            gist=f"{name} " * 25 + "fell.",
        )
        for weight, name in ((3, "Smith"), (8, "Buller"), (5, "Jones"))
    ]
    (whole,) = gathered(lines)

    assert [weight for weight, _ in whole.gists] == [3, 8, 5]
    assert weightiest(list(whole.gists), 60)[0].startswith("Buller")


def test_a_line_for_several_units_is_answered_once() -> None:
    game = Game(load("half-league"), "kourgane")
    game.play({ALLIED: "UK-41, UK-49 hold\nUK-RB, UK-99 hold\nUK-33, UK-23, UK-77 move S 18\n"})
    hold, _, march = sorted(game.page(ALLIED).ordered, key=lambda one: one.line)

    assert (hold.line, hold.result) == (1, "done")
    assert (march.line, march.result) == (3, "in part")
    assert all(name in march.text for name in ("UK-33", "UK-23", "UK-77"))


def test_after_the_moves_the_page_says_who_will_charge_and_what_is_next() -> None:
    """Where a turn has two exchanges both can still answer."""
    game = Game(load("half-league"), "bulganak", options={"exchanges_per_turn": 2})
    game.play({RUSSIAN: "RU-C2 charge UK-23\n"})
    view = game.page(ALLIED)

    assert view.brief[0] == "RU-C2 (57th Don Cossacks) is marked to charge UK-23 (23rd Royal Welch Fusiliers)."
    assert view.next == "The fire, charges, melee and reinforcement moves of turn 1 are played."
    assert any(line.startswith("# UK-LD spend melee") for line in view.template)
    game.play({})
    game.play({})
    assert game.page(ALLIED).brief[0] == "Both sides have moved; nobody has fired yet."


def test_a_flank_that_is_named_after_the_roll_is_answered_for() -> None:
    game = Game(load("half-league"), "bulganak", options={"exchanges_per_turn": 2})
    game.play({})
    game.play({ALLIED: "flank west\n"})

    assert [(one.moment, one.line, one.result) for one in game.page(ALLIED).ordered] == [(Moment(1, 2), 1, "standing")]


def test_no_form_of_a_fact_names_an_enemy_who_is_not_known() -> None:
    game = Game(load("half-league"), "kourgane")
    game.play({RUSSIAN: "RU-12 hold\nRU-6 move N 3\n"})
    mind: Battle = game.world.minds[ALLIED]
    unknown = [name for name, unit in game.world.truth.units.items() if unit.side == RUSSIAN and name not in mind.units]
    forms = [form(load("half-league"), fact, ALLIED) for fact in game.facts]
    told = b"\n".join(msgspec.json.encode(one) for one in forms if one is not None).decode()

    assert unknown
    assert not [name for name in unknown if f'"{name}"' in told]
