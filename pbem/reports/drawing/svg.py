"""The small change of SVG: numbers, text, paths, all as strings to be joined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from pbem.reports.text.plain import printable

XY = tuple[float, float]
"""A place on the sheet, in pixels."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


def n(value: float) -> str:
    """A number to one decimal, as short as it can be written.

    >>> [n(3.0), n(-0.04), n(2.25), n(12.16)]
    ['3', '0', '2.2', '12.2']
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def xy(point: XY) -> str:
    """A point as a path has it.

    >>> xy((1.04, -2))
    '1 -2'
    """
    return f"{n(point[0])} {n(point[1])}"


def line(points: Iterable[XY], *, closed: bool = False) -> str:
    """The data of a path along *points*.

    >>> line([(0, 0), (6, 0), (6, 8)], closed=True)
    'M0 0L6 0L6 8z'
    """
    return "M" + "L".join(xy(point) for point in points) + ("z" if closed else "")


def heading(points: Sequence[XY]) -> str:
    """The transformation of what stands at the end of a line, and looks its way.

    >>> heading([(0, 0), (6, 0), (6, 8)])
    'translate(6 8) rotate(90)'
    """
    (ax, ay), (bx, by) = points[-2], points[-1]
    return f"translate({xy((bx, by))}) rotate({n(math.degrees(math.atan2(by - ay, bx - ax)))})"


def owned(svg: str, units: Iterable[str]) -> str:
    """A sign of one's own in a page that answers, where it can be found by its *units*; by none, it is as it was."""
    names = " ".join(units)
    return f'<g data-units="{said(names)}">{svg}</g>' if names else svg


def said(words: str) -> str:
    """*words* as content or attribute of an element: escaped, and without what XML does not allow.

    >>> said('a <b> "c"\\x07')
    'a &lt;b&gt; &quot;c&quot; '
    """
    return escape(printable(words))


def text(words: str, at: XY, css: str, *, anchor: str = "") -> str:
    """A line of text; *words* may come from anybody.

    >>> text("<b>", (1, 2), "lb")
    '<text class="lb" x="1" y="2">&lt;b&gt;</text>'
    """
    set_to = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{css}" x="{n(at[0])}" y="{n(at[1])}"{set_to}>{said(words)}</text>'


def rect(css: str, box: Rect, more: str = "") -> str:
    """A rectangle."""
    left, top, right, bottom = box
    return (
        f'<rect class="{css}" x="{n(left)}" y="{n(top)}" width="{n(right - left)}" height="{n(bottom - top)}"{more}/>'
    )


def path(css: str, data: str, more: str = "") -> str:
    """A path, or nothing if it has no data."""
    return f'<path class="{css}" d="{data}"{more}/>' if data else ""
