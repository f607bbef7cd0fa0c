"""What a patch makes of a state.  A patch has the fields of what it changes; those that it leaves are `UNSET`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct


def sets(patch: Struct) -> dict[str, object]:
    """What a patch sets, by name."""
    return {name: value for name in patch.__struct_fields__ if (value := getattr(patch, name)) is not UNSET}


def laid_over(state: Struct, patch: Struct, *, tables: Iterable[str], rows: Iterable[str] = ()) -> dict[str, object]:
    """What a patch of a whole game sets: its *tables* with the state's below them, its *rows* after the state's."""
    changes = sets(patch)
    for name in tables:
        if name in changes:
            changes[name] = getattr(state, name) | changes[name]
    for name in rows:
        if name in changes:
            changes[name] = (*getattr(state, name), changes[name])
    return changes
