"""The reading room of an office, served by uvicorn on a port of this machine, and visitors who come in by it."""

from __future__ import annotations

import re
import socket
import sqlite3
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import uvicorn

from pbem.desk.access import sign_in
from pbem.desk.access.people import known_by
from pbem.desk.office.office import HOUR, Office, clock, open_office
from pbem.web.application import application
from pbem.web.serving import configured
from pbem.web.works import bound

_SEAL = re.compile(r'name="seal" value="([^"]*)"')
Running = tuple[uvicorn.Server, threading.Thread]

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""A room speaks plain HTTP: whoever visits it need not first read all certificates of the machine."""

PATIENCE = 60.0
"""Seconds for an answer: what takes long is done in a process that must begin first."""


@dataclass
class Room:
    """A reading room that is open."""

    office: Office
    address: str
    """`http://127.0.0.1:45123`, or where a proxy before it is reached."""
    port: int
    log: list[str] = field(default_factory=list)
    clients: list[httpx.Client] = field(default_factory=list)

    def stranger(self) -> httpx.Client:
        """A browser in which nobody has signed in."""
        return self._client({"origin": self.address})

    def _client(self, headers: dict[str, str]) -> httpx.Client:
        at = f"http://127.0.0.1:{self.port}"
        client = httpx.Client(base_url=at, headers=headers, timeout=PATIENCE, verify=NO_CERTIFICATES)
        self.clients.append(client)
        return client

    def leave(self) -> None:
        """Close all browsers and programs."""
        for client in self.clients:
            client.close()

    def visitor(self, address: str) -> httpx.Client:
        """A browser in which whoever is known by *address* has signed in."""
        browser = self.stranger()
        answer = send(browser, f"/sign-in/link/{self.secret(address)}")
        assert answer.status_code == 303, answer.text
        return browser

    def secret(self, address: str) -> str:
        """What stands in a link that the umpire made for *address*."""
        with self.office.read() as connection:
            whose = known_by(self.office, connection, address)
        return sign_in.handed_on(self.office, whose)

    def program(self, address: str, scope: str = "order") -> httpx.Client:
        """A program of the player of *address*."""
        page = send(self.visitor(address), "/me/programs", page="/me", name="a program", scope=scope)
        token = re.search(r'<p class="hash">([\w-]+)</p>', page.text)
        assert token is not None
        return self._client({"authorization": f"Bearer {token[1]}"})


def send(browser: httpx.Client, path: str, page: str = "", **fields: str) -> httpx.Response:
    """Send a form to *path* as it stands on *page* (else on the page of that path), with these *fields*."""
    seal = seal_of(browser.get(page or path).text)
    return browser.post(path, data={"seal": seal, **fields})


def seal_of(html: str) -> str:
    """What the forms of a page bear."""
    found = _SEAL.search(html)
    assert found is not None, html[:400]
    return found[1]


def left_at(folder: Path) -> int:
    """When something was last written into the office of a demonstration: microseconds UTC."""
    with closing(sqlite3.connect(folder / "office.sqlite")) as connection:
        return int(connection.execute("SELECT max(recorded_at) FROM event").fetchone()[0])


@contextmanager
def open_room(folder: Path, *, url: str = "", at: int = 0, mails: bool = False) -> Iterator[Room]:
    """The reading room of the office in *folder*, at that hour (0: an hour after it was left), until the block ends."""
    behind = clock() - (at or left_at(folder) + HOUR)
    with ExitStack() as stack:
        office = stack.enter_context(open_office(folder, now=lambda: clock() - behind, mails=mails))
        log: list[str] = []
        server, port = _served(office, url, behind, log)
        stack.callback(_stopped, server)
        room = Room(office, url or f"http://127.0.0.1:{port}", port, log)
        stack.callback(room.leave)
        yield room


def _served(office: Office, url: str, behind: int, log: list[str]) -> tuple[Running, int]:
    # As uvicorn makes one: of one without a protocol asyncio does not see that small packets are to leave at once.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    there = bound(office, f"127.0.0.1:{port}", url)
    config = configured(there, application(there, behind=behind, say=log.append), "127.0.0.1", port)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="room")
    thread.start()
    until = time.monotonic() + PATIENCE
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started
    return (server, thread), port


def _stopped(running: Running) -> None:
    server, thread = running
    server.should_exit = True
    thread.join(PATIENCE)
