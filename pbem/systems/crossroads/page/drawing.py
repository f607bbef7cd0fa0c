"""What one side knows, on the map: units, the numbers of the cards on which they acted, moves, fire, losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.ground.picture import Box, Certainty, Label, Mark, Picture, SideStyle, Track, Troop
from pbem.ground.picture import Point as Spot
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.systems.crossroads.field.able import in_order
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.page.landscape import ground_of, located, round_spots, spot, whereabouts
from pbem.systems.crossroads.scene.scene import GRAIN, Scene
from pbem.systems.crossroads.scene.words import compass, formation, natural, place
from pbem.systems.crossroads.world.state import GUNS, Battle, Officer, Trace, Unit

Arm = Literal["infantry", "jaeger", "cavalry", "guns", "limbered", "skirmish"]

PARTS: dict[str, tuple[int, int]] = {
    "line": (4, 1),
    "column": (2, 2),
    "skirmish": (11, 1),
    "deployed": (4, 1),
    "limbered": (1, 2),
}
"""Blocks side by side, and rows of them, of a formation; men of a chain, guns of a battery."""

AGES: tuple[Certainty, ...] = ("recent", "old", "stale")
"""Of an enemy who is out of sight: lost this turn, in the last, before."""

WEIGHTS = {"melee": 6, "charge": 4, "fire": 1, "rout": 2, "withdraw": 2, "gone": 4}
"""What draws the enlargement to a place; a figure lost counts 2."""

HAPPENED = (
    "  A number in a ring at a unit is the card on which it acted, a number alone that of a unit that is gone.  "
    "Arrows show moves and fire of the turn; a star gives the figures that a unit lost."
)
"""How to read what is drawn of a turn."""

WINDOW = 130
"""Tenths of an inch from the middle of an enlargement to what it shows."""


def style(scene: Scene, side: Role) -> SideStyle:
    """How a side is drawn."""
    return scene.commander(side).style


# ------------------------------------------------------------------ who stands there


def _arm(unit: Unit) -> Arm:
    if unit.type in GUNS:
        return "guns" if unit.formation == "deployed" else "limbered"
    if unit.type == "cavalry":
        return "cavalry"
    if unit.formation == "skirmish":
        return "skirmish"
    return "jaeger" if unit.subtype in ("jaeger", "chasseur") else "infantry"


def state_of(unit: Unit) -> str:
    """What its markers and losses say, shortly: `−7, shaken`."""
    parts = [
        *([f"−{unit.losses}"] if unit.losses else []),
        *([] if in_order(unit) else [unit.status]),
        *(["prone"] if unit.prone else []),
        *(["jammed"] if unit.jammed else []),
    ]
    return ", ".join(parts)


def _acted(traces: Sequence[Trace]) -> dict[str, list[int]]:
    """The cards on which each unit acted."""
    found: dict[str, list[int]] = {}
    for trace in traces:
        if trace.kind == "card" and trace.seq not in found.setdefault(trace.unit, []):
            found[trace.unit].append(trace.seq)
    return found


def _troop(field: Field, unit: Unit, viewer: Role, badge: str, certainty: Certainty = "now") -> Troop:
    body, scene = field.body(unit), field.scene
    parts, ranks = PARTS[unit.formation]
    assert unit.pos is not None, "what has a body stands somewhere"
    note = state_of(unit) if certainty == "now" else "out of sight"
    return Troop(
        _arm(unit),
        style(scene, unit.side),
        spot(scene, unit.pos),
        unit.facing,
        body.front // GRAIN,
        body.depth // GRAIN,
        parts,
        ranks,
        label=unit.id,
        note=note,
        badge=badge,
        words=_in_words(scene, unit),
        certainty=certainty,
        own=unit.side == viewer,
        key=unit.id,
    )


def _in_words(scene: Scene, unit: Unit) -> str:
    assert unit.pos is not None, "what is drawn stands somewhere"
    state = state_of(unit)
    parts = [
        unit.id + (f", {unit.name}" if unit.name else f", {unit.type}"),
        formation(unit).removesuffix(", prone"),
        f"at {located(scene, unit.pos)}",
        f"facing {compass(unit.facing)}",
        *([state] if state else []),
    ]
    return ", ".join(parts)


def _officer(scene: Scene, officer: Officer, viewer: Role) -> Troop:
    assert officer.pos is not None, "an officer who stands is somewhere"
    words = f"{officer.id}, {officer.name}, at {place(officer.pos)}"
    side, at = style(scene, officer.side), spot(scene, officer.pos)
    return Troop("officer", side, at, label=officer.id, words=words, own=officer.side == viewer, key=officer.id)


def troops(field: Field, viewer: Role, turn: int, traces: Sequence[Trace]) -> Iterator[Troop]:
    """Everybody on the table, then enemies who were seen and are out of sight."""
    battle, acted = field.battle, _acted(traces)
    for unit in sorted(field.standing, key=lambda one: natural(one.id)):
        yield _troop(field, unit, viewer, "·".join(map(str, acted.get(unit.id, ()))))
    for name, ghost in sorted(battle.ghosts.items()):
        if ghost.unit.pos is not None:
            age = AGES[min(max(turn - ghost.turn, 0), len(AGES) - 1)]
            yield _troop(field, ghost.unit, viewer, "·".join(map(str, acted.get(name, ()))), age)
    for officer in (one for _, one in sorted(battle.officers.items()) if one.stands):
        yield _officer(field.scene, officer, viewer)


# ------------------------------------------------------------------ what happened


def _track(scene: Scene, battle: Battle, trace: Trace) -> Track | None:
    points = tuple(spot(scene, at) for at in trace.points)
    if len(points) < 2 or len(set(points)) < 2:
        return None
    side, ways = style(scene, trace.side), f"{place(trace.points[0])} to {place(trace.points[-1])}"
    match trace.kind:
        case "move" | "charge":
            return Track("move", side, points, f"{trace.unit}: {ways}", of=_named(trace))
        case "withdraw" | "rout":
            return Track("retreat", side, points, f"{trace.unit}: {ways}", of=_named(trace))
        case "fire":
            unit = battle.units.get(trace.unit) or (
                battle.ghosts[trace.unit].unit if trace.unit in battle.ghosts else None
            )
            guns = unit is not None and unit.type == "artillery"
            words = f"{trace.unit or 'fire'}: {ways}"
            return Track("artillery" if guns else "rifle", side, points, words, of=_named(trace))
        case "melee" | "morale" | "loss" | "card" | "gone":
            return None


def _named(trace: Trace) -> tuple[str, ...]:
    return (trace.unit,) if trace.unit else ()


def _tracks(scene: Scene, battle: Battle, traces: Sequence[Trace]) -> Iterator[Track]:
    """Each way once: two volleys along one line are one."""
    found = (_track(scene, battle, trace) for trace in traces)
    yield from dict.fromkeys(track for track in found if track is not None)


def _marks(scene: Scene, traces: Sequence[Trace]) -> Iterator[Mark]:
    fights = dict.fromkeys((trace.seq, trace.points) for trace in traces if trace.kind == "melee" and trace.points)
    for _, points in dict.fromkeys((seq, points[:2]) for seq, points in fights):
        spots = [spot(scene, at) for at in points]
        middle = (sum(x for x, _ in spots) // len(spots), sum(y for _, y in spots) // len(spots))
        yield Mark("melee", middle, words=f"Melee at {place(points[-1])}")
    fallen: dict[str, tuple[int, Point]] = {}
    for trace in traces:
        if trace.kind == "loss" and trace.points:
            fallen[trace.unit] = (fallen.get(trace.unit, (0, trace.points[0]))[0] + trace.count, trace.points[0])
    for name, (count, at) in fallen.items():
        words = f"{name} lost {counted(count, 'figure')} at {place(at)}"
        yield Mark("losses", spot(scene, at), count, words, of=(name,) if name else ())


def _left_behind(scene: Scene, traces: Sequence[Trace], drawn: Sequence[Troop]) -> Iterator[Label]:
    """The numbers of cards on which units acted that are no longer to be seen, where they did."""
    shown = {troop.label for troop in drawn}
    for trace in traces:
        if trace.kind == "card" and trace.points and trace.unit not in shown:
            yield Label(f"{trace.seq}", spot(scene, trace.points[0]), "note")


def focus(scene: Scene, traces: Sequence[Trace]) -> tuple[Box, Point] | None:
    """The box round this turn's heaviest fighting, and its middle of weight; None if nothing happened."""
    weights: dict[Point, int] = {}
    for trace in traces:
        worth = 2 * trace.count if trace.kind == "loss" else WEIGHTS.get(trace.kind, 0)
        for at in trace.points if worth else ():
            weights[at] = weights.get(at, 0) + worth
    if not weights:
        return None

    def drawn_to(at: Point) -> int:
        near = (weight for other, weight in weights.items() if _within(at, other, WINDOW))
        return sum(near)

    heaviest = min(weights, key=lambda at: (-drawn_to(at), at))
    near: list[Spot] = [spot(scene, at) for at in weights if _within(at, heaviest, WINDOW)]
    return round_spots(scene, near, 55), heaviest


