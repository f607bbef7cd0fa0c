"""A receipt says how far a move goes and what the dice come to on the average, by what its writer knows."""

from __future__ import annotations

from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Line
from pbem.rules import registry
from pbem.systems.half_league import SYSTEM
from tests.systems.play import Game


def forecast(text: str, *, rulings: str = "", role: int = 0) -> list[str]:
    """What the receipt of a sheet says, by line; of the allied one, or of the other *role*."""
    game = Game(registry.load("half-league"), "kourgane")
    for number, line in enumerate(rulings.splitlines(), start=1):
        game.add(SYSTEM.direct(game.scene, game.world, [Line(number, line)], {}).items)
    assert game.pause.moment == Moment(1, 1)
    who = game.roles[role]
    orders, complaints = game.read(who, text)
    assert not [one for one in complaints if one.judgement.refuses]
    assert SYSTEM.forecast is not None
    return [said for _, said in SYSTEM.forecast(game.scene, game.world.minds[who], who, orders)]


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
    assert said.endswith(": about 6 inches, to 60.5,72.0, before UK-30 as it stands now")


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


RUSSIAN = 1


def test_who_orders_the_reserve_before_its_time_is_told() -> None:
    move, held = forecast("RU-10 move N 8", role=RUSSIAN)
    seen = forecast("RU-10 move N 8", rulings="place UK-7 at 61,46", role=RUSSIAN)

    assert move.startswith("RU-10 goes 8 inches N")
    assert held == "RU-10 is of the reserve, which stands until turn 3, or until you have seen an enemy south of y 48"
    assert len(seen) == 1
    assert forecast("RU-10 face NE", role=RUSSIAN) == []


def test_a_charge_that_no_dice_can_carry_home_is_called_too_far() -> None:
    far, _ = forecast("RU-12 charge UK-7", role=RUSSIAN)
    (near,) = forecast("UK-7 charge RU-9")

    assert far.endswith("14 inches on the average, and never more than 24 inches: too far this turn")
    assert "too far" not in near


def test_two_purchases_with_one_point_are_told_apart() -> None:
    first, second = forecast("RU-2 spend melee\nRU-2 spend fire", rulings="set RU-2 command_points 1", role=RUSSIAN)

    assert first == "RU-2 spends a point on melee: 0 left then"
    assert second == "RU-2 spends on fire if the lines above have left it a point: it has 1"


def test_whom_a_brigadier_reaches_is_named() -> None:
    with_him = "place BG-COD at 69,67\nset BG-COD attached_to UK-33"

    assert forecast("BG-COD attach UK-33\nbrigadier BG-COD fire")[1] == (
        "BG-COD gives fire to UK-33 alone, which he joins this turn"
    )
    assert forecast("brigadier BG-COD fire", rulings=with_him) == [
        "BG-COD gives fire to UK-23, UK-33, UK-7, as all stand now"
    ]
    assert "to nobody" in forecast("brigadier BG-COD fire\nBG-COD detach", rulings=with_him)[0]


def test_a_battery_that_has_not_stood_long_enough_to_bombard_is_told() -> None:
    (said,) = forecast("RU-A1 bombard contact 17", role=RUSSIAN)

    assert said.endswith("it has stood still for 0 turns, and both must have stood for 3")


def test_a_charge_is_told_with_the_dice_of_the_ground_it_starts_on() -> None:
    placed = "place UK-7 at 61,55 facing S line\nplace RU-9 at 61,48 facing N skirmish"
    (said,) = forecast("UK-7 charge RU-9", rulings=placed)

    assert "2 dice, 7 inches on the average" in said


def test_a_brigadier_who_came_in_this_turn_is_told_to_help_one_unit_alone() -> None:
    game = Game(SYSTEM, "kourgane", options={"exchanges_per_turn": 2})
    game.play({Role("allied"): "BG-GDS attach UK-SG\nBG-COD attach UK-33\nUK-GG, UK-SG, UK-CG hold"})
    assert game.pause.moment == Moment(1, 2)
    role = Role("allied")

    def said() -> list[str]:
        orders, _ = game.read(role, "brigadier BG-GDS fire")
        assert SYSTEM.forecast is not None
        return [one for _, one in SYSTEM.forecast(game.scene, game.world.minds[role], role, orders)]

    assert said() == ["BG-GDS gives fire to UK-SG, as all stand now"]
    game.play({})
    game.play({})
    assert said() == ["BG-GDS gives fire to UK-CG, UK-GG, UK-SG, as all stand now"]


def test_what_an_option_forbids_of_a_chit_is_not_promised() -> None:
    game = Game(SYSTEM, "kourgane", options={"pull_and_move": "second_chit"})
    game.add(SYSTEM.direct(game.scene, game.world, [Line(1, "set UK-7 chits 2")], {}).items)
    role = Role("allied")
    orders, _ = game.read(role, "UK-7 pull then move S 8")
    assert SYSTEM.forecast is not None

    (told,) = SYSTEM.forecast(game.scene, game.world.minds[role], role, orders)
    assert told[1] == "UK-7 pulls: 1 of 2 chits left; by an option a point buys nothing but a second chit"


def test_what_follows_a_pull_is_reckoned_without_the_chit() -> None:
    placed = "place UK-7 at 61,70 facing S line\nplace RU-9 at 61,60 facing N skirmish\nset UK-7 chits 3"
    (said,) = forecast("UK-7 pull then charge RU-9", rulings=placed)

    assert said.startswith("UK-7 pulls: 2 of 3 chits left; for a point, UK-7 charges RU-9")
    assert "it charges on a 4 or more; 3 dice, 5 inches on the average" in said
