"""Events and other records as plain values, for JSON and for one line of a listing."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.kernel.names import Moment
from pbem.rules.view import Told

_COMMON = {"kind", "phase", "rules", "dice", "known"}
"""What a listing of facts has in columns of its own, or leaves out."""


def plain(record: object) -> Any:
    """A record as dicts, lists, text and numbers."""
    return msgspec.json.decode(msgspec.json.encode(record))


def whole(record: msgspec.Struct) -> Any:
    """A record like that, with what is at its default too."""
    return plain(msgspec.structs.asdict(record))


def fields(record: object) -> list[tuple[str, str]]:
    """The fields of a fact that say what it is of, each as short text; what is empty is left out."""
    found: dict[str, Any] = plain(record)
    return [(name, short(value)) for name, value in found.items() if name not in _COMMON and value not in ("", [], {})]


def in_words(told: Told) -> str:
    """One thing that a role was told, in a line: how it begins, what it says, and the words of a paper in quotes."""
    quote = " ".join(told.quote.split())
    return " ".join(part for part in (told.lead, told.text, f"“{quote}”" if quote else "") if part)


def is_flat(record: object) -> bool:
    """Whether the fields of a fact that say what it is of are words and numbers, with no record among them."""
    said = [value for name, value in plain(record).items() if name not in _COMMON]
    return not any(isinstance(one, dict) for value in said for one in (value if isinstance(value, list) else [value]))


def short(value: Any) -> str:
    """A plain value in a few words.

    >>> short({"turn": 5, "exchange": 2, "halt": 0}), short(["p1", "p2"]), short({"men": 3})
    ('5B', 'p1 p2', 'men=3')
    >>> short(({"count": 8}, {"status": "disrupted", "count": 2}))
    'count=8, status=disrupted count=2'
    """
    if isinstance(value, dict):
        if value.keys() == set(Moment.__struct_fields__):
            return str(Moment(**value))
        return " ".join(f"{key}={short(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        between = ", " if any(isinstance(one, dict) for one in value) else " "
        return between.join(short(one) for one in value) or "none"
    return str(value)
