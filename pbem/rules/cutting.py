"""How a game is cut into beats: runs of facts, in the order of the log, that are told together.

A picture is what all facts up to it came to: a beat leaves nothing out, and takes nothing before its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment
from pbem.rules.past import Cut
from pbem.rules.view import Told


class Step(NamedTuple):
    """A fact, as it is to be cut."""

    fact: Outcome
    moment: Moment
    run: int
    told: tuple[Told, ...]
    """What is told of it, but for lines of sheets."""
    still: bool = False
    """Nothing on the field is other for it, nothing was thrown, and it is not for all: somebody saw something."""


Verdict = Callable[[Outcome, Sequence[Told], Sequence[Told]], Cut | None]
"""Whether a fact with words opens a beat, by its words and those of the beat before it in its phase."""


@dataclass
class _Beat:
    """A beat that is being made."""

    steps: list[int]
    told: list[Told] = field(default_factory=list)
    costs: bool = False
    """It gathers what earlier beats of its phase cost."""
    ended: bool = False

    def add(self, steps: Sequence[int], told: Sequence[Told]) -> None:
        self.steps += steps
        self.told += told

    def tells_of(self, place: str) -> bool:
        return any(one.place == place for one in self.told)


def cut(steps: Sequence[Step], verdict: Verdict) -> list[tuple[int, ...]]:
    """The steps of each beat, by their numbers.

    Where *verdict* has no word of it, a line that follows none opens a beat, and so does each that follows under a lead
    of its own.  What follows joins the beat that told of its place; if an earlier beat of the phase did, all such lines
    make a beat of their own: what it cost.  Facts without words go with the next beat of their phase, else with the
    last one.
    """
    beats: list[_Beat] = []
    phase: list[_Beat] = []
    waiting: list[int] = []
    at: tuple[Moment, int, str] | None = None
    for number, step in enumerate(steps):
        if number and (step.moment, step.run) != (steps[number - 1].moment, steps[number - 1].run):
            _settle(beats, phase, waiting)
            phase, waiting, at = [], [], None
        here = (step.moment, step.run, step.told[0].phase) if step.told else None
        if here is not None and here != at and not step.still:
            phase, at = [], here
        if here is None or step.still:
            if step.still and phase and not waiting:
                phase[-1].add([number], step.told)
            else:
                waiting.append(number)
            continue
        said = verdict(step.fact, step.told, phase[-1].told if phase else ())
        costs = said is None and _costs(step.told[0], phase)
        if (
            not phase
            or phase[-1].ended
            or said == "opens"
            or (said is None and _opens(step.told[0], phase, costs=costs))
        ):
            beats.append(_Beat([], costs=costs))
            phase.append(beats[-1])
        phase[-1].add([*waiting, number], step.told)
        phase[-1].ended = said == "ends"
        waiting = []
    _settle(beats, phase, waiting)
    return [tuple(one.steps) for one in beats]


def _settle(beats: list[_Beat], phase: Sequence[_Beat], waiting: Sequence[int]) -> None:
    """An exchange is at its end: what waits for words goes with its last beat, or is one without."""
    if waiting and phase:
        phase[-1].add(waiting, ())
    elif waiting:
        beats.append(_Beat([*waiting]))


def _opens(line: Told, phase: Sequence[_Beat], *, costs: bool) -> bool:
    return not line.follows or line.lead != "" or (costs and not phase[-1].costs)


def _costs(line: Told, phase: Sequence[_Beat]) -> bool:
    """Whether it goes on from what an earlier beat of the phase, and not the last, told of its place."""
    if not phase or not line.follows or line.lead or not line.place or phase[-1].tells_of(line.place):
        return bool(phase) and phase[-1].costs and line.follows and not line.lead
    return any(one.tells_of(line.place) for one in phase[:-1])
