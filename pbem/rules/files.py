"""What every system needs to read the files of a scenario: a table's entries, and faults that name their place."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import (
    DictType,
    ListType,
    LiteralType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from pbem.kernel.errors import BadScenario
from pbem.orders.suggest import closest

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
        raise BadScenario(where, _in_words(str(error), kind)) from None


def unknown(key: str, known: Iterable[str]) -> str:
    """That *key* is none of those *known*, and which was perhaps meant.

    >>> unknown("witdh", ["width", "height"])
    'there is no "witdh" here; did you mean "width"?'
    """
    like = closest(key, known)
    return f'there is no "{key}" here' + (f'; did you mean "{like}"?' if like else "")


_NO_SUCH = re.compile(r"Invalid enum value '?(?P<value>.*?)'?(?: - at `\$(?P<path>.*)`)?")
_NO_FIELD = re.compile(r"Object contains unknown field `(?P<value>.*?)`(?: - at `\$(?P<path>.*)`)?")


def _in_words(error: str, kind: Any) -> str:  # type: ignore[explicit-any]  # any class that msgspec reads
    """What msgspec says, with what would do in its place."""
    if said := _NO_FIELD.fullmatch(error):
        for found in _at(type_info(kind), said["path"] or ""):
            if isinstance(found, StructType):
                return unknown(said["value"], [field.encode_name for field in found.fields])
    if said := _NO_SUCH.fullmatch(error):
        for found in _at(type_info(kind), said["path"] or ""):
            if isinstance(found, LiteralType):
                values = [str(value) for value in found.values]
                like = closest(said["value"], values)
                meant = f"; did you mean {like}?" if like else ""
                name = (said["path"] or "").rpartition(".")[2].partition("[")[0] or "it"
                return f"{name} is one of {', '.join(values)}, and not {said['value']}{meant}"
    return error


def _at(info: Type, path: str) -> Iterable[Type]:
    """What may stand at a path of msgspec, such as `[0].type` or `.side[...]`."""
    if isinstance(info, UnionType):
        return [found for one in info.types for found in _at(one, path)]
    if not path:
        return [info]
    step, rest = re.fullmatch(r"(\.[^.[]+|\[[^]]*\])?(.*)", path, re.DOTALL).groups()  # type: ignore[union-attr]  # fits any
    if not step:
        return []
    match info:
        case StructType():
            return [found for one in info.fields if f".{one.encode_name}" == step for found in _at(one.type, rest)]
        case ListType() | VarTupleType():
            return _at(info.item_type, rest)
        case TupleType():
            return [found for one in info.item_types for found in _at(one, rest)]
        case DictType():
            return _at(info.value_type, rest)
        case _:  # msgspec knows more types than have something within
            return []


def shipped(package: str, name: str) -> str:
    """The text of a data file that ships with the code of *package*, found as its modules are.

    :raises FileNotFoundError: if there is none.
    """
    return (pkgutil.get_data(package, name) or b"").decode()
