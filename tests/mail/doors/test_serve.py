"""Letters handed over by LMTP and SMTP: nothing is said before they are safe, and nothing is refused that could be."""

from __future__ import annotations

import signal
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from random import Random
from typing import Literal

import pytest

from pbem.kernel.errors import StorageError
from pbem.mail.doors import serve
from pbem.mail.doors.emergency import set_aside
from pbem.mail.doors.inbox import from_maildir
from pbem.mail.doors.kit import BadDoor
from pbem.mail.doors.serve import Door, taking_in
from pbem.mail.reading.letter import read_head
from pbem.mail.wire.limits import MAX_LETTER
from tests.kit.forks import Fork, Forks, dying
from tests.kit.keeper import Keeper

Protocol = Literal["lmtp", "smtp"]
CLIENTS = {"lmtp": smtplib.LMTP, "smtp": smtplib.SMTP}
LETTER = b"From: a@x.example\r\nSubject: orders\r\n\r\nFrom Metz to Sedan\r\n.\r\n..hold\r\n"
TO = "gpw+moltke.1.5rayzzg3wqj6pz75@office.example"


@pytest.fixture(params=list(CLIENTS))
def protocol(request: pytest.FixtureRequest) -> Protocol:
    """Each of the two."""
    name: Protocol = request.param
    return name


@contextmanager
def line(protocol: Protocol, port: int) -> Iterator[smtplib.SMTP]:
    with CLIENTS[protocol]("127.0.0.1", port, timeout=20) as client:
        yield client


def send(protocol: Protocol, port: int, *letters: bytes, sender: str = "a@x.example") -> list[tuple[int, bytes]]:
    """What the other side said of each letter."""
    said = []
    with line(protocol, port) as client:
        for letter in letters:
            client.ehlo_or_helo_if_needed()
            client.mail(sender)
            client.rcpt(TO)
            said.append(client.data(letter))
    return said


def test_a_letter_is_kept_as_it_came_under_its_envelope(protocol: Protocol) -> None:
    kept: list[bytes] = []
    with taking_in(Door(protocol=protocol), kept.append) as port:
        assert send(protocol, port, LETTER) == [(250, b"2.0.0 kept")]

    assert kept == [f"Return-Path: <a@x.example>\r\nDelivered-To: {TO}\r\n".encode() + LETTER]
    assert read_head(kept[0]).recipients == (TO,)


def test_a_letter_without_a_sender_is_a_machines(protocol: Protocol) -> None:
    kept: list[bytes] = []
    with taking_in(Door(protocol=protocol), kept.append) as port:
        send(protocol, port, LETTER, sender="")

    assert kept[0].startswith(b"Return-Path: <>\r\n")
    assert read_head(kept[0]).auto == "Return-Path: <>"


def test_many_letters_over_one_line(protocol: Protocol) -> None:
    kept: list[bytes] = []
    letters = [LETTER + b"move %d\r\n" % number for number in range(50)]
    with taking_in(Door(protocol=protocol), kept.append) as port:
        assert {code for code, _ in send(protocol, port, *letters)} == {250}

    assert [raw.partition(b"\r\n")[2].partition(b"\r\n")[2] for raw in kept] == letters


