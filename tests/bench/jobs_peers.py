"""Beside other people's programs, where pip has them: `make bench ARGS=--peers`.

`eventsourcing` keeps a log of events in SQLite as we do; `diplomacy` is an engine for a game by mail.  Neither does all
that the office does (no chain of hashes, no triggers; no ground, no fog): they are what a reader of this field knows.

    .venv/bin/pip install eventsourcing diplomacy
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from tests.bench.jobs_log import CAMPAIGN, of_one_kind, ours
from tests.bench.jobs_rules import adjudicate
from tests.bench.measure import Job, Pair
from tests.bench.offices import LUCK, facts

_ORDER = "march s12 3 columns to H7, then face NW"


@cache
def campaign_class() -> Any:
    """A campaign, each change of which is an event."""
    domain: Any = import_module("eventsourcing.domain")

    def order(self: Any, text: str) -> None:
        self.last = text

    return type("Campaign", (domain.Aggregate,), {"order": domain.event("Ordered")(order), "__module__": __name__})


class Peer:
    """A campaign of `eventsourcing`, each change of which is an event in a file."""

    def __init__(self, path: Path) -> None:
        application = import_module("eventsourcing.application")
        self._app = application.Application(
            env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
        )
        self._campaign = campaign_class()()
        self._app.save(self._campaign)

    def append(self, count: int = 1) -> None:
        """Let so many events come to pass, and save them in one transaction."""
        for _ in range(count):
            self._campaign.order(_ORDER)
        self._app.save(self._campaign)

    def replay(self) -> None:
        """Make the campaign from all its events."""
        self._app.repository.get(self._campaign.id)


@contextmanager
def append(folder: Path) -> Iterator[Pair]:
    """One event a transaction."""
    peer, some = Peer(folder / "peer.sqlite"), facts(1)
    with ours(folder / "ours") as log:
        log.append(some)
        yield Pair(lambda: log.append(some), peer.append)


@contextmanager
def replay(folder: Path) -> Iterator[Pair]:
    """All events of a log, each as its class."""
    peer = Peer(folder / "peer.sqlite")
    peer.append(CAMPAIGN)
    with ours(folder / "ours") as log:
        log.append(of_one_kind())
        yield Pair(log.replay, peer.replay)


@contextmanager
def turn(folder: Path) -> Iterator[Pair]:
    """A turn with an order for everybody: of the graveyard, and of Diplomacy from 1901 on."""
    diplomacy, random = import_module("diplomacy"), Random(LUCK)
    with adjudicate(folder) as pair:
        game = diplomacy.Game()
        phases = []
        for _ in range(pair.count):
            possible = game.get_all_possible_orders()
            places = {power: game.get_orderable_locations(power) for power in game.powers}
            phases.append(
                {power: [random.choice(possible[at]) for at in of if possible[at]] for power, of in places.items()}
            )
            processed(game, phases[-1])

        def theirs() -> None:
            game = diplomacy.Game()
            for orders in phases:
                processed(game, orders)

        yield Pair(pair.ours, theirs, pair.count)


def processed(game: Any, orders: Mapping[str, list[str]]) -> None:
    """Order everybody, and go on to the next phase."""
    for power, of in orders.items():
        game.set_orders(power, of)
    game.process()


JOBS = (
    Job(
        name="peer-append",
        what="one event appended, all guards",
        base="an aggregate of eventsourcing saved with one",
        target=1,
        prepare=append,
        rounds=100,
    ),
    Job(
        name="peer-replay",
        what=f"{CAMPAIGN:,} events replayed, typed",
        base="an aggregate of eventsourcing made of as many",
        target=1,
        prepare=replay,
    ),
    Job(
        name="peer-turn",
        what="a turn of the graveyard resolved, both sides ordered",
        base="a phase of Diplomacy processed by diplomacy",
        target=5,
        prepare=turn,
    ),
)
