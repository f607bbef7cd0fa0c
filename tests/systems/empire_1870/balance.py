"""How often each side wins when sensible commanders play: `python -m tests.systems.empire_1870.balance`.

    python -m tests.systems.empire_1870.balance [GAMES] [--from FIRST] [--set NAME=VALUE …] [--scenario NAME]

What was tuned in the game's reconstructed values was tuned by this.  A game is its number: the same one runs the same.
The games 6000 to 6199 of france-1870 went 104 times to the Germans, 86 times to the French, and ten were drawn.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Mapping
from random import Random

from pbem.kernel.dice import SeededDice
from pbem.kernel.office import Option
from pbem.orders.sheet import lines_of
from pbem.rules.contract import World, apply
from pbem.systems.empire_1870 import SYSTEM
from pbem.systems.empire_1870.scene.scene import Scene, parse_scene
from pbem.systems.empire_1870.world.parts import SIDES
from pbem.systems.empire_1870.world.state import War
from tests.systems.empire_1870.doctrine import Commander
from tests.systems.play import files, seed


def play(scene: Scene, options: Mapping[str, Option], luck: str) -> War:
    """One game of two sensible commanders, to its end; gives its last state."""
    world: World[War, War] = SYSTEM.blank(scene, options)
    while (pause := SYSTEM.awaits(world.truth)).calls:
        orders = {}
        for side in SIDES:
            mind = world.minds[side]
            text = "\n".join(Commander(scene, mind, side, Random(f"{luck}/{pause.moment}/{side}")).sheet())
            orders[side] = SYSTEM.read(scene, lines_of(text), mind, side, pause.call(side)).items
        name = f"{luck}/{pause.moment}"
        dice = SeededDice(pause.moment, open_seed=seed(f"o{name}"), closed_seed=seed(f"c{name}"), forced={})
        for fact in SYSTEM.resolve(scene, world, orders, {}, dice, "pause").facts:
            world = apply(SYSTEM, world, fact)
    return world.truth


def main(arguments: list[str]) -> int:
    """Play, and print who won, how, and when."""
    parser = argparse.ArgumentParser(prog="balance")
    parser.add_argument("games", type=int, nargs="?", default=20)
    parser.add_argument("--scenario", default="france-1870")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--from", dest="first", type=int, default=0)
    chosen = parser.parse_args(arguments)
    options = {name: _value(value) for name, _, value in (one.partition("=") for one in chosen.set)}
    scene = parse_scene(files("empire-1870", chosen.scenario))
    ends: Counter[str] = Counter()
    turns = []
    for number in range(chosen.first, chosen.first + chosen.games):
        war = play(scene, options, f"balance {number}")
        assert war.ended is not None, "a game that asks for nothing more is over"
        ends[f"{war.ended.winner} {war.ended.kind} ({war.ended.condition})"] += 1
        turns.append(war.turn)
    print(f"{chosen.games} games of {chosen.scenario} {options or ''}: {sum(turns) / len(turns):.1f} turns")
    for end, times in ends.most_common():
        print(f"  {times:4} {100 * times / chosen.games:3.0f} %  {end}")
    for winner in (*SIDES, "draw"):
        won = sum(times for end, times in ends.items() if end.startswith(winner))
        low, high = interval(won, chosen.games)
        print(f"  {won:4} {100 * won / chosen.games:3.0f} %  {winner}, 95 % interval {low:.0f} to {high:.0f} %")
    return 0


def interval(times: int, games: int) -> tuple[float, float]:
    """The shares, in per cent, between which the true one lies nineteen times in twenty (Wilson's interval)."""
    share, z = times / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    width = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, 100 * (middle - width)), min(100.0, 100 * (middle + width))


def _value(text: str) -> Option:
    return text == "true" if text in ("true", "false") else int(text) if text.lstrip("-").isdigit() else text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
