"""How pieces, numbers and paths are named in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from pbem.ground.square import Square
from pbem.orders import prose
from pbem.orders.prose import listed

DIRECTIONS = {"n": "north", "e": "east", "s": "south", "w": "west"}
"""The facings, in words."""


def cap(text: str) -> str:
    """A sentence begins with a capital, unless it begins with a piece's id.

    >>> cap("the Guard came up"), cap("p13-16 stood")
    ('The Guard came up', 'p13-16 stood')
    """
    if re.match(r"[fp][a-z]?\d", text):
        return text
    return prose.cap(text)


def side_name(side: str) -> str:
    """`the French`, `the Prussians`."""
    return "the French" if side == "french" else "the Prussians"


@cache
def as_counted(name: str) -> tuple[str, int]:
    """What sorts pieces as people count them.

    >>> sorted(["p10", "p9", "f1"], key=as_counted)
    ['f1', 'p9', 'p10']
    """
    head = name.rstrip("0123456789")
    return head, int(name[len(head) :])


def names(ids: Iterable[str]) -> str:
    """Pieces in a row, runs drawn together.

    >>> names(["p16", "p13", "p14", "p15", "pk1", "f2", "f1"])
    'f1, f2, p13-16 and pk1'
    """
    split = sorted(map(as_counted, set(ids)))
    runs: list[list[tuple[str, int]]] = []
    for head, at in split:
        if runs and runs[-1][-1] == (head, at - 1):
            runs[-1].append((head, at))
        else:
            runs.append([(head, at)])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{run[0][0]}{run[0][1]}-{run[-1][1]}")
        else:
            parts += [f"{head}{at}" for head, at in run]
    return listed(parts) if parts else "nobody"


def tag(ids: Iterable[str]) -> str:
    """Pieces as a map labels them.

    >>> tag(["f6", "f5"]), tag(["p13", "p14", "p15"])
    ('f5 f6', 'p13–15')
    """
    return names(ids).replace(" and ", " ").replace(",", "").replace("-", "–")


def selector(ids: Sequence[str]) -> str:
    """Pieces as an order names them."""
    return "+".join(ids)


def path(squares: Sequence[Square]) -> str:
    """Squares as an order names them."""
    return " ".join(squares)
