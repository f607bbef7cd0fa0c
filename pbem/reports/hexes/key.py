"""The key of a hex map: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.ground.picture import Certainty, Mark, Picture, SideStyle, Stack
from pbem.reports.drawing.signs import kinds
from pbem.reports.drawing.svg import path, rect
from pbem.reports.hexes.map import mark_sign, track_sign
from pbem.reports.hexes.stacks import flag_sign, site_sign, stack_sign

_GROUND = {
    "wood": ("Wood", "forest"),
    "rough": ("Rough ground", "slopes"),
    "mountain": ("Mountain", "peaks"),
    "swamp": ("Swamp", "reeds"),
    "water": ("Water", ""),
}
_BENDS = "M6 21l15 -8 16 8 15 -8"
_WAYS = {
    "rail": ("Railway", path("hx-rail", "M6 17h46") + path("hx-ties", "M6 17h46")),
    "road": ("Road", path("hx-road", "M6 17h46") + path("hx-lane", "M6 17h46")),
    "river": ("River, on the side of a hex", path("hx-bank", _BENDS) + path("hx-flow", _BENDS)),
    "frontier": ("Frontier", path("hx-frontier", "M6 17h46")),
}
_TINTS = {
    "held": "land in {0} hands",
    "zone": "{0} zone of control",
    "supply": "{0} supply reaches",
}
_TRACKS = {
    "move": "Moved, from the ring",
    "retreat": "Retreated, from the ring",
    "ride": "Went by rail, from the ring",
    "supply": "Line of supply",
}
_MARKS = {"melee": "Battle", "losses": "Strength lost there, whoever’s", "found": "Found out here"}
_RANKS = {"army": "Headquarters of an army", "corps": "of a corps", "division": "of a division"}
_SITES = {
    ("fortress", "whole"): "fortress, its strength",
    ("fortress", "besieged"): "fortress besieged",
    ("fortress", "destroyed"): "fortress destroyed",
    ("town", "whole"): "town",
}
_AGES: dict[Certainty, str] = {
    "recent": "Paler: not seen this turn",
    "old": "Broken edge: older",
    "stale": "Dotted edge: old or doubtful",
}
_ROUND: tuple[SideStyle, ...] = ("first", "second")


def key(picture: Picture, ids: str) -> tuple[tuple[str, str], ...]:
    """Each sample, drawn for a box of `key.BOX`, and its words."""
    return tuple((sample, words[0].upper() + words[1:]) for sample, words in _entries(picture, ids))


def _entries(picture: Picture, ids: str) -> Iterable[tuple[str, str]]:
    yield from _troops(picture)
    yield from _places(picture)
    sides: dict[SideStyle, str] = {"first": picture.sides[0], "second": picture.sides[1]}
    for kind, words in _TINTS.items():
        for side in _ROUND:
            if any(tint.kind == kind and tint.side == side for tint in picture.tints):
                yield _tint(kind, side, ids), words.format(sides[side])
    there = {area.kind for area in picture.areas}
    for kind, (words, texture) in _GROUND.items():
        if kind in there:
            yield _ground(kind, texture, ids), words
    if any(tint.kind == "land" and tint.side == "none" for tint in picture.tints):
        shut = rect("hx-shut", _PATCH) + f'<rect x="12" y="5" width="34" height="24" fill="url(#{ids}-shut)"/>'
        yield shut, "Closed to both"
    for kind, (words, sample) in _WAYS.items():
        if any(way.kind == kind for way in picture.ways):
            yield sample, words
    for kind in kinds(picture.tracks):
        side = next(one.side for one in picture.tracks if one.kind == kind)
        yield track_sign(kind, side, [(7, 17), (50, 17)]), _TRACKS.get(kind, _TRACKS["move"])
    for mark, words in _MARKS.items():
        first = next((one for one in picture.marks if one.kind == mark), None)
        if first:
            yield _middle(mark_sign(Mark(first.kind, (0, 0), figure=first.figure)), 0.8), words


_PATCH = (12.0, 5.0, 46.0, 29.0)


def _middle(svg: str, size: float = 1.0, *, down: float = 0) -> str:
    return f'<g transform="translate(29 {17 + down:g}) scale({size:g})">{svg}</g>'


def _tint(kind: str, side: SideStyle, ids: str) -> str:
    box = "M12 5h34v24h-34z"
    edge = {"held": "hx-holder", "zone": "hx-zone", "supply": "hx-reach"}[kind]
    fill = "" if kind == "supply" else f'<path fill="url(#{ids}-{kind}-{side})" d="{box}"/>'
    return f'<g class="{side}">{fill}{path(edge, box)}</g>'


def _ground(kind: str, texture: str, ids: str) -> str:
    left, top, right, bottom = _PATCH
    shade = rect("hx-shade", _PATCH) if kind == "mountain" else ""
    fill = f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="url(#{ids}-{texture})"/>'
    return rect(f"hx-{kind}", _PATCH) + shade + (fill if texture else "")


def _troops(picture: Picture) -> Iterable[tuple[str, str]]:
    for side, name in zip(_ROUND, picture.sides, strict=True):
        some = [stack for stack in picture.stacks if stack.side == side]
        led = next((stack for stack in some if stack.staff and stack.strength), None)
        if led:
            sample = Stack(side, (0, 0), led.strength, staff=led.staff[:1])
            yield _middle(stack_sign(sample), 1.2, down=5), f"{name} headquarters, strength"
        alone = next((stack for stack in some if not stack.staff and stack.strength), None)
        if alone:
            yield _middle(stack_sign(Stack(side, (0, 0), alone.strength)), 1.2), f"{name} strength"
        if any(stack.strength is None for stack in some):
            yield _middle(stack_sign(Stack(side, (0, 0), None)), 1.2), f"{name}, strength not known"
    side = picture.stacks[0].side if picture.stacks else "none"
    if any(len(stack.staff) > 1 for stack in picture.stacks):
        most = max(picture.stacks, key=lambda stack: len(stack.staff))
        sample = Stack(most.side, (0, 0), 0, staff=most.staff[:2])
        yield _middle(stack_sign(sample), 1.2, down=5), "A flag for each headquarters"
    for rank, words in _RANKS.items():
        if any(flag.rank == rank for stack in picture.stacks for flag in stack.staff):
            yield _middle(flag_sign(rank, side), 1.5, down=8), words if rank == "army" else f"Headquarters {words}"
    if any(stack.worn or stack.broken for stack in picture.stacks):
        yield _middle(stack_sign(Stack(side, (0, 0), 9, worn=3, broken=2)), 1.3), "Pale: worn; empty: broken"
    if any(stack.riding for stack in picture.stacks):
        yield _middle(stack_sign(Stack(side, (0, 0), 3, riding=True)), 1.2), "On a train"
    for certainty, words in _AGES.items():
        faded = next((one for one in picture.stacks if one.certainty == certainty), None)
        if faded:
            yield _middle(stack_sign(Stack(faded.side, (0, 0), faded.strength, certainty=certainty)), 1.2), words


def _places(picture: Picture) -> Iterable[tuple[str, str]]:
    names: dict[SideStyle, str] = {"first": picture.sides[0], "second": picture.sides[1], "none": ""}
    there = {(site.kind, site.state, site.side): site for site in reversed(picture.sites)}
    for (kind, state), words in _SITES.items():
        for side, name in names.items():
            site = next((site for at, site in there.items() if at == (kind, state, side)), None)
            if site:
                yield _middle(site_sign(replace(site, name="")), 1.2), f"{name} {words}".strip()
