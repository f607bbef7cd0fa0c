"""What was worked out just now, and is not worked out again."""

from __future__ import annotations

from pbem.rules.lately import recently


def test_what_was_asked_for_long_ago_is_forgotten_and_never_taken_for_another() -> None:
    asked = []

    @recently(3)
    def named(things: tuple[list[int], ...]) -> list[int]:
        asked.append(things)
        return [one[0] for one in things]

    for number in range(200):
        things = tuple([number + more] for more in range(3))  # lists of the same places in memory, again and again
        assert named(things) == [number, number + 1, number + 2]
        assert named(things) == [number, number + 1, number + 2]

    assert len(asked) == 200
