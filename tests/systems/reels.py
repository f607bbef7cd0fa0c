"""The reel of a game that is played without an office."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec
import pytest
from msgspec import Raw

from pbem.desk.reels.evidence import Evidence, Sheet
from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Option
from pbem.rules import registry
from pbem.rules.contract import AnySystem, apply, form
from pbem.rules.reel import TRUTH, Beat, Reel
from pbem.rules.reeling import Here, Making
from pbem.rules.view import Told
from tests.systems.play import SYSTEMS, Game
from tests.systems.secret import played, plug


def reel_of(game: Game, eyes: Sequence[str]) -> Reel:
    """What those *eyes* have seen of *game*."""
    past = game.system.past
    assert past is not None
    made: tuple[Beat, ...] = tuple(Making(past, game.scene, eyes).beats(list(_seen(game, eyes))))
    return Reel(
        campaign="", title="", system=game.system.name, game="", rules="", sides=tuple(past.sides(game.scene)),
        eyes=tuple(eyes), called={}, beats=made,
    )  # fmt: skip


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
    seen = list(_seen(game, eyes))
    return Evidence(game.system, past, game.scene, eyes, [seen], sheets, {"campaign": "", "title": ""})


def _seen(game: Game, eyes: Sequence[str]) -> Iterator[Here]:
    world = game.blank
    for number, (moment, fact) in enumerate(zip(game.moments, game.facts, strict=True), start=1):
        after = apply(game.system, world, fact)
        forms: dict[str, Outcome] = {}
        told: dict[str, tuple[Told, ...]] = {}
        lines: dict[str, dict[Role, tuple[Told, ...]]] = {}
        for one in eyes:
            shown = fact if one == TRUTH else form(game.system, fact, Role(one))
            if shown is None:
                continue
            forms[one] = shown
            if one != TRUTH:
                said = game.system.tell(game.scene, shown, world.minds[Role(one)], Role(one))
            else:
                said = game.system.recount(game.scene, fact, world.truth) if game.system.recount else ()
            told[one] = tuple(line for line in said if not line.line)
            if one != TRUTH:
                lines[one] = {Role(one): tuple(line for line in said if line.line)}
        if forms:
            still = TRUTH in eyes and not fact.dice and len(fact.known) < len(eyes) - 1 and after.truth == world.truth
            yield Here(
                moment, run=1, annulled=False, forms=forms, told=told, lines=lines, after=after, still=still,
                before=world, seq=number,
            )  # fmt: skip
        world = after
