"""The office as a process: real letters in, real letters out, a deadline that passes, signals and kills."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Self

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.desk.house import duty
from pbem.desk.office.office import HOUR, open_office
from pbem.desk.players.enrol import set_terms
from pbem.desk.proof.verify import verify
from pbem.kernel.names import Moment
from pbem.kernel.office import OrdersAccepted
from pbem.storage import letters
from tests.kit.servers import stop
from tests.kit.table import PLAYERS, START, Chance, Clock, Table, again
from tests.systems.play import SIXTH

DEADLINE = START + 72 * HOUR
SOON = 60.0  # seconds after which a test gives up


class Sink:
    """A mail server that keeps the headers and the text of what it is given."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, str]] = []
        """To whom, the Message-ID, the subject."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        letter = message_from_bytes(envelope.original_content or b"", policy=default)
        self.got.append((envelope.rcpt_tos[0], str(letter["Message-ID"]), str(letter["Subject"])))
        return "250 taken"

    def subjects(self, to: str) -> list[str]:
        """What came for *to*."""
        return [subject for reader, _, subject in self.got if reader == to]


class Process:
    """An office on duty, in a process of its own."""

    def __init__(self, folder: Path, began: int, speed: int) -> None:
        command = [sys.executable, "-m", "tests.kit.on_duty", str(folder), str(began), str(speed)]
        self.process = subprocess.Popen(
            command, cwd=Path(__file__).parents[3], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout
        self.process.stdout.close()

    @property
    def port(self) -> int:
        """Where it takes letters in."""
        found = re.search(r"lmtp on port (\d+)", self.wait_for("on duty"))
        assert found
        return int(found[1])

    def wait_for(self, words: str) -> str:
        """The first line that it says with *words* in it."""
        found = until(lambda: next((line for line in self.said if words in line), ""), lambda: "\n".join(self.said))
        return str(found)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop; gives what it ended with."""
        self.process.send_signal(number)
        return self.process.wait(SOON)


def until(look: object, why: object) -> object:
    """Wait until *look* gives something."""
    assert callable(look)
    assert callable(why)
    end = time.monotonic() + SOON
    while not (found := look()):
        assert time.monotonic() < end, why()
        time.sleep(0.05)
    return found


@pytest.fixture
def sink() -> Iterator[tuple[Sink, int]]:
    """A mail server, and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    handler = Sink()
    controller = Controller(handler, hostname="127.0.0.1", port=port, loop=asyncio.new_event_loop())
    controller.start()
    yield handler, port
    stop(controller)


@pytest.fixture
def folder(begun: tuple[Path, int], sink: tuple[Sink, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An office in which `ford` has begun, with ways in and out; it releases by itself."""
    monkeypatch.syspath_prepend(str(SIXTH))
    folder = shutil.copytree(begun[0], tmp_path / "office")
    with (folder / "pbem.toml").open("a") as settings:
        settings.write(f'[smtp]\nhost = "127.0.0.1"\nport = {sink[1]}\n')
        settings.write('[listen]\nlmtp = "127.0.0.1:0"\n[clock]\ntick = 1\naway = 1440\n')
    with again(folder, begun[1]) as table:
        set_terms(table.office, "ford", {"release": "auto", "delay": 0, "nmr": "standing"})
    return folder


def letter(number: int, text: str) -> bytes:
    """A letter of the smuggler's."""
    head = f"From: {PLAYERS['smuggler']}\nTo: office@office.example\nSubject: [ford] orders\n"
    return f"{head}Message-ID: <{number}@player.example>\n\n{text}\n".encode()


def hand_over(port: int, raw: bytes) -> bool:
    """Hand a letter over; says whether it was taken."""
    try:
        with smtplib.LMTP("127.0.0.1", port, timeout=20) as line:
            return not line.sendmail("ann@player.example", ["office@office.example"], raw)
    except OSError:
        return False


@pytest.mark.sqlite
def test_letters_are_answered_a_deadline_passes_and_reports_leave(folder: Path, sink: tuple[Sink, int]) -> None:
    post, _ = sink
    with Process(folder, DEADLINE - 2 * HOUR, 900) as office:
        assert hand_over(office.port, letter(1, "move s1 to 3\nwait on"))
        until(lambda: [one for one in post.subjects(PLAYERS["smuggler"]) if "1A" in one], lambda: office.said)
        office.wait_for("ford: 1A is resolved and released")
        until(lambda: [one for one in post.subjects(PLAYERS["guard"]) if "report" in one.lower()], lambda: post.got)
        assert office.stop() == 0
        until(lambda: office.said[-1:] == ["off duty"], lambda: office.said)

    assert [count for count in Counter(id for _, id, _ in post.got).values() if count > 1] == []
    with open_office(folder, now=Clock(), chance=Chance("after")) as there:
        assert verify(there, "ford").sound
        kinds = Counter(Table(there, Clock()).kinds)
    assert (kinds["exchange_resolved"], kinds["exchange_released"], kinds["nmr_recorded"]) == (1, 1, 0)


