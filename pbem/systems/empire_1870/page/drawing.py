"""What one side knows, on the map: stacks with their HQs, what was seen before, marches, battles, zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from pbem.ground.hexes import Hex, are_neighbours, hex_at, place
from pbem.ground.honeycomb import box_of, middle, outline
from pbem.ground.picture import Certainty, Flag, Mark, Picture, Stack, Tint, Track
from pbem.kernel.names import Role
from pbem.orders.prose import cap
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.page.forces import last_seen
from pbem.systems.empire_1870.page.landscape import ground_of, style
from pbem.systems.empire_1870.page.sentences import Line
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import ADJECTIVE, side_name, sp
from pbem.systems.empire_1870.tables.headquarters import Headquarters
from pbem.systems.empire_1870.turn.setup import default_placement, troops
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, RANKS_ORDER, SIDES, Hq
from pbem.systems.empire_1870.world.stacks import Stack as Troops
from pbem.systems.empire_1870.world.stacks import Strength
from pbem.systems.empire_1870.world.state import Ghost, Trace

ACROSS, DOWN = 8, 7
"""Columns and rows of the enlargement."""
Going = Literal["move", "ride", "retreat"]
TRACKS: Mapping[str, Going] = {"march": "move", "rail": "ride", "retreat": "retreat", "advance": "move"}
WORTH = {"battle": 12, "siege": 6, "fire": 4, "retreat": 2, "march": 1, "rail": 1, "advance": 2}
"""How much what happened draws the enlargement to its place."""


# ------------------------------------------------------------------ stacks


def _flags(hqs: Iterable[Hq | Headquarters]) -> tuple[Flag, ...]:
    return tuple(Flag(hq.id, hq.rank) for hq in sorted(hqs, key=lambda hq: (-RANKS_ORDER[hq.rank], hq.id)))


def _stacks_of(field: Field, side: Role, viewer: Role) -> Iterator[Stack]:
    """What *viewer* sees of a side now."""
    for at in sorted(field.holding(side)):
        whole = field.stack(side, at)
        parts = [tuple(one for one in whole if one.inside), tuple(one for one in whole if not one.inside)]
        parts = [part for part in parts if part] or [()]
        for n, part in enumerate(parts):
            hqs = field.hqs(side, at) if n == len(parts) - 1 else ()
            yield _stack(field.scene, side, at, part, hqs, own=side == viewer)


def _stack(scene: Scene, side: Role, at: Hex, troops: Troops, hqs: Sequence[Hq], *, own: bool) -> Stack:
    here = Strength.of(troops)
    named = ", ".join(hq.id for hq in hqs)
    riding = bool(here.entrained)
    words = ", ".join(
        part for part in (named, sp(here) if here.sp else "no SP", "on the train" if riding else "") if part
    )
    return Stack(
        style(scene, side),
        middle(at),
        here.sp,
        worn=here.disrupted,
        broken=here.demoralized,
        staff=_flags(hqs),
        inside=bool(here.inside),
        riding=riding,
        own=own,
        words=words + (" in the fortress" if here.inside else ""),
        key=next((flag.name for flag in _flags(hqs)), ""),
    )


def _age(turns: int) -> Certainty:
    return "recent" if turns <= 0 else "old" if turns <= 2 else "stale"


def _ghost(scene: Scene, side: Role, at: Hex, ghost: Ghost, turn: int) -> Stack:
    here = Strength.of(ghost.stack)
    known = scene.headquarters
    seen = "this turn" if ghost.turn >= turn else f"in turn {ghost.turn}"
    return Stack(
        style(scene, side),
        middle(at),
        here.sp or None,
        worn=here.disrupted,
        broken=here.demoralized,
        staff=_flags(known[name] for name in ghost.hqs if name in known),
        certainty=_age(turn - ghost.turn),
        words=f"{', '.join((*ghost.hqs, sp(here)))}, last seen {seen}",
        key=next((flag.name for flag in _flags(known[name] for name in ghost.hqs if name in known)), ""),
    )


def stacks(field: Field, viewer: Role) -> Iterator[Stack]:
    """Everything that stands on the map, as *viewer* knows it."""
    war, enemy = field.war, ENEMY[viewer]
    yield from _stacks_of(field, viewer, viewer)
    seen = list(_stacks_of(field, enemy, viewer))
    yield from seen
    there = {one.at for one in seen}
    for at in sorted({*war.ghosts, *war.occupied}):
        if middle(at) in there:
            continue
        if at in war.ghosts:
            yield _ghost(field.scene, enemy, at, last_seen(war, at), war.turn)
        else:
            yield Stack(style(field.scene, enemy), middle(at), None, words="enemy troops, not known what")


# ------------------------------------------------------------------ what happened


def _tracks(scene: Scene, traces: Sequence[Trace]) -> Iterator[Track]:
    """Marches, retreats and rides; steps that go on from each other are one."""
    runs: list[tuple[Going, Role, tuple[Hex, ...]]] = []
    for trace in traces:
        kind = TRACKS.get(trace.kind)
        if kind is None or len(trace.hexes) < 2:
            continue
        if kind == "move" and not all(are_neighbours(one, to) for one, to in pairwise(trace.hexes)):
            kind = "ride"
        last = runs[-1] if runs else None
        if last is not None and last[:2] == (kind, trace.side) and last[2][-1] == trace.hexes[0]:
            runs[-1] = (kind, trace.side, (*last[2], *trace.hexes[1:]))
        else:
            runs.append((kind, trace.side, trace.hexes))
    for kind, side, hexes in dict.fromkeys(runs):
        how = {"move": "marched", "ride": "went by rail", "retreat": "fell back"}[kind]
        words = f"{ADJECTIVE[side]} troops {how} from {scene.place_name(hexes[0])} to {scene.place_name(hexes[-1])}"
        points = tuple(middle(at) for at in hexes)
        yield Track(kind, style(scene, side), points, words)


def _marks(scene: Scene, traces: Sequence[Trace], lines: Sequence[Line]) -> Iterator[Mark]:
    for at in dict.fromkeys(trace.hexes[0] for trace in traces if trace.kind in ("battle", "siege")):
        yield Mark("melee", middle(at), words=f"Fighting at {scene.place_name(at)}")
    lost: dict[Hex, int] = {}
    for line in lines:
        if line.lost is not None:
            lost[line.lost[0]] = lost.get(line.lost[0], 0) + line.lost[1]
    for at, gone in lost.items():
        yield Mark("losses", middle(at), gone, f"{gone} SP eliminated at {scene.place_name(at)}")


def _zones(field: Field, viewer: Role) -> Iterator[Tint]:
    """The enemy's zone of control, as far as *viewer* knows it, where its own troops are near."""
    enemy = ENEMY[viewer]
    near = {to for at in field.war.stacks.get(viewer, {}) for to in field.scene.board.within(at, 2)}
    hexes = [at for at in field.zoc(enemy) if at in near]
    if hexes:
        yield Tint("zone", style(field.scene, enemy), outline(hexes))


