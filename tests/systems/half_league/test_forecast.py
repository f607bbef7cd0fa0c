"""A receipt says how far a move goes and what the dice come to on the average, by what its writer knows."""

from __future__ import annotations

from pbem.kernel.names import Moment
from pbem.orders.sheet import Line
from pbem.rules import registry
from pbem.systems.half_league import SYSTEM
from tests.systems.play import Game


def forecast(text: str, *, rulings: str = "") -> list[str]:
    """What the receipt of an allied sheet says, by line."""
    game = Game(registry.load("half-league"), "kourgane")
    for number, line in enumerate(rulings.splitlines(), start=1):
        game.add(SYSTEM.direct(game.scene, game.world, [Line(number, line)], {}).items)
    assert game.pause.moment == Moment(1, 1)
    role = game.roles[0]
    orders, complaints = game.read(role, text)
    assert not [one for one in complaints if one.judgement.refuses]
    assert SYSTEM.forecast is not None
    return [said for _, said in SYSTEM.forecast(game.scene, game.world.minds[role], role, orders)]


def test_a_move_is_told_with_its_distance_the_dice_and_their_average() -> None:
    assert forecast("UK-7 move S 6") == ["UK-7 goes 6 inches S; 3 dice, 10.5 inches on the average"]


def test_chits_make_the_average_less_and_a_point_makes_it_more() -> None:
    chits = "set UK-7 chits 2"
    point = "set UK-7 command_points 3"

    assert forecast("UK-7 move S 6", rulings=chits)[0].endswith("3 dice, 5 inches on the average with 2 chits")
    assert "4 dice, 14 inches on the average" in forecast("UK-7 move S 6\nUK-7 spend move", rulings=point)[0]


def test_what_will_stop_it_is_named() -> None:
    (said,) = forecast("UK-GG move S 16")

    assert said.startswith("UK-GG goes 16 inches S; 3 dice, 10.5 inches on the average")
    assert said.endswith(": about 6 inches, to 60.5,72.0, before UK-30")


def test_a_place_is_named_and_a_ride_measured() -> None:
    (said,) = forecast("BG-COD move to 72,52")

    assert said == "BG-COD rides 18.2 inches to 72.0,52.0 (Middle Ford); 6 dice, 21 inches on the average"


def test_who_has_no_order_is_named_with_what_he_does() -> None:
    game = Game(registry.load("half-league"), "kourgane")
    role = game.roles[0]
    orders, _ = game.read(role, "UK-7 move S 6")
    call = game.pause.call(role)
    assert call is not None
    assert SYSTEM.idle is not None
    (said,) = SYSTEM.idle(game.scene, game.world.minds[role], role, orders, call)

    assert said.startswith("Stand still, and fire by priority: ")
    assert "UK-33" in said
    assert "UK-7," not in said