@pytest.mark.sqlite
def test_a_letter_is_answered_while_many_turns_are_run(folder: Path, begun: tuple[Path, int]) -> None:
    said, stop_it, ran = list[str](), threading.Event(), "is resolved and released"
    with again(folder, begun[1], luck="many") as table:
        for table.name in ("brook", "fen", "weir"):
            table.open(release="auto", nmr="standing")
        table.clock.at = DEADLINE + 200 * HOUR

        def hear(what: str) -> None:
            said.append(what)
            if sum(ran in one for one in said) == 1 and ran in what:
                assert hand_over(port(), letter(1, "help"))
            if sum(ran in one for one in said) == 4:
                stop_it.set()

        def port() -> int:
            return int(str(re.search(r"lmtp on port (\d+)", " ".join(said))[1]))  # type: ignore[index]  # it is said

        duty.attend(table.office, stop_it, hear)

    runs = [place for place, what in enumerate(said) if ran in what]
    [answered] = [place for place, what in enumerate(said) if what.startswith("letter 1: ")]
    assert runs[0] < answered < runs[1]


@pytest.mark.sqlite
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(folder: Path, number: signal.Signals) -> None:
    with Process(folder, START, 1) as office:
        office.wait_for("on duty")
        began = time.monotonic()
        assert office.stop(number) == 0
        assert time.monotonic() - began < SOON / 2
        until(lambda: office.said[-1:] == ["off duty"], lambda: office.said)


@pytest.mark.sqlite
def test_a_killed_office_goes_on_and_does_nothing_twice(folder: Path, sink: tuple[Sink, int]) -> None:
    post, _ = sink
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance, taken, began = random.Random(seed), 0, DEADLINE - 3 * HOUR
    for life in range(5):
        with Process(folder, began, 60) as office:
            port = office.port
            for number in range(3 * life, 3 * life + 3):
                taken += hand_over(port, letter(number, f"move s1 to {2 + number % 2}\nwait on"))
            if life:  # the first dies whatever it does
                office.wait_for("letter ")
                time.sleep(chance.random())
            office.process.kill()
        began += HOUR // 4
    with Process(folder, DEADLINE - HOUR // 60, 60) as office:
        office.wait_for("ford: 1A is resolved and released")
        until(lambda: [one for one in post.subjects(PLAYERS["guard"]) if "report" in one.lower()], lambda: post.got)
        assert office.stop() == 0

    with open_office(folder, now=Clock(), chance=Chance("after")) as there:
        table = Table(there, Clock())
        assert verify(there, "ford").sound
        kinds = Counter(table.kinds)
        messages = [one.event.message for one in table.dossier.log if isinstance(one.event, OrdersAccepted)]
        with there.read() as connection:
            settled = letters.listing(connection)
    assert [(one.state, one.reason) for one in settled if one.state != "applied"] == []
    assert len(settled) == taken
    assert len(messages) == len(set(messages)) == taken == 15
    assert (kinds["exchange_resolved"], kinds["exchange_released"]) == (1, 1)
    twice = Counter(id for _, id, _ in post.got)
    assert sum(count - 1 for count in twice.values()) <= 5  # the mail that was leaving when it was killed


def test_once_does_what_is_due_and_ends(folder: Path, sink: tuple[Sink, int]) -> None:
    post, _ = sink
    clock, said = Clock(), list[str]()
    with open_office(folder, now=clock, chance=Chance("once")) as office:
        table = Table(office, clock)
        table.write("smuggler", "move s1 to 3")
        clock.forward(1)
        assert duty.once(office, said.append)
        assert table.dossier.exchange().moment == Moment(1, 2)
        assert duty.once(office, said.append)

    assert any("ford: 1A is resolved and released" in one for one in said)
    assert sum("report" in one.lower() for one in post.subjects(PLAYERS["guard"])) == 1


def test_once_says_when_something_went_wrong(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as silent:
        monkeypatch.setenv("PBEM_IMAP__HOST", "127.0.0.1")
        monkeypatch.setenv("PBEM_IMAP__PORT", str(silent.getsockname()[1]))
        folder = ford.office.folder
        with open_office(folder, now=Clock(), chance=Chance("once")) as office:
            said: list[str] = []
            assert not duty.once(office, said.append)
    assert said
