"""What is told to programs that watch over the office, by HTTP: whether it lives, whether it is ready, how it stands.

    /healthz   the process answers
    /readyz    the database answers and is of this version, and the key is there
    /metrics   `pbem.desk.house.metrics`

Nobody need sign in for it, and nothing of it is of a person.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from msgspec import Struct

from pbem.desk.house.metrics import MEDIA, exposition
from pbem.desk.house.nodes import see_key
from pbem.desk.house.status import status
from pbem.desk.office.office import Office
from pbem.desk.office.settings import place_of
from pbem.kernel.errors import PbemError, Refused, StorageError
from pbem.storage import database

PLAIN = "text/plain; charset=utf-8"

_KEPT = 1.0  # seconds for which an answer stands: who asks more often costs no more
_PATIENCE = 5.0  # seconds for a request


class Told(Struct, frozen=True):
    """An answer."""

    status: int
    text: str
    media: str = PLAIN


class Watch:
    """What is told of *office*, by the path that is asked for."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._asked = threading.Lock()
        self._kept: dict[str, tuple[float, Told]] = {}

    def tell(self, path: str) -> Told | None:
        """The answer at *path*, from any thread; None if there is none."""
        make = _PATHS.get(path)
        if make is None:
            return None
        with self._asked:
            at, told = self._kept.get(path, (0.0, None))
            if told is None or time.monotonic() - at > _KEPT:
                told = make(self._office)
                self._kept[path] = (time.monotonic(), told)
            return told


def _healthy(office: Office) -> Told:
    return Told(200, "the office is served\n")


def _ready(office: Office) -> Told:
    fault = _fault(office)
    return Told(503, f"not ready: {fault}\n") if fault else Told(200, "ready\n")


def _fault(office: Office) -> str:
    """Why the office cannot do its work, in words for everybody: no place of a file, no fingerprint."""
    try:
        version = database.version(office.engine)
    except StorageError:
        return "the database does not answer"
    if version != database.VERSION:
        return f"the database is of version {version or 'none'}, not {database.VERSION}"
    try:
        see_key(office)
    except PbemError:
        return "the key is missing, or is not the office's own: pbem doctor says more"
    return ""


def _metrics(office: Office) -> Told:
    try:
        return Told(200, exposition(status(office)), MEDIA)
    except StorageError:
        return Told(503, "the database does not answer\n")


METRICS = "/metrics"
_PATHS: Mapping[str, Callable[[Office], Told]] = {"/healthz": _healthy, "/readyz": _ready, METRICS: _metrics}

PATHS = tuple(_PATHS)
"""What can be asked."""


@contextmanager
def serve_metrics(office: Office, address: str) -> Iterator[int]:
    """Tell whoever asks at *address*, as `127.0.0.1:9150`, until the block ends; gives the port (0 lets one be found).

    Who can reach that address can read it: let it be one of this machine, or of a network of your own.

    :raises Refused: if it cannot be served there.
    """
    found = place_of(address)
    if found is None:
        raise Refused(f'"{address}" is no address and port: write it like 127.0.0.1:9150')
    watch, place = Watch(office), found

    class Asked(BaseHTTPRequestHandler):
        timeout = _PATIENCE
        server_version, sys_version = "pbem", ""

        def do_GET(self) -> None:
            told = watch.tell(self.path.partition("?")[0]) or Told(404, "there is no such page\n")
            body = told.text.encode()
            self.send_response(told.status)
            self.send_header("Content-Type", told.media)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: it is asked every few seconds."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        address_family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of who went away before he was answered."""

    try:
        server = Server(place, Asked)
    except OSError as error:
        raise Refused(f"nothing can be told at {address}: {error.strerror or error}.") from None
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="watched", daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
