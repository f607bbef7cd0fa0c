"""Workers are killed, and their server, while letters come and turns run: nothing is lost, and nothing done twice.

Two machines, of which the clocks are ten minutes apart: what is due is due by the server's.
"""

from __future__ import annotations

import os
import signal
import smtplib
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.desk.books.dossiers import load
from pbem.desk.office.office import Office, open_office
from pbem.desk.post.post import report_cause
from pbem.desk.proof.verify import verify
from pbem.kernel.names import CampaignId
from pbem.storage.database import Connection
from tests.kit.server import Server, server
from tests.soak import club
from tests.soak.club import DUE, PBEM, Sink, Writes
from tests.soak.games import Fault

SERVER_DIES = 3

_SKEWED = (
    "import time; a, b = time.time, time.time_ns;"
    f" time.time = lambda: a() + 600; time.time_ns = lambda: b() + 600 * 10**9; {PBEM}"
)
"""A machine whose clock is ten minutes before."""

_BETWEEN = 0.25  # seconds between two letters
_AWAY = 5  # of how many parts of the time the server is away for one, the last time that it dies
_CATCH_UP = 300.0  # seconds for what is left when the killing is over


class Tally(NamedTuple):
    """What came of it."""

    games: int
    letters: int
    killed: int
    servers: int
    mails: int
    doubled: int

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.letters} letters, {self.killed} workers killed, the server {self.servers}"
            " times: none lost, no turn twice, every chain whole;"
            f" of {self.mails} mails {self.doubled} left twice, under the same id"
        )


def killed(folder: Path, *, games: int, minutes: float, random: Random) -> Tally:
    """Kill for so many minutes; the turns are due in the middle of it."""
    with server(()) as there:
        url, writers = club.in_postgres(there, folder / "like", games)
        office = _Machines(there, folder / "office", url, folder / "like")
        sink = Sink()
        with club.mail_server(sink) as port, (office.folder / "pbem.toml").open("a") as settings:
            settings.write(f'[smtp]\nhost = "127.0.0.1"\nport = {port}\n')
            settings.flush()
            office.start(DUE - round((minutes * 30 + 5) * club.SECOND))
            try:
                return _through(office, there, writers, sink, minutes * 60, random)
            finally:
                office.end()


class _Machines(club.Kept):
    """`pbem run` on one machine, and a worker on another whose clock is ten minutes before."""

    def __init__(self, there: Server, folder: Path, template: str, like: Path) -> None:
        super().__init__(there, folder, template, like, 2)

    def start(self, began: int) -> None:
        self.club.set_clock(began)
        quick = {"PBEM_ALIVE": "1"}
        self.begin(["-c", PBEM, "run"], **quick)
        self.begin(["-c", _SKEWED, "worker"], **quick)


def _through(
    office: _Machines, there: Server, writers: Sequence[Writes], sink: Sink, seconds: float, random: Random
) -> Tally:
    door, over, count = office.port(), threading.Event(), [0, 0]

    def kill() -> None:
        dies = [seconds * (number + 1) / (SERVER_DIES + 1) for number in range(SERVER_DIES)]
        began = time.monotonic()
        while not over.wait(1.0):
            if dies and time.monotonic() - began > dies[0]:
                dies.pop(0)
                there.stop("immediate")
                time.sleep(random.uniform(0.5, 3) if dies else seconds / _AWAY)
                there.start()
                count[1] += 1
            elif children := _children(office.processes):
                with suppress(ProcessLookupError):
                    os.kill(random.choice(children), signal.SIGKILL)
                    count[0] += 1

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        sent = _letters(door, writers, seconds)
    finally:
        over.set()
        killer.join()
    _wait(office, writers, sink, sent)
    _sound(office.folder, {writer.campaign for writer in writers})
    doubled = sum(times - 1 for times in sink.ids.values())
    return Tally(len({one.campaign for one in writers}), len(sent), count[0], count[1], sink.mails, doubled)


def _letters(door: int, writers: Sequence[Writes], seconds: float) -> list[int]:
    """Bring letters; one that is not taken is brought again, as a mail server does."""
    sent, until = list[int](), time.monotonic() + seconds
    for number, writer in enumerate(cycle(writers), start=1):
        if time.monotonic() > until:
            break
        while True:
            try:
                with smtplib.LMTP("127.0.0.1", door, timeout=60) as line:
                    line.sendmail(writer.address, ["office@office.example"], writer.letter(number))
                break
            except (OSError, smtplib.SMTPException):
                time.sleep(0.5)
        sent.append(number)
        time.sleep(_BETWEEN)
    return sent


def _wait(office: _Machines, writers: Sequence[Writes], sink: Sink, sent: Sequence[int]) -> None:
    end, games = time.monotonic() + _CATCH_UP, len({writer.campaign for writer in writers})
    with open_office(office.folder, now=lambda: DUE) as there:
        while True:
            known, waits = club.left(there)
            lost = [number for number in sent if str(number) not in sink.answered]
            if known >= games and not waits and not lost:
                return
            if time.monotonic() > end:
                raise Fault(
                    f"{known} of {games} turns, {waits} things wait, not answered: {lost[:9]}: {office.said[-20:]}"
                )
            time.sleep(1)


_RUNS = """\
SELECT campaign, turn, exchange, count(*) FROM event WHERE kind = 'exchange_resolved'
GROUP BY campaign, turn, exchange HAVING count(*) > 1"""


_REPORTS = "SELECT cause, state, answer FROM outbox WHERE campaign = :campaign"
_WRONG = (
    "SELECT (SELECT count(*) FROM owed) + (SELECT count(*) FROM outbox WHERE state = 'failed')"
    " + (SELECT count(*) FROM outbox WHERE player IS NULL AND subject LIKE '%could not be written%')"
)


def _sound(folder: Path, campaigns: set[str]) -> None:
    """See that every log is whole, no turn was resolved twice, and each report has left, once."""
    with open_office(folder, now=lambda: DUE) as office:
        with office.read() as connection:
            if twice := connection.execute(_RUNS).fetchall():
                raise Fault(f"resolved more than once: {twice}")
            for campaign in sorted(campaigns):
                mails = {cause: said for cause, *said in connection.execute(_REPORTS, {"campaign": campaign})}
                left = {cause: mails.get(cause, ["missing"]) for cause in _issued(office, connection, campaign)}
                if waits := {
                    cause: said for cause, said in left.items() if said[0] != "sent" and said[-1] != club.BEFORE
                }:
                    raise Fault(f"{campaign}: of the reports that were issued there have not left: {waits}")
            if connection.execute(_WRONG).scalar():
                raise Fault("a mail could not be written, or has failed")
        for campaign in sorted(campaigns):
            if fault := _fault(office, campaign):
                raise Fault(f"{campaign}: {fault}")


def _issued(office: Office, connection: Connection, campaign: str) -> set[str]:
    """For what the mails are sent that hold its reports."""
    told = load(office, connection, campaign).campaign.reports
    return {report_cause(one.moment, role, one.version) for role, reports in told.items() for one in reports}


def _fault(office: Office, campaign: str) -> str:
    found = verify(office, CampaignId(campaign))
    return "" if found.sound else "; ".join(row.what for row in found.rows)


def _children(processes: Sequence[object]) -> list[int]:
    """The workers that these processes have begun."""
    found = []
    for process in processes:
        pid = getattr(process, "pid", 0)
        with suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (thread / "children").read_text().split()]
    return [pid for pid in found if "spawn_main" in _command(pid)]


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    return ""
