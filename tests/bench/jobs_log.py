"""The log: appended to, read, checked, and as fast when it is long."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pbem.kernel.event import Event
from pbem.kernel.names import CampaignId, Moment
from pbem.resources import resources
from pbem.rules import registry
from pbem.storage import migrate
from pbem.storage.codec import Codec
from pbem.storage.database import Engine, open_office, reading, transaction
from pbem.storage.log import SqlLog
from pbem.systems.st_privat.world.outcomes import UnitMoved
from tests.bench.baselines import RawLog
from tests.bench.measure import Job, Pair
from tests.bench.offices import SYSTEM, facts

NOW = 1_700_000_000_000_000
AUTUMN = CampaignId("autumn")
TURN = 1_000
"""Events of a large turn."""
CAMPAIGN = 4_000
"""Events that are replayed."""
SHORT, LONG = 1_000, 1_000_000
"""Events of a short and of a long log."""
TAIL = 50
"""Events at the end of a log that are read."""


class Ours:
    """A log of the office, with all its guards."""

    def __init__(self, folder: Path, url: str = "") -> None:
        url = url or f"sqlite:///{folder / 'office.sqlite'}"
        migrate.upgrade(url, resources("migrations"))
        self.engine: Engine = open_office(url, folder)
        self.codec = Codec(registry.load(SYSTEM).facts)
        self.ends: dict[CampaignId, int] = {}

    def append(self, events: Sequence[Event], campaign: CampaignId = AUTUMN) -> None:
        """Append events in one transaction."""
        moment = Moment(1)
        with transaction(self.engine) as connection:
            self.ends[campaign] = SqlLog(connection, self.codec).append(
                campaign, [(moment, one) for one in events], expecting=self.ends.get(campaign, 0), at=NOW, actor="gm"
            )

    def replay(self, after: int = 0) -> None:
        """Read the events after one, each as its class."""
        with reading(self.engine) as connection:
            for _ in SqlLog(connection, self.codec).read(AUTUMN, after=after):
                pass

    def check(self) -> None:
        """Compute every hash anew."""
        with reading(self.engine) as connection:
            SqlLog(connection, self.codec).check_chain(AUTUMN)

    def tail(self) -> None:
        """Read the last events."""
        self.replay(self.ends[AUTUMN] - TAIL)


@contextmanager
def ours(folder: Path) -> Iterator[Ours]:
    """A log in a folder."""
    folder.mkdir()
    log = Ours(folder)
    yield log
    log.engine.dispose()


@contextmanager
def append_one(folder: Path) -> Iterator[Pair]:
    """One event a transaction."""
    raw, some = RawLog(folder / "raw.sqlite"), facts(1)
    with ours(folder / "ours") as log:
        log.append(some)
        yield Pair(lambda: log.append(some), lambda: raw.append(some))


@contextmanager
def append_turn(folder: Path) -> Iterator[Pair]:
    """The events of a turn in one transaction."""
    raw, turn = RawLog(folder / "raw.sqlite"), facts(TURN)
    with ours(folder / "ours") as log:
        log.append(turn)
        yield Pair(lambda: log.append(turn), lambda: raw.append(turn))


def of_one_kind() -> list[Event]:
    """Facts of one class, as a game has them."""
    moved = [one for one in facts(CAMPAIGN) if isinstance(one, UnitMoved)]
    return [moved[number % len(moved)] for number in range(CAMPAIGN)]


def drained(events: Iterator[Event]) -> None:
    """Read to the end."""
    for _ in events:
        pass


@contextmanager
def replay(folder: Path) -> Iterator[Pair]:
    """A log read, each event as its class."""
    raw, events = RawLog(folder / "raw.sqlite"), of_one_kind()
    raw.append(events)
    with ours(folder / "ours") as log:
        log.append(events)
        yield Pair(log.replay, lambda: drained(raw.replay(UnitMoved)))


@contextmanager
def replay_checked(folder: Path) -> Iterator[Pair]:
    """A log read and its chain computed anew."""
    raw, events = RawLog(folder / "raw.sqlite"), of_one_kind()
    raw.append(events)

    def both() -> None:
        log.check()
        log.replay()

    with ours(folder / "ours") as log:
        log.append(events)
        yield Pair(both, lambda: drained(raw.replay(UnitMoved)))


def filled(log: Ours, count: int, campaigns: int = 1) -> None:
    """Let there be so many events, in one campaign or, each as long as the others, in several."""
    batch = facts(SHORT)
    for number in range(campaigns):
        campaign = CampaignId(f"c{number}") if number else AUTUMN
        for _ in range(count // campaigns // SHORT):
            log.append(batch, campaign)


@cache
def long_log(campaigns: int) -> Ours:
    """A long log, of one campaign or of many; made once, gone with the process."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-bench-long-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    log = Ours(folder)
    filled(log, LONG, campaigns)
    return log


@contextmanager
def long_append(folder: Path) -> Iterator[Pair]:
    """One event at the end of a long log, and of a short one."""
    some, long = facts(1), long_log(1)
    with ours(folder / "short") as short:
        filled(short, SHORT)
        yield Pair(lambda: long.append(some), lambda: short.append(some))


@contextmanager
def long_tail(folder: Path) -> Iterator[Pair]:
    """The last events of a long log, and of a short one."""
    long = long_log(1)
    with ours(folder / "short") as short:
        filled(short, SHORT)
        yield Pair(long.tail, short.tail)


@contextmanager
def long_history(folder: Path) -> Iterator[Pair]:
    """The whole history of one campaign among a thousand, and of one alone."""
    long = long_log(LONG // SHORT)
    with ours(folder / "short") as short:
        filled(short, SHORT)
        yield Pair(long.replay, short.replay)


JOBS = (
    Job(
        name="append",
        what="one event appended, all guards",
        base="raw sqlite3 insert and commit",
        target=1.3,
        prepare=append_one,
        rounds=300,
    ),
    Job(
        name="turn",
        what=f"a turn of {TURN:,} events appended, all guards",
        base="raw sqlite3 executemany and commit",
        target=2.2,
        prepare=append_turn,
        rounds=15,
    ),
    Job(
        name="replay",
        what=f"{CAMPAIGN:,} events replayed, typed",
        base="raw sqlite3 and one msgspec decoder",
        target=2,
        prepare=replay,
        rounds=15,
    ),
    Job(
        name="replay-chain",
        what=f"{CAMPAIGN:,} events replayed, chain checked",
        base="raw sqlite3 and one msgspec decoder",
        target=3,
        prepare=replay_checked,
        rounds=15,
    ),
    Job(
        name="long-append",
        what=f"one event appended to {LONG:,}",
        base=f"to {SHORT:,}",
        target=1,
        prepare=long_append,
        rounds=200,
    ),
    Job(
        name="long-tail",
        what=f"the last {TAIL} of {LONG:,} events read",
        base=f"of {SHORT:,}",
        target=1,
        prepare=long_tail,
        rounds=200,
    ),
    Job(
        name="long-history",
        what=f"a campaign of {SHORT:,} events read among {LONG // SHORT}",
        base="alone",
        target=1,
        prepare=long_history,
        rounds=20,
    ),
)
