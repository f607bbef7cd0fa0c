"""The key of a hex map: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.ground.picture import Certainty, Picture, Site, Stack
from pbem.reports.drawing.key import (  # fmt: skip
    ENDS,
    STRETCH,
    Row,
    aged,
    capital,
    centred,
    marks,
    patch,
    shown,
    the_sides,
    there,
    tinted,
    tracks,
)
from pbem.reports.drawing.sides import is_many
from pbem.reports.drawing.svg import path
from pbem.reports.hexes.ground import TEXTURE, tint_sign
from pbem.reports.hexes.map import track_sign
from pbem.reports.hexes.stacks import flag_sign, site_sign, stack_sign

_GROUND = {
    "wood": ("Wood",),
    "rough": ("Rough ground",),
    "mountain": ("Mountain", "hx-shade"),
    "swamp": ("Swamp",),
    "water": ("Water",),
}
_BENDS = "M6 21l15 -8 16 8 15 -8"
_WAYS = {
    "rail": ("Railway", path("hx-rail", STRETCH) + path("hx-ties", STRETCH)),
    "road": ("Road", path("hx-road", STRETCH) + path("hx-lane", STRETCH)),
    "river": ("River, on the side of a hex", path("hx-bank", _BENDS) + path("hx-flow", _BENDS)),
    "frontier": ("Frontier", path("hx-frontier", STRETCH)),
}
_TINTS = {
    "held": "land in {0} hands",
    "zone": "{0} zone of control",
    "supply": "{0} supply reaches",
}
_OF_MANY = {
    "held": "land in the hands of a side",
    "zone": "zone of control of a side",
    "supply": "where the supply of a side reaches",
}
_TRACKS = {
    "move": "Moved, from the ring",
    "retreat": "Retreated, from the ring",
    "ride": "Went by rail, from the ring",
    "supply": "Line of supply",
    "support": "Support, to what it is lent to",
    "convoy": "Convoy, to what it carries",
}
_MARKS = {
    "melee": "Battle",
    "losses": "Strength lost there, whoever’s",
    "unlike": "Otherwise than in the other map",
    "found": "Found out here",
}
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


def key(picture: Picture, ids: str) -> Iterator[Row]:
    """The rows of the key of a hex map."""
    yield from the_sides(picture, ids)
    yield from _troops(picture, ids)
    yield from _places(picture, ids)
    for kind, words in _TINTS.items():
        for side, name in shown(picture, {one.side for one in picture.tints if one.kind == kind} - {"none"}):
            said = words.format(name) if name or not is_many(picture) else _OF_MANY[kind]
            yield tint_sign(kind, side, "M12 5h34v24h-34z", ids), capital(said)
    ground = {
        kind: (words, patch(f"hx-{kind}", *shades, fill=f"{ids}-{TEXTURE[kind]}" if kind in TEXTURE else ""))
        for kind, (words, *shades) in _GROUND.items()
    }
    yield from there(picture.areas, ground)
    if tinted(picture, "land", "none"):
        yield patch("hx-shut", fill=f"{ids}-shut"), "Closed to all" if is_many(picture) else "Closed to both"
    yield from there(picture.ways, _WAYS)
    yield from tracks(picture, _TRACKS, lambda one: track_sign(one.kind, one.side, ENDS, ids, failed=one.failed))
    yield from marks(picture, _MARKS)


def _troops(picture: Picture, ids: str) -> Iterator[Row]:
    for side, name in shown(picture, {stack.side for stack in picture.stacks}):
        some = [stack for stack in picture.stacks if stack.side == side]
        led = next((stack for stack in some if stack.staff and stack.strength), None)
        if led:
            sample = Stack(side, (0, 0), led.strength, staff=led.staff[:1])
            yield centred(stack_sign(sample, ids), 1.2, down=5), capital(f"{name} headquarters, strength")
        alone = next((stack for stack in some if not stack.staff and stack.strength), None)
        if alone:
            yield centred(stack_sign(Stack(side, (0, 0), alone.strength), ids), 1.2), capital(f"{name} strength")
        if any(stack.strength is None for stack in some):
            yield (
                centred(stack_sign(Stack(side, (0, 0), None), ids), 1.2),
                capital(f"{name}, strength not known".strip(", ")),
            )
    side = picture.stacks[0].side if picture.stacks else "none"
    if any(len(stack.staff) > 1 for stack in picture.stacks):
        most = max(picture.stacks, key=lambda stack: len(stack.staff))
        sample = Stack(most.side, (0, 0), 0, staff=most.staff[:2])
        yield centred(stack_sign(sample, ids), 1.2, down=5), "A flag for each headquarters"
    for rank, words in _RANKS.items():
        if any(flag.rank == rank for stack in picture.stacks for flag in stack.staff):
            yield centred(flag_sign(rank, side), 1.5, down=8), words if rank == "army" else f"Headquarters {words}"
    if any(stack.worn or stack.broken for stack in picture.stacks):
        yield centred(stack_sign(Stack(side, (0, 0), 9, worn=3, broken=2), ids), 1.3), "Pale: worn; empty: broken"
    if any(stack.riding for stack in picture.stacks):
        yield centred(stack_sign(Stack(side, (0, 0), 3, riding=True), ids), 1.2), "On a train"
    yield from aged(picture.stacks, _AGES, lambda stack: _faded(stack, ids))


def _faded(stack: Stack, ids: str) -> str:
    return centred(stack_sign(Stack(stack.side, (0, 0), stack.strength, certainty=stack.certainty), ids), 1.2)


def _places(picture: Picture, ids: str) -> Iterator[Row]:
    sites: dict[tuple[str, str, str], Site] = {
        (site.kind, site.state, site.side): site for site in reversed(picture.sites)
    }
    for (kind, state), words in _SITES.items():
        for side, name in shown(picture, {one for *sort, one in sites if sort == [kind, state]}):
            yield centred(site_sign(sites[kind, state, side], ids), 1.2), capital(f"{name} {words}")
