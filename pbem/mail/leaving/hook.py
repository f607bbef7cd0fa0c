"""A program is told something at an https address of its owner's, as Standard Webhooks (standardwebhooks.com) says.

Whoever gives the address chooses what is asked from inside the office's network: so a host is looked up once, no
address of it is asked that is not the whole net's, but for networks that the office allows, and no answer leads on.
"""

from __future__ import annotations

import base64
import hmac
import socket
import ssl
from collections.abc import Sequence
from contextlib import closing, suppress
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from pbem.mail.leaving.fate import Fate

Network = IPv4Network | IPv6Network
Ip = IPv4Address | IPv6Address

TIMEOUT: Final = 10.0
"""Seconds for the connection, and for each piece of the answer."""
WHOLE: Final = 20.0
"""Seconds for all of it."""
LONGEST: Final = 500
GONE: Final = 410
_SAID: Final = 200
_NAT64: Final = IPv6Network("64:ff9b::/96")
_WELL: Final = range(200, 300)


class Place(Struct, frozen=True):
    """An address that was taken apart."""

    host: str
    port: int
    path: str


class Told(Struct, frozen=True):
    """What came of telling it."""

    fate: Fate
    words: str
    gone: bool = False
    """It is not to be told again there."""


class BadPlace(ValueError):
    """No address at which a program can be told; says why."""


def place_of(address: str) -> Place:
    """An address taken apart.

    :raises BadPlace: if it is no https address, or bears a name and a password.

    >>> place_of("https://bot.example.org/pbem?x=1")
    Place(host='bot.example.org', port=443, path='/pbem?x=1')
    """
    if len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        raise BadPlace(f"it is no address of letters, digits and signs, of {LONGEST} at most")
    try:
        parts = urlsplit(address)
        port = parts.port or 443
    except ValueError:
        raise BadPlace("it is no address") from None
    if parts.scheme != "https":
        raise BadPlace("it does not begin with https://: what is told is told to nobody on the way")
    if parts.username is not None or parts.password is not None:
        raise BadPlace("it bears a name or a password: what is told is signed instead")
    if not parts.hostname or parts.fragment:
        raise BadPlace("it is no address of a host")
    query = f"?{parts.query}" if parts.query else ""
    return Place(parts.hostname, port, f"{parts.path or '/'}{query}")


def reached(place: Place, allowed: Sequence[Network]) -> str:
    """The address on the net at which a host is asked: the first that may be.

    :raises BadPlace: if there is none.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        found = []
    for *_, at in found:
        if may_be_asked(ip_address(str(at[0]).partition("%")[0]), allowed):
            return str(at[0])
    raise BadPlace(f"there is no host {place.host} on the whole net")


def may_be_asked(ip: Ip, allowed: Sequence[Network]) -> bool:
    """Whether a host may be asked at *ip*: it is the whole net's, in whatever it is wrapped, or one of *allowed*.

    >>> may_be_asked(ip_address("93.184.215.14"), ()), may_be_asked(ip_address("::ffff:127.0.0.1"), ())
    (True, False)
    """
    if any(ip.version == one.version and ip in one for one in allowed):
        return True
    return all(one.is_global and not one.is_multicast for one in _within(ip))


def _within(ip: Ip) -> list[Ip]:
    """An address, and the older ones that are written into it."""
    if isinstance(ip, IPv4Address):
        return [ip]
    if ip.ipv4_mapped:
        return [ip.ipv4_mapped]
    found: list[Ip] = [ip]
    if ip.sixtofour:
        found.append(ip.sixtofour)
    if ip.teredo:
        found += ip.teredo
    if ip in _NAT64:
        found.append(IPv4Address(int(ip) & 0xFFFFFFFF))
    return found


def tell(
    address: str, body: bytes, *, id: str, at: int, secret: bytes, allowed: Sequence[Network], trust: ssl.SSLContext
) -> Told:
    """Post *body*, which is JSON, signed with *secret*; *id* names what is told, *at* is now in seconds.

    *allowed*: networks that are asked though they are not the whole net's.
    """
    try:
        place = place_of(address)
        ip = reached(place, allowed)
    except BadPlace as bad:
        return Told(Fate.RETRY, str(bad))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "pbem",
        "Connection": "close",
        "webhook-id": id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, id, at, body),
    }
    connection = _Pinned(place, ip, trust)
    over = Timer(WHOLE, connection.cut)
    over.daemon = True
    over.start()
    try:
        with closing(connection):
            connection.request("POST", place.path, body, headers)
            status = connection.getresponse().status
    except (OSError, HTTPException, ValueError) as error:
        return Told(Fate.RETRY, f"{type(error).__name__}: {error}"[:_SAID])
    finally:
        over.cancel()
    if status in _WELL:
        return Told(Fate.SENT, f"answered {status}")
    if status == GONE:
        return Told(Fate.FAILED, f"answered {status}: it is told no more there", gone=True)
    return Told(Fate.RETRY, f"answered {status}")


def signature(secret: bytes, id: str, at: int, body: bytes) -> str:
    """What proves that it was this office: HMAC-SHA-256 over id, time and body (Standard Webhooks, `v1`)."""
    signed = b".".join((id.encode(), str(at).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(secret, signed, 'sha256')).decode()}"


class _Pinned(HTTPSConnection):
    """A connection to one address on the net, whose certificate is that of the host."""

    def __init__(self, place: Place, ip: str, trust: ssl.SSLContext) -> None:
        super().__init__(place.host, place.port, timeout=TIMEOUT, context=trust)
        self._ip, self._trust = ip, trust

    def connect(self) -> None:
        """Connect to the address that was looked at, and to no other."""
        self.sock = socket.create_connection((self._ip, self.port), TIMEOUT)
        # The handshake comes after, when the socket is at hand for whoever cuts it.
        wrapped = self._trust.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = wrapped
        wrapped.do_handshake()

    def cut(self) -> None:
        """End it from another thread, whatever it waits for."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)
