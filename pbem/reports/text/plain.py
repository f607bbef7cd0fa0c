"""Plain text that reads well: paragraphs and tables of at most 78 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from pbem.rules.view import Table

WIDTH = 78

SHEET_WIDTH = 100
"""Columns of order lines to begin from: wider, since an order stands in one line."""


def printable(text: str) -> str:
    """*text* with a blank for every character that a terminal might obey; columns stay where they were.

    >>> printable("move\\tp1\\x1b[2J")
    'move p1 [2J'
    """
    return text if text.isprintable() else "".join(one if one.isprintable() else " " for one in text)


def wrap(text: str, indent: int = 0, hang: int | None = None, width: int = WIDTH) -> str:
    """A paragraph, *indent* columns in, its later lines *hang* columns in.

    Names like `I-10` are not broken; a word longer than the line is, so that nothing runs out; but no address of the
    web, for that would lead nowhere.

    >>> print(wrap("The Guard charged I-9.", 2, 4, width=14))
      The Guard
        charged
        I-9.
    """
    lines = textwrap.wrap(
        _joined(text),
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent if hang is None else hang),
        break_on_hyphens=False,
        break_long_words="://" not in text,
    )
    return "\n".join(lines)


def _joined(text: str) -> str:
    return " ".join(printable(text).split())


def block(text: str, indent: int = 0, width: int = WIDTH) -> str:
    """Lines kept as they are, *indent* columns in; one that is too long goes on in the next, after a blank if it can.

    >>> print(block("move s1 to 3\\nhold them as long as you can", 2, 20))
      move s1 to 3
      hold them as long
      as you can
    """
    pieces = (piece for line in map(printable, text.splitlines()) for piece in _cut(line, width - indent))
    return "\n".join((" " * indent + piece).rstrip() for piece in pieces)


def _cut(line: str, room: int) -> Iterator[str]:
    while len(line) > room:
        at = line.rfind(" ", room // 2, room + 1)
        yield line[: at if at > 0 else room]
        line = line[at + 1 :] if at > 0 else line[room:]
    yield line


def sheet(text: str, width: int = SHEET_WIDTH) -> str:
    """Order lines to begin from: what is too long of a comment goes on in a comment, an order is never broken.

    >>> print(sheet("# You are asked: the enemy (e7) is close.", 30))
    # You are asked: the enemy
    #   (e7) is close.
    >>> print(sheet("# to 1/F: ...  # 07:12 Kreuzweg, in line", 30))
    # to 1/F: ...  # 07:12
    #   Kreuzweg, in line
    """
    return "\n".join(piece for line in text.splitlines() for piece in _pieces(printable(line).rstrip(), width))


def _pieces(line: str, width: int) -> list[str]:
    """A line of a sheet in as many as it takes, each but the first a comment."""
    if len(line) <= width:
        return [line]
    # What stands before the second mark is an order as soon as the first is taken away.
    marks = [at for at in (line.find("#"), line.find("#", line.find("#") + 1)) if at >= 0]
    if not marks:
        return [line]
    whole = marks[-1] + 1 if len(marks) > 1 or marks[0] > 0 else 1
    head, said = line[:whole], line[whole:].split()
    pieces: list[str] = []
    for word in said:
        if len(head) + 1 + len(word) > width and head.strip("# "):
            pieces.append(head)
            head = "#  "
        head = f"{head} {word}"
    return [*pieces, head]


def pairs(rows: Sequence[tuple[str, str]], indent: int = 2, first: int = 0, width: int = WIDTH) -> str:
    """Terms and what is said of them, the second column wrapped beside the first, which is *first* wide at least.

    >>> print(pairs([("Due", "Tuesday"), ("If nothing comes", "You hold.")]))
      Due               Tuesday
      If nothing comes  You hold.
    """
    first = max(first, *(len(term) for term, _ in rows)) if rows else 0
    lines = []
    for term, said in rows:
        told = textwrap.wrap(_joined(said), width - indent - first - 2, break_on_hyphens=False) or [""]
        lines += [
            f"{' ' * indent}{(term if i == 0 else '').ljust(first)}  {line}".rstrip() for i, line in enumerate(told)
        ]
    return "\n".join(lines)


def table(data: Table, indent: int = 2, width: int = WIDTH) -> str:
    """A table in columns; long cells are wrapped within theirs, the widest columns giving way first.

    Where not even its words have room beside each other, its rows stand one below the other, as on a phone.

    >>> regiment = Table(columns=("Unit", "Name", "Men"), rows=(("UK-30", "1st Cambridgeshire", "540"),), numbers=(2,))
    >>> print(table(regiment, width=28))
      Unit   Name            Men
      -----  --------------  ---
      UK-30  1st             540
             Cambridgeshire
    >>> print(table(regiment, width=25))
      UK-30
        Name: 1st
        Cambridgeshire; Men:
        540
    """
    rows = [data.columns, *data.rows, *([data.total] if data.total else [])]
    count = max(len(row) for row in rows)
    cells = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max([1, *(len(row[i]) for row in cells)]) for i in range(count)]
    words = [max([1, *(len(word) for row in cells for word in row[i].split())]) for i in range(count)]
    room = width - indent - 2 * (count - 1)
    if sum(words) > room:
        return _stacked(cells, indent, width)
    while sum(widths) > room:
        pliant = [i for i in range(count) if widths[i] > words[i]]
        widths[max(pliant, key=lambda i: widths[i])] -= 1
    lines: list[str] = []
    for at, row in enumerate(cells):
        if at == 1 or (data.total and at == len(cells) - 1):
            lines.append("  ".join("-" * size for size in widths))
        wrapped = [
            textwrap.wrap(_joined(cell), size, break_on_hyphens=False) or [""]
            for cell, size in zip(row, widths, strict=True)
        ]
        for i in range(max(len(cell) for cell in wrapped)):
            parts = [cell[i] if i < len(cell) else "" for cell in wrapped]
            set_to = [
                part.rjust(size) if column in data.numbers else part.ljust(size)
                for column, (part, size) in enumerate(zip(parts, widths, strict=True))
            ]
            lines.append("  ".join(set_to))
    return "\n".join((" " * indent + line).rstrip() for line in lines)


def _stacked(cells: Sequence[Sequence[str]], indent: int, width: int) -> str:
    """The rows of a table, each under its first cell, with the heads of the columns, which are the first of *cells*."""
    heads, *rows = cells
    lines = []
    for first, *others in rows:
        told = (f"{head}: {cell}" if head else cell for head, cell in zip(heads[1:], others, strict=True) if cell)
        lines += [wrap(first, indent, indent + 4, width), wrap("; ".join(told), indent + 2, width=width)]
    return "\n".join(filter(None, lines))


def tidy(text: str) -> str:
    """No blanks at the end of a line (but the mark of a signature), two empty lines before a heading, else one."""
    lines: list[str] = []
    for line in (line if line == "-- " else line.rstrip() for line in text.splitlines()):
        if line.isupper() and line[0] != " " and lines[-1:] == [""]:
            lines.append("")
        if line or lines[-1:] != [""]:
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


def plural(count: int, one: str, many: str = "") -> str:
    """*count* and the word for it.

    >>> plural(1, "event"), plural(0, "reply", "replies")
    ('1 event', '0 replies')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
