"""The little Markdown that briefings and rulebooks are written in, as safe HTML and as plain text.

Known are headings, paragraphs, lists, tables with pipes, quotations, fenced code, and in a line **bold**, *italic*
and `code`.  Nothing else is: what looks like HTML is text, and a link is printed with its address beside it; only in a
page that stands alone a link to one of its own chapters leads there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from pbem.reports.text import plain
from pbem.reports.text.marked import Html
from pbem.rules.view import Table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode as Node


@cache
def _reader() -> MarkdownIt:
    """Knows these; all else is text: HTML, entities, addresses by themselves, pictures, references, backslashes."""
    from markdown_it import MarkdownIt

    class Reader(MarkdownIt):
        def normalizeLink(self, url: str) -> str:  # noqa: N802
            """An address as it is written: it is only printed, and a chapter is found by its name."""
            return url

    return Reader("zero").enable(
        ["heading", "list", "table", "blockquote", "fence", "emphasis", "backticks", "link", "newline"]
    )


def _nodes(tokens: Sequence[Token]) -> list[Node]:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(tokens).children


def blocks(text: str) -> tuple[Node, ...]:
    """*text* in its pieces, in order."""
    return tuple(_nodes(_reader().parse(text)))


def inline(text: str, chapters: Container[str] = ()) -> str:
    """One line of text as HTML: escaped first.  *chapters*: what can be linked to in the page that it is for.

    >>> inline("**move** <p1> to `Q-9`")
    '<b>move</b> &lt;p1&gt; to <code>Q-9</code>'
    >>> inline("see [Fire](#fire) and [Melee](#melee)", {"fire"})
    'see <a href="#fire">Fire</a> and Melee (#melee)'
    """
    return "".join(_marked(node, chapters) for node in _nodes(_reader().parseInline(text)))


_TAGS = {"strong": "b", "em": "i", "code_inline": "code"}


def _marked(node: Node, chapters: Container[str]) -> str:
    within = "".join(_marked(one, chapters) for one in node.children)
    if node.type == "link":
        target = str(node.attrs["href"])
        known = target[:1] in ("#", "/") and target.removeprefix("#") in chapters
        return f'<a href="{escape(target)}">{within}</a>' if known else f"{within} ({escape(target)})"
    within = within or escape(_content(node))
    tag = _TAGS.get(node.type)
    return f"<{tag}>{within}</{tag}>" if tag else within


def bare(node: Node) -> str:
    """A line, or what stands in a block, without the marks in it."""
    # What is a block by itself within another is apart from its neighbours.
    within = "".join(bare(one) + " " * one.block for one in node.children).rstrip()
    if node.type == "link":
        return f"{within} ({node.attrs['href']})"
    return within or _content(node)


def _content(node: Node) -> str:
    return " " if node.type in ("softbreak", "hardbreak") else node.content


def html(text: str) -> Html:
    """*text* as HTML; its first level of headings becomes `h2`, for the page has its own title."""
    return Html("\n".join(_html(block) for block in blocks(text)))


def page(parts: Iterable[Node], beyond: Iterable[str] = ()) -> Html:
    """The blocks of a page that stands alone: its chapters can be linked to, and a wide table can be moved.

    *beyond*: addresses outside of it that may be linked to as well.
    """
    numbered = list(parts)
    names = _anchors(map(bare, _headings(numbered)))
    chapters = iter(names)
    linked = {*names, *beyond}
    return Html("\n".join(_html(block, linked, chapters) for block in numbered))


class Chapter(NamedTuple):
    """A heading of a page, and where it stands."""

    level: int
    anchor: str
    title: str


def chapters(parts: Iterable[Node]) -> tuple[Chapter, ...]:
    """The headings of a page that stands alone, for a table of its contents."""
    headings = _headings(parts)
    names = _anchors(map(bare, headings))
    return tuple(Chapter(int(one.tag[1]), name, bare(one)) for one, name in zip(headings, names, strict=True))


def _headings(parts: Iterable[Node]) -> list[Node]:
    return [node for block in parts for node in block.walk() if node.type == "heading"]


def anchor(heading: str) -> str:
    """What a heading is linked to by, as those who show Markdown have it.

    >>> anchor("8. Messengers: *how* they ride [KS-MSG-01]")
    '8-messengers-how-they-ride-ks-msg-01'
    """
    return _NOT_LINKED.sub("", heading.casefold()).strip().replace(" ", "-")


_NOT_LINKED = re.compile(r"[^\w\s-]")


def _anchors(headings: Iterable[str]) -> tuple[str, ...]:
    """The anchor of each heading; of several alike, each but the first has its number."""
    found: list[str] = []
    counts: Counter[str] = Counter()
    for name in map(anchor, headings):
        found.append(f"{name}-{counts[name]}" if counts[name] else name)
        counts[name] += 1
    return tuple(found)


def _html(block: Node, linked: Container[str] = (), chapters: Iterator[str] | None = None) -> str:
    """A block as HTML; *chapters* gives the anchor of each heading in its turn, in a page that stands alone."""
    within = "".join(_html(one, linked, chapters) for one in block.children)
    match block.type:
        case "inline":
            return "".join(_marked(node, linked) for node in block.children)
        case "heading":
            level = min(int(block.tag[1]) + (chapters is None), 4)
            id = "" if chapters is None else f' id="{escape(next(chapters))}"'
            return f"<h{level}{id}>{within}</h{level}>"
        case "fence":
            return f'<pre tabindex="0" aria-label="Example">{escape(block.content.removesuffix(chr(10)))}</pre>'
        case "table":
            return f"<table>{within}</table>" if chapters is None else f"{_MOVED}<table>{within}</table></div>"
        case "th":
            return f'<th scope="col">{within}</th>' if within else "<td></td>"
        case "paragraph" if block.hidden:
            return within
        case "ordered_list" if "start" in block.attrs:
            return f'<ol start="{block.attrs["start"]}">{within}</ol>'
    # A reader of Markdown gives every other block its tag.
    return f"<{block.tag}>{within}</{block.tag}>"


_MOVED = '<div class="scroll" tabindex="0" role="group" aria-label="A table; scrolls sideways on small screens">'


def text(source: str) -> str:
    """*source* as plain text of at most 78 columns, the marks within lines left out."""
    return "\n\n".join(_text(block) for block in blocks(source))


def _text(block: Node, indent: int = 0) -> str:
    match block.type:
        case "heading":
            return bare(block).upper() if block.tag < "h3" else plain.wrap(bare(block), indent)
        case "bullet_list":
            return "\n".join(_item("-", item, indent or 2) for item in block.children)
        case "ordered_list":
            numbered = enumerate(block.children, start=int(block.attrs.get("start", 1)))
            return "\n".join(_item(f"{number}.", item, indent or 2) for number, item in numbered)
        case "blockquote":
            return "\n\n".join(_text(one, indent + 4) for one in block.children)
        case "fence":
            return plain.block(block.content, indent + 4)
        case "table":
            lines = [row for part in block.children for row in part.children]
            head, *rows = (tuple(bare(cell) for cell in row.children) for row in lines)
            return plain.table(Table(columns=head, rows=tuple(rows)), indent or 2)
    return plain.wrap(bare(block), indent)


def _item(mark: str, item: Node, indent: int) -> str:
    """An entry of a list: what is more than its first words hangs below them."""
    hang = indent + len(mark) + 1
    words = plain.wrap(f"{mark} {''.join(map(bare, item.children[:1]))}", indent, hang)
    return "\n".join((words, *(_text(one, hang) for one in item.children[1:])))
