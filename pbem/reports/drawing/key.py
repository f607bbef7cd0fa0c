"""The key of a map: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from pbem.ground.picture import (  # fmt: skip
    Area,
    Block,
    Cell,
    Certainty,
    Mark,
    Picture,
    Province,
    SideStyle,
    Stack,
    Track,
    Troop,
    Way,
)
from pbem.reports.drawing.provinces import area, is_bare
from pbem.reports.drawing.sides import beyond, disc, fill, is_many, listed, sides_of, used
from pbem.reports.drawing.signs import mark_sign, sign, track
from pbem.reports.drawing.svg import XY, Rect, path, rect

BOX = (58, 34)
"""The room for one sample, in pixels."""

PATCH: Rect = (12.0, 5.0, 46.0, 29.0)
"""Where a sample of ground lies in its box."""

STRETCH = "M6 17h46"
"""A way across it."""

ENDS: Sequence[XY] = ((7, 17), (50, 17))
"""Where a track across it begins and ends."""

Row = tuple[str, str]
"""A sample, drawn for a box of `BOX`, and its words."""

Aged = TypeVar("Aged", Block, Stack, Troop)

# ---- What is in the key of every map ----


def centred(svg: str, size: float = 1.0, *, down: float = 0) -> str:
    """What is drawn round its own middle, in the middle of its box."""
    scale = "" if size == 1.0 else f" scale({size:g})"
    return f'<g transform="translate(29 {17 + down:g}){scale}">{svg}</g>'


def capital(words: str) -> str:
    """Words as they begin a row."""
    stripped = words.strip()
    return stripped[:1].upper() + stripped[1:]


def whose(picture: Picture) -> Mapping[SideStyle, str]:
    """The name of each side, the first first; of none, no words."""
    named = dict(zip(sides_of(picture), picture.sides, strict=False))
    return {**named, **{style: "" for style in beyond(used(picture)) if style not in named}, "none": ""}


def shown(picture: Picture, have: Container[SideStyle]) -> Iterator[tuple[SideStyle, str]]:
    """The sides that *have* a sign, with their names: of more than two sides the first of them stands for all."""
    some = [(side, name) for side, name in whose(picture).items() if side in have]
    yield from ((side, "") for side, _ in some[:1]) if is_many(picture) else some


def the_sides(picture: Picture, ids: str) -> Iterator[Row]:
    """A row for each side of a picture of more than two, or of provinces: its colour, its pattern, its letter."""
    for side in listed(picture):
        if picture.provinces:
            sample = area(Province("", (), (0, 0), side=side.style), "M5 5h34v24H5z", ids, bare=is_bare(picture))
            sample += path("sd-edge", "M5 5h34v24H5z")
        else:
            css, fill_ = fill(side.style, ids)
            sample = f'<g class="{side.style}">{rect("cell", (5, 8, 39, 26))}{rect(css, (5, 8, 39, 26), fill_)}</g>'
        yield sample + disc(side, (48, 17)), capital(side.name) or f"Side {side.letter}"
    if any(one.kind == "closed" for one in picture.provinces):
        yield area(Province("", (), (0, 0), kind="closed"), "M12 5h34v24H12z", ids, bare=True), "Closed to all"
    if any(one.centre and one.side == "none" for one in picture.provinces):
        yield '<circle class="sd-place" cx="29" cy="17" r="4"/>', "A place that counts, nobody’s yet"


def patch(*css: str, fill: str = "") -> str:
    """A piece of ground, filled besides with the pattern of that name."""
    left, top, right, bottom = PATCH
    size = f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"'
    return "".join(rect(one, PATCH) for one in css) + (f'<rect {size} fill="url(#{fill})"/>' if fill else "")


def there(things: Iterable[Area | Way], samples: Mapping[str, tuple[str, str]]) -> Iterator[Row]:
    """The rows of those kinds of ground or of ways that a map has: *samples* are words and what is drawn."""
    kinds = {one.kind for one in things}
    return ((drawn, words) for kind, (words, drawn) in samples.items() if kind in kinds)


def tinted(picture: Picture, kind: str, side: SideStyle) -> bool:
    """Whether some ground is that to a side."""
    return any(tint.kind == kind and tint.side == side for tint in picture.tints)


def aged(things: Sequence[Aged], words: Mapping[Certainty, str], sample: Callable[[Aged], str]) -> Iterator[Row]:
    """How knowledge fades."""
    for certainty, said in words.items():
        faded = next((one for one in things if one.certainty == certainty), None)
        if faded:
            yield sample(faded), said


def tracks(picture: Picture, words: Mapping[str, str], drawn: Callable[[Track], str]) -> Iterator[Row]:
    """The ways that were taken, each kind as the first of it is drawn."""
    first = {one.kind: replace(one, failed=False) for one in reversed(picture.tracks)}
    yield from ((drawn(first[kind]), said) for kind, said in words.items() if kind in first)
    failed = next((one for one in picture.tracks if one.failed), None)
    if failed:
        yield drawn(failed), "Did not come to pass: the bar"


def marks(picture: Picture, words: Mapping[str, str]) -> Iterator[Row]:
    """What happened; of losses the most."""
    found: dict[str, Mark] = {mark.kind: mark for mark in sorted(picture.marks, key=lambda mark: mark.figure)}
    return ((mark_sign(found[kind], (29, 17)), said) for kind, said in words.items() if kind in found)


# ---- The key of a board ----

_WORDS = {
    "infantry": "infantry, the thick edge its front, one cell a man",
    "jaeger": "jaegers, the thick edge their front",
    "cavalry": "cavalry, divided on the diagonal",
    "gun": "gun",
    "mitrailleuse": "mitrailleuse, three barrels",
    "siege_gun": "siege gun, in its earthwork",
    "limber": "limber without its gun",
    "crew": "crew without its gun",
    "general": "general",
    "chief": "commander in chief",
    "card": "card, face down",
    "own_card": "Your card, its kind inside, face down to the enemy",
    "dummy_card": "Your dummy, its edge broken",
    "chit": "morale chit",
    "marker": "marker",
    "army": "army",
    "fleet": "fleet",
}
_SECOND = dict.fromkeys(("infantry", "jaeger", "cavalry"), " (hatched)") | dict.fromkeys(
    ("gun", "mitrailleuse"), " (open wheels)"
)
"""How the signs of the second side are told from those of the first."""

_TRACKS = {
    "move": "Moved, from the ring",
    "retreat": "Retreated, from the ring",
    "rifle": "Rifle fire",
    "artillery": "Artillery fire",
    "messenger": "Messenger, where believed",
    "support": "Support, to what it is lent to",
    "convoy": "Convoy, to what it carries",
}
_AGES: dict[Certainty, str] = {
    "recent": "Paler: not seen this turn",
    "old": "Pale, broken edge: older",
    "stale": "Dotted edge, empty: old or doubtful",
}
_MARKS = {
    "melee": "Melee",
    "unlike": "Otherwise than in the other map",
    "found": "Found out here",
    "losses": "Figures lost there, whoever’s",
}


def key(picture: Picture, ids: str) -> Iterator[Row]:
    """The rows of the key of a board."""

    def sample(block: Block) -> str:
        return _sample(block, ids)

    yield from the_sides(picture, ids)
    blocks: dict[tuple[str, str], Block] = {
        (block.sign, block.side): replace(block, certainty="now", driven=False) for block in reversed(picture.blocks)
    }
    for name, words in _WORDS.items():
        for side, nation in shown(picture, {block.side for block in blocks.values() if block.sign == name}):
            told = _SECOND.get(name, "") if side == "second" and not is_many(picture) else ""
            yours = words.startswith("Your")
            yield sample(blocks[name, side]), words if yours else capital(f"{nation} {words}") + told
    driven = next((block for block in picture.blocks if block.driven), None)
    if driven:
        yield sample(driven), "Driven out, in a broken ring"
    if any(_lost(block) for block in picture.blocks):
        hurt = Block("infantry", "none", (0, 0), ranks=((Cell(3, 3), Cell(1, 3)),))
        yield centred(sign(hurt, ids).svg), "An empty cell is a man lost"
    if any(block.count and block.sign in ("gun", "mitrailleuse", "siege_gun", "crew") for block in picture.blocks):
        yield centred(sign(Block("crew", "none", (0, 0), count=6), ids).svg), "A dot is a gunner"
    yield from aged([one for one in picture.blocks if not one.own], _AGES, sample)
    believed = next((one for one in picture.blocks if one.certainty != "now" and one.own), None)
    if believed:
        yield sample(believed), "Hollow: yours, where believed"
    if any(house.box[2] - house.box[0] >= 50 for house in picture.houses):
        yield rect("house", (16, 6, 42, 28)), "House that holds troops"
    if any(way.kind == "wall" for way in picture.ways):
        yield path("wall", STRETCH) + path("ticks", "M11 13v8M20 13v8M29 13v8M38 13v8M47 13v8"), "Wall"
    yield from tracks(picture, _TRACKS, lambda one: track(one.kind, one.side, ENDS, ids, failed=one.failed))
    yield from marks(picture, _MARKS)


def _lost(block: Block) -> bool:
    return any(cell.full < cell.of for rank in block.ranks for cell in rank)


def _sample(block: Block, ids: str) -> str:
    """A small, whole example of the sign of *block*, looking north."""
    of = max((cell.of for rank in block.ranks for cell in rank), default=3)
    ranks = ((Cell(of, of), Cell(of, of)),) if block.ranks else ()
    count = 0 if block.sign in ("gun", "mitrailleuse", "siege_gun") else min(block.count, 3)
    plain = replace(block, at=(0, 0), bearing=0, ranks=ranks, count=count, limbered=False)
    drawn = sign(plain, ids, whole=False)
    fit = min(1.0, 32 / drawn.height, 54 / drawn.width)
    return f'<g transform="translate(29 17) scale({fit:.2f})">{drawn.svg}</g>'
