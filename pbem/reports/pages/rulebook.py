"""The rulebook of a game as a page that stands alone: phones open no Markdown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.reports.text import markdown

if TYPE_CHECKING:
    from jinja2 import Environment


UNTITLED = "The rulebook"


@lru_cache(maxsize=8)
def rulebook_html(source: str, env: Environment) -> str:
    """The page of a rulebook in Markdown; what looks like HTML in it is text, and only its own chapters are links."""
    blocks = markdown.blocks(source)
    titled = bool(blocks) and blocks[0].tag == "h1"
    title = markdown.bare(blocks[0]) if titled else UNTITLED
    body = markdown.page(blocks[1:] if titled else blocks)
    return env.get_template("rulebook.html").render(title=title, body=body)
