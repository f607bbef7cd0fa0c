"""What every system needs to read the files of a scenario: a table's entries, and faults that name their place."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from pbem.kernel.errors import BadScenario

_Kind = TypeVar("_Kind")


def need(table: Mapping[str, Any], key: str, where: str) -> Any:  # type: ignore[explicit-any] # as TOML has it
    """The entry *key* of a table.

    :raises BadScenario: naming *where*, if it is missing.
    """
    try:
        return table[key]
    except KeyError:
        raise BadScenario(where, f'"{key}" is missing') from None


def convert(found: object, kind: type[_Kind], where: str) -> _Kind:
    """What was *found* in a file, as a *kind*.

    :raises BadScenario: naming *where* and what does not fit.
    """
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise BadScenario(where, str(error)) from None


def shipped(package: str, name: str) -> str:
    """The text of a data file that ships with the code of *package*, found as its modules are.

    :raises FileNotFoundError: if there is none.
    """
    return (pkgutil.get_data(package, name) or b"").decode()