def _within(one: Point, other: Point, far: int) -> bool:
    return abs(one.x - other.x) <= far and abs(one.y - other.y) <= far


# ------------------------------------------------------------------ the picture


def picture(field: Field, viewer: Role, turn: int) -> Picture:
    """The map of one side at the end of an exchange of *turn*."""
    scene, battle = field.scene, field.battle
    traces = [trace for trace in battle.traces if trace.turn == turn]
    standing = tuple(troops(field, viewer, turn, traces))
    ground, found = ground_of(scene), focus(scene, traces)
    commander = scene.commander(viewer)
    return replace(
        ground,
        title=f"The field after turn {turn}" if traces else "The field",
        whose=f"as known to the {commander.name} commander",
        sides=(
            next(one.name for one in scene.commanders if one.style == "first"),
            next(one.name for one in scene.commanders if one.style == "second"),
        ),
        labels=(*ground.labels, *_left_behind(scene, traces, standing)),
        troops=standing,
        tracks=tuple(_tracks(scene, battle, traces)),
        marks=tuple(_marks(scene, traces)),
        focus=found[0] if found else None,
        caption=f"North is up.{HAPPENED if traces else ''}",
        focus_caption=_focus_caption(scene, found[1]) if found else "",
        words=tuple(in_words(viewer, standing)),
    )


def _focus_caption(scene: Scene, at: Point) -> str:
    near = whereabouts(scene, at)
    where = near if near.startswith("near ") else f"at {near}"
    return f"The fighting {where if near else f'round {place(at)}'}, enlarged."


def in_words(viewer: Role, standing: Sequence[Troop]) -> Iterator[tuple[str, str]]:
    """The map in words: the own, the enemy in sight, and where he was last seen."""
    parts = (
        ("Your troops", [one for one in standing if one.own]),
        ("The enemy in sight", [one for one in standing if not one.own and one.certainty == "now"]),
        ("The enemy where he was last seen", [one for one in standing if not one.own and one.certainty != "now"]),
    )
    for heading, some in parts:
        if some:
            yield heading, " ".join(f"{one.words}." for one in some)
