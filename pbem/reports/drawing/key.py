"""The key of a map: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from pbem.ground.picture import Area, Block, Cell, Certainty, Mark, Picture, SideStyle, Stack, Troop, Way
from pbem.reports.drawing.signs import mark_sign, sign, track
from pbem.reports.drawing.svg import XY, Rect, path, rect

BOX = (58, 34)
"""The room for one sample, in pixels."""

PATCH: Rect = (12.0, 5.0, 46.0, 29.0)
"""Where a sample of ground lies in its box."""

STRETCH = "M6 17h46"
"""A way across it."""

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
    """The name of each side; of none, no words."""
    styles: tuple[SideStyle, ...] = ("first", "second", "third", "fourth")
    return {**dict(zip(styles, picture.sides, strict=False)), "none": ""}


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


def tracks(
    picture: Picture, words: Mapping[str, str], drawn: Callable[[str, str, Sequence[XY]], str], ends: Sequence[XY]
) -> Iterator[Row]:
    """The ways that were taken, each kind as the first of it is drawn."""
    sides: dict[str, SideStyle] = {one.kind: one.side for one in reversed(picture.tracks)}
    return ((drawn(kind, sides[kind], ends), said) for kind, said in words.items() if kind in sides)


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

    used: dict[tuple[str, str], Block] = {
        (block.sign, block.side): replace(block, certainty="now") for block in reversed(picture.blocks)
    }
    for name, words in _WORDS.items():
        for side, nation in whose(picture).items():
            if (name, side) in used:
                told = _SECOND.get(name, "") if side == "second" else ""
                yours = words.startswith("Your")
                yield sample(used[name, side]), words if yours else capital(f"{nation} {words}") + told
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
    yield from tracks(picture, _TRACKS, track, [(7, 17), (50, 17)])
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
