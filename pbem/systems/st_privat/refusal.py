"""Why an order is none, for its writer."""

from __future__ import annotations

from typing import NamedTuple


class Wrong(NamedTuple):
    """What stands in the way of an order, the rule that says so, and what would do."""

    why: str
    rule: str
    instead: str = ""
