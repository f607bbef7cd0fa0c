"""The reading room under load: readers and typists at once, while a turn is resolved in another process."""

from __future__ import annotations

import asyncio
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles

import httpx

from pbem.desk.access import sign_in
from pbem.desk.access.people import known_by
from pbem.desk.books.dossiers import load
from pbem.desk.house import demo
from pbem.desk.intake.receive import submit
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, SECOND, Office, clock, open_office
from pbem.desk.players import enrol
from pbem.desk.study.doctrine import Doctrine, choose
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.names import Moment, Role
from pbem.kernel.terms import Terms, changed
from tests.bench.measure import Job, Pair
from tests.kit.room import left_at

READERS, TYPISTS = 200, 20
PAUSE_OF_READER, PAUSE_OF_TYPIST = 5.0, 1.5
"""Seconds between two requests of one of them."""

LASTS = 20.0
"""Seconds of load; the first few, in which processes begin, are not counted."""

BEGINS = 5.0
BEFORE_DUE = 18
"""Seconds before the hour of the turn that an office on duty resolves meanwhile: it opens, and the load begins."""
LARGE, FIRST = "weldau", Moment.parse("S1")
HOST = "games.example.org"
GAME = "/games/stprivat-demo/french"
PAGES = ("/games", f"{GAME}/turns/3B", f"{GAME}/turns/2B", f"{GAME}/orders", f"{GAME}/letters", f"{GAME}/terms")
SHEET = (
    "move fc5-7 to M-9\nmove fc1-4 to P-8\nturn fg3 toward e\nhold f1-3 f6\nretreat all toward s\nmoove f24 to N-7\n"
)
SERVER = """
import sys
from pathlib import Path
from pbem.cli.web import served
served(Path(sys.argv[1]), sys.argv[2], behind=int(sys.argv[3]))
"""
ON_DUTY = """
import sys, threading
from pathlib import Path
from pbem.desk.house.duty import attend
from pbem.desk.office.office import clock, open_office
from pbem.web.serving import beside
behind = int(sys.argv[3])
with open_office(Path(sys.argv[1]), now=lambda: clock() - behind, mails=False) as office:
    with beside(office, sys.argv[2], print, behind=behind):
        attend(office, threading.Event(), print)
"""
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
async def page(request): return HTMLResponse("<h1>A page</h1>")
async def read(request):
    await request.body()
    return HTMLResponse("{}")
