"""The reel of a game that is played without an office."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec
import pytest
from msgspec import Raw

from pbem.desk.reels.evidence import Evidence, Sheet
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Option
from pbem.rules import registry
from pbem.rules.contract import AnySystem
from pbem.rules.reel import TRUTH
from pbem.suite.reels import reel_of, seen_by
from tests.systems.play import SYSTEMS, Game
from tests.systems.secret import played, plug

__all__ = ["FOG", "Written", "evidence_of", "in_the_dark", "reel_of"]


class Written(Game):
    """A game that keeps the sheets with which it is played."""

    def __init__(self, system: AnySystem, scenario: str, *, options: Mapping[str, Option] | None = None) -> None:
        self.sent: list[tuple[Moment, Role, str, tuple[Raw, ...]]] = []
        super().__init__(system, scenario, options=options)

    def play(self, sheets: Mapping[Role, str]) -> None:
        """Play on, with the sheets."""
        for role, text in sheets.items():
            orders, _ = self.read(role, text)
            raw = tuple(Raw(msgspec.json.encode(order)) for order in orders)
            self.sent.append((self.pause.moment, role, text, raw))
        super().play(sheets)


@cache
def in_the_dark(name: str, number: int) -> tuple[Written, Written]:
    """Two games of a system that differ only in what a role cannot see: in its secret of that *number*, from 0."""
    secret = plug(name).SECRETS[number]
    games = []
    for story in (secret.one, secret.other):
        game = Written(registry.load(name), secret.scenario, options=secret.options)
        for _ in played(game, secret, story):
            pass
        games.append(game)
    return games[0], games[1]


FOG = [pytest.param(name, marks=pytest.mark.xdist_group(f"fog of {name}")) for name in SYSTEMS]
"""The systems, for tests that look at the same games `in_the_dark`: one process plays them once for all."""


def evidence_of(game: Written, *eyes: str) -> Evidence:
    """What *eyes* have to go by of a game."""
    past = game.system.past
    assert past is not None
    of = eyes if TRUTH not in eyes else game.roles
    sheets = [
        Sheet(role, moment, number, text, (), taken=True, seq=0, raw=raw)
        for number, (moment, role, text, raw) in enumerate(game.sent, start=1)
        if role in of
    ]
    seen = list(seen_by(game, eyes))
    return Evidence(game.system, past, game.scene, eyes, [seen], sheets, {"campaign": "", "title": ""})
