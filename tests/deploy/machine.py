"""A club's machine: what deploy/README.md has one do, done in a folder, with a server and ports of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.kit.server import Server
from tests.kit.servers import stop
from tests.systems.play import SIXTH

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"

SOON = 60.0
"""Seconds after which a test gives up."""

_SHIM = """\
#!/bin/sh
exec {python} -c 'from pbem.cli import main; main(prog_name="pbem")' "$@"
"""


def free() -> int:
    """A port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as tried:
        return int(tried.getsockname()[1])


def until(look: Callable[[], object], said: Callable[[], str] = lambda: "it does not come") -> None:
    """Wait until *look* gives something; if it does not, show what is *said*."""
    end = time.monotonic() + SOON
    while not look():
        assert time.monotonic() < end, said()
        time.sleep(0.1)


class Sink:
    """A mail server that keeps what it is given, by whom it is for."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, str]] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 – aiosmtpd's
        """Keep a mail."""
        text = (envelope.original_content or b"").decode("utf-8", "replace")
        self.mails += [(to, text) for to in envelope.rcpt_tos]
        return "250 kept"

    def __str__(self) -> str:
        return "\n".join(f"{to}: {re.findall('^Subject: .*', text, re.M)}" for to, text in self.mails)

    def to(self, address: str) -> int:
        """How many came for *address*."""
        return sum(to == address for to, _ in self.mails)


class Machine:
    """A machine in *folder*, with a database server and a mail server."""

    def __init__(self, folder: Path, server: Server, database: str, sink: Sink, smtp: int) -> None:
        self.folder, self.server, self.database, self.sink = folder, server, database, sink
        self.lmtp, self.web = free(), free()
        self._ports: dict[str, int] = {}
        for name in ("etc", "venv/bin", "backups"):
            (folder / name).mkdir(parents=True)
        shim = folder / "venv" / "bin" / "pbem"
        shim.write_text(_SHIM.format(python=sys.executable))
        shim.chmod(0o755)
        self.beside = {
            "PATH": f"{shim.parent}:{os.environ['PATH']}:/usr/sbin",
            "PYTHONPATH": f"{ROOT}:{SIXTH}",
            "PBEM_ALIVE": "1",
            "PBEM_CLOCK__TICK": "1",
            "PBEM_SMTP__HOST": "127.0.0.1",
            "PBEM_SMTP__PORT": str(smtp),
            "PBEM_LISTEN__LMTP": f"127.0.0.1:{self.lmtp}",
            # Nobody need ask the net for it.
            "PBEM_WEB__URL": "https://localhost:1",
            "PBEM_WEB__BIND": f"127.0.0.1:{self.web}",
        }

    @property
    def office(self) -> Path:
        """The folder of the office."""
        return self.folder / "office"

    def url(self, role: str) -> str:
        """Where the database is, for a role."""
        return f"postgresql://{role}@/{self.database}?host={self.server.folder}"

    def here(self, text: str) -> str:
        """What stands in the files of `deploy`, with the folders, servers and ports of this machine."""
        text = text.replace("/srv/pbem/source", str(ROOT)).replace("/srv/pbem", str(self.folder))
        text = text.replace("/etc/pbem", str(self.folder / "etc"))
        text = text.replace("/var/backups/pbem", str(self.folder / "backups"))
        text = re.sub(r"postgresql://(\w+)@(?:127\.0\.0\.1|postgres)/pbem", lambda found: self.url(found[1]), text)
        text = re.sub(r"(?:127\.0\.0\.1|0\.0\.0\.0):2424", f"127.0.0.1:{self.lmtp}", text)
        text = re.sub(r"(?:127\.0\.0\.1|0\.0\.0\.0):8080", f"127.0.0.1:{self.web}", text)
        return re.sub(r"(?:127\.0\.0\.1|0\.0\.0\.0):(9\d\d\d)", lambda found: self.port(found[1]), text)

    def port(self, named: str) -> str:
        """The address in place of a port that a file names."""
        return f"127.0.0.1:{self._ports.setdefault(named, free())}"

    def does(self, words: Sequence[str] | str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run a command that ends, or a line of a shell, in the folder of the machine."""
        command = ["bash", "-ec", words] if isinstance(words, str) else words
        around = {**os.environ, **self.beside, **environment}
        return subprocess.run(command, cwd=self.folder, env=around, capture_output=True, text=True, check=False)

    @contextmanager
    def keeps(
        self, words: Sequence[str], environment: Mapping[str, str], ready: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """A process that stays, from when it is *ready* (else as it tells systemd) until it has ended by SIGTERM."""
        name = f"pbem-{uuid4()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, open(self.folder / name, "w+b") as said:
            systemd.bind(f"\0{name}")
            systemd.settimeout(SOON)
            around = {**os.environ, **self.beside, **environment, "NOTIFY_SOCKET": f"@{name}"}
            with subprocess.Popen(words, cwd=self.folder, env=around, stdout=said, stderr=said) as process:
                try:
                    if ready is None:
                        assert systemd.recv(99) == b"READY=1"
                    else:
                        until(ready)
                    yield
                    process.send_signal(signal.SIGTERM)
                    assert process.wait(SOON) == 0, (self.folder / name).read_text()
                    assert ready is not None or systemd.recv(99) == b"STOPPING=1"
                except BaseException:
                    print((self.folder / name).read_text())
                    raise
                finally:
                    process.kill()


@contextmanager
def machine(folder: Path, server: Server, database: str) -> Iterator[Machine]:
    """A machine in *folder* that has nothing yet."""
    sink, port = Sink(), free()
    controller = Controller(sink, hostname="127.0.0.1", port=port, loop=asyncio.new_event_loop())
    controller.start()
    try:
        yield Machine(folder, server, database, sink, port)
    finally:
        stop(controller)
