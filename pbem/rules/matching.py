"""Whether a thing of some game is what a conformance case expects, without knowing the game.

What is expected comes from TOML: tables, lists, texts, numbers, truth values.  What is found is a Struct, a
mapping, a sequence, an enumeration, or something with a text of its own (a square, a moment).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from enum import Enum

from msgspec import Struct
from msgspec.structs import asdict

from pbem.kernel.event import Event, kind_of
from pbem.kernel.names import RuleId


class Missing(Enum):
    """What a thing has under a name that it does not know."""

    MISSING = "nothing of that name"


MISSING = Missing.MISSING

CITES = ("rules", "rule", "rule_id")
"""The attributes that name rules, in an outcome and in the modifiers within it."""


def member(thing: object, name: str) -> object:
    """The attribute or entry *name* of *thing*, or `MISSING`; `kind` of an outcome is its word without the system.

    >>> member({2: "two"}, "2"), member({}, "x") is MISSING
    ('two', True)
    """
    if isinstance(thing, Mapping):
        return next((value for key, value in thing.items() if str(plain(key)) == name), MISSING)
    if isinstance(thing, Event) and name == "kind":
        return kind_of(thing).rpartition(".")[2]
    if isinstance(thing, Struct):
        return getattr(thing, name, MISSING)
    return MISSING


def plain(thing: object) -> object:
    """An enumeration's value, a Struct's own text if it has one, numbers and texts as they are."""
    if isinstance(thing, Enum):
        return thing.value
    if thing is None or isinstance(thing, bool | str):
        return thing
    return thing if isinstance(thing, int) else str(thing)


def matches(expected: object, found: object) -> bool:
    """Whether *found* is all that *expected* says of it.

    A table is met by a thing that has all its entries so; a list by a sequence that holds its members in this
    order, others between them, or by a set that holds them; nothing (`""`) by None; anything else by what equals
    it or is written so.

    >>> matches({"men": 1, "seen": ["a", "c"]}, {"men": 1, "seen": ("a", "b", "c"), "at": "Q-9"})
    True
    >>> matches([], [1]), matches([2, 1], [1, 2]), matches("Q-9", None), matches("", None)
    (False, False, False, True)
    """
    if isinstance(expected, Mapping):
        return all(
            (value := member(found, str(name))) is not MISSING and matches(one, value) for name, one in expected.items()
        )
    if isinstance(expected, list | tuple):
        if isinstance(found, str | Mapping) or not isinstance(found, Collection):
            return False
        if not expected:
            return not found
        if isinstance(found, Set):
            return all(any(matches(one, other) for other in found) for one in expected)
        rest = iter(found)
        return all(any(matches(one, other) for other in rest) for one in expected)
    if found is None:
        return expected == ""
    said = plain(found)
    return said == expected and isinstance(said, bool) == isinstance(expected, bool)


def difference(expected: Mapping[str, object], found: object) -> list[str]:
    """For each entry of a table that *found* does not meet, at any depth, a phrase with both.

    >>> difference({"men": 1, "kind": "x"}, {"men": 2, "kind": "x"})
    ['.men: expected 1, found 2']
    >>> difference({"units": {"1/F": {"men": 1}}}, {"units": {"1/F": {"men": 2, "at": "Q-9"}, "2/F": {"men": 3}}})
    ['.units.1/F.men: expected 1, found 2']
    """
    found_out = []
    for name, one in expected.items():
        value = member(found, str(name))
        if matches({name: one}, found):
            continue
        if isinstance(one, Mapping) and isinstance(value, Struct | Mapping):
            found_out += [f".{name}{phrase}" for phrase in difference(one, value)]
        else:
            found_out.append(f".{name}: expected {shown(one)}, found {shown(value)}")
    return found_out


def rules_in(thing: object) -> set[RuleId]:
    """All rules that *thing* names, at any depth: in its own `rules`, and in those of its modifiers.

    >>> sorted(rules_in({"rules": ("A-1",), "modifiers": [{"rule": "B-2", "why": "C-3"}]}))
    ['A-1', 'B-2']
    """
    if isinstance(thing, Struct):
        thing = asdict(thing)
    if isinstance(thing, Mapping):
        cited = [value for name, value in thing.items() if name in CITES]
        within = [rules_in(value) for name, value in thing.items() if name not in CITES]
        return {rule for value in cited for rule in _named(value)}.union(*within)
    if isinstance(thing, list | tuple):
        return set().union(*map(rules_in, thing))
    return set()


def _named(value: object) -> set[RuleId]:
    if isinstance(value, str):
        return {RuleId(value)} if value else set()
    if isinstance(value, Sequence | Set):
        return {RuleId(one) for one in value if isinstance(one, str)}
    return set()


def shown(thing: object) -> str:
    """A thing as a case would write it.

    >>> shown({"die": 4, "at": ("Q-9",), "seen": True})
    '{die = 4, at = ["Q-9"], seen = true}'
    """
    if isinstance(thing, Event):
        written = {
            name: value
            for name, value in asdict(thing).items()
            if name not in ("known", "phase") and value not in ((), {}, "")
        }
        return shown({"kind": member(thing, "kind")} | written)
    if isinstance(thing, Mapping):
        return f"{{{', '.join(f'{plain(name)} = {shown(value)}' for name, value in thing.items())}}}"
    if isinstance(thing, list | tuple):
        return f"[{', '.join(map(shown, thing))}]"
    if isinstance(thing, bool):
        return str(thing).lower()
    if isinstance(thing, Struct) and type(thing).__str__ is Struct.__str__:
        return shown(asdict(thing))
    said = plain(thing)
    return f'"{said}"' if isinstance(said, str) and thing is not MISSING else str(said)
