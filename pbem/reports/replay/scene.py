"""Pictures of one reader, drawn so that they can move: grounds, signs apart from where they stand, ways, marks.

The signs, their places and all else are those of the maps of reports.  But names of the ground stand still through the
whole game: each where it covers least of where troops ever stand in the pictures of that reader, and of no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Label, Mark, Picture, Stack, Track
from pbem.reports.drawing.arrange import Placed, arrange
from pbem.reports.drawing.frame import MARGIN, Frame, frame_of
from pbem.reports.drawing.labels import Obstacles, Written, beside, melees, stars, written
from pbem.reports.drawing.labels import names as names_of
from pbem.reports.drawing.provinces import provinces, rooms
from pbem.reports.drawing.routes import routes
from pbem.reports.drawing.signs import mark_sign, track
from pbem.reports.drawing.svg import XY, Rect, n, text, xy
from pbem.reports.drawing.terrain import ground
from pbem.reports.hexes import ground as hexground
from pbem.reports.hexes import map as hexmap
from pbem.reports.hexes.stacks import Sited, Stood, stack_sign, stand
from pbem.reports.plane import ground as planeground
from pbem.reports.plane import labels as planelabels
from pbem.reports.plane import map as planemap
from pbem.reports.plane.names import Named
from pbem.reports.plane.troops import Drawn, draw
from pbem.rules.reel import keyed

IDS = "map"
"""What the names of patterns begin with."""


class Stands(Struct, frozen=True):
    """A sign, as it is drawn at 0 and not turned, and where it stands."""

    svg: str
    at: XY
    scale: float = 1.0
    turn: int = 0
    over: int = 0
    """What lies over what: the higher over the lower."""
    label: str = ""
    """As it is drawn beside 0: it goes with the sign."""
    words: str = ""
    parts: tuple[str, ...] = ()
    """Who stands in it, as far as they are known by name."""


class Went(Struct, frozen=True):
    """A way, from the first point to the last."""

    svg: str
    kind: str
    points: tuple[XY, ...]
    track: Track


class Befell(Struct, frozen=True):
    """The sign of what happened at a place, as it is drawn at 0."""

    svg: str
    at: XY
    mark: Mark


class Scene(Struct, frozen=True):
    """A picture, drawn."""

    beds: tuple[str, ...]
    """What lies below all, from the ground up: of all pictures of a game equally many."""
    signs: Mapping[str, Stands]
    """By the keys of the reel."""
    went: tuple[Went, ...]
    befell: tuple[Befell, ...]


class Scenes(Struct, frozen=True):
    """The pictures of a game through one pair of eyes, drawn."""

    names: str
    """Of the ground, over its beds."""
    each: tuple[Scene, ...]


def scenes(pictures: Sequence[Picture]) -> Scenes:
    """*pictures* of one reader, in their order, drawn."""
    if not pictures:
        return Scenes("", ())
    plain = [replace(picture, focus=None) for picture in pictures]
    return _KINDS[board(plain[0])](plain)


def board(picture: Picture) -> str:
    """Of which kind its ground is."""
    return "hexes" if picture.hexes else "plane" if picture.plane else "squares"


def _of_all(pictures: Sequence[Picture]) -> Picture:
    """The last picture with the labels of all."""
    labels: dict[Label, None] = {label: None for picture in pictures for label in picture.labels}
    return replace(pictures[-1], labels=tuple(labels))


# ------------------------------------------------------------------ a board of squares


def _squares(pictures: Sequence[Picture]) -> Scenes:
    every = [(picture, arrange(picture, frame_of(picture), IDS)) for picture in pictures]
    whole = _of_all(pictures)
    frame = frame_of(whole)
    stood = {one.box: one for _, placed in every for one in placed}
    named = names_of(whole, frame, Obstacles(frame.ground, tuple(stood.values())))
    rooms = [room for name in named for room in name.rooms]
    each = tuple(_square_scene(picture, placed, rooms) for picture, placed in every)
    return Scenes("".join(map(written, named)), each)


def _square_scene(picture: Picture, placed: Sequence[Placed], names: Sequence[Rect]) -> Scene:
    frame = frame_of(picture)
    ways = routes(picture, frame, placed)
    obstacles = Obstacles(frame.ground, placed, ways)
    fights = melees(picture, frame, obstacles)
    for room in (*names, *rooms(picture, frame)):
        obstacles.add(room, 1.5)
    labels = {id(one): label for one, label in beside(placed, obstacles)}
    fallen = stars(picture, frame, obstacles)
    keys = keyed([one.block for one in placed])
    signs = {key: _block(one, labels.get(id(one))) for key, one in zip(keys, placed, strict=True)}
    went = (Went(_track(w.track, w.points), w.track.kind, tuple(w.points), w.track) for w in ways)
    return Scene(
        (ground(picture, IDS), provinces(picture, frame, IDS) + "".join(one.under for one in placed)),
        signs,
        tuple(went),
        tuple(Befell(mark_sign(mark, (0, 0)), at, mark) for mark, at in (*fights, *fallen)),
    )


def _track(track_: Track, points: Sequence[XY]) -> str:
    return track(track_.kind, track_.side, points, IDS, failed=track_.failed)


def _block(one: Placed, label: Written | None) -> Stands:
    x, y = one.at
    said = one.sign.letter
    if label is not None:
        at = (label.at[0] - x, label.at[1] - y)
        said += f'<g class="{one.block.side}">{text(label.words, at, label.css, anchor=label.anchor)}</g>'
    return Stands(
        one.sign.upright,
        one.at,
        one.scale,
        one.sign.turn,
        label=said,
        words=one.block.words or one.block.label,
        parts=one.block.parts,
    )


# ------------------------------------------------------------------ a board of hexes


def _hexes(pictures: Sequence[Picture]) -> Scenes:
    every = [(picture, *stand(picture, frame_of(picture), IDS)) for picture in pictures]
    whole = _of_all(pictures)
    stood = {(one.stack.at, one.box): one for _, some, _ in every for one in some}
    sited = {(one.site.at, one.site.name): one for _, _, some in every for one in some}
    named = hexmap.standing(whole, tuple(stood.values()), tuple(sited.values()))
    rooms = [room for name in named for room in name.rooms]
    each = tuple(_hex_scene(picture, some, sites, rooms) for picture, some, sites in every)
    return Scenes("".join(map(written, named)), each)


def _hex_scene(picture: Picture, stood: Sequence[Stood], sited: Sequence[Sited], names: Sequence[Rect]) -> Scene:
    frame = frame_of(picture)
    marks = hexmap.marks(picture, frame, stood, [*(one.box for one in sited), *names])
    keys = keyed([one.stack for one in stood])
    return Scene(
        (*hexground.beds(picture, IDS), provinces(picture, frame, IDS) + "".join(one.svg for one in sited)),
        {key: _stack(one) for key, one in zip(keys, stood, strict=True)},
        tuple(
            Went(hexmap.track_sign(one.kind, one.side, points, IDS, failed=one.failed), one.kind, tuple(points), one)
            for one, points in hexmap.marches(picture, frame, stood)
        ),
        tuple(
            Befell(f'<g transform="scale({hexmap.MARK})">{mark_sign(mark, (0, 0))}</g>', at, mark) for mark, at in marks
        ),
    )


def _stack(one: Stood) -> Stands:
    stack: Stack = one.stack
    return Stands(stack_sign(stack, IDS), one.at, words=stack.words, parts=(stack.key,) if stack.key else ())


# ------------------------------------------------------------------ continuous ground


def _plane(pictures: Sequence[Picture]) -> Scenes:
    sizes = planelabels.WHOLE
    whole = _of_all(pictures)
    frame = frame_of(whole)
    troops = {troop: None for picture in pictures for troop in picture.troops}
    boxes = {draw(troop, frame, IDS).box: None for troop in troops}
    named = planemap.standing(whole, frame, sizes, boxes)
    each = tuple(_plane_scene(picture, named) for picture in pictures)
    return Scenes("".join(written(name.text) for name in named), each)


def _plane_scene(picture: Picture, named: Sequence[Named]) -> Scene:
    frame = frame_of(picture)
    laid = planemap.layout(picture, frame, IDS, planelabels.WHOLE, named)
    labels: dict[int, str] = {}
    drawn = {id(one.troop): one for one in laid.drawn}
    for tag in laid.tags:
        first = tag.wanted.signs[0].troop
        if id(first) in drawn:
            labels[id(first)] = _tag(tag, frame.at(first.at))
    shown = [(tint, planemap.seen(picture, frame, tint, IDS)) for tint in planemap.seeing(picture)]
    arcs = "".join(planemap.arc_sign(arc, frame) for arc in picture.arcs)
    over = provinces(picture, frame, IDS) + "".join(svg for _, svg in shown) + arcs
    # A label of no sign is of a way: it stays where that is.
    papers = "".join(
        planelabels.leader_sign(tag) + planelabels.tag_sign(tag, planelabels.WHOLE)
        for tag in laid.tags
        if id(tag.wanted.signs[0].troop) not in drawn
    )
    keys = keyed(one.troop for one in laid.drawn)
    return Scene(
        (planeground.ground(picture, IDS), over, papers),
        {key: _troop(one, frame, labels.get(id(one.troop), "")) for key, one in zip(keys, laid.drawn, strict=True)},
        tuple(
            Went(planemap.track_sign(one.kind, one.side, points, IDS, failed=one.failed), one.kind, tuple(points), one)
            for one, points in laid.tracks
        ),
        tuple(Befell(mark_sign(mark, (0, 0)), at, mark) for mark, at in laid.marks),
    )


def _tag(tag: planelabels.Tag, at: XY) -> str:
    """A label as it is drawn beside the place of its sign."""
    shift = f'<g transform="translate({n(-at[0])} {n(-at[1])})">'
    return f"{shift}{planelabels.leader_sign(tag)}{planelabels.tag_sign(tag, planelabels.WHOLE)}</g>"


def _troop(one: Drawn, frame: Frame, label: str) -> Stands:
    troop, (x, y) = one.troop, frame.at(one.troop.at)
    parts = (troop.key,) if troop.key else ()
    over = planemap.height(one)
    if one.upright:
        badge = f'<g transform="translate({xy((-x, -y))})">{one.badge}</g>' if one.badge else ""
        return Stands(one.upright, (x, y), 1.0, troop.bearing, over, badge + label, troop.words, parts)
    # As if its place were the corner of the map.
    alone = draw(troop, Frame((*troop.at, *troop.at), frame.scale), IDS)
    svg = f'<g transform="translate({-MARGIN} {-MARGIN})">{alone.svg}</g>'
    return Stands(svg, (x, y), over=over, label=label, words=troop.words, parts=parts)


_KINDS: Mapping[str, Callable[[Sequence[Picture]], Scenes]] = {
    "squares": _squares,
    "hexes": _hexes,
    "plane": _plane,
}
