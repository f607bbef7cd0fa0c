"""Letters leave by SMTP; what the server says of each is told apart as sent, to be tried again, or failed for good."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Literal

import aiosmtplib
import msgspec

from pbem.mail.leaving.fate import Fate

_ENVELOPE: Final = re.compile(r"[!-;=?A-~]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")
_ADDRESS_LITERAL: Final = re.compile(r"[!-;=?A-~]{1,64}@\[[0-9A-Za-z:.]{1,60}\]")
_WORDS: Final = 400
_OK: Final = 250
_TRANSIENT: Final = 400
_CLOSING: Final = 421
_PERMANENT: Final = 500
_NOT_THE_LETTER: Final = frozenset({530, 534, 535, 538})
"""Refusals that ask for a login (RFC 4954): of whoever writes, whatever he writes."""


class SmtpServer(msgspec.Struct, frozen=True, kw_only=True):
    """Where letters are handed over."""

    host: str
    port: int = 25
    security: Literal["none", "starttls", "tls"] = "none"
    """Without encryption, encrypted after the greeting, or from the first byte; the certificate is always checked."""

    user: str = ""
    """No login without it."""

    password: str = ""
    timeout: float = 60.0
    """Seconds for one answer of the server."""

    certificates: ssl.SSLContext | None = None
    """Whom to trust; the system's authorities if None."""

    hello: str = "localhost"
    """What this machine calls itself."""

    def __repr__(self) -> str:
        return f"SmtpServer(host={self.host!r}, port={self.port}, security={self.security!r}, user={self.user!r})"


class Answer(msgspec.Struct, frozen=True):
    """What the server said of one recipient."""

    recipient: str
    fate: Fate
    code: int
    """Of SMTP; 0 if the server said nothing."""

    words: str
    """The server's own."""


class Delivery(msgspec.Struct, frozen=True):
    """What became of one letter, recipient by recipient."""

    answers: tuple[Answer, ...]

    @property
    def fate(self) -> Fate:
        """Of the whole: sent if for all, to be tried again if for any, else failed."""
        fates = {answer.fate for answer in self.answers}
        if fates == {Fate.SENT}:
            return Fate.SENT
        return Fate.RETRY if Fate.RETRY in fates else Fate.FAILED

    @property
    def words(self) -> str:
        """What the server said, once each."""
        said = (f"{answer.code} {answer.words}" if answer.code else answer.words for answer in self.answers)
        return "; ".join(dict.fromkeys(said))


async def deliver(raw: bytes, sender: str, recipients: Sequence[str], server: SmtpServer) -> Delivery:
    """Hand one letter over; never raises for what a server or a network does.

    *sender* is the envelope's: "" for letters that must not come back.
    """
    async with connection(server) as line:
        return await line.send(raw, sender, recipients)


async def reach(server: SmtpServer) -> str:
    """Come in and take leave; gives what stands in the way, or nothing."""
    async with connection(server) as line:
        try:
            await line.open()
        except (aiosmtplib.SMTPException, OSError, EOFError) as error:
            return _short(_said(error))
    return ""


@asynccontextmanager
async def connection(server: SmtpServer) -> AsyncIterator[Line]:
    """A line to *server* for several letters; it is opened with the first one."""
    line = Line(server)
    try:
        yield line
    finally:
        await line.close()


class Line:
    """One connection, over which several letters may leave; it is opened again if it breaks."""

    def __init__(self, server: SmtpServer) -> None:
        self._server = server
        self._client: aiosmtplib.SMTP | None = None

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Delivery:
        """Hand one letter over; see `deliver`."""
        envelope = [*([sender] if sender else []), *recipients]
        for address in envelope:
            if not is_envelope_address(address):
                return _same_for_all(recipients, Fate.FAILED, f"{address!r} is no address that a letter can have")
        used = self._client is not None
        delivery = await self._send(raw, sender, recipients)
        if used and all(answer.code == _CLOSING for answer in delivery.answers):
            # Many a server takes so many letters over one line and no more: that is no fault of this one.
            await self.close()
            return await self._send(raw, sender, recipients)
        return delivery

    async def _send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Delivery:
        try:
            client = await self.open()
        except (aiosmtplib.SMTPException, OSError, EOFError) as error:
            # A wrong password or certificate is no fault of the letter: it waits until the office is set right.
            return _same_for_all(recipients, Fate.RETRY, f"no connection to {self._server.host}: {_said(error)}")
        try:
            refused, words = await client.sendmail(sender, list(recipients), raw)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return Delivery(tuple(_answer(one.recipient, one.code, one.message) for one in error.recipients))
        except aiosmtplib.SMTPResponseException as error:
            if error.code == _CLOSING:
                await self.close()
            return Delivery(tuple(_answer(one, error.code, error.message) for one in recipients))
        except (aiosmtplib.SMTPException, OSError, EOFError) as error:
            await self.close()
            return _same_for_all(recipients, Fate.RETRY, _said(error))
        return Delivery(
            tuple(
                _answer(one, refused[one].code, refused[one].message) if one in refused else _answer(one, _OK, words)
                for one in recipients
            )
        )

    async def close(self) -> None:
        """Take leave of the server, if it still listens."""
        client, self._client = self._client, None
        if client is not None:
            transport = client.transport
            with suppress(aiosmtplib.SMTPException, OSError, EOFError):
                await client.quit()
            await _hang_up(client, transport)

    async def open(self) -> aiosmtplib.SMTP:
        """The connection, opened if there is none.

        :raises aiosmtplib.SMTPException: or OSError, EOFError, if the server cannot be reached or lets us not in.
        """
        if self._client is not None and self._client.is_connected:
            return self._client
        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            timeout=server.timeout,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=server.certificates,
            local_hostname=server.hello,
        )
        try:
            await client.connect()
            if server.user:
                await client.login(server.user, server.password)
        except BaseException:
            await _hang_up(client, client.transport)
            raise
        self._client = client
        return client


async def _hang_up(client: aiosmtplib.SMTP, transport: asyncio.BaseTransport | None) -> None:
    """Let go of the socket at once: a server that is slow to end its encryption would hold it longer than the loop."""
    client.close()
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()
    await asyncio.sleep(0)  # the loop closes the socket in its next round


def is_envelope_address(address: str) -> bool:
    """Whether an address can stand in an SMTP command: ASCII, one `@`, no blank, bracket or line break.

    >>> is_envelope_address("gm+x@example.org"), is_envelope_address("gm@example.org>\\r\\nRCPT TO:<x@y.org")
    (True, False)
    """
    return bool(_ENVELOPE.fullmatch(address) or _ADDRESS_LITERAL.fullmatch(address))


def _answer(recipient: str, code: int, words: str) -> Answer:
    fate = Fate.SENT if code < _TRANSIENT else Fate.FAILED if code >= _PERMANENT else Fate.RETRY
    return Answer(recipient, Fate.RETRY if code in _NOT_THE_LETTER else fate, code, _short(words))


def _same_for_all(recipients: Sequence[str], fate: Fate, words: str) -> Delivery:
    return Delivery(tuple(Answer(one, fate, 0, _short(words)) for one in recipients))


def _said(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"
    return str(error) or type(error).__name__


def _short(words: str) -> str:
    return " ".join(words.split())[:_WORDS]
