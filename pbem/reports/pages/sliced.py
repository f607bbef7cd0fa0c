"""A page that was made for a file, taken apart to stand in another frame: its head and its body, without any style."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.reports.text.marked import Html

_HEAD = re.compile(r"<header>\n?(.*?)</header>", re.DOTALL)
_BODY = re.compile(r"<main>\n?(.*?)</main>", re.DOTALL)
_FOOT = re.compile(r"<footer>\n?(.*?)</footer>", re.DOTALL)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_STYLED = re.compile(r'(<[a-z][^<>]*?) style="[^"]*"')
_MAP = re.compile(r'<section id="map".*?(<svg.*?</svg>)', re.DOTALL)
_DETAIL = re.compile(r'<figure class="detail">(<svg.*?</svg>)', re.DOTALL)


class Sliced(Struct, frozen=True):
    """The parts of a page."""

    head: Html
    body: Html
    foot: Html


def sliced(page: str) -> Sliced:
    """The parts of a *page* of this office, without the styles in it: they stand in the sheet of the other frame."""
    plain = _STYLED.sub(r"\1", unstyled(page))
    return Sliced(*(Html(_first(part, plain)) for part in (_HEAD, _BODY, _FOOT)))


def unstyled(drawing: str) -> str:
    """A drawing, or a page, without the style sheets in it."""
    return _STYLE.sub("", drawing)


def detail_of(page: str) -> tuple[Html, Html]:
    """The whole map of a report, and the enlargement of it, which draws a part of the same; the second may be empty."""
    plain = unstyled(page)
    return Html(_first(_MAP, plain)), Html(_first(_DETAIL, plain))


def _first(part: re.Pattern[str], page: str) -> str:
    found = part.search(page)
    return found[1] if found else ""
