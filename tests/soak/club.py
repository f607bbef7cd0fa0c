"""Sunday evening at a club: letters in the hour before, turns due at it, reports out.

    python -m tests.soak club --games 500 --letters 4000 --minutes 4

Once on one file with `pbem run`, and on PostgreSQL with `pbem run` and, beside it, as many workers more as make it so
many.  The hour before is pressed into minutes.  While turns are worked out somebody writes twice a second.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from email.parser import BytesHeaderParser
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec import Struct

from pbem.desk.books.dossiers import load
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.kernel.names import Role
from pbem.kernel.terms import Terms
from pbem.rules import registry
from tests.kit.club import Club
from tests.kit.server import Server, server
from tests.kit.table import SETTINGS, START
from tests.soak.games import Fault
from tests.systems.play import Game
from tests.systems.secret import plug

SCENARIOS = (
    *("st-privat/graveyard", "half-league/great-redoubt", "kriegsspiel/kreuzweg", "crossroads/golden-bremm"),
    *("empire-1870/woerth", "st-privat/ste-marie", "half-league/bulganak", "kriegsspiel/muehlrode"),
)
"""What is played, in turns; one of all is `HEAVY`."""

HEAVY = "kriegsspiel/weldau"

DUE = START + 72 * HOUR
BEFORE = "before"
"""Why the mails with which the games began are not sent."""
SECOND = 1_000_000

_LINES = 12  # of a sheet
_BETWEEN = 0.5  # seconds between two letters while turns are worked out
_LONGEST = 3_600.0  # seconds after which it is given up
_TOLD = 30.0  # seconds between two words on how far it is
_STANDS = 90.0  # seconds that an office has stood before the hour begins: nobody begins his workers in it
_QUIET = 5.0  # seconds without a mail, when nothing is owed


class Writes(NamedTuple):
    """Who writes, and what."""

    campaign: str
    role: str
    text: str

    def letter(self, number: int, text: str = "") -> bytes:
        """His letter of that *number*."""
        head = (
            f"From: {self.role.title()} <{self.address}>",
            "To: office@office.example",
            f"Subject: Re: [{self.campaign}] orders",
            f"Message-ID: <{number}@player.example>",
            'Content-Type: text/plain; charset="utf-8"',
        )
        return "\n".join((*head, "", text or self.text, "")).encode()

    @property
    def address(self) -> str:
        """Where he is written to."""
        return f"{self.role}@{self.campaign}.example"


class Evening(Struct, frozen=True):
    """How one went; seconds."""

    how: str
    letters: int
    receipts: tuple[float, float]
    """Until a receipt was there, in the hour before: half of them, and 99 of a hundred."""
    meanwhile: tuple[float, float]
    """The same while turns were worked out."""
    resolved: float
    """From the hour until the last turn was known."""
    reports: float
    """And until the last report had left."""
    mails: int
    processor: float
    """Of all processes but the server and who measures."""

    def row(self) -> str:
        """A row of the table."""
        (half, most), (half_then, most_then) = self.receipts, self.meanwhile
        return (
            f"| {self.how} | {self.letters:,} | {half:.2f} / {most:.2f} s | {half_then:.2f} / {most_then:.2f} s"
            f" | {self.resolved:.0f} s | {self.reports:.0f} s | {self.mails:,} | {self.processor:.0f} s |"
        )


HEAD = "| kept by | letters | receipt, p50 / p99 | while turns run | last turn | last report | mails | processor |"


class Sink:
    """A mail server that notes when what came, and what for."""

    def __init__(self) -> None:
        self.answered: dict[str, float] = {}
        """By the number of a letter, when its receipt was there."""
        self.mails, self.last = 0, 0.0
        self.ids: dict[str, int] = {}

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        now = time.monotonic()
        head = BytesHeaderParser().parsebytes(envelope.original_content or b"")
        self.mails, self.last = self.mails + 1, now
        self.ids[str(head["Message-ID"])] = self.ids.get(str(head["Message-ID"]), 0) + 1
        if found := re.match(r"<(\d+)@player\.example>", str(head["In-Reply-To"] or "")):
            self.answered.setdefault(found[1], now)
        return "250 taken"


def evening(folder: Path, *, games: int, letters: int, minutes: float, ways: Sequence[str] = ()) -> list[Evening]:
    """How it goes, each way: on one file, and on a server with one, two and four workers."""
    found = []
    with ExitStack() as about:
        wanted = ways or ("SQLite", "1", "2", "4")
        there = about.enter_context(server(())) if set(wanted) - {"SQLite"} else None
        template = in_postgres(there, folder / "club", games) if there else None
        for way in wanted:
            office: _Running
            if template and there and way != "SQLite":
                url, writers = template
                office = Kept(there, folder / f"club-{way}", url, folder / "club", int(way))
            else:
                writers = _made(folder / "file", "", games)
                office = _File(folder / "file")
            print(f"  {office.how}: begun", flush=True)
            one = _evening(office, writers, letters, minutes * 60)
            print(f"  {one.row()}", flush=True)
            found.append(one)
    return found


def table(evenings: Sequence[Evening]) -> str:
    """All of them, as a table of a page."""
    return "\n".join((HEAD, "|" + "---|" * HEAD.count(" |"), *(one.row() for one in evenings)))


# ------------------------------------------------------------------------------------------------- the office


def _sheets(scenario: str) -> dict[Role, str]:
    """What the roles of a scenario may order first."""
    system, name = scenario.split("/")
    game = Game(registry.load(system), name)
    roles = {call.role for call in game.pause.calls}
    plugged = plug(system)
    return {role: "\n".join(islice(plugged.likely(game, role), _LINES)) or "wait" for role in sorted(roles)}


def _made(folder: Path, database: str, games: int) -> list[Writes]:
    """An office of so many games that are due at the same hour; who writes to it."""
    make_office(
        folder, f'{SETTINGS}{database}[trust]\nanswers = 1000\n[listen]\nlmtp = "127.0.0.1:0"\n[clock]\ntick = 2\n'
    )
    sheets = {scenario: _sheets(scenario) for scenario in (*SCENARIOS, HEAVY)}
    writers = []
    terms = Terms(trust="address", release="auto", nmr="hold", delay=0)
    with open_office(folder, now=lambda: START, mails=True) as office:
        for number, scenario in enumerate(islice(cycle(SCENARIOS), games)):
            chosen = HEAVY if number == games // 2 else scenario
            campaign = f"game-{number:03}"
            enrol.new(office, campaign, find_scenario(folder, chosen), terms)
            with office.read() as connection:
                roles = load(office, connection, campaign).roles
            for role in roles:
                enrol.add_player(office, campaign, role, name=role.title(), address=f"{role}@{campaign}.example")
            enrol.start(office, campaign)
            writers += [Writes(campaign, role, sheets[chosen].get(role, "status")) for role in roles]
        with office.write() as connection:
            # What they were sent to begin with has long left.
            connection.execute(f"UPDATE outbox SET state = 'dropped', answer = '{BEFORE}' WHERE state = 'queued'")
            connection.execute("DELETE FROM owed")
    return writers


def in_postgres(there: Server, folder: Path, games: int) -> tuple[str, list[Writes]]:
    url = there.database(there.empty)
    return url, _made(folder, f'database = "{url}"\n', games)


_WRONG = re.compile("Fatal|File |Thread|was lost|could not|Traceback|Error|away", re.IGNORECASE)


class _Running:
    """Processes that keep an office together."""

    how: str
    folder: Path

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[str]] = []
        self.said: list[str] = []

    def begin(self, command: Sequence[str], **more: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PBEM_OFFICE": str(self.folder), **more},
        )
        self.processes.append(process)
        threading.Thread(target=self._read, args=(process,), daemon=True).start()
        return process

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line)
            if _WRONG.search(line):
                print(f"  ! {line.rstrip()}", flush=True)

    def port(self) -> int:
        """Where letters are taken in."""
        for _ in range(1200):
            if found := re.search(r"lmtp on port (\d+)", "".join(self.said[:200])):
                return int(found[1])
            time.sleep(0.05)
        raise Fault(f"no door was opened: {''.join(self.said[-20:])}")

    def start(self, began: int) -> None:
        """Begin, when the clock shows *began*."""
        raise NotImplementedError

    def end(self) -> None:
        """End all of them."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(90)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            process.stdout.close()


