"""A Dovecot of our own: IMAP, plain, by STARTTLS and by TLS, and LMTP; everybody's password is the same."""

from __future__ import annotations

import base64
import hmac
import json
import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

from tests.conftest import needs

PASSWORD = "secret"
TOKEN_KEY = b"the key that signs tokens"


class Dovecot(NamedTuple):
    """A server that runs, and where."""

    imap: int
    imaps: int
    lmtp: int
    authority: trustme.CA

    def deliver(self, user: str, *letters: bytes) -> None:
        """Put letters into the INBOX of *user*, as a mail server does."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as line:
            for letter in letters:
                line.sendmail("sender@x.example", [user], letter)


def token(user: str) -> str:
    """A token (RFC 7519) by which *user* logs in."""
    now = 1_700_000_000
    parts = ({"typ": "JWT", "alg": "HS256"}, {"sub": user, "email": user, "iat": now, "exp": 4_000_000_000})
    body = b".".join(_base64(json.dumps(part).encode()) for part in parts)
    return (body + b"." + _base64(hmac.digest(TOKEN_KEY, body, "sha256"))).decode()


def _base64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """Run a server; skips the test where there is none."""
    program = needs("dovecot")
    if os.geteuid() != 0:
        pytest.skip("needs root, as whom alone Dovecot changes its user")
    # The users of Dovecot must come here; pytest's own folders are closed to them.
    place = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    place.chmod(0o755)
    imap, imaps, lmtp = _free_ports(3)
    server = Dovecot(imap, imaps, lmtp, trustme.CA())
    try:
        config = _configure(place, server)
        log = (place / "dovecot.log").open("wb")
        with log, subprocess.Popen([program, "-F", "-c", config], stdout=log, stderr=log) as process:
            try:
                _wait_for(server, place, process)
                yield server
            finally:
                process.terminate()
                process.wait(10)
    finally:
        shutil.rmtree(place)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _wait_for(server: Dovecot, place: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if process.poll() is not None:
            break
        try:
            for port in (server.imap, server.lmtp):
                with socket.create_connection(("127.0.0.1", port), 5) as line:
                    assert line.recv(4) in (b"* OK", b"220 ")
            return
        except OSError:
            subprocess.run(["sleep", "0.05"], check=True)
    raise AssertionError((place / "dovecot.log").read_text("utf-8", errors="replace"))


def _configure(place: Path, server: Dovecot) -> Path:
    (place / "mail").mkdir()
    shutil.chown(place / "mail", "mail", "mail")
    key = place / "keys" / "default" / "HS256"
    key.mkdir(parents=True)
    (key / "default").write_bytes(base64.b64encode(TOKEN_KEY))
    certificate = server.authority.issue_cert("127.0.0.1")
    certificate.private_key_and_cert_chain_pem.write_to_path(place / "server.pem")
    (place / "oauth2.conf").write_text(
        f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={place}/keys/\n"
    )
    (place / "dovecot.conf").write_text(_CONFIG.format(place=place, server=server))
    return place / "dovecot.conf"


_CONFIG = f"""
base_dir = {{place}}/run
state_dir = {{place}}/state
log_path = {{place}}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{{place}}/server.pem
ssl_key = <{{place}}/server.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
first_valid_uid = 1
mail_uid = mail
mail_gid = mail
mail_location = maildir:~/Maildir
mail_fsync = never
passdb {{{{
  driver = oauth2
  mechanisms = xoauth2
  args = {{place}}/oauth2.conf
}}}}
passdb {{{{
  driver = static
  args = password={PASSWORD}
}}}}
userdb {{{{
  driver = static
  args = uid=mail gid=mail home={{place}}/mail/%u allow_all_users=yes
}}}}
namespace inbox {{{{
  inbox = yes
  separator = /
}}}}
service imap-login {{{{
  inet_listener imap {{{{
    address = 127.0.0.1
    port = {{server.imap}}
  }}}}
  inet_listener imaps {{{{
    address = 127.0.0.1
    port = {{server.imaps}}
    ssl = yes
  }}}}
}}}}
service anvil {{{{
  unix_listener anvil-auth-penalty {{{{
    mode = 0
  }}}}
}}}}
service lmtp {{{{
  inet_listener lmtp {{{{
    address = 127.0.0.1
    port = {{server.lmtp}}
  }}}}
}}}}
"""
