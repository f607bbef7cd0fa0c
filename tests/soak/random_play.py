"""Games of random orders, with every invariant asked after every fact: by how many processes, and what came of it."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.player import watch
from tests.player.shrink import shrink
from tests.player.story import Story, load, save
from tests.player.wander import ENOUGH, Found, Tally, Wanderer, values_of
from tests.player.watch import breach_of
from tests.soak.games import Fault

TURNS = {"st-privat": 20_000}
"""Of a long run, where it is not as many as of the others."""
OTHERS = 5_000
STORIES = Path(tempfile.gettempdir()) / "pbem-stories"
"""Where what breaks a rule is kept, to be played again."""


class Asked(NamedTuple):
    """One process's part of a run."""

    system: str
    seed: int
    turns: int
    patience: float
    passed: tuple[str, ...]


def run(
    system: str, seed: int, *, turns: int = 0, jobs: int = 1, patience: float = 60.0, passed: Sequence[str] = ()
) -> str:
    """Play so many turns; says what was played and reached.

    *patience*: seconds for which each kind of breach is shrunk.  *passed*: known breaches.

    :raises Fault: if anything was broken.
    """
    share = -(-(turns or TURNS.get(system, OTHERS)) // jobs)
    asked = [Asked(system, seed + number, share, patience, tuple(passed)) for number in range(jobs)]
    if jobs == 1:
        parts = [_part(asked[0])]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            parts = list(pool.map(_part, asked))
    tally, taken = parts[0]
    for other, more in parts[1:]:
        tally, taken = tally.joined(other), taken + more
    _reached(system, tally, taken)
    said = _words(system, tally, taken)
    if tally.found:
        kinds = Counter(found.breach.rule for found in tally.found)
        raise Fault(f"{said}; broken: {', '.join(f'{rule} {count} times' for rule, count in kinds.most_common())}")
    return said


def again(path: Path) -> str:
    """Play a story that was kept; says what it breaks."""
    story = load(path)
    breach, number = breach_of(story)
    return f"{story}\nin step {number + 1}: {breach or 'nothing is broken'}"


def _part(asked: Asked) -> tuple[Tally, Counter[str]]:
    watch.PASSED.clear()
    watch.PASSED.update(dict.fromkeys(asked.passed, 0))
    met: Counter[str] = Counter()

    def told(found: Found) -> None:
        met[found.breach.rule] += 1
        if met[found.breach.rule] == 1:
            _tell(found, asked)

    wanderer = Wanderer(asked.system, asked.seed)
    tally = wanderer.run(asked.turns, told=told)
    return tally, wanderer.speech.taken


def _tell(found: Found, asked: Asked) -> None:
    """Print a breach, shrunk, and how to play it again."""
    story: Story = shrink(found.story, found.breach.rule, seconds=asked.patience)
    breach, _ = breach_of(story)
    STORIES.mkdir(exist_ok=True)
    path = STORIES / f"{asked.system}-{re.sub('[^A-Za-z0-9]+', '-', found.breach.rule)[:40]}-{asked.seed}.json"
    save(story, path)
    print(f"  {breach or found.breach}\n{story}", flush=True)
    print(f"  again: python -m tests.soak random-{asked.system} --story {path}", flush=True)


def _reached(system: str, tally: Tally, taken: Counter[str]) -> None:
    """Print what of the language was reached how often, and what never."""
    parts = sorted(tally.parts)
    print(f"  {system}: how often each part of the language was taken for an order")
    for part in parts:
        print(f"    {taken[part]:>8} {part}")
    print(f"  {system}: turns under each value of each option")
    for name, turns in sorted(tally.options.items()):
        print(f"    {turns:>8} {name}")
    for kind, count in sorted(tally.uncited.items()):
        print(f"    {count:>8} {kind} cite no rule")
    for known, count in watch.PASSED.items():
        print(f"    {count:>8} passed over: {known}")


def _words(system: str, tally: Tally, taken: Counter[str]) -> str:
    often = sum(taken[part] >= ENOUGH for part in tally.parts)
    never = sorted(part for part in tally.parts if not taken[part])
    values = [f"{name} = {value}" for name, some in values_of(system).items() for value in some]
    boards = ", ".join(f"{name} {turns}" for name, turns in sorted(tally.boards.items()))
    return (
        f"{tally.turns} turns of {tally.games} games ({boards}), {tally.lines} lines, {tally.refused} refused; "
        f"{often} of {len(tally.parts)} verbs and values {ENOUGH} times or more"
        f"{f', never {len(never)}: ' + ', '.join(never) if never else ''}; "
        f"{sum(tally.options[one] >= ENOUGH for one in values)} of {len(values)} values of options for {ENOUGH} turns "
        f"or more; {tally.unseen} times something unseen changed"
    )
