"""An office on duty, and poison in its letter box: good letters are answered in time all the same, and none is lost.

Letters come by LMTP, by SMTP, from a mailbox and from the hands of a GM, so many a second, whatever the office does.
Most are spoiled: fields doubled, cut or written in another code, parts nested, lines of all games, addresses of others.
Some are good: each must be answered, once, and soon.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.parser import BytesHeaderParser
from pathlib import Path
from random import Random
from statistics import linear_regression, quantiles
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.desk.intake.receive import receive
from pbem.desk.office.office import clock as now
from pbem.desk.office.office import make_office, open_office
from pbem.kernel.terms import Terms
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN
from pbem.storage import letters, outbox, owed
from tests.bench.offices import ROLES, begun, letter, played
from tests.kit import hostile
from tests.kit.dovecot import PASSWORD, Dovecot, dovecot
from tests.kit.mangle import mangled
from tests.kit.servers import stop
from tests.kit.table import SETTINGS
from tests.soak.games import Fault
from tests.soak.letters import A_LOG, logs

RATE = 20.0
"""Letters a second."""
GOOD = 0.1
"""The part of all letters that are as they should be."""
IN_TIME = 2.0
"""Seconds within which a good letter is answered, by 99 of 100."""
AFTER_A_KILL = 5.0
"""Seconds after its restart within which the office answers what waits."""
TOWNS = 10
"""Campaigns whose players write good letters; as many others have players in whose name poison comes."""
FLAT = 1.0
"""Kilobytes that a letter may leave in memory besides what the open campaigns grow by."""
USER = "office@office.example"
OWN = Path(__file__).parent.parent / "letters"


class Asked(NamedTuple):
    """What is to be done."""

    letters: int
    due: int = 0
    """Turns that are due when the office comes on duty."""
    every: float = 0.0
    """Seconds between two kills, on average; 0: none."""


class Found(NamedTuple):
    """What it came to."""

    letters: int
    good: int
    times: Sequence[float]
    """From the moment when a good letter was taken from its sender to its answer, in seconds."""
    kills: int
    figures: dict[str, float]
    growth: float
    """Kilobytes of memory for each letter."""
    log: float
    """Kilobytes that each added to the logs, which are held in memory while their campaigns are open."""

    def __str__(self) -> str:
        p50, p99 = quantiles(self.times, n=100)[49], quantiles(self.times, n=100)[98]
        return (
            f"{self.letters} letters, {self.good} of them good, {self.kills} kills: 0 lost, 0 answered twice,"
            f" no exception; answered in {p50:.2f} s, 99 of 100 in {p99:.2f} s, the last in {max(self.times):.2f} s;"
            f" the worst letter took {self.figures.get('letter', 0):.2f} s, the longest lock"
            f" {self.figures.get('lock', 0) * 1000:.0f} ms; memory grew by {self.growth:.2f} kB a letter,"
            f" the logs by {self.log:.2f} kB"
        )


class Sink:
    """A mail server that takes what the office sends, and says when each answer came."""

    def __init__(self) -> None:
        self.came: dict[str, list[float]] = {}

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a mail."""
        head = BytesHeaderParser().parsebytes(envelope.original_content or b"")
        if answered := str(head.get("In-Reply-To", "")).strip():
            self.came.setdefault(answered, []).append(time.monotonic())
        return "250 OK"


def poisoned(folder: Path, asked: Asked, random: Random) -> Found:
    """Bring letters in while the office is on duty, and kill it now and then, if that is asked.

    :raises Fault: if a good letter is lost, or answered twice or late, or if the office logs an exception.
    """
    sink, office = Sink(), folder / "office"
    _prepare(office, asked)
    server = Controller(sink, hostname="127.0.0.1", port=_free_port())
    server.start()
    try:
        with dovecot() as mailbox, _environment(mailbox, server.port) as doors:
            watch = _Watch(office, folder / "figures.json", folder / "log.txt")
            with watch:
                sent = _bring(office, asked, random, doors, mailbox, watch)
                _await_answers(office, sent, sink, random, watch)
    finally:
        stop(server)
    return _seen(office, asked, sent, sink, watch)


