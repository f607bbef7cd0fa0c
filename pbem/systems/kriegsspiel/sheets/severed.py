"""Lines that are refused, and what was to come after them: a chain must not lose its head unsaid (KS-ORD-01)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.orders.grammar import bare
from pbem.orders.sheet import Line as Typed
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong, doubt
from pbem.systems.kriegsspiel.world.orders import Line

TRIGGERS = ("at", "when", "if", "after")
"""Words that begin a line which waits for something."""


class _Lost(NamedTuple):
    """A refused line for a unit."""

    line: int
    waits: bool
    """It was to wait for something, and so was what is joined to it."""


class Severed:
    """The last refused line of each unit, until a line of its own stands."""

    def __init__(self, bench: Bench) -> None:
        scene, side = bench.scene, bench.side
        names = [
            *(one.id for one in scene.units.values() if one.side == side),
            *(one.id for one in scene.groups.values() if one.side == side),
        ]
        self._names = {name.casefold(): name for name in names}
        self._lost: dict[str, _Lost] = {}

    def refused(self, line: Typed, otherwise: str) -> None:
        """Note a refused line; *otherwise*: the unit that it is for if it names none."""
        head, colon, rest = bare(line.text).partition(":")
        words = (rest if colon else head).split()
        named = [self._names.get(word.casefold(), "") for word in (*words[:1], *head.split()[::-1])]
        unit = next(filter(None, named), otherwise)
        if words and self._names.get(words[0].casefold()):
            words = words[1:]
        said = words[0].casefold() if words else ""
        if not unit or said == "react":
            return
        before = self._lost.get(unit)
        waits = bool({said, *head.casefold().split()[:1]} & {*TRIGGERS}) or (
            said == "then" and before is not None and before.waits
        )
        self._lost[unit] = _Lost(line.number, waits)

    def after(self, line: Line) -> Wrong | None:
        """What is to be said of a line for a unit, if one that it is joined to is refused."""
        if line.order is None:
            return None
        lost = self._lost.get(line.unit)
        if lost is None or not line.then or line.test is not None:
            self._lost.pop(line.unit, None)
            return None
        if lost.waits:
            return Wrong(f"it belongs to line {lost.line}, which is refused, and is held back with it", "KS-CMD-15")
        del self._lost[line.unit]
        why = f"line {lost.line}, after which it was to come, is refused: {line.unit} does it without that"
        return doubt(why, "KS-ORD-01")
