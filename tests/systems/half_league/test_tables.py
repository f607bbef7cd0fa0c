"""Every table and chart, cell by cell, against a second entry; and charts that a scenario changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import ModuleType

import pytest

from pbem.ground.scale import Scale
from pbem.kernel.errors import BadScenario
from pbem.systems.half_league.tables import charts, combat, printed
from pbem.systems.half_league.tables.charts import (
    COLUMNS,
    GROUNDS,
    MOVERS,
    OBSTACLES,
    footprint,
    overlaid,
    pitch,
    standard,
)
from pbem.systems.half_league.tables.printed import FORMATIONS, INCH
from tests.systems.half_league import second_entry
from tests.systems.half_league.ground import scene

SHORT = {
    "i": "infantry",
    "c": "cavalry",
    "f": "foot_artillery",
    "h": "horse_artillery",
    "double": "double_line",
    "road": "road_column",
    "dis": "dismounted",
    "lim": "limbered",
    "unl": "unlimbered",
}


def rows(text: str) -> list[str]:
    """The lines of a second entry."""
    return text.strip().splitlines()


def inches(length: int) -> str:
    """A length as it is typed."""
    return Scale(INCH, 1).show(length)


def words(value: object) -> Iterator[str]:
    """A table as it is typed: its parts in order, lengths in inches."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key)
            yield from words(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from words(one)
    elif isinstance(value, int) and value and value % (INCH // 10) == 0:
        yield f'{inches(value).removesuffix(".0")}"'
    else:
        yield str(value)


@pytest.mark.parametrize(
    ("module", "typed"),
    [(printed, second_entry.TURN), (combat, second_entry.COMBAT)],
    ids=["turn", "combat"],
)
def test_every_printed_number_is_as_typed_a_second_time(module: ModuleType, typed: str) -> None:
    ours = {
        name: " ".join(words(value))
        for name, value in vars(module).items()
        if name.isupper() and name not in ("TABLE_RULES", *(() if module is printed else ("INCH",)))
    }
    assert ours == {
        name: " ".join(cell.replace(",", " ").split()) for name, cell in (row.split(" = ") for row in rows(typed))
    }


@pytest.mark.parametrize("module", [printed, combat])
def test_every_table_names_its_rules_where_it_stands(module: ModuleType) -> None:
    ours = {name for name in vars(module) if name.isupper()} - {"TABLE_RULES"}
    assert set(module.TABLE_RULES) == ours - (set() if module is printed else {"INCH"})


def test_the_chart_of_movement_is_as_typed() -> None:
    head, *lines = rows(second_entry.MOVEMENT)
    shown = {ground: list(map(int, cells)) for ground, *cells in map(str.split, lines)}
    assert tuple(shown) == GROUNDS
    read = standard().movement
    for column, short in enumerate(head.split()):
        kind, formation = ([SHORT.get(word, word) for word in short.split(".")] + ["alone"])[:2]
        for ground in GROUNDS:
            assert read[kind][formation][ground] == shown[ground][column], (short, ground)
    assert len(head.split()) == sum(map(len, read.values()))


def fire_of(text: str) -> dict[tuple[str, str, str], int]:
    """A second entry of the chart of fire: what is needed, by row, column, and whether in the open."""
    weapons, bands, *lines = rows(text)
    ranges = [*bands.split(), ""]
    keys = [f"{weapon}_{band}".rstrip("_") for weapon, band in zip(weapons.split(), ranges, strict=False)]
    found = {}
    for line in lines:
        column, which = re.split(r", | {2,}", line)[:2]
        for key, cell in zip(keys, line.split()[2:], strict=True):
            found[key, column, which] = int(cell)
    return found


def fire_in(played: charts.Charts) -> dict[tuple[str, str, str], int]:
    """The chart of fire that is played, likewise."""
    return {
        (row, column, which): score
        for row, cells in played.fire.items()
        for column in COLUMNS
        for which, score in zip(("open", "covered"), cells[column], strict=True)
    }


def test_the_chart_of_fire_is_as_typed() -> None:
    assert fire_in(standard()) == fire_of(second_entry.FIRE)


def test_what_is_tuned_on_the_kourgane_is_as_typed() -> None:
    tuned = scene("kourgane").charts
    assert fire_in(tuned) == fire_of(second_entry.FIRE) | fire_of(second_entry.TUNED)
    name, *cells = second_entry.TUNED_SAVES.split()
    typed = {left: None if cell == "X" else int(cell) for left, cell in enumerate(cells, start=1)}
    assert {left: row[name] for left, row in tuned.saves.items()} == typed
    others = {left: {**row, name: None} for left, row in standard().saves.items()}
    assert {left: {**row, name: None} for left, row in tuned.saves.items()} == others


def test_the_table_of_saves_is_as_typed() -> None:
    head, *lines = rows(second_entry.SAVES)
    typed = {
        (int(stands), name): None if cell == "X" else int(cell)
        for name, *cells in map(str.split, lines)
        for stands, cell in zip(head.split()[1:], cells, strict=True)
    }
    assert typed == {(left, name): need for left, row in standard().saves.items() for name, need in row.items()}


def test_the_columns_of_targets_are_as_typed() -> None:
    typed = {}
    for column, listed in re.findall(r"^(\w+): ((?:.|\n )+)$", second_entry.TARGETS, re.M):
        for one in listed.split(","):
            kind, formation = one.split()
            typed[kind, formation] = column
    assert typed == {(kind, one): column for kind, row in standard().target.items() for one, column in row.items()}


def test_the_stands_that_fire_are_as_typed() -> None:
    head, *lines = rows(second_entry.FIRING)
    seen = set()
    for kind, formation, *cells in map(str.split, lines):
        count = standard().firing[kind][formation]
        assert [count.of(int(stands)) for stands in head.split()[1:]] == list(map(int, cells)), (kind, formation)
        seen.add((kind, formation))
    assert seen == {(kind, one) for kind, formations in FORMATIONS.items() for one in formations}


def test_the_footprints_are_as_typed() -> None:
    head, *lines = rows(second_entry.FOOTPRINTS)
    seen = set()
    for kind, formation, *cells in map(str.split, lines):
        for stands, cell in zip(head.split()[1:], cells, strict=True):
            wide, deep = footprint(standard(), kind, formation, int(stands))
            assert f"{inches(wide)}x{inches(deep)}" == cell, (kind, formation, stands)
        seen.add((kind, formation))
    assert seen == {(kind, one) for kind, formations in FORMATIONS.items() for one in formations}


def test_a_square_of_many_stands_is_wider() -> None:
    assert footprint(standard(), "infantry", "square", 9) == (4500, 4500)


def test_stands_lie_as_far_apart_as_typed() -> None:
    for pair in second_entry.PITCHES.split(", "):
        formation, far = pair.split()
        kinds = [kind for kind, formations in FORMATIONS.items() if formation in formations]
        assert {inches(pitch(standard(), kind, formation)) for kind in kinds} == {far}


def test_what_crossing_costs_is_as_typed() -> None:
    typed = {}
    for line in rows(second_entry.CROSSING):
        mover, rest = line.split(maxsplit=1)
        for cost, over in re.findall(r"(\w+):\s+([a-z ]+?)(?=\s+\w+:|$)", rest):
            typed.update({(one, mover): cost for one in over.split()})
    assert typed == {(one, mover): standard().crossing[one][mover] for one in OBSTACLES for mover in MOVERS}


def test_who_crosses_in_which_column() -> None:
    found = {(kind, one): charts.mover(kind, one) for kind, formations in FORMATIONS.items() for one in formations}
    assert {key for key, column in found.items() if column == "horse_front"} == {("cavalry", "line")}
    assert {key for key, column in found.items() if column == "foot_front"} == {
        *(("infantry", one) for one in ("line", "double_line")),
        ("cavalry", "dismounted"),
    }
    assert found["cavalry", "skirmish"] == found["cavalry", "road_column"] == "horse_files"
    assert found["horse_artillery", "limbered"] == "limbered"


def test_the_lesser_charts_are_as_typed() -> None:
    read = standard()
    slow = [one for one, cost in read.wheel.cost.items() if cost]
    wheel = f'above {read.wheel.above} degrees; {read.wheel.legs} legs; {read.wheel.turns} degrees; 2" for '
    assert {read.wheel.cost[one] for one in slow} == {2 * INCH}
    figures = [f"{count} {kind}" for kind, count in read.figures.items()]
    victory = [f"{getattr(read.victory, name)} {name}" for name in read.victory.__struct_fields__]
    scale = [f"{getattr(read.scale, name)} {name}" for name in read.scale.__struct_fields__]
    assert rows(second_entry.CHARTS) == [
        f"wheel: {wheel}{' '.join(slow)}",
        f'carbine: {inches(read.ranges["carbine"]).removesuffix(".0")}"',
        f"figures: {', '.join(figures)}",
        "leader: {}x{}".format(*map(inches, read.stand["leader"])),
        f"victory: {', '.join(victory)}",
        f"scale: {', '.join(scale)}",
    ]


def test_an_overlay_changes_only_its_cells() -> None:
    changed = overlaid({"scenario": {"charts": {"saves": {"1": {"second": 6}}}}, "charts": {"range": {"carbine": 7.5}}})
    assert changed.saves[1] == {"elite": 5, "regular": 6, "second": 6, "artillery": None}
    assert changed.saves[2] == standard().saves[2]
    assert changed.ranges == {**standard().ranges, "carbine": 7500}
    assert changed.movement == standard().movement


def test_a_scenario_without_an_overlay_has_the_standard_charts() -> None:
    assert overlaid({"scenario": {}}) is standard()


@pytest.mark.parametrize(
    ("cells", "where", "why"),
    [
        ({"movement": {"infantry": {"lines": {"rough": 1}}}}, "movement, infantry", 'no row "lines"'),
        ({"movement": {"infantry": {"line": {"rough": 13}}}}, "movement, infantry, line, rough", "from 0 to 12"),
        ({"movement": {"infantry": {"line": {"mud": 1}}}}, "movement, infantry, line", 'no row "mud"'),
        ({"saves": {"1": {"second": "Y"}}}, "saves, 1, second", "'Y' is no whole number from 1 to 6"),
        ({"fire": {"rifle_short": {"line": [5, 4]}}}, "fire, rifle_short, line", "easier to hit"),
        ({"fire": {"rifle_short": {"line": [5]}}}, "fire, rifle_short, line", "no pair"),
        ({"crossing": {"wall": {"leader": "jump"}}}, "crossing, wall, leader", "'jump' is none of free"),
        ({"firing": {"infantry": {"column": {"mst": 2}}}}, "firing, infantry, column", "mst"),
        ({"stand": {"infantry": ["wide", 1]}}, "stand, infantry", "'wide' is no length in inches"),
        ({"footprint": {"line": {"deep": 1}}}, "footprint, line", 'no "deep"'),
        ({"victory": {"margin": "six"}}, "victory", "margin"),
        ({"wheel": {"cost": {"lin": 2}}}, "wheel, cost", 'no row "lin"'),
        ({"horses": {}}, "charts.toml", 'no row "horses"'),
        ({"saves": 3}, "saves", "no table"),
    ],
)
def test_a_fault_in_a_chart_names_table_row_and_what_is_wrong(cells: object, where: str, why: str) -> None:
    with pytest.raises(BadScenario) as caught:
        overlaid({"scenario": {}, "charts": cells})
    assert caught.value.where == (where if where == "charts.toml" else f"charts.toml, {where}")
    assert why in caught.value.why
