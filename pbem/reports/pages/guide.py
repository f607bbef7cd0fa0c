"""A guide as a page that stands alone, with a table of its contents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pbem.reports.text import markdown
from pbem.reports.text.marked import Html

if TYPE_CHECKING:
    from jinja2 import Environment


def guide_html(source: str, env: Environment, beyond: Iterable[str] = ()) -> str:
    """The page of a guide in Markdown, which begins with its heading.

    *beyond*: addresses that it may link to, besides its own chapters.
    """
    first, *rest = markdown.blocks(source)
    opening, chapter, others = markdown.page(rest, beyond).partition(_CHAPTER)
    return env.get_template("guide.html").render(
        title=markdown.bare(first),
        opening=Html(opening),
        chapters=[one for one in markdown.chapters(rest) if one.level == 2],
        body=Html(f"{chapter}{others}"),
    )


_CHAPTER = "<h2"
