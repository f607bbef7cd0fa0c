"""What stands before every page: bounds on what is sent, who sent it, and what the browser is told of every answer.

A request is turned away before anything of it is read, with an answer in words: a host that is not ours, a form that
comes from another site, a body that is too large or does not end, too many requests from one place.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.reports.text.speech import phrase_later

SLOWEST = 20.0
"""Seconds within which all that belongs to a request must have come."""

LONGEST_URL = 2_000
LONGEST_HEAD = 16 * 1024
"""Bytes of all headers of a request."""

MOST_HEADERS = 100
LARGEST = 6 * 1024 * 1024
"""Bytes that no request may have, whatever its page takes."""

A_MINUTE = 600
"""Requests from one place within a minute, at most; and so many at once."""

PLACES = 20_000
"""So many places are remembered."""

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS: Mapping[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=()",
    b"x-robots-tag": b"noindex",
}


class Refusal(Exception):
    """A request is turned away: a status, and why in a sentence."""

    def __init__(self, status: int, why: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(why)
        self.status, self.why, self.headers = status, why, dict(headers or {})


class Place(Struct, frozen=True):
    """Where the pages are reached."""

    url: str
    """`https://games.example.org`, without a stroke at its end."""
    hosts: frozenset[str]
    """What stands in Host, in lower case."""

    @property
    def secure(self) -> bool:
        """Whether it is reached by TLS alone."""
        return self.url.startswith("https:")


def place_of_url(url: str, bind: str) -> Place:
    """Where pages are reached that are served at *bind*: at the *url*, or without one at this machine alone."""
    if url:
        return Place(url.rstrip("/"), frozenset({urlsplit(url).netloc.lower()}))
    port = bind.rpartition(":")[2]
    names = ("127.0.0.1", "localhost", "[::1]")
    return Place(f"http://{bind}", frozenset({bind.lower(), *(f"{name}:{port}" for name in names)}))


class Bucket:
    """How much of *most* a minute each place has left."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, who: str, *, now: float | None = None) -> bool:
        """Take one, if there is one left."""
        at = time.monotonic() if now is None else now
        left, since = self._left.pop(who, (self._most, at))
        left = min(self._most, left + (at - since) * self._most / 60)
        self._left[who] = (left - 1 if left >= 1 else left, at)
        while len(self._left) > PLACES:
            self._left.popitem(last=False)
        return left >= 1


class Guard:
    """The middleware: it lets through what is in order, and writes its headers on every answer."""

    def __init__(self, app: ASGIApp, *, place: Place, refused: ASGIApp) -> None:
        self._app, self._place, self._refused = app, place, refused
        self._bucket = Bucket(A_MINUTE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in HEADERS.items() if name not in there]
                if b"cache-control" not in there:
                    more.append((b"cache-control", b"no-store"))
                if self._place.secure:
                    more.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = [*message["headers"], *more]
            await send(message)

        try:
            self._see(scope)
        except Refusal as refusal:
            scope["refusal"] = refusal
            await self._refused(scope, receive, headed)
            return
        await self._app(scope, receive, headed)

    def _see(self, scope: Scope) -> None:
        """See whether a request may come in at all.

        :raises Refusal: if not.
        """
        request = Request(scope)
        headers = request.headers
        if len(headers.raw) > MOST_HEADERS or sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
            raise Refusal(431, phrase_later("More was said about that request than in it.  Nothing was done."))
        if headers.get("host", "").lower() not in self._place.hosts or len(headers.getlist("host")) != 1:
            raise Refusal(421, phrase_later("This office is not known by that name."))
        if len(request.url.path) + len(request.url.query) > LONGEST_URL:
            raise Refusal(414, phrase_later("That address is longer than any of this office."))
        if not self._bucket.takes(request.client.host if request.client else ""):
            raise Refusal(
                429,
                phrase_later("There were too many requests from there within a minute.  Wait a little."),
                {"Retry-After": "20"},
            )
        said = headers.get("content-length", "0")
        if not said.isdecimal() or len(said) > 12:
            raise Refusal(400, phrase_later("What was sent does not say how long it is."))
        if int(said) > LARGEST:
            raise Refusal(413, phrase_later("What was sent is larger than anything that this office takes."))
        if scope["method"] == "POST" and not _from_here(headers, self._place):
            raise Refusal(403, phrase_later("That form was sent from another site.  Nothing was done."))


def _from_here(headers: Headers, place: Place) -> bool:
    """Whether what is sent comes from a page of ours, or from a program that bears its own proof."""
    if headers.get("authorization", "").lower().startswith("bearer "):
        return True  # no page of another site can have a browser send that without asking first, and it is refused
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin != "null":
        return origin.lower() == place.url.lower() or urlsplit(origin).netloc.lower() in place.hosts
    return site in ("same-origin", "none") if site is not None else origin is None


async def body_of(request: Request, most: int) -> bytes:
    """All that was sent, if it is no more than *most* bytes and comes in time.

    :raises Refusal: if not.
    """
    parts: list[bytes] = []
    size = 0

    async def read() -> None:
        nonlocal size
        async for part in request.stream():
            size += len(part)
            if size > most:
                kilobytes = f"{most // 1024:,} kB"
                raise Refusal(413, f"That is too large: at most {kilobytes} are taken here.  Nothing of it was taken.")
            parts.append(part)

    try:
        await asyncio.wait_for(read(), SLOWEST)
    except TimeoutError:
        why = phrase_later("What was sent did not come to its end in time.  Nothing of it was taken.")
        raise Refusal(408, why) from None
    return b"".join(parts)
