"""The whole way in a real browser: come in, write with a mistake, mend it, send; the umpire runs; read; step back.

With PBEM_FILM set to a folder, a picture of each step is kept there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.kit import demos
from tests.kit.axe import check_all_can_read
from tests.kit.demos import copy_of
from tests.kit.room import Room, left_at, open_room
from tests.web.conftest import GM

PATIENCE = 120_000
"""Milliseconds: a large game takes a while to be resolved."""

FILM = os.environ.get("PBEM_FILM")


class Cast(NamedTuple):
    """Who plays a demonstration."""

    campaign: str
    role: str
    player: str
    scenario: str | None = None


CASTS = {
    "kriegsspiel": Cast("muehlrode-demo", "rehden", "rehden@player.example", "muehlrode"),
    "st-privat": Cast("stprivat-demo", "french", "canrobert@player.example"),
    "empire-1870": Cast("france-demo", "french", "bazaine@player.example"),
    "half-league": Cast("alma-demo", "allied", "lawrence@player.example"),
}
SIZES = {390: 844, 1100: 900, 2000: 1150}
Theme = Literal["light", "dark"]
EVERY: list[tuple[str, int, Theme]] = [
    (system, width, theme) for system in CASTS for width in SIZES for theme in ("light", "dark")
]
SHOWN: list[tuple[str, int, Theme]] = (
    EVERY
    if FILM
    else [
        ("st-privat", 390, "light"),
        ("st-privat", 2000, "dark"),
        ("empire-1870", 1100, "light"),
        ("half-league", 1100, "dark"),
        ("kriegsspiel", 1100, "light"),
    ]
)


@contextmanager
def browsing(chromium: Browser, room: Room, width: int, theme: Theme) -> Iterator[Page]:
    """A browser in which nothing goes wrong unseen."""
    context = chromium.new_context(viewport={"width": width, "height": SIZES[width]}, color_scheme=theme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    yield page
    context.close()
    assert wrong == []
    assert not [line for line in room.log if line.startswith("fault")]


class Film:
    """Pictures of a journey."""

    def __init__(self, name: str) -> None:
        self._name, self._count = name, 0

    def take(self, page: Page, what: str) -> None:
        """Take the next."""
        self._count += 1
        if FILM:
            page.screenshot(path=Path(FILM) / f"{self._name}-{self._count:02}-{what}.png")


def press(button: Locator) -> None:
    """Press what sends a form, and wait for the page that answers: a click alone does not."""
    with button.page.expect_navigation():
        button.click()


def come_in(page: Page, room: Room, address: str) -> None:
    """Sign in by a link, as it stands in a mail."""
    page.goto(f"{room.address}/sign-in/link/{room.secret(address)}")
    press(page.get_by_role("button", name="Come in"))


def a_line(program: httpx.Client, cast: Cast) -> str:
    """An order that this role may give now: the first of the examples of its own page that is taken."""
    home = f"/api/v1/games/{cast.campaign}/{cast.role}"
    for example in program.get(home).json()["forms"].values():
        read = program.post(f"{home}/read", json={"sheet": example}).json()
        if read["lines"] and all(line["word"] == "accepted" for line in read["lines"]):
            return str(example)
    raise AssertionError("none of the examples is taken")


def played_on(desk: Page) -> None:
    """Run a turn on over every halt at which somebody is asked, though he says nothing."""
    notice = desk.locator(".notice")
    while "stands at the halt" in notice.inner_text():
        desk.locator("summary", has_text="Resolve and stage").click()
        desk.get_by_label("Before its hour").check()
        desk.get_by_label("For open questions").check()
        press(desk.get_by_role("button", name="Resolve and stage"))
    expect(notice).to_contain_text("Resolved")


@pytest.mark.parametrize(("system", "width", "theme"), SHOWN)
def test_from_a_link_to_the_history(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, system: str, width: int, theme: Theme
) -> None:
    cast, film = CASTS[system], Film(f"{system}-{width}-{theme}")
    _, left = demos.played(tmp_path_factory, system, cast.scenario)
    hour = left_at(left) + 60_000_000
    with open_room(copy_of(left, tmp_path / "office"), at=hour) as room, browsing(chromium, room, width, theme) as page:
        line = a_line(room.program(cast.player), cast)
        come_in(page, room, cast.player)
        expect(page.get_by_role("heading", level=1)).to_contain_text("due from you")
        film.take(page, "games")

        page.goto(f"{room.address}/games/{cast.campaign}/{cast.role}/orders")
        page.wait_for_selector("html[data-written]", state="attached")
        with page.expect_response(lambda answer: answer.url.endswith("/read")):
            page.fill("#sheet", f"{line}\nmoove nobody to nowhere\n")
        expect(page.locator(".notes .bad")).to_contain_text("moove")
        film.take(page, "mistake")
        with page.expect_response(lambda answer: answer.url.endswith("/read")):
            page.fill("#sheet", f"{line}\n")
        expect(page.locator("#sendsay")).to_contain_text("would be taken")
        film.take(page, "mended")
        check_all_can_read(page)
        press(page.get_by_role("button", name="Send these orders"))
        expect(page.get_by_role("heading", level=1)).to_contain_text("received")
        film.take(page, "receipt")

        with browsing(chromium, room, width, theme) as desk:
            come_in(desk, room, GM)
            film.take(desk, "desk")
            check_all_can_read(desk)
            desk.goto(f"{room.address}/desk/games/{cast.campaign}")
            press(desk.get_by_role("button", name="Dry run"))
            expect(desk.locator("#h-dry")).to_be_visible(timeout=90_000)
            film.take(desk, "dry-run")
            check_all_can_read(desk)
            press(desk.locator("#dry").get_by_role("button", name="Resolve and stage"))
            played_on(desk)
            early = desk.locator("section.dry").get_by_role("checkbox")
            if early.count():
                early.check()
            press(desk.get_by_role("button", name="Release the reports").first)
            expect(desk.locator(".notice")).to_contain_text("Released")
            film.take(desk, "released")

        page.goto(f"{room.address}/games/{cast.campaign}/{cast.role}")
        page.wait_for_selector(".chart")
        read = page.url
        film.take(page, "report")
        check_all_can_read(page)
        page.locator(".steps .way").first.click()
        page.wait_for_url(lambda url: url != read)
        film.take(page, "turn-before")
        page.goto(f"{room.address}/games/{cast.campaign}/{cast.role}/reel")
        page.wait_for_selector("html[data-ready-at]", state="attached")
        page.keyboard.press("ArrowRight")
        film.take(page, "reel")
