"""A look back as one HTML file: a moment of a game, or two of them beside each other, with their maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.ground.picture import Picture
from pbem.reports.maps.maps import draw
from pbem.rules.view import Table, Told

if TYPE_CHECKING:
    from jinja2 import Environment


class Pane(Struct, frozen=True):
    """A map with its heading."""

    heading: str
    picture: Picture


class Section(Struct, frozen=True):
    """What was told, under a heading."""

    heading: str
    told: tuple[Told, ...]


class LookPage(Struct, frozen=True, kw_only=True):
    """What is looked at."""

    campaign: str
    title: str
    """Of the campaign."""
    rules: str
    origin: str
    """Which moment, through whose eyes."""
    headline: str
    dateline: str
    panes: tuple[Pane, ...]
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()


def look_html(page: LookPage, env: Environment) -> str:
    """The whole as one file: no scripts, nothing remote, both themes, and print."""
    drawn = [(pane, draw(pane.picture, f"map{number}")) for number, pane in enumerate(page.panes, start=1)]
    return env.get_template("look.html").render(page=page, drawn=drawn)
