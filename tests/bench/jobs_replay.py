"""The file of a game: a whole battle of St. Privat through three pairs of eyes, drawn, and in a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page

from pbem.reports.pages.environment import environment
from pbem.reports.replay.beside import Beside
from pbem.reports.replay.page import published_html
from pbem.reports.replay.record import record
from pbem.resources import resources
from pbem.rules.reel import TRUTH, Reel
from tests.bench.measure import Job, Pair
from tests.bench.offices import played
from tests.kit import browser
from tests.systems.reels import reel_of

STEPS = """async () => {
  const last = +document.getElementById("r-at").max, times = [];
  for (let at = 0; at < last; at++) {
    document.getElementById("r-next").click();
    times.push(+document.documentElement.dataset.step);
    await new Promise(done => setTimeout(done));
  }
  return times.sort((one, other) => one - other)[Math.floor(times.length * .95)] / 1000;
}"""
"""Each moment after the other: what all but one in twenty take at most, in seconds, of the script's own work."""


def reel() -> Reel:
    """The battle as all see it."""
    game, _ = played()
    made = reel_of(game, [TRUTH, *game.roles])
    return replace(made, title="Graveyard", called={eyes: f"the {eyes} commander" for eyes in made.eyes})


def html(made: Reel) -> str:
    """Its file."""
    return published_html(record(made, Beside(), {}), environment(resources("templates")))


@contextmanager
def draw(_: Path) -> Iterator[Pair]:
    """The file made of a reel."""
    made = reel()
    yield Pair(lambda: html(made), 10.0)


@contextmanager
def size(_: Path) -> Iterator[Pair]:
    """How large it is."""
    kilobytes = len(html(reel()).encode()) / 1000
    yield Pair(lambda: kilobytes, 1000.0)


@contextmanager
def _shown(folder: Path) -> Iterator[tuple[Page, str]]:
    """A browser, and the address of the file."""
    file = folder / "game.html"
    file.write_text(html(reel()), "utf-8")
    program = next(filter(None, map(shutil.which, browser.BROWSERS)), None)
    with browser.begun(program) as found:
        yield found.new_page(viewport={"width": 1200, "height": 900}), file.as_uri()


def _opened(page: Page, address: str) -> float:
    """Seconds from the call of the file until it can be used."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    return float(page.evaluate("+document.documentElement.dataset.readyAt")) / 1000


@contextmanager
def ready(folder: Path) -> Iterator[Pair]:
    """Opened in a browser, until it can be used."""
    with _shown(folder) as (page, address):
        yield Pair(lambda: _opened(page, address), 1.0)


@contextmanager
def step(folder: Path) -> Iterator[Pair]:
    """Stepped through from its first moment to its last."""

    def through() -> float:
        _opened(page, address)
        return float(page.evaluate(STEPS))

    with _shown(folder) as (page, address):
        yield Pair(through, 0.05)


WHAT = "a battle of St. Privat to its end, three pairs of eyes"
JOBS = (
    Job(
        name="replay-draw",
        what=f"{WHAT}, drawn into one file",
        base="limit",
        target=1,
        prepare=draw,
        rounds=3,
    ),
    Job(
        name="replay-size",
        what=f"the file of {WHAT}",
        base="limit",
        target=1,
        prepare=size,
        rounds=1,
        unit="kB",
    ),
    Job(
        name="replay-ready",
        what=f"{WHAT}: the file opened in a browser, until it can be used",
        base="limit",
        target=1,
        prepare=ready,
        rounds=5,
        unit="longest",
    ),
    Job(
        name="replay-step",
        what=f"{WHAT}: one moment further, 95 % of all steps",
        base="limit",
        target=1,
        prepare=step,
        rounds=3,
        unit="longest",
    ),
)
