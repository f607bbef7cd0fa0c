"""The neutral answer of a rule function: what it would say if there were no such rule."""

from __future__ import annotations

import tomllib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, product
from types import FunctionType

from pbem.suite.places import place_of

EMPTY: Mapping[object, tuple[str, ...]] = {
    bool: ("False", "True"),
    int: ("0",),
    str: ('""',),
    type(None): ("None",),
    tuple: ("()",),
    list: ("[]",),
    dict: ("{}",),
    set: ("set()",),
    frozenset: ("frozenset()",),
    Mapping: ("{}",),
    Sequence: ("()",),
    Iterable: ("()",),
    Iterator: ("iter(())",),
}
"""The neutral answers of a type, as Python; a truth is denied and granted in turn."""

MOST = 4
"""Of a type with more answers the first few are tried."""


def answers(system: str, name: str, function: FunctionType) -> list[str]:
    """The neutral answers of *function* as Python; empty if none is known.

    They follow from its type, where the system does not say them (`Place.neutral`, by `system: name`).  A function that
    gives the kind of thing it is first given gives it back unchanged: `args[0]`.
    """
    path = place_of(system).neutral
    table: Mapping[str, list[str]] = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    if own := table.get(f"{system}: {name}"):
        return own
    hints = typing.get_type_hints(function)
    back = hints.pop("return", None)
    found = list(islice(_of(back), MOST))
    return found or (["args[0]"] if back in list(hints.values())[:1] else [])


def _of(kind: object) -> Iterator[str]:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, typing.NewType):
        yield from _of(kind.__supertype__)
    elif origin in (typing.Union, types.UnionType):
        yield from ["None"] if type(None) in parts else [one for part in parts for one in _of(part)]
    elif origin is typing.Literal:
        yield from map(repr, parts)
    elif origin is tuple and parts[-1] is not ...:
        yield from (f"({', '.join(chosen)},)" for chosen in product(*(list(_of(part)) for part in parts)))
    else:
        yield from EMPTY.get(origin or kind, ())


@contextmanager
def replaced(function: FunctionType, answer: str) -> Iterator[None]:
    """Let *function* give *answer* wherever it is held: its code is exchanged, and put back at the end."""
    names = dict(function.__globals__)
    exec(f"def neutral(*args, **named):\n    return {answer}", names)
    neutral: FunctionType = names["neutral"]
    before = function.__code__, function.__defaults__, function.__kwdefaults__
    function.__code__, function.__defaults__, function.__kwdefaults__ = neutral.__code__, None, {}
    try:
        yield
    finally:
        function.__code__, function.__defaults__, function.__kwdefaults__ = before
