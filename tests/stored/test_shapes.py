"""How the facts of each game are written.

A campaign of rules that are continued is decided again to the byte, whatever comes to pass in it; a stored one shows
only what came to pass in that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import NODEFAULT, Struct
from msgspec.inspect import type_info
from msgspec.structs import FieldInfo, fields

from pbem.rules import registry
from pbem.rules.registry import BUILT_IN
from tests.kit.schema import records

HERE = Path(__file__).parent


def written(field: FieldInfo) -> str:
    """A field, and its default if it has one: what a fact does not say."""
    if field.default_factory is not NODEFAULT:
        return f"{field.encode_name}=[]"
    return field.encode_name + ("" if field.default is NODEFAULT else f"={field.default!r}")


def shapes(name: str) -> Iterator[str]:
    met: set[type[Struct]] = set()
    for kind in [one for fact in registry.load(name).facts for one in records(type_info(fact), met)]:
        config = kind.__struct_config__
        called = config.tag if config.tag is not None else kind.__name__
        yield f"{called}{' whole' * (not config.omit_defaults)}: {', '.join(map(written, fields(kind)))}"


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_the_facts_of_rules_that_are_continued_are_written_alike(
    name: str, golden: Callable[[Path, bytes], None]
) -> None:
    """Before a field is added to one, or a default changes, the rules continue none: `continues.toml` goes first."""
    golden(HERE / "shapes" / f"{name}.txt", "".join(f"{line}\n" for line in sorted(shapes(name))).encode())
