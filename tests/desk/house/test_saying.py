"""What a process says: to people, to programs, and to systemd."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.house.saying import FORM, Said, voice
from pbem.desk.house.service import told
from tests.kit.table import START


def now() -> int:
    return START + 5


def test_a_line_for_people_has_its_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FORM, raising=False)
    lines: list[str] = []
    voice(now, lines.append)("a\n b")
    voice(now, lines.append, flat=True)("a\n b")

    assert lines == ["Fri 20 Nov 22:00:00 UTC  a\n b", "Fri 20 Nov 22:00:00 UTC  a b"]


def test_a_line_for_programs_is_an_object_with_what_is_known_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FORM, "json")
    lines: list[str] = []
    say = voice(now, lines.append, flat=True)
    say('plain "text"\nof two lines')
    say(Said("ford: it broke", campaign="ford", level="error"))
    node = f"{socket.gethostname()}/{os.getpid()}"

    assert not any("\n" in line for line in lines)
    assert [json.loads(line) for line in lines] == [
        {"time": "2026-11-20T22:00:00.000005Z", "node": node, "text": 'plain "text"\nof two lines'},
        {
            "time": "2026-11-20T22:00:00.000005Z",
            "node": node,
            "level": "error",
            "campaign": "ford",
            "text": "ford: it broke",
        },
    ]


@pytest.fixture(params=["in a folder", "in none"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What listens as systemd does."""
    name = str(tmp_path / "notify") if request.param == "in a folder" else f"@pbem-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name.replace("@", "\0", 1) if name.startswith("@") else name)
        listening.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        monkeypatch.delenv("WATCHDOG_USEC", raising=False)
        yield listening


def test_systemd_hears_once_that_it_is_ready_and_that_it_ends(systemd: socket.socket) -> None:
    with told(wanted=True) as service:
        service.ready()
        service.ready()
        service.stopping()

    systemd.settimeout(0.1)
    assert [systemd.recv(99), systemd.recv(99)] == [b"READY=1", b"STOPPING=1"]
    with pytest.raises(TimeoutError):
        systemd.recv(99)


def test_systemd_hears_that_it_lives_where_it_waits_for_that(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    with told(wanted=True):
        assert [systemd.recv(99) for _ in range(3)] == [b"WATCHDOG=1"] * 3


def test_systemd_hears_nothing_where_it_is_not_wanted_or_waits_for_another(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "1000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    with told(wanted=False) as service:
        service.ready()
    systemd.settimeout(0.1)
    with pytest.raises(TimeoutError):
        systemd.recv(99)
    with told(wanted=True):
        pass
    assert systemd.recv(99) == b"STOPPING=1"


def test_without_a_socket_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    with told(wanted=True) as service:
        service.ready()
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/notify")
    with told(wanted=True) as service:
        service.ready()
