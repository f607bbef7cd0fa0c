"""The record of a verb: all that an order language says of it, in one place.

A system has its verbs in tables, one for each place of its grammar where verbs may stand (`order`: a whole line), by
the name of the verb's part in the tree.  From them come the rules of the grammar, the examples, and the orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

Read = TypeVar("Read", contravariant=True)
Made = TypeVar("Made", covariant=True)


class Verb(NamedTuple, Generic[Read, Made]):
    """One form of order."""

    form: str
    """How it is written, as an alternative of a rule in Lark's notation: `"face" way`.

    A literal is not in the tree: a word of which it matters whether it stands there is a terminal with a name,
    `"pull" [DOUBLE]`, and `make` asks for it (`Sentence.says`).
    """
    make: Callable[[Read], Made]
    """The order, out of the line or the part of it that has this form.

    :raises BadWord: at a word that the game does not have.
    """
    examples: Mapping[str, str] = {}
    """A full line for each way to begin it, by the words that it begins with: `{"face": "FR-2 face E"}`."""
    sort: str = ""
    """Of which sort of order it is, as a call asks for them."""


Verbs = Mapping[str, Verb[Read, Made]]


def rules(places: Mapping[str, Mapping[str, Verb[Read, object]]]) -> str:
    """The rules of a grammar for the verbs of each place, in Lark's notation.

    >>> print(rules({"order": {"hold": Verb('UNIT "hold"', str), "go": Verb('UNIT "go" way', str)}}))
    order: UNIT "hold" -> hold
         | UNIT "go" way -> go
    """
    lines = []
    for place, verbs in places.items():
        glue = f"\n{' ' * (len(place) - 1)} | "
        lines.append(f"{place}: {glue.join(f'{verb.form} -> {name}' for name, verb in verbs.items())}")
    return "\n".join(lines)


def examples(*tables: Mapping[str, Verb[Read, object]]) -> dict[str, str]:
    """The examples of all verbs, in their order."""
    return {how: line for verbs in tables for verb in verbs.values() for how, line in verb.examples.items()}
