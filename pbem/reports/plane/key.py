"""The key of a map of continuous ground: the signs that it uses, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.ground.picture import Certainty, Picture, SideStyle, Troop
from pbem.reports.drawing.frame import MARGIN, Frame
from pbem.reports.drawing.key import (  # fmt: skip
    STRETCH,
    Row,
    aged,
    capital,
    marks,
    patch,
    shown,
    the_sides,
    there,
    tinted,
    tracks,
    whose,
)
from pbem.reports.drawing.sides import is_many
from pbem.reports.drawing.svg import path
from pbem.reports.plane.ground import TEXTURE
from pbem.reports.plane.map import track_sign
from pbem.reports.plane.troops import draw

_ARMS = {
    "infantry": "infantry, the thick edge its front",
    "jaeger": "jaegers, a line through the block",
    "cavalry": "cavalry, divided on the diagonal",
    "guns": "guns ready to fire",
    "limbered": "guns limbered",
    "skirmish": "skirmishers",
    "train": "train or pioneers",
    "officer": "commander",
    "chief": "commander in chief",
    "unknown": "troops of an unknown arm",
    "patrol": "patrol or picket",
    "rider": "single rider or post",
    "trace": "body seen long ago",
}
_AGES: dict[Certainty, str] = {
    "recent": "Paler: seen a while ago",
    "old": "Pale, broken edge: older",
    "stale": "Dotted edge: old or doubtful",
}
_TRACKS = {
    "move": "March",
    "retreat": "Retreat",
    "rifle": "Rifle fire",
    "artillery": "Artillery fire",
    "messenger": "Rider and his way, as ordered",
    "ride": "Way of a ride",
    "supply": "Way of supply",
    "charge": "Charge",
    "marker": "Charge marker, and for whom",
    "support": "Support, to what it is lent to",
    "convoy": "Convoy, to what it carries",
}
_MARKS = {
    "melee": "Fight hand to hand",
    "unlike": "Otherwise than in the other map",
    "found": "Found out here",
    "losses": "Losses there, whoever’s",
}
_AREAS = {
    "wood": "Light wood",
    "thicket": "Thick wood",
    "swamp": "Swamp",
    "garden": "Gardens, orchards",
    "rough": "Vineyards, rough ground",
    "field": "Fields",
}
_WAYS = {
    "bridge": (
        "Bridge",
        path("pl-deck", "M18 17h22") + path("pl-span", "M15 11l3 2.5h22l3 -2.5M15 23l3 -2.5h22l3 2.5"),
    ),
    "rail": ("Railway", path("pl-rail", STRETCH + "".join(f"M{x} 14v6" for x in range(9, 52, 6)))),
    "ford": ("Ford", path("pl-ford", "M18 17h22")),
    "wall": ("Wall", path("pl-wall", STRETCH)),
    "hedge": ("Hedge", path("pl-hedge", STRETCH)),
    "ditch": ("Ditch", path("pl-ditch", STRETCH)),
    "dike": ("Dike", path("pl-mound", STRETCH) + path("pl-ridge", STRETCH)),
    "trench": ("Earthwork, trench", path("pl-mound", STRETCH) + path("pl-work", STRETCH)),
    "sunken": ("Sunken road", path("pl-ridge", "".join(f"M{x} 10v4M{x} 20v4" for x in range(8, 54, 4)))),
    "crest": ("Crest", path("pl-crest", STRETCH)),
}


def key(picture: Picture, ids: str) -> Iterator[Row]:
    """The rows of the key of continuous ground."""
    yield from the_sides(picture, ids)
    yield from _troops(picture, ids)
    ends = [(6.0, 17.0), (51.0, 17.0)]
    yield from tracks(picture, _TRACKS, lambda one: track_sign(one.kind, one.side, ends, ids, failed=one.failed))
    yield from _seen(picture)
    yield from _ground(picture, ids)
    yield from marks(picture, _MARKS)


def _seen(picture: Picture) -> Iterator[Row]:
    """Fields of view and of fire, and ground in view; of more than two sides the first that has one stands for all."""
    rows: dict[tuple[str, SideStyle], Row] = {}
    for side, nation in whose(picture).items():
        name, of = ("", "none") if is_many(picture) else (nation, side)
        for arc, words in (("sight", "field of view"), ("fire", "field of fire")):
            if any(one.kind == arc and one.side == side for one in picture.arcs):
                css = "pl-arc pl-sight" if arc == "sight" else "pl-arc"
                sample = f'<g class="{side}">{path(css, "M29 30L12 6Q29 -1 46 6z")}</g>'
                rows.setdefault((words, of), (sample, capital(f"{name} {words}")))
        if tinted(picture, "sight", side):
            rows.setdefault(("", of), (f'<g class="{side}">{patch("pl-seen")}</g>', capital(f"{name} ground in view")))
    yield from rows.values()


def _sample(troop: Troop, ids: str) -> str:
    """A sign of about the size of a half battalion, looking north, in the middle of its box."""
    flag = troop.arm in ("officer", "chief")
    front, depth, parts = {
        "guns": (26, 12, 3), "limbered": (7, 26, 1), "skirmish": (34, 6, 5), "train": (9, 15, 1),
    }.get(troop.arm, (17, 11, 1))  # fmt: skip
    plain = Troop(
        troop.arm,
        troop.side,
        (0, 0),
        front=front,
        depth=depth,
        parts=parts,
        ranks=2 if troop.arm == "limbered" else 1,
        label=troop.label,
        certainty=troop.certainty,
        own=troop.own,
    )
    drawn = draw(plain, Frame((0, 0, 1, 1), 1.0), ids)
    small = troop.arm in ("patrol", "rider", "trace")
    across, down = (23, 27) if flag else (29, 17 if small else 17 - depth / 2)
    return f'<g transform="translate({across - MARGIN} {down - MARGIN:g})">{drawn.svg}</g>'


def _troops(picture: Picture, ids: str) -> Iterator[Row]:
    def sample(troop: Troop) -> str:
        return _sample(troop, ids)

    for arm, words in _ARMS.items():
        first = {troop.side: troop for troop in reversed(picture.troops) if troop.arm == arm}
        for side, name in shown(picture, first):
            told = side == "second" and arm in ("infantry", "jaeger", "cavalry") and not is_many(picture)
            hatched = " (hatched)" if told else ""
            yield sample(replace(first[side], certainty="now")), capital(f"{name} {words}") + hatched
    believed = next((troop for troop in picture.troops if troop.own and troop.certainty != "now"), None)
    if believed:
        yield sample(believed), "Hollow: yours, where believed"
    fading = [troop for troop in picture.troops if not troop.own and troop.arm != "trace"]
    yield from aged(fading, _AGES, sample)


def _ground(picture: Picture, ids: str) -> Iterator[Row]:
    if picture.plane and picture.plane.relief:
        strokes = "".join(f"M{20 + 3.4 * i:g} 10v13" for i in range(6))
        steeper = "".join(f"M{41 + 3.4 * i:g} 10v13" for i in range(4))
        sample = path("pl-hachure pl-h1", strokes) + path("pl-hachure pl-h3", steeper)
        yield sample, "Slope: the darker, the steeper"
    if any(area.kind == "hill" for area in picture.areas):
        yield path("pl-rise", "M8 26Q29 2 50 26z") + path("pl-foot", "M8 26Q29 2 50 26z"), "Hill, each edge a contour"
    ground = {kind: (words, patch(f"pl-{kind}", fill=f"{ids}-pl-{TEXTURE[kind]}")) for kind, words in _AREAS.items()}
    yield from there(picture.areas, ground)
    houses = "M16 9h5v4h-5zM25 9h4v5h-4zM34 10h6v4h-6zM17 18h4v5h-4zM26 19h6v4h-6zM36 18h4v5h-4z"
    for stone, words in ((True, "Houses of stone"), (False, "Houses of wood")):
        if any(area.kind == "town" and area.stone == stone for area in picture.areas):
            yield patch("pl-built") + path("pl-stone" if stone else "pl-timber", houses), words
    for broad, words in ((True, "Highway"), (False, "Road, track")):
        if any(way.kind == "road" and way.broad == broad for way in picture.ways):
            name = "main" if broad else "small"
            yield path(f"pl-{name}0", STRETCH) + path(f"pl-{name}1", STRETCH), words
    yield from there(picture.ways, _WAYS)
