"""The shape of what leaves the house as JSON, as JSON Schema: made of the records that are written."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import type_info

Schema = dict[str, Any]

_NAMED = ("$defs", "properties")
"""What has names of ours, where a schema else has its own words."""


def schema(kind: type[Struct], version: int) -> Schema:
    """The schema of a record whose `v` is *version*, with the words that stand under its fields in the source."""
    made = msgspec.json.schema(kind)
    for one in records(type_info(kind), set()):
        described = made["$defs"][one.__name__]
        described["description"] = " ".join(described["description"].split())
        for name, words in _words(one):
            described["properties"][name]["description"] = words
    made["$defs"][kind.__name__]["properties"]["v"]["const"] = version
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
    return msgspec.json.decode(msgspec.json.encode(made), type=Schema)


def version_of(made: Schema) -> int:
    """Which version of its shape a schema describes."""
    name = made["$ref"].rpartition("/")[2]
    version: int = made["$defs"][name]["properties"]["v"]["const"]
    return version


def shape(made: Any) -> Any:
    """A schema without what says nothing of the shape: its words and its version."""
    if isinstance(made, dict):
        return {
            name: {field: shape(one) for field, one in value.items()} if name in _NAMED else shape(value)
            for name, value in made.items()
            if name not in ("description", "title", "const")
        }
    return [shape(one) for one in made] if isinstance(made, list) else made


def records(of: object, met: set[type[Struct]]) -> Iterator[type[Struct]]:
    """All records that may stand in a value of a type."""
    if isinstance(of, list | tuple):
        for one in of:
            yield from records(one, met)
    elif isinstance(of, msgspec.inspect.Type | msgspec.inspect.Field):
        kind = getattr(of, "cls", None)
        if isinstance(kind, type) and issubclass(kind, Struct):
            if kind in met:
                return
            met.add(kind)
            yield kind
        for name in of.__struct_fields__:
            yield from records(getattr(of, name), met)


def _words(kind: type[Struct]) -> Iterator[tuple[str, str]]:
    """The fields of a record that have a word under them, and that word on one line."""
    [made] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(made, ast.ClassDef)
    for field, said in zip(made.body, made.body[1:], strict=False):
        match field, said:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, " ".join(words.split())
            case _:  # two fields, or a method
                pass
