"""Every table, cell by cell, against the second entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import ModuleType

import pytest

from pbem.systems.crossroads.tables import combat, morale, move, units
from pbem.systems.crossroads.tables.combat import FIRING, FIRING_DICE, MELEE_DICE
from pbem.systems.crossroads.tables.morale import CHARGE_L1, MORALE, MORALE_DIE, MORALE_DIE_OF, Bands
from pbem.systems.crossroads.tables.move import MOVEMENT, March
from pbem.systems.crossroads.tables.units import BASE_SIZE, BASES, FOOTPRINTS, LEVELS, STRENGTH, STRENGTH_OF
from tests.systems.crossroads import second_entry

MODULES = (units, morale, move, combat)
CHARTS = {"MORALE", "MOVEMENT", "FIRING_DICE", "FIRING", "MELEE_DICE"}


def rows(text: str) -> dict[str, str]:
    """The rows of a printed chart by name, without the spaces that the print has between cells."""
    parted = (row.split(" | ") for row in text.strip().splitlines())
    return {name.strip(): cells.replace(" ", "") for name, cells in parted}


def faces(of: tuple[int, ...]) -> str:
    """Faces as the print writes them: none, one, two with a comma, more with a dash."""
    if not of:
        return "n/a"
    return ",".join(map(str, of)) if len(of) < 3 else f"{of[0]}-{of[-1]}"


def band(cell: Bands | None) -> str:
    if cell is None:
        return "n/a" * 4
    return f"{cell.passes}+" + "".join(map(faces, (cell.shaken, cell.withdraw, cell.rout)))


def inches(number: int | None) -> str:
    return "n/a" if number is None else f'{number}"'


def test_the_morale_chart_is_as_printed_but_for_one_figure() -> None:
    printed = rows(second_entry.MORALE)
    for row, (stands, read) in second_entry.MORALE_AGAINST_PRINT.items():
        assert stands in printed[row]
        printed[row] = printed[row].replace(stands, read)
    assert {row: "".join(map(band, levels.values())) for row, levels in MORALE.items()} == printed


def test_each_cell_of_the_morale_chart_has_every_face_once() -> None:
    cells = [cell for levels in MORALE.values() for cell in levels.values() if cell]
    for cell in (*cells, *CHARGE_L1.values()):
        below = sorted([*cell.shaken, *cell.withdraw, *cell.rout])
        assert below == list(range(1, cell.passes)), cell
        assert list(cell.shaken + cell.withdraw + cell.rout) == sorted(below, reverse=True), cell


def test_both_readings_of_the_stray_figure_differ_in_it_alone() -> None:
    assert MORALE["Charge"][1] == CHARGE_L1["WD"]
    assert CHARGE_L1["R"]._replace(withdraw=(1,), rout=()) == CHARGE_L1["WD"]


def moved(row: March, nation: bool) -> str:
    part = "-1/2" if nation else "1/2"
    change = {Fraction(1, 2): part, Fraction(1): "1turn"}[row.change]
    linear = row.linear.replace(" ", "") if isinstance(row.linear, str) else f"-{row.linear}"
    ends = "".join(map(inches, (row.charge, row.withdraw, row.rout)))
    return "".join(map(inches, (row.line, row.column, row.officer))) + linear + change + ends


def test_the_movement_chart_is_as_printed() -> None:
    ours = {name: moved(row, nation=row.linear == Fraction(1, 2)) for name, row in MOVEMENT.items()}
    guns, mgs = ours.pop("artillery"), ours.pop("mg")
    both = guns.replace('9"', '9"/12"')
    assert both == mgs.replace('12"', '9"/12"', 1)
    assert ours | {"artillery+mg": both} == rows(second_entry.MOVEMENT)


def hits(least: int) -> str:
    return "9,10" if least == 9 else f"{least}-10"


def test_the_firing_charts_are_as_printed() -> None:
    dice = {row: "".join(f"{number}D" for number in numbers) for row, numbers in FIRING_DICE.items()}
    assert dice == rows(second_entry.FIRING_DICE)
    ours = {row: "".join(map(hits, firing[:-1])) + inches(firing.range) for row, firing in FIRING.items()}
    assert ours == rows(second_entry.FIRING)


def test_the_melee_dice_are_as_printed() -> None:
    dice = {row: "".join(f"{number}D" for number in numbers) for row, numbers in MELEE_DICE.items()}
    assert dice == rows(second_entry.MELEE_DICE)


def words(value: object) -> Iterator[str]:
    """A cell as it is typed: its parts in order, a dash for what is not there."""
    if isinstance(value, tuple):
        for one in value:
            yield from words(one)
    else:
        yield "-" if value is None else str(value)


def cells(name: str, value: object) -> Iterator[tuple[str, str]]:
    """The cells of a table under their keys."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from cells(f"{name} / {key}", one)
    else:
        yield name, " ".join(words(value))


def tables(module: ModuleType) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name.isupper() and not name.startswith("_")}


def test_every_other_cell_is_as_typed_a_second_time() -> None:
    ours = dict(
        cell
        for module in MODULES
        for name, value in tables(module).items()
        if name not in CHARTS and name != "TABLE_RULES"
        for cell in cells(name, value)
    )
    typed = {}
    for row in (second_entry.PLAIN_PRINTED + second_entry.PLAIN_RECONSTRUCTED).split("\n"):
        if row:
            name, _, cell = row.partition(" = ")
            assert name not in typed
            typed[name] = cell
    assert ours == typed


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_table_names_its_rules(module: ModuleType) -> None:
    assert set(module.TABLE_RULES) == set(tables(module)) - {"TABLE_RULES"}


def test_levels_begin_at_the_quarters_of_every_strength() -> None:
    strengths = {number for arms in STRENGTH.values() for number in arms.values()} | set(STRENGTH_OF.values())
    assert {strength: tuple(strength // BASES * n for n in range(BASES + 1)) for strength in strengths} == LEVELS


def test_footprints_are_made_of_bases() -> None:
    for arm, (width, depth) in BASE_SIZE.items():
        ours = FOOTPRINTS[arm]
        if "line" in ours:
            assert ours["line"] == (BASES * width, depth)
            assert ours["column"] == (2 * width, 2 * depth)
        else:
            assert (ours["deployed"], ours["limbered"]) == ((2 * width, depth), (width, 2 * depth))
        if "skirmish" in ours:
            assert ours["skirmish"] == (BASES * width + 3, depth)


def test_every_die_covers_the_chart() -> None:
    dice = {die for arms in MORALE_DIE.values() for die in arms.values()} | set(MORALE_DIE_OF.values())
    assert dice == {8, 10}
    assert max(cell.passes for levels in MORALE.values() for cell in levels.values() if cell) == min(dice)
