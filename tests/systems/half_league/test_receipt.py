"""What a receipt says of a line that it refuses: what is wrong, and what would do."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement, Line
from pbem.rules import registry
from pbem.systems.half_league import SYSTEM
from tests.systems.play import Game

ALLIED, RUSSIAN = 0, 1


def example(text: str) -> str:
    """The example that is given for a line that is refused."""
    game = Game(registry.load("half-league"), "kourgane")
    _, [found] = game.read(game.roles[ALLIED], text)
    return found.example


def refused(text: str, *, rulings: str = "", role: int = ALLIED) -> tuple[str, str]:
    """Why a line is refused, and what is said that would do."""
    game = Game(registry.load("half-league"), "kourgane")
    for number, line in enumerate(rulings.splitlines(), start=1):
        game.add(SYSTEM.direct(game.scene, game.world, [Line(number, line)], {}).items)
    _, complaints = game.read(game.roles[role], text)
    (found,) = complaints
    return found.why, found.instead


def test_the_hyphen_of_an_enemy_who_is_not_known_is_not_put_in() -> None:
    why, _ = refused("UK-7 fire RU12")

    assert "RU-12" not in why


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("UK-95 form roadcolum", "a formation: line, double_line, column, road_column,"),
        ("brigadier BG-COD fir", "a benefit: move, pull, fire, fire_save, morale, melee or melee_save"),
        ("UK-A1 form column", "foot artillery forms limbered or unlimbered"),
        ("UK-7 fire RU-9 stands 3 and RU-A1 stands 9", "UK-7 has five stands to fire with in all"),
        ("UK-7 move to 70.5", "x,y in inches, like 61,57.5"),
    ],
)
def test_what_would_do_is_said(text: str, said: str) -> None:
    assert said in refused(text)[0]


def test_the_example_is_of_the_order_that_the_line_seems_to_be() -> None:
    assert example("UK-7 move to <b>").startswith("UK-7 move to Great Redoubt")
    assert example("policy advance never all") == "policy advance no B-COD"


def test_an_enemy_who_was_lost_from_sight_is_not_called_unknown() -> None:
    why, _ = refused("UK-7 charge contact 2", rulings="place RU-12 at 80,17")

    assert why == "contact 2 is out of your sight since turn 1"


def test_a_line_of_which_one_unit_cannot_obey_stands_for_the_others() -> None:
    """What is played is what the receipt calls accepted."""
    game = Game(registry.load("half-league"), "kourgane")
    orders, complaints = game.read(game.roles[ALLIED], "UK-HA, UK-LD, UK-LN form line\nUK-41, UK-A1 move S 20\n")

    assert [(one.line, one.unit) for one in orders] == [(1, "UK-LD"), (1, "UK-LN"), (2, "UK-A1")]
    assert [(one.line, one.judgement, one.why) for one in complaints] == [
        (
            1,
            Judgement.DOUBTFUL,
            "not allowed: UK-HA: horse artillery forms limbered or unlimbered.  The line stands for UK-LD and UK-LN",
        ),
        (
            2,
            Judgement.DOUBTFUL,
            "not allowed: dice cannot carry UK-41 farther than 18 inches.  The line stands for UK-A1",
        ),
    ]


def test_a_line_of_which_no_unit_can_obey_is_refused() -> None:
    game = Game(registry.load("half-league"), "kourgane")
    orders, complaints = game.read(game.roles[ALLIED], "UK-98, UK-99 hold\n")

    assert orders == []
    assert {one.judgement for one in complaints} == {Judgement.NOT_ALLOWED}


@pytest.mark.parametrize(
    "text", ["UK-7 hold", "BG-COD attach UK-7", "AC-1 attach UK-SG", "policy army-pull AC-1 when chits >= 2"]
)
def test_what_another_commands_is_refused_with_his_name(text: str) -> None:
    game = Game(registry.load("half-league"), "great-redoubt")
    _, complaints = game.read(Role("allied.guards"), text)

    assert [one.why for one in complaints] == ["that is under the command of Sir George Brown"]
