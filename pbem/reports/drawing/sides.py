"""How sides are told apart: each by a colour, and without it by a pattern, a line, a mark and a letter.

The first two are in the style sheet of every map.  What more sides need, and provinces, goes with the drawing that has
them: a page without them has none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from pbem.ground.picture import STYLES, Look, Pattern, Picture, SideStyle
from pbem.reports.drawing.colours import DARK, LIGHT, baked
from pbem.reports.drawing.svg import XY, n, path, said, xy
from pbem.reports.drawing.terrain import pattern
from pbem.rules import reel
from pbem.rules.contract import AnySystem

PLAIN = ("first", "second", "none")
"""The styles that every page knows."""


class Side(Struct, frozen=True):
    """A side as it is drawn."""

    style: SideStyle
    name: str
    letter: str
    light: str
    dark: str
    pattern: Pattern
    dash: str
    """Of its lines in a plot, as `stroke-dasharray` has it; empty: drawn through."""
    mark: str
    """Of its points in a plot: the data of a path round 0."""
    hollow: bool
    """Whether that is an outline."""


class _Tile(Struct, frozen=True):
    """A pattern: the size of what comes again, what is filled of it, and how it is turned."""

    wide: float
    high: float
    drawn: str
    turn: int = 0


TILES: Mapping[Pattern, _Tile] = {
    "solid": _Tile(4, 4, ""),
    "hatched": _Tile(3.4, 3.4, "M0 0h2.1v3.4H0z", 45),
    "level": _Tile(3.6, 3.6, "M0 .8h3.6v1.9H0z"),
    "dotted": _Tile(3.6, 3.6, "M1.8 .5a1.3 1.3 0 1 0 .01 0z"),
    "checked": _Tile(4.4, 4.4, "M0 0h2.2v2.2H0zM2.2 2.2h2.2v2.2H2.2z"),
    "upright": _Tile(3.6, 3.6, "M.8 0h1.9v3.6H.8z"),
    "crossed": _Tile(4, 4, "M0 0h4v1.3H0zM0 1.3h1.3v2.7H0z", 45),
    "back": _Tile(3.4, 3.4, "M0 0h2.1v3.4H0z", -45),
    "diamonds": _Tile(4.4, 4.4, "M2.2 .2L4.2 2.2L2.2 4.2L.2 2.2z"),
    "bricks": _Tile(5, 4, "M0 0h5v.9H0zM0 2h5v.9H0zM.6 .9h.9v1.1H.6zM3.1 2.9h.9v1.1h-.9z"),
    "zigzag": _Tile(4.4, 3.6, "M0 2l2.2 -1.8l2.2 1.8v1.5l-2.2 -1.8l-2.2 1.8z"),
    "grid": _Tile(4, 4, "M0 0h4v1.3H0zM0 1.3h1.3v2.7H0z"),
}  # fmt: skip
APART = 3.4
"""How much wider apart a pattern is on a province, where names are read over it, than in a sign."""
TINTED = {"held": 2.4, "zone": 1.5}
"""The same, where land is held or barred."""
LETTER = 0.62
"""How large a letter is that stands on an edge, of what it is on a sign."""

_COLOURS = {  # on paper, and on a dark page
    "first": (LIGHT["first"], DARK["first"]),
    "second": (LIGHT["second"], DARK["second"]),
    "third": ("#1F6E46", "#22B534"),
    "fourth": ("#8416F0", "#A587FF"),
    "fifth": ("#0C0C0C", "#FFFDE0"),
    "sixth": ("#94466E", "#FF62B6"),
    "seventh": ("#4A2E00", "#FFE03C"),
}
AGAIN = 5
"""After the seventh the colours of the third to the seventh come again."""

_DASHES = ("", "7 4", "2 3", "10 3 2 3", "14 4", "4 3 1 3", "9 3 2 3 2 3", "1 4", "5 2", "12 3 5 3", "3 6", "8 8")
_DISC = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
_MARKS = (
    (_DISC, False),
    (_DISC, True),
    ("M-3.8 -3.8h7.6v7.6h-7.6z", False),
    ("M0 -5.2L5.2 0L0 5.2L-5.2 0z", True),
    ("M0 -5L5 4H-5z", False),
    ("M-3.8 -3.8h7.6v7.6h-7.6z", True),
    ("M0 -5.2L5.2 0L0 5.2L-5.2 0z", False),
    ("M0 -5L5 4H-5z", True),
    ("M0 5L5 -4H-5z", False),
    ("M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z", False),
    ("M0 5L5 -4H-5z", True),
    ("M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z", True),
)


def _shipped(place: int) -> Side:
    style, (mark, hollow) = STYLES[place], _MARKS[place]
    light, dark = _COLOURS[STYLES[place if place < len(_COLOURS) else place - AGAIN]]
    return Side(style, "", str(place + 1), light, dark, tuple(TILES)[place], _DASHES[place], mark, hollow)


SHIPPED: Mapping[SideStyle, Side] = {style: _shipped(place) for place, style in enumerate(STYLES)}
"""The sides as they ship, by their styles."""


@lru_cache(maxsize=64)
def sides(looks: tuple[Look, ...] = (), names: tuple[str, ...] = ()) -> Mapping[SideStyle, Side]:
    """The sides of a game, by their styles, the first first: those of *looks*, or all that ship."""
    called = (*names, *[""] * len(STYLES))
    given = looks or tuple(map(Look, STYLES))
    written = letters([called[place] for place in range(len(given))])
    found = {}
    for place, look in enumerate(given):
        base = SHIPPED.get(look.style) or SHIPPED[STYLES[place % len(STYLES)]]
        found[look.style] = Side(
            look.style,
            called[place],
            look.letter or written[place] or str(place + 1),
            base.light if look.style in PLAIN else look.light or base.light,
            base.dark if look.style in PLAIN else look.dark or base.dark,
            base.pattern if look.style in PLAIN else look.pattern or base.pattern,
            base.dash,
            base.mark,
            hollow=base.hollow,
        )
    return found


def sides_of(picture: Picture) -> Mapping[SideStyle, Side]:
    """The sides of a picture, by their styles."""
    return sides(picture.looks, picture.sides)


def looks_of(some: Iterable[reel.Side]) -> tuple[Look, ...]:
    """How the sides of a game are drawn, the first first."""
    return tuple(one.look or Look(one.drawn) for one in some)


def letters(names: Sequence[str]) -> list[str]:
    """Of each name as much as no other begins with, two letters at most; nothing where that is not enough.

    >>> letters(["Austria", "England", "the Romans", "Russia", ""])
    ['A', 'E', 'Ro', 'Ru', '']
    """
    plain = [name.strip().removeprefix("the ").strip() for name in names]

    def begins(name: str) -> str:
        for size in (1, 2):
            if sum(other[:size].casefold() == name[:size].casefold() for other in plain if other) == 1:
                return name[:1].upper() + name[1:size]
        return ""

    return [begins(name) if name else "" for name in plain]


def used(picture: Picture) -> set[SideStyle]:
    """The styles of all that a picture shows, but of the land of countries, which has the colours of land."""
    things = (picture.blocks, picture.tracks, picture.provinces, picture.sites, picture.stacks, picture.troops)
    found = {thing.side for some in things for thing in some} | {arc.side for arc in picture.arcs}
    return found | {tint.side for tint in picture.tints if tint.kind != "land"}


def beyond(styles: Iterable[SideStyle]) -> tuple[SideStyle, ...]:
    """Those of *styles* that a page does not know by itself, in the order of sides."""
    order = {style: place for place, style in enumerate(STYLES)}
    return tuple(sorted({*styles} - {*PLAIN}, key=lambda style: (order.get(style, len(order)), style)))


def is_more(style: SideStyle) -> bool:
    """Whether a side is drawn with its letter, being neither the first nor the second."""
    return style not in PLAIN


def is_many(picture: Picture) -> bool:
    """Whether a picture shows more sides than two."""
    return bool(beyond(used(picture)))


class Needs(Struct, frozen=True):
    """What drawings need beyond what every page has for two sides."""

    found: Mapping[SideStyle, Side] = {}
    styles: frozenset[SideStyle] = frozenset()
    """Those that are shown."""
    owners: frozenset[SideStyle] = frozenset()
    """Those that have provinces, or a row of the key of a map that has some."""
    marked: frozenset[SideStyle] = frozenset()
    """Those that have pieces with their letter in them."""
    provinces: bool = False
    """Whether there are provinces, or pieces and ways that only games of provinces have."""
    tinted: frozenset[tuple[str, SideStyle]] = frozenset()
    """What is held or barred on a map of hexes, and by whom."""


def needs(picture: Picture) -> Needs:
    """What a picture needs."""
    pieces = [one for one in picture.blocks if one.sign in ("army", "fleet")]
    odd = any(one.failed or one.kind in ("support", "convoy") for one in picture.tracks)
    return Needs(
        sides_of(picture),
        frozenset(used(picture)),
        frozenset(used(picture) if picture.provinces else ()) - {"none"},
        frozenset(one.side for one in pieces) - {"none"},
        bool(picture.provinces or pieces or odd),
        frozenset((one.kind, one.side) for one in picture.tints if one.kind in ("held", "zone")),
    )


def together(some: Iterable[Needs]) -> Needs:
    """What all of them need; how a side is drawn, the first of them says that has a name for it."""
    every = list(some)
    named = [side for one in every[::-1] for side in one.found.values()]
    return Needs(
        {side.style: side for side in (*named, *(side for side in named if side.name))},
        frozenset().union(*(one.styles for one in every)),
        frozenset().union(*(one.owners for one in every)),
        frozenset().union(*(one.marked for one in every)),
        any(one.provinces for one in every),
        frozenset().union(*(one.tinted for one in every)),
    )


# ---- What is drawn ----


def fill(style: SideStyle, ids: str) -> tuple[str, str]:
    """The class of a filled shape, and its pattern: solid for the first side, each other by its own."""
    if style == "second":
        return "tint hatch", f' fill="url(#{ids}-hatch)"'
    return ("tint hatch", f' fill="url(#{ids}-hatch-{style})"') if is_more(style) else ("tint full", "")


def badge(style: SideStyle, ids: str, at: XY = (0, 0), size: float = 1.0) -> str:
    """The letter of a side in its disc; nothing of those that are told apart without it."""
    if not is_more(style):
        return ""
    scale = "" if size == 1.0 else f" scale({size:g})"
    return f'<use href="#{ids}-letter-{style}" transform="translate({xy(at)}){scale}"/>'


def highest(ring: Iterable[XY]) -> XY:
    """The place of a ring where its letter stands."""
    return min(ring, key=lambda at: (at[1], at[0]))


def lettering(side: Side, at: XY, css: str, size: float = 10.0) -> str:
    """The letter of a side round a place; two stand in the room of one."""
    size = size if len(side.letter) < 2 else size * 0.78
    place = f'x="{n(at[0])}" y="{n(at[1] + size * 0.36)}" font-size="{n(size)}"'
    return f'<text class="{css}" {place}>{said(side.letter)}</text>'


def disc(side: Side, at: XY) -> str:
    """A full disc with the letter of a side: whose something is."""
    circle = f'<circle class="sd-full" cx="{n(at[0])}" cy="{n(at[1])}" r="7.5"/>'
    return _in(side.style, circle + lettering(side, at, "sd-pale"))


def definitions(need: Needs, ids: str) -> str:
    """The patterns and letters of sides, and the patterns of their provinces; nothing for two sides without."""
    drawn = []
    for style in beyond(need.styles):
        side = side_of(need.found, style)
        tile = TILES[side.pattern]
        ground = f'<rect class="hat0" width="{tile.wide:g}" height="{tile.high:g}"/>'
        mark = path("sd-hat", tile.drawn or f"M0 0h{tile.wide:g}v{tile.high:g}H0z")
        drawn.append(pattern(f"{ids}-hatch-{style}", tile.wide, tile.high, _in(style, ground + mark), turn=tile.turn))
        letter = f'<circle class="sd-disc" r="6.2"/>{lettering(side, (0, 0), "sd-letter", 9.5)}'
        drawn.append(f'<g id="{ids}-letter-{style}" class="{style}">{letter}</g>')
    for style in sorted(need.marked):
        letter = lettering(side_of(need.found, style), (0, 0), "sd-pale", 12.0)
        drawn.append(f'<g id="{ids}-mark-{style}" class="{style}">{letter}</g>')
    for style in sorted(need.owners):
        tile = TILES[side_of(need.found, style).pattern]
        wide, high = tile.wide * APART, tile.high * APART
        mark = path("sd-fine", tile.drawn, f' transform="scale({APART:g})"')
        drawn.append(pattern(f"{ids}-owned-{style}", wide, high, _in(style, mark), turn=tile.turn))
    if need.provinces:
        drawn.append(pattern(f"{ids}-barred", 7, 7, path("sd-barred", "M0 3.5h7M3.5 0v7"), turn=45))
    for kind, style in sorted(need.tinted):
        if is_more(style):
            tile, apart = TILES[side_of(need.found, style).pattern], TINTED[kind]
            mark = path("sd-fine", tile.drawn, f' transform="scale({apart:g})"')
            size = (tile.wide * apart, tile.high * apart)
            drawn.append(pattern(f"{ids}-{kind}-{style}", *size, _in(style, mark), turn=tile.turn))
    return "".join(drawn)


def side_of(found: Mapping[SideStyle, Side], style: SideStyle) -> Side:
    """A side, also one that nobody has said how to draw: in ink."""
    return found.get(style) or Side(style, "", "?", LIGHT["ink"], DARK["ink"], "grid", "", _DISC, hollow=True)


def _in(style: SideStyle, svg: str) -> str:
    return f'<g class="{style}">{svg}</g>'


# ---- The style ----

_ALL = """
.sd-hat{fill:currentColor}.sd-disc{fill:var(--sheet);stroke:currentColor;stroke-width:1.3}
.sd-letter,.sd-pale{font-family:var(--sans);font-weight:700;text-anchor:middle;fill:currentColor}.sd-pale{fill:var(--sheet)}
.sd-full{fill:currentColor;stroke:var(--sheet);stroke-width:1.2}
.sd-fine{fill:currentColor;fill-opacity:.22}
.r-tl-who{font:700 11px var(--sans);fill:currentColor;text-anchor:middle}
"""
_PIECES = """
.sd-own{fill:currentColor;fill-opacity:.17}
.sd-free{fill:var(--open)}.sd-sea{fill:var(--water);fill-opacity:.4}.sd-shut{fill:var(--grid)}.sd-barred{stroke:var(--line);stroke-width:1.1}
.sd-edge{fill:none;stroke:var(--ink);stroke-width:1.1;stroke-opacity:.75;stroke-linejoin:round}
.sd-name{font-family:var(--sans);font-size:12.5px;font-weight:600;fill:var(--name);text-anchor:middle;paint-order:stroke;stroke:var(--open);stroke-width:3px;stroke-linejoin:round}
.sd-wet{fill:var(--brook);font-style:italic;font-weight:500}
.sd-place{fill:var(--sheet);stroke:var(--ink);stroke-width:1.6}
.sd-piece{fill:currentColor;stroke:var(--sheet);stroke-width:1.4;stroke-linejoin:round}
.sd-rim{fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}
.sd-driven{fill:none;stroke:currentColor;stroke-width:1.8;stroke-dasharray:3 2.4}
.sd-support{fill:none;stroke:currentColor;stroke-width:2;stroke-dasharray:6 4;stroke-linejoin:round}
.sd-convoy{fill:none;stroke:currentColor;stroke-width:3;stroke-dasharray:.1 5;
stroke-linecap:round;stroke-linejoin:round}
.sd-bar{fill:none;stroke:currentColor;stroke-width:3}
"""
_EACH = (
    "{0} .man{{stroke:currentColor;stroke-width:1}}"
    "{0} .wheel{{fill:var(--sheet);stroke:currentColor;stroke-width:1.4}}"
    "{0} .disc{{fill:currentColor;stroke:var(--sheet)}}"
    "{0} .pl-man{{fill:var(--sheet);stroke:currentColor;stroke-width:1.1}}"
    "{0} .hx-fit{{fill:currentColor}}{0} .hx-worn{{fill:currentColor;fill-opacity:.4}}"
    "{0} .hx-strip{{stroke:currentColor}}"
    "{0} .run,{0} .r-pl-run{{stroke-dasharray:{1}}}"
)


def css_of(need: Needs) -> str:
    """What they add to the style of a page, in the light and in the dark; nothing for two sides without provinces."""
    more = [side_of(need.found, style) for style in beyond(need.styles)]
    if not more and not need.provinces:
        return ""
    light = "".join(f"--{one.style}:{one.light};" for one in more)
    dark = "".join(f"--{one.style}:{one.dark};" for one in more)
    themes = f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}@media print{{:root{{{light}}}}}"
    each = "".join(f".{one.style}{{color:var(--{one.style})}}{_rules(one)}" for one in more)
    return f"{themes if more else ''}{each}{_ALL}{_PIECES if need.provinces else ''}".replace("\n", "")


def baked_css_of(need: Needs) -> str:
    """The same for a drawing that stands alone, with the colours of the light written out."""
    more = [side_of(need.found, style) for style in beyond(need.styles)]
    if not more and not need.provinces:
        return ""
    each = "".join(f".{one.style}{{color:{one.light}}}{_rules(one)}" for one in more)
    return baked(f"{each}{_ALL}{_PIECES if need.provinces else ''}")


def css_of_all(systems: Iterable[AnySystem]) -> str:
    """The same for every side that ships, and for those that some *systems* bring: a style sheet of many games.

    A style that ships has the colours it ships with: that of one system is not that of all.
    """
    brought = {style: side for system in systems for style, side in sides(system.looks).items()}
    found = {**brought, **SHIPPED}
    return css_of(Needs(found, frozenset(found), provinces=True))


def _rules(side: Side) -> str:
    return _EACH.format(f".{side.style}", side.dash or "none")


def style_of(need: Needs) -> str:
    """What they add to the style of a page, as an element of it; nothing for two sides without provinces."""
    css = css_of(need)
    return f"<style>{css}</style>" if css else ""


def listed(picture: Picture) -> Iterator[Side]:
    """The sides that a picture shows, in their order, if they have rows of their own in its key."""
    if is_many(picture) or picture.provinces:
        shown = used(picture)
        found = sides_of(picture)
        yield from (side for style, side in found.items() if style in shown)
        yield from (side_of(found, style) for style in beyond(shown) if style not in found)