# ------------------------------------------------------------------ the enlargement


def focus(field: Field, viewer: Role, traces: Sequence[Trace]) -> tuple[Hex, ...]:
    """The hexes to be enlarged: the window that holds most of what happened, and of one's own troops in touch."""
    weights: dict[Hex, int] = {}
    for trace in traces:
        for at in trace.hexes:
            weights[at] = weights.get(at, 0) + WORTH[trace.kind]
    enemy = set(field.war.stacks.get(ENEMY[viewer], {})) | set(field.war.occupied)
    for at in field.war.stacks.get(viewer, {}):
        touched = sum(to in enemy for to in field.scene.board.within(at, 2))
        weights[at] = weights.get(at, 0) + 1 + min(touched, 3)
    weights = weights or dict.fromkeys(enemy, 1) or _to_be_held(field, viewer)
    (first, last), (top, bottom) = field.scene.board.columns, field.scene.board.rows
    across, down = min(ACROSS, last - first + 1), min(DOWN, bottom - top + 1)
    rows = range(top, bottom - down + 2)
    windows = [(column, row) for column in range(first, last - across + 2) for row in rows]
    spots = [(*place(at), worth) for at, worth in weights.items()]

    def worth(window: tuple[int, int]) -> tuple[int, int]:
        column, row = window
        inside = [(c, r, w) for c, r, w in spots if column <= c < column + across and row <= r < row + down]
        middle_of = (2 * column + across - 1, 2 * row + down - 1)
        off = sum(w * (abs(2 * c - middle_of[0]) + abs(2 * r - middle_of[1])) for c, r, w in inside)
        return sum(w for _, _, w in inside), -off

    column, row = max(windows, key=worth)
    return tuple(hex_at(c, r) for c in range(column, column + across) for r in range(row, row + down))


