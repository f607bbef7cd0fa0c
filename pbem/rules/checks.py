"""What a check of a scenario says beyond what keeps it from being opened: a game that runs is never held up by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from msgspec import Struct

from pbem.kernel.names import Role
from pbem.orders.prose import listed
from pbem.rules.files import unknown
from pbem.rules.scene import ROLES, Commander

Scene = TypeVar("Scene")

HEAD = "system name title place date summary roles options"
"""The keys that `scenario.toml` of every system may have."""
ROLE = "role name commander style"
"""Those of each of its roles."""


class Fault(Struct, frozen=True):
    """What is wrong in a scenario: *where*, file and table, and *why*."""

    where: str
    why: str
    look: bool = False
    """It may be meant so, and can be played."""


def _none(scene: object) -> Iterable[Fault]:
    return ()


@dataclass(frozen=True, slots=True)
class Checks(Generic[Scene]):
    """What a system knows of its scenarios that opening one does not ask."""

    tables: Mapping[str, str] = field(default_factory=dict)
    """The keys that may stand in a file, as `scenario`, or in a table of it, as `scenario.game`; others are unknown.
    A table that is not named may have any."""
    faults: Callable[[Scene], Iterable[Fault]] = _none
    """What else is wrong in a scene that was read."""


def unknown_keys(files: Mapping[str, Mapping[str, object]], tables: Mapping[str, str]) -> Iterator[Fault]:
    """The keys of *files* that *tables* do not have, each with the one that was perhaps meant."""
    for name, known in tables.items():
        file, _, table = name.partition(".")
        found = files.get(file, {})
        for where, keys in _rows(found.get(table), table) if table else (("", found),):
            for key in keys:
                if key not in known.split():
                    yield Fault(f"{file}.toml{where and ', '}{where}", unknown(key, known.split()))


def _rows(found: object, table: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """A table, or each of several alike, with how a fault names it."""
    if isinstance(found, Mapping):
        yield table, found
    elif isinstance(found, list):
        for number, row in enumerate(found, start=1):
            if isinstance(row, Mapping):
                called = next((row[key] for key in ("id", "name", "role", "place") if key in row), number)
                yield f"{table} {called}", row


SHOWN = 4
"""So many names stand for a crowd."""
Spots = Iterable[tuple[str, Sequence[tuple[int, int]]]]
"""Places of the field, with the table that has them."""


def beyond(
    spots: Spots, width: int, height: int, say: Callable[[int, int], str], *, look: bool = False
) -> Iterator[Fault]:
    """Those of *spots* that do not lie on a field of *width* and *height*; *say* writes a place as its file does."""
    for where, points in spots:
        off = next(((x, y) for x, y in points if not (0 <= x <= width and 0 <= y <= height)), None)
        if off is not None:
            yield Fault(where, f"{say(*off)} is beyond the map, which ends at {say(width, height)}", look)


def too_late(comes: Iterable[tuple[str, int]], last: int, where: str, turn: str = "turn") -> Iterator[Fault]:
    """Those who come, each by its name, after the *last* turn; together, for on an open board that may be all."""
    late = [name for name, at in comes if at > last]
    if late:
        more = [f"{len(late) - SHOWN} more"] if len(late) > SHOWN else []
        come = "comes" if len(late) == 1 else "come"
        yield Fault(where, f"{listed([*late[:SHOWN], *more])} {come} after the last {turn}, {last}", look=True)


def one_style(commanders: Iterable[Commander], side_of: Callable[[Role], str] = str) -> Iterator[Fault]:
    """Two sides that are drawn alike."""
    sides: dict[str, str] = {}
    for one in commanders:
        side = side_of(one.role)
        if sides.setdefault(one.style, side) != side:
            yield Fault(
                ROLES, f"{sides[one.style]} and {side} have one style, {one.style}: give each its own", look=True
            )
