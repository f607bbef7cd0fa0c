"""Offices to measure in: on a real disk, with a clock that stands still, and St. Privat to play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.intake.receive import receive
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.event import Outcome
from pbem.kernel.names import Role
from pbem.kernel.owed import Pause
from pbem.kernel.terms import Terms
from pbem.rules import registry
from pbem.rules.contract import World
from tests.kit.table import SETTINGS, Chance, Clock
from tests.systems.play import Game
from tests.systems.secret import plug

SYSTEM, SCENARIO = "st-privat", "graveyard"
LUCK = "bench"
ROLES = (Role("french"), Role("prussian"))


@contextmanager
def hall(folder: Path) -> Iterator[Office]:
    """A new office."""
    chance = Chance()
    make_office(folder / "office", f"{SETTINGS}[trust]\nanswers = 1000\n", chance=chance)
    with open_office(folder / "office", now=Clock(), chance=chance) as office:
        yield office


def address(campaign: str, role: str) -> str:
    """Who writes for a role."""
    return f"{role}@{campaign}.example"


def begun(office: Office, campaign: str, terms: Terms | None = None) -> Dossier:
    """A campaign of the graveyard, started, with a player for each role."""
    scenario = find_scenario(office.folder, f"{SYSTEM}/{SCENARIO}")
    enrol.new(office, campaign, scenario, terms or Terms(trust="address"))
    for role in ROLES:
        enrol.add_player(office, campaign, role, name=role.title(), address=address(campaign, role))
    return enrol.start(office, campaign)


def play_on(office: Office, campaign: str, stretch: Stretch) -> None:
    """Take the sheets of one exchange in, resolve it, and make it known."""
    for role, text in stretch.sheets.items():
        mark = f"{campaign}.{stretch.pause.moment}.{role}"
        found = receive(office, letter(campaign, role, text, mark), way="pipe")
        assert found.state in ("applied", "refused"), found
    adjudicate.run(office, campaign, early=True)
    publish.release(office, campaign)


def letter(campaign: str, role: str, text: str, mark: str) -> bytes:
    """A letter of a role as it comes from the mail server."""
    lines = (
        f"From: {role.title()} <{address(campaign, role)}>",
        "To: office@office.example",
        f"Subject: Re: [{campaign}] orders",
        f"Message-ID: <{mark}@player.example>",
        'Content-Type: text/plain; charset="utf-8"',
        "",
        text,
        "",
    )
    return "\n".join(lines).encode()


def dossier(office: Office, campaign: str) -> Dossier:
    """A campaign as it stands."""
    with office.read() as connection:
        return load(office, connection, campaign)


class Stretch(NamedTuple):
    """One exchange of a game: where it began, and what was ordered."""

    world: World[Any, Any]
    pause: Pause
    sheets: Mapping[Role, str]
    orders: Mapping[Role, Sequence[Any]]


@cache
def played(luck: str = LUCK) -> tuple[Game, tuple[Stretch, ...]]:
    """A game to its end, nearly every stack and gun being ordered every turn; nobody may change it."""
    game, random = Game(registry.load(SYSTEM), SCENARIO, luck=luck), Random(luck)
    stretches = []
    while not game.over:
        world, pause = game.world, game.pause
        sheets = {call.role: "\n".join(one_each(game, call.role, random)) for call in pause.calls}
        orders = {role: game.read(role, text)[0] for role, text in sheets.items()}
        stretches.append(Stretch(world, pause, sheets, orders))
        game.resolve(orders)
    return game, tuple(stretches)


@cache
def pulses(count: int = 4) -> tuple[Game, tuple[Stretch, ...]]:
    """The first pulses of the historic game of 1870, with full programmes on both sides; nobody may change it."""
    game = Game(registry.load("empire-1870"), "france-1870", luck=LUCK)
    stretches: list[Stretch] = []
    commanders = plug("empire-1870")
    while len(stretches) < count:
        world, pause = game.world, game.pause
        sheets = {call.role: "\n".join(commanders.likely(game, call.role)) for call in pause.calls}
        orders = {role: game.read(role, text)[0] for role, text in sheets.items()}
        if pause.moment.turn:
            stretches.append(Stretch(world, pause, sheets, orders))
        game.resolve(orders)
    return game, tuple(stretches)


@cache
def card_turns(count: int = 4) -> tuple[Game, tuple[Stretch, ...]]:
    """The first turns at La Folie, every unit being ordered on both sides; nobody may change it."""
    return _turns("crossroads", "la-folie", count)


@cache
def volleys(count: int = 3) -> tuple[Game, tuple[Stretch, ...]]:
    """The first turns on the Alma, every unit being ordered on both sides; nobody may change it."""
    return _turns("half-league", "kourgane", count)


def _turns(system: str, scenario: str, count: int) -> tuple[Game, tuple[Stretch, ...]]:
    game = Game(registry.load(system), scenario, luck=LUCK)
    stretches: list[Stretch] = []
    commanders = plug(system)
    while len(stretches) < count:
        world, pause = game.world, game.pause
        sheets = {call.role: "\n".join(commanders.likely(game, call.role)) for call in pause.calls}
        orders = {role: game.read(role, text)[0] for role, text in sheets.items()}
        stretches.append(Stretch(world, pause, sheets, orders))
        game.resolve(orders)
    return game, tuple(stretches)


@cache
def runs(count: int = 2) -> tuple[Game, tuple[Stretch, ...]]:
    """The first stretches of the large battle of 1824, every commander ordering at each; nobody may change it."""
    game, random = Game(registry.load("kriegsspiel"), "weldau", luck=LUCK), Random(LUCK)
    stretches: list[Stretch] = []
    commanders = plug("kriegsspiel")
    while len(stretches) < count:
        world, pause = game.world, game.pause
        sheets = {
            call.role: "\n".join(random.sample(lines := list(commanders.likely(game, call.role)), min(len(lines), 40)))
            for call in pause.calls
        }
        orders = {role: game.read(role, text)[0] for role, text in sheets.items()}
        if pause.moment.turn and not pause.moment.halt:
            stretches.append(Stretch(world, pause, sheets, orders))
        game.resolve(orders)
    return game, tuple(stretches)


def one_each(game: Game, role: Role, random: Random) -> list[str]:
    """Order lines of a role, one for each stack or piece that it can name; of set-up all."""
    likely = list(plug(SYSTEM).likely(game, role))
    if game.pause.moment.turn == 0:
        return likely
    random.shuffle(likely)
    return list({" ".join(line.split()[1:2]): line for line in likely}.values())


def facts(count: int) -> Sequence[Outcome]:
    """So many facts as a game has them, from the first again when they run out."""
    found = played()[0].facts
    return [found[number % len(found)] for number in range(count)]
