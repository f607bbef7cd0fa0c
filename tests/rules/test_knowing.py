"""What a role has of the truth, sign by sign."""

from __future__ import annotations

from pbem.ground.picture import Block, Cell, Flag, Picture, Stack, Troop
from pbem.rules.knowing import compared
from pbem.rules.reel import Known


def picture(*signs: Block | Stack | Troop) -> Picture:
    return Picture(
        title="",
        whose="",
        box=(0, 0, 900, 900),
        blocks=tuple(one for one in signs if isinstance(one, Block)),
        stacks=tuple(one for one in signs if isinstance(one, Stack)),
        troops=tuple(one for one in signs if isinstance(one, Troop)),
    )


def foot(*parts: str, at: tuple[int, int] = (0, 0), men: int = 3) -> Block:
    return Block("infantry", "first", at, parts=parts, ranks=(tuple(Cell(men, 3) for _ in parts),))


def test_what_is_held_as_it_is_is_not_named() -> None:
    assert compared(picture(foot("f7", "f8")), picture(foot("f8", "f7"))) == {}


def test_what_is_not_held_is_unseen() -> None:
    assert compared(picture(foot("f7")), picture(foot("f8"))) == {"f7": Known("unseen")}


def test_what_is_held_at_another_place_is_elsewhere_and_how_far() -> None:
    assert compared(picture(foot("f7")), picture(foot("f7", at=(30, 40)))) == {"f7": Known("elsewhere", "f7", 50)}


def test_a_place_near_enough_is_right() -> None:
    assert compared(picture(foot("f7")), picture(foot("f7", at=(30, 40))), near=50) == {}


def test_a_card_that_lies_where_somebody_stands_is_him_seen_and_not_known() -> None:
    card = Block("card", "first", (0, 0))

    assert compared(picture(foot("f7")), picture(card)) == {"f7": Known("seen", "?first@0,0")}
    assert compared(picture(foot("f7")), picture(Block("card", "second", (0, 0)))) == {"f7": Known("unseen")}


def test_of_several_some_and_of_a_strength_another_are_known_in_part() -> None:
    assert compared(picture(foot("f7", "f8")), picture(foot("f7"))) == {"f7": Known("in part", "f7")}
    assert compared(picture(foot("f7", men=2)), picture(foot("f7"))) == {"f7": Known("in part", "f7")}


def test_two_of_a_body_of_which_one_has_gone_elsewhere_are_each_compared_with_it() -> None:
    truth = picture(foot("f7"), foot("f8", at=(0, 60)))

    assert compared(truth, picture(foot("f7", "f8"))) == {
        "f7": Known("in part", "f7"),
        "f8": Known("elsewhere", "f7", 60),
    }


def test_a_name_that_a_role_has_given_stands_for_a_body() -> None:
    truth = picture(Troop("infantry", "first", (0, 0), key="H1"))
    held = picture(Troop("infantry", "first", (0, 0), key="contact 3"))

    assert compared(truth, held) == {"H1": Known("unseen")}
    assert compared(truth, held, {"contact 3": "H1"}) == {"H1": Known("in part", "contact 3")}


def test_of_two_sightings_of_a_body_the_fresher_counts() -> None:
    truth = picture(Troop("infantry", "first", (0, 0), key="H1"))
    held = picture(
        Troop("infantry", "first", (0, 10), key="e1", certainty="old"), Troop("infantry", "first", (0, 20), key="e2")
    )

    assert compared(truth, held, {"e1": "H1", "e2": "H1"}) == {"H1": Known("elsewhere", "e2", 20)}


def test_a_stack_whose_strength_is_not_known_is_seen_alone() -> None:
    truth = picture(Stack("first", (0, 0), 4, staff=(Flag("F4", "corps"),), key="F4"))

    assert compared(truth, picture(Stack("first", (0, 0), None))) == {"F4": Known("seen", "?first@0,0")}
    assert compared(truth, picture(Stack("first", (0, 0), 4))) == {"F4": Known("in part", "?first@0,0")}
