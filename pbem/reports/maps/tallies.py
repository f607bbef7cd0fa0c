"""Many games on one sheet: who won them, and how long they were."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.reports.drawing.colours import baked_css
from pbem.reports.drawing.sides import SHIPPED, Needs, baked_css_of
from pbem.reports.drawing.svg import n, path, rect, said, text

WIDTH = 640
_LEFT, _RIGHT = 150, 470
_TOP, _ROW, _BAR = 76, 34, 18
_GAP, _TALL, _FOOT = 84, 150, 40
_MARGIN = 44
_COLUMNS = 60
"""Columns of the histogram at most; of longer games several turns share one."""
_SOLID = ' opacity=".55"'


class Bar(Struct, frozen=True):
    """How many games of all came to one result; *style* is how its side is drawn."""

    name: str
    style: str
    games: int
    share: float
    low: float
    high: float


class Tally(Struct, frozen=True):
    """What is drawn: shares, a line at the share *most*, and for each style how many games ended in each turn."""

    title: str
    under: str
    bars: tuple[Bar, ...]
    lengths: Mapping[str, Mapping[int, int]]
    most: float


def drawing(tally: Tally) -> str:
    """*tally* as an SVG that stands alone."""
    base = _TOP + len(tally.bars) * _ROW
    has_lengths = any(tally.lengths.values())
    height = base + (_GAP + _TALL if has_lengths else 0) + _FOOT
    parts = [
        rect("sheet", (0, 0, WIDTH, height)),
        text(tally.title, (20, 34), "ttl"),
        text(tally.under, (20, 54), "whose"),
        *_shares(tally, base),
        *(_lengths(tally.lengths, base + _GAP, base + _GAP + _TALL) if has_lengths else ()),
    ]
    need = Needs(SHIPPED, frozenset({*(bar.style for bar in tally.bars), *tally.lengths}))
    css = baked_css() + baked_css_of(need)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-labelledby="title desc"><title id="title">{said(tally.title)}</title>'
        f'<desc id="desc">{said(in_words(tally))}</desc><style>{css}</style>{"".join(parts)}</svg>'
    )


def in_words(tally: Tally) -> str:
    """The drawing in words."""
    shares = (f"{one.name}: {one.games}, {100 * one.share:.1f} % ({_bounds(one)})" for one in tally.bars)
    turns = _together(tally.lengths)
    spans = (f"{count} in turn {turn}" for turn, count in sorted(turns.items()))
    ended = f" Ended: {', '.join(spans)}." if turns else ""
    return f"{tally.under}. {'; '.join(shares)}.{ended}"


def _bounds(bar: Bar) -> str:
    return f"{100 * bar.low:.0f} to {100 * bar.high:.0f}"


def _shares(tally: Tally, base: float) -> list[str]:
    def across(share: float) -> float:
        return _LEFT + share * (_RIGHT - _LEFT)

    drawn = []
    for percent in range(0, 101, 20):
        x = n(across(percent / 100))
        drawn.append(path("base" if not percent else "bar", f"M{x} {_TOP}V{n(base)}"))
        drawn.append(text(f"{percent} %", (across(percent / 100), base + 18), "ax", anchor="middle"))
    for place, bar in enumerate(tally.bars):
        middle = _TOP + place * _ROW + _ROW / 2
        low, high = across(bar.low), across(bar.high)
        whisker = f"M{n(low)} {n(middle)}H{n(high)}M{n(low)} {n(middle - 5)}v10M{n(high)} {n(middle - 5)}v10"
        solid = rect("full", (_LEFT, middle - _BAR / 2, across(bar.share), middle + _BAR / 2), _SOLID)
        name = text(bar.name, (_LEFT - 10, middle + 4), "who", anchor="end")
        value = text(f"{100 * bar.share:.1f} %  ({_bounds(bar)})", (_RIGHT + 12, middle + 4), "who")
        drawn.append(f'<g class="{bar.style}">{solid if bar.games else ""}{path("staff", whisker)}{name}{value}</g>')
    at = across(tally.most)
    drawn.append(path("staff", f"M{n(at)} {_TOP - 6}V{n(base)}", ' stroke-dasharray="3 4"'))
    return drawn


def _lengths(lengths: Mapping[str, Mapping[int, int]], top: float, base: float) -> list[str]:
    turns = _together(lengths)
    first, last = min(1, *turns), max(turns)
    each = -(-(last - first + 1) // _COLUMNS)
    columns = (last - first) // each + 1
    wide = min((WIDTH - 2 * _MARGIN) / columns, 48)
    stacked = {style: _columns(counts, first, each) for style, counts in lengths.items()}
    most = max(_together(stacked).values())
    drawn = [text("Games by the turn in which they ended", (20, top - 32), "nm")]
    for column in range(columns):
        left, foot = _MARGIN + column * wide, base
        for style, counts in stacked.items():
            if count := counts.get(column, 0):
                head = foot - count / most * (base - top)
                solid = rect("full", (left + wide * 0.1, head, left + wide * 0.9, foot), _SOLID)
                drawn.append(f'<g class="{style}">{solid}</g>')
                foot = head
        if foot < base and wide > 20:
            together = sum(counts.get(column, 0) for counts in stacked.values())
            drawn.append(text(str(together), (left + wide / 2, foot - 5), "ax", anchor="middle"))
        if column % -(-columns // 16) == 0:
            drawn.append(text(f"T{first + column * each}", (left + wide / 2, base + 18), "ax", anchor="middle"))
    return [*drawn, path("base", f"M{_MARGIN} {n(base)}H{WIDTH - _MARGIN}")]


def _columns(counts: Mapping[int, int], first: int, each: int) -> dict[int, int]:
    """By column instead of by turn."""
    found: dict[int, int] = {}
    for turn, count in counts.items():
        column = (turn - first) // each
        found[column] = found.get(column, 0) + count
    return found


def _together(counts: Mapping[str, Mapping[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for one in counts.values():
        for turn, count in one.items():
            found[turn] = found.get(turn, 0) + count
    return found
