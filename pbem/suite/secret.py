"""What a system says of itself for the suite: what is likely to be ordered, and what a role must not be able to tell.

The package `suite` in the package of the system holds:

- `likely(game, role)`: order lines that *role* might well send now, legal for the greater part;
- `SECRETS`: pairs of games that differ only in what *blind* cannot see (`Secret`); none, where nothing is hidden;

and, if there is any need:

- `breaches(scene, before, fact, after)`: a sentence for each rule that a fact breaks, by the worlds before it and
  after, the rule's id first: what the ledger says that must always hold;
- `LARGE`: scenarios whose games are too long to be played to the end;
- `ELSEWHERE`: options of which no case can show that they matter, each with the test that does;
- `waiting(game)`: orders that will be answered later, each by role, moment and line;
- `tries(game, role)`: order lines by which *role* might attack, where the system tells chances.
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
from pbem.orders.sheet import lines_of
from pbem.suite.places import place_of
from pbem.suite.play import Game


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
    """What one system says of itself."""

    SECRETS: Sequence[Secret]

    def likely(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines that *role* might well send now."""
        ...


def plug(system: str) -> Plug:
    """What *system* says of itself.

    :raises ModuleNotFoundError: naming what is missing, if it says nothing.
    """
    name = place_of(system).module
    try:
        module: Any = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        why = f"the suite wants {name} of the system {system}: pbem.suite.secret says what"
        raise ModuleNotFoundError(why, name=name) from None
    return cast(Plug, module)


class Odds(Protocol):
    """Attacks of one system."""

    def tries(self, game: Game, role: Role) -> Sequence[str]:
        """Order lines by which *role* might attack, made of what it knows alone."""
        ...


def odds_of(system: str) -> Odds | None:
    """The attacks of *system*; None, if it tells no chances, or no attacks to try them by."""
    place = place_of(system)
    module: Any = import_module(place.odds or place.module)
    return cast(Odds, module) if hasattr(module, "tries") else None


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


def see_open_throws(game: Game, random: Random, exchanges: int) -> None:
    """Play likely orders, and see that every role is shown every throw of the open seed."""
    checked = set[str]()
    for pause in autoplay(game, plug(game.system.name), random, exchanges):
        opened = {throw for key, throw in game.thrown.items() if throw.seed == "open" and key not in checked}
        for role in game.roles if opened else ():
            page = game.page(role)
            notes = [note for told in (*page.happened, *page.ordered) for note in told.notes]
            missing = opened - {throw for note in notes for throw in note.dice}
            assert not missing, f"{game.scenario} {pause.moment}: {role} is not shown {missing}"
        checked |= game.thrown.keys()
    assert not game.shuffled


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
        attacking = odds_of(game.system.name)
        if call is None or attacking is None:
            return b""
        attacks = lines_of("\n".join(attacking.tries(game, role)))
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
