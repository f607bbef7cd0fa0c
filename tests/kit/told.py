"""A program that is told things: an https server of this machine, which keeps what was posted to it."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import trustme


@dataclass
class Program:
    """What it has been told, and how it answers."""

    authority: trustme.CA
    port: int = 0
    status: int = 204
    wait: float = 0.0
    """Seconds before it answers."""
    posted: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where it is told."""
        return f"https://localhost:{self.port}/pbem"

    def authorities(self, folder: Path) -> Path:
        """A file of whom to trust."""
        path = folder / "authority.pem"
        self.authority.cert_pem.write_to_path(str(path))
        return path


@contextmanager
def program(host: str = "localhost") -> Iterator[Program]:
    """A program that is there until the block ends; its certificate is for *host*."""
    it = Program(trustme.CA())

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            it.posted.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            time.sleep(it.wait)
            self.send_response(it.status)
            self.send_header("Location", "https://localhost:1/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    it.authority.issue_cert(host).configure_cert(context)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    it.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield it
    server.shutdown()
    server.server_close()
    thread.join()
