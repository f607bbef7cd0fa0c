"""The key of a map: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.ground.picture import Block, Cell, Picture, SideStyle
from pbem.reports.drawing.signs import found, kinds, losses, melee, sign, track
from pbem.reports.drawing.svg import path, rect

BOX = (58, 34)
"""The room for one sample, in pixels."""

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
_TRACKS = {
    "move": "Moved, from the ring",
    "retreat": "Retreated, from the ring",
    "rifle": "Rifle fire",
    "artillery": "Artillery fire",
    "messenger": "Messenger, where believed",
}
_AGES = {
    "recent": "Paler: not seen this turn",
    "old": "Pale, broken edge: older",
    "stale": "Dotted edge, empty: old or doubtful",
}
_MIDDLE = '<g transform="translate(29 17)">'


def key(picture: Picture, ids: str) -> tuple[tuple[str, str], ...]:
    """Each sample, drawn for a box of `BOX`, and its words."""
    return tuple(_entries(picture, ids))


def _entries(picture: Picture, ids: str) -> Iterable[tuple[str, str]]:
    used: dict[tuple[str, SideStyle], Block] = {}
    for block in picture.blocks:
        used.setdefault((block.sign, block.side), replace(block, certainty="now"))
    for name in _WORDS:
        for side in ("first", "second", "none"):
            if (name, side) in used:
                yield _sample(used[name, side], ids), _words(picture, name, side)
    if any(_lost(block) for block in picture.blocks):
        hurt = Block("infantry", "none", (0, 0), ranks=((Cell(3, 3), Cell(1, 3)),))
        yield _MIDDLE + sign(hurt, ids).svg + "</g>", "An empty cell is a man lost"
    if any(block.count and block.sign in ("gun", "mitrailleuse", "siege_gun", "crew") for block in picture.blocks):
        yield _MIDDLE + sign(Block("crew", "none", (0, 0), count=6), ids).svg + "</g>", "A dot is a gunner"
    for certainty, words in _AGES.items():
        faded = next((one for one in picture.blocks if one.certainty == certainty and not one.own), None)
        if faded:
            yield _sample(faded, ids), words
    believed = next((one for one in picture.blocks if one.certainty != "now" and one.own), None)
    if believed:
        yield _sample(believed, ids), "Hollow: yours, where believed"
    if any(house.box[2] - house.box[0] >= 50 for house in picture.houses):
        yield rect("house", (16, 6, 42, 28)), "House that holds troops"
    if any(way.kind == "wall" for way in picture.ways):
        yield path("wall", "M6 17h46") + path("ticks", "M11 13v8M20 13v8M29 13v8M38 13v8M47 13v8"), "Wall"
    for kind in kinds(picture.tracks):
        side = next(one.side for one in picture.tracks if one.kind == kind)
        yield track(kind, side, [(7, 17), (50, 17)]), _TRACKS[kind]
    there = {mark.kind for mark in picture.marks}
    if "melee" in there:
        yield melee((29, 17)), "Melee"
    if "found" in there:
        yield found((29, 17)), "Found out here"
    if "losses" in there:
        most = max(mark.figure for mark in picture.marks if mark.kind == "losses")
        yield losses(most, (29, 17)), "Figures lost there, whoever’s"


def _words(picture: Picture, name: str, side: SideStyle) -> str:
    words = _WORDS[name]
    if name in ("own_card", "dummy_card"):
        return words
    whose = dict(zip(("first", "second"), picture.sides, strict=True)).get(side, "")
    hatched = " (hatched)" if side == "second" and name in ("infantry", "jaeger", "cavalry") else ""
    open_wheels = " (open wheels)" if side == "second" and name in ("gun", "mitrailleuse") else ""
    phrase = f"{whose} {words}".strip() + hatched + open_wheels
    return phrase[0].upper() + phrase[1:]


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
