"""The reading room, served."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from socket import socket

import uvicorn
from fastapi import FastAPI

from pbem.desk.house import nodes
from pbem.desk.house.lasting import Lasting
from pbem.desk.house.saying import voice
from pbem.desk.house.service import Service
from pbem.desk.office.office import Office, clock, open_office
from pbem.desk.office.settings import place_of
from pbem.desk.post.writing import maps_later
from pbem.kernel.errors import PbemError, Refused
from pbem.web.application import application
from pbem.web.guard import LONGEST_HEAD
from pbem.web.works import bound

Say = Callable[[str], None]

AT_ONCE = 400
"""So many requests are answered at a time; more are told to come again."""

AGAIN = 5
"""Seconds after which pages that were lost are served again."""

IDLE = 15
"""Seconds for which a connection is kept that asks for nothing."""


def see_safe(office: Office, bind: str) -> tuple[str, int]:
    """The address and port to serve at.

    :raises Refused: if others could listen to what is said there.
    """
    found = place_of(bind)
    if found is None:
        raise Refused(f'"{bind}" is no address and port: write it like 127.0.0.1:8080')
    host, port = found
    url = office.settings.web.url
    if host not in ("127.0.0.1", "::1", "localhost") and not url.startswith("https://"):
        raise Refused(
            f"{bind} can be reached from other machines, and what is said there could be read on the way: put a server "
            'that speaks TLS before it (deploy/ has two), and write [web] url = "https://…" into pbem.toml.'
        )
    return host, port


def configured(office: Office, app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """How the pages of *office* are served: within bounds, and with the word of a proxy only where there is one."""
    web = office.settings.web
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(web.url),
        forwarded_allow_ips=list(web.proxies),
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=5,
        limit_concurrency=AT_ONCE,
        http="h11",
        ws="none",
    )


class _Server(uvicorn.Server):
    """It tells a *service* when it can be reached, and when it ends."""

    def __init__(self, config: uvicorn.Config, service: Service | None) -> None:
        super().__init__(config)
        self._service = service

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self._service and self.started:
            self._service.ready()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        if self._service:
            self._service.stopping()
        await super().shutdown(sockets)


def _end(*_: object) -> None:
    # The server raises the signal again when it has ended; let it end the rest in order, as Ctrl-C does.
    raise SystemExit(0)


def serve(
    folder: Path,
    bind: str,
    say: Say,
    *,
    behind: int = 0,
    mails: bool = True,
    on_duty: bool = False,
    service: Service | None = None,
) -> None:
    """Serve the office in *folder* until it is stopped; *behind*: by how many microseconds its clock is.

    *on_duty*: beside an office on duty, which draws the maps of what is released here; *service*: whom to tell of it.

    :raises Refused: if it cannot be served there, or has not the office's key.
    :raises StorageError: if its database cannot be used.
    """
    with ExitStack() as until:
        office = until.enter_context(open_office(folder, now=lambda: clock() - behind, mails=mails))
        if on_duty:
            until.enter_context(maps_later(office))
        host, port = see_safe(office, bind or office.settings.web.bind)
        until.enter_context(nodes.on_duty(office, "web"))
        app = application(bound(office, f"{host}:{port}", office.settings.web.url), behind=behind, say=say)
        say(f"the reading room is open: {office.settings.web.url or f'http://{host}:{port}'}/")
        config = configured(office, app, host, port)
        signal.signal(signal.SIGTERM, _end)
        _Server(config, service).run()


@contextmanager
def beside(office: Office, bind: str, say: Say, *, behind: int = 0) -> Iterator[None]:
    """Have the pages of *office* served by a process beside this one until the block ends; it is begun again if lost.

    *behind*: by how many microseconds their clock is.

    :raises Refused: if they cannot be served there.
    """
    see_safe(office, bind or office.settings.web.bind)

    def lost(how: object) -> None:
        say(f"the pages were lost ({how}): they are served again in {AGAIN} seconds")

    pages = Lasting(_served, (office.folder, bind, behind), name="pages", lost=lost, again=AGAIN)
    try:
        yield
    finally:
        pages.end()


def _served(folder: Path, bind: str, behind: int) -> None:
    say = voice(clock, partial(print, flush=True))
    try:
        serve(folder, bind, say, behind=behind, on_duty=True)
    except PbemError as error:
        say(str(error))
        raise SystemExit(1) from None
