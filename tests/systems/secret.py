"""What the tests of our own systems take of the suite, and what more theirs say of themselves.

`tests/systems/<package>/secrets.py` holds what `pbem.suite.secret` asks for, and besides `GRAMMAR`, its order language;
`odds.py` beside it its attacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from pbem.kernel.names import Role
from pbem.orders.grammar import Grammar
from pbem.rules.chances import Attack
from pbem.suite.places import place_of
from pbem.suite.secret import SEAL, Exchange, Secret, autoplay, known, played, sheet
from tests.systems.play import Game

__all__ = ["SEAL", "Exchange", "Secret", "autoplay", "known", "odds_of", "played", "plug", "sheet"]


class Plug(Protocol):
    """The module of one system."""

    GRAMMAR: Grammar
    SECRETS: Sequence[Secret]

    def likely(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines that *role* might well send now."""
        ...


class Odds(Protocol):
    """`odds` beside the secrets: attacks of one system."""

    def examples(self) -> Iterator[Attack]:
        """One attack of each kind at least, by what its writer knows."""
        ...

    def tries(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines by which *role* might attack, made of what it knows alone."""
        ...


def plug(system: str) -> Plug:
    """The secrets of *system*."""
    module: Any = import_module(place_of(system).module)
    return cast(Plug, module)


def odds_of(system: str) -> Odds:
    """The attacks of *system*."""
    module: Any = import_module(place_of(system).odds)
    return cast(Odds, module)
