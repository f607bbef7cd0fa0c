"""What a role must not be able to tell: the form in which each system names its secrets.

`tests/systems/<package>/secrets.py` holds, for its system:

- `GRAMMAR`: its order language, which says its verbs by example;
- `SECRETS`: pairs of games that differ only in what *blind* cannot see (`Secret`);
- `likely(game, role)`: order lines that *role* might well send now, legal for the greater part;
- `LARGE`, if there are any: scenarios whose games are too long for the suite to play to the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

import msgspec

from pbem.kernel.names import FULL, Role
from pbem.kernel.office import Option
from pbem.kernel.owed import Call, Pause
from pbem.orders.grammar import Grammar
from pbem.orders.sheet import lines_of
from pbem.rules.chances import Attack
from tests.systems.play import Game


@dataclass(frozen=True)
class Exchange:
    """What is done in one exchange: rulings made before it, known to the owner alone, and the sheets."""

    sheets: Mapping[Role, str] = field(default_factory=dict)
    rulings: str = ""


@dataclass(frozen=True, kw_only=True)
class Secret:
    """Two games that differ only in what *blind* cannot see; the last exchange may be followed by silence."""

    name: str
    scenario: str
    owner: Role
    """Who must see the difference, else the secret is empty."""
    blind: Role
    one: Sequence[Exchange]
    other: Sequence[Exchange]
    options: Mapping[str, Option] = field(default_factory=dict)
    silence: int = 2
    """Exchanges of silence played after the last."""
    revealed_by: Sequence[str] = ()
    """The kinds of facts that let it out, where it is a thing that *blind* may find out by what he does."""
    probes: Sequence[str] = ()
    """Order lines that *blind* might try, to feel the secret out; added to those that every role tries."""

    def __str__(self) -> str:
        return self.name


class Plug(Protocol):
    """The module of one system."""

    GRAMMAR: Grammar
    SECRETS: Sequence[Secret]

    def likely(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines that *role* might well send now."""
        ...


def plug(system: str) -> Plug:
    """The secrets of *system*."""
    name = f"tests.systems.{system.replace('-', '_')}.secrets"
    try:
        module: Any = import_module(name)
    except ModuleNotFoundError:
        where = name.replace(".", "/")
        raise ModuleNotFoundError(f"the system {system} is installed, and its tests want {where}.py") from None
    return cast(Plug, module)


class Odds(Protocol):
    """`odds` beside the secrets: attacks of one system."""

    def examples(self) -> Iterator[Attack]:
        """One attack of each kind at least, by what its writer knows."""
        ...

    def tries(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines by which *role* might attack, made of what it knows alone."""
        ...


def odds_of(system: str) -> Odds:
    """The attacks of *system*."""
    module: Any = import_module(f"tests.systems.{system.replace('-', '_')}.odds")
    return cast(Odds, module)


LINES = 80
"""The longest sheet that is played."""


def sheet(game: Game, role: Role, plugged: Plug, random: Random) -> str:
    """A sheet such as a player might send: a good part of what is likely, in any order."""
    lines = list(plugged.likely(game, role))
    most = min(len(lines), LINES)
    return "\n".join(random.sample(lines, random.randint(most // 4, most)))


def autoplay(game: Game, plugged: Plug, random: Random, exchanges: int) -> Iterator[Pause]:
    """Play likely sheets for *exchanges* exchanges, or to the end; gives each pause played, halts too."""
    while not game.over and (exchanges or game.pause.moment.halt):
        pause = game.pause
        exchanges -= not pause.moment.halt
        game.play({call.role: sheet(game, call.role, plugged, random) for call in pause.calls})
        yield pause


SEAL = re.compile(rb"\b[0-9a-f]{16,64}\b")
"""A promise of something secret differs with the secret, and tells nothing of it."""


def known(game: Game, role: Role, probes: Sequence[str]) -> dict[str, bytes]:
    """Everything of *game* that reaches *role*, in bytes and without its seals.

    Its page, what it was told, its calls, complaints on whatever it might try, what that would come to, its mind.
    """
    page, pause = game.page(role), game.own_pause(role)
    call = pause.call(role)
    tried = lines_of("\n".join([*page.template, *probes]))
    mind = game.world.minds[role]

    def foretold() -> bytes:
        """What a receipt foretells of whatever he might attack, with the odds."""
        if call is None:
            return b""
        attacks = lines_of("\n".join(odds_of(game.system.name).tries(game, role)))
        items = game.system.read(game.scene, attacks, mind, role, call).items
        return msgspec.json.encode(list(game.system.forecast(game.scene, mind, role, items)))

    def complaints(asked: Call | None) -> bytes:
        reading = game.system.read(game.scene, tried, mind, role, asked)
        return msgspec.json.encode([[one.line for one in reading.items], reading.complaints])

    parts = {
        "page": msgspec.json.encode(page),
        "told": msgspec.json.encode(game.told[role]),
        "mind": msgspec.json.encode(mind, order="sorted"),
        "moment": msgspec.json.encode([pause.moment, pause.name, pause.steps]),
        "call": msgspec.json.encode(call),
        "complaints": complaints(call),
        "complaints on a sheet for later": complaints(None),
        "forecast": foretold(),
        "verdict": msgspec.json.encode(game.system.verdict(game.world.truth)),
    }
    return {name: SEAL.sub(b"a seal", part) for name, part in parts.items()}


def played(game: Game, secret: Secret, story: Sequence[Exchange]) -> Iterator[Game]:
    """The game after each ruling and each exchange of a story; halts of others than *blind* are played in silence."""
    for exchange in [*story, *[Exchange()] * secret.silence]:
        if exchange.rulings:
            reading = game.system.direct(game.scene, game.world, lines_of(exchange.rulings), {secret.owner: FULL})
            assert not reading.complaints, reading.complaints
            game.add(reading.items)
            yield game
        if game.over:
            return
        game.play(exchange.sheets)
        game.settle(secret.blind)
        yield game
