"""The reading room, served."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import uvicorn

from pbem.desk.office.office import Office, clock, open_office
from pbem.desk.office.settings import place_of
from pbem.kernel.errors import Refused
from pbem.web.application import application
from pbem.web.works import bound

Say = Callable[[str], None]

HEAD = 16 * 1024
"""Bytes of all headers of a request."""

AT_ONCE = 400
"""So many requests are answered at a time; more are told to come again."""

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


def serve(folder: Path, bind: str, say: Say, *, behind: int = 0, mails: bool = True) -> None:
    """Serve the office in *folder* until it is stopped; *behind*: by how many microseconds its clock is.

    :raises Refused: if it cannot be served there.
    :raises StorageError: if its database cannot be used.
    """
    with open_office(folder, now=lambda: clock() - behind, mails=mails) as office:
        host, port = see_safe(office, bind or office.settings.web.bind)
        app = application(bound(office, f"{host}:{port}"), behind=behind, say=say)
        say(f"the reading room is open: {office.settings.web.url or f'http://{host}:{port}'}/")
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            proxy_headers=bool(office.settings.web.url),
            forwarded_allow_ips=list(office.settings.web.proxies),
            h11_max_incomplete_event_size=HEAD,
            timeout_keep_alive=IDLE,
            timeout_graceful_shutdown=5,
            limit_concurrency=AT_ONCE,
            http="h11",
            ws="none",
        )
        uvicorn.Server(config).run()
