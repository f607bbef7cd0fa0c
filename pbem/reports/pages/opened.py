"""The whole game, opened: what every player is sent when it is over, as one HTML file.

It is the umpire's page of the end, and chapter by chapter what truly happened, what was ordered and what was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.names import CampaignId, Moment, Role
from pbem.reports.pages.umpire import UmpirePage, by_phase, drawn
from pbem.rules.view import Told

if TYPE_CHECKING:
    from jinja2 import Environment


LIMIT = 1_500_000
"""Bytes of the file: with it a letter stays well below what servers of mail take."""


class Sheet(Struct, frozen=True):
    """What a role had ordered when an exchange was played, or a halt in it."""

    role: Role
    moment: Moment
    text: str


class Sent(Struct, frozen=True):
    """A letter from one role to another, or to several, at microseconds UTC."""

    sender: Role
    to: str
    at: int
    text: str


class Chapter(Struct, frozen=True, kw_only=True):
    """One exchange, as it was."""

    moment: Moment
    name: str
    told: tuple[Told, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    letters: tuple[Sent, ...] = ()
    notes: tuple[Sent, ...] = ()
    """Of diaries, by leave of who wrote them."""
    rulings: tuple[str, ...] = ()


class OpenedPage(UmpirePage, frozen=True, kw_only=True):
    """The umpire's page of the end, with all that led to it."""

    how: str
    """How it ended, as a sentence."""
    chapters: tuple[Chapter, ...] = ()
    without: str = ""
    """What there was no room for, as a sentence."""


def opened_name(campaign: CampaignId) -> str:
    """What the file is called: `opened-stprivat-autumn.html`."""
    return f"opened-{campaign}.html"


def opened_html(page: OpenedPage, env: Environment, limit: int = LIMIT) -> str:
    """The whole as one file of at most *limit* bytes; what has no room in it is left out, the least needed first."""
    maps, template, html = drawn(page), env.get_template("opened.html"), ""
    for shorter in _shorter(page):
        html = template.render(**by_phase(shorter, maps), chapters=[(one, _phases(one)) for one in shorter.chapters])
        if len(html.encode()) <= limit:
            break
    return html


def _shorter(page: OpenedPage) -> Iterator[OpenedPage]:
    """The page, and then with less and less on it."""
    yield page
    page = replace(page, views=(), without="The pages of the players had no room here.")
    yield page
    bare = tuple(replace(one, told=tuple(replace(told, notes=(), tables=()) for told in one.told))
                 for one in page.chapters)  # fmt: skip
    page = replace(page, chapters=bare, without="The small print and the pages of the players had no room here.")
    yield page
    told = len(bare)
    while told:
        told //= 2
        first = len(bare) - told
        kept = tuple(one if number >= first else replace(one, told=()) for number, one in enumerate(bare))
        left = f"What happened before {kept[first].moment}" if told else "What happened"
        yield replace(page, chapters=kept, without=f"{left}, and all small print, had no room here: ask the umpire.")
    yield replace(page, chapters=(), without="The story of the game had no room here: ask the umpire.")


def _phases(chapter: Chapter) -> list[tuple[str, list[Told]]]:
    found: list[tuple[str, list[Told]]] = []
    for told in chapter.told:
        if not found or found[-1][0] != told.phase:
            found.append((told.phase, []))
        found[-1][1].append(told)
    return found