def _prepare(folder: Path, asked: Asked) -> None:
    """An office with campaigns that are written to, and with turns that are due."""
    # Two hours ago by its own clock: what needs nobody any more is due as soon as the office comes on duty.
    made_at = now() - 2 * 3600 * 1_000_000
    make_office(folder, f"{SETTINGS}[trust]\nanswers = 1000\n")
    with open_office(folder, now=lambda: made_at) as office:
        for number in range(TOWNS):
            begun(office, f"town-{number}")
            begun(office, f"hemlock-{number}")
        for number in range(asked.due):
            name = f"due-{number}"
            begun(office, name, Terms(trust="address", release="auto"))
            for role, text in played()[1][0].sheets.items():
                receive(office, letter(name, role, text, f"{name}.{role}"), way="pipe")
        with office.write() as connection:
            for mail in outbox.listing(connection):
                outbox.drop(connection, mail.id, why="of no use here")


def good(number: int) -> bytes:
    """A letter as it should be, unlike all others."""
    role = ROLES[number % 2]
    lines = played()[1][0].sheets[role].splitlines()
    return letter(f"town-{number // 2 % TOWNS}", role, "\n".join([*lines[:12], f"# {number}"]), f"good.{number}")


def poison(random: Random, corpus: Sequence[bytes], lines: Sequence[str], number: int) -> bytes:
    """A letter spoiled in one of many ways."""
    role, town = random.choice(ROLES), random.randrange(TOWNS)
    said = "\n".join(random.choices(lines, k=random.randint(1, 30)))
    own = letter(f"hemlock-{town}", role, said, f"hemlock.{number}")
    way = random.randrange(6)
    if way == 0:
        return own
    if way == 1:
        return mangled([own, *corpus[:50]], random)
    if way == 2:
        return mangled(corpus, random)
    head, _, body = own.partition(b"\n\n")
    fields = head.split(b"\n")
    if way == 3:  # doubled
        fields.insert(random.randrange(len(fields)), random.choice(fields))
    elif way == 4:  # written in another code, or none
        at = random.randrange(len(fields))
        name, _, value = fields[at].partition(b":")
        fields[at] = name + b": " + random.choice(_CODES)(value)
    else:  # nested
        kind = b"Content-Type: multipart/mixed; boundary=b"
        depth = random.randint(1, 40)
        fields = [field for field in fields if not field.lower().startswith(b"content-type")] + [kind]
        body = (b"--b\n" + kind + b"\n\n") * depth + b"--b\n\n" + body + b"\n--b--\n"
    return b"\n".join(fields) + b"\n\n" + body


_CODES = (
    lambda value: b"=?utf-8?b?" + value.hex().encode() + b"?=",
    lambda value: b"=?utf-8?q?=0D=0ABcc:_x@y.example?=" + value,
    lambda value: value + "é ﬁ \0".encode(),
    lambda value: b"<" + value.strip() * 40 + b">",
    lambda value: b"\xff\xfe" + value,
    lambda value: b"",
)


def grammar(random: Random) -> list[str]:
    """Lines of all games, and what the office itself understands, with what belongs to others."""
    lines = [form for name in sorted(BUILT_IN) for form in registry.load(name).forms.values()]
    return [
        *lines,
        "report", "status", "help", "history", "orders?", "preview", "add", "withdraw", "wait on", "ready", "begin",
        "resign", "resign hemlock-1", "resign town-1", "stop", "vacation 2027-01-01 to 2027-01-09", "umpire: hello",
        "letter to french: hello", "game town-1", "role prussian", "turn 99", "confirm abcd-efgh-abcd-efgh",
        f"office+hemlock-1.abcdefghabcdefgh.1.{'a' * 16}@office.example", "-- ", "> quoted", "END", "BEGIN",
    ]  # fmt: skip


