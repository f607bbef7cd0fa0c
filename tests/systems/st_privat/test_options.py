"""Every option matters: a case plays each of its values, and fails without it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.orders.sheet import lines_of
from pbem.rules import registry
from pbem.rules.cases import Case
from pbem.rules.ledger import Choice, Value
from pbem.suite.cases import cases_of, played
from pbem.systems.st_privat import SYSTEM
from pbem.systems.st_privat.gm.asks import allowance
from pbem.systems.st_privat.world.options import Options
from tests.systems.play import Game, files

LEDGER = registry.ledger_of("st-privat")
CHANGED = [case for case in cases_of("st-privat").values() if case.options]
ON_A_BOARD_OF_ITS_OWN = {"road_negates_terrain"}
"""No road of the boards that are shipped runs over hills or woods; see the last test."""


def values_played(name: str) -> list[Value]:
    """The values of an option that cases set."""
    return [case.options[name] for case in CHANGED if name in case.options]  # type: ignore[misc]  # a table is a Value


def wanted(choice: Choice) -> Iterator[Value]:
    """The values of an option that are not its default."""
    if isinstance(choice.values, tuple):
        yield from (value for value in choice.values if value != choice.default)


def test_the_ledger_names_the_options_that_the_game_has_with_their_defaults() -> None:
    assert {name: choice.default for name, choice in LEDGER.options.items()} == to_builtins(Options())


@pytest.mark.parametrize("name", sorted(LEDGER.options.keys() - ON_A_BOARD_OF_ITS_OWN))
def test_each_value_has_a_case(name: str) -> None:
    choice, found = LEDGER.options[name], values_played(name)

    assert found
    assert [value for value in wanted(choice) if value not in found] == []
    assert choice.default not in found


@pytest.mark.parametrize("case", CHANGED, ids=[case.id for case in CHANGED])
def test_the_result_differs_without_the_option(case: Case) -> None:
    assert not played(replace(case, options={})).passed


HILL_ROAD = {"Q-11": ".+", "Q-10": "h+", "Q-9": "h+", "Q-8": ".+"}
"""The squares of a road that runs over a hill, from north to south, by the signs of a map."""


def over_the_hill(*, negates: bool) -> tuple[Square | None, int]:
    """Where cavalry comes to on a road over two hill squares, and its points when it starts on it."""
    tables = files("st-privat", "open-board")
    rows = [line.split() for line in tables["map"]["grid"].strip().splitlines()]
    for row in rows[1:]:
        for at, sign in HILL_ROAD.items():
            if at.endswith(f"-{row[0]}"):
                row[rows[0].index(at[0])] = sign
    road = {"name": "hill road", "squares": " ".join(HILL_ROAD)}
    tables["map"] |= {"grid": "\n".join("\t".join(row) for row in rows), "roads": {"R1": road}}
    game = Game(SYSTEM, "open-board", options={"road_negates_terrain": negates})
    game.scene = SYSTEM.scene(tables)
    position = "set turn 2\nset phase move_first\nplace pc1 at Q-11 face s"
    for line in lines_of(position):
        game.add(SYSTEM.direct(game.scene, game.world, [line], {}).items)
    game.play({SYSTEM.awaits(game.world.truth).calls[0].role: "move pc1 via Q-10 Q-9 Q-8"})
    truth = game.world.truth
    return truth.pieces["pc1"].square, allowance(game.scene, truth, "cavalry", "Q-10", "Q-9")


def test_a_road_over_a_hill_is_one_more_halt_unless_the_option_lifts_it() -> None:
    assert over_the_hill(negates=False) == ("Q-10", 3)
    assert over_the_hill(negates=True) == ("Q-8", 5)