def test_letters_of_many_at_once_are_kept_one_after_the_other(protocol: Protocol) -> None:
    now, most = 0, 0

    def keep(raw: bytes) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        threading.Event().wait(0.01)
        now -= 1

    with taking_in(Door(protocol=protocol), keep) as port:
        threads = [threading.Thread(target=send, args=(protocol, port, LETTER)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == 1


def test_by_lmtp_each_recipient_is_answered_and_the_letter_is_kept_once() -> None:
    kept: list[bytes] = []
    with taking_in(Door(protocol="lmtp"), kept.append) as port, line("lmtp", port) as client:
        for _ in range(2):
            client.ehlo_or_helo_if_needed()
            client.mail("a@x.example")
            for name in ("french", "prussian", "gm"):
                client.rcpt(f"gpw+{name}@office.example")
            assert client.data(LETTER) == (250, b"2.0.0 kept")
            assert [client.getreply() for _ in range(2)] == [(250, b"2.0.0 kept")] * 2
            assert client.noop()[0] == 250
    assert len(kept) == 2
    assert read_head(kept[0]).recipients == tuple(f"gpw+{name}@office.example" for name in ("french", "prussian", "gm"))


def test_lmtp_is_not_smtp() -> None:
    with taking_in(Door(protocol="lmtp"), print) as port, socket.create_connection(("127.0.0.1", port)) as client:
        said = client.makefile("rb")
        assert said.readline().startswith(b"220 localhost ")
        for greeting in (b"EHLO x", b"HELO x"):
            client.sendall(greeting + b"\r\n")
            assert said.readline() == b"500 5.5.1 this is LMTP: say LHLO\r\n"
        client.sendall(b"LHLO x\r\nDATA\r\n")
        answers = [said.readline() for _ in range(4)]
        said.close()
    assert answers[0] == b"250-localhost\r\n"
    assert b"250-SIZE %d\r\n" % MAX_LETTER in answers


# ----------------------------------------------------------------------------------------------------- not kept


@pytest.mark.parametrize("error", [StorageError("the disk is full."), OSError("no space left"), KeyError("x")])
def test_what_cannot_be_kept_is_to_come_again(protocol: Protocol, error: Exception) -> None:
    told: list[str] = []

    def keep(raw: bytes) -> None:
        raise error

    with taking_in(Door(protocol=protocol), keep, told=told.append) as port:
        assert send(protocol, port, LETTER) == [(451, b"4.3.0 the office cannot keep letters now, come again")]
    assert told[0].endswith(f"was not kept: {error}")


def test_while_the_database_is_down_letters_are_set_aside(protocol: Protocol, tmp_path: Path) -> None:
    kept: list[bytes] = []
    told: list[str] = []
    down = True

    def keep(raw: bytes) -> None:
        if down:
            raise StorageError("the database is locked.")
        kept.append(raw)

    with taking_in(Door(protocol=protocol), keep, emergency=tmp_path / "aside", told=told.append) as port:
        assert send(protocol, port, LETTER) == [(250, b"2.0.0 set aside")]
        down = False
        assert send(protocol, port, LETTER) == [(250, b"2.0.0 kept")]
    aside = [arrival.raw for arrival in from_maildir(tmp_path / "aside")]
    assert aside == kept
    [line] = told
    assert f"was not kept: the database is locked. It lies in {tmp_path / 'aside'}" in line


def test_where_nothing_is_safe_nothing_is_taken(protocol: Protocol, tmp_path: Path) -> None:
    (tmp_path / "aside").write_text("no folder")

    def keep(raw: bytes) -> None:
        raise StorageError("the database is locked.")

    with taking_in(Door(protocol=protocol), keep, emergency=tmp_path / "aside") as port:
        assert [code for code, _ in send(protocol, port, LETTER)] == [451]


@pytest.mark.parametrize("shape", ["many lines", "one line"])
def test_what_is_too_big_is_refused_for_good(protocol: Protocol, shape: str) -> None:
    kept: list[bytes] = []
    body = b"hold\r\n" * 400_000 if shape == "many lines" else b"x" * 2_000_000
    with taking_in(Door(protocol=protocol), kept.append) as port, line(protocol, port) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("a@x.example")
        for name in ("french", "prussian"):
            client.rcpt(f"gpw+{name}@office.example")
        assert client.data(LETTER + body)[0] == 552
        if protocol == "lmtp":
            assert client.getreply()[0] == 552
        # And the next one is taken in.
        client.mail("a@x.example")
        client.rcpt(TO)
        assert client.data(LETTER)[0] == 250
    assert len(kept) == 1


def test_what_says_that_it_is_too_big_need_not_be_sent(protocol: Protocol) -> None:
    with taking_in(Door(protocol=protocol), print) as port, line(protocol, port) as client:
        client.ehlo_or_helo_if_needed()
        assert client.mail("a@x.example", [f"SIZE={MAX_LETTER + 1}"])[0] == 552


def test_a_long_line_is_no_reason_to_refuse(protocol: Protocol) -> None:
    kept: list[bytes] = []
    with taking_in(Door(protocol=protocol), kept.append) as port:
        assert [code for code, _ in send(protocol, port, LETTER + b"x" * 100_000)] == [250]
    assert b"x" * 100_000 in kept[0]


def test_a_letter_that_is_cut_off_is_none(protocol: Protocol) -> None:
    kept: list[bytes] = []
    with taking_in(Door(protocol=protocol), kept.append) as port:
        with socket.create_connection(("127.0.0.1", port)) as client:
            said = client.makefile("rb")
            hello = b"LHLO" if protocol == "lmtp" else b"EHLO"
            client.sendall(hello + b" x\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<b@x.example>\r\nDATA\r\n")
            while not said.readline().startswith(b"354"):
                pass
            client.sendall(LETTER[:40])
            said.close()
        assert [code for code, _ in send(protocol, port, LETTER)] == [250]
    assert len(kept) == 1


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n"])
def test_a_letter_ends_in_one_way_alone(protocol: Protocol, end: bytes) -> None:
    """Else one could hide a second letter in it, from whomever one likes."""
    kept: list[bytes] = []
    smuggled = b"hold" + end + b"MAIL FROM:<gm@office.example>\r\nRCPT TO:<x@x.example>\r\nDATA\r\nflee\r\n.\r\n"
    with (
        taking_in(Door(protocol=protocol), kept.append) as port,
        socket.create_connection(("127.0.0.1", port)) as client,
    ):
        said = client.makefile("rb")
        hello = b"LHLO" if protocol == "lmtp" else b"EHLO"
        client.sendall(hello + b" x\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<b@x.example>\r\nDATA\r\n")
        while not said.readline().startswith(b"354"):
            pass
        client.sendall(smuggled)
        assert said.readline() == b"250 2.0.0 kept\r\n"
        said.close()
    assert [raw.count(b"Return-Path:") for raw in kept] == [1]


# -------------------------------------------------------------------------------------------- opening and closing


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "office.example", ""])
def test_letters_are_taken_in_on_this_machine_alone(host: str) -> None:
    with pytest.raises(BadDoor, match="is not an address of this machine alone"), taking_in(Door(host=host), print):
        pass