def _bring(
    office: Path, asked: Asked, random: Random, doors: dict[str, int], mailbox: Dovecot, watch: _Watch
) -> dict[str, float]:
    """Bring the letters, each when it is time; gives when each good one was taken, by its id."""
    corpus = [path.read_bytes() for path in sorted(OWN.glob("*.eml"))]
    corpus += [raw for raw in hostile.LETTERS.values() if len(raw) < 1_000_000]
    if there := os.environ.get("PBEM_LETTERS"):
        files = [
            path for path in sorted(Path(there).rglob("*")) if path.is_file() and path.suffix in ("", ".eml", ".txt")
        ]
        corpus += [path.read_bytes() for path in files]
    lines = grammar(random)
    taken: dict[str, float] = {}
    waiting: queue.Queue[tuple[str, bytes, str] | None] = queue.Queue()
    hands = [
        threading.Thread(target=_hand_over, args=(office, doors, mailbox, waiting, taken, watch)) for _ in range(4)
    ]
    for hand in hands:
        hand.start()
    _await_door(doors["lmtp"])
    start, count = time.monotonic(), 0
    for number in range(asked.letters):
        time.sleep(max(0.0, start + number / RATE - time.monotonic()))
        watch.look(asked.every, random)
        door = random.choices(("lmtp", "smtp", "imap", "hand"), (60, 20, 19.5, 0.5))[0]
        if random.random() < GOOD:
            waiting.put((door, good(count), f"<good.{count}@player.example>"))
            count += 1
        else:
            waiting.put((door, poison(random, corpus, lines, number), ""))
    for _ in hands:
        waiting.put(None)
    for hand in hands:
        while hand.is_alive():
            hand.join(0.2)
            watch.look(0.0, random)
    return taken


