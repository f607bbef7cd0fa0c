"""How events of an older shape are read.

A changed shape raises the schema of its kind and adds one function here, from the parsed JSON of schema n to
that of n + 1.  It runs when an event is read and is never written back: the hash of the log is that of the
bytes as they were stored.

    Upcasts([("st-privat.melee_resolved", 1, odds_as_text)])     melee_resolved is now at schema 2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None
Upcast: TypeAlias = Callable[[dict[str, Json]], dict[str, Json]]


class Upcasts:
    """All changes of shape, one step each; refuses a gap and a step that is there twice."""

    def __init__(self, steps: Iterable[tuple[str, int, Upcast]] = ()) -> None:
        listed = list(steps)
        counted = Counter((kind, schema) for kind, schema, _ in listed)
        if twice := sorted(key for key, times in counted.items() if times > 1):
            raise ValueError(f"{_named(twice)}: more than one upcast")
        self._steps: Mapping[tuple[str, int], Upcast] = {(kind, schema): step for kind, schema, step in listed}
        below = {(kind, lower) for kind, schema in counted for lower in range(1, schema)}
        if gaps := sorted(below - set(counted)):
            raise ValueError(f"{_named(gaps)}: no upcast, but there is one for a later schema")

    @property
    def kinds(self) -> set[str]:
        """The kinds whose shape has changed."""
        return {kind for kind, _ in self._steps}

    def schema(self, kind: str) -> int:
        """The schema at which *kind* is written now; the first is 1."""
        return 1 + sum(1 for changed, _ in self._steps if changed == kind)

    def lift(self, kind: str, schema: int, parsed: dict[str, Json]) -> dict[str, Json]:
        """Bring *parsed* from *schema* to the shape of now."""
        for step in range(schema, self.schema(kind)):
            parsed = self._steps[kind, step](parsed)
        return parsed


def _named(steps: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{kind} from {schema} to {schema + 1}" for kind, schema in steps)
