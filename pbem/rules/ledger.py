"""The ledger of a system's rules, and the mark that ties a rule to what plays it.

A function that plays a rule wears its id; a module that holds charts says in `TABLE_RULES` whose they are:

    @rule("SP-RIF-03")
    def cover(square: Square) -> int: ...

    TABLE_RULES = charts({"MELEE": "SP-MEL-09"})

Neither changes what the function or the chart does: the ids are there for reports, coverage and mutants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from pbem.kernel.errors import BadScenario
from pbem.kernel.names import RuleId

Playing = TypeVar("Playing")

TABLES = "TABLE_RULES"
"""The name under which a module says which of its constants are charts of which rules."""


def rule(*ids: str) -> Callable[[Playing], Playing]:
    """Mark a function as what plays the rules *ids*; marks add up.

    >>> @rule("XX-ONE-01")
    ... @rule("XX-TWO-01", "XX-TWO-02")
    ... def reach() -> int:
    ...     return 3
    >>> rules_of(reach)
    ('XX-ONE-01', 'XX-TWO-01', 'XX-TWO-02')
    """

    def mark(function: Playing) -> Playing:
        setattr(function, "__rules__", (*map(RuleId, ids), *rules_of(function)))  # noqa: B010 - no type has it
        return function

    return mark


def rules_of(thing: object) -> tuple[RuleId, ...]:
    """The ids that a function was marked with."""
    marked: tuple[RuleId, ...] = getattr(thing, "__rules__", ())
    return marked


def charts(rules: Mapping[str, str]) -> Mapping[str, tuple[RuleId, ...]]:
    """What a module says in `TABLE_RULES`: by the name of each chart the rules whose it is, in one string.

    >>> charts({"MELEE": "XX-MEL-09 XX-MEL-10"})
    {'MELEE': ('XX-MEL-09', 'XX-MEL-10')}
    """
    return {name: tuple(map(RuleId, ids.split())) for name, ids in rules.items()}


def cited(*ids: str) -> tuple[RuleId, ...]:
    """The rules that shaped a fact, each once, in the order given.

    >>> cited("XX-ONE-01", "", "XX-TWO-01", "XX-ONE-01")
    ('XX-ONE-01', 'XX-TWO-01')
    """
    return tuple(dict.fromkeys(RuleId(one) for one in ids if one))


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a ledger."""

    id: RuleId
    title: str
    source: str
    """The heading under which the printed rules have it."""
    says: str
    """The rule in our own words."""
    reading: str = ""
    """How a gap or a doubt of the printed rules was settled."""
    options: tuple[str, ...] = ()
    """The options that change it."""
    played_by: Literal["engine", "data", "scenario"]
    """A rule function or chart; values of forces and options; the files of a scenario."""


Value = str | int | bool | dict[str, int]
"""What an option may be set to."""


class Choice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option of a game: what it may be, and what it is if nobody says."""

    name: str
    default: Value
    values: tuple[Value, ...] | str
    """All that it may be, or what may be written, in words (`a whole number`)."""
    rules: tuple[RuleId, ...]
    """The rules that read it."""
    says: str


class Ledger(Struct, frozen=True):
    """All rules and options of one system, in the order of its file."""

    rules: Mapping[RuleId, Rule]
    options: Mapping[str, Choice]

    def __contains__(self, rule: object) -> bool:
        """Whether there is a rule of that id."""
        return rule in self.rules


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[dict[str, object], ...]
    option: tuple[dict[str, object], ...] = ()


def load_ledger(path: Path) -> Ledger:
    """Read the `ledger.toml` of a system.

    :raises BadScenario: naming the entry, if it is no ledger, an id stands twice, or a rule and an option
        name each other wrongly.
    """
    try:
        file = msgspec.toml.decode(path.read_bytes(), type=_File)
    except (OSError, ValueError) as error:
        raise BadScenario(str(path), f"is no ledger: {error}") from None
    rules: dict[RuleId, Rule] = {}
    for number, table in enumerate(file.rule, start=1):
        where = f"{path}, rule {number} ({table.get('id', 'without an id')})"
        entry = _convert(where, table, Rule)
        if entry.id in rules:
            raise BadScenario(where, "this id stands twice")
        rules[entry.id] = entry
    options: dict[str, Choice] = {}
    for number, table in enumerate(file.option, start=1):
        where = f"{path}, option {number} ({table.get('name', 'without a name')})"
        choice = _convert(where, table, Choice)
        if choice.name in options:
            raise BadScenario(where, "this name stands twice")
        if isinstance(choice.values, tuple) and choice.default not in choice.values:
            raise BadScenario(where, f"the default {choice.default!r} is none of its values")
        if unknown := [one for one in choice.rules if one not in rules]:
            raise BadScenario(where, f"the ledger has no rule {', '.join(unknown)}")
        options[choice.name] = choice
    for entry in rules.values():
        if unnamed := [name for name in entry.options if name not in options]:
            raise BadScenario(f"{path}, rule {entry.id}", f"the ledger has no option {', '.join(unnamed)}")
    return Ledger(rules, options)


Entry = TypeVar("Entry")


def _convert(where: str, table: dict[str, object], entry: type[Entry]) -> Entry:
    try:
        return msgspec.convert(table, entry)
    except msgspec.ValidationError as error:
        raise BadScenario(where, str(error)) from None
