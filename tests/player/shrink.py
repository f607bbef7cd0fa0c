"""The least story that still breaks the same rule: first its last exchange, from where it began, then those before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy

from msgspec.structs import replace

from tests.player.story import Step, Story
from tests.player.watch import Breach, Watched, breach_of, game_of, raised

PATIENCE = 60.0
"""Seconds for one story."""

Breaks = Callable[[tuple[Step, ...]], bool]


def shrink(story: Story, rule: str, *, seconds: float = PATIENCE) -> Story:
    """A story with fewer sheets and lines that breaks *rule* still; the same, if none does."""
    until = time.monotonic() + seconds
    found, number = breach_of(story)
    if found is None or found.rule != rule or not story.steps:
        return story
    before, last = story.steps[:number], story.steps[number]
    stands = _at(story.with_steps(before))
    if stands is not None:
        [last] = _least((last,), lambda steps: _breaks_from(stands, steps[0], rule), until)

    def breaks(steps: tuple[Step, ...]) -> bool:
        broken, _ = breach_of(story.with_steps((*steps, last)))
        return broken is not None and broken.rule == rule

    if not breaks(before):
        return story.with_steps(story.steps[: number + 1])
    return story.with_steps((*_least(before, breaks, until), last))


def _at(story: Story) -> Watched | None:
    """The game where a story ends."""
    game = game_of(story)
    try:
        for step in story.steps:
            game.take(step)
    except Exception:
        return None
    return game


def _breaks_from(stands: Watched, step: Step, rule: str) -> bool:
    game = copy(stands)
    game.facts, game.thrown, game.shuffled = list(stands.facts), {}, set()
    game.told = {role: list(told) for role, told in stands.told.items()}
    game._owed = list(stands._owed)
    try:
        game.take(step)
    except Breach as breach:
        return breach.rule == rule
    except Exception as error:
        return raised(error).rule == rule
    return False


def _least(steps: tuple[Step, ...], breaks: Breaks, until: float) -> tuple[Step, ...]:
    """The steps with as little in them as still breaks."""
    parts = [(number, part) for number, step in enumerate(steps) for part in _parts(step)]
    size = len(parts)
    while size >= 1 and parts:
        start, cut = 0, False
        while start < len(parts):
            if time.monotonic() > until:
                return _made(steps, parts)
            fewer = parts[:start] + parts[start + size :]
            if breaks(_made(steps, fewer)):
                parts, cut = fewer, True
            else:
                start += size
        size = size // 2 if size > 1 or not cut else 1
    return _made(steps, parts)


Part = tuple[str, str, str]
"""Of a step: `sheet`, `ruling` or `answer`; whose; the line."""


def _parts(step: Step) -> Iterator[Part]:
    yield from (("answer", key, answer) for key, answer in step.answers.items())
    yield from (("ruling", "", line) for line in step.rulings.splitlines())
    for role, sheet in step.sheets.items():
        yield from (("sheet", role, line) for line in sheet.splitlines())


def _made(steps: Sequence[Step], parts: Sequence[tuple[int, Part]]) -> tuple[Step, ...]:
    """The steps, of those parts alone; a role that sends nothing sends an empty sheet."""
    made = [replace(step, sheets=dict.fromkeys(step.sheets, ""), rulings="", answers={}) for step in steps]
    for number, (kind, whose, text) in parts:
        step = made[number]
        if kind == "answer":
            made[number] = replace(step, answers={**step.answers, whose: text})
        elif kind == "ruling":
            made[number] = replace(step, rulings=f"{step.rulings}\n{text}".strip())
        else:
            sheets = {role: f"{said}\n{text}".strip() if role == whose else said for role, said in step.sheets.items()}
            made[number] = replace(step, sheets=sheets)
    return tuple(made)