class _File(_Running):
    """An office in a file, and one process."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.how = folder, "SQLite, `pbem run`"

    def start(self, began: int) -> None:
        self.begin(["-m", "tests.kit.on_duty", str(self.folder), str(began), "1"])


PBEM = "import sys; from pbem.cli import main; sys.argv[0] = 'pbem'; main(prog_name='pbem')"


class Kept(_Running):
    """An office on a server, and so many workers, of which `pbem run` has one."""

    def __init__(self, there: Server, folder: Path, template: str, like: Path, workers: int) -> None:
        super().__init__()
        self.folder, self.workers = folder, workers
        self.how = f"PostgreSQL, {workers} worker{'s' if workers > 1 else ''}"
        made = there.database(template)
        self.club = Club(folder, made)
        shutil.copytree(like, folder)
        url = f"{made}&options=-c%20search_path%3Dpublic,pg_catalog"
        settings = (folder / "pbem.toml").read_text("utf-8")
        (folder / "pbem.toml").write_text(settings.replace(template, url), "utf-8")

    def start(self, began: int) -> None:
        self.club.set_clock(began)
        self.begin(["-c", PBEM, "run"])
        for _ in range(self.workers - 1):
            self.begin(["-c", PBEM, "worker"])


# ------------------------------------------------------------------------------------------------- the evening


def _evening(office: _Running, writers: Sequence[Writes], count: int, lead: float) -> Evening:
    sink = Sink()
    with mail_server(sink) as port, (office.folder / "pbem.toml").open("a") as settings:
        settings.write(f'[smtp]\nhost = "127.0.0.1"\nport = {port}\n')
        settings.flush()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        office.start(DUE - round((_STANDS + lead) * SECOND))
        try:
            began = time.monotonic()
            door = office.port()
            time.sleep(max(0.0, began + _STANDS - time.monotonic()))
            hour = began + _STANDS + lead
            sent = _letters(door, islice(cycle(writers), count), hour - lead * 0.05)
            time.sleep(max(0.0, hour - time.monotonic()))
            then, resolved = _until_all_is_out(office, writers, door, sink, count)
            last = sink.last
        finally:
            office.end()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    lost = [number for number in (*sent, *then) if str(number) not in sink.answered]
    if lost:
        raise Fault(f"{office.how}: {len(lost)} letters were not answered, the first {lost[:5]}: {office.said[-30:]}")
    if twice := [id for id, times in sink.ids.items() if times > 1]:
        raise Fault(f"{office.how}: {len(twice)} mails came twice")
    waits = [sink.answered[str(number)] - at for number, at in sent.items()]
    after = [sink.answered[str(number)] - at for number, at in then.items()]
    return Evening(
        how=office.how,
        letters=len(sent),
        receipts=_shares(waits),
        meanwhile=_shares(after),
        resolved=resolved - hour,
        reports=last - hour,
        mails=sink.mails,
        processor=spent.ru_utime + spent.ru_stime - used.ru_utime - used.ru_stime,
    )


def _shares(waits: Sequence[float]) -> tuple[float, float]:
    if len(waits) < 2:
        return (0.0, 0.0)
    cuts = quantiles(waits, n=100)
    return cuts[49], cuts[98]


def _letters(door: int, writers: Iterator[Writes], until: float) -> dict[int, float]:
    """Bring letters evenly *until* then; gives when each was brought."""
    chosen = list(writers)
    every = max(0.0, (until - time.monotonic()) / max(len(chosen), 1))
    sent: dict[int, float] = {}
    with smtplib.LMTP("127.0.0.1", door, timeout=60) as line:
        start = time.monotonic()
        for number, writer in enumerate(chosen, start=1):
            time.sleep(max(0.0, start + number * every - time.monotonic()))
            line.sendmail(writer.address, ["office@office.example"], writer.letter(number))
            sent[number] = time.monotonic()
    return sent


def _until_all_is_out(
    office: _Running, writers: Sequence[Writes], door: int, sink: Sink, last: int
) -> tuple[dict[int, float], float]:
    """Write now and then, until every turn is worked out and nothing waits to leave; when the last turn was."""
    sent: dict[int, float] = {}
    number, resolved, looked, told = last + 1, 0.0, 0.0, time.monotonic()
    games, end = len({writer.campaign for writer in writers}), time.monotonic() + _LONGEST
    with open_office(office.folder, now=lambda: DUE) as there:
        for writer in islice(cycle(writers), 10**6):
            if time.monotonic() > end:
                raise Fault(f"{office.how}: it takes too long: {left(there)}")
            if not resolved:
                with smtplib.LMTP("127.0.0.1", door, timeout=120) as line:
                    line.sendmail(writer.address, ["office@office.example"], writer.letter(number, "status"))
                sent[number] = time.monotonic()
                number += 1
            time.sleep(_BETWEEN)
            if time.monotonic() - looked > 1.0:
                looked = time.monotonic()
                known, waits = left(there)
                if looked - told > _TOLD:
                    told = looked
                    print(f"  {known} turns of {games} are known, {waits} things wait, {sink.mails} mails", flush=True)
                if not resolved and known >= games:
                    resolved = looked
                if resolved and not waits and looked - sink.last > _QUIET:
                    break
    return sent, resolved


_KNOWN = "SELECT count(DISTINCT campaign) FROM event WHERE kind IN ('exchange_released', 'halt_reached')"
_WAITS = (
    "SELECT (SELECT count(*) FROM owed WHERE fault = '') +"
    " (SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending')) +"
    " (SELECT count(*) FROM letter WHERE state = 'new')"
)


def left(office: Office) -> tuple[int, int]:
    """In how many games the turn was worked out, and what waits to be read, written or sent."""
    with office.read() as connection:
        return int(connection.execute(_KNOWN).scalar()), int(connection.execute(_WAITS).scalar())


@contextmanager
def mail_server(sink: Sink) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield int(port)
    finally:
        controller.stop()
