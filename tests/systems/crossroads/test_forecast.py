"""What the receipt says: what each unit will do on its card, and otherwise, by what its player knows."""

from __future__ import annotations

from functools import cache

from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.forecast import forecast, idle
from pbem.systems.crossroads.state import GERMAN
from tests.systems.play import Game


@cache
def game() -> Game:
    """La Folie before the first turn; nobody may change it."""
    return Game(SYSTEM, "la-folie")


def said(text: str) -> list[str]:
    """The sentences on a German sheet, in the order of its lines."""
    orders, _ = game().read(GERMAN, text)
    return [words for _, words in forecast(game().scene, game().world.minds[GERMAN], GERMAN, orders)]


def test_a_move_is_told_with_where_it_ends_now() -> None:
    assert said("PR-1 move S 6") == [
        "On its card PR-1 moves S 6 inches; from where it is now it comes to 52.0,54.0; "
        "failing that, it fires at the nearest enemy that it can hit, or stands."
    ]


def test_halves_conditions_and_an_else_are_told_in_their_order() -> None:
    assert said("PR-4 charge contact 2 if within 12 else move half S 4 then fire nearest") == [
        "On its card PR-4 charges contact 2 (now 31.2 inches off) if its target is within 12 inches; if it cannot, "
        "it moves with half of its move S 4 inches; from where it is now it comes to 64.0,60.0 and then fires at half "
        "at the nearest enemy with 3 dice; failing that, it fires at the nearest enemy that it can hit, or stands."
    ]


def test_fire_is_told_with_its_dice_and_the_faces_that_hit() -> None:
    assert said("PR-A1 fire contact 1") == [
        "On its card PR-A1 fires at contact 1 with 8 dice (now 24.5 inches off: 8 or more hits)."
    ]


def test_who_is_led_is_told_with_the_dice_that_he_then_has() -> None:
    assert said("officer KO-1 lead PR-1, PR-2 move S 8\nPR-1 fire nearest\nPR-3 fire nearest")[1:] == [
        "On its card PR-1 fires at the nearest enemy with 6 dice, or 3 once led.",
        "On its card PR-3 fires at the nearest enemy with 4 dice.",
    ]


def test_a_wheel_for_which_there_is_no_room_is_told_so() -> None:
    assert "(for which there is no room as they stand)" in said("PR-5 wheel left 45 then move SE 6")[0]


def test_officers_jokers_and_policies_are_told() -> None:
    assert said(
        "officer KO-1 lead PR-1, PR-2 move S 8\nofficer KO-2 attach PR-5 after PR-4\njoker PR-A1 fire contact 1\n"
        "policy shaken prone\npolicy joker-order PR-A1, PR-A2"
    ) == [
        "When the first of their cards comes up, KO-1 leads PR-1 and PR-2, those within his reach: each moves S 8 "
        "inches. The others then only fire on their own cards, at half.",
        "After the card of PR-4 KO-2 rides to PR-5 and stays with it.",
        "On the Joker PR-A1 fires at contact 1 with 8 dice (now 24.5 inches off: 8 or more hits).",
        "Shaken units lie down where they are. So it stays till you change it.",
        "Without a line for it, a joker goes to the first of PR-A1 and PR-A2 that can fire.",
    ]


def test_who_has_no_order_is_told_with_what_he_does() -> None:
    orders, _ = game().read(GERMAN, "PR-1 none\nPR-2 none\nPR-3 none\nPR-4 none\nPR-5 none\nPR-6 none")
    call = game().pause.call(GERMAN)
    assert call is not None
    mind = game().world.minds[GERMAN]
    assert idle(game().scene, mind, GERMAN, orders, call) == [
        "Without an order, PR-A1 and PR-A2 will fire at the nearest enemy each can hit, else stand."
    ]
