"""Chances: how falls of dice are weighed, thrown and told."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules.chances import MOST, Attack, Came, Tray, odds, sample, weigh


def attack(on: object, begins: object = None, **more: object) -> Attack:
    return Attack(line=1, kind="x", what="a at b", good="to win", on=on, begins=begins, **more)  # type: ignore[arg-type]


def sevens(begun: None, tray: Tray) -> Came:
    found = tray.face() + tray.face()
    return Came(str(found), good=found == 7, lost=found)


def test_every_fall_is_weighed_once() -> None:
    weights = weigh(attack(sevens))
    assert weights is not None

    assert sum(weights.values()) == 1
    assert weights[Came("7", good=True, lost=7)] == Fraction(1, 6)
    assert weights[Came("2", lost=2)] == Fraction(1, 36)


def test_dice_that_are_read_together_are_weighed_by_their_sum() -> None:
    def together(begun: None, tray: Tray) -> Came:
        (found,) = tray.total(6, 2, lambda face: (face,))
        return Came(str(found), good=found == 7, lost=found)

    assert weigh(attack(together)) == weigh(attack(sevens))


def test_a_die_that_calls_for_another_is_weighed_with_it() -> None:
    def again(begun: None, tray: Tray) -> Came:
        first = tray.face()
        return Came("hit", good=True) if first == 6 or (first == 1 and tray.face(2) == 2) else Came("no hit")

    assert odds(attack(again)).chance == Fraction(1, 6) + Fraction(1, 12)


def ladder(steps: int, start: tuple[int, int], tray: Tray) -> tuple[int, int] | Came:
    """So many coins: the ways are many, and where they lead few."""
    number, heads = start
    if number == steps:
        return Came(f"{heads} heads", good=2 * heads > steps)
    return number + 1, heads + (tray.face(2) == 2)


def coins(steps: int) -> Attack:
    return attack(lambda start, tray: ladder(steps, start, tray), (0, 0))


def test_what_stands_alike_is_weighed_together() -> None:
    assert odds(coins(71)).exact
    assert odds(coins(71)).chance == Fraction(1, 2)


def test_where_falls_are_too_many_some_are_thrown_always_the_same() -> None:
    rough = odds(coins(121))

    assert weigh(coins(121)) is None
    assert not rough.exact
    assert rough == odds(coins(121))
    assert abs(rough.chance - Fraction(1, 2)) < Fraction(1, 20)
    assert rough.clause.startswith("odds: about ")
    assert odds(coins(121), most=10 * MOST).chance == Fraction(1, 2)


def test_what_was_thrown_before_is_not_asked_again() -> None:
    asked: list[int] = []

    def once(begun: None, tray: Tray) -> Came:
        asked.append(face := tray.face())
        return Came(str(face))

    faces = iter([1, 2, 1, 2, 1])
    found = sample(attack(once), 5, lambda dice: dice.read([next(faces)]))

    assert found == {Came("1"): 3, Came("2"): 2}
    assert asked == [1, 2]


def test_a_clause_says_the_chance_the_loss_and_what_is_taken_for_granted() -> None:
    whole = attack(lambda begun, tray: Came("x", good=tray.face() > 2, lost=1), measure="men", given="if so")

    assert odds(whole).clause == "odds: 4 in 6 to win, 1.0 men on the average, if so"
