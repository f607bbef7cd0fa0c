"""What was worked out of a state just now, kept for whoever asks next of the same state."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
Found = TypeVar("Found")


def lately(most: int) -> Callable[[Callable[P, Found]], Callable[P, Found]]:
    """Remember what a function made of the last *most* things that it was asked of.

    States never change, but they hold mappings and so are no keys: a thing is known by being the same object.

    >>> twice = lately(1)(lambda numbers: [2 * number for number in numbers])
    >>> few = [1, 2]
    >>> twice(few) is twice(few), twice([1, 2]) is twice(few)
    (True, False)
    """

    def remembering(function: Callable[P, Found]) -> Callable[P, Found]:
        kept: tuple[tuple[tuple[int, ...], tuple[object, ...], Found], ...] = ()

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> Found:
            nonlocal kept
            asked = (*args, *kwargs.values())
            key = tuple(map(id, asked))
            for ids, _, found in kept:
                if ids == key:
                    return found
            made = function(*args, **kwargs)
            # What is asked of is kept with the answer: as long as it is, nothing else can have its identity.
            kept = ((key, asked, made), *kept[: most - 1])
            return made

        return answer

    return remembering


def recently(most: int) -> Callable[[Callable[P, Found]], Callable[P, Found]]:
    """Remember what a function made of so many things; those asked for first are forgotten first.

    A thing is known as `lately` knows it, and a tuple by being of the same things.

    >>> twice = recently(2)(lambda numbers: [2 * number for number in numbers])
    >>> twice((1, "a")) is twice((1, "a")), twice((1, "a")) is twice((2, "a"))
    (True, False)
    """

    def remembering(function: Callable[P, Found]) -> Callable[P, Found]:
        kept: dict[tuple[int | tuple[int, ...], ...], tuple[tuple[object, ...], Found]] = {}

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> Found:
            asked = (*args, *kwargs.values())
            key = tuple(tuple(map(id, one)) if isinstance(one, tuple) else id(one) for one in asked)
            found = kept.get(key)
            if found is None:
                while len(kept) >= most:
                    del kept[next(iter(kept))]
                # Kept with what is asked of, as above.
                found = kept[key] = (asked, function(*args, **kwargs))
            return found[1]

        return answer

    return remembering
