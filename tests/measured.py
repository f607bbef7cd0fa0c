"""`MEASURED.md`: what the bench and the soak found, each in a place of its own between two marks.

A part that measures writes rows by `put`: those of other parts, and of jobs that were not asked for, stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

PAGE = Path(__file__).parents[1] / "MEASURED.md"

Row = Sequence[str]


def put(section: str, columns: Row, rows: Mapping[str, Row], *, right: Sequence[int] = (), page: Path = PAGE) -> None:
    """Write *rows* into the table of *section*, which stands between `<!-- section -->` and `<!-- /section -->`.

    A row is known by its first cell, which is its key, and takes the place of the row of that key.  *right* names the
    columns (from 0) of figures.

    :raises ValueError: if the page has no such section.
    """
    text = page.read_text("utf-8")
    found = re.search(rf"(<!-- {section} -->\n)(.*?)(<!-- /{section} -->)", text, re.DOTALL)
    if found is None:
        raise ValueError(f"{page.name} has no place for {section}: <!-- {section} --> … <!-- /{section} -->")
    table = _rows(found[2]) | {key: (key, *cells) for key, cells in rows.items()}
    rule = ["---:" if at in right else "---" for at in range(len(columns))]
    lines = "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in (columns, rule, *table.values()))
    page.write_text(text[: found.start(2)] + lines + text[found.end(2) :], "utf-8")


def keys(section: str, *, page: Path = PAGE) -> list[str]:
    """The keys of the rows of *section*, in their order."""
    found = re.search(rf"<!-- {section} -->\n(.*?)<!-- /{section} -->", page.read_text("utf-8"), re.DOTALL)
    return list(_rows(found[1])) if found else []


def _rows(table: str) -> dict[str, Row]:
    """The rows of a table by their first cell, without its head."""
    rows = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table.splitlines()[2:]]
    return {row[0]: row for row in rows}


def _cell(text: str) -> str:
    """A cell in one line; what would part it from itself is written otherwise."""
    return " ".join(text.replace("|", "¦").split())