def test_letters_of_other_machines_are_taken_in_from_the_networks_that_are_named_alone(
    protocol: Protocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From where else would a test call?
    monkeypatch.setattr(serve, "_is_here", lambda host: False)
    kept: list[bytes] = []
    near, far = (ip_network(one) for one in ("127.0.0.0/8", "10.0.0.0/8"))
    with taking_in(Door(protocol=protocol, host="0.0.0.0", networks=(far, near)), kept.append) as port:
        assert send(protocol, port, LETTER)[0][0] == 250
    with (
        taking_in(Door(protocol=protocol, host="0.0.0.0", networks=(far,)), kept.append) as port,
        pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)),
    ):
        send(protocol, port, LETTER)
    assert len(kept) == 1


def test_a_door_in_which_somebody_stands(protocol: Protocol) -> None:
    with (
        taking_in(Door(), print) as port,
        pytest.raises(BadDoor, match=f":{port}: .*in use"),
        taking_in(Door(protocol=protocol, port=port), print),
    ):
        pass


def test_a_letter_that_is_being_kept_is_answered_before_the_door_closes(protocol: Protocol) -> None:
    begun, said = threading.Event(), []

    def keep(raw: bytes) -> None:
        begun.set()
        threading.Event().wait(0.3)

    with taking_in(Door(protocol=protocol), keep) as port:
        sender = threading.Thread(target=lambda: said.extend(_until_hung_up(protocol, port)))
        sender.start()
        begun.wait(10)
    sender.join()
    assert said == [(250, b"2.0.0 kept")]


def _until_hung_up(protocol: Protocol, port: int) -> list[tuple[int, bytes]]:
    client = CLIENTS[protocol]("127.0.0.1", port, timeout=20)
    try:
        client.ehlo_or_helo_if_needed()
        client.mail("a@x.example")
        client.rcpt(TO)
        return [client.data(LETTER)]
    finally:
        client.close()