def _to_be_held(field: Field, viewer: Role) -> dict[Hex, int]:
    """Where a side stands by default, before it is set up."""
    found: dict[Hex, int] = {}
    for group in troops(field.scene, field.war.options, viewer):
        found |= default_placement(group).sp
    return found


# ------------------------------------------------------------------ the picture


def picture(field: Field, viewer: Role, turn: int, pulse: int, lines: Sequence[Line]) -> Picture:
    """The map of one side after a pulse of *turn*; *lines* are those of that pulse."""
    scene, war = field.scene, field.war
    traces = [trace for trace in war.traces if (trace.turn, max(1, trace.pulse)) == (turn, pulse)]
    standing = tuple(stacks(field, viewer))
    near = focus(field, viewer, traces)
    ground = ground_of(field)
    commander = scene.commander(viewer)
    ordinal = f", pulse {pulse}" if war.options.pulses > 1 else ""
    return replace(
        ground,
        title=f"The map in turn {turn}{ordinal}" if turn else "The map at set-up",
        whose=f"as known to the {commander.name} command",
        tints=(*ground.tints, *_zones(field, viewer)),
        stacks=standing,
        tracks=tuple(_tracks(scene, traces)),
        marks=tuple(_marks(scene, traces, lines)),
        focus=box_of(near),
        caption="Arrows show the marches of this pulse, from the ring; a star gives the SP eliminated in that hex.  "
        "A box has the senior HQ and its SP.",
        focus_caption=f"{_about(scene, near)} enlarged.  Numbers in empty hexes are those used in orders.",
        words=tuple(in_words(field, viewer, standing)),
    )


def true_picture(field: Field, traces: Sequence[Trace], turn: int, pulse: int, lines: Sequence[Line]) -> Picture:
    """The map as it is, for the umpire: the zones of both sides, and every march of *traces*."""
    war = replace(field.war, traces=tuple(traces))
    drawn = picture(Field(field.scene, war), FRENCH, turn, pulse, lines)
    words = [(heading, text) for heading, text in drawn.words if heading not in (OWN, ENEMYS)]
    for side in reversed(SIDES):
        parts = (f"{scene_name}: {one.words}." for scene_name, one in _named(field, side))
        words.insert(0, (cap(side_name(side)), " ".join(parts)))
    return replace(drawn, whose="as it is", tints=(*drawn.tints, *_zones(field, GERMAN)), words=tuple(words))


def _named(field: Field, side: Role) -> Iterator[tuple[str, Stack]]:
    names = {middle(at): field.scene.place_name(at) for at in field.scene.cells}
    for one in _stacks_of(field, side, side):
        yield names[one.at], one


def _about(scene: Scene, near: Sequence[Hex]) -> str:
    """The country round the places in the middle of the enlargement."""
    columns, rows = zip(*(place(at) for at in near), strict=True)
    across, down = min(columns) + max(columns), min(rows) + max(rows)

    def off(at: Hex) -> tuple[int, Hex]:
        column, row = place(at)
        return (2 * column - across) ** 2 + (2 * row - down) ** 2, at

    named = [at for at in near if scene.cells[at].town or scene.cells[at].fortress]
    return f"The country round {scene.cells[min(named, key=off)].name}" if named else "The middle of the fighting"


OWN, ENEMYS = "Your troops", "The enemy as known"


def in_words(field: Field, viewer: Role, standing: Sequence[Stack]) -> Iterator[tuple[str, str]]:
    """The map in words: each side hex by hex, then what is out of its owner's hands."""
    scene = field.scene
    names = {middle(at): scene.place_name(at) for at in scene.cells}
    for heading, own in ((OWN, True), (ENEMYS, False)):
        parts = [f"{names[one.at]}: {one.words}." for one in standing if one.own == own]
        if parts:
            yield heading, " ".join(parts)
    for side in SIDES:
        mine = [
            scene.place_name(at)
            for at, cell in sorted(scene.cells.items())
            if field.controller(at) == side and cell.owner not in (None, side) and cell.name
        ]
        if mine:
            yield f"In {ADJECTIVE[side]} hands", f"{', '.join(mine)}."
