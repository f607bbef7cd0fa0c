"""Values in the GM's language: as they are written, and put where they belong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
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
from pbem.systems.kriegsspiel.world.troops import Unit

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


OUT = "-"


def answered(value: object) -> object:
    """A value as a case writes it: fractions `5/6`, nothing `-`, tables and lists of such."""
    match value:
        case None:
            return OUT
        case Fraction():
            return value.numerator if value.denominator == 1 else str(value)
        case Mapping():
            return {str(key): answered(one) for key, one in value.items()}
        case tuple() if (names := getattr(value, "_fields", None)) is not None:
            return {name: answered(one) for name, one in zip(names, value, strict=True)}
        case tuple() | list():
            return [answered(one) for one in value]
        case _:  # numbers and words stand as they are
            return value


def cell_of(table: object, *keys: str | int) -> object:
    """A cell of a table: names lead through mappings and records, numbers from 1 through lists."""
    found = table
    for key in keys:
        if isinstance(found, Mapping):
            found = found[key]
        elif isinstance(key, str):
            found = getattr(found, key)
        elif isinstance(found, Sequence):
            found = found[key - 1]
    return answered(found)


def lookup(table: object, *rules: str) -> Ask:
    """A question for a cell of a table, by the keys and numbers that lead to it."""

    def answer(_scene: Scene, _war: War, *keys: str | int) -> object:
        return cell_of(table, *keys)

    return ask(answer, *rules)


def reckoned(function: Callable[..., object], *rules: str) -> Ask:  # type: ignore[explicit-any]  # whatever it takes
    """A question that *function* answers from the case's arguments alone."""

    def answer(_scene: Scene, _war: War, *given: str | int) -> object:
        return answered(function(*given))

    return ask(answer, *rules)


def of_unit(function: Callable[[Unit], object], *rules: str) -> Ask:
    """A question that *function* answers of a unit as it stands."""

    def answer(_scene: Scene, war: War, key: str) -> object:
        return answered(function(war.units[key]))

    return ask(answer, *rules)