def test_who_says_nothing_does_not_keep_the_door_open(protocol: Protocol) -> None:
    with taking_in(Door(protocol=protocol), print) as port:
        silent = socket.create_connection(("127.0.0.1", port))
        assert silent.recv(4) == b"220 "
    silent.close()


# ------------------------------------------------------------------------------------------------------- killed

POINTS = ("before it is kept", "after it is kept", "after it is set aside")


def serve_until_killed(
    protocol: Protocol, port: int, url: str, aside: Path, point: str, at: int, after: float | None = None
) -> None:
    """Take in letters in a process of its own, and die at *point* of the letter *at*, or so long *after* the first."""
    perhaps_die = dying(point, at, after)

    with Keeper(url) as keeper:

        def keep(raw: bytes) -> None:
            perhaps_die("before it is kept")
            if point == "after it is set aside":
                set_aside(aside, raw)
                perhaps_die(point)
                raise StorageError("the database is locked.")
            keeper.keep(raw)
            perhaps_die("after it is kept")

        with taking_in(Door(protocol=protocol, port=port), keep, emergency=aside):
            signal.pause()


def offer(protocol: Protocol, port: int, letters: list[bytes], fork: Fork) -> None:
    """Hand letters over as a mail server does: those that were taken are taken from the list."""
    while letters and fork.alive:
        with suppress(OSError, smtplib.SMTPException):
            client = CLIENTS[protocol]("127.0.0.1", port, timeout=20)
            try:
                while letters:
                    client.sendmail("a@x.example", [TO], letters[0])
                    del letters[0]
            finally:
                client.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def texts(keeper: Keeper, aside: Path) -> set[bytes]:
    kept = [*keeper.raws(), *(arrival.raw for arrival in from_maildir(aside))]
    return {raw.split(b"\r\n\r\n")[1] for raw in kept if raw}


@pytest.mark.parametrize("point", POINTS)
def test_kills_at_a_point_lose_nothing(
    protocol: Protocol, keeper: Keeper, tmp_path: Path, forks: Forks, point: str
) -> None:
    port, kills = free_port(), 0
    letters = [b"Subject: x\r\n\r\nmove %d\r\n" % number for number in range(12)]
    for at in range(4):
        with forks.run(serve_until_killed, protocol, port, keeper.url, tmp_path / "aside", point, 1 + at % 3) as fork:
            offer(protocol, port, letters, fork)
            kills += fork.wait() == -signal.SIGKILL
    assert kills == 4
    with forks.run(serve_until_killed, protocol, port, keeper.url, tmp_path / "aside", "", 0) as fork:
        offer(protocol, port, letters, fork)
    set_aside(tmp_path / "aside", b"")
    assert letters == []
    # One whose keeper died before he could say so came again, with the same bytes.
    assert len(keeper.raws()) - len(set(keeper.raws())) == (kills if point == "after it is kept" else 0)
    assert texts(keeper, tmp_path / "aside") == {b"move %d\r\n" % number for number in range(12)}


def test_kills_at_random_lose_nothing(keeper: Keeper, tmp_path: Path, forks: Forks) -> None:
    protocol: Protocol = "lmtp"
    chance, port = Random(1870), free_port()
    letters = [b"Subject: x\r\n\r\nmove %d\r\n" % number for number in range(400)]
    kills = 0
    for _ in range(10):
        after = chance.uniform(0, 0.05)
        with forks.run(serve_until_killed, protocol, port, keeper.url, tmp_path / "aside", "", 0, after) as fork:
            offer(protocol, port, letters, fork)
            kills += bool(letters) and fork.wait() == -signal.SIGKILL
    assert kills >= 5
    with forks.run(serve_until_killed, protocol, port, keeper.url, tmp_path / "aside", "", 0) as fork:
        offer(protocol, port, letters, fork)
    set_aside(tmp_path / "aside", b"")
    assert texts(keeper, tmp_path / "aside") == {b"move %d\r\n" % number for number in range(400)}
