"""Dice: what falls is a matter of seed and name alone, and anyone with an HMAC tool can check it."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest

import pbem.kernel.dice
from pbem.kernel.dice import ScriptedDice, SeededDice, face, promise
from pbem.kernel.errors import DiceError
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, ThrowName

MELEE = "5B/melee/J-10"
ZERO, ONE = bytes(32), bytes([1]) * 32


def seeded(**forced: tuple[int, ...]) -> SeededDice:
    names = {ThrowName(f"5B/{purpose}/J-10"): faces for purpose, faces in forced.items()}
    return SeededDice(Moment(5, 2), open_seed=ZERO, closed_seed=ONE, forced=names)


def number(seed: bytes, name: str, die: int, attempt: int) -> int:
    """The number that the recipe draws, computed by another road than `face`."""
    digest = hmac.new(seed, f"{name}#{die}.{attempt}".encode(), hashlib.sha256).hexdigest()
    return int(digest[:16], 16)


def test_the_dice_of_the_published_recipe_never_change() -> None:
    faces = [face(ZERO, MELEE, die, 6) for die in range(1, 13)]

    assert faces == [3, 1, 3, 2, 6, 5, 4, 3, 3, 1, 4, 4]  # openssl says the same
    assert faces == [number(ZERO, MELEE, die, 0) % 6 + 1 for die in range(1, 13)]


def test_the_promise_of_a_seed_is_its_plain_sha256() -> None:
    assert promise(ZERO) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_a_number_past_the_limit_is_drawn_again() -> None:
    sides = 2**63 + 1
    limit = 2**64 - 2**64 % sides
    again = next(die for die in range(1, 100) if number(ZERO, MELEE, die, 0) >= limit > number(ZERO, MELEE, die, 1))
    at_once = next(die for die in range(1, 100) if number(ZERO, MELEE, die, 0) < limit)

    assert face(ZERO, MELEE, again, sides) == number(ZERO, MELEE, again, 1) + 1
    assert face(ZERO, MELEE, at_once, sides) == number(ZERO, MELEE, at_once, 0) + 1


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_every_face_falls_as_often_as_another(sides: int) -> None:
    fallen = Counter(face(ONE, f"1A/fire/{place}", 1, sides) for place in range(1000 * sides))

    assert sorted(fallen) == list(range(1, sides + 1))
    assert all(850 < times < 1150 for times in fallen.values())


def test_a_new_throw_does_not_shift_the_others() -> None:
    few, many = seeded(), seeded()
    many.throw("fire", "K-11", count=3)

    assert few.throw("melee", "J-10") == many.throw("melee", "J-10")


def test_a_throw_says_its_name_its_seed_and_its_faces() -> None:
    assert seeded().throw("melee", "J-10", count=2) == Throw(ThrowName(MELEE), "open", 6, (3, 1))


def test_an_open_and_a_closed_throw_fall_by_their_own_seeds() -> None:
    closed = seeded().throw("melee", "J-10", count=8, seed="closed").faces

    assert closed == tuple(face(ONE, MELEE, die, 6) for die in range(1, 9))
    assert closed != seeded().throw("melee", "J-10", count=8).faces


def test_one_name_twice_is_an_error() -> None:
    dice = seeded()
    dice.throw("melee", "J-10")

    with pytest.raises(DiceError, match="5B/melee/J-10 was thrown twice"):
        dice.throw("melee", "J-10")
    with pytest.raises(DiceError, match="5B/melee/J-10 was thrown twice"):
        dice.shuffle("melee", "J-10", "ab")


def test_a_ruling_sets_the_faces_and_stands_in_the_throw() -> None:
    assert seeded(melee=(6, 6)).throw("melee", "J-10", count=2) == Throw(ThrowName(MELEE), "open", 6, (6, 6), "ruling")


@pytest.mark.parametrize("faces", [(6,), (6, 6, 6), (7, 1), (0, 1)])
def test_a_ruling_that_is_not_of_these_dice_is_refused(faces: tuple[int, ...]) -> None:
    with pytest.raises(DiceError, match="5B/melee/J-10 is 2 dice of 6 sides"):
        seeded(melee=faces).throw("melee", "J-10", count=2)


def test_a_shuffle_is_that_of_the_published_recipe() -> None:
    cards = list("abcde")
    for draw, place in enumerate((5, 4, 3, 2), start=1):
        other = number(ONE, "5B/cards/deck", draw, 0) % place + 1
        cards[place - 1], cards[other - 1] = cards[other - 1], cards[place - 1]

    assert seeded().shuffle("cards", "deck", "abcde") == tuple(cards) == tuple("cbaed")


def test_every_order_of_the_cards_comes_as_often_as_another() -> None:
    orders = Counter(
        SeededDice(Moment(turn), open_seed=ZERO, closed_seed=ONE, forced={}).shuffle("cards", "deck", "abc")
        for turn in range(1, 3001)
    )

    assert sorted(orders) == sorted(permutations("abc"))
    assert all(400 < times < 600 for times in orders.values())


@pytest.mark.parametrize("script", [{"melee": [4, 2], "fire": [6]}, [4, 6, 2]])
def test_scripted_dice_fall_by_purpose_or_in_order(script: Mapping[str, Sequence[int]] | Sequence[int]) -> None:
    dice = ScriptedDice(Moment(1), script)
    faces = [dice.throw("melee", "J-10").faces, dice.throw("fire", "J-11").faces, dice.throw("melee", "K-1").faces]

    assert faces == [(4,), (6,), (2,)]
    assert dice.purposes == ["melee", "fire", "melee"]
    assert dice.left_over() == {}


def test_a_die_that_is_not_in_the_script_fails() -> None:
    with pytest.raises(DiceError, match="1A/melee/J-10 asks for 2 dice, 1 are left"):
        ScriptedDice(Moment(1), {"melee": [4]}).throw("melee", "J-10", count=2)


def test_a_die_that_cannot_show_a_face_fails() -> None:
    with pytest.raises(DiceError, match="a die of 6 sides cannot show"):
        ScriptedDice(Moment(1), [7]).throw("melee", "J-10")


def test_scripted_dice_know_a_name_thrown_twice_and_what_nobody_asked_for() -> None:
    dice = ScriptedDice(Moment(1), {"melee": [4, 5, 6]})
    dice.throw("melee", "J-10")

    with pytest.raises(DiceError, match="twice"):
        dice.throw("melee", "J-10")
    assert dice.left_over() == {"melee": [5, 6]}
    assert ScriptedDice(Moment(1), [3]).left_over() == {"in order": [3]}


def test_scripted_cards_lie_as_the_script_has_them_or_as_they_lay() -> None:
    dice = ScriptedDice(Moment(1), {"cards": [3, 1, 2]})

    assert dice.shuffle("cards", "deck", "abc") == ("c", "a", "b")
    assert dice.shuffle("cards", "other deck", "abc") == ("a", "b", "c")
    with pytest.raises(DiceError, match="no order of 2 cards"):
        ScriptedDice(Moment(1), {"cards": [1, 1]}).shuffle("cards", "deck", "ab")


def documented(seed: bytes, name: str, die: int, sides: int) -> int:
    """A face by the module's documentation alone, in whole numbers and hexadecimal as a pocket calculator would."""
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        drawn = int(hmac.new(seed, f"{name}#{die}.{attempt}".encode(), "sha256").hexdigest()[:16], 16)
        if drawn < limit:
            return drawn % sides + 1
        attempt += 1


def test_the_test_vector_that_is_published_follows_from_the_documentation_alone() -> None:
    """`seed`, `name`, `sides`, then the faces, as they stand in the documentation."""
    said = pbem.kernel.dice.__doc__ or ""
    vectors = re.findall(r"^    ([0-9a-f]{64})  (\S+)  (\d+)  ((?:\d+ ?)+)$", said, re.MULTILINE)

    assert len(vectors) >= 2
    for seed, name, sides, faces in vectors:
        fell = [documented(bytes.fromhex(seed), name, die, int(sides)) for die in range(1, len(faces.split()) + 1)]
        assert fell == [int(one) for one in faces.split()]
        assert fell == [face(bytes.fromhex(seed), name, die, int(sides)) for die in range(1, len(fell) + 1)]
