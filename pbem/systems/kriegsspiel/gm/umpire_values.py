"""Values in the umpire's language: as they are written, and put where they belong."""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.kernel.numbers import whole
from pbem.rules.directives import BadDirective


def plain(text: str) -> object:
    """A value as written, for msgspec to convert: a point, number or word; with slashes a list, of `8:red` of pairs."""
    if re.fullmatch(r"-?\d{1,9},-?\d{1,9}", text):
        x, _, y = text.partition(",")
        return [int(x), int(y)]
    parts = [part for part in text.split("/") if part]
    if "/" in text and all(re.fullmatch(r"-?\d{1,9}(,-?\d{1,9}|:\w+)?", part) for part in parts):
        return [part.split(":") if ":" in part else plain(part) for part in parts]
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = whole(text, sign=True)
    return number if number is not None else ("" if text == "none" else text)


def changed_struct(part: Struct, path: list[str], value: object, where: str) -> Struct:
    """*part* with the attribute at *path* changed to *value*; *where* is what the umpire calls the part."""
    name = path[0]
    if name not in part.__struct_fields__:
        raise BadDirective(f"{where} has no attribute {name}; it has {', '.join(part.__struct_fields__)}")
    if len(path) > 1:
        inner = getattr(part, name)
        if not isinstance(inner, Struct):
            raise BadDirective(f"{where}.{name} has no parts")
        return replace(part, **{name: changed_struct(inner, path[1:], value, f"{where}.{name}")})
    try:
        parts = {**asdict(part), name: value}
        return msgspec.convert(parts, type(part), strict=False, from_attributes=True)
    except msgspec.ValidationError as error:
        raise BadDirective(f"{where}.{name} cannot be {value}: {error}") from None
