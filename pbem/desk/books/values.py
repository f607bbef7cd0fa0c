"""A state, or a mind, as names and values that a GM can read, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from pbem.desk.books import shown
from pbem.rules.contract import AnySystem


class Change(Struct, frozen=True):
    """A value that is not what it was, by its name in the state; None where there is none."""

    name: str
    before: str | None
    after: str | None


def changes(system: AnySystem, before: Any, after: Any) -> tuple[Change, ...]:
    """Every value in which two states, or two minds, differ, by its name: `pieces.p7.men`."""
    then, now = flat(system, before), flat(system, after)
    names = [name for name in {**then, **now} if then.get(name) != now.get(name)]
    return tuple(Change(name, then.get(name), now.get(name)) for name in names)


def flat(system: AnySystem, state: Any) -> dict[str, str]:
    """A state as names and values, in its own order, each as *system* writes it."""
    plain = msgspec.to_builtins(state, str_keys=True)
    return dict(_flat(_written(system, state, plain) if system.written else plain, ""))


def _flat(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from _flat(one, f"{name}.{key}" if name else str(key))
    else:
        yield name, shown.short(value) if value not in (None, {}, []) else "none"


def _written(system: AnySystem, value: Any, plain: Any) -> Any:
    """The *plain* form of a value, with words for each part that the system writes in its own way."""
    said = system.written(value) if system.written else None
    if said is not None:
        return said
    if isinstance(plain, dict):
        parts = _parts(value)
        return {key: _written(system, parts[key], one) if key in parts else one for key, one in plain.items()}
    if isinstance(plain, list | tuple) and isinstance(value, list | tuple):
        return [_written(system, one, two) for one, two in zip(value, plain, strict=True)]
    return plain


def _parts(value: Any) -> Mapping[str, Any]:
    """What stands under each name of a record or a table, by the names of its plain form."""
    if isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {key: getattr(value, name) for key, name in names}
    if isinstance(value, Mapping):
        return dict(zip(msgspec.to_builtins(value, str_keys=True), value.values(), strict=True))
    return {}
