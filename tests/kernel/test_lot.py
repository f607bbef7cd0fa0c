"""The lot: nobody is favoured, nobody gets what he does not wish, and it hangs on the dice alone."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.lot import LOT, SIDES, can_fill, given_out, order_of, thrown
from pbem.kernel.names import Role

ROLES = tuple(map(Role, ("red", "blue", "green")))
WISHES = st.dictionaries(st.integers(1, 9), st.lists(st.sampled_from(ROLES), unique=True, max_size=3).map(tuple))


def fallen(seed: bytes, numbers: list[int]) -> tuple[int, ...]:
    dice = SeededDice(LOT, open_seed=seed, closed_seed=seed, forced={})
    return order_of(thrown(dice, numbers))


@given(wishes=WISHES, seed=st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES))
def test_each_gets_the_best_that_those_before_him_left(wishes: dict[int, tuple[Role, ...]], seed: bytes) -> None:
    order = fallen(seed, list(wishes))
    roles, waiting = given_out(ROLES, wishes, order)

    assert sorted((*roles.values(), *waiting)) == sorted(wishes)
    got = {number: role for role, number in roles.items()}
    for place, number in enumerate(order):
        taken = {got[before] for before in order[:place] if before in got}
        left = [role for role in wishes[number] or ROLES if role not in taken]
        assert got.get(number) == (left[0] if left else None)


@given(wishes=WISHES)
def test_all_can_be_filled_if_some_order_fills_them(wishes: dict[int, tuple[Role, ...]]) -> None:
    def fills(free: frozenset[Role], numbers: tuple[int, ...]) -> bool:
        if not free:
            return True
        if not numbers:
            return False
        first, *rest = numbers
        mine = [role for role in wishes[first] or ROLES if role in free]
        return fills(free, tuple(rest)) or any(fills(free - {role}, tuple(rest)) for role in mine)

    assert can_fill(ROLES, wishes) is fills(frozenset(ROLES), tuple(wishes))


def test_over_many_seeds_each_is_first_as_often() -> None:
    firsts = Counter(fallen(number.to_bytes(SEED_BYTES, "big"), [1, 2, 3, 4])[0] for number in range(2000))

    assert set(firsts) == {1, 2, 3, 4}
    assert all(400 < count < 600 for count in firsts.values())


def test_a_die_of_the_lot_hangs_on_its_number_alone() -> None:
    seed = bytes(SEED_BYTES)
    few = {one.name: one.faces for one in thrown(SeededDice(LOT, open_seed=seed, closed_seed=seed, forced={}), [1, 3])}
    many = {
        one.name: one.faces for one in thrown(SeededDice(LOT, open_seed=seed, closed_seed=seed, forced={}), [1, 2, 3])
    }

    assert few.items() <= many.items()
    assert all(1 <= face <= SIDES for faces in many.values() for face in faces)
