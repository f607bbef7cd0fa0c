"""Letters that a mail server of this machine, or of a network of one's own, hands over, by LMTP (RFC 2033) or SMTP.

    DATA  →  keep: stored and committed  →  250
                    or set aside in a Maildir  →  250
                                            or  →  451: it is offered again

Nothing is said to the other side before the letter is safe.  Behind Postfix: `virtual_transport = lmtp:127.0.0.1:PORT`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import AnyStr, Final, Literal

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from pbem.mail.doors.emergency import NotKept, set_aside
from pbem.mail.doors.kit import BadDoor
from pbem.mail.wire.envelope import delivered
from pbem.mail.wire.limits import MAX_LETTER

Keep = Callable[[bytes], None]
"""Stores a letter and commits; whatever it raises means that the letter is not safe."""

_LEAVE: Final = 10.0  # seconds for the letters that are being kept when we are to stop
_SAID: Final = 0.05  # seconds for the last answers to leave
_SILENCE: Final = 300.0  # seconds after which a client that says nothing is hung up on


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """Where letters are taken in: from this machine, and from networks of one's own; who comes in is believed."""

    protocol: Literal["lmtp", "smtp"] = "lmtp"
    host: str = "127.0.0.1"
    port: int = 0
    """0: one that is free."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Those of whose machines letters are taken too.  Without any the door opens on this machine alone."""

    name: str = "localhost"
    """What the office calls itself."""

    limit: int = MAX_LETTER
    """Bytes of a letter; more is refused for good (552)."""

    def is_for(self, host: object) -> bool:
        """Whether who calls from *host* may come in."""
        return _is_here(str(host)) or any(ip_address(str(host)) in network for network in self.networks)


@contextmanager
def taking_in(
    door: Door,
    keep: Keep,
    *,
    emergency: Path | None = None,
    told: Callable[[str], None] = lambda what: None,
) -> Iterator[int]:
    """Take in letters, in a thread, until the block ends; gives the port.

    Letters are kept one after the other.  *emergency*: the Maildir for those that *keep* does not take.  *told* hears
    of each that was not kept, and why.

    :raises BadDoor: if the door opens to all the world, or somebody else stands in it.
    """
    if not (_is_here(door.host) or door.networks):
        raise BadDoor(
            f"{door.host} is not an address of this machine alone: letters are taken in at 127.0.0.1 or ::1, "
            "or from the networks that the settings name."
        )
    office = _Office(door, keep, emergency, told)
    thread = threading.Thread(target=asyncio.run, args=(office.open(),), name=f"{door.protocol} door", daemon=True)
    thread.start()
    try:
        office.opened.wait()
        if office.failed:
            raise BadDoor(f"{door.host}:{door.port}: {office.failed}")
        yield office.port
    finally:
        office.close()
        thread.join()
        office.one_by_one.shutdown()


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class _Office:
    """What stands behind the door; one for all connections."""

    def __init__(self, door: Door, keep: Keep, emergency: Path | None, told: Callable[[str], None]) -> None:
        self._door, self._keep, self._emergency, self._told = door, keep, emergency, told
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = asyncio.Event()
        self._lines: set[_Line] = set()
        self.one_by_one = ThreadPoolExecutor(1, thread_name_prefix="keep")
        self.opened = threading.Event()
        self.failed = ""
        self.port = 0

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        line = _LmtpLine if self._door.protocol == "lmtp" else _Line
        try:
            server = await self._loop.create_server(lambda: line(self, self._door), self._door.host, self._door.port)
        except OSError as error:
            self.failed = f"{(error.strerror or str(error)).lower()}."
            self.opened.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        self.opened.set()
        await self._closing.wait()
        server.close()
        await self._leave()
        await server.wait_closed()

    def close(self) -> None:
        if self._loop is not None and not self.failed:
            self._loop.call_soon_threadsafe(self._closing.set)

    async def handle_exception(self, error: Exception) -> str:
        """Whatever goes wrong here, the letter is to come again."""
        self._told(f"a letter was not taken in: {error}")
        return "451 4.3.0 something went wrong in the office, come again"

    async def _leave(self) -> None:
        """Let the letters that are being kept be answered, then hang up."""
        busy = [line.kept for line in self._lines if line.kept is not None]
        if busy:
            await asyncio.wait(busy, timeout=_LEAVE)
            await asyncio.sleep(_SAID)
        for line in list(self._lines):
            line.hang_up()

    def came(self, line: _Line) -> None:
        self._lines.add(line)

    def left(self, line: _Line) -> None:
        self._lines.discard(line)

    async def handle_DATA(  # noqa: N802 – aiosmtpd calls it so
        self, line: _Line, session: Session, envelope: Envelope
    ) -> str:
        if self._closing.is_set():
            return "421 4.3.2 the office closes, come again"
        raw = delivered(envelope.original_content or b"", envelope.rcpt_tos, envelope.mail_from or "")
        loop = asyncio.get_running_loop()
        line.kept = loop.run_in_executor(self.one_by_one, self._safe, raw)
        return await line.kept

    def _safe(self, raw: bytes) -> str:
        """Make the letter safe; gives what there is to say to the other side."""
        try:
            self._keep(raw)
        except Exception as error:
            fault = f"a letter of {len(raw)} bytes was not kept: {error}"
        else:
            return "250 2.0.0 kept"
        if self._emergency is not None:
            try:
                place = set_aside(self._emergency, raw)
            except NotKept as error:
                fault = f"{fault} {error}"
            else:
                self._told(f"{fault} It lies in {place}.")
                return "250 2.0.0 set aside"
        self._told(fault)
        return "451 4.3.0 the office cannot keep letters now, come again"


class _Line(SMTP):
    """One connection."""

    def __init__(self, office: _Office, door: Door) -> None:
        # Mail servers break long lines as little as they may; a letter is not refused for one.
        self.line_length_limit = door.limit
        super().__init__(office, data_size_limit=door.limit, hostname=door.name, ident="pbem", timeout=_SILENCE)
        self._office, self._door = office, door
        self.kept: asyncio.Future[str] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._office.came(self)
        if not self._door.is_for(transport.get_extra_info("peername")[0]):
            self.hang_up()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._office.left(self)

    def hang_up(self) -> None:
        if self.transport is not None:
            self.transport.close()

    async def push(self, status: AnyStr) -> None:
        if _begins(status, "500 Line too long"):
            await super().push("552 5.3.4 a line of the letter is longer than a letter may be")
        else:
            await super().push(status)


class _LmtpLine(_Line):
    """One connection by LMTP, where a letter is answered once for each of its recipients."""

    show_smtp_greeting = False
    _answers = _waiting = 1

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, hostname: str) -> None:  # noqa: N802 – aiosmtpd calls it so
        await super().smtp_EHLO(hostname)

    async def smtp_HELO(self, hostname: str) -> None:  # noqa: N802 – aiosmtpd calls it so
        await self.push("500 5.5.1 this is LMTP: say LHLO")

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802 – aiosmtpd calls it so
        await self.push("500 5.5.1 this is LMTP: say LHLO")

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 – aiosmtpd calls it so
        self._waiting = len(self.envelope.rcpt_tos) if self.envelope else 1
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 1

    async def push(self, status: AnyStr) -> None:
        for _ in range(self._answers):
            await super().push(status)
        if _begins(status, "354"):
            self._answers = self._waiting


def _begins(status: str | bytes, words: str) -> bool:
    return isinstance(status, str) and status.startswith(words)
