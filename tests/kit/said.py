"""What can be read on a page, piece by piece: its texts, and the names that things have for who hears it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from pbem.reports.text.speech import catalogue

_UNREAD = ("script", "style", "svg", "pre", "blockquote", "code", "textarea", "template")
"""What the office did not say: papers, letters, orders; and what is not shown."""
_NAMES = ("aria-label", "data-l", "placeholder", "title", "alt")
_FIELD = re.compile(r"%\(\w+\)s|\{\w+(?::\w+)?\}")
_LONG = 20
"""A text of so many letters is none of a game's by chance."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.within: list[str] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            self.within.append(tag)
        if not self.within:
            self.said += [value for name, value in attrs if name in _NAMES and value]

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if not self.within and data.strip():
            self.said.append(" ".join(data.split()))


def pieces(html: str) -> list[str]:
    """What a page says, each text and each name by itself."""
    reader = _Reader()
    reader.feed(html)
    return reader.said


def untold(html: str, language: str) -> Iterator[str]:
    """What a page in a *language* says in English, though the catalogue of that has it."""
    said = pieces(html)
    known = [one for key in vars(catalogue(language))["_catalog"] if (one := key if isinstance(key, str) else key[0])]
    for text in known:
        told = catalogue(language).gettext(text)
        if told.casefold() == text.casefold() or text == "English":
            continue
        literal = _FIELD.sub("", text)
        if (literal != text and len(literal) < _LONG) or (text.isalpha() and text.islower()):
            continue  # a word of a game may be the same
        form = re.compile(".+".join(map(re.escape, _FIELD.split(text))))
        at_all = len(literal) >= _LONG
        for one in said:
            if form.fullmatch(one.rstrip(".:,")) or form.fullmatch(one) or (at_all and form.search(one)):
                yield f"{text!r} in {one!r}"
