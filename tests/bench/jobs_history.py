"""A game looked back on: cut into beats for the first time, and leafed through when it is long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.desk.books.dossiers import load, log_of
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.desk.worlds import worlds
from pbem.kernel.event import Event
from pbem.kernel.names import Moment
from pbem.rules.reel import TRUTH
from tests.bench.measure import Job, Pair
from tests.bench.offices import begun, facts, hall, played
from tests.kit.terminal import Terminal
from tests.systems import reels

CAMPAIGN = "autumn"
LONG = 100_000
"""Events of a campaign that is leafed through."""
TURN = 250
"""Facts of each of its turns."""


@contextmanager
def cold(_: Path) -> Iterator[Pair]:
    """A battle as all see it, nothing of it kept."""
    game, _played = played()
    yield Pair(lambda: reels.reel_of(game, [TRUTH, *game.roles]), 3.0)


@contextmanager
def leafed(folder: Path) -> Iterator[Pair]:
    """What befell one unit in one phase of a long campaign, asked for by command."""
    with hall(folder) as office:
        begun(office, CAMPAIGN)
        _grown(office)
        reel_of(office, CAMPAIGN)

    words = ("--office", str(folder / "office"), "history", "log", CAMPAIGN, "--unit", "f1", "--phase", "rifle")
    yield Pair(lambda: Terminal().does(*words), 1.0)


def _grown(office: Office) -> None:
    """Let the facts of a battle come to pass again and again, and the world be kept as it is in play."""
    battle = facts(LONG)
    for turn in range(1, LONG // TURN + 1):
        events: list[tuple[Moment, Event]] = [
            (Moment(turn, 1), battle[(turn * TURN + number) % len(battle)]) for number in range(TURN)
        ]
        with office.write() as connection:
            dossier = load(office, connection, CAMPAIGN)
            log_of(office, connection, dossier.system).append(
                dossier.id, events, expecting=dossier.seq, at=office.now(), actor="gm"
            )
    with office.read() as connection:
        dossier = load(office, connection, CAMPAIGN)
        before = dossier.upto(dossier.seq - TURN)
        world = worlds.world_at(office, connection, before)
    with office.write() as connection:
        worlds.keep_snapshot(office, connection, before, worlds.packed(world))


JOBS = (
    Job(
        name="reel",
        what="a battle of St. Privat to its end cut into beats, three pairs of eyes, nothing kept",
        base="limit",
        target=1,
        prepare=cold,
        rounds=3,
    ),
    Job(
        name="history-log",
        what=f"one unit in one phase of a campaign of {LONG:,} events, by what is kept",
        base="limit",
        target=1,
        prepare=leafed,
        rounds=5,
    ),
)
