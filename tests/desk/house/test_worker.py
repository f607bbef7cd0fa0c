"""Workers, each a process: they are woken, do what is due, and what one that dies was at another does."""

from __future__ import annotations

import json
import os
import signal
import smtplib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from pbem.desk.house import duty, work, worker
from pbem.desk.office.office import HOUR, SECOND, Office, open_office
from pbem.desk.proof.verify import verify
from pbem.desk.ways import arrivals
from pbem.kernel.errors import Refused
from pbem.storage import heartbeat, letters
from tests.kit.club import Club, club
from tests.kit.server import Server, program
from tests.kit.server import server as begun
from tests.kit.table import START, Clock, Table
from tests.systems.play import SIXTH

DEADLINE = START + 72 * HOUR
SOON = 60.0  # seconds after which a test gives up


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One that no other test has anything of: it is ended while it is worked with."""
    if program("initdb") is None:
        pytest.skip("needs a PostgreSQL server, which this machine does not have")
    with begun() as found:
        yield found


@pytest.fixture
def there(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """An office in which `ford` has begun; it releases by itself."""
    monkeypatch.syspath_prepend(str(SIXTH))
    monkeypatch.setattr(worker, "ALIVE", 1.0)
    monkeypatch.setenv("PBEM_ALIVE", "1")
    with club(server, tmp_path / "office", at=START, more="[clock]\ntick = 1\naway = 1440\n") as there:
        with open_office(there.folder) as office:
            Table(office, Clock()).open(release="auto", delay=0, nmr="standing")
        yield there


@contextmanager
def at_work(there: Club, *, turns: int = 1) -> Iterator[list[str]]:
    """Workers, until the block ends; gives what is said of them."""
    said: list[str] = []
    with worker.crew(there.folder, worker.QUEUES, turns=turns, say=said.append):
        yield said


def until(look: Callable[[], object]) -> None:
    """Wait until *look* gives something."""
    end = time.monotonic() + SOON
    while not look():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


def kinds(there: Club) -> list[str]:
    with open_office(there.folder) as office:
        return Table(office, Clock()).kinds


def test_a_letter_wakes_one_who_answers_it_and_a_deadline_one_who_works_the_turn_out(there: Club) -> None:
    with open_office(there.folder) as office, at_work(there):
        table = Table(office, Clock())
        letter = arrivals.keep(office, table.letter("smuggler", "move s1 to 3"), way="lmtp")
        until(lambda: [mail for mail in table.mails if mail.kind == "receipt"])
        with office.read() as connection:
            assert letters.get(connection, letter.id).state == "applied"

    there.set_clock(DEADLINE + SECOND)
    with open_office(there.folder) as office, at_work(there):
        table = Table(office, Clock())
        until(lambda: "exchange_released" in table.kinds)
        until(lambda: len([mail for mail in table.mails if mail.kind == "report"]) == 2)
        assert verify(office, "ford").sound
    assert kinds(there).count("exchange_resolved") == 1


def test_nobody_is_woken_for_a_turn_by_orders_that_wait_for_their_hour(there: Club) -> None:
    for at, order, woken in ((START + HOUR, "watch g1 4", False), (DEADLINE + SECOND, "watch g1 5", True)):
        there.set_clock(at)
        there.forget_jobs()
        with open_office(there.folder) as office:
            assert Table(office, Clock()).write("guard", order).state == "applied"

        assert ("turn" in there.jobs()) == woken


def test_what_a_killed_worker_was_at_another_does(there: Club) -> None:
    with open_office(there.folder) as office:
        Table(office, Clock()).write("smuggler", "move s1 to 3")
    there.set_clock(DEADLINE + SECOND)
    with psycopg.connect(there.url, autocommit=True) as connection:
        # As one leaves it who was killed in the middle of a turn, a minute ago.
        [dead] = connection.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute') RETURNING id"
        ).fetchone() or [0]
        # He was at the turn, and had the look at the clock begun too.
        for queue, task, what, args in (("turns", "turn", "turn/ford", {"of": "ford"}), ("clock", "tick", "tick", {})):
            connection.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status, worker_id)"
                " VALUES (%s, %s, %s, %s, %s, 'doing', %s)",
                (queue, task, what, what, json.dumps(args), dead),
            )
    with at_work(there):
        until(lambda: "exchange_released" in kinds(there))
        until(lambda: seen_at(there) > DEADLINE + 3 * SECOND)
    assert kinds(there).count("exchange_resolved") == 1


def test_who_was_taken_to_be_dead_goes_on_and_says_nothing_of_it(
    there: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What he was at was done by another, and is struck off, before he comes to strike it off himself."""
    done: list[str] = []

    def done_by_another(office: Office, of: str, stop: threading.Event, say: work.Say) -> None:
        with psycopg.connect(there.url, autocommit=True) as connection:
            connection.execute("DELETE FROM procrastinate_jobs WHERE task_name = 'hooks'")
        done.append(of)

    monkeypatch.setattr(worker, "WORK", {**work.WORK, "hooks": done_by_another})
    stop, said = threading.Event(), list[str]()
    with open_office(there.folder) as office:
        working = threading.Thread(target=worker.work, args=(office, ("post",), stop, said.append))
        working.start()
        try:
            for count in (1, 2):
                with office.write() as connection:
                    connection.wake("hooks")
                until(lambda: len(done) >= count)  # noqa: B023 – asked here and now
        finally:
            stop.set()
            working.join(SOON)

    assert (len(done), said) == (2, [])
    assert not [one for one in caplog.records if one.name == "asyncio"]


