"""Which values a standing reaction may have, of which troops (KS-CMD-08)."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from pbem.kernel.numbers import whole
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables.orders import REACTIONS, Reaction

NONE = "none"
"""The value that takes a reaction back: it is as if nobody had said anything."""

TROOPS = {"pioneers": "infantry", "artillery": "battery"}
"""How the table calls the troops of an arm, where it has another word."""


@rule("KS-CMD-08")
def rows_of(key: str, arms: Collection[str]) -> list[Reaction]:
    """What the table has of a key for troops of any of *arms*, or for all troops if none is known."""
    troops = {TROOPS.get(arm, arm) for arm in arms}
    return [
        row
        for (name, *whose), row in ((full.split(), row) for full, row in REACTIONS.items())
        if name == key and (not whose or not troops or whose[0] in troops)
    ]


@rule("KS-CMD-08")
def allows(row: Reaction, value: str) -> bool:
    """Whether a value is one of a row, in the words or in the form that it shows, or what holds of itself."""
    return any(_fits(value, form) for form in (*row.values, row.default, row.otherwise) if form)


def _fits(value: str, form: str) -> bool:
    """Whether a value has the form that the table shows: `retire 3700,2900` and `retire PLACE`."""
    said, shown = value.partition(" @")[0].split(), form.split()
    return len(said) == len(shown) and all(
        a == b
        or (b == "PLACE" and "," in a)
        or (b == "N" and whole(a) is not None)
        or (b == "RATIO" and ratio(a) is not None)
        or (b == "P%" and percent(a) is not None)
        for a, b in zip(said, shown, strict=True)
    )


@rule("KS-CMD-08")
def ratio(text: str) -> Fraction | None:
    """A ratio of forces, `3:2` or `1.5`; None: the text is none that a force could have to another."""
    above, colon, below = text.partition(":")
    if colon:
        parts = whole(above), whole(below)
        return Fraction(parts[0], parts[1]) if parts[0] and parts[1] else None
    units, dot, tenths = text.partition(".")
    if not dot or whole(units) is None or whole(tenths) is None:
        return None
    return Fraction(text) or None


@rule("KS-CMD-08")
def percent(text: str) -> int | None:
    """A share that can be lost, from `1%` to `100%`; None: the text is none."""
    found = whole(text.removesuffix("%")) if text.endswith("%") else None
    return found if found is not None and 0 < found <= 100 else None
