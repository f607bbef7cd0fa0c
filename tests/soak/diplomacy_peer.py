"""Our adjudicator beside another: random phases of Diplomacy, judged by both.

    python -m tests.soak diplomacy [--seed N] [--peer PYTHON]

The other is the package `diplomacy` of PyPI (AGPL), which is run in a process of its own, of a Python that has it, and
is no dependency of ours.  Without it nothing is compared, and that is said.  Where the two differ, our reading of the
rule is told; what none explains is a fault.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

PACKAGE = Path(__file__).parents[1] / "plugins" / "pbem-diplomacy"
sys.path[:0] = [str(PACKAGE), str(PACKAGE / "tests")]

PEER = """
import json, sys, time
try:
    from diplomacy import Game
except ImportError:
    sys.exit(7)

def judged(phase):
    game = Game()
    game.clear_units()
    for side, units in phase["units"].items():
        game.set_units(side, units)
    for side, orders in phase["orders"].items():
        game.set_orders(side, orders)
    before = time.process_time()
    game.process()
    took = time.process_time() - before
    stands = [side + " " + unit for side in game.powers for unit in game.get_units(side)]
    return stands, took

print(json.dumps([judged(phase) for phase in json.load(sys.stdin)]))
"""
"""What the other Python is told to do."""

Phase = dict[str, Any]


def phases(count: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Units and orders; an army that goes over the sea says so, as the other wants it."""
    from msgspec.structs import replace
    from pbem_diplomacy.map import BOARD
    from positions import positions

    for units, deeds in positions(count, seed):
        said = {
            at: replace(deed, via=True)
            if deed.kind == "move" and units[at].kind == "A" and deed.to not in BOARD.army[at]
            else deed
            for at, deed in deeds.items()
        }
        yield units, said


def written(units: Mapping[str, Any], deeds: Mapping[str, Any]) -> Phase:
    """A phase as the other reads it."""
    sides: dict[str, list[str]] = {}
    orders: dict[str, list[str]] = {}
    for at, unit in units.items():
        side = str(unit.side).upper()
        sides.setdefault(side, []).append(f"{unit.kind} {unit.at.upper()}")
        orders.setdefault(side, []).append(order(units, at, deeds[at]))
    return {"units": sides, "orders": orders}


def order(units: Mapping[str, Any], at: str, deed: Any) -> str:
    """An order in the other's notation."""
    unit = units[at]
    head = f"{unit.kind} {unit.at.upper()}"
    if deed.kind == "hold":
        return f"{head} H"
    if deed.kind == "move":
        return f"{head} - {deed.to.upper()}{' VIA' if deed.via else ''}"
    other = units[deed.of]
    goal = f" - {deed.to.upper()}" if deed.to else ""
    return f"{head} {'S' if deed.kind == 'support' else 'C'} {other.kind} {other.at.upper()}{goal}"


def ours(units: Mapping[str, Any], deeds: Mapping[str, Any]) -> tuple[set[str], float]:
    """Where units stand when we have judged, and how long it took."""
    from pbem_diplomacy.judge import judge
    from pbem_diplomacy.map import BOARD

    before = process_time()
    found = judge(BOARD, units, deeds)
    took = process_time() - before
    stand = set()
    for at, unit in units.items():
        moved = deeds[at].kind == "move" and found.fates[at] == "done"
        if at not in found.dislodged:
            stand.add(f"{str(unit.side).upper()} {unit.kind} {(deeds[at].to if moved else unit.at).upper()}")
    return stand, took


def reading(units: Mapping[str, Any], deeds: Mapping[str, Any]) -> str:
    """Which rule explains that the two differ in a phase; empty: none that is known."""
    from pbem_diplomacy.judge import Court
    from pbem_diplomacy.map import BOARD

    court = Court(BOARD, units, deeds, "own")
    court.settle()
    fates = court.findings().fates
    if any(deed.via and deed.to in BOARD.army[at] and fates[at] != "done" for at, deed in deeds.items()):
        return "the rule that who is told to go over the sea, and is not carried, does not walk"
    return "a paradox of convoys" if court.paradox else ""


def beside(count: int, seed: int, python: str) -> str:
    """Let both judge so many phases; say what came of it.

    :raises SystemExit: if they differ where no rule explains it.
    """
    chosen = list(phases(count, seed))
    asked = json.dumps([written(units, deeds) for units, deeds in chosen])
    done = subprocess.run([python, "-c", PEER], input=asked, capture_output=True, text=True, check=False)
    if done.returncode == 7:
        return f"skipped: {python} has no package `diplomacy`"
    assert done.returncode == 0, done.stderr
    answers: Sequence[tuple[Sequence[str], float]] = json.loads(done.stdout)
    differ: Counter[str] = Counter()
    mine = theirs = 0.0
    for (units, deeds), (stands, took) in zip(chosen, answers, strict=True):
        stand, spent = ours(units, deeds)
        mine, theirs = mine + spent, theirs + took
        other = {unit for unit in stands if "*" not in unit}
        if stand != other:
            why = reading(units, deeds)
            differ[why] += 1
            if not why:
                print(json.dumps(written(units, deeds)), sorted(stand - other), sorted(other - stand))
    told = "; ".join(f"{many} by {why or 'no rule that is known'}" for why, many in differ.most_common())
    said = f"{count} phases, {count - differ.total()} alike{f', {told}' if told else ''}; "
    said += f"{1000 * mine / count:.2f} ms a phase, the other {theirs / mine:.0f} times that"
    if differ[""]:
        raise SystemExit(said)
    return said
