"""Values in the GM's language: as they are written, and put where they belong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from pbem.ground.plane import Point
from pbem.kernel.numbers import whole
from pbem.rules import directives
from pbem.rules.contract import Ask, ask
from pbem.rules.directives import BadDirective, read_as
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.state import War

Part = TypeVar("Part", bound=Struct)


def point(text: str) -> Point:
    """`3700,2900`."""
    x, y = text.split(",")
    return Point(int(x), int(y))


def plain(text: str) -> object:
    """A value as written, for msgspec to convert: a point, number or word; with slashes a list, of `8:red` of pairs."""
    if re.fullmatch(r"-?\d{1,9},-?\d{1,9}", text):
        return list(point(text))
    parts = [part for part in text.split("/") if part]
    if "/" in text and all(re.fullmatch(r"-?\d{1,9}(,-?\d{1,9}|:\w+)?", part) for part in parts):
        return [part.split(":") if ":" in part else plain(part) for part in parts]
    number = whole(text, sign=True)
    return number if number is not None else "" if text == "none" else directives.plain(text)


def with_attribute(part: Part, path: str, value: object, where: str) -> Part:
    """*part* with the attribute at *path* changed to *value*; *where* is what the GM calls the part."""
    name, _, rest = path.partition(".")
    if name not in part.__struct_fields__:
        raise BadDirective(f"{where} has no attribute {name}; it has {', '.join(part.__struct_fields__)}")
    if rest:
        inner = getattr(part, name)
        if not isinstance(inner, Struct):
            raise BadDirective(f"{where}.{name} has no parts")
        value = with_attribute(inner, rest, value, f"{where}.{name}")
    return read_as(type(part), {**asdict(part), name: value}, f"{where}.{name}", str(value))


def lookup(table: object, *rules: str) -> Ask:
    """A question for a cell of a table, by the keys that lead to it; of several numbers in a row a list."""

    def answer(_scene: Scene, _war: War, *keys: str) -> object:
        found = table
        for key in keys:
            assert isinstance(found, Mapping), f"{table} has no {' '.join(keys)}"
            found = found[key]
        return list(found) if isinstance(found, tuple) else found

    return ask(answer, *rules)
