"""The little Markdown that briefings and rulebooks are written in, as safe HTML and as plain text.

Known are headings, paragraphs, lists, tables with pipes, quotations, fenced code, and in a line **bold**, *italic*
and `code`.  Nothing else is: what looks like HTML is text, and a link is printed with its address beside it; only in a
page that stands alone a link to one of its own chapters leads there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from html import escape
from typing import Literal

from msgspec import Struct

from pbem.reports.text import plain
from pbem.reports.text.marked import Html
from pbem.rules.view import Table


class Block(Struct, frozen=True):
    """A piece of a text: *items* are its lines, paragraphs or entries."""

    kind: Literal["heading", "paragraph", "bullets", "numbers", "code", "quote", "table"]
    items: tuple[str, ...] = ()
    level: int = 0
    table: Table | None = None


_HEADING = re.compile(r"(#{1,4})\s+(.+)")
_BULLET = re.compile(r"\s*[-*]\s+(.+)")
_NUMBER = re.compile(r"\s*\d+[.)]\s+(.+)")
_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*")


def blocks(text: str) -> tuple[Block, ...]:
    """*text* in its pieces, in order."""
    return tuple(_pieces(text.splitlines()))


def _pieces(lines: list[str]) -> Iterable[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines))
            yield Block("code", tuple(lines[at + 1 : end]))
            at = end + 1
        elif found := _HEADING.fullmatch(line.strip()):
            yield Block("heading", (found[2].rstrip("# "),), level=len(found[1]))
            at += 1
        elif not line.strip():
            at += 1
        else:
            end = _end(lines, at)
            yield _block(lines[at:end])
            at = end


def _end(lines: list[str], at: int) -> int:
    """Where the run of lines that begins at *at* ends."""
    for i in range(at + 1, len(lines)):
        if not lines[i].strip() or lines[i].startswith("```") or _HEADING.fullmatch(lines[i].strip()):
            return i
    return len(lines)


def _block(lines: list[str]) -> Block:
    if _BULLET.fullmatch(lines[0]):
        return Block("bullets", _entries(lines, _BULLET))
    if _NUMBER.fullmatch(lines[0]):
        return Block("numbers", _entries(lines, _NUMBER))
    if lines[0].startswith(">"):
        return Block("quote", (" ".join(line.lstrip("> ").strip() for line in lines),))
    if len(lines) > 1 and "|" in lines[0] and _RULE.fullmatch(lines[1].strip()):
        head, *rows = (_cells(line) for line in (lines[0], *lines[2:]))
        return Block(
            "table", table=Table(columns=head, rows=tuple((*row, *[""] * (len(head) - len(row))) for row in rows))
        )
    return Block("paragraph", (" ".join(line.strip() for line in lines),))


def _entries(lines: list[str], mark: re.Pattern[str]) -> tuple[str, ...]:
    entries: list[str] = []
    for line in lines:
        if found := mark.fullmatch(line):
            entries.append(found[1])
        else:
            entries[-1] += " " + line.strip()
    return tuple(entries)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_INLINE = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<![*\w])\*([^*\s][^*]*)\*(?![*\w])"), r"<i>\1</i>"),
)


def inline(text: str, chapters: Container[str] = ()) -> str:
    """One line of text as HTML: escaped first.  *chapters*: what can be linked to in the page that it is for.

    >>> inline("**move** <p1> to `Q-9`")
    '<b>move</b> &lt;p1&gt; to <code>Q-9</code>'
    >>> inline("see [Fire](#fire) and [Melee](#melee)", {"fire"})
    'see <a href="#fire">Fire</a> and Melee (#melee)'
    """

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if target.removeprefix("#") in chapters and target.startswith("#"):
            return f'<a href="{target}">{words}</a>'
        return f"{words} ({target})"

    shown = _LINK.sub(link, escape(text))
    for pattern, form in _INLINE:
        shown = pattern.sub(form, shown)
    return shown


def html(text: str) -> Html:
    """*text* as HTML; its first level of headings becomes `h2`, for the page has its own title."""
    return Html("\n".join(_html(block) for block in blocks(text)))


def page(parts: Iterable[Block]) -> Html:
    """The blocks of a page that stands alone: its chapters can be linked to, and a wide table can be moved."""
    numbered = list(parts)
    names = _anchors(bare(block.items[0]) for block in numbered if block.kind == "heading")
    chapters = iter(names)
    return Html("\n".join(_html(block, names, chapters) for block in numbered))


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


def _html(block: Block, linked: Container[str] = (), chapters: Iterator[str] | None = None) -> str:
    """A block as HTML; *chapters* gives the anchor of each heading in its turn, in a page that stands alone."""

    def each(tag: str, items: Sequence[str]) -> str:
        return "".join(f"<{tag}>{inline(item, linked)}</{tag.split()[0]}>" for item in items)

    match block.kind:
        case "heading":
            level = min(block.level + 1, 4) if chapters is None else min(block.level, 4)
            id = "" if chapters is None else f' id="{escape(next(chapters))}"'
            return f"<h{level}{id}>{inline(block.items[0], linked)}</h{level}>"
        case "bullets" | "numbers":
            tag = "ul" if block.kind == "bullets" else "ol"
            return f"<{tag}>{each('li', block.items)}</{tag}>"
        case "code":
            code = escape("\n".join(block.items))
            return f'<pre tabindex="0" aria-label="Example">{code}</pre>'
        case "table" if block.table:
            head = each('th scope="col"', block.table.columns)
            rows = "".join(f"<tr>{each('td', row)}</tr>" for row in block.table.rows)
            table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            return table if chapters is None else f"{_MOVED}{table}</div>"
        case "quote":
            return f"<blockquote><p>{inline(block.items[0], linked)}</p></blockquote>"
        case _:
            return f"<p>{inline(' '.join(block.items), linked)}</p>"


_MOVED = '<div class="scroll" tabindex="0" role="group" aria-label="A table; scrolls sideways on small screens">'


def text(source: str) -> str:
    """*source* as plain text of at most 78 columns, the marks within lines left out."""
    return "\n\n".join(_text(block) for block in blocks(source))


def bare(line: str) -> str:
    """A line without the marks in it."""
    line = _LINK.sub(r"\1 (\2)", line)
    for pattern, _ in _INLINE:
        line = pattern.sub(r"\1", line)
    return line


def _text(block: Block) -> str:
    items = [bare(item) for item in block.items]
    match block.kind:
        case "heading":
            return items[0].upper() if block.level < 3 else plain.wrap(items[0])
        case "bullets":
            return "\n".join(plain.wrap(f"- {item}", 2, 4) for item in items)
        case "numbers":
            return "\n".join(plain.wrap(f"{i}. {item}", 2, 5) for i, item in enumerate(items, start=1))
        case "code":
            return plain.block("\n".join(block.items), 4)
        case "table" if block.table:
            cells = [tuple(bare(cell) for cell in row) for row in (block.table.columns, *block.table.rows)]
            return plain.table(Table(columns=cells[0], rows=tuple(cells[1:])))
        case "quote":
            return plain.wrap(items[0], 4)
        case _:
            return plain.wrap(" ".join(items))
