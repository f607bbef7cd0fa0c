"""What programs of others read: its shape is described in `docs/schema`, and another shape has another version."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from msgspec import Struct

from pbem.reports.pages.data import ReportData
from pbem.rules import reel, view
from tests.kit.schema import Schema, schema, shape, version_of

FOLDER = Path(__file__).parents[2] / "docs/schema"
READ: dict[str, tuple[type[Struct], int]] = {
    "report": (ReportData, view.VERSION),
    "reel": (reel.Reel, reel.VERSION),
}


def grown(before: Schema, now: Schema) -> bool:
    """Whether who has read *before* is told by its version if *now* has another shape."""
    return shape(before) == shape(now) or version_of(before) < version_of(now)


@pytest.mark.parametrize("name", READ)
def test_a_shape_does_not_change_without_its_version(name: str, golden: Callable[[Path, bytes], None]) -> None:
    """Where it does, raise `VERSION` of `pbem/rules/view.py` or `reel.py`, and `make golden` with this file."""
    made, path = schema(*READ[name]), FOLDER / f"{name}.json"
    if path.exists():
        assert grown(json.loads(path.read_text()), made), f"{name}: another shape, and the same VERSION"
    golden(path, f"{json.dumps(made, indent=2, ensure_ascii=False)}\n".encode())


NAMED = {
    "report": {"": "ReportData", "view": "View"},
    "reel": {"": "Reel", "beats": "Beat", "seen": "Seen"},
}
"""What the page on it calls the records of each, by their names."""


@pytest.mark.parametrize("name", READ)
def test_every_field_that_the_page_on_it_names_is_there(name: str) -> None:
    made = schema(*READ[name])["$defs"]
    page = (FOLDER.parent / "json.md").read_text("utf-8").partition(f"## A {name}")[2].partition("\n## ")[0]
    rows = [row.partition("| ")[2].partition(" |")[0] for row in page.splitlines()]
    named = [field for row in rows for field in re.findall(r"`([a-z.]+)`", row)]

    assert len(named) > 15
    for field in named:
        of, _, last = field.rpartition(".")
        assert last in made[NAMED[name][of]]["properties"], field


def test_another_field_or_type_is_another_shape_and_other_words_are_none() -> None:
    before = schema(*READ["report"])
    told, lesser, other = deepcopy(before), deepcopy(before), deepcopy(before)
    told["$defs"]["View"]["properties"]["title"]["description"] = "Otherwise."
    del lesser["$defs"]["View"]["properties"]["title"]
    other["$defs"]["View"]["properties"]["owed"]["type"] = "integer"

    assert grown(before, told)
    assert not grown(before, lesser)
    assert not grown(before, other)
    newer = schema(ReportData, view.VERSION + 1)["$defs"]["ReportData"]
    assert grown(before, {**other, "$defs": {**other["$defs"], "ReportData": newer}})
