"""What programs that watch over the office ask for: whether it lives and is ready, for anybody; how it stands, for few.

It stands before the guard: such a program calls the office by the address of its machine, not by its name.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.desk.house.watched import METRICS, PATHS, Watch
from pbem.desk.office.office import Office
from pbem.web.guard import Place

_LONGEST = 5.0
"""Seconds for an answer: whoever watches takes no word for a bad word."""


class Watched:
    """The middleware: it answers what `pbem.desk.house.watched` tells, and lets all else through."""

    def __init__(self, app: ASGIApp, *, office: Office, place: Place) -> None:
        self._app, self._office, self._place = app, office, place
        self._watch = Watch(office)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http" or scope["path"] not in PATHS or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if scope["path"] == METRICS and not self._may_read(request):
            await self._app(scope, receive, send)  # where nobody finds such a page
            return
        try:
            told = await asyncio.wait_for(asyncio.to_thread(self._watch.tell, scope["path"]), _LONGEST)
        except TimeoutError:
            told = None
        if told is None:
            response = Response("the database does not answer\n", 503)
        else:
            response = Response(told.text, told.status, headers={"Content-Type": told.media})
        response.headers["Cache-Control"] = "no-store"
        await response(scope, receive, send)

    def _may_read(self, request: Request) -> bool:
        web = self._office.settings.web
        # By the name of the pages the whole net asks, through a proxy, whose own address says nothing of who does.
        if web.url and request.headers.get("host", "").lower() in self._place.hosts:
            return False
        try:
            sender = ip_address(request.client.host if request.client else "")
        except ValueError:
            return False
        return any(sender in network for network in web.watchers)
