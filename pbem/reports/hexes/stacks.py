"""The signs of a hex map: troops, headquarters, fortresses and towns, and how those of one hex share it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import Struct

from pbem.ground.picture import Picture, Point, Site, Stack
from pbem.reports.drawing.boxes import square
from pbem.reports.drawing.frame import Frame
from pbem.reports.drawing.sides import badge, is_more
from pbem.reports.drawing.svg import XY, Rect, n, path, rect, said, xy

HIGH = 14.0
"""Pixels of the box of a stack, without the strip of its states."""
STRIP = 3.4
FLAG = 9.0
"""Pixels that a flag stands above its box."""
BADGE = 9.0
"""Pixels by which a garrison makes room for the badge of its fortress."""
MOST_FLAGS = 3


class Stood(Struct, frozen=True):
    """A stack, drawn at its place; *box* has its flags in it."""

    stack: Stack
    at: XY
    box: Rect
    svg: str


class Sited(Struct, frozen=True):
    """A site, drawn at its place."""

    site: Site
    box: Rect
    svg: str


def stand(picture: Picture, frame: Frame, ids: str) -> tuple[list[Stood], list[Sited]]:
    """Every stack and every site at its place: those of one hex share it, a badge beside the troops."""
    stacks: dict[Point, list[Stack]] = {}
    for stack in picture.stacks:
        stacks.setdefault(stack.at, []).append(stack)
    stood = [one for at, some in stacks.items() for one in _shelve(some, frame.at(at), ids)]
    troops: dict[Point, list[Stood]] = {}
    for one in stood:
        troops.setdefault(one.stack.at, []).append(one)
    return stood, [_sited(site, frame.at(site.at), troops.get(site.at, ()), ids) for site in picture.sites]


def _shelve(stacks: Sequence[Stack], at: XY, ids: str) -> Iterator[Stood]:
    """Above each other round the middle of the hex, those shut in its fortress on top, beside its badge."""
    ordered = sorted(stacks, key=lambda stack: not stack.inside)
    highs = [_high(stack) + (FLAG if _flies(stack) and i else 0) + 2 for i, stack in enumerate(ordered)]
    down = at[1] - (sum(highs) - 2) / 2
    for stack, high in zip(ordered, highs, strict=True):
        bottom, tall, wide = down + high - 2, _high(stack), _width(stack)
        here = (at[0] - (BADGE if stack.inside else 0), bottom - tall / 2)
        top = bottom - tall - (FLAG if _flies(stack) else 0)
        box = (here[0] - wide / 2, top, here[0] + wide / 2, bottom)
        down += high
        yield Stood(stack, here, box, f'<g transform="translate({xy(here)})">{stack_sign(stack, ids)}</g>')


def _flies(stack: Stack) -> bool:
    """Whether flags stand on its box: within the walls there is no room for them."""
    return bool(stack.staff) and not stack.inside


def _high(stack: Stack) -> float:
    return HIGH + (STRIP if stack.worn or stack.broken else 0) + (3 if stack.riding else 0)


def _name(stack: Stack) -> str:
    return stack.staff[0].name + ("+" if len(stack.staff) > 1 else "") if stack.staff else ""


def _sum(stack: Stack) -> str:
    return "?" if stack.strength is None else str(stack.strength) if stack.strength else ""


def _letters(words: str, size: float) -> float:
    return sum(_WIDTHS.get(c, 0.75) for c in words) * size


_WIDTHS = {"I": 0.38, "J": 0.38, "L": 0.64, "E": 0.69, "F": 0.69, "M": 1.0, "W": 1.1} | dict.fromkeys("0123456789", 0.7)
"""Of the bold letters, as shares of their size."""


def _width(stack: Stack) -> float:
    name, total = _name(stack), _sum(stack)
    wide = (_letters(name, _small(name)) + 3 if name else 0) + (len(total) * 7.7 if total else 0) + 6
    return max(wide, 18.0)


def _small(name: str) -> float:
    """The size of the letters of a name: a long one is set smaller, to stay within its hex."""
    return 8.0 if len(name) < 4 else 7.2 if len(name) < 5 else 6.4


def stack_sign(stack: Stack, ids: str) -> str:
    """The sign of *stack* round its own middle: flags, box, name of the senior headquarters, strength, states."""
    wide, high = _width(stack), _high(stack) - (3 if stack.riding else 0)
    left, top = -wide / 2, -high / 2
    name, total = _name(stack), _sum(stack)
    faint = stack.strength is None or stack.certainty in ("old", "stale")
    css = "hx-blind" if faint else "hx-box" if stack.side == "first" else "hx-case"
    ink = "hx-pale" if css == "hx-box" else "hx-dark"
    flown = stack.staff[:MOST_FLAGS] if _flies(stack) else ()
    flags = "".join(
        f'<g transform="translate({xy((left + 2.5 + i * 8, top))})">{flag_sign(flag.rank, stack.side)}</g>'
        for i, flag in reversed(list(enumerate(flown)))
    )
    radius = ' rx="6"' if stack.strength is None else ' rx="2.2"' if stack.side != "first" else ' rx="1"'
    drawn = flags + rect(css, (left, top, left + wide, top + high), radius)
    level = top + HIGH / 2
    across = left + 3
    if name:
        size = _small(name)
        room = _letters(name, size)
        middle = across + room / 2 if total else 0.0
        drawn += _word(name, (middle, level + 2.9), f"hx-hq {ink}", size)
        across += room + 3
    if total:
        drawn += _word(total, ((across + left + wide - 3) / 2, level + 4), f"hx-sum {ink}")
    if stack.worn or stack.broken:
        drawn += _states(stack, (left + 3, top + HIGH - 1.4, left + wide - 3, top + HIGH + STRIP - 1.8))
    if stack.riding:
        wheels = (left + wide * 0.25, 0.0, left + wide * 0.75)
        drawn += "".join(f'<circle class="hx-wheel" cx="{n(x)}" cy="{n(top + high + 1)}" r="2"/>' for x in wheels)
    age = "" if stack.certainty == "now" else f" hx-{stack.certainty}"
    return f'<g class="{stack.side}{age}">{drawn}</g>{badge(stack.side, ids, (left + wide, top), 0.62)}'


def _word(words: str, at: XY, css: str, size: float = 0) -> str:
    set_in = f' font-size="{n(size)}"' if size else ""
    return f'<text class="{css}" x="{n(at[0])}" y="{n(at[1])}"{set_in}>{said(words)}</text>'


def _states(stack: Stack, box: Rect) -> str:
    """A strip as long as the strength: full, pale, empty."""
    left, top, right, bottom = box
    total = max(stack.strength or 0, stack.worn + stack.broken, 1)
    fit = left + (right - left) * (total - stack.worn - stack.broken) / total
    worn = fit + (right - left) * stack.worn / total
    parts = (("hx-fit", left, fit), ("hx-worn", fit, worn), ("hx-hole", worn, right))
    return "".join(rect(css, (a, top, b, bottom)) for css, a, b in parts if b > a) + rect("hx-strip", box)


_FLAGS = {
    "army": "M0 -11h10l-2.6 2.9 2.6 2.9H0z",
    "corps": "M0 -11l9.5 3-9.5 3z",
    "division": "M0 -9.6l6.4 2.1-6.4 2.1z",
}


def flag_sign(rank: str, side: str) -> str:
    """A flag on its staff, from its foot."""
    return f'<g class="{side}">{path("hx-staff", "M0 2V-11.4")}{path("hx-flag", _FLAGS[rank])}</g>'


STAR = "M" + "L".join(
    xy((radius * math.sin(math.pi * i / 8), -radius * math.cos(math.pi * i / 8)))
    for i, radius in enumerate((8.6, 6.4) * 8)
) + "z"  # fmt: skip


def site_sign(site: Site, ids: str) -> str:
    """The sign of *site* round its own middle."""
    hollow = site.side == "second" or is_more(site.side)
    match site.kind:
        case "fortress":
            css = "hx-ruin" if site.state == "destroyed" else "hx-open" if hollow else "hx-spot"
            ink = "hx-pale" if css == "hx-spot" else "hx-dark"
            drawn = path(css, STAR) + _word(str(site.figure or ""), (0, 3.2), f"hx-badge {ink}")
            if site.state == "destroyed":
                drawn = path(css, STAR) + path("hx-bar", "M-5 -5L5 5M-5 5L5 -5")
            elif site.state == "besieged":
                drawn = '<circle class="hx-siege" r="11.2"/>' + drawn
        case "town":
            css = "hx-open" if hollow else "hx-spot"
            bar = path("hx-bar", "M-3.4 0h6.8") if site.side == "second" else ""
            drawn = f'<circle class="{css}" r="3.6"/>{bar}'
        case "village":
            drawn = '<circle class="hx-spot" r="1.9"/>'
        case other:
            assert_never(other)
    letter = badge(site.side, ids, _LETTERS.get(site.kind, (0, 0)), 0.6) if site.kind in _LETTERS else ""
    return f'<g class="{site.side}">{drawn}</g>{letter}'


_LETTERS = {"fortress": (8.5, -6.5), "town": (0.0, 0.0)}
"""Where the letter of who holds a site stands, if he has one."""

_RADIUS = {"fortress": 9.5, "town": 4.6, "village": 2.4}


def _sited(site: Site, at: XY, troops: Sequence[Stood], ids: str) -> Sited:
    """In the middle of its hex, a little up for its name; beside the troops, if there are any."""
    radius = _RADIUS[site.kind]
    garrison = next((one for one in troops if one.stack.inside), None)
    if garrison:
        at = (garrison.box[2] + radius - 1, garrison.at[1])
    elif troops:
        at = (at[0] + 13, troops[0].at[1] - HIGH / 2 - radius + 2)
    else:
        at = (at[0], at[1] - (2 if site.kind == "fortress" else 1))
    return Sited(site, square(at, radius), f'<g transform="translate({xy(at)})">{site_sign(site, ids)}</g>')
