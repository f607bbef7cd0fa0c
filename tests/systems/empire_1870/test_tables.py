"""Every chart, cell by cell, against a second entry by other eyes."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from pbem.systems.empire_1870.tables import charts, headquarters
from pbem.systems.empire_1870.tables.headquarters import ALIASES, CAVALRY, FRENCH_CAVALRY, HEADQUARTERS, Face
from tests.systems.empire_1870 import second_entry

SIDES = ("french", "german")


def rows(text: str) -> list[str]:
    """The lines of a second entry, without the first and last, which are empty."""
    return [line.strip() for line in text.strip().splitlines()]


def by_name(text: str) -> dict[str, list[str]]:
    """Rows of text whose name ends at two blanks or at a bar."""
    found = {}
    for row in rows(text):
        name, *cells = re.split(r"\s*\|\s*|\s{2,}", row)
        assert name not in found
        found[name] = cells
    return found


def test_the_combat_ratio_matrix_is_as_printed() -> None:
    head, *printed = [row.split("|") for row in rows(second_entry.CRM)]
    assert tuple(head[1].split()) == charts.RATIOS == tuple(charts.CRM)
    seen = set()
    for name, cells in printed:
        column, who = name.split()
        seen.add((column, who))
        ours = [charts.CRM[ratio][column]["AD".index(who)] for ratio in charts.RATIOS]
        assert ours == [int(cell) for cell in cells.split()], name
    assert seen == {(column, who) for column in charts.CRM_COLUMNS for who in "AD"}
    assert sorted(charts.CRM_ORDER) == sorted(charts.CRM_COLUMNS)


def test_the_chassepot_fire_table_is_as_printed() -> None:
    head, *printed = [row.split("|") for row in rows(second_entry.CFT)]
    assert head[1].split() == [f"{first}-{last}" for (first, last), _ in charts.CFT]
    least = 1
    for at, (name, cells) in enumerate(printed):
        most = charts.CFT_COLUMNS[at]
        assert name.strip() == (f"{least}+" if most is None else f"{least}-{most}")
        assert [int(cell) for cell in cells.split()] == [row[at] for _, row in charts.CFT], name
        least = (most or 0) + 1
    assert len(printed) == len(charts.CFT_COLUMNS)


def test_every_roll_of_two_dice_stands_in_the_fire_table_once() -> None:
    rolls = [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]
    for roll in rolls:
        assert sum(first <= roll <= last for (first, last), _ in charts.CFT) == 1, roll
    assert {roll for roll in rolls if roll % 11 == 0 and roll != 11} == set(charts.CFT_AGAIN)


def test_shifts_are_as_printed() -> None:
    printed = {
        name: int(words[0].replace("right ", "").replace("left ", "-"))
        for name, words in by_name(second_entry.SHIFTS).items()
    }
    assert printed == {
        "target in clear": charts.CFT_SHIFTS["clear"],
        "firers in an undestroyed French fortress": charts.CFT_SHIFTS["french_fortress"],
        "target in mountain": charts.CFT_SHIFTS["mountain"],
        "target in a German fortress": charts.CFT_SHIFTS["german_fortress"],
    }
    assert len(printed) == len(charts.CFT_SHIFTS)


def test_the_terrain_effects_chart_is_as_printed() -> None:
    printed = {}
    for name, (mp, artillery) in by_name(second_entry.TERRAIN).items():
        factor = Fraction(artillery.removeprefix("artillery x"))
        printed[name] = (None if mp == "mp closed" else int(mp[3:]), factor)
    assert printed == {name: (row.mp, Fraction(*row.artillery)) for name, row in charts.TERRAIN.items()}
    assert {row.column or name for name, row in charts.TERRAIN.items()} == set(printed)


def test_extra_mp_are_as_printed() -> None:
    ours = [*charts.EXTRA_MP.values(), charts.SORTIE_MP, charts.EXIT_MP, *charts.RAIL_MP.values()]
    assert [int(cells[0]) for cells in by_name(second_entry.EXTRA).values()] == ours


def test_command_limits_are_as_printed() -> None:
    head, *printed = [row.split() for row in rows(second_entry.COMMAND)]
    for place, side in enumerate(head, start=-2):
        limits = charts.COMMAND_LIMITS[side.lower()]
        ours = [charts.INHERENT_LIMIT[side.lower()], limits["division"], limits["corps"], limits["army"]]
        assert ours == [int(row[place]) for row in printed]
    assert set(charts.RANKS) == set(charts.COMMAND_LIMITS["french"]) == set(charts.COUNTED)


@pytest.mark.parametrize("row", rows(second_entry.INHERENT), ids=lambda row: row.split()[0])
def test_inherent_hqs_are_as_printed(row: str) -> None:
    side, _, ab, _, db, _, ma = row.split()
    assert charts.INHERENT[side.lower()] == (int(ab), int(db), int(ma))


@pytest.mark.parametrize("side", SIDES)
def test_what_differs_by_side_is_as_printed(side: str) -> None:
    head, *printed = rows(second_entry.MOBILIZATION)
    at = [name.lower() for name in head.split()].index(side)
    ours = charts.MOBILIZATION[side]
    share = Fraction(*charts.ARTILLERY_COST[side])
    values = [
        charts.RP_COLLECTED[side],
        ours.sp_rp,
        ours.hq_rp,
        ours.sp_per_hex,
        ours.hq_per_hex,
        ours.distance,
        "yes" if ours.towns else "no",
        "any" if charts.RAIL_SP[side] is None else charts.RAIL_SP[side],
        charts.RAIL_RP[side],
        charts.ATTACK_HEXES[side],
        -(-11 * share.numerator // share.denominator),
        charts.CASUALTIES_PER_VP[side],
    ]
    assert [re.split(r"\s{2,}", row)[1 + at] for row in printed] == [str(value) for value in values]


def test_siege_modifiers_are_as_printed() -> None:
    *ratios, army = second_entry.SIEGE.split(", ")
    assert {int(one[0]): int(one.split()[1]) for one in ratios} == charts.SIEGE_DRMS
    assert int(army.split()[-1]) == charts.SIEGE_ARMY_HQ


def test_victory_points_are_as_printed() -> None:
    printed = {name: int(cells[0]) for name, cells in by_name(second_entry.VP).items()}
    assert printed == {
        "French take a German town": charts.VP["german_town_taken"],
        "Germans take it back": charts.VP["german_town_retaken"],
        "German fortress destroyed": charts.VP["german_fortress_destroyed"],
        **{f"French fortress of {sr} destroyed": vp for sr, vp in charts.VP_FRENCH_FORTRESS.items()},
        "Germans take a French town": charts.VP["french_town_taken"],
        "French take it back": charts.VP["french_town_retaken"],
        "French win a major battle": charts.VP["major_battle_french"],
        "Germans win a major battle": charts.VP["major_battle_german"],
    }


def test_single_numbers_are_as_printed() -> None:
    ours = [
        charts.MOST_RP,
        charts.ZOC_SP,
        charts.LOC_HEXES,
        *charts.FORCED_MARCH,
        charts.FORCED_MARCH_HOLDS,
        charts.RALLY_RP,
        charts.RECOVERY_RP,
        charts.LARGEST_RATIO,
        charts.SMALLEST_TOTAL,
        charts.FEWEST_ELIMINATED,
        charts.CAVALRY_SP,
        charts.CAVALRY_STAYS_TO,
        *charts.RETREAT_HEXES,
        charts.SIEGE_LOC_RATIO,
        charts.MAJOR_BATTLE_SP,
        charts.VP_START,
        charts.VP_ENDS["german"],
        charts.VP_ENDS["french"],
        charts.EXIT_SP,
        charts.EXIT_CORPS,
        *charts.CFT_HQ_CHECK,
        *charts.CFT_JAM,
    ]
    assert [int(cells[0]) for cells in by_name(second_entry.NUMBERS).values()] == ours


def test_shares_of_the_spread_give_the_losses_printed() -> None:
    spreads, eliminated, loser, winner = (
        [int(cell) for cell in row.split() if cell.isdigit()] for row in rows(second_entry.SPREADS)
    )
    for spread, gone, more, won in zip(spreads, eliminated, loser, winner, strict=True):
        first = max(spread * charts.LOSER_SHARE[0] // charts.LOSER_SHARE[1], charts.FEWEST_ELIMINATED)
        assert (first, max(spread - first, 0)) == (gone, more)
        assert spread * charts.WINNER_SHARE[0] // charts.WINNER_SHARE[1] == won


def test_halvings_are_as_printed() -> None:
    ours = (charts.MARCH_ATTACK, charts.WITHOUT_LOC, charts.ON_THE_TRAIN)
    assert [cells for (cells,) in by_name(second_entry.HALVED).values()] == [f"{some} of {all_}" for some, all_ in ours]


def test_hqs_that_count_are_as_printed() -> None:
    printed = dict(entry.split() for entry in second_entry.COUNTED.split(", "))
    assert printed == {rank: "all" if most is None else str(most) for rank, most in charts.COUNTED.items()}


def test_dice_mean_what_is_printed() -> None:
    head, thirds, casualties = (row.split()[1:] for row in rows(second_entry.DICE))
    assert {int(die): int(value) for die, value in zip(head, thirds, strict=True)} == charts.D3
    assert dict(zip(map(int, head), casualties, strict=True)) == charts.HQ_CASUALTIES


def test_headquarters_are_as_printed() -> None:
    _, *printed = [row.split(maxsplit=9) for row in rows(second_entry.HEADQUARTERS)]
    first_german = [row[0] for row in printed].index("A1")
    for at, (id_, rank, *ratings, successor, name) in enumerate(printed):
        ours = HEADQUARTERS[id_]
        assert (ours.side, ours.rank) == (SIDES[at >= first_german], rank), id_
        assert name in ours.name
        assert ours.successor == successor.strip("-")
        assert as_text(ours.front) + as_text(ours.back) == ratings, id_
        assert ours.cavalry == id_.startswith("CD")
    assert [row[0] for row in printed] == list(HEADQUARTERS)
    assert set(CAVALRY) == {id_ for id_, one in {**HEADQUARTERS, **FRENCH_CAVALRY}.items() if one.cavalry}


def test_the_optional_french_cavalry_is_as_printed() -> None:
    id_, rank, *ratings, successor, name = second_entry.DU_BARAIL.split(maxsplit=9)
    (ours,) = FRENCH_CAVALRY.values()
    assert (ours.id, ours.side, ours.rank, ours.name, ours.cavalry) == (id_, "french", rank, name, True)
    assert ours.successor == successor.replace("-", " ")
    assert as_text(ours.front) + as_text(ours.back) == ratings


def as_text(face: Face) -> list[str]:
    """`-1 0 3c`, word by word."""
    return [str(face.ratings.ab), str(face.ratings.db), f"{face.ratings.ma}{'c' * face.cautious}"]


def test_no_german_is_cautious_and_no_piece_slower_than_an_inherent_hq() -> None:
    for one in HEADQUARTERS.values():
        for face in (one.front, one.back):
            assert face.ratings.ma >= charts.INHERENT[one.side].ma
            assert one.side == "french" or not face.cautious


def test_other_names_of_hqs_mean_hqs_of_their_side_and_none_twice() -> None:
    for side in SIDES:
        assert {HEADQUARTERS[id_].side for id_ in ALIASES[side].values()} == {side}
        assert len(set(ALIASES[side].values())) == len(ALIASES[side])
        assert not {name.upper() for name in ALIASES[side]} & set(HEADQUARTERS)


@pytest.mark.parametrize("module", [charts, headquarters], ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_rule_of_a_chart_names_a_chart_that_is_there(module: object) -> None:
    for name in getattr(module, "TABLE_RULES"):  # noqa: B009 - both modules have it, their common type has not
        assert hasattr(module, name)
