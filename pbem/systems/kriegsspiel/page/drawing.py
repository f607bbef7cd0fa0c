"""What one commander knows, on the map: the country, his own troops as he believes them, the enemy as told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.ground.picture import Area, Box, Certainty, Label, Picture, Plane, Relief, SideStyle, Track, Troop, Way
from pbem.ground.picture import Point as Spot
from pbem.ground.plane import Point, bearing, distance, shifted
from pbem.kernel.names import Role
from pbem.rules.lately import lately
from pbem.systems.kriegsspiel.field.field import toward
from pbem.systems.kriegsspiel.field.works_standing import mind_terrain
from pbem.systems.kriegsspiel.mind.beliefs import believed, plan_of
from pbem.systems.kriegsspiel.scene.chart import ZED, Crossing
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.scene.wording import body_form, place_words, tiding_words, who
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.tables.knowledge import FADE
from pbem.systems.kriegsspiel.world.forms import IN_BATTERY, POSTS
from pbem.systems.kriegsspiel.world.mind import Entry, Known, Mind
from pbem.systems.kriegsspiel.world.troops import ENEMY, Side

AREAS: Mapping[str, Literal["wood", "thicket", "swamp", "garden", "town"]] = {
    "wood_light": "wood", "wood_thick": "thicket", "swamp": "swamp", "garden": "garden", "village": "town",
    "town": "town", "farm": "town",
}  # fmt: skip
LINES: Mapping[str, Literal["hedge", "wall", "ditch", "dike", "sunken", "trench"]] = {
    "hedge": "hedge", "fence": "hedge", "wall": "wall", "ditch": "ditch", "dike": "dike", "sunken": "sunken",
    "earthwork": "trench",
}  # fmt: skip
ArmSign = Literal[
    "infantry", "jaeger", "cavalry", "guns", "limbered", "skirmish", "train", "officer", "chief",
    "unknown", "patrol", "rider", "trace",
]  # fmt: skip
PATROLS = ("picket10", "picket25", "post", "troop10", "troop21", "vedette")
"""Sizes of bodies that are too small to be drawn as large as they are."""
MARGIN = 500
SPAN = 4000
"""Paces that an enlargement is wide or high at most, but for what it must hold."""
ABOUT = 1500
"""Paces from his own troops within which it shows the enemy."""
CLUSTER = 700
"""Paces within which bodies of the enemy are of one kind with the nearest."""
SMALL: Mapping[str, str] = {"patrol": "picket10", "single": "staff"}
"""As what seen bodies are drawn that are not formed."""
NOWHERE = Point(0, 0)
"""The place of a person who is not on the map yet."""
RUINED = ("plank_off", "broken", "destroyed")


def spot(scene: Scene, at: Point) -> Spot:
    """A place of the map on the sheet, where down is south."""
    return at.x, scene.chart.height - at.y


def line_of(scene: Scene, points: Iterable[Point]) -> tuple[Spot, ...]:
    """A line of places on the sheet."""
    return tuple(spot(scene, at) for at in points)


def style(scene: Scene, side: Side) -> SideStyle:
    """How a side is drawn."""
    return next(one.style for one in scene.commanders if scene.side_of(one.role) == side)


# ------------------------------------------------------------------ the country


def _bridge(scene: Scene, crossing: Crossing, state: str) -> Way:
    """A deck, or the bed of a ford, from bank to bank along its road."""
    water = scene.chart.waters[crossing.water]
    near = min(
        zip(water.line, water.line[1:], strict=False),
        key=lambda leg: (
            abs((leg[0].x + leg[1].x) // 2 - crossing.at.x) + abs((leg[0].y + leg[1].y) // 2 - crossing.at.y)
        ),
    )
    across = (bearing(*near) + 9000) % 36000
    half = max(crossing.length, 60) // 2
    ends = (shifted(crossing.at, across, half), shifted(crossing.at, (across + 18000) % 36000, half))
    return Way(
        "ford" if crossing.kind == "ford" else "bridge",
        line_of(scene, ends),
        ruined=state in RUINED,
        name=crossing.name,
    )


def ground_of(scene: Scene, mind: Mind) -> Picture:
    """The country without anybody in it; crossings as he knows them."""
    return ground_at(scene, mind_terrain(scene, mind), {name: state for name, (state, _) in mind.crossings.items()})


def ground_at(scene: Scene, terrain: Terrain, states: Mapping[str, str]) -> Picture:
    """The country without anybody in it: the crossings of *terrain*, by *states*, else as the map has them."""
    land = _land(scene)
    bridges = (
        _bridge(scene, crossing, states.get(crossing.id, crossing.state))
        for crossing in terrain.chart.crossings.values()
        if crossing.water
    )
    return replace(land, ways=(*land.ways, *bridges))


@lately(2)
def _land(scene: Scene) -> Picture:
    """What of the country is always the same."""
    chart = scene.chart
    heights = chart.heights
    rows = tuple(tuple(height // ZED for height in row) for row in reversed(heights.rows))
    ways = [
        Way("stream", line_of(scene, water.line), name=water.name, width=water.width, broad=water.width > 20)
        for water in chart.waters.values()
    ]
    ways += [Way("road", line_of(scene, road.line), broad=road.width == "main") for road in chart.roads.values()]
    ways += [Way(LINES[line.kind], line_of(scene, line.line)) for line in chart.lines.values()]
    areas = tuple(
        Area(
            AREAS[area.kind],
            line_of(scene, area.polygon),
            name=area.name.split(" (")[0],
            stone=area.buildings == "stone",
            walled=area.border in ("strong", "fortified") and area.built,
        )
        for area in reversed(chart.areas)
    )
    return Picture(
        title="The ground, and what you believe to stand on it",
        whose="",
        box=(0, 0, chart.width, chart.height),
        plane=Plane(
            1, "paces", 1000, "1 pace is 0.753 m.  A place in orders: paces east, paces north (3700,2900).",
            Relief(heights.spacing, rows, 10),
        ),
        areas=areas,
        ways=tuple(ways),
        labels=tuple(_labels(scene)),
    )  # fmt: skip


def _labels(scene: Scene) -> Iterator[Label]:
    chart = scene.chart
    for area in chart.areas:
        if area.parent or area.kind == "garden" or ", " in area.name:
            continue
        kind: Literal["town", "wood", "place"] = (
            "town" if area.built else "wood" if area.kind.startswith("wood") else "place"
        )
        yield Label(area.name.split(" (")[0], spot(scene, chart.point_of("area", area.id)), kind)
    for place in chart.places.values():
        height = place.height
        name = place.name.split(" (")[0]
        yield Label(f"{name} {height}" if height else name, spot(scene, place.at), "hill" if height else "place")
    for water in chart.waters.values():
        if water.kind == "river":
            yield Label(water.name, spot(scene, water.line[1]), "water")


# ------------------------------------------------------------------ troops


def sign(arm: str, kind: str, *, limbered: bool, size: str = "") -> ArmSign:
    """The sign of a body by its arm, kind and size."""
    if size == "staff":
        return "rider"
    if size in PATROLS:
        return "patrol"
    if not arm:
        return "unknown"
    if arm == "artillery":
        return "limbered" if limbered else "guns"
    if arm == "cavalry":
        return "cavalry"
    if arm in ("train", "wagons"):
        return "train"
    if size == "zug":
        return "skirmish"
    return "jaeger" if kind == "jaeger" else "infantry"


def _extent(plan: UnitPlan | None, known: Known) -> tuple[int, int, int]:
    """Front, depth and blocks side by side of one's own unit as it was last known."""
    state = known.state
    if state.size in POSTS:
        return (*POSTS[state.size], 1)
    form = FORMATIONS.get(state.formation)
    arm = plan.arm if plan is not None else "infantry"
    whole = {"battalion": (1, 1, 2), "half_battalion": (1, 2, 1), "squadron": (1, 4, 1), "battery": (1, 1, 4)}
    number, by, parts = whole.get(state.size, (1, 2, 2 if arm == "artillery" else 1))
    if form is None:
        return (60, 10, 1)
    wide = form.front[0] * number // by if form.front[0] >= 100 else form.front[0]
    return (max(wide, 8), max(form.depth[0] * number // by, 8), parts)


def _own_troops(scene: Scene, mind: Mind) -> Iterator[Troop]:
    side = style(scene, mind.side)
    units = dict.fromkeys((*mind.own, *mind.entry_of))
    for name in units:
        where = believed(scene, mind, name, mind.move)
        known = mind.own.get(name)
        if where is None or (known is not None and known.state.stand in ("off", "gone")):
            continue
        at, moved = where
        plan = plan_of(scene, mind, name)
        if known is None:
            if plan is not None:
                yield Troop(
                    sign(plan.arm, plan.kind, limbered=True), side, spot(scene, at), 0, 40, 40, label=name,
                    note="believed", words=f"{name}, believed at {place_words(scene, at)}", certainty="old", own=True,
                    key=name,
                )  # fmt: skip
            continue
        state = known.state
        front, depth, parts = _extent(plan, known)
        arm = plan.arm if plan is not None else ("cavalry" if state.size.startswith("troop") else "infantry")
        certainty: Certainty = "now" if known.in_sight else "old"
        note = "" if known.in_sight else (f"believed, {scene.clock(state.seen)}" if moved else scene.clock(state.seen))
        trail = line_of(scene, state.trail) if not moved and len(state.trail) > 1 else ()
        yield Troop(
            sign(arm, plan.kind if plan else "", limbered=state.limbered, size=state.size),
            side,
            spot(scene, at),
            state.facing // 100,
            front,
            depth,
            parts,
            trail=trail,
            label=name,
            note=note,
            badge={"repulsed": "R", "defeated": "D", "totally_defeated": "T"}.get(state.body, ""),
            words=f"{name}, {body_form(state)}, {place_words(scene, at)}{f', {note}' if note else ''}",
            certainty=certainty,
            own=True,
            key=name,
        )


def age_of(mind: Mind, entry: Entry) -> Certainty:
    """How fresh an entry is: up to 5 moves, 15, 30, and beyond."""
    moves = mind.move - entry.tiding.seen
    if moves <= FADE[0]:
        return "now" if entry.in_sight else "recent"
    return "recent" if moves <= FADE[1] else "old" if moves <= FADE[2] else "stale"


def _enemy_troops(scene: Scene, mind: Mind) -> Iterator[Troop]:
    side = style(scene, ENEMY[mind.side])
    for entry in mind.entries.values():
        tiding = entry.tiding
        if entry.dropped or doubled(mind, entry):
            continue
        age = age_of(mind, entry)
        where = spot(scene, tiding.at)
        if age == "stale":
            # It may be anywhere by now: the table tells of it, the map shows no more than that something was there.
            words = f"{entry.id}: {tiding_words(scene, tiding)}, {scene.clock(tiding.seen)}"
            yield Troop("trace", side, where, words=words, certainty=age, key=entry.id)
            continue
        wide = {"infantry": 125, "cavalry": 100, "artillery": 100}.get(tiding.arm, 60) * max(tiding.blocks, 1)
        deployed = tiding.formation in ("line", "cav_line", "battery_wide", "")
        front, depth = (min(wide, 900), 20) if deployed else (60, 60)
        source = "seen" if tiding.source == "own eyes" else who(scene, tiding.source)
        clock = scene.clock(tiding.seen)
        note = clock if entry.in_sight or age == "old" else f"{clock}, {source}"
        twice = sum(1 for other in mind.entries.values() if tied(entry, other))
        yield Troop(
            sign(
                tiding.arm,
                tiding.kind,
                limbered=tiding.formation not in IN_BATTERY,
                size=SMALL.get(tiding.size, ""),
            ),
            side,
            where,
            (tiding.heading if tiding.heading is not None else _facing(mind, tiding.at)) // 100,
            front,
            depth,
            max(1, min(tiding.blocks, 8)),
            label=entry.id,
            note=f"{note} ({twice + 1} reports)" if twice and age != "old" else note,
            words=f"{entry.id}: {tiding_words(scene, tiding)}, {clock}, {source}",
            certainty=age,
            key=entry.id,
        )


def tied(one: Entry, other: Entry) -> bool:
    """Whether two entries are drawn as one: the same arm within 300 paces and five moves (KS-SIT-08)."""
    if one.id == other.id or other.dropped or one.tiding.arm != other.tiding.arm:
        return False
    near = (one.tiding.at.x - other.tiding.at.x) ** 2 + (one.tiding.at.y - other.tiding.at.y) ** 2 <= 300**2
    return near and abs(one.tiding.seen - other.tiding.seen) <= 5


def doubled(mind: Mind, entry: Entry) -> bool:
    """Whether a fresher entry of the same body, as it would seem, is drawn in its place."""
    return any(
        tied(entry, other)
        and (other.in_sight, other.tiding.seen, -int(other.id[1:]))
        > (entry.in_sight, entry.tiding.seen, -int(entry.id[1:]))
        for other in mind.entries.values()
    )


def _facing(mind: Mind, at: Point) -> int:
    """A body of which no front is known is drawn with its front to the commander."""
    return toward(at, mind.at)


def _persons(scene: Scene, mind: Mind) -> Iterator[Troop]:
    side = style(scene, mind.side)
    plan = scene.persons.get(mind.person)
    if mind.on_map:
        chief = plan is not None and not plan.superior
        yield Troop(
            "chief" if chief else "officer", side, spot(scene, mind.at), label="you",
            words=f"You, {place_words(scene, mind.at)}", own=True, key=f"@{mind.person}",
        )  # fmt: skip
    for comrade in mind.comrades.values():
        known = scene.persons.get(comrade.id)
        if known is None or comrade.captured or comrade.at == NOWHERE:
            continue
        now = comrade.seen == mind.move and mind.move > 0
        yield Troop(
            "officer", side, spot(scene, comrade.at), label=known.name,
            note="" if now else scene.clock(comrade.seen), words=f"{known.name}, {place_words(scene, comrade.at)}",
            certainty="now" if now else "old", own=True, key=f"@{comrade.id}",
        )  # fmt: skip


# ------------------------------------------------------------------ the picture


def _tracks(scene: Scene, mind: Mind) -> Iterator[Track]:
    side = style(scene, mind.side)
    if len(mind.way) > 1:
        yield Track("ride", side, line_of(scene, mind.way), f"Your ride to {mind.riding_to}")
    for sent in mind.sent:
        if sent.received is not None or sent.cancelled or sent.likely is None or sent.likely < mind.move:
            continue
        found = believed(scene, mind, sent.to, mind.move)
        comrade = mind.comrades.get(sent.to)
        goal = found[0] if found is not None else comrade.at if comrade is not None else None
        if goal is not None and goal != mind.at:
            yield Track(
                "messenger",
                side,
                line_of(scene, (mind.at, goal)),
                f"Your paper {sent.no} to {sent.to}",
                label=f"{sent.no}",
            )


def _focus(scene: Scene, mind: Mind) -> tuple[Box | None, str]:
    """What he is to see enlarged, and how that is called: himself and what he was called for, then what is about."""
    in_sight = [name for name, known in mind.own.items() if known.in_sight and known.state.stand == "map"]
    names = dict.fromkeys((*mind.command, *in_sight))
    own = [at[0] for name in names if (at := believed(scene, mind, name, mind.move)) is not None]
    if mind.on_map:
        own.insert(0, mind.at)
    if not own:
        return None, ""
    enemies = _nearest_enemies(mind, own)
    # Without the enemy the middle is himself; before he is on the map, the first of his troops.
    held = [own[0], *enemies]
    seen = [entry.tiding.at for entry in mind.entries.values() if age_of(mind, entry) != "stale" and not entry.dropped]
    for place in sorted(own, key=lambda one: min(distance(one, other) for other in held)):
        held = _joined(held, place)
    for place in sorted(seen, key=lambda one: min(distance(one, other) for other in held)):
        if any(distance(place, other) <= ABOUT for other in own):
            held = _joined(held, place)
    chart = scene.chart
    spots = line_of(scene, held)
    left, right = min(x for x, _ in spots) - MARGIN, max(x for x, _ in spots) + MARGIN
    up, down = min(y for _, y in spots) - MARGIN, max(y for _, y in spots) + MARGIN
    box = (max(left, 0), max(up, 0), min(right, chart.width), min(down, chart.height))
    him = "you and the troops about you" if mind.on_map else "your troops"
    if enemies:
        return box, f"About {him}, with the enemy nearest to you, enlarged."
    return box, f"About {him}, enlarged."


def _joined(held: list[Point], at: Point) -> list[Point]:
    """With one place more, if that leaves the whole small enough."""
    xs, ys = [one.x for one in (*held, at)], [one.y for one in (*held, at)]
    return [*held, at] if max(max(xs) - min(xs), max(ys) - min(ys)) <= SPAN else held


def _nearest_enemies(mind: Mind, own: Sequence[Point]) -> list[Point]:
    """Where the enemy is of whom he must know: those he was called for, else the nearest lately seen, and theirs."""
    lately = [
        entry for entry in mind.entries.values() if not entry.dropped and age_of(mind, entry) in ("now", "recent")
    ]
    called = [entry for entry in lately if entry.first >= mind.move - 1] if "W1" in mind.called else []
    fresh = called or [entry for entry in lately if mind.move - entry.tiding.seen <= FADE[0]] or lately
    if not fresh:
        return []
    nearest = min(fresh, key=lambda entry: distance(entry.tiding.at, own[0])).tiding.at
    return [entry.tiding.at for entry in lately if distance(entry.tiding.at, nearest) <= CLUSTER]


def picture(scene: Scene, mind: Mind, role: Role) -> Picture:
    """The map of a commander at his clock."""
    troops = (*_own_troops(scene, mind), *_enemy_troops(scene, mind), *_persons(scene, mind))
    commander = next(one for one in scene.commanders if one.role == role)
    sides = tuple(next(one.name for one in scene.commanders if one.style == which) for which in ("first", "second"))
    own = tuple(troop.words for troop in troops if troop.own)
    enemy = tuple(troop.words for troop in troops if not troop.own)
    focus, about = _focus(scene, mind)
    return replace(
        ground_of(scene, mind),
        whose=f"as known to {commander.commander} at {scene.clock(mind.move)}",
        sides=(sides[0].split()[0], sides[1].split()[0]),
        troops=troops,
        tracks=tuple(_tracks(scene, mind)),
        focus=focus,
        caption=(
            "Your troops in your sight are drawn full; hollow ones stand where you believe them, by what you were told "
            "and ordered.  Enemy bodies fade with the age of the sighting; a small dot is left of what was seen more "
            "than an hour ago.  The table of the enemy tells when each was seen, and by whom."
        ),
        focus_caption=about,
        words=tuple(
            (head, ".  ".join(lines) + ".") for head, lines in (("Your side", own), ("The enemy", enemy)) if lines
        ),
    )
