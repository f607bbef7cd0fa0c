"""Every printed chart, cell by cell, against a second entry made from the ledger by other eyes."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

import pytest

from pbem.ground.square import Square, crossed, distance, offset, place, square
from pbem.systems.st_privat.field.ranks import defence_by_stand, ranks
from pbem.systems.st_privat.scene.forces import full
from pbem.systems.st_privat.tables.charts import (
    ARTILLERY,
    CASUALTY_FACTORS,
    COVER,
    DEVIATION,
    EQUIPMENT,
    GUN_FIRES,
    MELEE,
    MOVEMENT,
    RIFLE_RANGES,
    RIFLES,
    STRUCTURES,
)
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Formation, Piece
from tests.systems.st_privat.field import scene

ENTRIES = Path(__file__).parent / "second_entry"


def entry(rule: str) -> list[list[str]]:
    """The rows of a second entry below its comments, cell by cell; the first is its head."""
    lines = (ENTRIES / f"{rule}.txt").read_text().splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]


def numbers(most: int) -> str:
    """How a chart prints the numbers that hit: `1-4`, or `-` for none."""
    return f"1-{most}" if most else "-"


def test_rifles_hit_as_printed() -> None:
    head, *rows = entry("SP-RIF-02")
    assert [int(cell.split()[-1]) for cell in head[1:]] == list(RIFLE_RANGES)
    printed = {name.split()[0].lower(): cells for name, *cells in rows}
    assert printed == {side: [numbers(most) for most in row] for side, row in RIFLES.items()}


def test_guns_hit_as_printed() -> None:
    head, *rows = entry("SP-ART-01")
    columns = [(words[0].lower(), words[-1].lower()) for words in (cell.split() for cell in head[1:])]
    assert tuple(columns) == GUN_FIRES
    ours = {f"{ranges[0]}-{ranges[-1]}" if len(ranges) > 1 else str(ranges[0]): row for ranges, row in ARTILLERY}
    assert {name: cells for name, *cells in rows} == {
        name: [numbers(most) for most in row] for name, row in ours.items()
    }


def test_shells_stray_as_printed() -> None:
    head, *rows = entry("SP-ART-04")
    assert head[1:] == ["left", "middle", "right"]
    ahead = {"far": 1, "middle": 0, "near": -1}
    printed = [(ahead[name], [tuple(int(n) for n in cell.split(",")) for cell in cells]) for name, *cells in rows]
    assert printed == [(row, list(cells)) for row, cells in DEVIATION]


def test_cover_is_as_printed() -> None:
    printed = {row[0]: row[1] for row in entry("SP-RIF-03")[1:]}
    ours = {
        "in woods or town": f"+{COVER['woods']}",
        "in a building": f"+{COVER['building']}",
        "behind a wall": f"+{COVER['wall']}",
        "on the siege gun emplacement": f"+{Options().fortified_fire_modifier}",
    }
    assert printed == ours
    assert COVER["town"] == COVER["woods"]


def test_strengths_are_as_printed() -> None:
    structures: dict[str, int] = {}
    equipment: dict[str, int] = {}
    for thing, points, piece, more in entry("SP-DMG-01")[1:]:
        structures[thing] = int(points)
        equipment[piece.replace(" ", "_")] = int(more)
    assert structures == {
        "4-inch wall section": STRUCTURES["wall"],
        "small building": STRUCTURES["small"],
        "large building": STRUCTURES["large"],
        "stone bridge": STRUCTURES["bridge"],
    }
    assert equipment == EQUIPMENT


def test_the_movement_chart_is_as_printed() -> None:
    arms = {
        "infantry in column": "column",
        "infantry in line": "line",
        "cavalry (any formation)": "cavalry",
        "artillery limbered": "limbered",
        "artillery prolonged": "prolonged",
        "general (HQ)": "general",
    }
    printed = {
        arms[name]: (*(None if cell == "-" else int(cell) for cell in cells), int(bonus.strip("+-") or 0))
        for name, *cells, bonus in entry("SP-MOV-01")[1:]
    }
    assert printed == dict(MOVEMENT)


def test_melee_results_are_as_printed() -> None:
    head, *rows = entry("SP-MEL-09")
    for die, *cells in rows:
        for title, cell in zip(head[1:], cells, strict=True):
            column, who = title.split()
            assert "".join(MELEE[int(die)][column]["AD".index(who)].split()) == "".join(cell.split()), (die, title)
    assert {int(row[0]) for row in rows} == set(MELEE)
    assert {title.split()[0] for title in head[1:]} == set(MELEE[1])


def test_casualty_factors_are_as_printed() -> None:
    rows = entry("SP-CAS-04")[1:]
    assert [[int(cell) for cell in cells] for _, *cells in rows] == [
        [row["L"], row["M"], row["H"]] for _, row in CASUALTY_FACTORS
    ]
    tops = [int(name.split("-")[1]) for name, *_ in rows[:-1]]
    assert tops == [most for most, _ in CASUALTY_FACTORS[:-1]]
    assert rows[-1][0] == f"{tops[-1] + 1}+"


@pytest.mark.parametrize("row", entry("SP-FOR-02")[1:], ids=lambda row: f"{row[0]} of {row[1]}")
def test_infantry_counts_as_printed(row: list[str]) -> None:
    formation, stands, *values = row
    shape: Formation = "column" if formation == "column" else "line"
    group = [
        Piece(id=f"f{n}", kind="infantry", side=FRENCH, men=3, slot=n, formation=shape)
        for n in range(1, int(stands.split()[0]) + 1)
    ]
    frontage = Options().line_frontage
    deep = ranks(group, frontage)
    dice, attack = len(deep[0]), 3 * sum(len(rank) for rank in deep[:2])
    sides = {side: sum(defence_by_stand(group, side, frontage).values()) for side in ("front", "left", "right", "rear")}
    assert [dice, attack, sides["front"], sides["left"], sides["rear"]] == [int(value) for value in values]
    assert sides["right"] == sides["left"]


@pytest.mark.parametrize("row", entry("SP-LOS-01")[1:], ids=lambda row: row[0])
def test_lines_cross_the_squares_printed(row: list[str]) -> None:
    (dx, dy), squares = pair(row[0]), [pair(cell) for cell in row[2].split()] if row[2] != "none" else []
    start = square(9, 9)
    # The chart is drawn once; it holds in all eight directions, and from either end.
    for swapped, east, north in product((False, True), (1, -1), (1, -1)):
        here = partial(placed, swapped=swapped, east=east, north=north)
        end = here((dx, dy))
        wanted = {here(one) for one in squares}
        assert set(crossed(start, end)) == wanted == set(crossed(end, start))
        assert distance(start, end) == int(row[1])


def placed(offset: tuple[int, int], *, swapped: bool, east: int, north: int) -> Square:
    """A square of the chart in one of the eight directions, seen from I-9."""
    x, y = reversed(offset) if swapped else offset
    return square(9 + east * x, 9 + north * y)


def pair(text: str) -> tuple[int, int]:
    """Read `(3,1)`."""
    x, y = text.strip("()").split(",")
    return int(x), int(y)


def test_lines_beyond_the_chart_are_drawn_alike() -> None:
    # What the chart prints can be said in one sentence; squares beyond it must obey it too.
    start = square(1, 1)
    for dx in range(1, 13):
        for dy in range(dx + 1):
            end = square(1 + dx, 1 + dy)
            for at in crossed(start, end):
                x, y = offset(start, at)
                corners = [dx * (2 * y + v) - dy * (2 * x + u) for u in (-1, 1) for v in (-1, 1)]
                assert min(corners) < 0 < max(corners)
            assert len(crossed(start, end)) == len(set(crossed(start, end)))
            assert all(1 <= place(at)[0] <= 1 + dx for at in crossed(start, end))


def test_the_order_of_battle_is_as_printed() -> None:
    forces = scene().pieces
    points = scene().points
    rows = {row[0]: row[1:] for row in entry("SP-PCE-01")[1:]}
    kinds = {
        "general (HQ)": "general",
        "infantry company": "infantry",
        "cavalry squadron": "cavalry",
        "gun section": "field_gun",
        "mitrailleuse section": "mitrailleuse",
        "24pdr siege gun": "siege_gun",
        "dummy (French only)": "dummy",
    }
    for name, kind in kinds.items():
        worth, _, french, prussian, _ = rows[name]
        assert (str(forces[FRENCH].get(kind, 0)), str(forces[PRUSSIAN].get(kind, 0))) == (french, prussian), name
        assert points[kind] == (0 if worth == "-" else int(worth)), name
    worth, _, french, prussian, figures = rows["crew, limber and team"]
    for side, cell in ((FRENCH, french), (PRUSSIAN, prussian)):
        crews, limbers = (int(part.split()[-1]) for part in cell.split(";"))
        assert (forces[side]["crew"], forces[side]["limber"], forces[side]["team"]) == (crews, limbers, limbers)
    assert points["crew_limber_team"] == int(worth)
    assert figures == f"crew {full('crew')} artillerymen; team {full('team')} horses"
    assert rows["infantry company"][4] == f"{full('infantry')} soldiers"
    assert rows["cavalry squadron"][4] == f"{full('cavalry')} troopers"
    assert full("general") == 2
