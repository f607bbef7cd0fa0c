"""The guides that ship with the office: pages of `docs`, each written for one kind of reader.

One text serves all: a terminal, a page that stands alone, the pages of the web, and a letter.  What links to another
guide leads there on the web, and is the command that prints it everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.orders.commands import GUIDES
from pbem.orders.suggest import closest
from pbem.reports.text import markdown
from pbem.resources import resources

BOOKS = GUIDES
"""The guides, each for its reader; whoever writes `help gm` is sent one."""
MORE = ("rules", "reference/commands", "reference/words", "reference/directives", "club", "json")
"""What the guides lead to, by its file in `docs`."""

WEB = "/guide/"
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")
_WITHIN = re.compile(r"(?<!!)\[([^\]\n]+)\]\(#[^)\s]+\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


class Guide(Struct, frozen=True):
    """A guide: what it is called for, and its text in Markdown."""

    name: str
    title: str
    """Its heading."""
    says: str
    """Its first paragraph: for whom it is, and what for."""
    source: str

    @property
    def is_book(self) -> bool:
        """Whether it is one of those that are written for one reader each."""
        return self.name in BOOKS


def listing() -> tuple[Guide, ...]:
    """Every guide there is, those for one reader each before what they lead to."""
    docs = resources("docs")
    return tuple(_read(docs, file) for file in _files(docs).values())


def find(name: str) -> Guide:
    """The guide of that name.

    :raises Refused: if there is none; names those that there are.
    """
    docs = resources("docs")
    there = _files(docs)
    file = there.get(name.casefold())
    if file is None:
        like = closest(name.casefold(), there)
        meant = f"Did you mean {like}?" if like else f"There are: {', '.join(there)}."
        raise Refused(f'there is no guide "{name[:40]}".  {meant}')
    return _read(docs, file)


def _files(docs: Path) -> dict[str, str]:
    """By its name the file of each guide that is there, in the order of the list."""
    return {_named(file): file for file in (*BOOKS, *MORE) if (docs / f"{file}.md").is_file()}


@cache
def _read(docs: Path, file: str) -> Guide:
    source = (docs / f"{file}.md").read_text("utf-8")
    heading, *parts = markdown.blocks(source)
    first = next((markdown.bare(one) for one in parts if one.type == "paragraph"), "")
    return Guide(_named(file), markdown.bare(heading), first, source)


def _named(file: str) -> str:
    return PurePosixPath(file).name


def for_web(guide: Guide) -> tuple[str, frozenset[str]]:
    """Its text with links to the pages of other guides, and the addresses of these."""
    led: set[str] = set()

    def lead(text: str, name: str, chapter: str) -> str:
        led.add(address := f"{WEB}{name}{chapter}")
        return f"[{text}]({address})"

    return _led(guide, lead), frozenset(led)


def alone(guide: Guide) -> str:
    """Its text where no other guide can be opened: what leads to one says the command that prints it."""
    return _led(guide, lambda text, name, _: f"{text} (`pbem guide {name}`)")


def printed(guide: Guide) -> str:
    """The same where nothing can be opened at all: of a link to one of its own chapters the words are left."""
    return "".join(part if fenced else _WITHIN.sub(r"\1", part) for part, fenced in pieces(alone(guide)))


def _led(guide: Guide, lead: Callable[[str, str, str], str]) -> str:
    """The text of a guide, each link to another made by *lead*; of one to what is no guide the words are left."""
    names = {_named(one) for one in (*BOOKS, *MORE)}

    def made(found: re.Match[str]) -> str:
        text, target = found.groups()
        file, _, chapter = target.partition("#")
        if not file or "://" in target:
            return found[0]
        name = PurePosixPath(file).stem
        return lead(text, name, chapter and f"#{chapter}") if file.endswith(".md") and name in names else text

    return "".join(part if fenced else _LINK.sub(made, part) for part, fenced in pieces(guide.source))


def pieces(source: str) -> list[tuple[str, bool]]:
    """A text in its pieces, and of each whether it stands between fences."""
    return [(part, part.startswith("```")) for part in _FENCED.split(source)]
