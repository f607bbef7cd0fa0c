"""How systems of other packages draw their sides, for the style sheet that all games of the web share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pbem.reports.drawing.sides import css_of_all
from pbem.rules import registry
from pbem.rules.contract import AnySystem


def sides_css() -> str:
    """The style of every side that ships, and of those that installed systems bring."""
    return css_of_all(_others())


def _others() -> Iterator[AnySystem]:
    for name in registry.names():
        if name not in registry.BUILT_IN:
            # One that cannot be loaded is told of where its games are played: the pages of all others stand.
            with suppress(Exception):
                yield registry.load(name)
