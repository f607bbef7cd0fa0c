"""Statements are written as SQLite takes them; this is how PostgreSQL and its driver are told the same."""

from __future__ import annotations

import re
from functools import lru_cache

_SAID: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(ours), theirs)
    for ours, theirs in (
        (r"%", "%%"),
        (r"json_each\(([^()]+)\)", r"json_array_elements_text(CAST(\1 AS json)) AS value"),
        (r"json_valid\(\w+\)", "TRUE"),
        (r"json_extract\((\w+), '\$\.(\w+)'\)", r"(CAST(\1 AS json) ->> '\2')"),
        (r"\binstr\(", "strpos("),
        (r"\bIS NOT (?!NULL\b|DISTINCT\b)", "IS DISTINCT FROM "),
        (r"\bIS (?!NOT\b|NULL\b|DISTINCT\b)", "IS NOT DISTINCT FROM "),
        (r"CAST\((.+?) AS BLOB\)", r"convert_to(CAST(\1 AS text), 'UTF8')"),
        (r"typeof\((\w+)\) = 'text'", r"\1 IS NOT NULL"),
        (r"/\* who comes next passes (\w+) over \*/", r"FOR UPDATE OF \1 SKIP LOCKED"),
        (r"/\* who comes next waits \*/", "FOR UPDATE"),
        (r"(?<![:\w]):([a-z_]\w*)", r"%(\1)s"),
        (r"\?", "%s"),
    )
)
"""What SQLite says otherwise, in this order."""


@lru_cache(maxsize=1_000)
def said(statement: str) -> str:
    """A statement in the words of PostgreSQL and its driver.

    >>> said("SELECT 1 FROM outbox WHERE player IS :player AND kind LIKE 'a%' AND campaign = ?")
    "SELECT 1 FROM outbox WHERE player IS NOT DISTINCT FROM %(player)s AND kind LIKE 'a%%' AND campaign = %s"
    """
    for ours, theirs in _SAID:
        statement = ours.sub(theirs, statement)
    return statement
