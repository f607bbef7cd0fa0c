"""What changes where a role cannot see changes nothing that reaches it."""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Any

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from tests.player.story import Step
from tests.player.watch import Tongue, Watched, broken
from tests.systems.play import Game
from tests.systems.secret import known


def twin(game: Watched) -> Game:
    """The same game, to be played on without a witness."""
    other = copy(game)
    other.__class__ = Game  # type: ignore[assignment]
    other.facts, other.moments = list(game.facts), list(game.moments)
    other.thrown, other.shuffled = {}, set()
    other.told = {role: list(told) for role, told in game.told.items()}
    return other


def see_nothing_changes(game: Watched, step: Step, tongue: Tongue, random: Random) -> int:
    """Play one exchange twice, with a change in one of them that some role cannot see; 0 if there is none to make.

    It is what an umpire sets, or lines more on the sheet of an enemy.  What comes out of itself in that exchange proves
    nothing, and is not counted.

    :raises Breach: if a byte that reaches the role differs.
    """
    role = random.choice(game.roles)
    ruling = tongue.unseen(game, role, random, step.sheets)
    return _ruled(game, step, role, ruling, tongue) if ruling else _written(game, step, role, tongue, random)


def _ruled(game: Watched, step: Step, role: Role, ruling: str, tongue: Tongue) -> int:
    one, other = twin(game), twin(game)
    reading = other.system.direct(other.scene, other.world, lines_of(ruling), {})
    if reading.complaints:
        return 0
    other.add(reading.items)
    other.told = {name: list(told) for name, told in one.told.items()}
    _alike(one, other, role, step, f"after `{ruling}`, before play")
    for played in (one, other):
        played.play(step.sheets)
        played.settle(role)
    came_out: Any = getattr(tongue, "came_out", None)
    if came_out is not None and came_out(one, other, role, ruling):
        return 0
    _alike(one, other, role, step, f"after `{ruling}` and an exchange")
    return 1


def _written(game: Watched, step: Step, role: Role, tongue: Tongue, random: Random) -> int:
    unheard: Any = getattr(tongue, "unheard", None)
    if unheard is None:
        return 0
    writer, lines = unheard(game, role, random, step.sheets)
    if not lines or game.pause.call(writer) is None:
        return 0
    one, other = twin(game), twin(game)
    one.play(step.sheets)
    other.play({**step.sheets, writer: f"{step.sheets.get(writer, '')}\n{lines}"})
    for played in (one, other):
        played.settle(role)
    _alike(one, other, role, step, f"after `{lines}` of {writer} and an exchange")
    return 1


def _alike(one: Game, other: Game, role: str, step: Step, when: str) -> None:
    first, second = known(one, role, ()), known(other, role, ())  # type: ignore[arg-type]
    for part in first:
        if first[part] != second[part]:
            at = next((n for n, (a, b) in enumerate(zip(first[part], second[part], strict=False)) if a != b), 0)
            broken(
                f"unseen {part}: {role} is told of what it cannot see, {when}: "
                f"…{first[part][max(0, at - 80) : at + 80]!r}… against …{second[part][max(0, at - 80) : at + 80]!r}…",
                f"{dict(step.sheets)}",
            )
