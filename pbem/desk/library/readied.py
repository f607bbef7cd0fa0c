"""What is read by its type is made ready by one thread at a time.

The first time that something of a type is read, msgspec looks through all that the type is made of, and keeps what it
found with each class.  Two threads that do so at the same time can bring the process down: one of them goes by what the
other has but begun.  What is ready any number of threads may read by.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar, Union

import msgspec

from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.rules.contract import AnySystem
from pbem.storage.codec import Codec

READYING = threading.RLock()
"""Held by whoever reads something of a type that may never have been read."""

_DECODERS: dict[object, msgspec.json.Decoder[Any]] = {}
_READY: set[str] = set()

T = TypeVar("T")


def loaded(name: str) -> AnySystem:
    """The rules of a system, ready to read worlds, facts and orders.

    :raises UnknownSystem: if there is none of that name.
    """
    if name in _READY:
        return registry.load(name)
    with READYING:
        system = registry.load(name)
        if name in _READY:
            return system
        Codec(system.facts)
        state: Any = system.state
        minds: Any = dict[Role, system.mind]  # type: ignore[name-defined]  # made here
        orders: Any = Union[system.orders]  # noqa: UP007 - the system says which
        for kind in (state, minds, orders):
            msgspec.json.Decoder(kind)
        _READY.add(name)
    return system


def decoded(data: bytes | str, kind: type[T]) -> T:
    """What *data* says, as JSON, of a *kind*.

    :raises msgspec.MsgspecError: if it says nothing of that kind.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        with READYING:
            decoder = _DECODERS.setdefault(kind, msgspec.json.Decoder(kind))
    found: T = decoder.decode(data)
    return found
