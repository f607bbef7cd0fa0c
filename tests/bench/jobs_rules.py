"""Rules: turns resolved, orders judged, lines parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

from pbem.orders.sheet import Line, lines_of
from pbem.rules.contract import apply
from pbem.systems.st_privat.world.language import GRAMMAR
from tests.bench.measure import Job, Pair
from tests.bench.offices import Stretch, card_turns, played, pulses, volleys
from tests.systems.play import Game

LINES = 1_000


@contextmanager
def adjudicate(_: Path) -> Iterator[Pair]:
    """Every exchange of a whole game resolved, and its facts applied to the truth and to what each side knows."""
    game, stretches = played()
    turns = len({stretch.pause.moment.turn for stretch in stretches})
    yield Pair(lambda: resolved(game, stretches), 1 / 50, turns)


@contextmanager
def pulse(_: Path) -> Iterator[Pair]:
    """The pulses of two turns of 1870 resolved, and their facts applied."""
    game, stretches = pulses()
    yield Pair(lambda: resolved(game, stretches), 1 / 5, len(stretches))


@contextmanager
def cards(_: Path) -> Iterator[Pair]:
    """The cards of four turns at the crossroads resolved, and their facts applied."""
    game, stretches = card_turns()
    yield Pair(lambda: resolved(game, stretches), 1, len(stretches))


@contextmanager
def alma(_: Path) -> Iterator[Pair]:
    """Three turns on the Alma resolved, and their facts applied."""
    game, stretches = volleys()
    yield Pair(lambda: resolved(game, stretches), 4, len(stretches))


def resolved(game: Game, stretches: Sequence[Stretch]) -> None:
    """Every stretch resolved, and its facts applied."""
    system = game.system
    for stretch in stretches:
        dice = game.dice(stretch.pause.moment)
        found = system.resolve(game.scene, stretch.world, stretch.orders, {}, dice, "pause")
        world = stretch.world
        for fact in found.facts:
            world = apply(system, world, fact)


@contextmanager
def judge(_: Path) -> Iterator[Pair]:
    """Every sheet of a whole game read and judged by what its side knows."""
    game, stretches = played()
    system = game.system

    def read() -> None:
        for stretch in stretches:
            for role, text in stretch.sheets.items():
                system.read(game.scene, lines_of(text), stretch.world.minds[role], role, stretch.pause.call(role))

    yield Pair(read, 1 / 3_000, sum(len(lines_of(text)) for one in stretches for text in one.sheets.values()))


@contextmanager
def parse(_: Path) -> Iterator[Pair]:
    """Lines parsed, no two alike."""
    said = dict.fromkeys(
        line for stretch in played()[1] for text in stretch.sheets.values() for line in text.split("\n")
    )
    lines = [Line(number, text) for number, text in enumerate(islice(cycle(said), LINES), start=1)]
    yield Pair(lambda: GRAMMAR.read(lines), 1 / 11_000, LINES)


JOBS = (
    Job(
        name="adjudicate",
        what="a turn of the graveyard resolved, both sides ordered",
        base="limit",
        target=1,
        aim="aimed at: 500 turns/s",
        prepare=adjudicate,
        rounds=5,
        rate="turns",
    ),
    Job(
        name="pulse",
        what="a pulse of 1870 resolved, full programmes on both sides",
        base="limit",
        target=1,
        aim="aimed at: 10 pulses/s",
        prepare=pulse,
        rounds=5,
        rate="pulses",
    ),
    Job(
        name="cards",
        what="a turn at the crossroads resolved, every unit ordered",
        base="limit",
        target=1,
        aim="aimed at: 2 turns/s",
        prepare=cards,
        rounds=5,
        rate="turns",
    ),
    Job(
        name="alma",
        what="a turn on the Alma resolved, every unit ordered",
        base="limit",
        target=1,
        aim="aimed at: 1 turn/s",
        prepare=alma,
        rounds=3,
        rate="turns",
    ),
    Job(
        name="judge",
        what="an order line read and judged",
        base="limit",
        target=1,
        aim="aimed at: 20,000 orders/s",
        prepare=judge,
        rounds=5,
        rate="orders",
    ),
    Job(
        name="parse",
        what="an order line parsed",
        base="limit",
        target=1,
        prepare=parse,
        rounds=9,
        rate="lines",
    ),
)