routes = [Route("/{path:path}", page), Route("/{path:path}", read, methods=["POST"])]
uvicorn.run(Starlette(routes=routes), port=int(sys.argv[2]), log_config=None, http="h11")
"""
RESOLVES = "from pbem.cli import main; main()"


@contextmanager
def _running(*command: str) -> Iterator[None]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as tried:
        return int(tried.getsockname()[1])


def _large(office: Office) -> int:
    """Open a large game in the office, of which a fully ordered turn comes due; gives its hour."""
    scenario = find_scenario(office.folder, "kriegsspiel/weldau")
    opened = enrol.new(office, LARGE, scenario, changed(Terms(), {"hours": 1, "nmr": "standing"}))
    for number, role in enumerate(opened.roles):
        enrol.add_player(office, LARGE, role, name=f"Player {number}", address=f"p{number}@player.example")
    orders = choose(scenario.folder, opened.roles)
    enrol.start(office, LARGE)
    _ordered(office, orders)
    adjudicate.run(office, LARGE, early=True, defaults=True)
    publish.release(office, LARGE, early=True)
    return _ordered(office, orders)


def _ordered(office: Office, orders: Mapping[Role, Doctrine]) -> int:
    """Hand in the first sheets of all for the exchange that is open, and none that it be run early; gives its hour."""
    with office.read() as connection:
        exchange = load(office, connection, LARGE).exchange()
    for role, doctrine in orders.items():
        lines = (f"turn {exchange.moment}", "wait on", *(line.text for line in doctrine.sheet(FIRST)))
        submit(office, LARGE, role, "\n".join(lines).encode())
    assert exchange.deadline is not None, "an exchange has an hour"
    return exchange.deadline


@contextmanager
def _office(folder: Path, *, on_duty: bool = False) -> Iterator[tuple[int, str, str]]:
    """The pages of the demonstration, with a turn of Kriegsspiel resolved beside; a port, cookies and a seal.

    *on_duty*: as `pbem run --web` has it, which resolves a turn of the same office when that is due under the load.
    """
    found, manifest, letters = demo.find_demo("st-privat")
    office, port = folder / "office", _free()
    list(demo.play(office, found, manifest, letters))
    with (office / "pbem.toml").open("a", encoding="utf-8") as file:
        file.write(f'[web]\nurl = "https://{HOST}"\n[clock]\ntick = 1\n')
    behind = clock() - left_at(office) - HOUR
    if on_duty:
        with open_office(office, now=lambda: clock() - behind, mails=False) as opened:
            behind = clock() + BEFORE_DUE * SECOND - _large(opened)
    server = ON_DUTY if on_duty else SERVER
    busy = ["-c", RESOLVES, "rules", "study", "kriegsspiel/weldau", "--games", "50", "--jobs", "1"]
    with ExitStack() as stack:
        opened = stack.enter_context(open_office(office, now=lambda: clock() - behind, mails=False))
        stack.enter_context(_running(sys.executable, "-c", server, str(office), f"127.0.0.1:{port}", str(behind)))
        stack.enter_context(_running(sys.executable, *busy))
        _wait(port)
        with opened.read() as connection:
            whose = known_by(opened, connection, "canrobert@player.example")
        cookies, seal = _signed_in(port, sign_in.handed_on(opened, whose))
        yield port, cookies, seal


def _wait(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as tried:
            if not tried.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.05)
    raise RuntimeError("the pages are not served")


def _signed_in(port: int, secret: str) -> tuple[str, str]:
    headers = {"host": HOST, "origin": f"https://{HOST}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as browser:
        page = browser.get(f"/sign-in/link/{secret}")
        known = page.headers["set-cookie"].partition(";")[0]
        answer = browser.post(page.url.path, data={"seal": _seal(page.text)}, headers={"cookie": known})
        cookies = "; ".join([known, *(one.partition(";")[0] for one in answer.headers.get_list("set-cookie"))])
        seal = _seal(browser.get(f"{GAME}/orders", headers={"cookie": cookies}).text)
    return cookies, seal


def _seal(page: str) -> str:
    found = re.search(r'name="seal" value="([^"]*)"', page)
    if found is None:
        raise RuntimeError("a page has no form")
    return found[1]


async def _load(port: int, cookies: str, seal: str) -> tuple[list[float], list[float]]:
    """Seconds of every page and of every reading.

    :raises RuntimeError: if one was answered with a fault.
    """
    pages: list[float] = []
    reads: list[float] = []
    began = time.monotonic()
    limits = httpx.Limits(max_connections=READERS + TYPISTS, max_keepalive_connections=READERS + TYPISTS)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60) as client:

        async def one(number: int, *, types: bool) -> None:
            chance = random.Random(number)
            pause = PAUSE_OF_TYPIST if types else PAUSE_OF_READER
            place = f"10.0.{number // 250}.{number % 250}"
            headers = {"host": HOST, "origin": f"https://{HOST}", "cookie": cookies, "x-forwarded-for": place}
            await asyncio.sleep(chance.random() * pause)
            while (at := time.monotonic() - began) < BEGINS + LASTS:
                start = time.perf_counter()
                if types:
                    answer = await client.post(f"{GAME}/read", data={"seal": seal, "sheet": SHEET}, headers=headers)
                else:
                    answer = await client.get(chance.choice(PAGES), headers=headers)
                if answer.status_code != 200:
                    raise RuntimeError(f"{answer.request.url} was answered with {answer.status_code}")
                took = time.perf_counter() - start
                if at > BEGINS:
                    (reads if types else pages).append(took)
                await asyncio.sleep(max(pause - took, 0))

        readers = (one(number, types=False) for number in range(READERS))
        typists = (one(READERS + number, types=True) for number in range(TYPISTS))
        await asyncio.gather(*readers, *typists)
    return pages, reads


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98]


@contextmanager
def pages(folder: Path) -> Iterator[Pair]:
    """What all but one page in a hundred take."""
    with _office(folder) as (port, cookies, seal):
        yield Pair(lambda: _p99(asyncio.run(_load(port, cookies, seal))[0]), 0.25)


@contextmanager
def reads(folder: Path) -> Iterator[Pair]:
    """What all but one reading of a sheet in a hundred take."""
    with _office(folder) as (port, cookies, seal):
        yield Pair(lambda: _p99(asyncio.run(_load(port, cookies, seal))[1]), 0.3)


@contextmanager
def pages_on_duty(folder: Path) -> Iterator[Pair]:
    """What all but one page in a hundred take while the same office resolves a turn."""
    with _office(folder, on_duty=True) as (port, cookies, seal):
        yield Pair(lambda: _p99(asyncio.run(_load(port, cookies, seal))[0]), 0.25)


@contextmanager
def reads_on_duty(folder: Path) -> Iterator[Pair]:
    """What all but one reading of a sheet in a hundred take while the same office resolves a turn."""
    with _office(folder, on_duty=True) as (port, cookies, seal):
        yield Pair(lambda: _p99(asyncio.run(_load(port, cookies, seal))[1]), 0.3)


@contextmanager
def bare(_: Path) -> Iterator[Pair]:
    """The same load upon a bare page: what the load itself costs here."""
    port = _free()
    with _running(sys.executable, "-c", BARE, "x", str(port)):
        _wait(port)
        yield Pair(lambda: _p99(asyncio.run(_load(port, "", ""))[0]), 0.05)


ON_DUTY_LOAD = f"{READERS} readers and {TYPISTS} typists under pbem run --web, which plays Weldau, and another turn"
LOAD = f"{READERS} readers and {TYPISTS} typists, a turn of Kriegsspiel resolved beside"
JOBS = (
    Job(
        name="web-bare",
        what=f"{READERS} readers and {TYPISTS} typists on a bare Starlette page: 99 % of all pages",
        base="limit",
        target=1,
        prepare=bare,
        rounds=1,
        unit="longest",
    ),
    Job(
        name="web-page",
        what=f"{LOAD}: 99 % of all pages",
        base="limit",
        target=1,
        prepare=pages,
        rounds=1,
        unit="longest",
    ),
    Job(
        name="web-read",
        what=f"{LOAD}: 99 % of all sheets that are read",
        base="limit",
        target=1,
        prepare=reads,
        rounds=1,
        unit="longest",
    ),
    Job(
        name="web-run-page",
        what=f"{ON_DUTY_LOAD}: 99 % of all pages",
        base="limit",
        target=1,
        prepare=pages_on_duty,
        rounds=1,
        unit="longest",
    ),
    Job(
        name="web-run-read",
        what=f"{ON_DUTY_LOAD}: 99 % of all sheets that are read",
        base="limit",
        target=1,
        prepare=reads_on_duty,
        rounds=1,
        unit="longest",
    ),
)
