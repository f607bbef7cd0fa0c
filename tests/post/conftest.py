"""A Postfix between an office and the mailboxes of its players."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.kit.dovecot import Dovecot, dovecot
from tests.kit.postfix import PIPE, Postfix, postfix


class Post(NamedTuple):
    """All that carries letters: what is sent to `player.example` is laid into a mailbox."""

    postfix: Postfix
    dovecot: Dovecot
    lmtp: int
    """Where the office of `office.example` takes letters in."""


class Gone:
    """The mail server of `gone.example`, where nobody reads any more."""

    async def handle_RCPT(  # noqa: N802 – aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        return "550 5.1.1 nobody of that name reads here"


class _FreePort(Controller):
    """A server on a port that the system chooses."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call] # aiosmtpd publishes no types for it


@pytest.fixture(scope="session")
def post() -> Iterator[Post]:
    """The servers, up."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        lmtp = one.getsockname()[1]
    gone = _FreePort(Gone(), hostname="127.0.0.1", port=0)
    gone.start()
    try:
        with dovecot() as mailboxes:
            transports = {
                "office.example": f"lmtp:inet:127.0.0.1:{lmtp}",
                "pipe.office.example": f"{PIPE}:",
                "player.example": f"lmtp:inet:127.0.0.1:{mailboxes.lmtp}",
                "gone.example": f"smtp:[127.0.0.1]:{gone.port}",
            }
            with postfix(transports) as server:
                yield Post(server, mailboxes, lmtp)
    finally:
        gone.stop()
