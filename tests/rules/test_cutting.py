"""How a game is cut into beats: by what is told together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment
from pbem.rules.cutting import Step, cut
from pbem.rules.past import Cut
from pbem.rules.view import Told


class Happened(Outcome, frozen=True, kw_only=True, tag="test.happened"):
    """Something."""


def step(
    text: str = "", *, phase: str = "Fire", follows: bool = False, lead: str = "", place: str = "", run: int = 1,
    still: bool = False, exchange: int = 1,
) -> Step:  # fmt: skip
    moment = Moment(3, exchange)
    told = Told(moment=moment, phase=phase, text=text, lead=lead, follows=follows, place=place)
    return Step(Happened(), moment, run, (told,) if text else (), still=still)


def silent(fact: Outcome, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    return None


SHOT, LOSS = step("A shot.", place="H-8"), step("It cost one.", follows=True, place="H-8")
OTHER, THERE = step("Another.", place="I-9"), step("It cost two.", follows=True, place="I-9")
NOTHING, GLIMPSE = step(), step("Somebody was seen.", still=True)

CUTS: dict[str, tuple[tuple[Step, ...], list[tuple[int, ...]]]] = {
    "each line that follows none opens one": ((SHOT, OTHER), [(0,), (1,)]),
    "what follows joins the beat that told of its place": ((SHOT, LOSS), [(0, 1)]),
    "what came of earlier ones is gathered": ((SHOT, OTHER, LOSS, THERE), [(0,), (1,), (2, 3)]),
    "what follows under a lead of its own opens one": (
        (step("a went.", follows=True, lead="You moved."), step("b went.", follows=True, lead="You moved.")),
        [(0,), (1,)],
    ),
    "what is about no place that was told of joins": ((SHOT, step("So.", follows=True, place="A-1")), [(0, 1)]),
    "what has no words goes with the next": ((NOTHING, SHOT, NOTHING, OTHER), [(0, 1), (2, 3)]),
    "or with the last of its exchange": ((SHOT, NOTHING, step("New.", exchange=2)), [(0, 1), (2,)]),
    "another phase begins anew": ((SHOT, step("On.", phase="Melee", follows=True, place="H-8")), [(0,), (1,)]),
    "another run begins anew": ((SHOT, step("A shot.", place="H-8", run=2)), [(0,), (1,)]),
    "a glimpse belongs to what was seen": ((SHOT, GLIMPSE, OTHER), [(0, 1), (2,)]),
    "a glimpse before all goes with what comes": ((GLIMPSE, SHOT), [(0, 1)]),
    "a game without words is one": ((NOTHING, NOTHING), [(0, 1)]),
    "no beat goes over the end of an exchange": ((NOTHING, step(exchange=2), SHOT), [(0,), (1,), (2,)]),
    "of no game nothing": ((), []),
}


@pytest.mark.parametrize(("steps", "beats"), CUTS.values(), ids=CUTS)
def test_facts_are_cut_by_what_is_told_together(steps: tuple[Step, ...], beats: list[tuple[int, ...]]) -> None:
    assert cut(steps, silent) == beats


def test_the_rules_have_a_word_of_what_is_told_together() -> None:
    words: dict[str, Cut] = {"A shot.": "opens", "Another.": "joins", "It cost one.": "ends"}

    found = cut((SHOT, OTHER, LOSS, LOSS), lambda fact, told, before: words[told[0].text])

    assert found == [(0, 1, 2), (3,)]


def test_they_are_asked_with_what_the_beat_before_told() -> None:
    asked = []

    def verdict(fact: Outcome, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
        asked.append([one.text for one in before])
        return None

    cut((SHOT, LOSS, OTHER), verdict)

    assert asked == [[], ["A shot."], ["A shot.", "It cost one."]]
