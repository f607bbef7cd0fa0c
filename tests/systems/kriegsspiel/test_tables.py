"""Every table, cell by cell, against a second entry by other eyes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import ModuleType

import pytest

from pbem.systems.kriegsspiel.tables import attack as tables_attack
from pbem.systems.kriegsspiel.tables import dice as tables_dice
from pbem.systems.kriegsspiel.tables import fire as tables_fire
from pbem.systems.kriegsspiel.tables import formation as tables_formation
from pbem.systems.kriegsspiel.tables import knowledge as tables_knowledge
from pbem.systems.kriegsspiel.tables import march as tables_march
from pbem.systems.kriegsspiel.tables import orders as tables_orders
from pbem.systems.kriegsspiel.tables import works as tables_works
from tests.systems.kriegsspiel.second_entry import attack, dice, fire, formation, knowledge, march, orders, works

BY_THEMSELVES = {
    *("COLUMNS", "MARCH", "ODDS", "DICE", "GUNFIRE", "FORMATIONS", "ZUGS_OUT"),
    *("STRONGHOLD_COLUMNS", "STRONGHOLD", "DEFENCES", "SIGHT_CLASSES", "SIGHTING", "INTERRUPTS", "REPORTS"),
}
"""Tables that have a test of their own below."""

ENTRIES = [
    (tables_march, march),
    (tables_dice, dice),
    (tables_fire, fire),
    (tables_formation, formation),
    (tables_attack, attack),
    (tables_works, works),
    (tables_knowledge, knowledge),
    (tables_orders, orders),
]


def rows(text: str) -> list[str]:
    """The lines of a second entry."""
    return text.strip().splitlines()


def words(value: object) -> Iterator[str]:
    """A cell as it is typed: its parts in order, dashes for what is not there."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from words(key)
            yield from words(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from words(one)
    elif value is None:
        yield "-"
    else:
        yield from str(value).replace(",", " ").split()


def cells(name: str, value: object) -> Iterator[tuple[str, str]]:
    """The cells of a table under their keys."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from cells(f"{name} / {' '.join(words(key)) if isinstance(key, tuple) else key}", one)
    else:
        yield name, " ".join(words(value))


@pytest.mark.parametrize(("module", "entry"), ENTRIES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_plain_cell_is_as_typed_a_second_time(module: ModuleType, entry: ModuleType) -> None:
    tables = [(name, value) for name, value in vars(module).items() if name.isupper() and not name.startswith("_")]
    ours = dict(
        cell
        for name, value in tables
        if name not in BY_THEMSELVES and name != "TABLE_RULES"
        for cell in cells(name, value)
    )
    typed = {}
    for row in rows(entry.PLAIN):
        name, cell = row.split(" = ")
        assert name not in typed
        typed[name] = " ".join(cell.replace(",", " ").split())
    assert ours == typed


@pytest.mark.parametrize("module", [module for module, _ in ENTRIES], ids=lambda module: module.__name__)
def test_every_table_names_its_rules_where_it_stands(module: ModuleType) -> None:
    tables = {name for name in vars(module) if name.isupper() and not name.startswith("_")}
    heads = {name for name in tables if name.endswith(("COLUMNS", "CLASSES"))}
    assert tables - heads - {"TABLE_RULES"} <= set(module.TABLE_RULES) <= tables


def test_the_march_table_is_as_printed() -> None:
    printed = {column: typed for column, *typed in (row.split() for row in rows(march.MARCH))}
    assert tuple(printed) == tables_march.COLUMNS
    assert tuple(march.ROWS.split()) == tuple(tables_march.MARCH)
    for column, typed in printed.items():
        ours = ["-" if row[column] is None else str(row[column]) for row in tables_march.MARCH.values()]
        assert ours == typed, column


def sides() -> Iterator[tuple[str, int, str, list[str]]]:
    """The dump: die, face, part of the face, numbers."""
    count = Counter[str]()
    for row in rows(dice.DUMP):
        die, *faces = (part.split() for part in row.split(":"))
        for face in faces:
            count[die[0]] += 1
            at = count[die[0]]
            yield die[0], at, "left", face[:4]
            yield die[0], at, "letter", face[4:5]
            yield die[0], at, "losses", face[5:7]
            yield die[0], at, "right", face[7:]
    assert set(count.values()) == {6}


def test_the_dice_are_as_dumped_but_where_the_printed_tables_speak_against_it() -> None:
    against = set()
    for die, at, part, typed in sides():
        face = tables_dice.DICE[die][at - 1]
        if part == "letter":
            assert typed == [face.letter or "O"], (die, at)
            assert (face.letter is None) == (face.circle == "blank")
            continue
        numbers = {"left": face.left, "right": face.right, "losses": face.losses}[part]
        for place, cell in enumerate(typed, start=1):
            if cell == "-":
                continue
            assert numbers is not None
            if numbers[place - 1] != int(cell):
                against.add(f"{die} {at} {part} {place} {cell}")
    assert against == set(rows(dice.DUMP_AGAINST_TABLES))


def test_the_infantry_table_is_that_of_the_dice() -> None:
    for row in rows(dice.INFANTRY):
        die, side, most, *typed = row.split()
        band = tables_fire.INFANTRY_BANDS.index(int(most))
        numbers = [face.left if side == "left" else face.right for face in tables_dice.DICE[die]]
        assert [one[band] for one in numbers if one is not None] == [int(cell) for cell in typed], row


def test_the_counts_of_circles_and_flames_are_those_of_the_text() -> None:
    for row in rows(dice.CIRCLES):
        die, *typed = row.split()
        found = Counter(face.circle for face in tables_dice.DICE[die])
        assert [str(found["black"]), str(found["white"]), str(found["blank"])] == typed[1::2]
    flames = ", ".join(f"{die} {sum(face.flame for face in faces)}" for die, faces in tables_dice.DICE.items())
    assert flames == dice.FLAMES
    assert ", ".join(f"{die} {a}:{b}" for die, (a, b) in tables_dice.ODDS.items()) == dice.CHANCES


def test_the_black_circles_stand_to_the_white_as_the_odds_say() -> None:
    for die, (black, white) in tables_dice.ODDS.items():
        found = Counter(face.circle for face in tables_dice.DICE[die])
        assert Fraction(found["black"], found["white"]) == Fraction(black, white), die


def test_an_upset_only_repulses_but_on_even_odds() -> None:
    for die in ("II", "III", "IV", "V"):
        assert {face.letter for face in tables_dice.DICE[die] if face.circle == "white"} == {"R"}, die
    even = [{face.letter for face in tables_dice.DICE["I"] if face.circle == one} for one in ("black", "white")]
    assert even == [{"R", "D", "T"}] * 2


def test_the_artillery_table_is_as_printed() -> None:
    batteries = {"12lb": "foot_12", "6lb": "foot_6", "7lb": "howitzer_7", "10lb": "howitzer_10"}
    seen = set()
    for row in rows(fire.GUNFIRE):
        head, *typed = row.split("|")
        quality, face = head.split()
        for part in typed:
            name, *numbers = part.split()
            table = tables_fire.GUNFIRE[batteries[name]]
            for which, cell in zip((4, 3, 2, 1), numbers, strict=True):
                ours = table[which]["good" if quality == "good" else "bad"][int(face) - 1]
                assert ours == (0 if cell == "-" else int(cell)), (row, name, which)
                seen.add((name, which, quality, face))
    assert len(seen) == 4 * 4 * 12


def test_the_artillery_table_of_six_pounders_and_howitzers_is_that_of_the_dice() -> None:
    for quality, die in tables_fire.QUALITY_DIE.items():
        for at, face in enumerate(tables_dice.DICE[die]):
            assert face.left is not None
            assert face.right is not None
            for which in range(1, 5):
                assert tables_fire.GUNFIRE["foot_6"][which][quality][at] == face.left[which - 1]
                assert tables_fire.GUNFIRE["howitzer_7"][which][quality][at] == face.right[which - 1]


def test_the_twelve_pounder_fires_a_quarter_more_in_all_classes_give_or_take_a_point() -> None:
    of = tables_fire.TWELVE_POUNDER
    odd = []
    for which, qualities in tables_fire.GUNFIRE["foot_12"].items():
        for quality, points in qualities.items():
            for face, (twelve, six) in enumerate(
                zip(points, tables_fire.GUNFIRE["foot_6"][which][quality], strict=True), start=1
            ):
                if abs(Fraction(six * of[0], of[1]) - twelve) >= 1:
                    odd.append((which, quality, face, six, twelve))
    assert odd == []


def test_the_forms_are_as_printed() -> None:
    typed = {}
    for row in rows(formation.FORMATIONS):
        head, of, front, deep, wheels = (part.strip() for part in row.split("|"))
        where, name = head.split()
        typed[name] = (of, front.split()[1:], deep.split()[1:], wheels == "wheels")
        number = int(where[1:]) if where[0] == "¶" else 0
        arm = "infantry" if number < 17 else "cavalry" if number < 27 else "artillery" if number < 33 else "train"
        assert tables_formation.FORMATIONS[name].arm == arm, name
    ours = {
        name: (one.of, [str(n) for n in one.front], [str(n) for n in one.depth], one.wheels)
        for name, one in tables_formation.FORMATIONS.items()
    }
    assert ours == typed


def test_the_third_rank_is_as_printed() -> None:
    at = 0
    for row in rows(formation.ZUGS_OUT):
        _, body, men, front = (part.strip() for part in row.split("|"))
        for number in men.split():
            ours = tables_formation.ZUGS_OUT[at]
            assert (ours.men, ours.front) == (int(number), int(front.split()[1])), at
            assert ours.half_battalions == (0 if "alone" in body else 1 if "reserve" in body else 2)
            assert ours.ranks == (3 if "three" in body else 2)
            assert ours.piece == next((one for one in ("larger", "smaller") if one in body), None)
            assert ours.men == tables_formation.MEN["battalion"] - at * tables_formation.MEN["zug"]
            at += 1
    assert at == len(tables_formation.ZUGS_OUT)


def test_the_table_of_strongholds_is_as_printed() -> None:
    _, numbers, *typed = rows(works.STRONGHOLD.strip("\n"))
    fresh, tired = (part.split() for part in numbers.split("|"))
    for row in typed:
        name, held, *dice_of = row.replace("|", " ").split()
        column = (name, int(held))
        ours = [tables_works.STRONGHOLD["fresh"][int(n)][column] for n in fresh]
        ours += [tables_works.STRONGHOLD["tired"][int(n)][column] for n in tired]
        assert [one.die + "*" * (one.favours == "attacker") for one in ours] == dice_of, row
    assert len(typed) == len(tables_works.STRONGHOLD_COLUMNS)


def test_the_classes_of_defences_are_as_printed() -> None:
    typed = {}
    for part in re.split(r"\n(?=\w)", works.DEFENCES.strip()):
        name, places = part.split(":")
        typed.update({" ".join(place.split()): name for place in places.split(",")})
    assert {place.replace(",", ""): name for place, name in tables_works.DEFENCES.items()} == typed


def test_sighting_distances_are_as_typed() -> None:
    names = {"something": "presence"}
    for one, row in zip(tables_knowledge.SIGHT_CLASSES, rows(knowledge.SIGHTING), strict=True):
        typed = [cell.split() for cell in row.split(":")[1].split(",")]
        assert {names.get(what, what): int(paces) for paces, what in typed} == {
            what: by_class[one] for what, by_class in tables_knowledge.SIGHTING.items()
        }


def test_interrupts_and_reports_are_as_typed() -> None:
    typed = {
        code: (name, "urgent" in rest, "off" in rest)
        for code, name, *rest in map(str.split, rows(knowledge.INTERRUPTS))
    }
    assert {code: tuple(one) for code, one in tables_knowledge.INTERRUPTS.items()} == typed
    priorities = dict.fromkeys(knowledge.URGENT.split(), "urgent") | dict.fromkeys(knowledge.NORMAL.split(), "normal")
    assert priorities == tables_knowledge.REPORTS


def test_rows_that_orders_use_are_in_the_march_table() -> None:
    named = {gait.row for gaits in tables_march.GAITS.values() for gait in gaits.values()}
    named |= {row for activity in tables_march.ACTIVITY_ROWS.values() for row in activity.values()}
    named |= {*tables_march.RUN_LIMITS, *tables_march.RUN_USED_UP.values(), *tables_march.RULER}
    assert named <= set(tables_march.MARCH)
    kinds = {kind for kinds in tables_formation.KINDS.values() for kind in kinds}
    assert set(tables_march.RATE_CLASS) == kinds
    assert set(tables_march.RATE_CLASS.values()) == set(tables_march.GAITS)
    assert set(tables_march.ROUTE_COLUMNS) <= set(tables_formation.FORMATIONS)
