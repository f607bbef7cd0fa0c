"""The signs of troops: each a string of SVG round its own middle, and how much room it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbem.ground.picture import Block, Cell, Face, Mark
from pbem.reports.drawing.sides import badge, fill, is_more
from pbem.reports.drawing.svg import XY, heading, line, n, path, rect, xy

GAP = 2.0
"""Pixels between stands, and between ranks."""

EDGE = 3.0
"""Pixels that the thick edge of the front stands out."""

CARD = (13.0, 18.0)
CARDS_A_ROW = 4
DOTS_A_ROW = 6


class Sign(NamedTuple):
    """What to draw, and its full width and height in pixels, as it is turned."""

    drawn: str
    width: float
    height: float
    css: str = ""
    """Its side and age."""
    turn: int = 0
    letter: str = ""
    """That of its side, at its corner, which does not turn with it."""

    @property
    def upright(self) -> str:
        """The sign, not turned, without its letter."""
        return f'<g class="{self.css}">{self.drawn}</g>'

    @property
    def svg(self) -> str:
        """The sign, turned."""
        turned = f'<g transform="rotate({self.turn})">{self.drawn}</g>' if self.turn else self.drawn
        return f'<g class="{self.css}">{turned}</g>{self.letter}'


def sign(block: Block, ids: str, *, whole: bool = True) -> Sign:
    """The sign of *block*, turned to its bearing and faded by its age.

    Without *whole* a gun that stands ready is drawn without the limber behind it: in a crowded place.
    """
    drawn = (_DRAWN if whole else _CROWDED)[block.sign](block, ids)
    turn = 0 if block.sign in UPRIGHT or not block.bearing % 360 else block.bearing
    across, along = abs(math.cos(math.radians(turn))), abs(math.sin(math.radians(turn)))
    age = "" if block.certainty == "now" else " hollow" if block.own else f" {block.certainty}"
    wide, high = drawn.width * across + drawn.height * along, drawn.width * along + drawn.height * across
    letter = "" if block.sign in PIECES else badge(block.side, ids, (wide / 2 - 1, 1 - high / 2))
    return Sign(drawn.drawn, wide, high, f"{block.side}{age}", turn, letter)


def _fill(block: Block, ids: str) -> str:
    """The rest of a filled shape: solid for the first side, each other by its pattern."""
    return fill(block.side, ids)[1]


def _full(block: Block) -> str:
    return fill(block.side, "")[0]


def _ranks(block: Block, stand: tuple[float, float], draw: Callable[[Cell, XY], str]) -> Sign:
    """Ranks of stands, the front one on top, and the thick edge before it."""
    ranks = block.ranks or ((Cell(1, 1),),)
    width = max(len(rank) for rank in ranks) * (stand[0] + GAP) - GAP
    height = len(ranks) * (stand[1] + GAP) - GAP
    top = -height / 2
    drawn = []
    for i, rank in enumerate(ranks):
        left = -(len(rank) * (stand[0] + GAP) - GAP) / 2
        drawn += [draw(cell, (left + j * (stand[0] + GAP), top + i * (stand[1] + GAP))) for j, cell in enumerate(rank)]
    front = path("front", f"M{xy((-width / 2 - 1, top - 3))}h{n(width + 2)}")
    return Sign("".join(drawn) + front, width + 2, height + 9)


def _stand_width(block: Block) -> float:
    most = max((cell.of for rank in block.ranks for cell in rank), default=1)
    return min(max(6 * most + 4, 14), 28)


def _infantry(block: Block, ids: str) -> Sign:
    width, height = _stand_width(block), 9.0

    def draw(cell: Cell, at: XY) -> str:
        share = width * cell.full / max(cell.of, 1)
        box = (at[0], at[1], at[0] + width, at[1] + height)
        left = rect(_full(block), (at[0], at[1], at[0] + share, at[1] + height), _fill(block, ids))
        men = "".join(
            f"M{xy((at[0] + width * i / cell.of, at[1]))}v{n(height)}" for i in range(1, cell.full) if cell.of <= 8
        )
        gone = f"M{xy((at[0] + share, at[1]))}v{n(height)}" if 0 < cell.full < cell.of else ""
        light = f"M{xy((at[0], at[1] + height / 2))}h{n(width)}" if block.sign == "jaeger" else ""
        return (
            rect("cell", box)
            + (left if cell.full else "")
            + path("man", men)
            + path("lost", gone)
            + path("light", light)
        )

    return _ranks(block, (width, height), draw)


def _cavalry(block: Block, ids: str) -> Sign:
    width, height = 20.0, 10.0

    def draw(cell: Cell, at: XY) -> str:
        left, top = at
        share = width * cell.full / max(cell.of, 1)
        half = f"M{xy(at)}V{n(top + height)}H{n(left + share)}L{xy((left, top))}z"
        gone = f"M{xy((left + share, top))}v{n(height)}" if 0 < cell.full < cell.of else ""
        box = (left, top, left + width, top + height)
        return (
            rect("cell", box)
            + (path(_full(block), half, _fill(block, ids)) if cell.full else "")
            + (path("lost", f"M{xy(at)}L{xy((left + share, top + height))}") if cell.full else "")
            + path("lost", gone)
        )

    return _ranks(block, (width, height), draw)


def _dots(count: int, top: float) -> str:
    """Gunners, one dot each, in rows."""
    dots = []
    for i in range(count):
        row, place = divmod(i, DOTS_A_ROW)
        in_row = min(count - row * DOTS_A_ROW, DOTS_A_ROW)
        across = (place - (in_row - 1) / 2) * 4.2
        dots.append(f'<circle class="man1" cx="{n(across)}" cy="{n(top + row * 4.4)}" r="1.9"/>')
    return "".join(dots)


_WHEELS = rect("wheel", (-11.5, -5, -7.5, 5)) + rect("wheel", (7.5, -5, 11.5, 5))
_CARRIAGE = path("axle", "M-9 0h18M0 6l-4 6M0 6l4 6") + _WHEELS
_BARRELS = {
    "gun": path("barrel stout", "M0 -12v20"),
    "mitrailleuse": path("barrel", "M-3 -12v18M0 -12v18M3 -12v18"),
    "siege_gun": path("barrel stout", "M0 -15v24"),
}
_LIMBER = (
    path("axle", "M0 -11v12")
    + rect("cell", (-6, -3, 6, 4))
    + rect("wheel", (-10, -4, -6.5, 5))
    + rect("wheel", (6.5, -4, 10, 5))
)


def _moved(svg: str, down: float, *, turn: int = 0) -> str:
    spin = f" rotate({turn})" if turn else ""
    return f'<g transform="translate(0 {n(down)}){spin}">{svg}</g>'


def _gun(block: Block, _ids: str, *, limber: bool = True) -> Sign:
    """Ready: barrel to the front, gunners, limber.  Limbered: limber to the front, gun behind, gunners last."""
    gun = _BARRELS[block.sign] + _CARRIAGE
    rows = -(-block.count // DOTS_A_ROW)
    crew = 4.4 * rows + 2 if rows else 0
    if block.limbered:
        height = 38 + crew
        top = -height / 2
        parts = _moved(_LIMBER, top + 4, turn=180) + _moved(gun, top + 26, turn=180)
        return Sign(parts + _dots(block.count, top + 42), 25, height)
    limber = limber and block.limber
    height = 24 + crew + (20 if limber else 0)
    top = -height / 2
    parts = _moved(gun, top + 12) + _dots(block.count, top + 24.5)
    if limber:
        parts += _moved(_LIMBER, top + height - 5)
    return Sign(parts, 25, height)


def _lone_gun(block: Block, ids: str) -> Sign:
    return _gun(block, ids, limber=False)


def _siege_gun(block: Block, _ids: str) -> Sign:
    """Twice as large, behind a half-moon of earth."""
    gun = f'<g transform="translate(0 2) scale(1.45)">{_BARRELS["siege_gun"]}{_CARRIAGE}</g>'
    work = path("work", "M-25 10A25 25 0 0 1 25 10")
    rays = "".join(
        f"M{xy((25 * math.cos(a), 10 + 25 * math.sin(a)))}l{xy((5 * math.cos(a), 5 * math.sin(a)))}"
        for a in (math.pi + math.pi * i / 10 for i in range(11))
    )
    return Sign(work + path("axle", rays) + gun + _dots(block.count, 23.5), 60, 50)


def _limber(block: Block, _ids: str) -> Sign:
    return Sign(_moved(_LIMBER, 3) + _dots(block.count, 13), 22, 20 + (6 if block.count else 0))


def _crew(block: Block, _ids: str) -> Sign:
    rows = -(-block.count // DOTS_A_ROW)
    height = 4.4 * rows + 2
    return Sign(_dots(block.count, -height / 2 + 2.4), min(block.count, DOTS_A_ROW) * 4.2 + 2, height)


_PENNANT = "M-6 -10l14 4.5 -14 4.5z"
_SWALLOWTAIL = "M-6 -10h15l-4 4.5 4 4.5h-15z"


def _flag(block: Block, ids: str) -> Sign:
    shape = _SWALLOWTAIL if block.sign == "chief" else _PENNANT
    edge = " edge" if block.side == "second" or is_more(block.side) else ""
    drawn = path("staff", "M-6 9V-10") + path(_full(block) + edge, shape, _fill(block, ids))
    if block.sign == "chief":
        drawn += '<circle class="disc" cx="-0.5" cy="-5.5" r="2.3"/>'
    return Sign(f'<g transform="translate(-1.5 0)">{drawn}</g>', 17, 20)


def _face(face: Face, block: Block, ids: str) -> str:
    """What an own card shows of what lies under it."""
    small = (-5.0, -3.0, 5.0, 3.0)
    match face:
        case "infantry":
            return rect(_full(block), small, _fill(block, ids))
        case "jaeger":
            return rect(_full(block), small, _fill(block, ids)) + path("light", "M-5 0h10")
        case "cavalry":
            return rect("cell", small) + path(_full(block), "M-5 -3V3H5z", _fill(block, ids))
        case "gun":
            return rect("blank", (-5.5, -5.5, 5.5, 5.5)) + path("kind", "M0 -4.5v9M-3 1h6M-3 -1v4M3 -1v4")
        case "mitrailleuse":
            return rect("blank", (-5.5, -5.5, 5.5, 5.5)) + path(
                "kind", "M-1.6 -4.5v6M1.6 -4.5v6M-4 1.5h8M-4 -0.5v4M4 -0.5v4"
            )
        case "siege_gun":
            return rect("blank", (-5.5, -5.5, 5.5, 5.5)) + path("kind", "M-4 2A4 4 0 0 1 4 2M0 -4v8")
        case "general" | "chief":
            shape = "M-3 -5h7l-2 2.5 2 2.5h-7z" if face == "chief" else "M-3 -5l7 2.5 -7 2.5z"
            return (
                rect("blank", (-5.5, -6.5, 5.5, 6.5))
                + path("staff", "M-3 6V-5")
                + path(_full(block), shape, _fill(block, ids))
            )


def _lattice(width: float, height: float) -> str:
    """Crossing lines, drawn out: a pattern would need a colour of its own for each side."""
    lines = []
    for i in range(-int(height // 4), int(width // 4) + 1):
        for run in (1, -1):
            x = i * 4.0
            start, end = max(0.0, -x), min(height, width - x)
            if start < end:
                y0, y1 = (start, end) if run == 1 else (height - start, height - end)
                first, last = (x + start - width / 2, y0 - height / 2), (x + end - width / 2, y1 - height / 2)
                lines.append(f"M{xy(first)}L{xy(last)}")
    return path("lattice", "".join(lines))


_BACK = _lattice(9, 14)


def _cards(block: Block, ids: str) -> Sign:
    """Backs side by side: lattice for the enemy's, the kind inside for one's own, a broken edge for one's dummies.

    They lie as they are read, whichever way they look: the thick edge is on the side of their front.
    """
    count = max(block.count, 1)
    wide, high = CARD
    columns = min(count, CARDS_A_ROW)
    rows = -(-count // CARDS_A_ROW)
    css = "card dummy" if block.sign == "dummy_card" else "card"
    inner = _face(block.face or "infantry", block, ids) if block.sign == "own_card" else ""
    drawn = []
    for i in range(count):
        row, place = divmod(i, CARDS_A_ROW)
        in_row = min(count - row * CARDS_A_ROW, CARDS_A_ROW)
        across = (place - (in_row - 1) / 2) * (wide + GAP)
        down = (row - (rows - 1) / 2) * (high + GAP)
        back = (-wide / 2, -high / 2, wide / 2, high / 2)
        card = rect(css, back, ' rx="1.5"') + _BACK + inner
        drawn.append(f'<g transform="translate({xy((across, down))})">{card}</g>')
    width, height = columns * (wide + GAP), rows * (high + GAP)
    turn = math.radians(block.bearing)
    across, along = abs(math.cos(turn)), abs(math.sin(turn))
    long, far = width * across + height * along, width * along + height * across
    turned = f' transform="rotate({block.bearing})"' if block.bearing % 360 else ""
    front = path("front", f"M{xy((-long / 2, -far / 2 - 1.5))}h{n(long)}", turned)
    return Sign("".join(drawn) + front, width + EDGE * 2 * along, height + EDGE * 2 * across)


def _chit(block: Block, _ids: str) -> Sign:
    return Sign('<circle class="card" r="8"/>' + path("kind", "M-3 -2a3 3 0 1 1 3 3v2M0 5.5v.5"), 18, 18)


def _marker(block: Block, ids: str) -> Sign:
    return Sign(path(_full(block) + " edge", "M0 -7l7 7-7 7-7-7z", _fill(block, ids)), 16, 16)


_PIECES = {"army": "M-12 -8.5h24v17h-24z", "fleet": "M-14 -4.5h28l-5 12h-18zM-1 -6V-14L8 -6z"}


def _piece(block: Block, ids: str) -> Sign:
    """A block or a hull with the letter of its side in it; driven out, aside and in a broken ring."""
    shape = _PIECES[block.sign]
    letter = (
        f'<use href="#{ids}-mark-{block.side}" y="{1.5 if block.sign == "fleet" else 0:g}"/>'
        if block.side != "none"
        else ""
    )
    drawn = path("sd-rim", shape) + path("tint sd-piece", shape) + letter
    if not block.driven:
        return Sign(drawn, 28, 24)
    return Sign(f'<g transform="translate(12 12) scale(.75)"><circle class="sd-driven" r="19"/>{drawn}</g>', 54, 54)


_DRAWN: dict[str, Callable[[Block, str], Sign]] = {
    "infantry": _infantry,
    "jaeger": _infantry,
    "cavalry": _cavalry,
    "gun": _gun,
    "mitrailleuse": _gun,
    "siege_gun": _siege_gun,
    "limber": _limber,
    "crew": _crew,
    "general": _flag,
    "chief": _flag,
    "card": _cards,
    "own_card": _cards,
    "dummy_card": _cards,
    "chit": _chit,
    "marker": _marker,
    "army": _piece,
    "fleet": _piece,
}
PIECES = frozenset(_PIECES)
"""Signs that have the letter of their side in them."""
_CROWDED = {**_DRAWN, **dict.fromkeys(("gun", "mitrailleuse"), _lone_gun)}
UPRIGHT = frozenset({"general", "chief", "card", "own_card", "dummy_card", "chit", "marker", "crew"}) | PIECES
"""Signs that do not turn with their bearing."""


LINES = {"support": "sd-support", "convoy": "sd-convoy"}


def track(kind: str, side: str, points: Sequence[XY], ids: str, *, failed: bool = False) -> str:
    """A line with its ring and head: `move` and `retreat` have a full head, fire and messengers an open one.

    What failed has a bar for a head; a side that has a letter has it in the ring.
    """
    (x, y), head = points[-1], f' transform="{heading(points)}"'
    drawn = path(LINES.get(kind, kind), line(points))
    if kind in ("move", "retreat"):
        ring = f'<circle class="ring" cx="{n(points[0][0])}" cy="{n(points[0][1])}" r="4.5"/>'
        drawn += badge(side, ids, points[0], 0.85) or ring
        drawn += "" if failed else path("head", "M4 0L-10 -7L-6.5 0L-10 7z", head)
    elif kind == "messenger":
        drawn += f'<circle class="head" cx="{n(x)}" cy="{n(y)}" r="3.5"/>'
    else:
        drawn += "" if failed else path("barb", "M-6.5 -5L1 0L-6.5 5", head)
    if failed:
        drawn += path("sd-bar", "M0 -7V7", head)
    return f'<g class="{side}">{drawn}</g>'


STAR = "M0 -13l4 5 7-1-2 6 5 4-6 3 0 7-6-3-6 4-1-7-6-2 5-5-3-6 7 1z"
SABRES = "M-7 7Q2 2 7 -8M7 7Q-2 2 -7 -8M-8.5 3.5l5 5M8.5 3.5l-5 5"


def _losses(figure: int, at: XY) -> str:
    """A star with the figures lost."""
    place = f' transform="translate({xy(at)})"'
    star = f'<g transform="translate(0.5 -1)">{path("star", STAR)}</g>'
    small, down = (" small", 3.6) if figure > 9 else ("", 4.5)
    return f'<g{place}>{star}<text class="figure{small}" x="0.5" y="{down}">{figure}</text></g>'


def _melee(at: XY) -> str:
    """Crossed sabres in a disc."""
    return f'<g transform="translate({xy(at)})"><circle class="duel" r="12.5"/>{path("sabre", SABRES)}</g>'


def _found(at: XY) -> str:
    """An eye: something was found out here."""
    return (
        f'<g transform="translate({xy(at)})"><circle class="duel" r="9"/>'
        f'{path("sabre", "M-5.5 0Q0 -6 5.5 0Q0 6 -5.5 0z")}<circle class="star" r="2.4"/></g>'
    )


def _unlike(at: XY) -> str:
    """A ring; only a page that looks back has it, and no report's style knows of it."""
    return f'<circle fill="none" stroke="var(--part)" stroke-width="3" cx="{n(at[0])}" cy="{n(at[1])}" r="19"/>'


def mark_sign(mark: Mark, at: XY) -> str:
    """The sign of what happened at a place."""
    match mark.kind:
        case "losses":
            return _losses(mark.figure, at)
        case "melee":
            return _melee(at)
        case "found":
            return _found(at)
        case "unlike":
            return _unlike(at)
