"""The watch itself: what is planted is found, made less, and can be played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Role, RuleId
from pbem.rules import registry
from pbem.rules.contract import AnySystem, Resolution
from tests.player import watch
from tests.player.shrink import shrink
from tests.player.story import Step, Story, load, save
from tests.player.unseen import see_nothing_changes
from tests.player.watch import Breach, Watched, breach_of

ADVANCE = "move p1+p2+p3+p4 to E-6\nmove p5+p6+p7+p8 to D-6\nhold p9+p10"
STORY = Story(
    system="st-privat",
    scenario="ste-marie",
    luck="luck",
    steps=(
        Step(),
        Step(sheets={Role("prussian"): "initiative first\nadvance all 2"}),
        Step(sheets={Role("prussian"): ADVANCE, Role("french"): "initiative second"}),
    ),
)

Change = Callable[[Outcome], Sequence[Outcome]]


def planted(change: Change) -> AnySystem:
    """The game with something done to every fact that it makes."""
    system = registry.load("st-privat")

    def resolve(*args: Any) -> Resolution[Any]:
        done = system.resolve(*args)
        return msgspec.structs.replace(done, facts=tuple(fact for one in done.facts for fact in change(one)))

    return replace(system, resolve=resolve)


def unanswered(fact: Outcome) -> Sequence[Outcome]:
    return () if kind_of(fact) == "st-privat.order_played" else (fact,)


def unknown_rule(fact: Outcome) -> Sequence[Outcome]:
    return (msgspec.structs.replace(fact, rules=(RuleId("SP-NON-01"),)),)


def through_the_enemy(fact: Outcome) -> Sequence[Outcome]:
    """Whoever marches ends in the enemy's town."""
    if kind_of(fact) != "st-privat.unit_moved":
        return (fact,)
    changes: Any = getattr(fact, "changes")  # noqa: B009 - of one kind only
    return (
        msgspec.structs.replace(
            fact, changes={name: msgspec.structs.replace(patch, square="E-3") for name, patch in changes.items()}
        ),
    )


def grown(fact: Outcome) -> Sequence[Outcome]:
    """Whoever marches comes with more men than a company has."""
    if kind_of(fact) != "st-privat.unit_moved":
        return (fact,)
    changes: Any = getattr(fact, "changes")  # noqa: B009 - of one kind only
    return (
        msgspec.structs.replace(
            fact, changes={name: msgspec.structs.replace(patch, men=4) for name, patch in changes.items()}
        ),
    )


PLANTS: Sequence[tuple[Change, str]] = (
    (unanswered, "unanswered"),
    (unknown_rule, "a fact cites what the ledger has not"),
    (through_the_enemy, "SP-MOV-04"),
    (grown, "SP-PCE-01"),
)


@pytest.mark.parametrize(("change", "rule"), PLANTS)
def test_a_planted_breach_is_found(change: Change, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert breach_of(STORY)[0] is None

    system = planted(change)
    monkeypatch.setattr(registry, "load", lambda name: system)
    breach, _ = breach_of(STORY)

    assert breach is not None
    assert breach.rule.startswith(rule)


def test_a_system_that_raises_is_found_and_where() -> None:
    story = STORY.with_steps((Step(sheets={Role("french"): "\ud800"}),))
    breach, number = breach_of(msgspec.structs.replace(story, scenario="no such board"))

    assert breach is not None
    assert breach.rule.startswith("raises BadScenario")
    assert number == 0


def test_a_story_is_shrunk_to_the_line_that_breaks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    system = planted(lambda fact: () if getattr(fact, "line", 0) == 3 else (fact,))
    monkeypatch.setattr(registry, "load", lambda name: system)
    story = STORY.with_steps((*STORY.steps, Step(), Step()))
    breach, _ = breach_of(story)
    assert breach is not None

    least = shrink(msgspec.structs.replace(story, luck="other"), breach.rule)

    assert [step.sheets.get(Role("french"), "") for step in least.steps] == [""] * len(least.steps)
    assert least.steps[1].sheets[Role("prussian")] == ""
    assert len(least.steps[2].sheets[Role("prussian")].splitlines()) == 3


def test_a_story_is_kept_and_played_again(tmp_path: Path) -> None:
    save(STORY, tmp_path / "story.json")

    assert load(tmp_path / "story.json") == STORY
    assert "move p1+p2+p3+p4 to E-6" in str(STORY)


def test_a_throw_of_the_open_seed_that_is_not_shown_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = watch.game_of(STORY)
    for step in STORY.steps:
        game.take(step)
    monkeypatch.setattr(Watched, "dice", lambda self, moment: _secretly(self, moment))

    with pytest.raises(Breach, match="an open throw is hidden"):
        game.take(Step(sheets={Role("prussian"): "", Role("french"): ""}))


def _secretly(game: Watched, moment: Any) -> Any:
    """Dice of which one more falls than anybody is told of."""
    dice = super(Watched, game).dice(moment)
    dice.throw("man_or_horse", "nowhere")
    return dice


def test_what_a_role_sees_is_found_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    class Open:
        """Changes what both see, and says that one cannot."""

        @staticmethod
        def unseen(game: Watched, role: Role, random: Random, sheets: object) -> str:
            return "set p1 men 1"

    game = watch.game_of(STORY)
    for step in STORY.steps:
        game.take(step)
    with pytest.raises(Breach, match="unseen"):
        see_nothing_changes(game, Step(), Open, Random(1))  # type: ignore[arg-type]
