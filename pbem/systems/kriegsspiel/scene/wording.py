"""Things seen and states, in the words of officers' reports."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.ground.bearing import compass
from pbem.ground.plane import Point, bearing, distance
from pbem.orders.prose import number
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Tiding

_BLOCKS = {
    "infantry": ("half battalion", "half battalions"),
    "cavalry": ("squadron", "squadrons"),
    "artillery": ("half battery", "half batteries"),
    "wagons": ("wagon", "wagons"),
}
_WORD = re.compile(r"[A-Za-z][\w-]*")
_KINDS = {
    "line": "line infantry",
    "jaeger": "jager",
    "cuirassier": "cuirassiers",
    "dragoon": "dragoons",
    "hussar": "hussars",
    "uhlan": "uhlans",
    "mounted_jaeger": "mounted jager",
    "foot_6": "6-pounders",
    "horse_6": "horse guns",
    "foot_12": "12-pounders",
    "howitzer_7": "howitzers",
    "pioneer_company": "pioneers",
    "pontoon_train": "a pontoon train",
    "munition_wagons": "munition wagons",
    "supply": "wagons",
}  # fmt: skip


def place_words(scene: Scene, at: Point) -> str:
    """A place by the nearest name of the map within 1500 paces, with offset and direction; else its coordinates.

    `Kreuzweg`, `400 paces N of the Kreuzweg`, `3700,2600`.
    """
    best: tuple[int, str, Point] | None = None
    chart = scene.chart
    named = [(one.name, one.at) for one in chart.places.values()]
    named += [(one.name.split(", ")[0], one.at) for one in chart.crossings.values()]
    named += [(area.name, chart.point_of("area", area.id)) for area in chart.areas if area.built and not area.parent]
    for name, there in named:
        far = distance(at, there)
        if best is None or (far, name) < best[:2]:
            best = (far, name, there)
    if best is None or best[0] > 1500:
        return f"{at.x},{at.y}"
    far, name, there = best
    plain = name.split(" (")[0]
    if far <= 100:
        return plain
    steps = max(100, (far + 50) // 100 * 100)
    return f"{steps} paces {compass(bearing(there, at))} of {plain}"


def who(scene: Scene, name: str) -> str:
    """A sender in words: a person with his rank, a unit by its id, the army, a source."""
    person = scene.persons.get(name)
    if person is not None:
        titled = (one.commander for one in scene.commanders if one.role == name)
        return next(titled, f"{person.rank} {person.name}")
    if name.startswith("major of "):
        return f"the {name}"
    return {
        "higher": "the army command", "spy": "a spy", "inhabitants": "inhabitants", "patrol": "a patrol",
        "umpire": "the umpire",
    }.get(name, name)  # fmt: skip


def mass_words(tiding: Tiding) -> str:
    """What a thing is called that is too far off to be made out: everywhere the same word."""
    return "a dark mass in dust" if tiding.size == "formed" else "something moving"


def kind_words(tiding: Tiding) -> str:
    """What a body is, in a word or two: `hussars`, `infantry`, `a dark mass in dust`."""
    return _KINDS.get(tiding.kind, tiding.arm) or mass_words(tiding)


def strength_words(tiding: Tiding) -> str:
    """How strong a body is said to be: `two squadrons`, `about four half battalions`, `a patrol`."""
    if tiding.size == "single":
        return "a single rider or post"
    if tiding.size == "patrol":
        return "a small party"
    if not tiding.blocks:
        return "a body of troops"
    one, many = _BLOCKS.get(tiding.arm, ("block", "blocks"))
    if tiding.arm == "infantry" and tiding.blocks % 2 == 0:
        one, many = "battalion", "battalions"
        count = tiding.blocks // 2
    else:
        count = tiding.blocks
    about = "" if tiding.exact else "about "
    return f"{about}{number(count)} {one if count == 1 else many}"


def tiding_words(scene: Scene, tiding: Tiding) -> str:
    """A sighting in a sentence without its end: what, how strong, where, in what form, going where."""
    if not tiding.arm:
        return f"{mass_words(tiding)}, {place_words(scene, tiding.at)}"
    arm = _KINDS.get(tiding.kind, tiding.arm)
    strength = strength_words(tiding)
    what = f"{arm}, {strength}" if tiding.size == "formed" else f"{strength} of {arm}"
    if tiding.number:
        what = f"{what} ({tiding.number})"
    parts = [f"{what}, {place_words(scene, tiding.at)}"]
    if tiding.formation:
        parts.append(f"in {form_words(tiding.formation)}")
    if tiding.heading is not None and tiding.moving:
        parts.append(f"going {compass(tiding.heading)}")
    if tiding.doing and tiding.doing != "on the move":
        parts.append(tiding.doing)
    return ", ".join(parts)


def form_words(formation: str) -> str:
    """A formation as it is written.

    >>> form_words("cav_threes"), form_words("section_column"), form_words("battery_wide")
    ('threes', 'section column', 'line of guns')
    """
    told = {
        "cav_twos": "twos", "cav_threes": "threes", "cav_line": "line", "battery_wide": "line of guns",
        "battery_narrow": "narrow line of guns", "battery_column_1": "column of single guns",
        "battery_column_2": "column of pairs", "battery_column_4": "column of fours",
        "battery_line_limbered": "line, limbered", "cav_open_column": "open column", "cav_half_troops": "half troops",
        "cav_troops": "column of troops", "cav_divisions": "two divisions",
    }  # fmt: skip
    return told.get(formation, formation.replace("_", " "))


SMALL_BODIES: Mapping[str, str] = {
    "staff": "staff officer", "picket25": "patrol of 25", "picket10": "patrol of 10", "troop21": "patrol of 21",
    "troop10": "patrol of 10", "post": "post", "vedette": "vedette",
}  # fmt: skip
"""Bodies of which no formation is worth telling, by what they are."""

FREED = "freed"
"""How the id of troops begins that were prisoners and are free again (KS-PRI-04)."""


def body_form(state: OwnState) -> str:
    """How a body stands, or what it is where it has no form: `attack column`, `staff officer`, `patrol of 25`."""
    if state.unit.startswith(FREED):
        return "freed prisoners"
    return SMALL_BODIES.get(state.size) or form_words(state.formation)


def order_text(scene: Scene, text: str) -> str:
    """An order as it was written, with the names of what it calls by an id: `march to Weldau by Heerstrasse`."""
    chart = scene.chart
    tables: tuple[Mapping[str, object], ...] = (
        chart.crossings, chart.area_of, chart.strongholds, chart.lines, chart.roads, chart.boats, chart.entries,
        chart.waters, chart.places,
    )  # fmt: skip

    def named(found: re.Match[str]) -> str:
        word = found[0]
        thing = next((table[word] for table in tables if word in table), None)
        name = str(getattr(thing, "name", "")).partition("(")[0].strip()
        return name or (form_words(word) if "_" in word else word)

    return _WORD.sub(named, text)


def state_words(scene: Scene, state: OwnState) -> str:
    """What a unit says of itself: place, form, losses, and what it is doing."""
    parts = [place_words(scene, state.at)]
    if state.size in ("battalion", "half_battalion", "squadron", "battery", "half_battery"):
        parts.append(f"in {form_words(state.formation)}")
    if state.zugs_out:
        parts.append(f"{number(state.zugs_out)} zugs out")
    if state.body != "fresh":
        parts.append(state.body.replace("_", " "))
    parts.append(f"losses {state.losses}" if state.losses != "none" else "no losses")
    if state.doing:
        parts.append(f"orders: {order_text(scene, state.doing)}")
    return ", ".join(parts)
