"""What one side knows, on the map: units to scale, leaders, what was seen before, moves, fire, charges, fights."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal, assert_never

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.picture import Arc, Certainty, Mark, Picture, SideStyle, Track, Troop
from pbem.ground.plane import Point, band
from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted, listed
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.page.landscape import Sheet, ground_of, style
from pbem.systems.half_league.page.sentences import Line
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables.charts import pieces
from pbem.systems.half_league.tables.combat import ARC, SHORT_SHARE
from pbem.systems.half_league.tables.printed import INCH
from pbem.systems.half_league.world.course import Trace
from pbem.systems.half_league.world.pieces import ENEMY, Leader, Unit, side_of
from pbem.systems.half_league.world.state import Battle

ACROSS, DOWN = 46 * INCH, 40 * INCH
"""How wide and high the enlargement is at most."""
STEP = 2 * INCH
"""From one window of the enlargement that is tried to the next."""
WORTH = {"melee": 12, "charge": 6, "withdraw": 4, "rout": 4, "fire": 2, "move": 1}
"""How much what happened draws the enlargement to its place."""
AGES: tuple[Certainty, ...] = ("recent", "old", "stale")
AGE_TURNS = (1, 3)
"""Turns up to which what was seen is recent, and old."""

Arm = Literal["infantry", "jaeger", "cavalry", "guns", "limbered", "skirmish"]


# ------------------------------------------------------------------ troops


def _arm(unit: Unit) -> Arm:
    if unit.guns:
        return "guns" if unit.unlimbered else "limbered"
    if unit.type == "cavalry":
        return "infantry" if unit.formation == "dismounted" else "cavalry"
    return "skirmish" if unit.formation == "skirmish" else "infantry"


def _grid(field: Field, unit: Unit) -> tuple[int, int]:
    """Stands side by side, and one behind the other."""
    there = pieces(unit.type, max(unit.stands, 1))
    shape = field.charts.footprint[unit.formation]
    front, ranks = shape.front.of(there), shape.ranks.of(there)
    if unit.formation == "skirmish" and unit.type == "infantry":
        return front * 3, 1
    return max(front, 1), max(ranks, 1) if ranks else max(front, 1)


def _certainty(battle: Battle, unit: Unit) -> Certainty:
    return AGES[band(battle.turn - unit.last_seen, AGE_TURNS) or 0] if unit.last_seen else "now"


def _note(battle: Battle, unit: Unit) -> str:
    if unit.last_seen:
        return f"turn {unit.last_seen}"
    if unit.routing:
        return "routing"
    return f"charges {words.brief(unit.charge_target)}" if unit.charge_target else ""


def _words(field: Field, unit: Unit) -> str:
    name = f"{words.short_name(unit)}, " if unit.name else ""
    chits = f", {counted(unit.chits, 'chit')}" if unit.chits else ""
    seen = f", last seen in turn {unit.last_seen}" if unit.last_seen else ""
    state = ", routing" if unit.routing else ""
    stands = "gunners" if unit.guns else "stands"
    place = f"at {words.at(unit.front)} facing {words.facing(unit)}"
    return f"{unit.id}, {name}{words.kind(unit)}, {unit.stands} {stands}, {place}{chits}{state}{seen}"


def troop(field: Field, sheet: Sheet, unit: Unit, viewer: Role) -> Troop:
    """A unit on the map, on the ground that it covers."""
    body = field.body(unit)
    parts, ranks = _grid(field, unit)
    return Troop(
        _arm(unit),
        style(field.scene, unit.side),
        sheet.at(unit.front),
        unit.facing,
        body.front,
        body.depth,
        parts,
        ranks,
        label=unit.id.replace("contact ", "c"),
        note=_note(field.battle, unit),
        badge=str(unit.chits) if unit.chits else "",
        words=_words(field, unit),
        certainty=_certainty(field.battle, unit),
        own=unit.side == viewer,
        key=unit.id,
    )


def _leader(field: Field, sheet: Sheet, leader: Leader, viewer: Role) -> Troop:
    place = leader.front
    unit = field.battle.units.get(leader.attached_to)
    if unit is not None:
        place = field.body(unit).middle
    return Troop(
        "chief" if leader.kind == "army" else "officer",
        style(field.scene, leader.side),
        sheet.at(place),
        label=leader.id,
        note=f"turn {leader.last_seen}" if leader.last_seen else "",
        words=f"{leader.name}, {words.leader_place(field.battle, leader)}",
        certainty="old" if leader.last_seen else "now",
        own=leader.side == viewer,
        key=leader.id,
    )


def troops(field: Field, viewer: Role) -> Iterator[Troop]:
    """Everything that stands on the map, as a side knows it."""
    sheet, battle = Sheet(field.scene), field.battle
    for _, unit in sorted(battle.units.items()):
        if unit.there and unit.stands:
            yield troop(field, sheet, unit, viewer)
    for _, guns in sorted(battle.guns.items()):
        if guns.state != "spiked":
            whose: SideStyle = style(field.scene, guns.held_by or guns.side)
            yield Troop("guns", whose, sheet.at(guns.front), guns.bearing // DEGREE, parts=guns.models,
                        label=f"{guns.owner_unit} {guns.state}", words=f"Guns of {guns.owner_unit}, {guns.state}",
                        certainty="stale")  # fmt: skip
    for _, leader in sorted(battle.leaders.items()):
        if not leader.fallen:
            yield _leader(field, sheet, leader, viewer)


def arcs(field: Field, viewer: Role) -> Iterator[Arc]:
    """Where the own guns fire with their whole effect, and within it canister (HL-FIR-04, HL-GEO-03)."""
    sheet, ranges = Sheet(field.scene), field.charts.ranges
    for unit in field.battle.of(viewer):
        if unit.guns and unit.in_order and field.firing_stands(unit):
            short = ranges["artillery"] * SHORT_SHARE[0] // SHORT_SHARE[1]
            drawn, here = style(field.scene, unit.side), sheet.at(unit.front)
            yield Arc("fire", drawn, here, unit.facing, ARC, short, 0, (ranges["canister"],))


# ------------------------------------------------------------------ what happened


def _tracks(scene: Scene, traces: Sequence[Trace]) -> Iterator[Track]:
    sheet = Sheet(scene)
    for trace in traces:
        if len(trace.points) < 2 or trace.kind == "melee":
            continue
        drawn, whose, who = style(scene, trace.side), words.ADJECTIVE[trace.side], cap(words.brief(trace.unit))
        points, end = sheet.line(trace.points), words.at(trace.points[-1])
        of = (trace.unit,)
        match trace.kind:
            case "fire" if trace.phase == "fire_artillery":
                yield Track("artillery", drawn, points, f"{who} fired at {end}", of=of)
            case "fire":
                yield Track("rifle", drawn, points, f"{who} fired at {end}", of=of)
            case "withdraw" | "rout":
                yield Track("retreat", drawn, points, f"{who} ({whose}) fell back to {end}", of=of)
            case "charge":
                yield Track("charge", drawn, points, f"{who} charged to {end}", of=of)
            case "move":
                yield Track("move", drawn, points, f"{who} moved to {end}", of=of)
            case _:
                assert_never(trace.kind)


def _markers(field: Field) -> Iterator[Track]:
    """From each unit with a charge marker to the enemy that it names."""
    sheet, battle = Sheet(field.scene), field.battle
    for _, unit in sorted(battle.units.items()):
        target = battle.units.get(unit.charge_target)
        if unit.there and target is not None and not unit.last_seen:
            points = sheet.line((unit.front, target.front))
            words = f"{unit.id} is marked to charge {target.id}"
            yield Track("marker", style(field.scene, unit.side), points, words)


def _marks(scene: Scene, traces: Sequence[Trace], lines: Sequence[Line]) -> Iterator[Mark]:
    sheet = Sheet(scene)
    for place in dict.fromkeys(trace.points[0] for trace in traces if trace.kind == "melee"):
        yield Mark("melee", sheet.at(place), words=f"Close combat at {words.at(place)}")
    lost: dict[Point, int] = {}
    for line in lines:
        if line.lost is not None:
            lost[line.lost[0]] = lost.get(line.lost[0], 0) + line.lost[1]
    for place, gone in lost.items():
        yield Mark("losses", sheet.at(place), gone, f"{gone} figures lost at {words.at(place)}")


# ------------------------------------------------------------------ the enlargement


def _spots(field: Field, viewer: Role, traces: Sequence[Trace]) -> Iterator[tuple[Point, int]]:
    for trace in traces:
        for point in trace.points:
            yield point, WORTH[trace.kind]
    seen = field.enemies(viewer)
    for own in field.battle.of(viewer):
        near = sum(field.within(own, enemy, 20 * INCH) for enemy in seen)
        yield own.front, 1 + min(near, 3)
    for enemy in seen:
        yield enemy.front, 1


def focus(field: Field, viewer: Role, traces: Sequence[Trace]) -> tuple[int, int, int, int]:
    """The window that holds most of what happened: west, south, east, north."""
    scene = field.scene
    across, down = min(ACROSS, scene.width * 2 // 3), min(DOWN, scene.height * 2 // 3)
    spots = sorted((point.y, point.x, count) for point, count in _spots(field, viewer, traces))
    best, windows = -1, list[tuple[int, int]]()
    for west in range(0, scene.width - across + 1, STEP):
        column = [(y, count) for y, x, count in spots if west < x < west + across]
        heights = [y for y, _ in column]
        sums = list(accumulate((count for _, count in column), initial=0))
        for south in range(0, scene.height - down + 1, STEP):
            worth = sums[bisect_left(heights, south + down)] - sums[bisect_right(heights, south)]
            if worth > best:
                best, windows = worth, []
            if worth == best:
                windows.append((west, south))

    def off(window: tuple[int, int]) -> int:
        """How far from its middle what it holds lies, by its worth."""
        west, south = window
        return sum(
            count * (abs(2 * x - 2 * west - across) + abs(2 * y - 2 * south - down))
            for y, x, count in spots
            if west < x < west + across and south < y < south + down
        )

    west, south = min(windows, key=off)
    return west, south, west + across, south + down


# ------------------------------------------------------------------ the picture


def picture(field: Field, role: Role, title: str, lines: Sequence[Line], phases: Sequence[str] = ()) -> Picture:
    """The map of one side; *lines* are those of the exchange, *phases* those of which the moves are drawn (all)."""
    scene, battle, viewer = field.scene, field.battle, side_of(role)
    traces = [one for one in battle.traces if one.turn == battle.turn and (not phases or one.phase in phases)]
    if not traces and battle.traces:
        # The turn has gone on already: what is told is the last one that was played.
        last = max(one.turn for one in battle.traces)
        traces = [one for one in battle.traces if one.turn == last]
    standing = tuple(troops(field, viewer))
    west, south, east, north = focus(field, viewer, traces)
    box = (west, scene.height - north, east, scene.height - south)
    near = next(
        (place.name for place in scene.places.values() if west < place.pos.x < east and south < place.pos.y < north), ""
    )
    return replace(
        ground_of(scene),
        title=title,
        whose=f"as known to the {scene.commander(role).name} command",
        troops=standing,
        tracks=(*_tracks(scene, traces), *_markers(field)),
        arcs=tuple(arcs(field, viewer)),
        marks=tuple(_marks(scene, traces, lines)),
        focus=box,
        caption="Units are drawn to scale; the thick edge is the front, a figure in a circle the chits.  "
        "Lines show the moves, fire and flight of this turn; a star gives the figures lost there.  "
        "The fields are those of own guns at short range, with canister within.  c3 is contact 3.",
        focus_caption=f"{_about(near)}, {words.inches(east - west)} by {words.inches(north - south)} inches, enlarged.",
        words=tuple(_in_words(field, viewer, standing)),
    )


def _about(near: str) -> str:
    return f"The ground round {near}" if near else "The middle of the fighting"


LEADING = ("chief", "officer")
"""Pieces that are named after the troops."""


def _in_words(field: Field, viewer: Role, standing: Sequence[Troop]) -> Iterator[tuple[str, str]]:
    for heading, own in (("Your troops", True), ("The enemy as known", False)):
        there = [one for one in standing if one.own == own]
        said = [one.words for one in sorted(there, key=lambda one: (one.arm in LEADING, words.natural(one.label)))]
        if said:
            yield heading, "; ".join(said) + "."
    marked = [
        f"{unit.id} to charge {words.brief(unit.charge_target)}"
        for unit in field.battle.units.values()
        if unit.charge_target and not unit.last_seen
    ]
    if marked:
        yield "Charge markers", cap(listed(marked)) + "."
    enemy = field.battle.of(ENEMY[viewer])
    if not enemy:
        yield "In sight", "No enemy."