def seen_at(there: Club) -> int:
    """When the clock was looked at last."""
    with open_office(there.folder) as office, office.read() as connection:
        seen = heartbeat.last(connection)
    return seen.seen_at if seen else 0


def test_a_worker_that_is_lost_is_begun_again(there: Club) -> None:
    with open_office(there.folder) as office, at_work(there) as said:
        table = Table(office, Clock())
        arrivals.keep(office, table.letter("smuggler", "move s1 to 3"), way="lmtp")
        until(lambda: table.mails and len(children()) == 3)
        for child in children():
            os.kill(child, signal.SIGKILL)
        until(lambda: len([one for one in said if "was lost (-9): it is begun again" in one]) == 3)

        before = len(table.mails)
        arrivals.keep(office, table.letter("smuggler", "move s2 to 4"), way="lmtp")
        until(lambda: len(table.mails) > before)


def test_who_works_turns_out_gives_way_to_who_answers_letters(there: Club) -> None:
    with at_work(there):
        until(lambda: [os.sched_getscheduler(one) for one in children()].count(os.SCHED_BATCH) == 1)
        assert len(children()) > 2


def test_what_brings_down_one_worker_after_the_other_is_left_and_the_gm_is_told(there: Club) -> None:
    there.set_clock(DEADLINE + SECOND)
    with open_office(there.folder) as office:
        worker._given_up(office, lambda what: None, "turn", "ford")
        [told] = [mail for mail in Table(office, Clock()).mails if mail.player is None]
        assert told.subject == "[ford] the clock is stuck"
        # It is left alone until something is written of it, or an hour has passed.
        there.forget_jobs()
        work.WORK["tick"](office, "", threading.Event(), lambda what: None)
    assert "turn" not in there.jobs()


def test_while_the_server_is_away_workers_wait_for_it(there: Club, server: Server) -> None:
    with at_work(there) as said:
        until(lambda: there.jobs().get("tick"))
        server.stop("immediate")
        time.sleep(1)
        server.start()
        with open_office(there.folder) as office:
            table = Table(office, Clock())
            arrivals.keep(office, table.letter("smuggler", "move s1 to 3"), way="lmtp")
            until(lambda: [mail for mail in table.mails if mail.kind == "receipt"])
    assert said == [], "none was lost"


def test_letters_that_come_while_the_server_is_away_are_kept_when_it_is_back(there: Club, server: Server) -> None:
    with (there.folder / "pbem.toml").open("a") as settings:
        settings.write('[listen]\nlmtp = "127.0.0.1:0"\n')
    stop, said = threading.Event(), list[str]()
    with open_office(there.folder) as office:
        table = Table(office, Clock())
        on_duty = threading.Thread(target=duty.attend, args=(office, stop, said.append))
        on_duty.start()
        try:
            until(lambda: any("lmtp on port" in one for one in said))
            port = int(said[0].partition("lmtp on port ")[2].partition(";")[0])
            server.stop("immediate")
            with smtplib.LMTP("127.0.0.1", port) as line:
                for _ in range(3):
                    line.sendmail("a@player.example", ["office@office.example"], table.letter("smuggler", "status"))
            until(lambda: any("could not be kept, and lie" in one for one in said))
            time.sleep(2)
            server.start()
            until(lambda: len(table.mails) > 2)
        finally:
            stop.set()
            on_duty.join()
    assert len([one for one in said if "could not be kept" in one]) == 1
    assert len([one for one in said if "are kept" in one]) == 1


@pytest.mark.sqlite
def test_an_office_in_a_file_has_no_workers(tmp_path: Path) -> None:
    from pbem.desk.office.office import make_office
    from tests.kit.table import SETTINGS

    make_office(tmp_path / "office", SETTINGS)
    with open_office(tmp_path / "office") as office, pytest.raises(Refused, match="kept by pbem run alone"):
        worker.work(office, worker.QUEUES, threading.Event(), lambda what: None)


def children() -> list[int]:
    """The processes that this one has begun and that work."""
    import multiprocessing

    return [one.pid for one in multiprocessing.active_children() if one.pid]
