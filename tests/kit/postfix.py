"""A Postfix of our own: letters to the office leave it by LMTP or by a pipe, those to players reach a Dovecot."""

from __future__ import annotations

import json
import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import needs

PIPE = "pipe"
"""The transport that hands a letter to the program at `Postfix.hook`."""

USER = "nobody"
"""As whom that program runs: Postfix starts none as root."""

PATIENCE = 30.0


class Postfix(NamedTuple):
    """A server that runs, and where."""

    smtp: int
    place: Path

    @property
    def hook(self) -> Path:
        """The program of the transport `PIPE`; the test writes it."""
        return self.place / "hook"

    def send(self, sender: str, to: str, raw: bytes) -> None:
        """Hand a letter over, as a player's mail server does."""
        with smtplib.SMTP("127.0.0.1", self.smtp) as line:
            line.sendmail(sender, [to], raw)

    def keeps(self, to: str) -> bool:
        """Whether it has a letter to that address that it has not yet got rid of."""
        command = ["postqueue", "-c", str(self.place / "etc"), "-j"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        kept = [json.loads(line) for line in done.stdout.splitlines()]
        return any(one["address"] == to for letter in kept for one in letter["recipients"])

    def log(self) -> str:
        """What it wrote down."""
        return (self.place / "maillog").read_text("utf-8", errors="replace")

    def wait_for(self, words: str) -> None:
        """Wait until it has written that down."""
        self._wait(lambda: words in self.log())

    def wait_until_kept(self, to: str, *, kept: bool) -> None:
        """Wait until a letter to that address waits, or none any more: it logs before it files away."""
        self._wait(lambda: self.keeps(to) == kept)

    def _wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, self.log()
            time.sleep(0.05)


@contextmanager
def postfix(transports: Mapping[str, str]) -> Iterator[Postfix]:
    """Run a server that sends what is for a domain by its transport; skips the test where there is none."""
    program = needs("postfix")
    if os.geteuid() != 0:
        pytest.skip("needs root, as whom alone Postfix changes its users")
    # Its users must come here; pytest's own folders are closed to them.
    place = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    place.chmod(0o755)
    server = Postfix(_free_port(), place)
    try:
        _configure(server, transports)
        etc = str(place / "etc")
        started = subprocess.run([program, "-c", etc, "start"], capture_output=True, text=True, check=False)
        assert started.returncode == 0, started.stderr + (server.log() if (place / "maillog").exists() else "")
        try:
            _wait_for(server)
            yield server
        finally:
            subprocess.run([program, "-c", etc, "stop"], capture_output=True, check=False)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


def _wait_for(server: Postfix) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with smtplib.SMTP("127.0.0.1", server.smtp, timeout=5):
                return
        except OSError:
            assert time.monotonic() < end, server.log()
            time.sleep(0.05)


def _configure(server: Postfix, transports: Mapping[str, str]) -> None:
    place = server.place
    for name in ("etc", "spool", "data"):
        (place / name).mkdir(mode=0o755)
    shutil.chown(place / "data", "postfix")
    offices = [domain for domain in transports if domain.endswith("office.example")]
    maps = ", ".join(f"{{{domain} = {transport}}}" for domain, transport in transports.items())
    settings = {
        "compatibility_level": "3.6",
        "queue_directory": place / "spool",
        "data_directory": place / "data",
        "command_directory": "/usr/sbin",
        "daemon_directory": "/usr/lib/postfix/sbin",
        "mail_owner": "postfix",
        "setgid_group": "postdrop",
        "myhostname": "mx.office.example",
        "inet_interfaces": "127.0.0.1",
        "inet_protocols": "ipv4",
        "mydestination": "",
        "local_recipient_maps": "",
        "alias_maps": "",
        "alias_database": "",
        "virtual_mailbox_domains": " ".join(offices),
        "recipient_delimiter": "+",
        "transport_maps": f"inline:{{{maps}}}",
        "default_transport": "error:5.4.4 the tests write to nobody outside",
        "smtpd_relay_restrictions": "permit_mynetworks, reject",
        "smtpd_peername_lookup": "no",
        "maillog_file": place / "maillog",
        "maillog_file_prefixes": place,
        f"{PIPE}_destination_recipient_limit": "1",
        "lmtp_destination_recipient_limit": "1",
        "minimal_backoff_time": "1s",
        "queue_run_delay": "1s",
    }
    (place / "etc" / "main.cf").write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    (place / "etc" / "master.cf").write_text(
        _MASTER + f"127.0.0.1:{server.smtp} inet n - n - - smtpd\n"
        f"{PIPE} unix - n n - - pipe flags=DRhu user={USER} argv={server.hook} ${{sender}} ${{recipient}}\n"
    )


_MASTER = """\
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""
