"""What the receipt says: what each unit will do on its card, and otherwise, by what its player knows."""

from __future__ import annotations

from functools import cache

from pbem.kernel.names import Role
from pbem.systems.crossroads import SYSTEM
from pbem.systems.crossroads.sheets.forecast import forecast, idle
from pbem.systems.crossroads.world.state import FRENCH, GERMAN
from tests.systems.play import Game


@cache
def game() -> Game:
    """La Folie before the first turn; nobody may change it."""
    return Game(SYSTEM, "la-folie")


@cache
def close() -> Game:
    """The Golden Bremm after two turns, the French close at hand."""
    found = Game(SYSTEM, "golden-bremm")
    found.play({GERMAN: "PR-2 move S 9", FRENCH: "FR-1 none\nFR-M1 none\nstar FR-3 none"})
    return found


def said(text: str, of: Game | None = None, side: Role = GERMAN) -> list[str]:
    """The sentences on a sheet, in the order of its lines."""
    of = of or game()
    orders, _ = of.read(side, text)
    return [words for _, words in forecast(of.scene, of.world.minds[side], side, orders)]


def test_a_move_is_told_with_where_it_ends_now() -> None:
    assert said("PR-1 move S 6") == [
        "On its card PR-1 moves S 6 inches; from where it is now it comes to 52.0,54.0; "
        "failing that, it fires at the nearest enemy that it can hit, or stands."
    ]


def test_halves_conditions_and_an_else_are_told_in_their_order() -> None:
    assert said("PR-4 charge contact 8 if within 12 else move half S 4 then fire nearest") == [
        "On its card PR-4 charges contact 8 (now 31.2 inches off; out of its reach as they stand) if its target is "
        "within 12 inches; if it cannot, it moves with half of its move S 4 inches; from where it is now it comes to "
        "64.0,60.0 and then fires at half at the nearest enemy with 3 dice; failing that, it fires at the "
        "nearest enemy that it can hit, or stands."
    ]


def test_fire_is_told_with_its_dice_and_the_faces_that_hit() -> None:
    assert said("PR-A1 fire contact 7") == [
        "On its card PR-A1 fires at contact 7 with 8 dice (now 24.5 inches off: 8 or more hits). "
        "Odds: 94 % to hit, 2.4 figures on the average."
    ]


def test_who_is_led_is_told_with_the_dice_that_he_then_has() -> None:
    assert said("officer KO-1 lead PR-1, PR-2 move S 8\nPR-1 fire nearest\nPR-3 fire nearest")[1:] == [
        "On its card PR-1 fires at the nearest enemy with 6 dice, or 3 once led (now there is none that it can hit).",
        "On its card PR-3 fires at the nearest enemy with 4 dice (now there is none that it can hit).",
    ]


def test_a_wheel_that_will_be_stopped_is_told_how_far_it_comes() -> None:
    assert "(as they stand as far as 165, short of a friend)" in said("PR-5 wheel left 45 then move SE 6")[0]


def test_officers_jokers_and_policies_are_told() -> None:
    assert said(
        "officer KO-1 lead PR-1, PR-2 move S 8\nofficer KO-2 attach PR-5 after PR-4\njoker PR-A1 fire contact 7\n"
        "policy shaken prone\npolicy joker-order PR-A1, PR-A2"
    ) == [
        "When the first of their cards comes up, KO-1 leads PR-1 and PR-2, those within his reach: each moves S 8 "
        "inches. The others then only fire on their own cards, at half.",
        "After the card of PR-4 KO-2 rides to PR-5 and stays with it.",
        "On the Joker PR-A1 fires at contact 7 with 8 dice (now 24.5 inches off: 8 or more hits). "
        "Odds: 94 % to hit, 2.4 figures on the average.",
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


def test_who_the_nearest_is_now_is_told_and_what_stands_in_the_way_of_a_charge() -> None:
    near, none, charge, arc = said(
        "FR-M1 fire nearest\nFR-3 fire nearest\nFR-1 charge nearest\nFR-2 charge nearest", close(), FRENCH
    )
    assert near.startswith(
        "On its card FR-M1 fires at the nearest enemy with 8 dice (now PR-2, 8 inches off: 5 or more hits). Odds: "
    )
    assert "(now there is none that it can hit)" in none
    assert "FR-1 charges the nearest enemy (now PR-2, 6 inches off); failing that" in charge
    assert "(now PR-2, 9 inches off; not before its front)" in arc


def test_an_officer_who_would_ride_too_far_is_told_so() -> None:
    assert said("officer KO-1 move to Clover Hill first", close()) == [
        "At the start of the turn KO-1 rides to Clover Hill, as far as 18 inches take him."
    ]
    assert said("officer KO-1 attach PR-A1", close()) == [
        "When the card of PR-1 comes up KO-1 rides to PR-A1 and stays with it, "
        "if he can: now it is more than 18 inches off."
    ]


def test_a_group_is_told_who_of_it_is_out_of_reach_and_that_who_is_led_only_fires() -> None:
    group, led = said(
        "officer KO-1 lead PR-1, PR-2 move S 4\nPR-2 charge nearest if within 12 else fire nearest", close()
    )
    assert group.endswith("The others then only fire on their own cards, at half. Now PR-2 is out of his reach.")
    assert "Once led it only fires, at half. Odds: " in led
    [alone] = said("officer KO-1 lead PR-1 move S 4", close())
    assert alone == "When the card of PR-1 comes up, KO-1 leads it, if it is in his reach: it moves S 4 inches."


def test_one_who_is_led_without_an_order_has_his_own_card() -> None:
    orders, _ = game().read(GERMAN, "officer KO-1 lead PR-1 move S 4")
    call = game().pause.call(GERMAN)
    assert call is not None
    told = idle(game().scene, game().world.minds[GERMAN], GERMAN, orders, call)
    assert "PR-1, led by an officer, will fire at half on its own card if it can." in told