def _await_door(port: int) -> None:
    """Wait until the office is on duty."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise Fault("the office does not come on duty")


def _hand_over(
    office: Path,
    doors: dict[str, int],
    mailbox: Dovecot,
    waiting: queue.Queue[tuple[str, bytes, str] | None],
    taken: dict[str, float],
    watch: _Watch,
) -> None:
    """Hand letters over, each until it is taken or will never be: a server that speaks for others tries again."""
    while (job := waiting.get()) is not None:
        door, raw, id = job
        while not _taken(office, doors, mailbox, door, raw):
            time.sleep(0.1)
        if id:
            taken[id] = time.monotonic()


def _taken(office: Path, doors: dict[str, int], mailbox: Dovecot, door: str, raw: bytes) -> bool:
    """Hand one letter over; says whether it was taken, or refused for good."""
    try:
        if door == "imap":
            mailbox.deliver(USER, raw)
        elif door == "hand":
            command = [sys.executable, "-c", "from pbem.cli import main; main()", "--office", str(office)]
            return subprocess.run([*command, "mail", "receive"], input=raw, capture_output=True).returncode == 0
        else:
            client: type[smtplib.SMTP] = smtplib.LMTP if door == "lmtp" else smtplib.SMTP
            with client("127.0.0.1", doors[door], timeout=30) as line:
                line.sendmail("player@player.example", [USER], raw)
    except smtplib.SMTPResponseException as said:
        return said.smtp_code >= 500
    except smtplib.SMTPRecipientsRefused as said:
        return all(code >= 500 for code, _ in said.recipients.values())
    except (OSError, smtplib.SMTPException):
        return False
    return True


class _Watch:
    """The office on duty, begun again whenever it was killed."""

    def __init__(self, office: Path, figures: Path, log: Path) -> None:
        self.office, self.figures, self.log = office, figures, log
        self.kills, self.begun = 0, 0.0
        self.memory: list[tuple[float, float]] = []
        self._looked, self._process = 0.0, self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self.begun = time.monotonic()
        command = [sys.executable, "-m", "tests.soak.on_watch", str(self.office), str(self.figures)]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    def __enter__(self) -> _Watch:
        return self

    def __exit__(self, *given: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        if (code := self._process.wait(120)) and not given[0]:
            raise Fault(f"the office ended with {code}: {self.log.read_text()[-2000:]}")

    def look(self, every: float, random: Random) -> None:
        """See that the office is there, note its memory, and kill it if it is time."""
        at = time.monotonic()
        if at - self._looked < 1.0:
            return
        past, self._looked = at - self._looked, at
        if self._process.poll() is not None:
            raise Fault(f"the office is gone: {self.log.read_text()[-2000:]}")
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        self.memory.append((at, float(status.partition("VmRSS:")[2].split()[0])))
        if every and random.random() < min(past, 2.0) / every:
            self._process.kill()
            self._process.wait()
            self.kills += 1
            self._process = self._start()


def _await_answers(office: Path, sent: dict[str, float], sink: Sink, random: Random, watch: _Watch) -> None:
    """Wait until all that came is dealt with, and every answer has come that is to come."""
    until = time.monotonic() + 300
    with open_office(office) as opened:
        while time.monotonic() < until:
            time.sleep(0.5)
            watch.look(0.0, random)
            with opened.read() as connection:
                waiting = letters.counted(connection).get("new", 0)
            if not waiting and all(id in sink.came for id in sent):
                break
    time.sleep(2.0)  # for an answer that would come a second time


def _seen(office: Path, asked: Asked, sent: dict[str, float], sink: Sink, watch: _Watch) -> Found:
    """See that all is well."""
    with open_office(office) as opened, opened.read() as connection:
        balance = letters.balance(connection)
        added = logs(opened) / max(balance.received, 1)
        rows = letters.listing(connection)
        unwritten = [one.fault for one in owed.failed(connection)]
        receipts = Counter((one.campaign, one.cause) for one in outbox.listing(connection) if one.kind == "receipt")
    times = {id: sink.came[id][0] - at for id, at in sent.items() if id in sink.came}
    log = watch.log.read_text()
    broken = [row.reason for row in rows if "could not be dealt with" in row.reason or "not dealt with" in row.reason]
    faults: dict[str, Sequence[object]] = {
        "never answered": [id for id in sent if id not in sink.came],
        "answered twice": [id for id in sent if len(sink.came.get(id, [])) > 1 + watch.kills],
        "owed twice": [cause for cause, count in receipts.items() if count > 1],
        "exceptions": [line for line in log.splitlines() if "Traceback" in line or "Error:" in line] + broken,
        "answers that could not be written": unwritten,
        "not in account": [] if balance.even and not balance.states["new"] else [balance],
    }
    if found := {what: some[:5] for what, some in faults.items() if some}:
        raise Fault(f"{found}")
    settled = watch.memory[len(watch.memory) // 5 :]
    slope = linear_regression(*zip(*settled, strict=True)).slope / RATE if len(settled) > 2 and not watch.kills else 0.0
    figures = json.loads(watch.figures.read_text())
    done = Found(len(rows), len(sent), sorted(times.values()), watch.kills, figures, slope, added)
    bar = AFTER_A_KILL + IN_TIME if asked.every else IN_TIME
    # While turns are run their campaigns are loaded, and a killed office begins anew: memory is judged without both.
    fat = not (asked.every or asked.due) and slope > FLAT + A_LOG * added
    if quantiles(done.times, n=100)[98] > bar or fat:
        raise Fault(f"too slow, or too much memory: {done}")
    return done


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def _environment(mailbox: Dovecot, smtp: int) -> Iterator[dict[str, int]]:
    """Tell the office by its environment where its doors are; gives the ports of those on this machine."""
    doors = {"lmtp": _free_port(), "smtp": _free_port()}
    said: dict[str, Any] = {
        "LISTEN__LMTP": f"127.0.0.1:{doors['lmtp']}",
        "LISTEN__SMTP": f"127.0.0.1:{doors['smtp']}",
        "IMAP__HOST": "127.0.0.1",
        "IMAP__PORT": mailbox.imap,
        "IMAP__SECURITY": "none",
        "IMAP__USER": USER,
        "IMAP_PASSWORD": PASSWORD,
        "SMTP__HOST": "127.0.0.1",
        "SMTP__PORT": smtp,
        "SMTP__SECURITY": "none",
    }
    os.environ |= {f"PBEM_{name}": str(value) for name, value in said.items()}
    try:
        yield doors
    finally:
        for name in said:
            del os.environ[f"PBEM_{name}"]
